"""Draws the cells of one candidate: legal, holding all conditions but those that it is planned to fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from random import Random
from typing import TypeVar

from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import member_count
from unco.solver.landmarks import landmarks
from unco.specs.domains import Domain
from unco.specs.expression import Expression, references
from unco.specs.family import Family, Slot
from unco.specs.values import Value

RESTARTS = 12
STEPS = 80
SAMPLES = 16
WHOLE = 128
"""A domain of at most this many values is searched whole when a rule must be mended."""
Item = TypeVar("Item")


class Goal:
    """What the cells of a candidate must do: each rule hold, or fail."""

    def __init__(self, family: Family, parameters: Mapping[str, Value], failing: frozenset[str], winner: bool) -> None:
        self.family = family
        self.parameters = parameters
        rules = [(rule.expression, True) for rule in family.consistency]
        rules += [(rule.expression, rule.id not in failing) for rule in family.conditions]
        rules += [(rule.expression, True) for rule in family.plan.winner] if winner else []
        self.rules = tuple((rule, wanted, frozenset(_slots(family, rule))) for rule, wanted in rules)

    def unmet(self, values: Mapping[Slot, Value], touched: Slot | None = None) -> list[Expression]:
        """The rules that are not as they should be; those alone that read a slot, where one is given."""
        return [
            rule
            for rule, wanted, read in self.rules
            if (touched is None or touched in read) and self._truth(rule, values) is not wanted
        ]

    def _truth(self, rule: Expression, values: Mapping[Slot, Value]) -> Value | None:
        """The value of a rule; None where cells that are not legal yet leave it without one."""
        try:
            return interpret(rule, values, self.parameters)
        except Undefined:
            return None


def draw_candidate(goal: Goal, rng: Random) -> dict[Slot, Value] | None:
    """Cells that meet the goal, by repeated mending of a random draw; None where the search finds none."""
    for _ in range(RESTARTS):
        values = settled(goal.family, {slot: draw(domain, rng) for slot, domain in goal.family.domains.items()})
        for _ in range(STEPS):
            unmet = goal.unmet(values)
            if not unmet:
                return values
            values = _mend(goal, values, rng.choice(unmet), rng)
    return None


def _mend(goal: Goal, values: dict[Slot, Value], rule: Expression, rng: Random) -> dict[Slot, Value]:
    """The best of several changes of one cell that the rule reads."""
    slots = _slots(goal.family, rule)
    if not slots:
        return values
    slot = rng.choice(slots)
    options = [settled(goal.family, {**values, slot: value}) for value in _choices(goal, slot, rng)]
    scores = [len(goal.unmet(option, slot)) for option in options]
    best = min(scores)
    return rng.choice([option for option, score in zip(options, scores, strict=True) if score == best])


def _slots(family: Family, rule: Expression) -> list[Slot]:
    read = {(reference.attribute, reference.context) for reference in references(rule)}
    read |= {
        (group.size_attribute, family.attribute_by_id[group.size_attribute].required)
        for group in family.groups
        if group.size_attribute and any(family.attribute_by_id[name].group == group.id for name, _ in read)
    }
    return [slot for slot in family.slots if (slot.attribute, slot.context) in read]


def _choices(goal: Goal, slot: Slot, rng: Random) -> Sequence[Value]:
    domain = goal.family.domains[slot]
    if domain.size <= WHOLE:
        return [domain.value(index) for index in range(domain.size)]
    near = landmarks(goal.family, slot, tuple(sorted(goal.parameters.items())))
    return [*near, *(draw(domain, rng) for _ in range(SAMPLES))]


def draw(domain: Domain, rng: Random) -> Value:
    """A value of the domain, each as likely."""
    return domain.value(rng.randrange(domain.size))


def settled(family: Family, values: Mapping[Slot, Value]) -> dict[Slot, Value]:
    """The cells with members that do not exist at the lowest value of their domain."""
    settled_values = dict(values)
    for group in family.groups:
        count = member_count(family, group, values)
        for slot, domain in family.domains.items():
            if slot.member > count and family.attribute_by_id[slot.attribute].group == group.id:
                settled_values[slot] = domain.value(0)
    return settled_values


def weighted(choices: Sequence[tuple[Item, Fraction]], rng: Random) -> Item:
    """One of the items, by exact weights."""
    shared = lcm(*(weight.denominator for _, weight in choices))
    weights = [int(weight * shared) for _, weight in choices]
    point = rng.randrange(sum(weights))
    for (item, _), weight in zip(choices, weights, strict=True):
        if point < weight:
            return item
        point -= weight
    raise AssertionError("the point lies below the sum of the weights")
