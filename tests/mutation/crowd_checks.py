"""Checks with members and thresholds that the small families lack: moves, closed evidence, the proof of the family."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, islice

import z3

from tests.mutation.bare import bare
from tests.mutation.claim_checks import vague
from tests.mutation.family_checks import SEARCH
from tests.mutation.fate import Check
from tests.mutation.instance_checks import chosen
from tests.mutation.query_families import crowded, divided, families, passing, ruled
from tests.mutation.settled_checks import refused
from tests.small_families import instance_of
from unco.solver.claims import coarse_evidence
from unco.solver.closed import closed, untouched
from unco.solver.decide import Prover
from unco.solver.families.asked import Asked
from unco.solver.families.moves import Moves
from unco.solver.families.question import Case, Question, deciding_slots
from unco.solver.family import FamilyOptions, prove_claims
from unco.solver.from_proof import FromProof
from unco.solver.ground import Ground
from unco.solver.judge import judge, violations
from unco.specs.domains import DateDomain, NumberDomain, values
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge, OneOf, full
from unco.specs.family import Cell, Family, Slot
from unco.specs.family_proof import FamilyProof
from unco.specs.group import Incomplete
from unco.specs.instance import Instance, NoWinner, Outcome, SeveralEligible, Winner


@cache
def crowd(size: int) -> Instance:
    """A winner by the age of each member; a loser of the same size."""
    family = crowded()

    def row(score: int) -> tuple[object, ...]:
        ages = {slot: int(slot.member <= size) for slot in family.slots if slot.attribute == "age"}
        told = {"score": score, "licence": False, "fee": 1, "size": size, "guests": 1}
        lowest = {slot: family.domains[slot].value(0) for slot in family.slots}
        return tuple(told.get(slot.attribute, ages.get(slot, lowest[slot])) for slot in family.slots)

    return instance_of(family, row(1), row(0))


def slots_of(*names: str) -> tuple[Slot, ...]:
    return tuple(slot for slot in crowded().slots if slot.attribute in names)


def few_moves() -> object:
    """The moves in their order, where members, sizes and cells that no rule reads are hidden."""
    found: list[object] = []
    for hidden in (slots_of("age"), slots_of("size", "age", "height"), deciding_slots(crowded())):
        for size in (1, 2, 3):
            question, cells = Question(crowded(), True, hidden), crowd(size).candidate(0)
            case, moves = Case(cells, {}, 1), Moves(question)
            found.append(bare(list(islice(moves._few(case), 300))))
            found += [bare(moves._known_terms(slot, case)) for slot in hidden]
            other = {slot: 2 if slot.member <= size else 0 for slot in slots_of("age")}
            kept = {slot: cells[slot] for slot in hidden if slot not in other}
            found.append(bare(moves.towards(case, {**kept, **other})))
    family = families()["opened"]
    cells = {slot: family.domains[slot].value(0) for slot in family.slots}
    every = Moves(Question(family, False, deciding_slots(family)))
    case = Case(cells, {"pass": 2}, None)
    return found, [bare(every._known_terms(slot, case)) for slot in deciding_slots(family)]


def shut_crowd() -> object:
    """Closed evidence where a size, or some members, are not known."""
    family, found = crowded(), []
    for size in (1, 2, 3):
        instance = crowd(size)
        for names in (("size",), ("age",), ("height",), ("guests",), ("size", "age"), ("licence",)):
            for number in (0, 1):
                gone = [Cell(number, *slot) for slot in slots_of(*names)]
                evidence = full(instance).hiding(gone)
                for outcome in (Winner(0, 1), NoWinner(), SeveralEligible((0, 1))):
                    told = untouched(family, instance, evidence, outcome), closed(family, instance, evidence, outcome)
                    found.append(told)
    return found


def quotient_result() -> bool:
    """Whether a winner's result is said to stand that has no value somewhere."""
    family = divided()
    instance = instance_of(family, (1, True, 1), (1, False, 1), **{"pass": 1, "least": 1})
    evidence = full(instance).with_knowledge({Cell(0, *slot): NOTHING for slot in _scores(family)})
    return closed(family, instance, evidence, Winner(0, 1))


def _scores(family: Family) -> Sequence[Slot]:
    return [slot for slot in family.slots if slot.attribute == "score"]


@cache
def proof(of: str) -> FamilyProof:
    return prove_claims(_proved(of), FamilyOptions(SEARCH.rlimit))


def _proved(of: str) -> Family:
    return crowded() if of == "crowded" else passing("not (score == pass)")


def thresholds() -> object:
    """What the proof settles where moves read a threshold."""
    family, found = _proved("passing"), []
    for mark in (1, 2, 3):
        for score in (0, mark):
            instance = instance_of(family, (score, True, 1), (mark, True, 1), **{"pass": mark})
            shown = FromProof(family, proof("passing"), instance, judge(family, instance))
            found.append(bare([(shown.necessity(role.id), shown.no_oracle(role.id)) for role in family.roles]))
            slot = _scores(family)[0]
            ends = (0, 3), (0, mark), (Fraction(1, 2), 3), (0, Fraction(7, 2))
            found.append(bare([shown._told_of(slot, Between(*each)) for each in ends]))
    return found


