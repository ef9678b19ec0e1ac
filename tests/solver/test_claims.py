"""Claims about instances of small families: each proved where it holds, refuted where it does not, never vacuous."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.small_families import all_instances, family, instance_of, small, specification
from unco.solver.claims import (
    incomplete,
    legality,
    misaligned,
    mixed,
    necessity,
    no_oracle,
    openness,
    openness_by_solver,
    uniqueness,
)  # fmt: skip
from unco.solver.decide import Prover
from unco.solver.judge import judge, violations
from unco.specs.evidence import NOTHING, Between, Evidence, Exact, Knowledge, OneOf, agrees, full
from unco.specs.family import Cell
from unco.specs.group import Incomplete, Misaligned, Mixed
from unco.specs.instance import Instance, NoWinner, SeveralEligible, Winner
from unco.specs.verdict import Engine, Flip, Proved, Refuted, Unknown

FAMILY = small()
PROVER = Prover(FAMILY)
WON = instance_of(FAMILY, (3, True, 1, 3), (0, True, 2, 2))
GOLD = Winner(0, 4)


def cells(attribute: str, known: Knowledge, context: str = "") -> dict[Cell, Knowledge]:
    return {Cell(number, attribute, 0, context): known for number in (0, 1)}


def test_an_instance_is_legal_only_whole_and_inside_its_domains() -> None:
    assert isinstance(legality(FAMILY, WON), Proved)
    fewer = {cell: value for cell, value in WON.cells.items() if cell.candidate == 0}
    for illegal in ({}, fewer, {**WON.cells, Cell(2, "score", 0, ""): 1}, {**WON.cells, Cell(0, "score", 0, ""): 4}):
        assert isinstance(legality(FAMILY, replace(WON, cells=illegal)), Refuted)


@pytest.mark.parametrize("given", [{}, {"least": 9}, {"least": True}])
def test_a_parameter_without_a_value_of_its_domain_is_not_legal(given: dict[str, Any]) -> None:
    least = {"least": {"label": "least", "type": "count", "range": [1, 3]}}
    open_one = family(specification(parameters=least, conditions={"good": "score >= least", "licensed": "licence"}))
    rows = (3, True, 1, 3), (0, True, 2, 2)
    assert isinstance(legality(open_one, instance_of(open_one, *rows, least=2)), Proved)
    assert isinstance(legality(open_one, instance_of(open_one, *rows, **given)), Refuted)


def test_uniqueness_assumes_no_promise_and_holds_of_the_true_outcome_alone() -> None:
    both = instance_of(FAMILY, (3, True, 1, 3), (2, True, 1, 1))
    assert isinstance(uniqueness(FAMILY, WON, GOLD), Proved)
    for wrong in (NoWinner(), Winner(0, 5), Winner(1, 4)):
        assert isinstance(uniqueness(FAMILY, WON, wrong), Refuted)
    assert isinstance(uniqueness(FAMILY, both, SeveralEligible((0, 1))), Refuted)


def test_openness_is_what_trying_every_completion_gives_and_its_witness_is_one_of_them() -> None:
    every, rng = all_instances(FAMILY), Random(0)
    for instance in rng.sample(every, 40):
        outcome = judge(FAMILY, instance)
        if isinstance(outcome, SeveralEligible):
            continue
        shown = rng.sample(FAMILY.cells, rng.randint(2, 7))
        evidence = full(instance).only(shown)
        expected = _others(every, evidence, outcome)
        for verdict in (
            openness(PROVER, instance, evidence, outcome),
            openness_by_solver(PROVER, instance, evidence, outcome),
        ):
            assert isinstance(verdict, Proved if expected else Refuted)
            if isinstance(verdict, Proved):
                assert verdict.witness is not None
                assert instance.changed(verdict.witness.changes) in expected


def _others(every: list[Instance], evidence: Evidence, outcome: object) -> list[Instance]:
    found = [each for each in every if all(agrees(evidence.of(cell), value) for cell, value in each.cells.items())]
    answers = [(each, judge(FAMILY, each)) for each in found]
    return [each for each, answer in answers if answer != outcome and not isinstance(answer, SeveralEligible)]


def test_completions_that_break_the_promise_leave_nothing_open() -> None:
    rival = full(WON).hiding([Cell(1, "score", 0, "")])
    assert isinstance(openness_by_solver(PROVER, WON, rival, GOLD), Refuted)
    assert isinstance(openness(PROVER, WON, rival, GOLD), Refuted)


def test_without_a_budget_the_verdict_is_unknown_and_never_proved() -> None:
    shut = full(WON).hiding([Cell(1, "fee", 0, "last")])
    assert isinstance(openness_by_solver(PROVER, WON, shut, GOLD), Refuted)
    assert isinstance(openness_by_solver(Prover(FAMILY, asks=False), WON, shut, GOLD), Unknown)


def test_hiding_a_role_that_matters_leaves_the_answer_open_and_one_alone_never_closes_it() -> None:
    necessary = {role.id: necessity(PROVER, WON, GOLD, role.id) for role in FAMILY.roles}
    assert all(isinstance(verdict, Proved) for verdict in necessary.values())
    for role in necessary:
        implied = no_oracle(PROVER, WON, GOLD, role, necessary)
        alone = openness(PROVER, WON, full(WON).only(FAMILY.cells_of(role)), GOLD)
        assert isinstance(implied, Proved)
        assert implied.engine is Engine.IMPLIED
        assert isinstance(alone, Proved)


def test_a_lone_oracle_is_found() -> None:
    nobody = instance_of(FAMILY, (0, True, 1, 1), (1, True, 1, 1))
    necessary = {role.id: necessity(PROVER, nobody, NoWinner(), role.id) for role in FAMILY.roles}
    assert [role for role, verdict in necessary.items() if isinstance(verdict, Proved)] == ["marks"]
    assert isinstance(no_oracle(PROVER, nobody, NoWinner(), "marks", necessary), Refuted)
    assert isinstance(no_oracle(PROVER, nobody, NoWinner(), "till", necessary), Proved)


@pytest.mark.parametrize(
    ("rows", "holds"),
    [
        (((3, True, 1, 3), (0, True, 2, 2)), True),  # nobody at face value
        (((3, True, 1, 2), (0, True, 2, 2)), True),  # another price
        (((3, True, 1, 1), (0, True, 2, 3)), False),  # the same answer
        (((3, True, 1, 2), (2, True, 3, 1)), False),  # several eligible at face value
    ],
)
def test_misaligned_is_valid_where_the_face_value_keeps_the_promise_and_has_another_answer(
    rows: tuple[tuple[Any, ...], ...], holds: bool
) -> None:
    instance = instance_of(FAMILY, *rows)
    verdict = misaligned(FAMILY, instance, judge(FAMILY, instance), Misaligned("fee", "last"))
    assert isinstance(verdict, Proved if holds else Refuted)


def test_a_face_value_that_breaks_a_rule_across_contexts_is_refuted() -> None:
    ruled = family(specification(consistency={"not_the_same": "fee + score != 6"}))
    instance = instance_of(ruled, (3, True, 1, 3), (0, True, 2, 2))
    assert not violations(ruled, instance)
    verdict = misaligned(ruled, instance, GOLD, Misaligned("fee", "last"))
    assert isinstance(verdict, Refuted)
    assert "not_the_same" in verdict.because


@pytest.mark.parametrize(
    ("attribute", "known", "holds"),
    [
        ("score", Between(0, 3), True),
        ("score", NOTHING, True),
        ("score", OneOf((0, 3)), True),
        ("score", Between(1, 3), False),  # not true of the loser
        ("score", Exact(3), False),
        ("licence", NOTHING, True),
        ("licence", OneOf((True, False)), False),  # a Boolean can only be omitted
    ],
)
def test_incomplete_is_valid_where_it_is_true_coarser_and_open(attribute: str, known: Knowledge, holds: bool) -> None:
    verdict = incomplete(PROVER, WON, GOLD, Incomplete(attribute, cells(attribute, known)))
    assert isinstance(verdict, Proved if holds else Refuted)


def test_incomplete_must_cover_every_candidate_and_leave_the_answer_open() -> None:
    one = Incomplete("score", {Cell(0, "score", 0, ""): NOTHING})
    closed = Incomplete("score", {Cell(0, "score", 0, ""): Between(3, 3), Cell(1, "score", 0, ""): Between(0, 1)})
    assert isinstance(incomplete(PROVER, WON, GOLD, one), Refuted)
    assert isinstance(incomplete(PROVER, WON, GOLD, closed), Refuted)


def test_what_is_said_of_members_that_do_not_exist_does_not_count() -> None:
    crowd = {"people": {"label": "person", "size": "persons", "maximum": 2}}
    age: dict[str, Any] = {"label": "age", "owner": "marks", "type": "count", "range": [0, 9], "per": "people"}
    age["context"] = {"kind": "source", "required": "paper", "others": [{"name": "form", "range": [1, 9]}]}
    added = {"persons": {"label": "persons", "owner": "marks", "type": "count", "range": [1, 2]}, "age": age}
    rules = {"good": "score >= 2", "licensed": "licence", "old": "any(people, age >= 5)"}
    attributes = {**specification().dump()["attributes"], **added}
    made = family(specification(groups=crowd, attributes=attributes, conditions=rules))
    # score, licence, fee this and last, persons, ages on paper, ages on the form: the second person does not exist
    instance = instance_of(made, (3, True, 1, 3, 1, 7, 0, 2, 1), (0, True, 2, 2, 1, 6, 0, 2, 1))
    assert not violations(made, instance)
    assert isinstance(misaligned(made, instance, GOLD, Misaligned("age", "form")), Proved)
    coarse = {Cell(n, "age", member, "paper"): Between(3, 9) for n in (0, 1) for member in (1, 2)}
    assert isinstance(incomplete(Prover(made), instance, GOLD, Incomplete("age", coarse)), Proved)


def test_mixed_needs_three_roles_and_is_masked_where_a_defect_never_matters() -> None:
    triple = Mixed(Misaligned("fee", "last"), "licence", "marks")
    priced = instance_of(FAMILY, (3, True, 1, 2), (0, True, 2, 2))
    states = dict(mixed(PROVER, priced, GOLD, triple))
    assert len(states) == 8
    assert all(isinstance(verdict, Proved) for verdict in states.values())
    # here nobody can be eligible while the fee is read at face value, so that a licence cannot matter meanwhile
    masked = dict(mixed(PROVER, WON, GOLD, triple))[frozenset({"omitted", "misaligned"})]
    assert isinstance(masked, Refuted)
    assert "masked" in masked.because
    same_role = dict(mixed(PROVER, priced, GOLD, replace(triple, missed="till")))
    assert all(isinstance(verdict, Refuted) for verdict in same_role.values())


def test_flips_are_named_from_the_first_outcome() -> None:
    verdict = necessity(PROVER, WON, GOLD, "office")
    assert isinstance(verdict, Proved)
    assert verdict.witness is not None
    assert verdict.witness.flip is Flip.TO_NONE
