"""Proposals: the natural values of a cell as a table from which one draw of ten bits takes a place.

An entry below zero stands for a rule that works a place out from others of the row, or from more bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from unco.compiler.facts.marks import Marks
from unco.compiler.planning.contexts import ALIKE
from unco.compiler.planning.natural import grid, ladder
from unco.solver.closures.parts import Frame, ReadNumber, Row
from unco.specs.domains import DateDomain, Domain, NumberDomain
from unco.specs.family import Family

BITS = 10
ENTRIES = 1 << BITS
MOST_POINTS = 64
"""So many multiples of a rung near a mark are proposed; they lie evenly."""
NEAR = 10
"""Near is within one part in this many of the domain."""
Bits: TypeAlias = Callable[[int], int]
"""Gives so many random bits."""
Special: TypeAlias = Callable[[Row, Bits], int]
"""A place for a row, perhaps outside the domain."""
Weighed: TypeAlias = tuple[Fraction, Sequence[int] | Special]


@dataclass(frozen=True)
class Proposals:
    """The entries of a table, its rules, the last place of the domain, and the entries that are places."""

    entries: Sequence[int]
    specials: tuple[Special, ...]
    last: int
    plain: Sequence[int]

    def kept(self, holds: Callable[[int], bool]) -> Proposals:
        """The table with those places alone that hold; none where no place is left and no rule is there."""
        good = {place for place in set(self.plain) if holds(place)}
        entries = [each for each in self.entries if each < 0 or each in good]
        plain = [each for each in entries if each >= 0]
        if not entries:
            return Proposals((), (), self.last, ())
        return Proposals(_filled(entries), self.specials, self.last, _filled(plain) if plain else ())


def _filled(entries: Sequence[int]) -> list[int]:
    return [entries[number * len(entries) // ENTRIES] for number in range(ENTRIES)]


class Proposer:
    """Makes the tables of a family, each once."""

    def __init__(self, family: Family, frame: Frame, marks: dict[int, Marks]) -> None:
        self.family = family
        self.frame = frame
        self.marks = {**marks, **_of_other_contexts(family, frame, marks)}
        self.required = _required_places(family, frame)
        self._made: dict[tuple[int, tuple[int, ...], bool], Proposals] = {}

    def table(self, place: int, known: frozenset[int]) -> Proposals:
        """The proposals of a place where these places are known already."""
        moving = self.marks[place].moving if place in self.marks else []
        usable = tuple(number for number, each in enumerate(moving) if each.reads <= known)
        alike = place in self.required and self.required[place] in known
        key = (place, usable, alike)
        if key not in self._made:
            self._made[key] = self._table(place, usable, alike=alike)
        return self._made[key]

    def natural(self, place: int) -> Proposals:
        """The proposals of a parameter: natural values alone."""
        domain = self.frame.domains[place]
        return _apportioned(list(_natural(domain)), domain)

    def _table(self, place: int, usable: tuple[int, ...], *, alike: bool) -> Proposals:
        domain = self.frame.domains[place]
        shares = list(self._drawn(place, usable))
        near = _near(self.frame, self.required[place], place) if alike else None
        if near is not None:
            total = sum((weight for weight, _ in shares), Fraction(0))
            shares.append((total * ALIKE / (1 - ALIKE), near))
        return _apportioned(shares, domain)

    def _drawn(self, place: int, usable: tuple[int, ...]) -> Iterable[Weighed]:
        """By margin from what the place is compared with; natural values alone where it is compared with nothing."""
        domain, marks = self.frame.domains[place], self.marks.get(place, Marks())
        fixed = marks.fixed if isinstance(domain, NumberDomain | DateDomain) else []
        many = len(fixed) + len(usable)
        if not many:
            yield from _natural(domain)
            return
        weight = {name: Fraction(each) for name, each in self.family.plan.margins}
        for mark in fixed:
            yield weight["edge"] / many, _edge(domain, mark)
            yield weight["near"] / many, _points_near(domain, mark)
        for number in usable:
            read = marks.moving[number].read
            yield weight["edge"] / many, _edge_of(read)
            yield weight["near"] / many, _near_to(domain, read)
        natural = list(_natural(domain))
        total = sum((each for each, _ in natural), Fraction(0))
        yield from ((weight["far"] * each / total, points) for each, points in natural)


def _apportioned(shares: Sequence[Weighed], domain: Domain) -> Proposals:
    """Each share with its part of the entries; one with more places than entries becomes a rule."""
    total, passed = sum((weight for weight, _ in shares), Fraction(0)), Fraction(0)
    entries: list[int] = []
    specials: list[Special] = []
    for weight, points in shares:
        passed += weight
        room = int(ENTRIES * passed / total) - len(entries)
        if not callable(points) and len(points) > room:
            points = _anywhere(points)
        if callable(points):
            specials.append(points)
            entries += [-len(specials)] * room
        else:
            entries += [points[number * len(points) // room] for number in range(room)]
    return Proposals(entries, tuple(specials), domain.size - 1, [each for each in entries if each >= 0])


def _natural(domain: Domain) -> Iterable[Weighed]:
    return ((Fraction(weight), grid(domain, rung)) for rung, weight in ladder(domain))


def _anywhere(points: Sequence[int]) -> Special:
    many = len(points)
    return lambda row, bits: points[bits(32) * many >> 32]


def _edge(domain: Domain, mark: int) -> list[int]:
    """Half the time the mark itself, else a step off: the domain's own, or one in which its author wrote it."""
    near = [mark + each for each in _offsets(domain, mark)]
    return [place for place in near if 0 <= place < domain.size]


