"""Clauses that a counterexample breaks: what a plan could ask of the winner so that it is no longer one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unco.solver.families.moving import holds
from unco.solver.families.question import Case
from unco.solver.families.terms import COMPARISONS, constant, reference
from unco.specs.domains import BooleanDomain, CategoryDomain
from unco.specs.expression import THIS_MEMBER, Apply, Expression, Reference, references, walk
from unco.specs.family import Family, Slot
from unco.specs.values import BOOLEAN

DENIED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def clauses_against(family: Family, case: Case, hidden: Sequence[Slot]) -> tuple[Expression, ...]:
    """Conditions on the winner that the case does not meet: denied parts of the rules that the hidden cells enter, in
    order; then one cell alone that has another value, the cells that are known first.
    """
    changed = {slot.attribute for slot in hidden}
    rules = [rule.expression for rule in family.conditions] + [family.calculation.expression]
    rules = [rule for rule in rules if not changed.isdisjoint(each.attribute for each in references(rule))]
    parts = [part for rule in rules for part in _parts(rule) if _is_about_one(part)]
    known = [part for part in parts if changed.isdisjoint(each.attribute for each in references(part))]
    cells = _cells(family, rules, changed)
    found = [_denied(part, case) for part in known] + [
        clause for slot in cells for clause in _other(family, slot, case)
    ]
    return tuple(dict.fromkeys(clause for clause in found if not holds(clause, case.cells, case.parameters)))


def _parts(rule: Expression) -> Iterator[Expression]:
    """The comparisons and Boolean cells of a rule, and, of a least or greatest of two, which one it is."""
    for part in walk(rule):
        if isinstance(part, Reference) and part.type == BOOLEAN:
            yield part
        if isinstance(part, Apply) and part.operator in COMPARISONS:
            yield part
        if isinstance(part, Apply) and part.operator in ("min", "max") and len(part.arguments) == 2:
            yield Apply("<", part.arguments, BOOLEAN)


def _is_about_one(part: Expression) -> bool:
    """Whether the part reads cells, and none of group members."""
    read = references(part)
    return bool(read) and not any(each.member == THIS_MEMBER for each in read)


def _denied(part: Expression, case: Case) -> Expression:
    """The part or its denial, whichever the case does not meet."""
    if not holds(part, case.cells, case.parameters):
        return part
    if isinstance(part, Apply) and part.operator in DENIED:
        return Apply(DENIED[part.operator], part.arguments, BOOLEAN)
    return Apply("not", (part,), BOOLEAN)


def _cells(family: Family, rules: Sequence[Expression], changed: set[str]) -> list[Slot]:
    read = dict.fromkeys(
        Slot(each.attribute, each.member, each.context)
        for rule in rules
        for each in references(rule)
        if not each.member
    )
    return sorted(read, key=lambda slot: slot.attribute in changed)


def _other(family: Family, slot: Slot, case: Case) -> Iterator[Expression]:
    """The cell has another value than in the case; a number or a date, a greater or a smaller one."""
    domain, cell = family.domains[slot], reference(family, slot)
    here = constant(family, slot, case.cells[slot])
    if isinstance(domain, BooleanDomain):
        yield Apply("not", (cell,), BOOLEAN) if case.cells[slot] else cell
    elif isinstance(domain, CategoryDomain):
        yield Apply("!=", (cell, here), BOOLEAN)
    else:
        yield from (Apply(sign, (cell, here), BOOLEAN) for sign in (">", "<"))
