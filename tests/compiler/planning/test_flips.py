"""Flips: the other answers that stay possible, decoys that bring one about, and who does not serve an aim yet."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from tests import small_families
from tests.rendered_groups import FACTS, SUPERINTENDENT, family_of
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.planning.decoys import face_flip, with_decoy
from unco.compiler.planning.flips import Hidden, Standings, hiding_attribute, hiding_role, operands, touched
from unco.compiler.planning.needs import wanting
from unco.compiler.planning.pins import load_pins
from unco.compiler.planning.sketch import Aim, Sketch
from unco.solver.judge import judge
from unco.solver.witness import first_move
from unco.specs.evidence import Between, full
from unco.specs.group import CandidateGroup, Misaligned
from unco.specs.instance import Winner
from unco.specs.verdict import Flip

FAMILY = family_of(SUPERINTENDENT)
CLEARANCE = Misaligned("clearance", "April 2026")


@cache
def papers() -> Standings:
    """The paper's case: the first is appointed, the second lacks experience alone, the third the clearance alone."""
    group = instantiate(FAMILY, 0, InstantiateOptions(pins=load_pins(FAMILY, FACTS)))
    assert isinstance(group, CandidateGroup)
    return Standings(FAMILY, group.instance, group.outcome)


@cache
def nobody() -> Standings:
    """The same where the first lacks the clearance too."""
    changed = papers().instance.changed({next(iter(hiding_attribute(FAMILY, "clearance"))): False})
    return Standings(FAMILY, changed, judge(FAMILY, changed))


@pytest.mark.parametrize(
    ("role", "flip"),
    [
        ("operations", Flip.OTHER_WINNER),
        ("health", Flip.OTHER_WINNER),
        ("planning", Flip.TO_NONE),
        ("licensing", Flip.TO_NONE),
        ("mobility", Flip.OTHER_RESULT),
        ("payroll", Flip.OTHER_RESULT),
    ],
)
def test_a_silent_role_leaves_open_whether_its_rule_fails_a_rival_wins_or_the_result_differs(
    role: str, flip: Flip
) -> None:
    assert papers().flips(hiding_role(FAMILY, role)) == {flip}


def test_without_a_winner_those_who_fail_nothing_else_could_win() -> None:
    assert nobody().winner is None
    assert nobody().rivals(hiding_role(FAMILY, "health")) == (0, 2)
    assert nobody().rivals(hiding_role(FAMILY, "operations")) == (1,)
    assert nobody().flips(hiding_role(FAMILY, "mobility")) == frozenset()


def test_touched_conditions_and_operands_are_those_that_read_an_attribute() -> None:
    assert touched(FAMILY, ("clearance", "relocation_grant")) == {"medical"}
    assert operands(FAMILY) == {"relocation_grant", "field_allowance"}


def test_an_interval_of_an_operand_is_seen_to_leave_the_result_open_by_its_ends() -> None:
    hidden: Hidden = {cell: Between(30_000, 60_000) for cell in hiding_attribute(FAMILY, "relocation_grant")}
    assert papers().flips(hidden) == {Flip.OTHER_RESULT}
    pair = first_move(FAMILY, papers().instance, full(papers().instance).with_knowledge(hidden), papers().outcome)
    assert pair is not None
    assert pair.flip is Flip.OTHER_RESULT
    assert list(pair.changes.values()) == [30_000]


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("flip", [Flip.TO_NONE, Flip.OTHER_WINNER])
def test_a_decoy_flips_the_answer_as_planned(flip: Flip, number: int) -> None:
    made = with_decoy(papers(), CLEARANCE, flip, {}, Random(number), 40)
    assert made is not None
    assert face_flip(FAMILY, made, papers().outcome, CLEARANCE) is flip
    changed = {cell for cell, value in made.cells.items() if value != papers().instance.cells[cell]}
    assert {(cell.attribute, cell.context) for cell in changed} <= {("clearance", "April 2026")}


def test_a_decoy_that_cannot_flip_the_answer_so_is_none() -> None:
    assert with_decoy(papers(), CLEARANCE, Flip.OTHER_RESULT, {}, Random(1), 40) is None


def test_a_decoy_keeps_what_is_pinned() -> None:
    """The third is pinned to fail in April: no other winner is left, while all may fail."""
    pinned = {papers().instance.names[2]: {slot: False for slot in FAMILY.slots if slot.context == "April 2026"}}
    assert with_decoy(papers(), CLEARANCE, Flip.OTHER_WINNER, pinned, Random(1), 40) is None
    assert with_decoy(papers(), CLEARANCE, Flip.TO_NONE, pinned, Random(1), 40) is not None


def test_a_winner_whom_another_path_saves_does_not_serve_an_aim_at_the_first() -> None:
    made = small_families.specification(conditions={"either": "licence or score >= 2", "cheap": "fee <= 2"})
    family = small_families.family(made)
    sketch = Sketch(0, (0, 1), aims={"missed": Aim(Flip.TO_NONE, ("office",))})
    sets = (frozenset[str](), frozenset({"cheap"}))
    for score, unserved in ((3, [0]), (1, [])):
        instance = small_families.instance_of(family, (score, True, 1, 1), (3, True, 3, 3))
        assert judge(family, instance) == Winner(0, score + 1)
        assert wanting(family, instance, sets, sketch) == unserved


def test_a_wish_for_an_operand_is_served_by_any_winner() -> None:
    sketch = Sketch(0, (0, 1, 1), aims={"missed": Aim(Flip.OTHER_RESULT, ("payroll",))})
    assert wanting(FAMILY, papers().instance, papers().failed, sketch) == []
    fixed = replace(sketch, aims={"missed": Aim(Flip.OTHER_RESULT, ("health",))})
    assert wanting(FAMILY, papers().instance, papers().failed, fixed) == [0]
