"""A plan that cannot be met names the entry that is to blame, with the nearest try."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests import small_families
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.planning.draw import Goal
from unco.compiler.planning.misses import miss
from unco.specs.rejection import Rejection


@pytest.mark.parametrize(
    ("changed", "blamed"),
    [
        ({"plan": {"none_eligible": 0, "winner": {"dear": "fee == 3"}}}, "clause `dear` of `plan.winner`"),
        ({"plan": {"none_eligible": 0, "winner": {"dear": "fee == 3"}}}, "condition `cheap`"),
        ({"consistency": {"no_licence": "not licence"}, "plan": {"none_eligible": 0}}, "condition `licensed`"),
        ({"consistency": {"no_licence": "not licence"}, "plan": {"none_eligible": 0}}, "rule `no_licence`"),
    ],
)
def test_the_rejection_names_the_rules_that_clash_and_an_example(
    changed: dict[str, Any], blamed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unco.compiler.planning.draw.RESTARTS", 2)
    monkeypatch.setattr("unco.compiler.instantiate.ATTEMPTS", 3)
    found = instantiate(small_families.family(small_families.specification(**changed)), 0, InstantiateOptions())
    assert isinstance(found, Rejection)
    assert found.code == "UNC413"
    assert found.detail.startswith("no cells make a winner: ")
    assert blamed in found.detail
    assert "nearest: " in found.detail


def test_a_rule_that_reads_no_fact_is_named_all_the_same() -> None:
    family = small_families.family(small_families.specification(conditions={"never": "2 < 1", "licensed": "licence"}))
    assert "condition `never` was never met; nearest: it reads no fact" in miss(
        Goal(family, {}, frozenset(), winner=True), Random(1)
    )


def test_a_goal_that_can_be_met_is_no_miss() -> None:
    goal = Goal(small_families.small(), {}, frozenset({"cheap"}), winner=False)
    assert miss(goal, Random(1)) == ""
