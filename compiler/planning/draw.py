"""Draws the cells of one candidate: legal, holding all conditions but those that it is planned to fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from unco.compiler.planning.natural import WHOLE, draw
from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import member_count
from unco.solver.landmarks import landmarks
from unco.specs.expression import Expression, references
from unco.specs.family import Family, Slot
from unco.specs.values import Value

RESTARTS = 12
STEPS = 80
SAMPLES = 16
"""How many natural values are tried for a cell of a large domain when a rule must be mended."""


class Goal:
    """What the cells of a candidate must do: each rule hold, or fail."""

    def __init__(self, family: Family, parameters: Mapping[str, Value], failing: frozenset[str], winner: bool) -> None:
        self.family = family
        self.parameters = parameters
        self.failing = failing
        self.winner = winner
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
        for values, unmet in mendings(goal, rng):
            if not unmet:
                return values
    return None


def mendings(goal: Goal, rng: Random) -> Iterator[tuple[dict[Slot, Value], list[Expression]]]:
    """Cells and the rules that are not met yet: a random draw, then one mended cell after another."""
    values = settled(goal.family, {slot: draw(domain, rng) for slot, domain in goal.family.domains.items()})
    for _ in range(STEPS):
        unmet = goal.unmet(values)
        yield values, unmet
        if not unmet:
            return
        values = _mend(goal, values, rng.choice(unmet), rng)


def _mend(goal: Goal, values: dict[Slot, Value], rule: Expression, rng: Random) -> dict[Slot, Value]:
    """The best of several changes of one cell that the rule reads: a natural value, unless only another one helps."""
    slots = _slots(goal.family, rule)
    if not slots:
        return values
    slot = rng.choice(slots)
    before = len(goal.unmet(values, slot))
    least, options = _best(goal, values, slot, _choices(goal, slot, rng))
    if least >= before:
        near = landmarks(goal.family, slot, tuple(sorted(goal.parameters.items())))
        other_least, others = _best(goal, values, slot, near)
        least, options = min((least, options), (other_least, others), key=lambda each: each[0])
    return rng.choice(options)


def _best(
    goal: Goal, values: Mapping[Slot, Value], slot: Slot, choices: Sequence[Value]
) -> tuple[int, list[dict[Slot, Value]]]:
    """The least number of unmet rules that a choice leaves, and the cells with each of the choices that leave it."""
    options = [settled(goal.family, {**values, slot: value}) for value in choices]
    scores = [len(goal.unmet(option, slot)) for option in options]
    least = min(scores)
    return least, [option for option, score in zip(options, scores, strict=True) if score == least]


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
    return [draw(domain, rng) for _ in range(SAMPLES)]


def settled(family: Family, values: Mapping[Slot, Value]) -> dict[Slot, Value]:
    """The cells with members that do not exist at the lowest value of their domain."""
    settled_values = dict(values)
    for group in family.groups:
        count = member_count(family, group, values)
        for slot, domain in family.domains.items():
            if slot.member > count and family.attribute_by_id[slot.attribute].group == group.id:
                settled_values[slot] = domain.value(0)
    return settled_values
