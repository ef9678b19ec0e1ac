"""Harmless vagueness and harmless extras of a group: the same in every setting, so that form reveals no defect.

Drawn wherever the group allows it: one attribute in coarse words, in half of the groups two; one that is not stated at
all; and for half of the attributes that have other contexts, at least one, another context beside the required one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from random import Random

from unco.compiler.planning.flips import Standings
from unco.compiler.planning.legal import Legal, legal, legal_span, reach
from unco.compiler.planning.natural import drawn_rung, nearest_end
from unco.solver.harmless import Telling, readings
from unco.specs.domains import BooleanDomain, CategoryDomain, Domain
from unco.specs.evidence import NOTHING, Between, Knowledge, OneOf
from unco.specs.facts import Pins
from unco.specs.family import Attribute, Cell, Family, Slot
from unco.specs.group import CandidateGroup, Harmless, Incomplete
from unco.specs.instance import SeveralEligible
from unco.specs.values import Value

LEAST = 20
"""The least share of a domain, as one in this many, that a harmless interval can span; less would look exact."""
USUAL = (5, 2)
"""The usual shares of a domain, least and greatest, that it spans where the rules leave room."""
PLACES = 60
"""The place of the value in a harmless interval is drawn in so many parts of its width."""
DRAWS = 12
"""How many places and widths are drawn before one is taken that the rules force upon the value."""


def with_harmless(family: Family, group: CandidateGroup, pins: Pins, rng: Random) -> CandidateGroup:
    """The group with what is harmless in it; attributes that an author pinned stay exact."""
    if isinstance(group.outcome, SeveralEligible):
        return group
    pinned = {slot.attribute for values in pins.candidates.values() for slot in values}
    plan = _Plan(family, group, rng)
    extras = plan.extras()
    return replace(group, harmless=Harmless(plan.coarse(pinned), extras))


class _Plan:
    def __init__(self, family: Family, group: CandidateGroup, rng: Random) -> None:
        self.family = family
        self.group = group
        self.rng = rng
        self.told = [
            [Telling(family, reading, candidate) for reading in readings(family, group)]
            for candidate in range(family.candidates)
        ]

    def extras(self) -> tuple[tuple[str, str], ...]:
        """Another context for half of the attributes that have one and are no target of a defect."""
        shown = [each for each in self.family.shown_attributes if len(each.contexts) > 1]
        free = [each for each in shown if each.id not in self.group.targets]
        drawn = self.rng.sample(range(len(free)), (len(free) + 1) // 2)
        return tuple((free[place].id, self.rng.choice(free[place].contexts[1:])[0]) for place in sorted(drawn))

    def coarse(self, pinned: Collection[str]) -> tuple[Incomplete, ...]:
        """One attribute or two in coarse words, and one that is not stated, in the author's order. What alone can be
        in coarse words is.
        """
        attributes = self._possible(pinned)
        unstated = self._unstated(attributes)
        others = [each for each in attributes if unstated is None or each.id != unstated.attribute]
        vague = self._in_coarse_words(others, unstated)
        if not vague and unstated is not None:
            vague = self._in_coarse_words([self.family.attribute_by_id[unstated.attribute]], None)
            unstated = None if vague else unstated
        found = {each.attribute: each for each in (*vague, *([unstated] if unstated else []))}
        return tuple(found[each.id] for each in attributes if each.id in found)

    def _unstated(self, attributes: Sequence[Attribute]) -> Incomplete | None:
        """An attribute that need not be stated, evenly among those that need not."""
        for attribute in self.rng.sample(attributes, len(attributes)):
            unstated = Incomplete(attribute.id, dict.fromkeys(self._cells(attribute), NOTHING))
            if self._stands([unstated]):
                return unstated
        return None

    def _in_coarse_words(self, attributes: Sequence[Attribute], unstated: Incomplete | None) -> list[Incomplete]:
        """One attribute or two, evenly among those that can be."""
        wanted, found = self.rng.randint(1, 2), list[Incomplete]()
        for attribute in self._ordered(attributes):
            vague = self._vague(attribute, [*found, *([unstated] if unstated else [])])
            if vague is not None:
                found.append(vague)
            if len(found) == wanted:
                break
        return found

    def _ordered(self, attributes: Sequence[Attribute]) -> list[Attribute]:
        """In a drawn order; half the time those first by which somebody fails, since most of these are targets."""
        drawn = self.rng.sample(attributes, len(attributes))
        failed = frozenset[str]().union(*Standings(self.family, self.group.instance, self.group.outcome).failed)
        pairs = zip(self.family.conditions, self.family.condition_reads, strict=True)
        kept_out = frozenset[str]().union(*(read for rule, read in pairs if rule.id in failed))
        return sorted(drawn, key=lambda each: each.id not in kept_out) if self.rng.randrange(2) else drawn

    def _possible(self, pinned: Collection[str]) -> list[Attribute]:
        sizes = {each.size_attribute for each in self.family.groups}
        barred = {*pinned, *sizes, *self.group.targets}
        return [each for each in self.family.shown_attributes if each.group is None and each.id not in barred]

    def _cells(self, attribute: Attribute) -> list[Cell]:
        return [Cell(number, attribute.id, 0, attribute.required) for number in range(self.family.candidates)]

    def _vague(self, attribute: Attribute, others: Sequence[Incomplete]) -> Incomplete | None:
        """Coarse words for every candidate, or None where a rule would tell them from the exact value."""
        if isinstance(attribute.domain, BooleanDomain) or attribute.domain.size < 3:
            return None
        coarse: dict[Cell, Knowledge] = {}
        for cell in self._cells(attribute):
            known = self._known(attribute.domain, cell)
            if known is None:
                return None
            coarse[cell] = known
        vague = Incomplete(attribute.id, coarse)
        return vague if self._stands([*others, vague]) else None

    def _known(self, domain: Domain, cell: Cell) -> Knowledge | None:
        index = domain.index(self.group.instance.cells[cell])
        if index is None:
            return None

        def harmless(known: Knowledge) -> bool:
            return all(each.same_throughout({cell.slot: known}) for each in self.told[cell.candidate])

        allowed = legal(self.family, self.group.instance, cell)
        if isinstance(domain, CategoryDomain):
            return _set(domain, index, lambda known, value: harmless(known) and allowed(value), self.rng)
        return _interval(domain, index, harmless, allowed, self.rng)

    def _stands(self, coarse: Sequence[Incomplete]) -> bool:
        """Whether no rule tells the coarse facts, all together, from the exact ones."""
        for number, told in enumerate(self.told):
            known: dict[Slot, Knowledge] = {
                cell.slot: each.coarse[cell] for each in coarse for cell in each.coarse if cell.candidate == number
            }
            if not all(each.same_throughout(known) for each in told):
                return False
        return True


Test = Callable[[Knowledge], bool]


def _set(domain: CategoryDomain, index: int, fits: Callable[[Knowledge, Value], bool], rng: Random) -> Knowledge | None:
    """Some values, the true one among them, that the rules allow and treat alike; not all of the domain."""
    true = domain.value(index)
    others = [
        number for number, value in enumerate(domain.values) if number != index and fits(OneOf((true, value)), value)
    ]
    if not others:
        return None
    chosen = [index, *rng.sample(others, rng.randint(1, min(len(others), domain.size - 2)))]
    return OneOf(tuple(domain.value(number) for number in rng.sample(chosen, len(chosen))))


def _interval(domain: Domain, index: int, harmless: Test, allowed: Legal, rng: Random) -> Knowledge | None:
    """An interval of legal values that lies on one side of every threshold; the place of the value in it is drawn."""

    def between(low: int, high: int) -> Between:
        return Between(domain.value(low), domain.value(high))

    first, last = legal_span(domain, index, 0, domain.size - 1, allowed)
    if not harmless(between(first, last)):
        first = index - reach(index - first, lambda steps: harmless(between(index - steps, index)))
        last = index + reach(last - index, lambda steps: harmless(between(first, index + steps)))
    if last - first < max(1, domain.size // LEAST):
        return None
    low, width = _place(domain, index, first, last, rng)
    rung = drawn_rung(domain, rng, max(1, width // 4))
    start = nearest_end(domain, range(first, min(index, last - 1) + 1), low, rung, first=True)
    stop = nearest_end(domain, range(max(index, start + 1), last + 1), low + width, rung, first=False)
    return between(start, stop)


def _place(domain: Domain, index: int, first: int, last: int, rng: Random) -> tuple[int, int]:
    """The low end and the width of an interval within a range: first the place of the value in it, evenly, then the
    width, as far as there is room; what would be too narrow is drawn again, and in the end moved into the range.
    """
    least = max(1, domain.size // LEAST)
    for _ in range(DRAWS):
        width, place = (
            rng.randint(max(least, domain.size // USUAL[0]), max(least, domain.size // USUAL[1])),
            rng.randint(0, PLACES),
        )
        below = (index - first) * PLACES // place if place else width
        above = (last - index) * PLACES // (PLACES - place) if place < PLACES else width
        room = min(width, below, above)
        if room >= least:
            return index - room * place // PLACES, room
    width = min(width, last - first)
    return min(max(first, index - width // 2), last - width), width
