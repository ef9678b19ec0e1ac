"""What a move does to one case, by the interpreter alone."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from unco.solver.families.question import Case, Question
from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import candidate_violations, failed_conditions, result, stays_legal
from unco.specs.domains import NumberDomain, exact
from unco.specs.expression import Expression
from unco.specs.family import Family, Slot
from unco.specs.family_proof import Move
from unco.specs.values import Value


def changes_answer(question: Question, case: Case, move: Move) -> bool:
    """Whether the move is legal, agrees with what is known, and gives the case another answer."""
    changes = values_of(question.family, case, move)
    return changes is not None and flips(question, case, changes)


def flips(question: Question, case: Case, changes: Mapping[Slot, Value]) -> bool:
    """Whether these changes are legal, agree with what is known, and give another answer."""
    family, after = question.family, {**case.cells, **changes}
    if not stays_legal(family, after, changes, case.parameters):
        return False
    if not all(holds(rule, after, case.parameters) for rule in question.known):
        return False
    failed = failed_conditions(family, after, case.parameters, first_only=True)
    if not question.winner:
        return not failed
    return bool(failed) or result(family, after, case.parameters) != case.result


def values_of(family: Family, case: Case, move: Move) -> dict[Slot, Value] | None:
    """The values of the changed cells; None where a term has none in the domain of its cell."""
    found = {slot: value_of(family, slot, term, case) for slot, term in move.changes}
    if any(value is None for value in found.values()):
        return None
    return {slot: value for slot, value in found.items() if value is not None}


def value_of(family: Family, slot: Slot, term: Expression, case: Case) -> Value | None:
    """The value of a term as the cell holds it; None where it has none in the cell's domain."""
    domain = family.domains[slot]
    try:
        value = interpret(term, case.cells, case.parameters)
    except Undefined:
        return None
    if isinstance(domain, NumberDomain):
        value = exact(Fraction(value) / domain.unit.scale)  # type: ignore[arg-type]
    return value if domain.index(value) is not None else None


def holds(rule: Expression, cells: Mapping[Slot, Value], parameters: Mapping[str, Value]) -> bool:
    """Whether a rule has a value there, and holds."""
    try:
        return interpret(rule, cells, parameters) is True
    except Undefined:
        return False


def as_planned(question: Question, case: Case) -> bool:
    """Whether the face value, where the question is about one, differs in the way that was planned."""
    if question.face is None:
        return True
    changes = values_of(question.family, case, question.face)
    if changes is None:
        return False
    after = {**case.cells, **changes}
    touched = touched_conditions(question.family, question.face)
    if not touched:
        return any(case.cells[slot] != value for slot, value in changes.items())
    rules = question.family.conditions
    return any(not holds(rules[number].expression, after, case.parameters) for number in touched)


def loses_beside(question: Question, case: Case) -> bool:
    """Whether the candidate beside, where the question has one, is legal and not eligible."""
    if not question.beside or case.other is None:
        return not question.beside
    if candidate_violations(question.family, 0, case.other, case.parameters):
        return False
    return bool(failed_conditions(question.family, case.other, case.parameters, first_only=True))


def face_fault(question: Question, case: Case) -> str:
    """Why the face value of a case gives no other answer; empty where the question is about none."""
    changes = None if question.face is None else values_of(question.family, case, question.face)
    if changes is None:
        return ""
    found = candidate_violations(question.family, 0, {**case.cells, **changes}, case.parameters)
    return f"at face value, {found[0].subject}: {found[0].reason}" if found else "at face value the answer is the same"


def touched_conditions(family: Family, move: Move) -> tuple[int, ...]:
    """The numbers of the conditions that read a changed attribute."""
    changed = {slot.attribute for slot, _ in move.changes}
    return tuple(number for number, read in enumerate(family.condition_reads) if not changed.isdisjoint(read))
