"""Rules over all values of some cells: what they give throughout, by evaluation alone.

A rule is *the same throughout* coarse cells where it has one value at all their values. `and`, `or`, `not` and `if`
follow their parts. A part in which each coarse cell stands once, below operators that only rise or only fall with it,
is looked at where every cell is at an end: its least and its greatest value are there. Any other part is looked at
everywhere, up to MOST_VALUES times; beyond that nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from unco.solver.interpret import interpret
from unco.solver.judge import result
from unco.specs.domains import DateDomain, Domain, NumberDomain, indices_between
from unco.specs.evidence import Between, Exact, Knowledge, Nothing, OneOf
from unco.specs.expression import Apply, Expression, Reference, children, references, walk
from unco.specs.family import Family, Slot
from unco.specs.values import Value

MOST_VALUES = 512
"""How many values of the coarse cells of one candidate are tried in one part of a rule."""
EVERY = frozenset(range(8))
MONOTONE: Mapping[str, frozenset[int]] = {
    **dict.fromkeys(("<", "<=", ">", ">=", "+", "-", "*", "negate", "min", "max", "sum"), EVERY),
    **dict.fromkeys(("days_between", "years_between", "months_between", "add_months"), EVERY),
    **dict.fromkeys(("month_start", "month_end", "round", "/", "//"), frozenset({0})),
    "percent_change": frozenset({1}),
}
"""The first arguments with which an operator only rises or only falls, whatever the others are."""


class Throughout:
    """Rules over all values of some cells of a candidate; numbers are indices of their domains."""

    def __init__(
        self,
        family: Family,
        values: Mapping[Slot, Value],
        parameters: Mapping[str, Value],
        places: Mapping[Slot, Sequence[int]],
        untold: Collection[Slot] = (),
    ) -> None:
        """Of the cells in `untold` not even the domain is known: a part that reads one may have any value."""
        self.family = family
        self.values = values
        self.parameters = parameters
        self.places = places
        self.untold = untold

    def value(self, rule: Expression) -> Value | None:
        """The one value that the rule has throughout; None where it may have several."""
        if not self._coarse(rule):
            return interpret(rule, self.values, self.parameters)
        match rule:
            case Apply("and" | "or", parts):
                return self._joined(parts, decisive=rule.operator == "or")
            case Apply("not", (part,)):
                found = self.value(part)
                return None if found is None else not found
            case Apply("if", (condition, then, otherwise)):
                return self._branch(self.value(condition), then, otherwise)
            case Apply("between", (middle, low, high)):
                above = replace(rule, operator=">=", arguments=(middle, low))
                below = replace(rule, operator="<=", arguments=(middle, high))
                return self._joined((above, below), decisive=False)
            case _:
                return self._one(rule, lambda values: interpret(rule, values, self.parameters))

    def result(self) -> Value | None:
        """The one rounded result throughout; None where it may have several."""
        formula = self.family.calculation.expression
        return self._one(formula, lambda values: result(self.family, values, self.parameters))

    def _joined(self, parts: Sequence[Expression], *, decisive: bool) -> bool | None:
        """One part that has the decisive value throughout settles it; else all must be known."""
        known = True
        for part in parts:
            found = self.value(part)
            if found is decisive:
                return decisive
            known = known and found is not None
        return (not decisive) if known else None

    def _branch(self, condition: Value | None, then: Expression, otherwise: Expression) -> Value | None:
        if condition is not None:
            return self.value(then if condition else otherwise)
        first, second = self.value(then), self.value(otherwise)
        return first if first == second else None

    def _one(self, part: Expression, evaluate: Callable[[Mapping[Slot, Value]], Value]) -> Value | None:
        """The one value of a part, looked at where that is enough; None where it has several or there is too much."""
        slots = self._coarse(part)
        if any(slot in self.untold for slot in slots):
            return None
        ends = _rises_or_falls(part, frozenset(slots)) and all(self._ordered(slot) for slot in slots)
        tried = [_ends(self.places[slot]) if ends else self.places[slot] for slot in slots]
        if prod(map(len, tried)) > MOST_VALUES:
            return None
        domains = [self.family.domains[slot] for slot in slots]
        found: list[Value] = []
        for chosen in product(*tried):
            drawn = {slot: each.value(index) for slot, each, index in zip(slots, domains, chosen, strict=True)}
            value = evaluate({**self.values, **drawn})
            if found and value != found[0]:
                return None
            found = found or [value]
        return found[0]

    def _ordered(self, slot: Slot) -> bool:
        return isinstance(self.family.domains[slot], NumberDomain | DateDomain)

    def _coarse(self, part: Expression) -> tuple[Slot, ...]:
        """The coarse cells that a part reads."""
        read = (Slot(each.attribute, each.member, each.context) for each in references(part))
        return tuple(dict.fromkeys(slot for slot in read if slot in self.places))


def _rises_or_falls(part: Expression, slots: frozenset[Slot]) -> bool:
    """Whether each of the cells stands once in the part, and the part only rises or only falls with it."""
    stands = [each for each in walk(part) if isinstance(each, Reference) and _slot(each) in slots]
    return len(stands) == len(slots) and _monotone(part, slots)


def _monotone(part: Expression, slots: frozenset[Slot]) -> bool:
    inside = [
        place for place, child in enumerate(children(part)) if any(_slot(each) in slots for each in references(child))
    ]
    if not inside:
        return True
    if not isinstance(part, Apply) or not MONOTONE.get(part.operator, frozenset()).issuperset(inside):
        return False
    return all(_monotone(part.arguments[place], slots) for place in inside)


def _slot(reference: Reference) -> Slot:
    return Slot(reference.attribute, reference.member, reference.context)


def _ends(places: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys((places[0], places[-1])))


def indices(domain: Domain, known: Knowledge) -> Sequence[int]:
    """The indices of the values that agree with what is known, in order."""
    match known:
        case Nothing():
            return range(domain.size)
        case Exact(value):
            return [index for index in (domain.index(value),) if index is not None]
        case OneOf(values):
            return sorted(index for value in values if (index := domain.index(value)) is not None)
        case Between(low, high):
            assert isinstance(domain, NumberDomain | DateDomain)
            return indices_between(domain, low, high)