def _offsets(domain: Domain, mark: int) -> tuple[int, ...]:
    rungs = [rung for rung, _ in ladder(domain) if rung <= domain.size // NEAR and mark in grid(domain, rung)]
    coarse = max(rungs, default=1)
    return (0, 0, 0, 0, 1, -1, coarse, -coarse)


def _points_near(domain: Domain, mark: int) -> list[int]:
    """Multiples of natural steps within a tenth of the domain, the coarser ones more often."""
    reach = max(2, domain.size // NEAR)
    found: list[int] = []
    for rung, weight in _rungs(domain, reach):
        start = grid(domain, rung).start
        first = start + -(-(mark - reach - start) // rung) * rung
        points = [each for each in range(first, mark + reach + 1, rung) if 0 <= each < domain.size and each != mark]
        found += _spread(points, MOST_POINTS) * weight
    return found or [mark]


def _spread(points: Sequence[int], most: int) -> list[int]:
    if len(points) <= most:
        return list(points)
    return [points[number * len(points) // most] for number in range(most)]


def _rungs(domain: Domain, reach: int) -> list[tuple[int, int]]:
    return [each for each in ladder(domain) if each[0] <= max(1, reach // 2)] or [(1, 1)]


def _edge_of(read: ReadNumber) -> Special:
    return lambda row, bits: int(read(row)) + (0, 0, 1, -1)[bits(2)]


def _near_to(domain: Domain, read: ReadNumber) -> Special:
    snapped = _snapped(domain, max(2, domain.size // NEAR))
    return lambda row, bits: snapped(int(read(row)), bits)


def _snapped(domain: Domain, reach: int) -> Callable[[int, Bits], int]:
    """The multiple of a natural step that lies nearest to a place within reach."""
    weighed = [rung for rung, weight in _rungs(domain, reach) for _ in range(weight)]
    steps = [(rung, grid(domain, rung).start) for rung in weighed]
    many, width = len(steps), 2 * reach + 1

    def near(place: int, bits: Bits) -> int:
        drawn = bits(32)
        rung, first = steps[(drawn & 0xFFFF) * many >> 16]
        return first + (place + ((drawn >> 16) * width >> 16) - reach - first + rung // 2) // rung * rung

    return near


def _near(frame: Frame, required: int, place: int) -> Special | None:
    """Within a tenth of the domain of the value in the required context; None where the two cannot be compared."""
    told, domain = frame.domains[required], frame.domains[place]
    if isinstance(told, DateDomain) and isinstance(domain, DateDomain):
        factor, shift = Fraction(1), Fraction((told.low - domain.low).days)
    elif isinstance(told, NumberDomain) and isinstance(domain, NumberDomain):
        if told.unit.dimension != domain.unit.dimension:
            return None
        scale = told.unit.scale / domain.unit.scale
        factor, shift = told.step * scale / domain.step, (told.low * scale - domain.low) / domain.step
    else:
        return None
    whole = lcm(factor.denominator, shift.denominator)
    a, b, snapped = int(factor * whole), int(shift * whole), _snapped(domain, max(1, domain.size // NEAR))
    return lambda row, bits: snapped((a * row[required] + b) // whole, bits)


def _required_places(family: Family, frame: Frame) -> dict[int, int]:
    """For each cell of another context: the place of the same cell in the required one."""
    found = {}
    for slot in family.slots:
        required = slot._replace(context=family.attribute_by_id[slot.attribute].required)
        if slot != required:
            found[frame.position[slot]] = frame.position[required]
    return found


def _of_other_contexts(family: Family, frame: Frame, marks: dict[int, Marks]) -> dict[int, Marks]:
    """What a cell of another context, which no rule compares, would be compared with in the required one."""
    found = {}
    for place, required in _required_places(family, frame).items():
        if place in marks or required not in marks:
            continue
        domain, told = frame.domains[place], frame.domains[required]
        if isinstance(domain, NumberDomain | DateDomain):
            there = (domain.index(told.value(mark)) for mark in marks[required].fixed)
            found[place] = Marks([each for each in there if each is not None])
    return found
