"""count, any, all and total over the members of a group that exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from unco.solver.closures.parts import Frame, Part, ReadTruth, Row, Sum, Truth
from unco.solver.closures.sums import bounds, exactly, made_of, together
from unco.solver.operators.operator import Undefined


def over_members(operator: str, size: Sum, bodies: Sequence[Part], frame: Frame) -> Part:
    """What the bodies of the members come to, up to the size; each of them must be defined."""
    many = _size(size, len(bodies), frame)
    if operator == "total":
        numbers = [body for body in bodies if isinstance(body, Sum)]
        reads, scale = together(*numbers) if numbers else ([], 1)
        return made_of(lambda row: sum([read(row) for read in reads[: many(row)]]), scale, (size, *bodies), total=False)
    truths = [body.read for body in bodies if isinstance(body, Truth)]
    if operator == "count":
        count: Callable[[Row], int] = lambda row: sum([bool(read(row)) for read in truths[: many(row)]])  # noqa: E731
        return made_of(count, 1, (size, *bodies), total=False, whole=True)
    reads_ = size.reads.union(*(body.reads for body in bodies))
    wanted = operator == "any"
    if all(body.total for body in bodies):
        return Truth(_until(wanted, truths, many), reads_, False)
    fold: Any = any if wanted else all
    return Truth(lambda row: fold([read(row) for read in truths[: many(row)]]), reads_, False)


def _until(wanted: bool, truths: Sequence[ReadTruth], many: Callable[[Row], int]) -> ReadTruth:
    """Bodies that are always defined: the first that decides is enough."""

    def read(row: Row) -> bool:
        for body in truths[: many(row)]:
            if (not body(row)) is not wanted:
                return wanted
        return not wanted

    return read


def _size(size: Sum, most: int, frame: Frame) -> Callable[[Row], int]:
    read = exactly(size)
    ends = bounds(size, frame)
    if ends is not None and ends[0] >= 0 and ends[1] <= most and all(f.denominator == 1 for _, f in size.places):
        return read  # type: ignore[return-value]

    def many(row: Row) -> int:
        number = read(row)
        if not isinstance(number, int) or not 0 <= number <= most:
            raise Undefined(f"the number of members is {number}, not one of 0 to {most}")
        return number

    return many
