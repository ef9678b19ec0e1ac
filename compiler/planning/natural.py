"""Natural values: numbers in the steps that people use, from a ladder of coarser and coarser steps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random
from typing import TypeVar

from unco.specs.domains import DateDomain, Domain, NumberDomain
from unco.specs.values import Value

Item = TypeVar("Item")
WHOLE = 60
"""A domain of at most this many values is drawn by its own step, each value as likely."""
LEAST = 12
"""A rung of the ladder has at least this many values in the domain."""
WEIGHTS = (2, 3, 3, 3, 3, 2, 1)
"""Weights of the coarsest rungs, the coarsest first; the finer ones are left out."""
OWN = 1
"""Weight of the domain's own step, besides what it has as a rung."""
MONTHS_FROM = 90
"""A range of a domain of at least this many days ends with a month or the half of one."""
NEAR = 10
"""Near is within one part in this many of the domain."""
DAY = 86_400
"""Seconds, the base unit of clock time."""
Ladder = tuple[tuple[int, int], ...]


@lru_cache(maxsize=4_096)
def ladder(domain: Domain) -> Ladder:
    """Steps, as multiples of the domain's own, with their weights: 1, 2 and 5 times powers of ten, coarsest first.

    Dates, days, months, years, categories and small domains have their own step alone, and so has a domain off the grid
    of its step.
    """
    if domain.size <= WHOLE or not isinstance(domain, NumberDomain) or _offset(domain) is None or _of_calendar(domain):
        return ((1, 1),)
    rungs = [step * 10**power for power in range(len(str(domain.size))) for step in (1, 2, 5)]
    coarse = [rung for rung in reversed(rungs) if len(grid(domain, rung)) >= LEAST][: len(WEIGHTS)]
    weighed = dict(zip(coarse, WEIGHTS, strict=False))
    weighed[1] = weighed.get(1, 0) + OWN
    return tuple(weighed.items())


def _of_calendar(domain: NumberDomain) -> bool:
    """Whether it counts days, months or years."""
    unit = domain.unit
    return unit.dimension == (("calendar", 1),) or (unit.dimension == (("clock", 1),) and unit.scale >= DAY)


def _offset(domain: NumberDomain) -> int | None:
    """How many steps the lowest value lies above zero; None where zero is not on the grid."""
    steps = domain.low / domain.step
    return steps.numerator if steps.denominator == 1 else None


def grid(domain: Domain, rung: int) -> range:
    """The indices of the values that are whole multiples of a rung."""
    offset = _offset(domain) if isinstance(domain, NumberDomain) else 0
    return range(-(offset or 0) % rung, domain.size, rung)


def draw(domain: Domain, rng: Random) -> Value:
    """A natural value: a rung by its weight, then each of its values as likely."""
    return domain.value(rng.choice(grid(domain, drawn_rung(domain, rng))))


def drawn_rung(domain: Domain, rng: Random, most: int | None = None) -> int:
    """A rung by its weight, among those of at most so many steps; the finest where none is."""
    rungs = [each for each in ladder(domain) if most is None or each[0] <= most]
    return _by_weight(rungs, rng) if rungs else 1


def rung_through(domain: Domain, index: int, most: int, rng: Random) -> int:
    """The coarsest rung, up to one drawn by its weight, of which the value is a whole multiple; a coarser one than the
    finest where one of at most so many steps will do.
    """
    rungs = [each for each, _ in ladder(domain) if 1 < each <= most and index in grid(domain, each)]
    drawn = drawn_rung(domain, rng)
    if drawn == 1 or not rungs:
        return 1
    return next((each for each in rungs if each <= drawn), rungs[-1])


def nearest(domain: Domain, index: int, rung: int) -> int:
    """The index of the multiple of a rung that lies nearest, which may lie outside the domain."""
    first = grid(domain, rung).start
    return first + (index - first + rung // 2) // rung * rung


def nearest_end(domain: Domain, allowed: range, drawn: int, rung: int, *, first: bool) -> int:
    """The multiple of a rung that is allowed and nearest to a drawn end; of a finer rung where none is allowed.

    Of dates in a long domain: the day on which half a month begins, or ends, where one is allowed.
    """
    halves = [each for each in half_months(domain, first=first) if each in allowed]
    if halves:
        return min(halves, key=lambda each: abs(each - drawn))
    for step in (each for each, _ in (*ladder(domain), (1, 1)) if each <= rung):
        start = grid(domain, step).start
        multiples = range(allowed.start + (start - allowed.start) % step, allowed.stop, step)
        if multiples:
            place = (drawn - multiples.start + step // 2) // step
            return multiples[min(max(place, 0), len(multiples) - 1)]
    raise ValueError("no end is allowed")


@lru_cache(maxsize=1_024)
def half_months(domain: Domain, *, first: bool) -> tuple[int, ...]:
    """The indices of the first or last days of months and of halves of them; none where the domain is short or of no
    dates.
    """
    if not isinstance(domain, DateDomain) or domain.size < MONTHS_FROM:
        return ()
    days = ((index, domain.low + timedelta(days=index + (not first))) for index in range(domain.size))
    return tuple(index for index, day in days if day.day in (1, 16))


def around(domain: Domain, low: int, high: int, rung: int) -> tuple[int, int]:
    """The narrowest range about low to high whose ends are multiples of a rung, or ends of the domain."""
    first = grid(domain, rung).start
    return max(0, first + (low - first) // rung * rung), min(domain.size - 1, first - (first - high) // rung * rung)


def _by_weight(choices: Sequence[tuple[int, int]], rng: Random) -> int:
    point = rng.randrange(sum(weight for _, weight in choices))
    for item, weight in choices:
        if point < weight:
            return item
        point -= weight
    raise AssertionError("the point lies below the sum of the weights")


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
