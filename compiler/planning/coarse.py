"""Coarse knowledge: a true interval, set or omission in place of an exact value."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from unco.specs.domains import BooleanDomain, CategoryDomain, Domain
from unco.specs.evidence import NOTHING, Between, Knowledge, OneOf
from unco.specs.values import Value

WIDEST = 5
"""The least share of a domain, as one in this many, that an interval spans."""


def coarsen(domain: Domain, value: Value, marks: Sequence[Value], rng: Random) -> Knowledge:
    """Knowledge that is true of the value, strictly coarser, and spans a mark where it can; the value's place in it is
    drawn, so that neither its middle nor its ends betray it.
    """
    index = domain.index(value)
    if index is None:
        raise ValueError(f"{value!r} lies outside the domain")
    if isinstance(domain, BooleanDomain) or domain.size < 3:
        return NOTHING
    if isinstance(domain, CategoryDomain):
        return _set(domain, index, rng)
    places = [place for mark in marks if (place := domain.index(mark)) is not None]
    target = rng.choice(places) if places else rng.randrange(domain.size)
    least, most = min(index, target), max(index, target)
    reach = max(2, domain.size // WIDEST)
    low = max(0, least - rng.randint(0, reach))
    high = min(domain.size - 1, most + rng.randint(0, reach))
    if low == high:
        low, high = max(0, low - 1), min(domain.size - 1, high + 1)
    return Between(domain.value(low), domain.value(high))


def _set(domain: CategoryDomain, index: int, rng: Random) -> Knowledge:
    others = [number for number in range(domain.size) if number != index]
    chosen = sorted([index, *rng.sample(others, rng.randint(1, len(others) - 1))])
    return OneOf(tuple(domain.values[number] for number in chosen))
