"""The terms that a move may set a cell to: ends of its domain, what it is compared with, one step to either side."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from typing import TypeAlias

from unco.solver.families.question import Case, Question
from unco.solver.landmarks import landmarks
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, NumberDomain
from unco.specs.expression import THIS_MEMBER, Apply, Constant, Expression, Reference, references, walk
from unco.specs.family import Family, Slot
from unco.specs.values import DATE, DAYS, NumberType, Value

Terms: TypeAlias = tuple[Expression, ...]
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">=", "between", "in"))


def terms_of(question: Question, slot: Slot) -> Terms:
    """The terms for a cell, in a stated order: the ends of its domain or all its values, then what stands
    beside it, then one step up and down from where it is.
    """
    family, domain = question.family, question.family.domains[slot]
    if isinstance(domain, BooleanDomain | CategoryDomain):
        return tuple(constant(family, slot, domain.value(index)) for index in range(domain.size))
    ends = [constant(family, slot, domain.value(index)) for index in (0, domain.size - 1)]
    beside = [term for other in _beside(question, slot) for term in _stepped(family, slot, other)]
    own = list(_stepped(family, slot, reference(family, slot)))[1:]
    return tuple(dict.fromkeys([*ends, *beside, *own]))


def constants_of(question: Question, slot: Slot, case: Case) -> Terms:
    """The values around which the answer of one case can change."""
    family = question.family
    values = landmarks(family, slot, tuple(sorted(case.parameters.items())))
    return tuple(constant(family, slot, value) for value in values)


def constant(family: Family, slot: Slot, value: Value) -> Constant:
    """A value of the cell as a term: numbers in base units."""
    domain = family.domains[slot]
    if isinstance(domain, NumberDomain):
        return Constant(Fraction(value) * domain.unit.scale, domain.type)  # type: ignore[arg-type]
    return Constant(value, domain.type)


def reference(family: Family, slot: Slot) -> Reference:
    """The cell itself as a term."""
    return Reference(slot.attribute, slot.member, slot.context, family.domains[slot].type)


def _beside(question: Question, slot: Slot) -> Iterator[Expression]:
    """What the cell is compared with, in the reply and the rules, where it can be known while the cell is not."""
    family = question.family
    rules = [*question.known, *(rule.expression for rule in (*family.conditions, *family.consistency))]
    hidden = {(each.attribute, each.context) for each in question.hidden}
    for rule in (*rules, family.calculation.expression):
        for part in walk(rule):
            if isinstance(part, Apply) and part.operator in COMPARISONS:
                for other in _sides(part, slot):
                    if _is_known(other, hidden):
                        yield other


def _is_known(term: Expression, hidden: set[tuple[str, str]]) -> bool:
    read = references(term)
    return not any(each.member == THIS_MEMBER or (each.attribute, each.context) in hidden for each in read)


def _sides(comparison: Apply, slot: Slot) -> Iterator[Expression]:
    """What the cell would equal if a side that holds it equalled another side."""
    for place, side in enumerate(comparison.arguments):
        for number, other in enumerate(comparison.arguments):
            if number != place:
                yield from _isolated(side, other, slot)


def _isolated(side: Expression, other: Expression, slot: Slot) -> Iterator[Expression]:
    """What the cell is where `side == other`, if it stands there once, below sums, differences, factors and `abs`."""
    if _is(side, slot):
        yield other
    elif (
        isinstance(side, Apply)
        and side.type != DATE
        and [_holds(each, slot) for each in side.arguments].count(True) == 1
    ):
        match side.operator, side.arguments:
            case "abs", (inner,):
                yield from _isolated(inner, other, slot)
                yield from _isolated(inner, Apply("negate", (other,), other.type), slot)
            case _, (left, right):
                inner, solved = _solved(side.operator, left, right, other, in_left=_holds(left, slot))
                if solved is not None:
                    yield from _isolated(inner, solved, slot)


def _solved(
    operator: str, left: Expression, right: Expression, other: Expression, *, in_left: bool
) -> tuple[Expression, Expression | None]:
    """The side that is unknown, and what it is where the operator gives `other`."""
    inner, rest = (left, right) if in_left else (right, left)
    match operator:
        case "+":
            return inner, Apply("-", (other, rest), inner.type)
        case "-":
            return inner, Apply("+", (other, rest), inner.type) if in_left else Apply("-", (rest, other), inner.type)
        case "*":
            return inner, Apply("/", (other, rest), inner.type)
        case "/" if in_left:
            return inner, Apply("*", (other, rest), inner.type)
        case _:
            return inner, None


def _is(part: Expression, slot: Slot) -> bool:
    """Whether a part is the cell; in the body of an aggregate, the member at hand stands for each."""
    if not isinstance(part, Reference) or part.member not in (slot.member, THIS_MEMBER):
        return False
    return (part.attribute, part.context) == (slot.attribute, slot.context)


def _holds(part: Expression, slot: Slot) -> bool:
    return any(_is(each, slot) for each in references(part))


def _stepped(family: Family, slot: Slot, term: Expression) -> Iterator[Expression]:
    """The term, and the term one step up and down."""
    domain = family.domains[slot]
    yield term
    if isinstance(domain, DateDomain):
        if isinstance(term, Constant):
            yield from (Constant(term.value + timedelta(days), DATE) for days in (1, -1))  # type: ignore[operator]
        else:
            yield from (Apply(sign, (term, Constant(int(DAYS.unit.scale), DAYS)), DATE) for sign in ("+", "-"))
    if isinstance(domain, NumberDomain):
        step = Constant(domain.step * domain.unit.scale, NumberType(domain.unit))
        if isinstance(term, Constant):
            values = (Fraction(term.value) + sign * step.value for sign in (1, -1))  # type: ignore[arg-type,operator]
            yield from (Constant(value, domain.type) for value in values)
        else:
            yield from (Apply(sign, (term, step), domain.type) for sign in ("+", "-"))
