"""Witness pairs: the first legal move in the stated order, the same whatever was asked before."""

from __future__ import annotations

from random import Random

from tests.small_families import all_instances, family, instance_of, small, specification
from unco.solver.decide import Prover
from unco.solver.judge import judge, violations
from unco.solver.queries import another_answer
from unco.solver.witness import first_move
from unco.specs.evidence import Evidence, full
from unco.specs.family import Cell, Family
from unco.specs.instance import Instance, NoWinner, Outcome, SeveralEligible, Winner
from unco.specs.verdict import Flip, WitnessPair

FAMILY = small()
WON = instance_of(FAMILY, (3, True, 1, 3), (0, True, 2, 2))
GOLD = Winner(0, 4)


def move(instance: Instance, evidence: Evidence, outcome: Outcome, family: Family = FAMILY) -> WitnessPair:
    found = first_move(family, instance, evidence, outcome)
    assert found is not None
    return found


def hiding(*cells: Cell) -> Evidence:
    return full(WON).hiding(cells)


def test_the_winner_comes_first_then_slots_in_the_authors_order_and_the_lowest_value() -> None:
    nothing = Evidence({}, {})
    assert move(WON, nothing, GOLD).changes == {Cell(0, "score", 0, ""): 0}
    second = instance_of(FAMILY, (0, True, 2, 2), (3, True, 1, 3))
    assert move(second, nothing, Winner(1, 4)).changes == {Cell(1, "score", 0, ""): 0}


def test_the_highest_value_comes_after_the_lowest() -> None:
    nobody = instance_of(FAMILY, (1, True, 1, 1), (0, False, 1, 1))
    pair = move(nobody, Evidence({}, {}), NoWinner())
    assert pair == WitnessPair({Cell(0, "score", 0, ""): 3}, Winner(0, 4), Flip.TO_WINNER)


def test_one_cell_comes_before_two_and_two_are_tried() -> None:
    loser = hiding(Cell(1, "score", 0, ""), Cell(0, "fee", 0, "this"))
    assert list(move(WON, loser, GOLD).changes) == [Cell(0, "fee", 0, "this")]
    nobody = instance_of(FAMILY, (0, False, 1, 1), (0, False, 3, 1))
    both = full(nobody).hiding([Cell(0, "score", 0, ""), Cell(0, "licence", 0, "")])
    assert move(nobody, both, NoWinner()).changes == {Cell(0, "score", 0, ""): 3, Cell(0, "licence", 0, ""): True}


def test_a_move_that_breaks_the_promise_does_not_count() -> None:
    assert first_move(FAMILY, WON, hiding(Cell(1, "score", 0, "")), GOLD) is None


def test_a_cell_that_no_rule_reads_is_not_moved() -> None:
    assert first_move(FAMILY, WON, hiding(Cell(0, "fee", 0, "last")), GOLD) is None


def test_a_move_is_legal() -> None:
    ruled = family(specification(consistency={"earned": "licence or score <= 1", "met": "not licence or score >= 2"}))
    start = instance_of(ruled, (3, True, 1, 3), (0, False, 2, 2))
    pair = move(start, Evidence({}, {}), GOLD, ruled)
    assert not violations(ruled, start.changed(pair.changes))


def test_every_move_replays_to_the_outcome_that_it_names() -> None:
    rng = Random(1)
    for instance in rng.sample(all_instances(FAMILY), 60):
        outcome = judge(FAMILY, instance)
        pair = first_move(FAMILY, instance, full(instance).only(rng.sample(FAMILY.cells, 3)), outcome)
        if pair is not None:
            assert judge(FAMILY, instance.changed(pair.changes)) == pair.outcome != outcome
            assert not isinstance(pair.outcome, SeveralEligible)


def test_a_solvers_completion_does_not_depend_on_what_was_asked_before() -> None:
    questions = [another_answer(FAMILY, hiding(cell), GOLD, promise=True) for cell in FAMILY.cells[:3]]
    fresh = [Prover(FAMILY).decide(question) for question in questions]
    used = Prover(FAMILY)
    assert [used.decide(question) for question in (*questions, *reversed(questions))][:3] == fresh
    assert [used.decide(question) for question in reversed(questions)] == fresh[::-1]
