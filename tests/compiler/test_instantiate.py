"""instantiate: groups by construction, from a seed, with what an author pins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rendered_groups import FACTS, GRANT, SUPERINTENDENT, candidate_group, family_of
from tests.small_families import small
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.planning.pins import load_pins
from unco.compiler.prove import ProveOptions, prove
from unco.solver.judge import judge, violations
from unco.specs.facts import Pins
from unco.specs.family import Family, Slot
from unco.specs.group import CandidateGroup
from unco.specs.instance import SeveralEligible
from unco.specs.rejection import Rejection

QUICK = ProveOptions(sufficient=False)


@pytest.mark.parametrize("path", [SUPERINTENDENT, GRANT], ids=lambda path: path.stem)
def test_every_planned_group_is_legal_has_one_answer_and_all_its_settings(path: Path) -> None:
    for index in range(6):
        group = candidate_group(path, index)
        family = family_of(path)
        assert not violations(family, group.instance)
        assert judge(family, group.instance) == group.outcome
        assert not isinstance(group.outcome, SeveralEligible)
        assert group.misaligned
        assert group.incomplete
        assert group.missed
        assert prove(family, group, QUICK).accepted


def test_a_group_depends_on_family_seed_and_index_alone() -> None:
    family = family_of(GRANT)
    first = instantiate(family, 3, InstantiateOptions(seed=5))
    instantiate(family, 4, InstantiateOptions(seed=5))
    assert instantiate(family, 3, InstantiateOptions(seed=5)) == first
    assert instantiate(family, 3, InstantiateOptions(seed=6)) != first


def test_pinned_facts_and_defects_stand_as_they_are() -> None:
    family = family_of(SUPERINTENDENT)
    pins = load_pins(family, FACTS)
    group = instantiate(family, 0, InstantiateOptions(pins=pins))
    assert isinstance(group, CandidateGroup)
    assert group.instance.names == tuple(pins.candidates)
    for number, facts in enumerate(pins.candidates.values()):
        held = group.instance.candidate(number)
        assert {slot: held[slot] for slot in facts} == facts
    assert group.misaligned == pins.misaligned


@pytest.mark.parametrize("index", range(12))
def test_candidates_of_whom_only_some_facts_are_pinned_are_drawn_until_every_setting_is_there(index: int) -> None:
    facts = {name: {Slot("score", 0, ""): 3} for name in ("Ash", "Birch")}
    group = instantiate(small(), index, InstantiateOptions(pins=Pins(candidates=facts)))
    assert isinstance(group, CandidateGroup)
    assert not isinstance(group.outcome, SeveralEligible)
    assert group.misaligned
    assert group.incomplete
    assert group.missed


def test_facts_that_make_two_eligible_come_to_a_group_that_prove_rejects() -> None:
    family = small()
    facts = dict(zip(family.slots, (3, True, 1, 1), strict=True))
    group = instantiate(family, 0, InstantiateOptions(pins=Pins(candidates={"Ash": facts, "Birch": facts})))
    assert isinstance(group, CandidateGroup)
    assert group.outcome == SeveralEligible((0, 1))
    assert prove(family, group).rejection("small", 0).code == "UNC502"


def test_a_plan_that_no_draw_meets_is_a_rejection() -> None:
    facts = dict(zip(small().slots, (3, True, 1, 1), strict=True))
    pins = Pins(candidates={"Ash": facts}, misaligned=None, parameters={})
    impossible = _without_targets_that_flip(small())
    found = instantiate(impossible, 0, InstantiateOptions(pins=pins))
    assert isinstance(found, Rejection)
    assert (found.phase, found.code) == ("instantiate", "UNC413")


def _without_targets_that_flip(family: Family) -> Family:
    from dataclasses import replace

    targets = replace(family.perturbations, misaligned=("licence",), incomplete=(), missed=())
    return replace(family, perturbations=targets, digest="no decoys")
