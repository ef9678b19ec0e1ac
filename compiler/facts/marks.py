"""Marks: the places of a cell at which a comparison turns, fixed or worked out from other places of the row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from unco.solver.closures.parts import Frame, Number, ReadNumber, Row, Sum
from unco.solver.closures.reading import MOST_TABULATED
from unco.solver.closures.sums import scaled, times
from unco.solver.operators.operator import Undefined


class Moving(NamedTuple):
    """A mark that other places of the row decide; -1 where there is none."""

    read: ReadNumber
    reads: frozenset[int]


@dataclass
class Marks:
    """The marks of one place."""

    fixed: list[int] = field(default_factory=list)
    moving: list[Moving] = field(default_factory=list)


def marks_of(compared: Iterable[Sum], frame: Frame) -> dict[int, Marks]:
    """The marks of every place that is compared with something, by the differences that comparisons ask the sign of."""
    found: dict[int, Marks] = {}
    for difference in compared:
        for place, factor in difference.places:
            rest = Sum(
                difference.constant,
                tuple(each for each in difference.places if each[0] != place),
                difference.atoms,
            )
            _add(found.setdefault(place, Marks()), times(rest, -1 / factor), frame.domains[place].size)
        if not difference.places and len(difference.reads) == 1:
            (place,) = difference.reads
            found.setdefault(place, Marks()).fixed += _turns(difference, place, frame)
    for marks in found.values():
        marks.fixed = sorted(set(marks.fixed))
    return found


def _add(marks: Marks, at: Sum, size: int) -> None:
    """The place that makes a difference zero, or those to its sides."""
    if at.is_constant:
        low = at.constant.numerator // at.constant.denominator
        near = (low,) if at.constant.denominator == 1 else (low, low + 1)
        marks.fixed += [place for place in near if 0 <= place < size]
        return
    read, scale = scaled(at)

    def mark(row: Row) -> Number:
        try:
            return read(row) // scale
        except Undefined:
            return -1

    marks.moving.append(Moving(mark, at.reads))


def _turns(difference: Sum, place: int, frame: Frame) -> list[int]:
    """The places to either side of which the sign of something worked out is another."""
    size = frame.domains[place].size
    if size > MOST_TABULATED or not difference.total:
        return []
    read, row, signs = scaled(difference).read, [0] * len(frame.domains), []
    for number in range(size):
        row[place] = number
        value = read(row)
        signs.append((value > 0) - (value < 0))
    turns = [number for number in range(1, size) if signs[number] != signs[number - 1]]
    return [near for number in turns for near in (number - 1, number)]
