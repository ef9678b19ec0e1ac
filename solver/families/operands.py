"""Whether an operand still matters once the plan binds the winner: `check` judges it without the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import z3

from unco.solver.decide import ask, reason_told, why_unknown
from unco.solver.encode import Variable, declare, truth
from unco.solver.families.asked import Asked
from unco.solver.families.attempts import fresh_solver
from unco.solver.families.question import Question
from unco.solver.families.sampling import as_case
from unco.solver.families.search import MORE_BUDGET
from unco.solver.terms import negation
from unco.specs.errors import InconsistencyError
from unco.specs.expression import references
from unco.specs.family import Slot
from unco.specs.family_proof import FamilyProved, FamilyRefuted, FamilyUnknown, FamilyVerdict, Method


def operands(asked: Asked) -> tuple[tuple[str, str], ...]:
    """The attributes of the calculation, each with its context, in order of appearance."""
    found = references(asked.family.calculation.expression)
    return tuple(dict.fromkeys((each.attribute, each.context) for each in found))


def changes_result(asked: Asked, attribute: str, context: str) -> FamilyVerdict:
    """UNSAT iff two winners as planned who agree in all else, for some value of the parameters, have one result."""
    compiled, slots = asked.compiled, _slots(asked, attribute, context)
    other = {slot: declare(z3, asked.family.domains[slot], _name(slot), compiled.context) for slot in slots}
    cells = {**compiled.cells, **{slot: variable.term for slot, variable in other.items()}}
    solver = fresh_solver(compiled.context, asked.search.rlimit, asked.search.seed)
    solver.add(*(compiled.parameter(each).constraint for each in asked.family.parameters if each.value is None))
    solver.add(*(compiled.variable(slot).constraint for slot in compiled.cells))
    solver.add(*(variable.constraint for variable in other.values()))
    for read in (compiled.cells, cells):
        encoder = compiled.encoder(read, compiled.parameters)
        rules = [encoder.fold(rule.expression) for rule in asked.family.conditions] + list(
            map(encoder.fold, asked.plan)
        )
        parts = (*compiled.consistency(encoder, read), *rules)
        solver.add(*(truth(z3, part, compiled.context) for part in parts))
    if asked.question((), winner=True).beside:
        solver.add(*(truth(z3, part, compiled.context) for part in compiled.beside))
    after = compiled.rounded(compiled.encoder(cells, compiled.parameters))
    solver.add(truth(z3, negation(z3, compiled.same(compiled.result, after)), compiled.context))
    outcome, used = ask(solver)
    if outcome == z3.unknown:
        return FamilyUnknown(reason_told(why_unknown(solver), asked.search.rlimit), MORE_BUDGET, used)
    if outcome == z3.unsat:
        return FamilyRefuted(Method.QUERY, None, used, "it never changes the result of a winner as planned")
    _require_replay(asked, solver.model(), other)
    return FamilyProved(
        Method.QUERY, rlimit=used, because="two winners as planned differ in it and in the result alone"
    )


def _require_replay(asked: Asked, model: Any, other: Mapping[Slot, Variable]) -> None:
    """Raise where the interpreter does not see two winners as planned with different results."""
    case = asked.case_in(model)
    cells = {**case.cells, **{slot: variable.decode(model) for slot, variable in other.items()}}
    question, found = Question(asked.family, True, (), asked.plan), replace(case, cells=cells)
    first, second = as_case(question, case), as_case(question, found)
    if first is None or second is None or first.result == second.result:
        raise InconsistencyError(f"the solver's two winners do not replay: {case.cells!r}, {cells!r}")


def _slots(asked: Asked, attribute: str, context: str) -> list[Slot]:
    """The cells of an operand; with the size of a group, those of its members, who may come and go."""
    groups = {group.id for group in asked.family.groups if group.size_attribute == attribute}
    members = {slot for group, slot in asked.family.member_slots if group in groups}
    cells = asked.compiled.cells
    return [slot for slot in cells if (slot.attribute, slot.context) == (attribute, context) or slot in members]


def _name(slot: Slot) -> str:
    return f"other {slot.attribute}.{slot.member}.{slot.context}"