def told_forms() -> object:
    """The form of a reply about one cell, of every interval and set, true or not."""
    found: list[object] = []
    for family, (instance, outcome) in _winners():
        shown = FromProof(family, FamilyProof(family.digest, ()), instance, outcome)
        for slot, domain in family.domains.items():
            if slot.member or slot.context != family.attribute_by_id[slot.attribute].required:
                continue
            every = list(values(domain))[:5]
            pairs = list(combinations_with_replacement(every, 2))
            if isinstance(domain, NumberDomain | DateDomain):
                found += [bare(shown._told_of(slot, Between(*pair))) for pair in pairs]
            found += [bare(shown._told_of(slot, OneOf(pair))) for pair in pairs]
    return found


def told_beyond() -> object:
    """The value at which a rule fails, where it is at the high end alone, which no rule names."""
    family = ruled()
    given = {"income": 440, "score": 1, "licence": True, "grade": "a", "fee": 1}
    row = tuple(given[slot.attribute] for slot in family.slots)
    shown = FromProof(family, FamilyProof(family.digest, ()), instance_of(family, row, row), Winner(0, 441))
    return bare(shown._told_of(family.slots[0], Between(440, 446)))


def _winners() -> Iterator[tuple[Family, tuple[Instance, Outcome]]]:
    yield crowded(), (crowd(1), judge(crowded(), crowd(1)))
    for name in ("measured", "opened", "planned"):
        yield from ((families()[name], each) for each in chosen(name) if isinstance(each[1], Winner))


def told_of_members() -> object:
    """The form of a reply about members, of whom some do not exist."""
    family, found = crowded(), []
    for size in (1, 2):
        instance = crowd(size)
        shown = FromProof(family, proof("crowded"), instance, judge(family, instance))
        for hidden in ((1,), (1, 2), (1, 2, 3)):
            known: dict[Cell, Knowledge] = {Cell(0, *slot): Exact(0) for slot in slots_of("age")}
            known |= {Cell(0, *slot): NOTHING for slot in slots_of("age") if slot.member in hidden}
            found.append(bare(shown._told("age", full(instance).with_knowledge(known))))
    return found


def vague_of_members() -> object:
    """Replies about members, of whom the winner needs each."""
    found = [vague(Prover(crowded()), crowd(size), judge(crowded(), crowd(size))) for size in (1, 2)]
    cells = [Cell(number, *slot) for number in (0, 1) for slot in slots_of("age")]
    told = coarse_evidence(crowded(), crowd(1), Incomplete("age", dict.fromkeys(cells, NOTHING)))
    return bare((found, told.known))


def ground_of_members() -> None:
    """With members and thresholds, the encoding of a whole instance is true of its own outcome alone."""
    evaluated = Ground(crowded())
    for size in (1, 2):
        outcome = judge(crowded(), crowd(size))
        known = evaluated.at(crowd(size))
        assert known.has(outcome) is not isinstance(outcome, SeveralEligible)
        for changes in ({}, *({cell: crowded().domains[cell.slot].value(0)} for cell in crowded().cells)):
            other = crowd(size).changed(changes)
            stands = not violations(crowded(), other) and not isinstance(judge(crowded(), other), SeveralEligible)
            assert known.has_another(changes, outcome) is (stands and judge(crowded(), other) != outcome)


def without_a_truth_value() -> None:
    """An evaluator that comes to no truth value is found out."""
    evaluated = Ground(families()["plain"])
    (instance, _), *_ = chosen("plain")
    number = z3.Int("number", evaluated.space.context)
    assert refused(lambda: evaluated.at(instance)._holds(z3.ForAll(number, number * number * number != 7)))


def planned_elsewhere() -> object:
    """Whom hidden cells beside a plan can move, asked of each attribute."""
    asked = Asked(crowded(), SEARCH)
    return [bare(asked.hidden_with(role.id, alone=alone)) for role in crowded().roles for alone in (True, False)]


def crowd_checks() -> list[Check]:
    """The checks with members and thresholds."""
    found: list[tuple[str, Callable[[], object]]] = [
        ("few moves", few_moves),
        ("shut crowd", shut_crowd),
        ("quotient result", quotient_result),
        ("thresholds", thresholds),
        ("told of members", told_of_members),
        ("told forms", told_forms),
        ("told beyond", told_beyond),
        ("vague of members", vague_of_members),
        ("ground of members", ground_of_members),
        ("without a truth value", without_a_truth_value),
        ("planned elsewhere", planned_elsewhere),
    ]
    return [Check(name, partial(answer)) for name, answer in found]
