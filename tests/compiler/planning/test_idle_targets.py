"""Where no target of a defect changes the answer, the rejection names the values and the rule that stand in the way."""

from __future__ import annotations

from typing import Any

import pytest

from tests import small_families
from unco.compiler import instantiate as drawing
from unco.compiler.instantiate import IN_VAIN, InstantiateOptions, instantiate
from unco.specs.family import Family
from unco.specs.rejection import Rejection

SAME: dict[str, Any] = {"consistency": {"same": 'fee == fee["last"]'}, "perturbations": {"misaligned": ["fee"]}}


def family(**changed: Any) -> Family:
    return small_families.family(small_families.specification(**changed))


@pytest.mark.parametrize("index", range(4))
def test_the_target_its_values_and_the_rule_that_holds_them_are_named(index: int) -> None:
    found = instantiate(family(**SAME), index, InstantiateOptions())
    assert isinstance(found, Rejection)
    assert found.detail.startswith("no target in `perturbations.misaligned` changes the answer, for example where ")
    assert "`fee` of " in found.detail
    assert " in `this` and " in found.detail
    assert " in `last`, and consistency rule `same` " in found.detail
    assert found.detail.endswith(" allows no other value there")


def test_a_rule_that_leaves_a_choice_is_not_blamed() -> None:
    free = {**SAME, "consistency": {"same": 'fee == fee["last"] or score == 3'}}
    made = [instantiate(family(**free), index, InstantiateOptions()) for index in range(8)]
    assert not all(isinstance(each, Rejection) for each in made)


@pytest.mark.parametrize("none_eligible", [0, 1])
def test_the_kind_of_group_that_was_planned_is_kept_with_the_rejection(none_eligible: int) -> None:
    found = instantiate(family(**SAME, plan={"none_eligible": none_eligible}), 0, InstantiateOptions())
    assert isinstance(found, Rejection)
    assert found.planned == ("nobody" if none_eligible else "winner")


def test_attempts_that_fail_for_the_same_reason_end_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, attempt = [], drawing._Drawer.group
    monkeypatch.setattr(drawing._Drawer, "group", lambda *args, **how: tried.append(1) or attempt(*args, **how))
    assert isinstance(instantiate(family(**SAME, plan={"none_eligible": 0}), 0, InstantiateOptions()), Rejection)
    assert IN_VAIN <= len(tried) < drawing.ATTEMPTS
