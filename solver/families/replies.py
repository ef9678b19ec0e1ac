"""Defective replies of a whole family: coarse knowledge whose ends are open, and face values of another context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from unco.solver.families.moves import of_existing
from unco.solver.families.question import Case, Question, deciding_slots
from unco.solver.families.terms import constant, reference
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, NumberDomain
from unco.specs.evidence import NOTHING, Between, Knowledge, OneOf
from unco.specs.expression import Aggregate, Apply, Constant, Expression, ParameterReference, Reference
from unco.specs.family import Attribute, Family, Parameter, Slot
from unco.specs.family_proof import Move
from unco.specs.values import BOOLEAN, PLAIN, NumberType

LOW, HIGH, TURN = "low end of the reply", "high end of the reply", "value at which a rule fails"


class Form(StrEnum):
    """How a coarse reply tells of a value."""

    OMITTED = "omitted"
    INTERVAL = "interval"
    SET = "set"


@dataclass(frozen=True)
class Reply:
    """A form of coarse replies about an attribute, and the question whether each leaves the answer open."""

    form: Form
    slot: Slot
    question: Question

    def told(self, case: Case) -> Mapping[Slot, Knowledge]:
        """What the reply says of the candidate in one case."""
        match self.form:
            case Form.OMITTED:
                return dict.fromkeys(self.question.hidden, NOTHING)
            case Form.INTERVAL:
                return {self.slot: Between(*(case.parameters[end_of(self.slot, end)] for end in (LOW, HIGH)))}
            case Form.SET:
                domain = self.question.family.domains[self.slot]
                every = (domain.value(index) for index in range(domain.size))
                told = (value for value in every if case.parameters[end_of(self.slot, str(value))] is True)
                return {self.slot: OneOf(tuple(told))}


def replies(family: Family, attribute: Attribute) -> Iterator[Reply]:
    """The forms that the generator gives: the value omitted, an interval, a set; of members, the omission alone."""
    slots = omitted(family, attribute)
    if not slots:
        return
    plan = tuple(rule.expression for rule in family.plan.winner)
    yield Reply(Form.OMITTED, slots[0], Question(family, True, slots, plan))
    domain = family.domains[slots[0]]
    if attribute.group is None and domain.size > 2:
        if isinstance(domain, NumberDomain | DateDomain):
            yield _interval(family, slots[0], domain, plan)
        if isinstance(domain, CategoryDomain):
            yield _set(family, slots[0], domain, plan)


def omitted(family: Family, attribute: Attribute) -> tuple[Slot, ...]:
    """The deciding cells that are not told where the attribute is omitted."""
    deciding = deciding_slots(family)
    return tuple(slot for slot in deciding if (slot.attribute, slot.context) == (attribute.id, attribute.required))


def is_read(family: Family, attribute: str) -> bool:
    """Whether a condition reads the attribute."""
    return any(attribute in read for read in family.condition_reads)


def _interval(family: Family, slot: Slot, domain: NumberDomain | DateDomain, plan: tuple[Expression, ...]) -> Reply:
    """From one value of the domain to another, about the true one: with a value at which a condition fails, if any
    condition reads the attribute; else with two values at least.
    """
    read = is_read(family, slot.attribute)
    names = (LOW, HIGH, TURN) if read else (LOW, HIGH)
    asked = _with_parameters(family, tuple(Parameter(end_of(slot, name), name, domain) for name in names))
    low, high, turn = (ParameterReference(end_of(slot, name), domain.type) for name in (LOW, HIGH, TURN))
    cell = reference(family, slot)
    about = (_at_most(low, cell), _at_most(cell, high))
    more: tuple[Expression, ...]
    if read:
        more = (_at_most(low, turn), _at_most(turn, high), _fails_at(family, slot, turn))
    else:
        more = (Apply("<", (low, high), BOOLEAN),)
    first = tuple(Move(((slot, end),)) for end in ((turn, low, high) if read else (low, high)))
    question = Question(asked, True, (slot,), (*plan, *about, *more), about, first=first)
    return Reply(Form.INTERVAL, slot, question)


def _set(family: Family, slot: Slot, domain: CategoryDomain, plan: tuple[Expression, ...]) -> Reply:
    """Some values, the true one among them: with one at which a condition fails, if any condition reads the attribute;
    else with two values at least.
    """
    told = {value: Parameter(end_of(slot, value), value, BooleanDomain()) for value in domain.values}
    asked = _with_parameters(family, tuple(told.values()))
    named = {value: ParameterReference(each.id, BOOLEAN) for value, each in told.items()}
    among = _or(tuple(_and(_is(family, slot, value), named[value]) for value in domain.values))
    other = _or(tuple(_and(named[value], _differs(family, slot, value)) for value in domain.values))
    return Reply(Form.SET, slot, Question(asked, True, (slot,), (*plan, among, other), (among,)))


def _differs(family: Family, slot: Slot, value: str) -> Expression:
    """The value fails a condition, if any reads the attribute; else it is not the true one."""
    if is_read(family, slot.attribute):
        return _fails_at(family, slot, constant(family, slot, value))
    return Apply("not", (_is(family, slot, value),), BOOLEAN)


def end_of(slot: Slot, name: str) -> str:
    """The name of an end of a reply, or of a value in it: no name of the author's has a space."""
    return f"{slot.attribute}: {name}"


