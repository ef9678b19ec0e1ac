"""Harmless: proved only where no value behind coarse facts changes a rule, held against looking at every value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from random import Random
from typing import Any

import pytest
from generated_laws import deeply, law, legal_instance, seeds
from specification_strategies import family_of, specifications

from tests.small_families import all_instances, family, instance_of, small, specification
from unco.compiler.prove import prove
from unco.solver import throughout as module
from unco.solver.decide import Prover, Undecided, Unsat
from unco.solver.harmless import Telling, harmless
from unco.solver.judge import failed_conditions, judge
from unco.solver.operators.operator import Undefined
from unco.solver.operators.table import OPERATORS
from unco.solver.queries import another_answer
from unco.solver.sufficient import Sufficient, smallest_sufficient
from unco.solver.throughout import MONOTONE
from unco.specs.document import Specification
from unco.specs.domains import CategoryDomain, DateDomain, Domain, NumberDomain, values
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge, OneOf, agrees
from unco.specs.family import Cell, Family, Slot
from unco.specs.group import CandidateGroup, Harmless, Incomplete, Misaligned, Mixed
from unco.specs.instance import Instance, NoWinner, SeveralEligible, Winner
from unco.specs.values import Value
from unco.specs.verdict import Engine, Proved, Refuted

FAMILY = small()
WON = instance_of(FAMILY, (3, True, 1, 3), (0, True, 2, 2))
"""Score (at least 2), licence, fee this year (at most 2), fee last year; the price is fee and score together."""


def group_with(*coarse: Incomplete, instance: Instance = WON, **changed: Any) -> CandidateGroup:
    group = CandidateGroup(0, instance, judge(FAMILY, instance), None, None, None, None, Harmless(tuple(coarse)))
    return replace(group, **changed)


def about(attribute: str, *known: Knowledge, context: str = "") -> Incomplete:
    """What is known of each candidate."""
    return Incomplete(attribute, {Cell(number, attribute, 0, context): each for number, each in enumerate(known)})


def fees(*known: Knowledge) -> Incomplete:
    return about("fee", *known, context="this")


NOBODY = instance_of(FAMILY, (0, False, 1, 3), (1, True, 2, 2))


@pytest.mark.parametrize(
    ("coarse", "holds"),
    [
        ((about("score", Between(0, 1), Between(0, 1)),), True),
        ((about("score", OneOf((0, 1)), Between(0, 1)),), True),
        ((fees(Between(1, 2), Between(1, 2)),), True),
        ((about("score", Between(0, 1), Between(0, 1)), fees(Between(1, 2), Between(1, 2))), True),
        ((about("score", Between(0, 2), Between(0, 1)),), False),  # two points are eligible
        ((about("score", NOTHING, Between(0, 1)),), False),
        ((fees(Between(1, 2), NOTHING),), False),  # a fee of 3 is too much
        ((about("licence", NOTHING, NOTHING),), False),
        ((about("score", Between(0, 1), Exact(1)),), False),  # exact
        ((about("score", Between(0, 1), Between(0, 0)),), False),  # not true
        ((about("score", Between(0, 1)),), False),  # of one candidate alone
        ((about("score", Between(0, 1), Between(0, 1)),) * 2, False),  # twice
    ],
)
def test_coarse_facts_are_harmless_where_every_condition_stays(coarse: tuple[Incomplete, ...], holds: bool) -> None:
    verdict = harmless(FAMILY, group_with(*coarse, instance=NOBODY))
    assert isinstance(verdict, Proved if holds else Refuted)
    assert not isinstance(verdict, Proved | Refuted) or verdict.engine is Engine.EVALUATION


def test_what_changes_the_result_of_the_winner_alone_is_not_harmless() -> None:
    assert isinstance(harmless(FAMILY, group_with(fees(Between(1, 2), Between(1, 2)))), Refuted)
    capped = {"operation": "capped", "label": "price", "formula": "min(3, fee + score)"}
    group = group_with(about("score", Between(2, 3), Between(0, 1)))
    assert isinstance(harmless(FAMILY, group), Refuted)
    assert isinstance(harmless(family(specification(calculation=capped)), group), Proved)


def test_nothing_follows_from_the_domain_of_what_is_not_stated() -> None:
    capped = {"operation": "capped", "label": "price", "formula": 'min(1, fee + fee["last"])'}
    made = family(specification(calculation=capped))
    told, slot = Telling(made, WON, 0), Slot("fee", 0, "last")
    whole = Between(made.domains[slot].value(0), made.domains[slot].value(made.domains[slot].size - 1))
    assert told.same_throughout({slot: whole})
    assert not told.same_throughout({slot: NOTHING})
    assert Telling(made, WON, 1).same_throughout({slot: NOTHING})


def test_what_a_defect_is_about_stays_exact() -> None:
    coarse, decoy = fees(Between(1, 2), Between(1, 2)), Misaligned("fee", "last")
    vague = about("score", Between(0, 1), Between(0, 1))
    assert isinstance(harmless(FAMILY, group_with(coarse, instance=NOBODY)), Proved)
    for defects in (
        {"misaligned": decoy},
        {"incomplete": fees(NOTHING, NOTHING)},
        {"mixed": Mixed(decoy, "score", "office")},
        {"mixed": Mixed(Misaligned("score", ""), "fee", "office")},
    ):
        assert isinstance(harmless(FAMILY, group_with(coarse, instance=NOBODY, **defects)), Refuted)
    assert isinstance(harmless(FAMILY, group_with(vague, instance=NOBODY, misaligned=decoy)), Proved)


@pytest.mark.parametrize(
    ("extras", "holds"),
    [((("fee", "last"),), True), ((("fee", "this"),), False), ((("score", "last"),), False)],
)
def test_an_extra_is_of_another_context(extras: tuple[tuple[str, str], ...], holds: bool) -> None:
    verdict = harmless(FAMILY, group_with(harmless=Harmless((), extras)))
    assert isinstance(verdict, Proved if holds else Refuted)
    target = group_with(harmless=Harmless((), extras), misaligned=Misaligned("fee", "last"))
    assert isinstance(harmless(FAMILY, target), Refuted)


def test_what_matters_once_a_misaligned_reply_is_read_at_face_value_is_not_harmless() -> None:
    either = family(specification(conditions={"good": "score >= 2 or fee <= 1", "licensed": "licence"}))
    instance = instance_of(either, (3, True, 1, 3), (0, False, 1, 3))
    coarse = Harmless((about("score", Between(1, 3), Between(0, 3)),))
    group = CandidateGroup(0, instance, judge(either, instance), None, None, None, None, coarse)
    flat = replace(either, calculation=replace(either.calculation, expression=fee_alone(either)))
    assert isinstance(harmless(flat, group), Proved)
    assert isinstance(harmless(flat, replace(group, misaligned=Misaligned("fee", "last"))), Refuted)


def fee_alone(made: Family) -> Any:
    """The fee as the whole calculation."""
    return made.calculation.expression.arguments[0]  # type: ignore[union-attr]


def test_neither_members_nor_their_number_are_coarse() -> None:
    crowd = {"people": {"label": "person", "size": "persons", "maximum": 2}}
    added = {
        "persons": {"label": "persons", "owner": "marks", "type": "count", "range": [1, 2]},
        "age": {"label": "age", "owner": "marks", "type": "count", "range": [0, 9], "per": "people"},
    }
    rules = {"good": "score >= 2", "licensed": "licence", "old": "any(people, age >= 5)"}
    attributes = {**specification().dump()["attributes"], **added}
    made = family(specification(groups=crowd, attributes=attributes, conditions=rules))
    instance = instance_of(made, (3, False, 1, 3, 2, 7, 5), (0, True, 2, 2, 2, 6, 5))
    ages = Incomplete("age", {cell: Between(5, 9) for cell in made.cells if cell.attribute == "age"})
    for coarse in (ages, about("persons", NOTHING, NOTHING)):
        group = CandidateGroup(0, instance, NoWinner(), None, None, None, None, Harmless((coarse,)))
        assert isinstance(harmless(made, group), Refuted)


# Against looking at every value --------------------------------------------------------------------------------------


def truths(made: Family, instance: Instance, candidate: int, coarse: Mapping[Slot, Knowledge]) -> Iterator[object]:
    """The conditions that fail, and the result, at every value of the coarse facts."""
    choices = [[each for each in values(made.domains[slot]) if agrees(known, each)] for slot, known in coarse.items()]
    for drawn in product(*choices):
        changed = instance.changed({Cell(candidate, *slot): value for slot, value in zip(coarse, drawn, strict=True)})
        failed = failed_conditions(made, changed.candidate(candidate), instance.parameters)
        outcome = judge(made, changed)
        yield failed, outcome.result if isinstance(outcome, Winner) and not failed else None


def knowledge(domain: Domain, value: Value, rng: Random) -> Knowledge:
    """True knowledge of a value."""
    place = domain.index(value)
    assert place is not None
    if isinstance(domain, NumberDomain | DateDomain) and rng.randrange(4):
        low, high = rng.randint(max(0, place - 3), place), rng.randint(place, min(domain.size - 1, place + 3))
        return Between(domain.value(low), domain.value(high))
    if isinstance(domain, CategoryDomain) and rng.randrange(3):
        return OneOf(tuple({value: None, domain.value(rng.randrange(domain.size)): None}))
    return NOTHING


def test_in_a_small_family_it_is_what_looking_at_every_value_says() -> None:
    rng, found = Random(1), []
    for instance in rng.sample(all_instances(FAMILY), 300):
        if isinstance(judge(FAMILY, instance), SeveralEligible):
            continue
        slots = rng.sample(FAMILY.slots, rng.randint(1, 3))
        coarse = {slot: knowledge(FAMILY.domains[slot], instance.cells[Cell(0, *slot)], rng) for slot in slots}
        same = Telling(FAMILY, instance, 0).same_throughout(coarse)
        assert same == (len(set(truths(FAMILY, instance, 0, coarse))) == 1)
        found.append(same)
    assert 40 < sum(found) < len(found) - 40


@law(40, 1_000, specification=specifications("tiny", "small"), seed=seeds)
def test_what_is_called_the_same_throughout_is_so_at_every_value(specification: Specification, seed: int) -> None:
    made, rng = family_of(specification), Random(seed)
    instance = legal_instance(made, rng)
    own = [slot for slot in made.slots if not slot.member]
    for _ in range(6):
        slots = rng.sample(own, min(len(own), rng.randint(1, 2)))
        coarse = {slot: knowledge(made.domains[slot], instance.cells[Cell(0, *slot)], rng) for slot in slots}
        if sum(made.domains[slot].size for slot in slots) < 60 and Telling(made, instance, 0).same_throughout(coarse):
            try:
                assert len(set(truths(made, instance, 0, coarse))) == 1
            except Undefined:
                continue  # only what is not legal has no value there


@pytest.mark.parametrize("name", MONOTONE)
def test_a_monotone_operator_only_rises_or_only_falls(name: str) -> None:
    """Along a sorted row of values in one argument, for several of the others."""
    operator, tried = OPERATORS[name], 0
    for example in operator.examples:
        for place in sorted(set(range(len(example.arguments))) & MONOTONE[name]):
            for row in rows(example.arguments[place]):
                found = [applied(operator, example, place, value) for value in row]
                shown: list[Any] = [each for each in found if each is not None]
                assert shown in (sorted(shown), sorted(shown, reverse=True)), (example, place)
                tried += len(shown) > 3
    assert tried > 2


def rows(value: Any) -> Iterator[list[Any]]:
    """Sorted values around a value, near and far."""
    for step in (1, 11, 40):
        if isinstance(value, date):
            middle = value.replace(year=min(max(value.year, 1900), 2100))
            yield [middle + timedelta(days=step * number) for number in range(-15, 16)]
        elif not isinstance(value, bool | str):
            yield [value + step * number for number in range(-15, 16)]


def applied(operator: Any, example: Any, place: int, value: Value) -> Value | None:
    arguments = list(example.arguments)
    arguments[place] = value
    try:
        return operator.apply(tuple(arguments), example.options)  # type: ignore[no-any-return]
    except Undefined:
        return None


TURNING = {"good": "score * score != 1", "licensed": "licence", "odd": "mod(fee, 2) == 1"}


def test_an_operator_that_may_turn_is_looked_at_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ends of a square, a remainder or an equality agree while the middle does not."""
    turning = family(specification(conditions=TURNING))
    instance = instance_of(turning, (0, True, 1, 3), (2, True, 3, 2))
    for slot, known in (
        (Slot("score", 0, ""), Between(0, 2)),
        (Slot("fee", 0, "this"), Between(1, 3)),
    ):
        assert not Telling(turning, instance, 0).same_throughout({slot: known})
    monkeypatch.setattr(module, "MOST_VALUES", 1)
    assert not Telling(turning, instance, 1).same_throughout({Slot("score", 0, ""): Between(2, 3)})


