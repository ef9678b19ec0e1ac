"""The grammar of the sentences that state conditions, rules and calculations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from unco.compiler.reading.engine import Chain, Listing, Node, Part, Production, Symbol
from unco.compiler.reading.meaning import DATE, NO_MODE, NUMBER, TRUTH, constant, mode_matters
from unco.specs.values import MONTHS

ANY, CLAUSE, PART = Symbol("any"), Symbol("clause"), Symbol("part")
VERB, TABLE, MEMBERS, GRAIN = Symbol("verb"), Symbol("table"), Symbol("members"), Symbol("grain")
SIDE, UNIT = Symbol("side"), Symbol("unit")
TIES = {
    "halves rounded away from zero": "half_up",
    "halves rounded to the even neighbour": "half_even",
    "halves rounded towards zero": "half_down",
    "rounded away from zero": "up",
    "rounded towards zero": "down",
    "rounded down": "floor",
    "rounded up": "ceiling",
}
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
_LEAPS = {
    "years": ("in a year without 29 February, 28 February counts", "in a year without 29 February, 1 March counts"),
    "months": (
        "in a month without the starting day, its last day counts",
        "in a month without the starting day, the first day of the next month counts",
    ),
    "day": (
        "or the last day of that month if it has no such day",
        "or the first day of the next month if that month has no such day",
    ),
}
"""What is said of a month without the day, for both modes, `down` and `up`."""
_SIGNS = {" + ": "+", " − ": "-", " × ": "*"}
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
        **{name: list(_leaps(words)) for name, words in _LEAPS.items()},
        "ordinal": [
            _row(word, build=lambda number=number: _months(number)) for number, word in enumerate(_ORDINALS, 1)
        ],
        "grain": list(_grains()),
        "weighted": [_row(PART, " (weighted by ", ANY, ")", build=lambda *pair: _fitted(pair, NUMBER, pair))],
        "part": [_row("(", ANY, ")", build=lambda node: node), _row("minus ", PART, build=_built("negate", NUMBER))],
        "product": [_row(Chain("part", (" × ",)), build=_chained), _row(PART, " ÷ ", PART, build=_quotient)],
        "sum": [_row(Chain("product", (" + ", " − ")), build=_chained)],
        "side": [
            _row(Symbol("sum"), build=lambda node: node),
            *_nouns(),
            *_dates(),
            *_tables(),
            *_pairs(),
            *_counted(PART),
        ],
        "clause": [_row(SIDE, build=lambda node: node), *_comparisons(), *_counted(CLAUSE)],
        "weighed": [
            _row(CLAUSE, ", weighted by ", CLAUSE, build=lambda *pair: _fitted(("pair", NUMBER, *pair), NUMBER, pair))
        ],
        "case": [_row(CLAUSE, " if ", ANY, build=_case), _row("otherwise ", ANY, build=lambda node: node)],
        "any": [_row(CLAUSE, build=lambda node: node), *_joints(), *_choices(), *_quantified(ANY), *_counted(ANY)],
    }


def _row(*parts: Part, build: Callable[..., Node | None]) -> Production:
    return Production(parts, build)


def _leaps(words: tuple[str, str]) -> Iterator[Production]:
    """Which mode a bracket states; without one, none."""
    for told, mode in zip(words, ("down", "up"), strict=True):
        yield _row(f" ({told})", build=lambda mode=mode: (mode,))
    yield _row(build=lambda: (NO_MODE,))


def _months(number: int) -> Node:
    return constant(Fraction(number), MONTHS)


def _grains() -> Iterator[Production]:
    for words, mode in TIES.items():
        yield _row(f"to a whole number ({words})", build=_grain(0, mode))
        yield _row("to a whole number of ", UNIT, f" ({words})", build=_grain(0, mode))
        yield _row(f"to a whole percentage ({words})", build=lambda mode=mode: (0, mode, (), Fraction(1, 100)))
        for places in range(1, 10):
            noun = "place" if places == 1 else "places"
            for unit in ((), (" in ", UNIT)):
                yield _row(f"to {places} decimal {noun}", *unit, f" ({words})", build=_grain(places, mode))
            for unit in ((), (" ", UNIT)):
                yield _row(f"to a multiple of {10**places:,}", *unit, f" ({words})", build=_grain(-places, mode))


def _comparisons() -> Iterator[Production]:
    for sign, kind, words in _ORDER:
        yield _row(SIDE, VERB, words, SIDE, build=lambda a, _, b, sign=sign, kind=kind: _ordered(sign, kind, a, b))
    yield _row(SIDE, VERB, SIDE, build=lambda a, _, b: _same("==", a, b))
    yield _row(SIDE, VERB, "not ", SIDE, build=lambda a, _, b: _same("!=", a, b))
    yield _row("it is not the case that ", CLAUSE, build=_built("not", TRUTH, TRUTH))


def _nouns() -> Iterator[Production]:
    yield _row("the absolute value of ", PART, build=_built("abs", NUMBER, NUMBER))
    yield _row(
        "the difference between ", PART, " and ", PART,
        build=lambda a, b: _fitted(("abs", NUMBER, ("-", NUMBER, a, b)), NUMBER, (a, b)),
    )  # fmt: skip
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
            "the time from ", PART, " to ", PART, f" in completed {words}", Symbol(words),
            build=lambda a, b, leap, name=name: _led((name, NUMBER, *leap, a, b), DATE, DATE),
        )  # fmt: skip
    yield _row("the time from ", PART, " to ", PART, build=_built("days_between", NUMBER, DATE))
    yield _row(
        "the day ", PART, " after ", PART, Symbol("day"),
        build=lambda b, a, leap: _led(("add_months", DATE, *leap, a, b), DATE, NUMBER),
    )  # fmt: skip
    yield _row(
        "the day ", PART, " before ", PART, Symbol("day"),
        build=lambda b, a, leap: _led(("add_months", DATE, *leap, a, ("negate", NUMBER, b)), DATE, NUMBER),
    )  # fmt: skip
    for end, name in (("first", "month_start"), ("last", "month_end")):
        yield _row(f"the {end} day of the month of ", PART, build=_built(name, DATE, DATE))
        yield _row(
            f"the {end} day of the month that comes ", PART, " after the month of ", PART,
            build=lambda b, a, name=name: _months_on(name, a, b),
        )  # fmt: skip
        yield _row(
            f"the {end} day of the ", Symbol("ordinal"), " month after the month of ", PART,
            build=lambda b, a, name=name: _months_on(name, a, b),
        )  # fmt: skip


def _tables() -> Iterator[Production]:
    yield _row(
        'the value in the table "', TABLE, '" for ', PART,
        build=lambda table, key: _fitted(("lookup", table[1], table[0], key), table[2], (key,))
    )  # fmt: skip
    yield _row(
        "the total for ", PART, ' by the tiers of "', TABLE,
        '" (the part of it within each tier × the rate of that tier, added up)',
        build=lambda amount, table: _fitted(("tiered", NUMBER, table[0], amount), NUMBER, (amount,)),
    )  # fmt: skip


def _counted(body: Symbol) -> Iterator[Production]:
    """Counts and totals over members."""
    for members, whole in _groups():
        for which in (" for whom ", " for which "):
            yield _row("the number of ", *members, which, body, build=_over("count of", NUMBER, TRUTH, whole))
        yield _row("the total over the ", *members, " of ", body, build=_over("total of", NUMBER, NUMBER, whole))


def _quantified(body: Symbol) -> Iterator[Production]:
    for members, whole in _groups():
        yield _row("for at least one of the ", *members, ": ", body, build=_over("any of", TRUTH, TRUTH, whole))
        yield _row("for each of the ", *members, ": ", body, build=_over("all of", TRUTH, TRUTH, whole))


def _groups() -> tuple[tuple[tuple[Part, ...], bool], ...]:
    """All members, or those up to a number."""
    return ((MEMBERS,), True), ((MEMBERS, " numbered from 1 to ", PART), False)


def _over(name: str, kind: str, wanted: str, whole: bool) -> Callable[..., Node | None]:
    def build(group: Node, *rest: Node) -> Node | None:
        size, body = ("all", *rest) if whole else rest
        return (name, kind, *group, size, body) if _is(body, wanted) else None

    return build


def _joints() -> Iterator[Production]:
    yield _row(CLAUSE, " and ", CLAUSE, build=_built("and", TRUTH, TRUTH))
    yield _row(
        "all of these hold: ", Listing("clause", "and"), build=lambda parts: _applied("and", TRUTH, TRUTH, parts)
    )
    yield _row(CLAUSE, " or ", CLAUSE, " (or both)", build=_built("or", TRUTH, TRUTH))
    yield _row(
        "at least one of these holds: ",
        Listing("clause", "or"),
        build=lambda parts: _applied("or", TRUTH, TRUTH, parts),
    )
    yield _row("either both of these hold or neither does: ", CLAUSE, "; ", CLAUSE, build=_built("iff", TRUTH, TRUTH))
    yield _row("exactly one of these holds: ", CLAUSE, "; ", CLAUSE, build=_built("xor", TRUTH, TRUTH))


def _pairs() -> Iterator[Production]:
    """The smaller or the larger of two."""
    for name, kind, two, _ in _EXTREMES:
        yield _row(f"the {two} of ", PART, " and ", PART, build=_built(name, kind, kind))


def _choices() -> Iterator[Production]:
    yield _row(SIDE, VERB, "between ", PART, " and ", PART, ", both included", build=_between)
    yield _row(
        SIDE, VERB, "between ", Symbol("span"), ", both included", build=lambda a, verb, ends: _between(a, verb, *ends)
    )
    yield _row(SIDE, VERB, "between ", Symbol("figure"), " and ", PART, ", both included", build=_between_figures)
    yield _row(SIDE, VERB, "either ", CLAUSE, " or ", CLAUSE, build=lambda a, _, *others: _one_of(a, others))
    yield _row(SIDE, VERB, "one of ", Listing("clause", "or"), build=lambda a, _, others: _one_of(a, others))
    yield _row(CLAUSE, " if ", ANY, ", otherwise ", CLAUSE, build=_chosen)
    for name, kind, two, several in _EXTREMES:
        yield _row(f"the {two} of ", CLAUSE, " and ", CLAUSE, build=_built(name, kind, kind))
        yield _row(
            f"the {several} of ", Listing("clause", "and"),
            build=lambda parts, name=name, kind=kind: _applied(name, kind, kind, parts) if len(parts) > 2 else None,
        )  # fmt: skip
    yield _row("the sum of ", Listing("clause", "and"), build=lambda parts: _applied("sum", NUMBER, NUMBER, parts))
    yield _row("the mean of ", Listing("weighted", "and"), build=_mean)
    yield _row("the mean of ", Symbol("weighted"), build=lambda pair: _mean((pair,)))


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


def _chained(links: tuple[Any, ...]) -> Node | None:
    """Parts with signs between them, from left to right."""
    node, *rest = links
    for sign, part in zip(rest[::2], rest[1::2], strict=True):
        node = _calculated(_SIGNS[sign], node, part)
        if node is None:
            return None
    return node  # type: ignore[no-any-return]


def _quotient(left: Node, right: Node) -> Node | None:
    return _calculated("/", left, right)


def _calculated(sign: str, left: Node, right: Node) -> Node | None:
    kind = DATE if sign in "+-" and left[1] == DATE else NUMBER
    return (sign, kind, left, right) if _is(left, kind) and _is(right, NUMBER) else None


def _between(value: Node, _: Node, low: Node, high: Node) -> Node | None:
    """A bare number beside one with a unit is no number of its own."""
    if low[0] == high[0] == "constant" and _is_plain(low) and not _is_plain(high):
        return None
    return _applied("between", TRUTH, value[1], (value, low, high)) if value[1] in (NUMBER, DATE) else None


def _between_figures(value: Node, verb: Node, low: Node, high: Node) -> Node | None:
    """`between 18 and 70 years`: the unit of both stands after the second."""
    if high[0] != "constant" or high[1] != NUMBER or _is_plain(high):
        return None
    *_, dimension, scale = high
    return _between(value, verb, ("constant", NUMBER, low[2] * scale, dimension, scale), high)


def _is_plain(number: Node) -> bool:
    return number[3:] in ((), ((), Fraction(1)))


def _one_of(value: Node, others: tuple[Node, ...]) -> Node | None:
    return _applied("in", TRUTH, value[1], (value, *others))


def _chosen(then: Node, condition: Node, otherwise: Node) -> Node | None:
    fits = _is(condition, TRUTH) and _is(otherwise, then[1])
    return ("if", then[1], condition, then, otherwise) if fits else None


def _case(value: Node, condition: Node) -> Node | None:
    return ("case", value[1], condition, value) if _is(condition, TRUTH) else None


def _months_on(name: str, day: Node, months: Node) -> Node | None:
    fits = (day[1], months[1]) == (DATE, NUMBER)
    return (name, DATE, ("add_months", DATE, "down", day, months)) if fits else None


def _led(node: Node, *kinds: str) -> Node | None:
    """A count of months, or a day some months on: its mode is left out only where it cannot matter."""
    if (node[3][1], node[4][1]) != kinds or (node[2] == NO_MODE and mode_matters(node)):
        return None
    return node


def _grain(places: int, mode: str) -> Callable[..., Node]:
    """Places and mode of a rounding, with the dimension and the scale of the unit that it rounds in."""

    def build(*unit: Node) -> Node:
        return (places, mode, *(unit[0] if unit else ((), Fraction(1))))

    return build


def _mean(pairs: tuple[Node, ...]) -> Node | None:
    return ("weighted_mean", NUMBER, *chain.from_iterable(pairs))
