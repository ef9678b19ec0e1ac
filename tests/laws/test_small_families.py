"""Families so small that every instance is looked at: openness and the smallest sufficient cells, without a solver."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from random import Random

from generated_laws import BUDGET, deeply, law, legal_instance, seeds, some_hidden
from hypothesis import assume
from specification_strategies import family_of, specifications

from unco.solver.claims import openness, openness_by_solver
from unco.solver.decide import Prover
from unco.solver.judge import judge, violations
from unco.solver.sufficient import Sufficient, smallest_sufficient
from unco.specs.document import Specification
from unco.specs.domains import values
from unco.specs.evidence import Evidence, agrees, full
from unco.specs.family import Cell, Family, Slot
from unco.specs.instance import Instance, Outcome, SeveralEligible
from unco.specs.values import Value
from unco.specs.verdict import Proved, Unknown

MOST_COMPLETIONS = 6_000


def completions(family: Family, instance: Instance) -> list[tuple[Instance, Outcome]]:
    """Every legal completion of no evidence that keeps the promise, by looking at all."""
    slots = family.slots
    one = [dict(zip(slots, found, strict=True)) for found in product(*(values(family.domains[slot]) for slot in slots))]
    legal = [cells for cells in one if not violations_of_one(family, cells, instance)]
    assume(len(legal) ** family.candidates <= MOST_COMPLETIONS)
    found: list[tuple[Instance, Outcome]] = []
    for cells in product(legal, repeat=family.candidates):
        whole = {Cell(number, *slot): each[slot] for number, each in enumerate(cells) for slot in slots}
        completion = Instance(whole, instance.parameters, instance.names)
        outcome = judge(family, completion)
        if not isinstance(outcome, SeveralEligible):
            found.append((completion, outcome))
    return found


def violations_of_one(family: Family, cells: Mapping[Slot, Value], instance: Instance) -> bool:
    """Whether a candidate with these cells breaks a rule."""
    both = {Cell(number, *slot): cells[slot] for number in range(family.candidates) for slot in family.slots}
    return bool(violations(family, Instance(both, instance.parameters, instance.names)))


def is_open(all_completions: list[tuple[Instance, Outcome]], evidence: Evidence, outcome: Outcome) -> bool:
    """Whether a completion of the evidence has another outcome."""
    return any(
        found != outcome and all(agrees(known, completion.cells[cell]) for cell, known in evidence.known.items())
        for completion, found in all_completions
    )


@law(12, 300, specification=specifications("tiny", plannable=True), seed=seeds)
def test_openness_is_what_looking_at_every_completion_says(specification: Specification, seed: int) -> None:
    family, rng = family_of(specification), Random(seed)
    assume(_size(family) <= MOST_COMPLETIONS)
    instance = legal_instance(family, rng)
    everything, outcome, prover = completions(family, instance), judge(family, instance), Prover(family, BUDGET)
    for _ in range(4):
        evidence = full(instance).hiding(some_hidden(family, rng))
        for decide in (openness, openness_by_solver):
            verdict = decide(prover, instance, evidence, outcome)
            if not isinstance(verdict, Unknown):
                assert isinstance(verdict, Proved) == is_open(everything, evidence, outcome)


@law(12, 300, specification=specifications("tiny", plannable=True), seed=seeds)
def test_the_smallest_sufficient_cells_are_enough_and_none_fewer_are(specification: Specification, seed: int) -> None:
    family, rng = family_of(specification), Random(seed)
    assume(_size(family) <= MOST_COMPLETIONS)
    instance = legal_instance(family, rng)
    outcome = judge(family, instance)
    found = smallest_sufficient(Prover(family, BUDGET), instance, outcome)
    assume(isinstance(found, Sufficient))
    assert isinstance(found, Sufficient)
    everything, known = completions(family, instance), full(instance)
    assert not is_open(everything, known.only(found.cells), outcome)
    subsets = (cells for size in range(len(found.cells) + 1) for cells in combinations(family.cells, size))
    first = next(cells for cells in subsets if not is_open(everything, known.only(cells), outcome))
    assert first == found.cells


def _size(family: Family) -> int:
    size = 1
    for slot in family.slots:
        size *= family.domains[slot].size
    return int(size)


test_deeply = deeply(__name__)