def test_a_fact_that_stands_twice_is_looked_at_everywhere() -> None:
    """Each part rises or falls with the score; their product does both."""
    humped = family(specification(conditions={"good": "score * (3 - score) < 2", "licensed": "licence"}))
    instance = instance_of(humped, (0, False, 1, 3), (1, False, 3, 2))
    assert not Telling(humped, instance, 0).same_throughout({Slot("score", 0, ""): Between(0, 3)})
    assert Telling(humped, instance, 1).same_throughout({Slot("score", 0, ""): Between(1, 2)})


# What follows --------------------------------------------------------------------------------------------------------


def test_of_coarse_facts_that_are_harmless_the_solver_finds_no_other_answer() -> None:
    rng, prover, tried = Random(5), Prover(FAMILY), 0
    for instance in rng.sample(all_instances(FAMILY), 600):
        if isinstance(judge(FAMILY, instance), SeveralEligible):
            continue
        known: list[Knowledge] = [Between(0, 1), Between(2, 3), Between(1, 3), OneOf((0, 3))]
        group = group_with(about("score", *rng.choices(known, k=2)), instance=instance)
        if isinstance(harmless(FAMILY, group), Proved):
            tried += 1
            asked = another_answer(FAMILY, group.evidence, group.outcome, promise=False)
            assert isinstance(prover.decide_warm(asked, instance.names), Unsat)
    assert tried > 20


