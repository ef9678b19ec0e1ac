"""The grammar of the sentences that state conditions, rules and calculations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from unco.compiler.reading.engine import Listing, Node, Part, Production, Symbol
from unco.compiler.reading.meaning import DATE, NUMBER, TRUTH

WHOLE, ANY, CLAUSE, PART = Symbol("whole"), Symbol("any"), Symbol("clause"), Symbol("part")
VERB, TABLE, MEMBERS, LEAP, GRAIN = Symbol("verb"), Symbol("table"), Symbol("members"), Symbol("leap"), Symbol("grain")
TIES = {
    "to the nearest, ties away from zero": "half_up",
    "to the nearest, ties to the even neighbour": "half_even",
    "to the nearest, ties towards zero": "half_down",
    "away from zero": "up",
    "towards zero": "down",
    "down to the lower neighbour": "floor",
    "up to the higher neighbour": "ceiling",
}
_LEAPS = {"last day of that month": "down", "first day of the next month": "up"}
_ORDER = (
    (">=", NUMBER, "at least "), (">", NUMBER, "more than "), ("<=", NUMBER, "at most "), ("<", NUMBER, "less than "),
    (">=", DATE, "on or after "), (">", DATE, "after "), ("<=", DATE, "on or before "), ("<", DATE, "before "),
)  # fmt: skip
_EXTREMES = (
    ("min", NUMBER, "smaller", "smallest"), ("max", NUMBER, "larger", "largest"),
    ("min", DATE, "earlier", "earliest"), ("max", DATE, "later", "latest"),
)  # fmt: skip


def productions() -> dict[str, list[Production]]:
    """The rules of the grammar, by name."""
    return {
        "verb": [_row(" is ", build=lambda: ("is",)), _row(" are ", build=lambda: ("are",))],
        "leap": [
            _row(f"a day that a month lacks counts as the {words}", build=lambda mode=mode: (mode,))
            for words, mode in _LEAPS.items()
        ],
        "grain": list(_grains()),
        "weighted": [_row(PART, " (weight ", ANY, ")", build=lambda *pair: _fitted(pair, NUMBER, pair))],
        "part": [_row("(", ANY, ")", build=lambda node: node), _row("minus ", PART, build=_built("negate", NUMBER))],
        "clause": [
            _row(PART, build=lambda node: node),
            *_comparisons(),
            *_arithmetic(),
            *_dates(),
            *_tables(),
            *_many(),
        ],
        "any": [_row(CLAUSE, build=lambda node: node), *_joints(), *_choices(), *_quantified(CLAUSE)],
        "whole": [_row(ANY, build=lambda node: node), *_quantified(ANY), *_counted(ANY)],
    }


def _row(*parts: Part, build: Callable[..., Node | None]) -> Production:
    return Production(parts, build)


def _grains() -> Iterator[Production]:
    for words, mode in TIES.items():
        yield _row(f"to a whole number ({words})", build=lambda mode=mode: (0, mode))
        for places in range(1, 10):
            noun = "place" if places == 1 else "places"
            yield _row(f"to {places} decimal {noun} ({words})", build=lambda places=places, mode=mode: (places, mode))
            yield _row(
                f"to a multiple of {10**places:,} ({words})", build=lambda places=places, mode=mode: (-places, mode)
            )


def _comparisons() -> Iterator[Production]:
    for sign, kind, words in _ORDER:
        yield _row(PART, VERB, words, PART, build=lambda a, _, b, sign=sign, kind=kind: _ordered(sign, kind, a, b))
    yield _row(PART, VERB, PART, build=lambda a, _, b: _same("==", a, b))
    yield _row(PART, VERB, "not ", PART, build=lambda a, _, b: _same("!=", a, b))
    yield _row("not (", ANY, ")", build=_built("not", TRUTH, TRUTH))


def _arithmetic() -> Iterator[Production]:
    for words, sign in ((" + ", "+"), (" − ", "-"), (" × ", "*"), (" ÷ ", "/")):
        yield _row(PART, words, PART, build=lambda a, b, sign=sign: _calculated(sign, a, b))
    yield _row("the size of ", PART, " without its sign", build=_built("abs", NUMBER, NUMBER))
    yield _row("the percentage change from ", PART, " to ", PART, build=_built("percent_change", NUMBER, NUMBER))
    yield _row(
        "the whole number of times that ", PART, " goes into ", PART, " (rounded down)",
        build=lambda a, b: _applied("//", NUMBER, NUMBER, (b, a)),
    )  # fmt: skip
    yield _row(
        "what is left of ", PART, " after taking away whole multiples of ", PART, build=_built("mod", NUMBER, NUMBER)
    )
    yield _row(
        PART, " rounded ", GRAIN, build=lambda a, grain: ("round", NUMBER, *grain, a) if a[1] == NUMBER else None
    )


def _dates() -> Iterator[Production]:
    for name, words in (("years_between", "years"), ("months_between", "months")):
        yield _row(
            f"the completed {words} from ", PART, " to ", PART, " (", LEAP, ")",
            build=lambda a, b, leap, name=name: _fitted((name, NUMBER, *leap, a, b), DATE, (a, b)),
        )  # fmt: skip
    yield _row("the number of days from ", PART, " to ", PART, build=_built("days_between", NUMBER, DATE))
    yield _row(
        PART, " moved by ", PART, " (", LEAP, ")",
        build=lambda a, b, leap: ("add_months", DATE, *leap, a, b) if (a[1], b[1]) == (DATE, NUMBER) else None,
    )  # fmt: skip
    yield _row("the first day of the month of ", PART, build=_built("month_start", DATE, DATE))
    yield _row("the last day of the month of ", PART, build=_built("month_end", DATE, DATE))


def _tables() -> Iterator[Production]:
    yield _row(
        'the value in the table "', TABLE, '" for ', PART,
        build=lambda table, key: _fitted(("lookup", table[1], table[0], key), table[2], (key,))
    )  # fmt: skip
    yield _row(
        'the sum over the tiers of "', TABLE, '" of the rate of each tier times the part of ', PART,
        " inside that tier",
        build=lambda table, amount: _fitted(("tiered", NUMBER, table[0], amount), NUMBER, (amount,)),
    )  # fmt: skip


def _many() -> Iterator[Production]:
    yield from _counted(CLAUSE)


def _counted(body: Symbol) -> Iterator[Production]:
    """Counts and totals over members."""
    for members, whole in _groups():
        yield _row("the number of ", *members, " for whom ", body, build=_over("count of", NUMBER, TRUTH, whole))
        yield _row("the total over the ", *members, " of ", body, build=_over("total of", NUMBER, NUMBER, whole))


def _quantified(body: Symbol) -> Iterator[Production]:
    for members, whole in _groups():
        yield _row("for at least one of the ", *members, ": ", body, build=_over("any of", TRUTH, TRUTH, whole))
        yield _row("for every one of the ", *members, ": ", body, build=_over("all of", TRUTH, TRUTH, whole))


def _groups() -> tuple[tuple[tuple[Part, ...], bool], ...]:
    """All members, or those up to a number."""
    return ((MEMBERS,), True), ((MEMBERS, " numbered from 1 to ", PART), False)


def _over(name: str, kind: str, wanted: str, whole: bool) -> Callable[..., Node | None]:
    def build(group: Node, *rest: Node) -> Node | None:
        size, body = ("all", *rest) if whole else rest
        return (name, kind, *group, size, body) if _is(body, wanted) else None

    return build


def _joints() -> Iterator[Production]:
    yield _row("both ", CLAUSE, " and ", CLAUSE, build=_built("and", TRUTH, TRUTH))
    yield _row("all of these: ", Listing("clause", "and"), build=lambda parts: _applied("and", TRUTH, TRUTH, parts))
    yield _row(CLAUSE, " or ", CLAUSE, " (at least one of the two)", build=_built("or", TRUTH, TRUTH))
    yield _row(
        "at least one of these: ", Listing("clause", "or"), build=lambda parts: _applied("or", TRUTH, TRUTH, parts)
    )
    yield _row("either both of these hold or neither does: ", CLAUSE, "; ", CLAUSE, build=_built("iff", TRUTH, TRUTH))
    yield _row("exactly one of these holds: ", CLAUSE, "; ", CLAUSE, build=_built("xor", TRUTH, TRUTH))


def _choices() -> Iterator[Production]:
    yield _row(PART, VERB, "from ", PART, " to ", PART, ", both included", build=_between)
    yield _row(PART, VERB, "either ", CLAUSE, " or ", CLAUSE, build=lambda a, _, *others: _one_of(a, others))
    yield _row(PART, VERB, "one of ", Listing("clause", "or"), build=lambda a, _, others: _one_of(a, others))
    yield _row(CLAUSE, " if ", CLAUSE, ", otherwise ", CLAUSE, build=_chosen)
    for name, kind, two, several in _EXTREMES:
        yield _row(f"the {two} of ", CLAUSE, " and ", CLAUSE, build=_built(name, kind, kind))
        yield _row(
            f"the {several} of ", Listing("clause", "and"),
            build=lambda parts, name=name, kind=kind: _applied(name, kind, kind, parts) if len(parts) > 2 else None,
        )  # fmt: skip
    yield _row("the sum of ", Listing("clause", "and"), build=lambda parts: _applied("sum", NUMBER, NUMBER, parts))
    yield _row("the weighted mean of ", Listing("weighted", "and"), build=_mean)
    yield _row("the weighted mean of ", Symbol("weighted"), build=lambda pair: _mean((pair,)))


def _built(name: str, kind: str, wanted: str | None = None) -> Callable[..., Node | None]:
    return lambda *parts: _applied(name, kind, wanted or kind, parts)


def _applied(name: str, kind: str, wanted: str, parts: tuple[Node, ...]) -> Node | None:
    return _fitted((name, kind, *parts), wanted, parts)


def _fitted(node: Node, wanted: str, parts: Sequence[Node]) -> Node | None:
    return node if all(_is(part, wanted) for part in parts) else None


def _is(node: Sequence[Any], kind: str) -> bool:
    return bool(node[1] == kind)


def _ordered(sign: str, kind: str, left: Node, right: Node) -> Node | None:
    return _applied(sign, TRUTH, kind, (left, right))


def _same(sign: str, left: Node, right: Node) -> Node | None:
    return _applied(sign, TRUTH, left[1], (left, right))


def _calculated(sign: str, left: Node, right: Node) -> Node | None:
    kind = DATE if sign in "+-" and left[1] == DATE else NUMBER
    return (sign, kind, left, right) if _is(left, kind) and _is(right, NUMBER) else None


def _between(value: Node, _: Node, low: Node, high: Node) -> Node | None:
    return _applied("between", TRUTH, value[1], (value, low, high)) if value[1] in (NUMBER, DATE) else None


def _one_of(value: Node, others: tuple[Node, ...]) -> Node | None:
    return _applied("in", TRUTH, value[1], (value, *others))


def _chosen(then: Node, condition: Node, otherwise: Node) -> Node | None:
    fits = _is(condition, TRUTH) and _is(otherwise, then[1])
    return ("if", then[1], condition, then, otherwise) if fits else None


def _mean(pairs: tuple[Node, ...]) -> Node | None:
    return ("weighted_mean", NUMBER, *chain.from_iterable(pairs))