def _with_parameters(family: Family, more: tuple[Parameter, ...]) -> Family:
    names = ", ".join(each.id for each in more)
    return replace(family, parameters=(*family.parameters, *more), digest=f"{family.digest} {names} {more[0].domain}")


def _at_most(left: Expression, right: Expression) -> Expression:
    return Apply("<=", (left, right), BOOLEAN)


def _is(family: Family, slot: Slot, value: str) -> Expression:
    return Apply("==", (reference(family, slot), constant(family, slot, value)), BOOLEAN)


def _and(left: Expression, right: Expression) -> Expression:
    return Apply("and", (left, right), BOOLEAN)


def _or(parts: tuple[Expression, ...]) -> Expression:
    return parts[0] if len(parts) == 1 else Apply("or", parts, BOOLEAN)


def _fails_at(family: Family, slot: Slot, term: Expression) -> Expression:
    """Some condition that reads the cell fails where the term stands in its place."""
    rules = zip(family.conditions, family.condition_reads, strict=True)
    return _or(
        tuple(
            Apply("not", (placed(rule.expression, slot, term),), BOOLEAN)
            for rule, read in rules
            if slot.attribute in read
        )
    )


def placed(expression: Expression, slot: Slot, term: Expression) -> Expression:
    """The expression with a term in place of a cell that is no member's."""
    match expression:
        case Reference(attribute, _, context) if (attribute, context) == (slot.attribute, slot.context):
            return term
        case Apply(arguments=arguments):
            return replace(expression, arguments=tuple(placed(each, slot, term) for each in arguments))
        case Aggregate(size=size, body=body):
            return replace(expression, size=placed(size, slot, term), body=placed(body, slot, term))
        case _:
            return expression


# At face value -------------------------------------------------------------------------------------------------------


def at_face_value(family: Family, attribute: Attribute, context: str) -> Question | None:
    """Whether the reply of another context, wherever its face value differs as planned, is legal and has another
    answer; None where no rule reads the attribute.
    """
    slots = tuple(
        slot for slot in family.read_slots if (slot.attribute, slot.context) == (attribute.id, attribute.required)
    )
    if not slots:
        return None
    plan = tuple(rule.expression for rule in family.plan.winner)
    face = tuple((slot, of_existing(family, slot, _read_as(family, slot, context))) for slot in slots)
    return Question(family, True, slots, plan, face=Move(face))


def _read_as(family: Family, slot: Slot, context: str) -> Expression:
    """The value of the other context, its magnitude read in the unit of the required one."""
    other = slot._replace(context=context)
    told, wanted = family.domains[other], family.domains[slot]
    term = reference(family, other)
    if (
        not isinstance(told, NumberDomain)
        or not isinstance(wanted, NumberDomain)
        or told.unit.scale == wanted.unit.scale
    ):
        return term
    factor = Constant(wanted.unit.scale / told.unit.scale, NumberType(PLAIN))
    return Apply("*", (term, factor), wanted.type)
