"""Coarse knowledge: a true interval, set or omission in place of an exact value, which betrays nothing of its side."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import lru_cache
from random import Random

from unco.compiler.planning.legal import Legal, anything, legal, legal_span
from unco.compiler.planning.natural import around, drawn_rung, half_months, nearest_end
from unco.solver.interpret import Undefined, interpret
from unco.solver.landmarks import thresholds
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain
from unco.specs.evidence import NOTHING, Between, Knowledge, OneOf
from unco.specs.expression import Expression
from unco.specs.family import Cell, Family, Slot
from unco.specs.instance import Instance
from unco.specs.values import Value

REACH = 5
"""An end of an interval lies up to one part in this many of the domain beyond what it must hold."""
PARTS = 4
"""The ends of an interval are multiples of a step of which at least so many fit into it."""
Meets = Callable[[Value], object]
"""What the rules that read a cell say where it holds a value."""


def coarse_cell(family: Family, instance: Instance, cell: Cell, rng: Random) -> Knowledge | None:
    """Coarse knowledge of a cell, drawn by where the conditions that read it turn; None where the rules of consistency
    allow no other value.
    """
    values = instance.candidate(cell.candidate)
    rules = [
        rule.expression
        for rule, read in zip(family.conditions, family.condition_reads, strict=True)
        if cell.attribute in read
    ]

    def meets(value: Value) -> object:
        return tuple(_truth(rule, {**values, cell.slot: value}, instance.parameters) for rule in rules)

    marks = thresholds(family, cell.slot, tuple(sorted(instance.parameters.items())))
    holds = legal(family, instance, cell)
    return coarsen(family.domains[cell.slot], instance.cells[cell], meets, marks, rng, holds)


def _truth(rule: Expression, values: Mapping[Slot, Value], parameters: Mapping[str, Value]) -> Value | None:
    """The value of a rule; None where cells that are not legal leave it without one."""
    try:
        return interpret(rule, values, parameters)
    except Undefined:
        return None


def coarsen(
    domain: Domain, value: Value, meets: Meets, marks: tuple[int, ...], rng: Random, holds: Legal = anything
) -> Knowledge | None:
    """Knowledge that is true of the value, strictly coarser, and holds values on both sides of where the rules turn.

    An interval about a turning point is drawn from the value's distance alone, never its side; another one so that each
    place in it is as likely. A set has numbers of values that meet and fail the rules which do not depend on the value.
    An end that is not legal is moved to the nearest natural one that is; None where the value stays alone.
    """
    index = domain.index(value)
    if index is None:
        raise ValueError(f"{value!r} lies outside the domain")
    if isinstance(domain, BooleanDomain) or domain.size < 3:
        return NOTHING
    if isinstance(domain, CategoryDomain):
        return _set(domain, index, meets, rng, holds)
    turns = _turnings(domain, meets, marks)
    low, high = _about(index, rng.choice(turns), domain, rng) if turns else _anywhere(index, domain, rng)
    low, high = _legal(domain, index, *_natural(domain, low, high, rng), holds)
    return Between(domain.value(low), domain.value(high)) if low < high else None


def _legal(domain: Domain, index: int, low: int, high: int, holds: Legal) -> tuple[int, int]:
    """The interval, with an end that is not legal moved inwards to a natural one that is."""
    first, last = legal_span(domain, index, low, high, holds)
    rung = max(1, (last - first) // PARTS)
    lowest = low if first == low else nearest_end(domain, range(first, index + 1), first, rung, first=True)
    return lowest, high if last == high else nearest_end(domain, range(index, last + 1), last, rung, first=False)


def _about(index: int, turn: int, domain: Domain, rng: Random) -> tuple[int, int]:
    """From beyond the distance below the turning point to as far beyond it above, by two like draws."""
    distance = turn - index if index <= turn else index - turn - 1
    reach = max(2, domain.size // REACH)
    low, high = (distance + rng.randint(0, reach) for _ in range(2))
    return max(0, turn - low), min(domain.size - 1, turn + 1 + high)


def _anywhere(index: int, domain: Domain, rng: Random) -> tuple[int, int]:
    """An interval of drawn width in which each place is as likely to be the value's."""
    width = rng.randint(max(1, domain.size // REACH), max(2, domain.size // 2))
    low = index - rng.randint(0, width)
    return max(0, low), min(domain.size - 1, low + width)


def _natural(domain: Domain, low: int, high: int, rng: Random) -> tuple[int, int]:
    """The interval, widened to ends in steps that people use: they depend on the interval alone."""
    if isinstance(domain, DateDomain):
        return _months(domain, low, high, whole=rng.randrange(2) == 1)
    return around(domain, low, high, drawn_rung(domain, rng, max(1, (high - low) // PARTS)))


def _months(domain: DateDomain, low: int, high: int, *, whole: bool) -> tuple[int, int]:
    """From the first day of a month to the last of another, or of halves of months, within the domain; by the day where
    that is short.
    """
    starts, ends = (half_months(domain, first=first) for first in (True, False))
    if not starts:
        return low, high
    if whole:
        starts = tuple(each for each in starts if (domain.low + timedelta(days=each)).day == 1)
        ends = tuple(each for each in ends if (domain.low + timedelta(days=each + 1)).day == 1)
    before, after = [each for each in starts if each <= low], [each for each in ends if each >= high]
    return (before[-1] if before else 0), (after[0] if after else domain.size - 1)


def _turnings(domain: Domain, meets: Meets, marks: tuple[int, ...]) -> list[int]:
    """The indices of the values after which the rules say something else: found between the ends of the domain where
    these differ, else beside the marks.
    """
    told = lru_cache(maxsize=None)(lambda index: meets(domain.value(index)))
    lowest, last = told(0), domain.size - 1
    if lowest != told(last):
        return [bisect_left(range(domain.size), True, key=lambda index: told(index) != lowest) - 1]
    beside = sorted({index for mark in marks for index in (mark - 1, mark) if 0 <= index < last})
    return [index for index in beside if told(index) != told(index + 1)]


def _set(domain: CategoryDomain, index: int, meets: Meets, rng: Random, holds: Legal) -> Knowledge | None:
    """Values of both kinds, those that meet the same rules as the first and others, in numbers that the value does not
    sway; so the kinds stay as likely as they were. Where all are of one kind, any set with the value is as likely.
    """
    told = {number: meets(value) for number, value in enumerate(domain.values) if number == index or holds(value)}
    kinds = [[number for number in told if (told[number] == told[min(told)]) is same] for same in (True, False)]
    if len(told) < 2:
        return None
    if not kinds[1]:
        others = [number for number in told if number != index]
        return _values(domain, [index, *rng.sample(others, rng.randint(1, min(len(others), domain.size - 2)))], rng)
    counts = _counts(len(kinds[0]), len(kinds[1]), domain.size, rng)
    chosen = [each for kind, n in zip(kinds, counts, strict=True) for each in _some(kind, n, index, rng)]
    return _values(domain, chosen, rng)


def _counts(first: int, second: int, size: int, rng: Random) -> tuple[int, int]:
    """How many of either kind are told: at least one each, and not all of the domain."""
    choices = [(one, two) for one in range(1, first + 1) for two in range(1, second + 1)]
    return rng.choice([each for each in choices if sum(each) < size])


def _some(kind: list[int], count: int, index: int, rng: Random) -> list[int]:
    """So many of a kind, the value among them where it is of that kind."""
    if index not in kind:
        return rng.sample(kind, count)
    return [index, *rng.sample([each for each in kind if each != index], count - 1)]


def _values(domain: CategoryDomain, numbers: list[int], rng: Random) -> Knowledge:
    """The values in a drawn order: authors write first what mostly is wanted."""
    return OneOf(tuple(domain.values[number] for number in rng.sample(sorted(numbers), len(numbers))))
