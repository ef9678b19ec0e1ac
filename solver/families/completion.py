"""One case put to the solver: is there a completion with another answer?"""

from __future__ import annotations

from dataclasses import dataclass

import z3

from unco.solver.decide import ask, reason_told, why_unknown
from unco.solver.encode import truth
from unco.solver.families.attempts import fresh_solver
from unco.solver.families.compiled import Compiled
from unco.solver.families.flipping import Before, another_answer
from unco.solver.families.moving import flips
from unco.solver.families.question import Case, Question
from unco.solver.families.space import GaveUp
from unco.solver.judge import failed_conditions
from unco.specs.errors import InconsistencyError
from unco.specs.expression import references
from unco.specs.family import Slot
from unco.specs.values import NUMBER, Value


@dataclass(frozen=True)
class Completion:
    """The hidden cells of a completion with another answer, as the interpreter sees it too."""

    cells: dict[Slot, Value]


def complete(
    question: Question, case: Case, compiled: Compiled, rlimit: int, seed: int = 0
) -> tuple[Completion | GaveUp | None, int]:
    """UNSAT iff every completion of the case has its answer: None then. And the resources it took."""
    if _untouched(question, case):
        return None, 0
    family, variables = question.family, {slot: compiled.variable(slot) for slot in question.hidden}
    parameters = {each.id: compiled.known(case.parameters[each.id], each.domain.type) for each in family.parameters}
    fixed = {slot: compiled.known(case.cells[slot], family.domains[slot].type) for slot in question.slots}
    encoder = compiled.encoder(fixed, parameters)
    conditions = tuple(encoder.fold(rule.expression) for rule in family.conditions)
    result = None if case.result is None else compiled.known(case.result, NUMBER)
    changed = {slot: variable.term for slot, variable in variables.items()}
    solver = fresh_solver(compiled.context, rlimit, seed)
    solver.add(*(variable.constraint for variable in variables.values()))
    flipped = another_answer(compiled, question, Before(conditions, result), fixed, parameters, changed)  # type: ignore[arg-type]
    solver.add(truth(z3, flipped, compiled.context))
    outcome, used = ask(solver)
    if outcome == z3.unsat:
        return None, used
    if outcome == z3.unknown:
        return GaveUp(reason_told(why_unknown(solver), rlimit)), used
    model = solver.model()
    found = {slot: variable.decode(model) for slot, variable in variables.items()}
    if not flips(question, case, found):
        raise InconsistencyError(f"the solver's completion does not replay: {found!r}")
    return Completion(found), used


def _untouched(question: Question, case: Case) -> bool:
    """Whether no rule that the hidden cells enter can change the answer, by evaluation alone."""
    family, hidden = question.family, {slot.attribute for slot in question.hidden}
    if question.winner:
        read = frozenset(each.attribute for each in references(family.calculation.expression))
        return all(hidden.isdisjoint(each) for each in (*family.condition_reads, read))
    failed = failed_conditions(family, case.cells, case.parameters)
    reads = zip(family.conditions, family.condition_reads, strict=True)
    return any(rule.id in failed and hidden.isdisjoint(read) for rule, read in reads)
