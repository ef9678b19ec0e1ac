"""and, or, not, and what is chosen by a truth: a part that is not reached need not be defined."""

from __future__ import annotations

from collections.abc import Sequence

from unco.solver.closures.parts import Name, Part, ReadTruth, Sum, Truth, certain
from unco.solver.closures.sums import made_of, together


def junction(operator: str, parts: Sequence[Truth]) -> Truth:
    """`and`, which stops at the first false part, or `or`, which stops at the first true one."""
    stop, kept = operator == "or", []
    for part in _flat(operator, parts):
        if part.known is not (not stop):
            kept.append(part)
        if part.known is stop:
            break
    if not kept or (kept[-1].known is stop and all(part.total for part in kept)):
        return certain(stop if kept else not stop)
    if len(kept) == 1:
        return kept[0]
    reads = frozenset[int]().union(*(part.reads for part in kept))
    read = (_any if stop else _all)([part.read for part in kept])
    return Truth(read, reads, all(part.total for part in kept), junction=operator, parts=tuple(kept))


def _flat(operator: str, parts: Sequence[Truth]) -> list[Truth]:
    return [each for part in parts for each in (part.parts if part.junction == operator else (part,))]


def _all(reads: Sequence[ReadTruth]) -> ReadTruth:
    match reads:
        case [one, two]:
            return lambda row: one(row) and two(row)
        case [one, two, three]:
            return lambda row: one(row) and two(row) and three(row)
    first, rest = _all(reads[:2]), _all(reads[2:])
    return lambda row: first(row) and rest(row)


def _any(reads: Sequence[ReadTruth]) -> ReadTruth:
    match reads:
        case [one, two]:
            return lambda row: one(row) or two(row)
        case [one, two, three]:
            return lambda row: one(row) or two(row) or three(row)
    first, rest = _any(reads[:2]), _any(reads[2:])
    return lambda row: first(row) or rest(row)


def both(one: Truth, other: Truth) -> Truth:
    """Both of two truths, each of which must be defined."""
    if other.total:
        return junction("and", (one, other))
    first, second = one.read, other.read
    return Truth(lambda row: bool(first(row)) & bool(second(row)), one.reads | other.reads, False)


def opposite(part: Truth) -> Truth:
    """Not."""
    if part.known is not None:
        return certain(not part.known)
    read = part.read
    return Truth(lambda row: not read(row), part.reads, part.total, junction="not", parts=(part,))


def chosen(test: Truth, then: Part, otherwise: Part) -> Part:
    """The branch that a truth takes."""
    if test.known is not None:
        return then if test.known else otherwise
    decide, total = test.read, test.total and then.total and otherwise.total
    if isinstance(then, Sum) and isinstance(otherwise, Sum):
        (one, other), scale = together(then, otherwise)
        return made_of(lambda row: one(row) if decide(row) else other(row), scale, (test, then, otherwise))
    reads = test.reads | then.reads | otherwise.reads
    if isinstance(then, Truth) and isinstance(otherwise, Truth):
        yes, no = then.read, otherwise.read
        return Truth(lambda row: yes(row) if decide(row) else no(row), reads, total)
    if isinstance(then, Name) and isinstance(otherwise, Name):
        first, second = then.read, otherwise.read
        return Name(lambda row: first(row) if decide(row) else second(row), reads, total)
    raise TypeError("two branches of different types")
