"""The moves of a proof, looked at by both twins on sampled cases: what the solver calls covered, the interpreter must
see covered, and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import z3

from unco.solver.families.moving import as_planned, changes_answer, holds, loses_beside
from unco.solver.families.question import Case, Question
from unco.solver.families.space import FamilySpace
from unco.solver.interpret import Undefined
from unco.solver.judge import candidate_violations, failed_conditions, result
from unco.solver.landmarks import landmarks
from unco.specs.errors import InconsistencyError
from unco.specs.family_proof import Move

SAMPLES = 3
"""How many cases beside those of the search are drawn for a claim."""
TRIES = 40


def require_agreement(space: FamilySpace, seen: Sequence[Case]) -> None:
    """Raise where a move of the proof covers a sampled case for one twin alone."""
    cases = tuple(sampled(space.question, seen))
    for move in space.moves:
        found = next(disagreements(space, move, cases), None)
        if found is not None:
            raise InconsistencyError(f"the twins disagree on what a move does: {move}, {dict(found.cells)!r}")


def disagreements(space: FamilySpace, move: Move, cases: Iterable[Case]) -> Iterator[Case]:
    """The cases in which solver and interpreter see the move differently."""
    covered = space.covered(move)
    for case in cases:
        told: Any = z3.simplify(z3.substitute(covered, *_values(space, case)))
        if bool(z3.is_true(told)) is not changes_answer(space.question, case, move):
            yield case


def _values(space: FamilySpace, case: Case) -> list[tuple[Any, Any]]:
    """What to put in place of the symbols of cells and parameters."""
    pairs = [pair for slot in space.cells for pair in space.compiled.variable(slot).substitution(case.cells[slot])]
    for each in space.family.parameters:
        if each.value is None:
            pairs += space.compiled.parameter(each).substitution(case.parameters[each.id])
    return pairs


def sampled(question: Question, seen: Sequence[Case]) -> Iterator[Case]:
    """Cases near those that were seen: one cell changed, at random from a fixed seed."""
    rng, found = Random(f"{question.family.digest} {question.hidden}"), 0
    for _ in range(TRIES):
        case = changed(question, rng.choice(seen), rng)
        if case is not None:
            yield case
            found += 1
        if found == SAMPLES:
            return


def changed(question: Question, case: Case, rng: Random) -> Case | None:
    """The case with one cell changed; None where that leaves the space of the question."""
    slot = rng.choice(question.slots)
    values = landmarks(question.family, slot, tuple(sorted(case.parameters.items())))
    return as_case(question, replace(case, cells={**case.cells, slot: rng.choice(values)}))


def as_case(question: Question, case: Case) -> Case | None:
    """The case with its result; None where it is not in the space of the question."""
    family = question.family
    try:
        if candidate_violations(family, 0, case.cells, case.parameters):
            return None
        if bool(failed_conditions(family, case.cells, case.parameters)) is question.winner:
            return None
    except Undefined:
        return None
    if not all(holds(rule, case.cells, case.parameters) for rule in question.assumed) or not as_planned(question, case):
        return None
    if not loses_beside(question, case):
        return None
    return replace(case, result=result(family, case.cells, case.parameters) if question.winner else None)