def test_the_smallest_sufficient_cells_are_enough_as_they_are_recorded() -> None:
    group = group_with(about("score", Between(0, 1), Between(0, 1)), instance=NOBODY)
    found = smallest_sufficient(Prover(FAMILY), NOBODY, NoWinner(), group.evidence)
    assert isinstance(found, Sufficient)
    assert found.cells == (Cell(0, "score", 0, ""), Cell(1, "score", 0, ""))


def test_a_coarse_fact_may_need_another_beside_it() -> None:
    """A score of 0 is too low whatever the fee; one of 0 or 1 only with a low fee."""
    tied = family(specification(conditions={"good": "score + fee >= 4", "licensed": "licence"}))
    instance = instance_of(tied, (0, True, 1, 3), (0, True, 1, 2))
    coarse = Harmless((about("score", Between(0, 1), Between(0, 1)),))
    group = CandidateGroup(0, instance, NoWinner(), None, None, None, None, coarse)
    assert isinstance(harmless(tied, group), Proved)
    exact = smallest_sufficient(Prover(tied), instance, NoWinner())
    assert isinstance(exact, Sufficient)
    assert [cell.attribute for cell in exact.cells] == ["score", "score"]
    assert [cell.attribute for cell in prove(tied, group).sufficient] == ["score", "fee"] * 2


def test_where_all_that_is_recorded_leaves_the_answer_open_no_cells_are_sufficient() -> None:
    group = group_with(about("score", NOTHING, Between(0, 1)), instance=NOBODY)
    licensed = replace(group, instance=instance_of(FAMILY, (0, True, 1, 3), (1, True, 2, 2)))
    found = smallest_sufficient(Prover(FAMILY), licensed.instance, NoWinner(), licensed.evidence)
    assert isinstance(found, Undecided)


test_deeply = deeply(__name__)
