#!/usr/bin/env python3
"""Check a dataset of verified tasks again, without the program that made it: `python verify.py FOLDER`.

One file, Python 3.11 or later, standard library only. It is written from the language reference (docs/language.md) and
the decisions (docs/decisions), and shares no code with the rest of the project. It reads
`specifications/*.json` (the rules as trees, numbers in base units), `groups.jsonl`, `tasks.jsonl`,
`certificates/*.json`, `rejections.jsonl` and `manifest.json`, and evaluates everything anew: exact numbers, no solver.

For every group: hashes and ids; legality; gold and its uniqueness; every witness pair; face values, coarse replies,
harmless facts, the eight repair states of Mixed, recovery; that each claim which the specification asks for is there;
and that the texts state the values. It does not read the meaning of a sentence, prove that a refuted necessity is
refuted, or that the smallest sufficient cells are the smallest: it only looks for counterexamples to these two.

Exit codes: 0 all holds, 1 a fault was found or there is no group, 2 wrong usage or no finished dataset.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

Json = Any
Value = Any
"""True or false, an int or a Fraction, a date, or the name of a category."""
Slot = tuple[str, int, str]
"""Attribute, member (0: none) and context."""
Cell = tuple[int, str, int, str]
"""Candidate, attribute, member and context."""
Facts = Mapping[Slot, Value]
Outcome = Any
"""None: nobody is eligible. (candidate, result): the one who is. A list: the several who are."""

CANARY = "unco task data, not for training corpora: canary 8c1f6d0e-4b57-4e0a-9a53-2f7be1d6c394"
MOST_FAULTS = 200
"""So many faults are told in full; the rest are counted."""
MOST_VALUES = 1024
"""So many combinations of values behind coarse facts are looked at, where intervals do not decide."""
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


# --- Reading -----------------------------------------------------------------------------------------------------


class Unreadable(Exception):  # noqa: N818 -- as it is told
    """Data that is not what it should be."""


class Undefined(Exception):  # noqa: N818 -- a value of the language
    """An expression without a value."""


class Fault(NamedTuple):
    """Something that does not hold."""

    file: str
    group: str
    claim: str
    found: str
    expected: str

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.group, self.claim) if part)
        return f"{where}: found {self.found}; expected {self.expected}"


def parse_json(text: str | bytes) -> Json:
    """JSON without floats, constants that are no numbers, and names that stand twice."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_float=_no_float, parse_constant=_no_float)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{type(error).__name__}: {error}") from None


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _no_float(text: str) -> Json:
    raise ValueError(f"{text} is no exact number")


def at_most(most: int, data: Json) -> int:
    """A whole number that is small enough to count with."""
    if isinstance(data, bool) or not isinstance(data, int) or abs(data) > most:
        raise Unreadable(f"{short(data)} is no whole number up to {most:,}")
    return data


def canonical(data: Json) -> bytes:
    """The one text of plain data that is hashed: sorted names, no blanks, ASCII."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def hash_file(path: Path) -> str:
    whole = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            whole.update(block)
    return whole.hexdigest()


def short(data: object) -> str:
    """Data as a person wants to read it in one line."""
    text = data if isinstance(data, str) else str(data) if isinstance(data, Fraction) else repr(data)
    text = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text[:1000]) + text[1000:]
    return text if len(text) <= 160 else f"{text[:150]}... ({len(text)} characters)"


def differing(found: Json, expected: Json) -> tuple[Json, Json]:
    """The first parts in which two data differ."""
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        pairs = list(zip(found, expected, strict=True))
    elif isinstance(found, dict) and isinstance(expected, dict) and found.keys() == expected.keys():
        pairs = [(found[name], expected[name]) for name in found]
    elif isinstance(found, str) and isinstance(expected, str) and short(found) == short(expected):
        start = next((n for n, pair in enumerate(zip(found, expected, strict=False)) if pair[0] != pair[1]), 150)
        return f"...{found[start : start + 140]}", f"...{expected[start : start + 140]}"
    elif isinstance(found, list) and isinstance(expected, list):
        return f"{len(found)} entries", f"{len(expected)} entries"
    else:
        return found, expected
    return next((differing(*pair) for pair in pairs if pair[0] != pair[1]), (found, expected))


# --- Values and domains ------------------------------------------------------------------------------------------


def number(data: Json) -> Value:
    """A stored number: whole, or `p/q`."""
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    if isinstance(data, str) and re.fullmatch(r"-?[0-9]{1,4000}/[0-9]{1,4000}", data) and int(data.split("/")[1]):
        return whole(Fraction(data))
    raise Unreadable(f"{short(data)} is no number")


def whole(value: Value) -> Value:
    """A number as an int where it is whole."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def day(data: Json) -> date:
    if isinstance(data, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", data):
        try:
            return date.fromisoformat(data)
        except ValueError:
            pass
    raise Unreadable(f"{short(data)} is no date")


def read_value(kind: str, data: Json) -> Value:
    """A stored value of a kind: boolean, category, date or number."""
    if kind == "number":
        return number(data)
    if kind == "date":
        return day(data)
    if not isinstance(data, bool if kind == "boolean" else str):
        raise Unreadable(f"{short(data)} is no {kind}")
    return data


class Domain:
    """The values that a cell or a parameter can take; numbers in the unit that is shown."""

    def __init__(self, data: Json) -> None:
        self.kind: str = data["kind"]
        self.scale = number(data["scale"]) if self.kind == "number" else 1
        self.words: Sequence[str] = data.get("words", ())
        self.low: Value = None
        self.high: Value = None
        self.step: Value = None
        self.names: Sequence[str] = ()
        if self.kind == "category":
            self.names = data["values"]
            self.size = len(self.names)
        elif self.kind == "boolean":
            self.size = 2
        elif self.kind == "date":
            self.low, self.high = day(data["low"]), day(data["high"])
            self.size = (self.high - self.low).days + 1
        elif self.kind == "number":
            self.low, self.high, self.step = (number(data[name]) for name in ("low", "high", "step"))
            self.size = int((self.high - self.low) // self.step) + 1
        else:
            raise Unreadable(f"{self.kind} is no kind of domain")

    def has(self, value: Value) -> bool:
        """Whether the value is one of the domain."""
        if self.kind == "number":
            if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
                return False
            return bool(self.low <= value <= self.high and (value - self.low) % self.step == 0)
        if self.kind == "category":
            return isinstance(value, str) and value in self.names
        if self.kind == "boolean":
            return isinstance(value, bool)
        return isinstance(value, date) and self.low <= value <= self.high

    def at(self, index: int) -> Value:
        """The value at a place, from 0."""
        if self.kind == "category":
            return self.names[index]
        if self.kind == "boolean":
            return index == 1
        return self.low + timedelta(days=index) if self.kind == "date" else whole(self.low + index * self.step)

    def place(self, based: Value) -> int:
        """Where a number or a date, in base units, lies among the places of the domain, rounded down."""
        if self.kind == "date":
            return int((based - self.low).days)
        return int((Fraction(based) / self.scale - self.low) // self.step)

    def read(self, data: Json) -> Value:
        """A stored value of the domain."""
        value = read_value(self.kind, data)
        if not self.has(value):
            raise Unreadable(f"{short(data)} lies outside its domain")
        return value

    def base(self, value: Value) -> Value:
        """The value as expressions read it: numbers in base units."""
        return value if self.scale == 1 else whole(value * self.scale)


class Knowledge:
    """What is said of a cell: an interval, some values, or nothing."""

    def __init__(self, domain: Domain, data: Json) -> None:
        self.domain = domain
        self.between: tuple[Value, Value] | None = None
        self.one_of: tuple[Value, ...] | None = None
        if data is None:
            return
        (form, given), *more = data.items()
        values = tuple(domain.read(each) for each in ([given] if form == "exact" else given))
        if more or form not in ("exact", "one_of", "between"):
            raise Unreadable(f"{short(data)} says nothing of a cell")
        if form != "between":
            self.one_of = values
        elif domain.kind in ("number", "date") and len(values) == 2:
            self.between = (values[0], values[1])
        else:
            raise Unreadable(f"{short(data)} is no interval")

    def allows(self, value: Value) -> bool:
        """Whether the value may be the true one."""
        if self.between is not None:
            return bool(self.between[0] <= value <= self.between[1])
        return self.one_of is None or value in self.one_of

    @property
    def size(self) -> int:
        """How many values of the domain it leaves."""
        if self.one_of is not None:
            return len(set(self.one_of))
        if self.between is None:
            return self.domain.size
        low, high = self.between
        length = (high - low).days if self.domain.kind == "date" else (high - low) // self.domain.step
        return max(0, int(length) + 1)

    def values(self) -> Iterator[Value]:
        """All of them."""
        if self.one_of is not None:
            yield from dict.fromkeys(self.one_of)
        elif self.between is None:
            yield from map(self.domain.at, range(self.domain.size))
        else:
            step = timedelta(days=1) if self.domain.kind == "date" else self.domain.step
            value, high = self.between
            while value <= high:
                yield whole(value)
                value += step

    @property
    def ends(self) -> tuple[Value, Value]:
        """The least and the greatest, of numbers and dates."""
        if self.between is not None:
            return self.between
        if self.one_of is not None:
            return min(self.one_of), max(self.one_of)
        return self.domain.at(0), self.domain.at(self.domain.size - 1)


# --- Expressions -------------------------------------------------------------------------------------------------


class World(NamedTuple):
    """What an expression reads: the facts of one candidate in base units, the parameters, and the member at hand."""

    facts: Facts
    parameters: Mapping[str, Value]
    member: int = 0


Meaning = Callable[[World], Value]


def quotient(a: Value, b: Value) -> Value:
    if b == 0:
        raise Undefined("a divisor is zero")
    return whole(Fraction(a) / b)


def floor_quotient(a: Value, b: Value) -> int:
    if b == 0:
        raise Undefined("a divisor is zero")
    return int(Fraction(a) / b // 1)


def remainder(a: Value, b: Value) -> Value:
    return whole(a - b * floor_quotient(a, b))


def rounded(value: Value, places: int, mode: str) -> Value:
    """The number with so many decimal places, by the rule in the name of the mode."""
    shift = Fraction(10) ** places
    scaled = value * shift
    below = scaled.__floor__()
    rest = scaled - below
    if rest == 0:
        return value
    negative = scaled < 0
    if mode.startswith("half_") and rest != Fraction(1, 2):
        up = rest > Fraction(1, 2)
    elif mode == "half_even":
        up = below % 2 == 1
    else:
        up = {
            "floor": False,
            "ceiling": True,
            "up": not negative,
            "half_up": not negative,
            "down": negative,
            "half_down": negative,
        }[mode]
    return whole((below + up) / shift)


def plus(a: Value, b: Value) -> Value:
    """Numbers, or a date and a time that is a whole number of days."""
    if not isinstance(a, date):
        return b + a if isinstance(b, date) and b is not a else whole(a + b)
    days = Fraction(b) / 86400
    if days.denominator != 1:
        raise Undefined("part of a day is added to a date")
    try:
        return a + timedelta(days=days.numerator)
    except OverflowError:
        raise Undefined("the date lies outside the calendar") from None


def minus(a: Value, b: Value) -> Value:
    return plus(a, -b)


def seconds_between(a: date, b: date) -> int:
    return (b - a).days * 86400


def month_length(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def months_later(start: date, months: int, mode: str) -> tuple[int, int, int]:
    """Year, month and day; where the month lacks the day, its last (`down`) or the first of the next (`up`)."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    last = month_length(year, month + 1)
    if start.day <= last:
        return year, month + 1, start.day
    if mode == "down":
        return year, month + 1, last
    return (year, month + 2, 1) if month < 11 else (year + 1, 1, 1)


def add_months(start: date, months: Value, mode: str) -> date:
    if Fraction(months).denominator != 1:
        raise Undefined("part of a month is added to a date")
    try:
        return date(*months_later(start, int(months), mode))
    except (ValueError, OverflowError):
        raise Undefined("the date lies outside the calendar") from None


def completed(start: date, end: date, mode: str, step: int) -> int:
    """The months of the greatest number of steps of so many months that end by the second date."""
    apart = (end.year - start.year) * 12 + end.month - start.month
    steps = apart // step
    while months_later(start, (steps + 1) * step, mode) <= (end.year, end.month, end.day):
        steps += 1
    while months_later(start, steps * step, mode) > (end.year, end.month, end.day):
        steps -= 1
    return steps * step


def weighted_mean(*pairs: Value) -> Value:
    values, weights = pairs[::2], pairs[1::2]
    return quotient(sum(value * weight for value, weight in zip(values, weights, strict=True)), sum(weights))


PLAIN: Mapping[str, Callable[..., Value]] = {
    "not": lambda a: not a,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "between": lambda a, low, high: low <= a <= high,
    "in": lambda a, *others: a in others,
    "+": plus,
    "-": minus,
    "*": lambda a, b: whole(a * b),
    "negate": lambda a: -a,
    "abs": abs,
    "min": min,
    "max": max,
    "sum": lambda *parts: whole(sum(parts)),
    "/": quotient,
    "//": floor_quotient,
    "mod": remainder,
    "weighted_mean": weighted_mean,
    "percent_change": lambda old, new: quotient(new - old, old),
    "days_between": seconds_between,
    "month_start": lambda a: a.replace(day=1),
    "month_end": lambda a: a.replace(day=month_length(a.year, a.month)),
}
"""What each operator gives for values of its arguments, where it needs all of them and nothing else."""


class Band(NamedTuple):
    """A row of a table."""

    low: Value
    low_included: bool
    high: Value
    high_included: bool
    value: Value

    def holds(self, key: Value) -> bool:
        above = self.low is None or key > self.low or (self.low_included and key == self.low)
        below = self.high is None or key < self.high or (self.high_included and key == self.high)
        return above and below

    def meets(self, low: Value, high: Value) -> bool:
        """Whether a key from `low` to `high` lies in it, as far as its bounds tell."""
        above = self.low is None or high > self.low or (self.low_included and high == self.low)
        below = self.high is None or low < self.high or (self.high_included and low == self.high)
        return above and below


class Table:
    """Rows from keys to values, or tiers with their rates."""

    def __init__(self, data: Json) -> None:
        kind, gives = data["key"]["kind"], data["gives"]["kind"]
        self.scales = [number(data[part].get("scale", 1)) for part in ("key", "gives")]
        self.key_kind, self.gives_kind = kind, gives
        self.bands = [
            Band(
                None if low is None else read_value(kind, low),
                low_included,
                None if high is None else read_value(kind, high),
                high_included,
                read_value(gives, value),
            )
            for low, low_included, high, high_included, value in data["rows"]
        ]

    def lookup(self, key: Value) -> Value:
        if self.key_kind in ("boolean", "category"):
            found = [band.value for band in self.bands if band.low == key]
        else:
            found = [band.value for band in self.bands if band.holds(key)]
        if len(found) != 1:
            raise Undefined("a table has no row for a key")
        return found[0]

    def tiered(self, amount: Value) -> Value:
        """Each part of the amount at the rate of its own tier; the first tier starts at zero."""
        if amount < 0:
            raise Undefined("an amount lies below the first tier")
        total, reached = 0, False
        for low, _, high, high_included, rate in self.bands:
            if amount > low:
                total += ((amount if high is None else min(amount, high)) - low) * rate
            reached = reached or high is None or amount < high or (high_included and amount == high)
        if not reached:
            raise Undefined("an amount lies above the last tier")
        return whole(total)


class Language:
    """Turns trees of expressions into functions."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = tables
        self.known: dict[int, tuple[Json, Meaning, frozenset[tuple[str, str]]]] = {}
        """By the identity of a tree: the tree, its function, and the attributes and contexts that it reads."""

    def meaning(self, tree: Json) -> Meaning:
        """The function from a world to the value of the tree."""
        return self._known(tree)[1]

    def reads(self, tree: Json) -> frozenset[tuple[str, str]]:
        """The attributes, each with its context, that the tree reads."""
        return self._known(tree)[2]

    def _known(self, tree: Json) -> tuple[Json, Meaning, frozenset[tuple[str, str]]]:
        if id(tree) not in self.known:
            read = frozenset((each["attribute"], each["context"]) for each in parts_of(tree) if "attribute" in each)
            self.known[id(tree)] = (tree, self._meaning(tree), read)
        return self.known[id(tree)]

    def _meaning(self, tree: Json) -> Meaning:
        if "constant" in tree:
            constant = read_value(tree["kind"], tree["constant"])
            return lambda world: constant
        if "parameter" in tree:
            name = tree["parameter"]
            return lambda world: world.parameters[name]
        if "attribute" in tree:
            return self._fact(tree)
        if "aggregate" in tree:
            return self._aggregate(tree)
        return self._operator(tree)

    def _fact(self, tree: Json) -> Meaning:
        attribute, member, context = tree["attribute"], tree["member"], tree["context"]
        if member == -1:
            return lambda world: world.facts[attribute, world.member, context]
        slot = (attribute, member, context)
        return lambda world: world.facts[slot]

    def _aggregate(self, tree: Json) -> Meaning:
        size, body, most = self.meaning(tree["size"]), self.meaning(tree["body"]), at_most(10_000, tree["maximum"])
        folds: Mapping[str, Callable[[Iterable[Value]], Value]] = {"count": sum, "total": sum, "any": any, "all": all}
        fold = folds[tree["aggregate"]]

        def aggregate(world: World) -> Value:
            many = size(world)
            if not isinstance(many, int) or not 0 <= many <= most:
                raise Undefined("a group has no such size")
            # Every member is looked at: `any` and `all` have no value where one member has none.
            return whole(fold([body(world._replace(member=each)) for each in range(1, many + 1)]))

        return aggregate

    def _operator(self, tree: Json) -> Meaning:
        name = tree["operator"]
        parts = [self.meaning(each) for each in tree["arguments"]]
        if name == "and":
            return lambda world: all(part(world) for part in parts)
        if name == "or":
            return lambda world: any(part(world) for part in parts)
        if name == "if":
            condition, then, other = parts
            return lambda world: then(world) if condition(world) else other(world)
        apply = self.function(tree)
        if len(parts) == 1:
            (only,) = parts
            return lambda world: apply(only(world))
        if len(parts) == 2:
            first, second = parts
            return lambda world: apply(first(world), second(world))
        return lambda world: apply(*[part(world) for part in parts])

    def function(self, tree: Json) -> Callable[..., Value]:
        """What an operator with its options gives for values of its arguments."""
        name = tree["operator"]
        if name == "round":
            scale, places, mode = number(tree["scale"]), at_most(1000, tree["places"]), tree["mode"]
            return lambda a: whole(rounded(Fraction(a) / scale, places, mode) * scale)
        if name in ("lookup", "tiered"):
            table = self.tables[tree["table"]]
            return table.lookup if name == "lookup" else table.tiered
        if name in ("years_between", "months_between"):
            mode, step = tree["mode"], 12 if name == "years_between" else 1
            return lambda a, b: completed(a, b, mode, step)
        if name == "add_months":
            mode = tree["mode"]
            return lambda a, b: add_months(a, b, mode)
        if name not in PLAIN:
            raise Unreadable(f"{name} is no operator")
        return PLAIN[name]


def parts_of(tree: Json) -> Iterator[Json]:
    """The tree and all its parts."""
    yield tree
    for part in (*tree.get("arguments", ()), *(tree[name] for name in ("size", "body") if name in tree)):
        yield from parts_of(part)


# --- What coarse facts can come to -------------------------------------------------------------------------------


class Wide(Exception):  # noqa: N818 -- no error: the question is put in another way
    """What an expression can come to is not told by intervals."""


class Span(NamedTuple):
    """All that a number or a date can be, from the least to the greatest; or some names or truth values."""

    low: Value
    high: Value
    names: frozenset[Value] | None = None

    @property
    def single(self) -> bool:
        return len(self.names) == 1 if self.names is not None else bool(self.low == self.high)


def span_of(*values: Value) -> Span:
    if isinstance(values[0], (bool, str)):
        return Span(None, None, frozenset(values))
    return Span(min(values), max(values))


STEADY = frozenset({
    "<", "<=", ">", ">=", "+", "-", "*", "negate", "min", "max", "sum", "/", "//", "percent_change", "days_between",
    "years_between", "months_between", "add_months", "month_start", "month_end", "round",
})  # fmt: skip
"""Operators that only rise or only fall with each argument while the others stay: their extremes are at the ends."""
DIVISOR = {"/": 1, "//": 1, "percent_change": 0}


class Spans:
    """What a tree can come to while some facts of a candidate are known coarsely."""

    def __init__(self, language: Language, world: World, coarse: Mapping[Slot, Knowledge]) -> None:
        self.language = language
        self.world = world
        self.coarse = coarse
        self.spans = {slot: self._span(known) for slot, known in coarse.items()}

    @staticmethod
    def _span(known: Knowledge) -> Span:
        if known.domain.kind in ("number", "date"):
            return span_of(*map(known.domain.base, known.ends))
        return span_of(*known.values())

    def single(self, tree: Json) -> bool:
        """Whether the tree has one value, whatever is behind the coarse facts."""
        if not self._reads(tree):
            return True
        try:
            return self.span(tree).single or len(self._everywhere(tree)) == 1
        except (Wide, Undefined):
            return self._everywhere_single(tree)

    def _everywhere_single(self, tree: Json) -> bool:
        try:
            return len(self._everywhere(tree)) == 1
        except Wide:
            return False

    def span(self, tree: Json) -> Span:
        """At least all that the tree can come to; Wide where this is not told."""
        if not self._reads(tree):
            return span_of(self.language.meaning(tree)(self.world))
        if "attribute" in tree:
            return self.spans[tree["attribute"], tree["member"], tree["context"]]
        if "operator" not in tree:
            return span_of(*self._everywhere(tree))
        name = tree["operator"]
        if name in ("and", "or", "not", "if"):
            return self._junction(name, tree["arguments"])
        try:
            found = self._image(tree, [self.span(each) for each in tree["arguments"]])
        except Wide:
            return span_of(*self._everywhere(tree))
        if found.names is None or found.single:
            return found
        try:
            return span_of(*self._everywhere(tree))
        except Wide:
            return found

    def _junction(self, name: str, arguments: Sequence[Json]) -> Span:
        if name == "if":
            truth = self._truth(arguments[0])
            branches = [
                self.span(branch) for value, branch in zip((True, False), arguments[1:], strict=True) if value in truth
            ]
            if any(each.names is not None for each in branches):
                return span_of(*(value for each in branches for value in each.names or ()))
            return span_of(*(value for each in branches for value in each[:2]))
        truths = [self._truth(each) for each in arguments]
        if name == "not":
            return span_of(*(not value for value in truths[0]))
        deciding = name == "or"
        if any(each == {deciding} for each in truths):
            return span_of(deciding)
        return span_of(*(value for each in truths for value in each))

    def _truth(self, tree: Json) -> frozenset[Value]:
        try:
            return self.span(tree).names or frozenset()
        except Wide:
            return frozenset((True, False))

    def _image(self, tree: Json, spans: Sequence[Span]) -> Span:
        name, apply = tree["operator"], self.language.function(tree)
        if all(each.single for each in spans):
            return span_of(apply(*[next(iter(each.names)) if each.names else each.low for each in spans]))
        if any(each.names is not None for each in spans):
            raise Wide
        corners = product(*(sorted({each.low, each.high}) for each in spans))
        if name in DIVISOR and spans[DIVISOR[name]].low <= 0 <= spans[DIVISOR[name]].high:
            raise Wide
        if name in STEADY or (name == "weighted_mean" and all(each.single for each in spans[1::2])):
            return span_of(*(apply(*corner) for corner in corners))
        low, high, _ = spans[0]
        if name in ("==", "!=", "in") and all(each.low > high or each.high < low for each in spans[1:]):
            return span_of(name == "!=")
        if name == "between":
            inside = low >= spans[1].high and high <= spans[2].low
            outside = high < spans[1].low or low > spans[2].high
            return span_of(inside) if inside or outside else span_of(True, False)
        if name == "abs":
            return span_of(*map(abs, (low, high)), *([0] if low < 0 < high else []))
        if name in ("lookup", "tiered"):
            bands = self.language.tables[tree["table"]].bands
            if name == "lookup":
                return span_of(*(band.value for band in bands if band.meets(low, high)))
            return span_of(*(apply(each) for each in (low, high, *(x.low for x in bands if low < x.low < high))))
        raise Wide

    def _everywhere(self, tree: Json) -> list[Value]:
        """Every value that the tree has, by trying all combinations."""
        read = sorted(self._reads(tree))
        if prod(self.coarse[slot].size for slot in read) > MOST_VALUES:
            raise Wide
        meaning, found = self.language.meaning(tree), []
        for values in product(*(self.coarse[slot].values() for slot in read)):
            based = {slot: self.coarse[slot].domain.base(value) for slot, value in zip(read, values, strict=True)}
            value = meaning(self.world._replace(facts={**self.world.facts, **based}))
            if value not in found:
                found.append(value)
        return found

    def _reads(self, tree: Json) -> set[Slot]:
        named = self.language.reads(tree)
        return {slot for slot in self.coarse if (slot[0], slot[2]) in named}


# --- The specification -------------------------------------------------------------------------------------------


class Attribute:
    """A typed, owned quantity of every candidate; its contexts in order, the required one first."""

    def __init__(self, data: Json) -> None:
        self.id: str = data["id"]
        self.label: str = data["label"]
        self.owner: str = data["owner"]
        self.group: str | None = data["group"]
        self.kind: str = data["context_kind"]
        self.distractor: bool = data["distractor"]
        self.contexts: dict[str, Domain] = {each["name"]: Domain(each["domain"]) for each in data["contexts"]}
        self.required: str = data["contexts"][0]["name"]


class Rule(NamedTuple):
    """A rule about one candidate: as a tree and as a function."""

    id: str
    tree: Json
    meaning: Meaning


class Specification:
    """A family as its tree tells it."""

    def __init__(self, tree: Json) -> None:
        if tree["format"] != 1:
            raise Unreadable(f"the tree has the form {tree['format']}, this checker reads form 1")
        self.tree = tree
        self.hash = sha256(canonical(tree))
        self.digest: str = tree["digest"]
        self.candidates = at_most(1000, tree["candidates"])
        self.roles: dict[str, Json] = {role["id"]: role for role in tree["roles"]}
        self.groups: dict[str, Json] = {group["id"]: group for group in tree["groups"]}
        self.attributes = {each["id"]: Attribute(each) for each in tree["attributes"]}
        self.parameters = {each["id"]: Domain(each["domain"]) for each in tree["parameters"]}
        self.language = Language({name: Table(table) for name, table in tree["tables"].items()})
        self.conditions = [self._rule(each) for each in tree["conditions"]]
        self.consistency = [self._rule(each) for each in tree["consistency"]]
        self.calculation = tree["calculation"]
        self.unit = number(self.calculation["scale"])
        rounding = {name: self.calculation[name] for name in ("places", "mode", "scale")}
        self.result_tree = {"operator": "round", "arguments": [self.calculation["expression"]], **rounding}
        self.result = self.language.meaning(self.result_tree)
        self.offered: dict[str, Sequence[str]] = tree["perturbations"]
        self.domains: dict[Slot, Domain] = {
            (each.id, member, context): domain
            for each in self.attributes.values()
            for context, domain in each.contexts.items()
            for member in self.members(each)
        }
        self.cells: list[Cell] = [(who, *slot) for who in range(self.candidates) for slot in self.domains]
        trees = [rule.tree for rule in (*self.conditions, *self.consistency)] + [self.result_tree]
        named = {
            (part["attribute"], part["context"]) for rule in trees for part in parts_of(rule) if "attribute" in part
        }
        self.thresholds = list(
            dict.fromkeys(p["parameter"] for rule in trees for p in parts_of(rule) if "parameter" in p)
        )
        """The parameters that some rule reads."""
        self.read: list[Slot] = [slot for slot in self.domains if (slot[0], slot[2]) in named]
        """The slots that some rule reads."""
        self.constants = list(dict.fromkeys(self._constants()))
        """The numbers and dates that stand in rules and tables, as they are shown, with their kind."""
        groups = {slot: self.attributes[slot[0]].group for slot in self.domains}
        self.named: dict[tuple[str, str, str], list[Value]] = {}
        """By attribute, context and kind: the constants in rules that read them; and the names of parameters there."""
        for rule in trees:
            self._note_named(rule)
        self.of_members = [(slot, group) for slot, group in groups.items() if group is not None]
        """The slots of members, each with its group."""
        self.sized = {group["size_attribute"] for group in self.groups.values()} - {None}

    def _note_named(self, rule: Json) -> None:
        parts = list(parts_of(rule))
        found = [(part["kind"], read_value(part["kind"], part["constant"])) for part in parts if "constant" in part]
        for table in (self.language.tables[part["table"]] for part in parts if "table" in part):
            found += [(table.key_kind, end) for band in table.bands for end in band[:3:2] if end is not None]
            found += [(table.gives_kind, band.value) for band in table.bands]
        found += [("parameter", part["parameter"]) for part in parts if "parameter" in part]
        for attribute, context in self.language.reads(rule):
            for kind in ("number", "date", "parameter"):
                known = self.named.setdefault((attribute, context, kind), [])
                known += [value for each, value in found if each == kind and value not in known]

    def _constants(self) -> Iterator[tuple[str, Value]]:
        rules = [rule.tree for rule in (*self.conditions, *self.consistency)] + [self.calculation["expression"]]
        found = [(part, part["constant"]) for rule in rules for part in parts_of(rule) if "constant" in part]
        for table in self.tree["tables"].values():
            found += [(table["key"], end) for row in table["rows"] for end in (row[0], row[2]) if end is not None]
            found += [(table["gives"], row[4]) for row in table["rows"]]
        for kind, value in found:
            if kind["kind"] == "number":
                yield "number", whole(Fraction(number(value)) / number(kind["scale"]))
            elif kind["kind"] != "boolean":
                yield kind["kind"], date_words(day(value)) if kind["kind"] == "date" else value

    def _rule(self, data: Json) -> Rule:
        return Rule(data["id"], data["expression"], self.language.meaning(data["expression"]))

    def members(self, attribute: Attribute) -> range:
        return (
            range(1)
            if attribute.group is None
            else range(1, at_most(10_000, self.groups[attribute.group]["maximum"]) + 1)
        )

    def shown(self) -> list[Attribute]:
        """The attributes that a task is about: of the distractors, only as many as the difficulty asks for."""
        most, found = self.tree["difficulty"]["distractors"], []
        distractors = 0
        for each in self.attributes.values():
            distractors += each.distractor
            if not each.distractor or most is None or distractors <= most:
                found.append(each)
        return found

    def member_count(self, group: str, facts: Mapping[Slot, Value]) -> Value:
        """How many members a candidate has, by its facts in the units that are shown."""
        size = self.groups[group]["size_attribute"]
        if size is None:
            return self.groups[group]["maximum"]
        return facts[size, 0, self.attributes[size].required]


class Candidate(NamedTuple):
    """What the rules say of one candidate: why its facts are not legal, whether it is eligible, and the result."""

    illegal: str
    eligible: bool
    result: Value


class Instance:
    """Values of all cells and parameters, and the names."""

    def __init__(self, specification: Specification, data: Json) -> None:
        self.specification = specification
        if set(data["parameters"]) != set(specification.parameters):
            raise Unreadable("the parameters are not those of the specification")
        shown = {name: domain.read(data["parameters"][name]) for name, domain in specification.parameters.items()}
        self.parameters = {name: specification.parameters[name].base(value) for name, value in shown.items()}
        self.shown_parameters = shown
        self.names: Sequence[str] = data["names"]
        if not len(self.names) == len(set(self.names)) == specification.candidates:
            raise Unreadable(f"{short(self.names)} are not the names of {specification.candidates} candidates")
        stored = data["cells"]
        if [tuple(each[:4]) for each in stored] != specification.cells or any(len(each) != 5 for each in stored):
            raise Unreadable("the cells are not those of the specification, in its order")
        domains = specification.domains
        self.facts: list[dict[Slot, Value]] = [{} for _ in range(specification.candidates)]
        for who, attribute, member, context, value in stored:
            slot = (attribute, member, context)
            self.facts[who][slot] = domains[slot].read(value)
        self.based = [self.base(facts) for facts in self.facts]
        self.judged = [self.judge(who, facts, based) for who, facts, based in zip(*self.columns, strict=True)]
        self.known: dict[tuple[tuple[Cell, Value], ...], list[Candidate]] = {}
        """What was worked out before, by what was changed."""

    @property
    def columns(self) -> tuple[range, list[dict[Slot, Value]], list[dict[Slot, Value]]]:
        return range(self.specification.candidates), self.facts, self.based

    def __getitem__(self, cell: Cell) -> Value:
        return self.facts[cell[0]][cell[1:]]

    def base(self, facts: Mapping[Slot, Value]) -> dict[Slot, Value]:
        """Facts of a candidate in base units."""
        domains = self.specification.domains
        return {slot: domains[slot].base(value) for slot, value in facts.items()}

    def world(self, facts: Mapping[Slot, Value]) -> World:
        return World(self.base(facts), self.parameters)

    def judge(self, who: int, facts: Mapping[Slot, Value], based: Mapping[Slot, Value]) -> Candidate:
        """What the rules say of a candidate with these facts, each of its domain, as shown and in base units."""
        spec, world = self.specification, World(based, self.parameters)
        try:
            illegal = next((rule.id for rule in spec.consistency if rule.meaning(world) is not True), "")
            illegal = illegal or self._hidden_in_absent_members(facts)
            eligible = all(rule.meaning(world) is True for rule in spec.conditions)
            result = whole(Fraction(spec.result(world)) / spec.unit) if eligible else None
        except Undefined as undefined:
            return Candidate(f"{self.names[who]}: {undefined}", False, None)
        return Candidate(f"{self.names[who]}: {illegal}" if illegal else "", eligible, result)

    def _hidden_in_absent_members(self, facts: Mapping[Slot, Value]) -> str:
        spec = self.specification
        for slot, group in spec.of_members:
            if slot[1] > spec.member_count(group, facts) and facts[slot] != spec.domains[slot].at(0):
                return f"member {slot[1]} does not exist and has a value of {slot[0]}"
        return ""

    def exists(self, cell: Cell) -> bool:
        """Whether the cell is the candidate's own, or that of a member whom the candidate has."""
        group = self.specification.attributes[cell[1]].group
        return group is None or bool(cell[2] <= self.specification.member_count(group, self.facts[cell[0]]))

    def changed(self, changes: Mapping[Cell, Value]) -> list[Candidate]:
        """What the rules say of every candidate after some changes."""
        key = tuple(changes.items())
        if key not in self.known:
            found = list(self.judged)
            for who in {cell[0] for cell in changes}:
                own = {cell[1:]: value for cell, value in changes.items() if cell[0] == who}
                facts, based = {**self.facts[who], **own}, {**self.based[who], **self.base(own)}
                found[who] = self.judge(who, facts, based)
            self.known[key] = found
        return self.known[key]


def outcome(candidates: Sequence[Candidate]) -> Outcome:
    """Nobody (None), the one who is eligible with the result, or the list of several."""
    eligible = [who for who, each in enumerate(candidates) if each.eligible]
    if len(eligible) > 1:
        return eligible
    return (eligible[0], candidates[eligible[0]].result) if eligible else None


def read_outcome(data: Json) -> Outcome:
    if data is None:
        return None
    return data["eligible"] if "eligible" in data else (data["candidate"], number(data["result"]))


def flip(before: Outcome, after: Outcome) -> str:
    """How two answers differ, in the words of the certificates."""
    if isinstance(after, list):
        return "several eligible"
    if before is None:
        return "to a winner"
    if after is None:
        return "to none"
    return "other winner" if before[0] != after[0] else "other result"


def told(data: Outcome) -> str:
    """An outcome in words."""
    if data is None:
        return "no candidate"
    return f"candidates {data}" if isinstance(data, list) else f"candidate {data[0]} with {data[1]}"


# --- A group -----------------------------------------------------------------------------------------------------

BROKEN = (
    Unreadable,
    Undefined,
    KeyError,
    TypeError,
    ValueError,
    IndexError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""What data of another form may raise."""
KEPT, NOT_ASSUMED, GIVEN = "completions keep the promise", "the promise is not assumed", "given the promise"
PROMISE = {
    "well-posed": NOT_ASSUMED,
    "answer uniqueness": NOT_ASSUMED,
    "recoverable": NOT_ASSUMED,
    "harmless": NOT_ASSUMED,
    "smallest sufficient cells": GIVEN,
}
DEFECTS = ("misaligned", "omitted", "missed")
Report = Callable[[str, object, object], None]
"""Told the claim, what was found and what was expected."""


class Counts:
    """What was checked, and what rests on more than evaluation."""

    def __init__(self) -> None:
        self.groups = self.tasks = self.claims = self.witnesses = self.rejections = self.faults = 0
        self.asked_for = 0
        self.rest_on_solver: dict[str, int] = {}

    def solver(self, what: str) -> None:
        self.rest_on_solver[what] = self.rest_on_solver.get(what, 0) + 1


class Group:
    """A candidate group with its certificate: every claim is evaluated again."""

    def __init__(self, specification: Specification, stored: Json, counts: Counts, report: Report) -> None:
        self.spec = specification
        self.stored = stored
        self.counts = counts
        self.report = report
        self.instance = Instance(specification, stored)
        self.gold = outcome(self.instance.judged)
        self.landmarks: dict[Slot, list[Value]] = {}
        """By slot, the values that are tried in the search for counterexamples."""
        self.misaligned: Json = stored["misaligned"]
        self.incomplete: Json = stored["incomplete"]
        self.missed: str | None = stored["missed"]
        self.mixed: Json = stored["mixed"]
        coarse = stored["harmless"]["coarse"]
        self.harmless = {cell: known for each in coarse for cell, known in self.coarse(each).items()}

    def coarse(self, vague: Json) -> dict[Cell, Knowledge]:
        """The knowledge of the cells of a vague attribute."""
        return {
            (who, name, member, context): Knowledge(self.spec.domains[name, member, context], known)
            for who, name, member, context, known in vague["coarse"]
        }

    def owner(self, attribute: str) -> str:
        return self.spec.attributes[attribute].owner

    def required(self, attribute: str) -> list[Cell]:
        """The cells of an attribute in its required context, of members that exist."""
        context = self.spec.attributes[attribute].required
        return [c for c in self.spec.cells if c[1] == attribute and c[3] == context and self.instance.exists(c)]

    def face(self, decoy: Json) -> dict[Cell, Value]:
        """The magnitudes of the other context, read as if of the required one."""
        context = decoy["context"]
        if context not in self.spec.attributes[decoy["attribute"]].contexts:
            raise Unreadable(f"{short(context)} is no context of {decoy['attribute']}")
        return {cell: self.instance[*cell[:3], context] for cell in self.required(decoy["attribute"])}

    # Claims ------------------------------------------------------------------------------------------------------

    def check_basis(self) -> None:
        """The instance is legal, and has the one answer that it is said to have."""
        for candidate in self.instance.judged:
            if candidate.illegal:
                self.report("well-posed", candidate.illegal, "facts that obey every consistency rule")
        if isinstance(self.gold, list):
            self.report("answer uniqueness", told(self.gold), "at most one eligible candidate")
        if read_outcome(self.stored["outcome"]) != self.gold:
            self.report("answer uniqueness", short(self.stored["outcome"]), told(self.gold))

    def check_claims(self, claims: Json, cells: Json, sufficient: bool) -> None:
        """Every claim that the specification asks for is there, proved where it is required, and true."""
        expected = list(self.expected(sufficient))
        found = [(claim["claim"], claim["subject"]) for claim in claims]
        for key in expected:
            if found.count(key) != 1:
                self.report(": ".join(filter(None, key)), f"{found.count(key)} such claims", "one claim")
        for key in found:
            if key not in expected:
                self.report(": ".join(filter(None, key)), "a claim", "no claim of this name and subject")
        for claim in claims:
            if (claim["claim"], claim["subject"]) in expected:
                self.check_claim(claim, cells)

    def expected(self, sufficient: bool) -> Iterator[tuple[str, str]]:
        """The claims that the specification asks for, by name and subject."""
        yield from (("well-posed", ""), ("answer uniqueness", ""))
        for name in ("role necessity", "no lone oracle"):
            yield from ((name, role) for role in self.spec.roles)
        offered = self.spec.offered
        if self.misaligned or offered["misaligned"]:
            yield "Misaligned is valid", self.misaligned["attribute"] if self.misaligned else ""
        if self.incomplete or offered["incomplete"]:
            yield "Incomplete is valid", self.incomplete["attribute"] if self.incomplete else ""
        if self.missed or offered["missed"]:
            yield "Missed is valid", self.missed or ""
        if self.mixed:
            subject = (self.mixed["misaligned"]["attribute"], self.mixed["omitted"], self.mixed["missed"])
            yield "Mixed is valid", ", ".join(subject)
        yield "recoverable", ""
        yield "harmless", ", ".join(each["attribute"] for each in self.stored["harmless"]["coarse"])
        if sufficient:
            yield "smallest sufficient cells", ""

    def is_required(self, name: str, subject: str) -> bool:
        """Whether the group may not stand without the claim."""
        if name == "role necessity":
            asked = self.spec.roles[subject]["necessary"]
            return bool(asked == "always" or (asked == "with_winner" and isinstance(self.gold, tuple)))
        return name != "smallest sufficient cells"

    def check_claim(self, claim: Json, cells: Json) -> None:
        """One claim: its labels, its verdict, and whether it is true."""
        name, subject, verdict = claim["claim"], claim["subject"], claim["verdict"]
        title = f"{name}: {subject}" if subject else name
        self.counts.claims += 1
        if claim["promise"] != PROMISE.get(name, KEPT):
            self.report(title, short(claim["promise"]), PROMISE.get(name, KEPT))
        required = self.is_required(name, subject)
        if claim["required"] is not required:
            self.report(title, f"required: {short(claim['required'])}", f"required: {required}")
        if verdict == "Proved":
            self.check_proved(title, claim, cells)
        elif required or verdict not in ("Refuted", "Unknown"):
            self.report(title, short(verdict), "Proved")
        elif name == "role necessity":
            self.counts.solver(f"{verdict}: {name}")
            move = self.counterexample(lambda cell: self.owner(cell[1]) == subject)
            if move:
                self.report(title, verdict, f"Proved, since another value of {short(move)} gives another answer")
        else:
            self.counts.solver(f"{verdict}: {name}")

    def check_proved(self, title: str, claim: Json, cells: Json) -> None:
        name, subject, witness = claim["claim"], claim["subject"], claim["witness"]
        if name == "role necessity":
            self.open(title, witness, lambda cell, value: self.owner(cell[1]) == subject)
        elif name == "no lone oracle":
            self.open(title, witness, lambda cell, value: self.owner(cell[1]) != subject)
        elif name == "Missed is valid":
            self.open(title, witness, lambda cell, value: self.owner(cell[1]) == self.missed)
        elif name == "Incomplete is valid":
            known = {cell: each for cell, each in self.coarse(self.incomplete).items() if self.instance.exists(cell)}
            self.check_vague(title, self.incomplete)
            self.open(title, witness, lambda cell, value: cell in known and known[cell].allows(value))
        elif name == "Misaligned is valid":
            self.check_decoy(title, witness)
        elif name == "Mixed is valid":
            self.check_mixed(title, claim)
        elif name == "harmless":
            self.check_harmless(title)
        elif name == "smallest sufficient cells":
            self.check_sufficient(title, cells)

    # Completions -------------------------------------------------------------------------------------------------

    def changes(self, stored: Json) -> dict[Cell, Value]:
        """Changed cells with their values, each of its domain."""
        found: dict[Cell, Value] = {}
        for who, name, member, context, value in stored:
            cell = (who, name, member, context)
            if cell in found or who not in range(self.spec.candidates):
                raise Unreadable(f"{short(cell)} is changed twice or is no cell")
            found[cell] = self.spec.domains[cell[1:]].read(value)
        return found

    def completion(self, title: str, changes: Mapping[Cell, Value], may: Callable[[Cell, Value], bool]) -> Outcome:
        """The answer of a completion, which must be legal, keep the promise and change only what may be changed."""
        self.counts.witnesses += 1
        for cell, value in changes.items():
            if value != self.instance[cell] and not may(cell, value):
                self.report(title, f"a completion with {short(value)} for {cell}", "one that agrees with what is known")
        candidates = self.instance.changed(changes)
        for candidate in candidates:
            if candidate.illegal:
                self.report(title, f"a completion with {candidate.illegal}", "a legal completion")
        answer = outcome(candidates)
        if isinstance(answer, list):
            self.report(title, f"a completion with {told(answer)}", "a completion that keeps the promise")
        return answer

    def open(self, title: str, witness: Json, may: Callable[[Cell, Value], bool]) -> None:
        """A witness pair: gold, and a completion with another answer, labelled as it is."""
        if not isinstance(witness, dict):
            self.report(title, "no witness pair", "a completion with another answer")
            return
        self.labelled(title, witness, self.completion(title, self.changes(witness["changes"]), may))

    def labelled(self, title: str, witness: Json, answer: Outcome) -> None:
        """The completion has another answer than gold, which is the stored one, and the flip is named rightly."""
        if answer == self.gold:
            self.report(title, f"a completion with the same answer, {told(answer)}", "another answer")
        elif witness["flip"] != flip(self.gold, answer):
            self.report(title, f"the flip {short(witness['flip'])}", flip(self.gold, answer))
        if read_outcome(witness["outcome"]) != answer:
            self.report(title, f"the answer {short(witness['outcome'])}", told(answer))

    def check_vague(self, title: str, vague: Json) -> None:
        """Coarse knowledge is about the attribute for all candidates, true, and strictly coarser than the value."""
        known, attribute = self.coarse(vague), self.spec.attributes[vague["attribute"]]
        asked = [c for c in self.spec.cells if c[1] == attribute.id and c[3] == attribute.required]
        if set(known) != set(asked) or len(vague["coarse"]) != len(asked):
            self.report(title, "coarse knowledge of other cells", f"{attribute.id} of every candidate")
        for cell, each in known.items():
            if not self.instance.exists(cell):
                continue
            if not each.allows(self.instance[cell]):
                self.report(title, f"coarse knowledge without {short(self.instance[cell])} for {cell}", "a true reply")
            if each.size < 2 or (each.domain.kind == "boolean" and each.one_of is not None):
                self.report(title, f"an exact reply for {cell}", "a strictly coarser one")

    def check_decoy(self, title: str, witness: Json) -> None:
        """The face value is that of the cells of the other context, and the witness."""
        if self.misaligned["context"] == self.spec.attributes[self.misaligned["attribute"]].required:
            self.report(title, "the required context", "another context")
        face = self.face(self.misaligned)
        self.of_its_domain(title, face)
        expected = {cell: value for cell, value in face.items() if value != self.instance[cell]}
        changes = self.changes(witness["changes"])
        if changes != expected:
            self.report(title, f"the face value {short(changes)}", short(expected))
        self.labelled(title, witness, self.completion(title, expected, lambda cell, value: True))

    def of_its_domain(self, title: str, values: Mapping[Cell, Value]) -> None:
        for cell, value in values.items():
            if not self.spec.domains[cell[1:]].has(value):
                self.report(title, f"{short(value)} for {cell}", "a value of the required context")

    def check_mixed(self, title: str, claim: Json) -> None:
        """Eight repair states: only full repair determines gold, and each open defect matters beside the others."""
        mixed = self.mixed
        owners = [self.owner(mixed["misaligned"]["attribute"]), self.owner(mixed["omitted"]), mixed["missed"]]
        if len(set(owners)) != 3 or mixed["missed"] not in self.spec.roles:
            self.report(title, f"defects on the roles {owners}", "three roles")
        face = self.face(mixed["misaligned"])
        self.of_its_domain(title, face)
        found = {frozenset(state["unrepaired"]): state for state in claim["states"]}
        for number_ in range(8):
            names = tuple(name for place, name in enumerate(DEFECTS) if number_ >> place & 1)
            state = found.pop(frozenset(names), None)
            where = f"{title}: with {' and '.join(names) or 'nothing'} unrepaired"
            if state is None:
                self.report(where, "no such state", "a witness")
            elif names:
                self.check_state(where, state, names, face)
        if found or len(claim["states"]) != 8:
            self.report(title, f"{len(claim['states'])} states", "the eight repair states")

    def check_state(self, title: str, state: Json, names: Sequence[str], face: Mapping[Cell, Value]) -> None:
        """With these defects unrepaired, some completion has another answer; and each defect alone can matter."""

        def may(cell: Cell, value: Value) -> bool:
            return any(self.touches(name, cell) for name in names if name != "misaligned") or (
                "misaligned" in names and face.get(cell) == value
            )

        changes = self.changes(state["changes"])
        self.at_face_value(title, changes, names, face)
        self.labelled(title, state, self.completion(title, changes, may))
        if len(names) == 1:
            return
        matters = {each["defect"]: each for each in state["matters"]}
        if list(matters) != list(names) or len(state["matters"]) != len(names):
            self.report(title, f"defects that matter: {list(matters)}", f"all of {list(names)}")
        for name, each in matters.items():
            where, changes = f"{title}: {name} matters", self.changes(each["changes"])
            self.at_face_value(where, changes, names, face)
            before = self.completion(where, changes, may)
            repaired = {cell: value for cell, value in changes.items() if not self.touches(name, cell)}
            after = self.completion(where, repaired, may)
            if before == after:
                self.report(where, f"{told(before)} before and after its repair", "two answers")

    def at_face_value(
        self, title: str, changes: Mapping[Cell, Value], names: Sequence[str], face: Mapping[Cell, Value]
    ) -> None:
        """An unrepaired misaligned reply is read at face value, in every completion."""
        if "misaligned" in names:
            wrong = [cell for cell, value in face.items() if changes.get(cell, self.instance[cell]) != value]
            if wrong:
                self.report(title, f"another value of {wrong[0]}", f"the face value {short(face[wrong[0]])}")

    def touches(self, name: str, cell: Cell) -> bool:
        """Whether a defect of Mixed is about the cell."""
        if name == "missed":
            return bool(self.owner(cell[1]) == self.mixed["missed"])
        attribute = self.mixed["omitted"] if name == "omitted" else self.mixed["misaligned"]["attribute"]
        return bool(cell[1] == attribute and cell[3] == self.spec.attributes[attribute].required)

    # What is harmless, and what is enough -----------------------------------------------------------------------

    @property
    def targets(self) -> set[str]:
        """The attributes that a defect is about."""
        found = {each["attribute"] for each in (self.misaligned, self.incomplete) if each}
        if self.mixed:
            found |= {self.mixed["misaligned"]["attribute"], self.mixed["omitted"]}
        return found

    def check_harmless(self, title: str) -> None:
        """Coarse facts of every setting are true and vague, about no target, and change no condition and no result."""
        named = [each["attribute"] for each in self.stored["harmless"]["coarse"]]
        for vague in self.stored["harmless"]["coarse"]:
            name = vague["attribute"]
            self.check_vague(title, vague)
            if name in self.targets or self.spec.attributes[name].group or name in self.spec.sized:
                self.report(title, f"coarse facts of {name}", "an attribute of no member, no size and no target")
        if len(set(named)) != len(named):
            self.report(title, f"{named}", "each attribute once")
        extras = [(name, context) for name, context in self.stored["harmless"]["extras"]]
        for name, context in extras:
            attribute = self.spec.attributes[name]
            if context not in attribute.contexts or context == attribute.required or name in self.targets:
                self.report(title, f"the extra {name} ({context})", "another context of an attribute that is no target")
        if len(set(extras)) != len(extras):
            self.report(title, "an extra that stands twice", "each once")
        if not self.harmless:
            return
        readings: list[Mapping[Cell, Value]] = [{}]
        readings += [self.face(each) for each in (self.misaligned, self.mixed and self.mixed["misaligned"]) if each]
        for face in readings:
            self.check_unmoved(title, face)

    def check_unmoved(self, title: str, face: Mapping[Cell, Value]) -> None:
        """With these values, every condition is the same whatever is behind the coarse facts, and so is the result."""
        answer = outcome(self.instance.changed(face))
        for who, facts in enumerate(self.instance.facts):
            read = {**facts, **{cell[1:]: value for cell, value in face.items() if cell[0] == who}}
            coarse = {cell[1:]: known for cell, known in self.harmless.items() if cell[0] == who}
            spans = Spans(self.spec.language, self.instance.world(read), coarse)
            trees = [(rule.id, rule.tree) for rule in self.spec.conditions]
            if isinstance(answer, tuple) and answer[0] == who:
                trees.append(("the result", self.spec.result_tree))
            for name, tree in trees:
                if not spans.single(tree):
                    self.report(title, f"{name} of {self.instance.names[who]} is not settled", "the same throughout")

    def counterexample(self, may: Callable[[Cell], bool]) -> Cell | None:
        """A cell of which another value alone, of a few that are tried, gives another answer."""
        for who in range(self.spec.candidates):
            for slot in self.spec.read:
                cell = (who, *slot)
                if may(cell) and self.instance.exists(cell) and any(map(self._moves(cell), self._tried(cell))):
                    return cell
        return None

    def _tried(self, cell: Cell) -> list[Value]:
        """Other values for a cell: the ends of its domain, and what lies next to each value that a rule on it names."""
        slot = cell[1:]
        if slot not in self.landmarks:
            self.landmarks[slot] = list(map(self.spec.domains[slot].at, sorted(self._places(slot))))
        return [value for value in self.landmarks[slot] if value != self.instance[cell]]

    def _places(self, slot: Slot) -> set[int]:
        domain = self.spec.domains[slot]
        places = set(range(domain.size)) if domain.size <= 6 else {0, domain.size - 1}
        if domain.size > 6 and domain.kind in ("number", "date"):
            for value in self.named(slot):
                at = domain.place(value)
                places.update(each for each in (at - 1, at, at + 1) if 0 <= each < domain.size)
        return places

    def named(self, slot: Slot) -> Iterator[Value]:
        """The values of a slot's kind that stand in rules and tables about it, in base units."""
        kind = "number" if self.spec.domains[slot].kind == "number" else "date"
        yield from self.spec.named[slot[0], slot[2], kind]
        for name in self.spec.named[slot[0], slot[2], "parameter"]:
            if self.spec.parameters[name].kind == kind:
                yield self.instance.parameters[name]

    def _moves(self, cell: Cell) -> Callable[[Value], bool]:
        def moves(value: Value) -> bool:
            candidates = self.instance.changed({cell: value})
            answer = outcome(candidates)
            same = answer == self.gold
            return not (same or isinstance(answer, list) or candidates[cell[0]].illegal)

        return moves

    def lifted(self, may: Callable[[Cell], bool]) -> Cell | None:
        """A cell of a candidate who becomes eligible where each cell in turn takes the value that meets most rules."""
        for who in range(self.spec.candidates):
            if self.instance.judged[who].eligible:
                continue
            changes: dict[Cell, Value] = {}
            based = dict(self.instance.based[who])
            for cell in ((who, *slot) for slot in self.spec.read):
                if may(cell) and self.instance.exists(cell):
                    tried = [self.instance[cell], *self._tried(cell)]
                    changes[cell] = max(tried, key=partial(self.met, based, cell[1:]))
                    based[cell[1:]] = self.spec.domains[cell[1:]].base(changes[cell])
            candidates = self.instance.changed(changes)
            answer = outcome(candidates)
            if answer != self.gold and isinstance(answer, tuple) and not candidates[who].illegal:
                return next(iter(changes))
        return None

    def met(self, based: dict[Slot, Value], slot: Slot, value: Value) -> int:
        """How many rules hold once the slot has the value, which is written into the facts."""
        based[slot] = self.spec.domains[slot].base(value)
        world = World(based, self.instance.parameters)
        try:
            return sum(rule.meaning(world) is True for rule in (*self.spec.conditions, *self.spec.consistency))
        except Undefined:
            return -1

    def check_sufficient(self, title: str, cells: Json) -> None:
        """The cells are cells, each once, and no other cell alone, nor a climb over several, gives another answer."""
        chosen = [tuple(each) for each in cells]
        if len(set(chosen)) != len(chosen) or not set(chosen) <= set(self.spec.cells):
            self.report(title, short(chosen), "cells of the specification, each once")
        known = set(chosen)
        move = self.counterexample(lambda cell: cell not in known) or self.lifted(lambda cell: cell not in known)
        if move:
            self.report(title, f"{short(move)} can change the answer", "no other cell that can")
        self.counts.solver("Proved: smallest sufficient cells")


# --- Tasks -------------------------------------------------------------------------------------------------------

NUMBER = re.compile(r"(?<![\w./])-?\d[\d,]*(?:\.\d+)?(?:/\d[\d,]*)?")


def numbers_in(text: str) -> set[Value]:
    """Every number that stands in a text, as it may be written: 1,234.50 or 4/3."""
    found = set()
    for written in NUMBER.findall(text):
        try:
            found.add(whole(Fraction(written.replace(",", ""))))
        except (ValueError, ZeroDivisionError):
            continue
    return found


def date_words(value: date) -> str:
    return f"{value.day} {MONTHS[value.month - 1]} {value.year}"


def has_words(text: str, words: str) -> bool:
    """Whether the words stand in the text, whole; quotation marks in a name may be doubled."""
    forms = {words, words.replace('"', '""')}
    return any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) for form in forms)


def states_value(text: str, domain: Domain, value: Value) -> bool:
    """Whether the words of a value occur in a text. What the text says with them is not read."""
    if domain.kind == "number":
        return value in numbers_in(text)
    if domain.kind == "date":
        return has_words(text, date_words(value))
    return has_words(text, domain.words[0 if value else 1] if domain.kind == "boolean" else value)


def states_knowledge(text: str, known: Knowledge) -> bool:
    """Whether the words of coarse knowledge occur in a text."""
    values = known.between or known.one_of
    if values is None:
        return has_words(text, "not stated")
    if known.domain.kind == "date":
        return all(any(has_words(text, form) for form in _date_forms(value, values[-1])) for value in values)
    return all(states_value(text, known.domain, value) for value in values)


def _date_forms(value: date, last: date) -> Iterator[str]:
    """A date in full; or without the month and the year that the last of several dates gives them all."""
    yield date_words(value)
    if value != last and value.year == last.year:
        yield f"{value.day} {MONTHS[value.month - 1]}"
        if value.month == last.month:
            yield str(value.day)


class Tasks:
    """The tasks of a group: that their parts hold what the group says, each value in words that occur."""

    def __init__(self, group: Group, tasks: Sequence[Json], report: Report) -> None:
        self.group = group
        self.spec = group.spec
        self.instance = group.instance
        self.tasks = tasks
        self.report = report
        self.records: dict[str, list[tuple[Cell, Json]]] = {}
        """By role, each cell with its record, in the order of the records."""

    def check(self) -> None:
        """One task a setting; public parts, records and extras the same in all; gold and defects as the group says."""
        expected = self.settings()
        found = [task["setting"] for task in self.tasks]
        if found != list(expected):
            self.report("tasks", f"the settings {found}", f"{list(expected)}")
            return
        first = self.tasks[0]
        self.check_public(first["public"])
        self.check_records(first["private"]["records"])
        extras = [
            {"role": self.group.owner(name), "attribute": name, "context": context}
            for name, context in self.group.stored["harmless"]["extras"]
        ]
        for task in self.tasks:
            title, private = f"task {task['setting']}", task["private"]
            parts = [task[part]["part"] for part in ("public", "private", "gold")]
            if parts != ["public", "private", "gold"] or set(private) != {"part", "records", "extras", "defects"}:
                self.report(title, f"the parts {parts}", "public, private, gold")
            if task["public"] != first["public"] or private["records"] != first["private"]["records"]:
                self.report(title, "another public part or other records", "those of the first setting")
            if private["extras"] != extras:
                self.report(title, f"the extras {short(private['extras'])}", short(extras))
            if task["canary"] != CANARY:
                self.report(title, "another canary", CANARY)
            decoy, kinds = expected[task["setting"]]
            self.check_gold(title, task["gold"], decoy)
            self.check_defects(title, private["defects"], kinds)

    def settings(self) -> dict[str, tuple[Json, Sequence[tuple[str, Json]]]]:
        """Each setting of the group: what misleads at face value, and the defects with what they are about."""
        group, mixed = self.group, self.group.mixed
        found: dict[str, tuple[Json, Sequence[tuple[str, Json]]]] = {"Reliable": (None, ())}
        if group.misaligned:
            found["Misaligned"] = (group.misaligned, [("misaligned", group.misaligned)])
        if group.incomplete:
            found["Incomplete"] = (None, [("incomplete", group.incomplete["attribute"])])
        if group.missed:
            found["Missed"] = (None, [("missed", group.missed)])
        if mixed:
            defects = [("misaligned", mixed["misaligned"]), ("omitted", mixed["omitted"]), ("missed", mixed["missed"])]
            found["Mixed"] = (mixed["misaligned"], defects)
        return found

    def same(self, title: str, found: Json, expected: Json) -> None:
        if found != expected:
            here, there = differing(found, expected)
            self.report(title, short(here), short(there))

    # Public part -------------------------------------------------------------------------------------------------

    def check_public(self, public: Json) -> None:
        """Names, roles, labels and the form of the answer are the specification's; its numbers and names occur."""
        spec, tree, shown = self.spec, self.spec.tree, self.spec.shown()
        owners = {attribute.owner for attribute in shown}
        self.same("public title", public["title"], tree["title"])
        self.same("public candidates", public["candidates"], list(self.instance.names))
        roles = [{name: role[name] for name in ("id", "name", "description")} for role in tree["roles"]]
        self.same("public roles", public["roles"], [role for role in roles if role["id"] in owners])
        keys = [{"id": x.id, "label": x.label, "kind": x.kind, "context": x.required} for x in shown]
        self.same("public attributes", public["attributes"], keys)
        answer, labels = public["answer"], tree["decision"]
        self.same("public answer", [answer["positive"], answer["negative"]], [labels["positive"], labels["negative"]])
        self.same("public answer", answer["candidates"], list(self.instance.names))
        for name in ("places", "mode"):
            self.same("public answer", answer["number"][name], spec.calculation[name])
        text = public["instructions"]
        words = [*self.instance.names, *labels.values(), public["answer_format"]]
        words += [attribute.label for attribute in shown if not attribute.distractor]
        missing = [each for each in words if each not in text]
        missing += [name for name in spec.thresholds if not self._states_parameter(text, name)]
        missing += self._constants_missing(text)
        if missing:
            self.report("instructions", f"no words for {short(missing[0])}", "every name, threshold and constant")

    def _states_parameter(self, text: str, name: str) -> bool:
        return states_value(text, self.spec.parameters[name], self.instance.shown_parameters[name])

    def _constants_missing(self, text: str) -> list[str]:
        """Constants of rules and rows of tables, as they are shown, that do not occur in the instructions."""
        found = numbers_in(text)
        return [
            str(value)
            for kind, value in self.spec.constants
            if not (value in found or -value in found if kind == "number" else self._has_name(text, kind, value))
        ]

    def _has_name(self, text: str, kind: str, value: str) -> bool:
        """A name, or a date that may share its year, or month and year, with the next one."""
        if has_words(text, value) or kind != "date":
            return has_words(text, value)
        first, month, year = value.split(" ")
        shared = (f"{first} {month}", year), (first, f"{month} {year}")
        return any(has_words(text, one) and has_words(text, other) for one, other in shared)

    # Records and replies -----------------------------------------------------------------------------------------

    def check_records(self, records: Json) -> None:
        """Each role has one sentence for each of its cells, in which the words of its value occur."""
        shown = {attribute.id: attribute for attribute in self.spec.shown()}
        owners = {attribute.owner for attribute in shown.values()}
        self.same("records", [each["role"] for each in records], [role for role in self.spec.roles if role in owners])
        for record in records:
            role, title, left = record["role"], f"records of {record['role']}", record["text"]
            own = {name for name, attribute in shown.items() if attribute.owner == role}
            cells = {cell for cell in self.spec.cells if cell[1] in own and self.instance.exists(cell)}
            entries = [(self.cell(entry), entry) for entry in record["entries"]]
            if {cell for cell, _ in entries} != cells or len(entries) != len(cells):
                self.report(title, f"{len(entries)} records", f"one of each of its {len(cells)} cells")
            for place, (cell, entry) in enumerate(entries, 1):
                self.check_entry(title, entry, cell, f"{role.upper()}-{place}", self.group.harmless.get(cell))
                _, found, left = left.partition(f"[{entry['key']}] {entry['text']}")
                if not found:
                    self.report(title, f"a text without {entry['key']}", "a text that holds every record, in order")
            self.records[role] = entries

    def cell(self, entry: Json) -> Cell:
        """The cell that a record is about."""
        who = self.instance.names.index(entry["candidate"])
        return who, entry["attribute"], entry["member"], entry["context"]

    def recorded(self, attribute: str, context: str) -> list[tuple[Cell, Json]]:
        """The records of an attribute in a context, in their order."""
        records = self.records[self.group.owner(attribute)]
        return [(cell, entry) for cell, entry in records if (cell[1], cell[3]) == (attribute, context)]

    def check_entry(self, title: str, entry: Json, cell: Cell, key: str, known: Knowledge | None) -> None:
        """A record of a cell: its key, and that the words of what is known of it occur."""
        names = {"key", "candidate", "attribute", "member", "context", "text"}
        if entry["key"] != key or set(entry) != names or self.cell(entry) != cell:
            self.report(title, f"the record {short(entry)}", f"{key} about {cell}")
        text, domain, name = entry["text"], self.spec.domains[cell[1:]], self.instance.names[cell[0]]
        value = self.instance[cell]
        told_so = states_value(text, domain, value) if known is None else states_knowledge(text, known)
        if not told_so or name not in text:
            expected = short(value) if known is None else "its coarse knowledge"
            self.report(title, short(text), f"words for {expected} of {name}")

    def check_defects(self, title: str, defects: Json, expected: Sequence[tuple[str, Json]]) -> None:
        """Each defect withholds what it should, and its recovery is the records themselves."""
        self.same(title, [each["kind"] for each in defects], [kind for kind, _ in expected])
        for defect, (kind, target) in zip(defects, expected, strict=False):
            if kind == "missed":
                self.check_silence(title, defect, target)
            else:
                self.check_reply(f"{title}: {kind}", defect, kind, target)
            self.same(f"{title}: {kind}", defect["recovery_reply"], _lines(defect["recovery"]))

    def check_silence(self, title: str, defect: Json, role: str) -> None:
        place = [defect[name] for name in ("role", "attribute", "context", "required", "first")]
        self.same(title, place, [role, None, "", "", []])
        self.same(title, defect["recovery"], [entry for _, entry in self.records[role]])
        stated = numbers_in(defect["first_reply"]) - numbers_in(self.spec.roles[role]["name"])
        if stated or self.spec.roles[role]["name"] not in defect["first_reply"]:
            self.report(title, short(defect["first_reply"]), f"no response from {self.spec.roles[role]['name']}")

    def check_reply(self, title: str, defect: Json, kind: str, target: Json) -> None:
        name = target["attribute"] if kind == "misaligned" else target
        attribute = self.spec.attributes[name]
        context = target["context"] if kind == "misaligned" else attribute.required
        place = [defect[each] for each in ("role", "attribute", "context", "required")]
        self.same(title, place, [attribute.owner, name, context, attribute.required])
        right = self.recorded(name, attribute.required)
        self.same(title, defect["recovery"], [entry for _, entry in right])
        self.same(title, defect["first_reply"], _lines(defect["first"]))
        if kind == "misaligned":
            self.same(title, defect["first"], [entry for _, entry in self.recorded(name, context)])
            return
        vague = self.group.coarse(self.group.incomplete) if kind == "incomplete" else {}
        self.same(title, len(defect["first"]), len(right))
        for entry, (cell, exact) in zip(defect["first"], right, strict=False):
            known = vague.get(cell) or Knowledge(self.spec.domains[cell[1:]], None)
            self.check_entry(title, entry, cell, exact["key"], known)

    # Gold --------------------------------------------------------------------------------------------------------

    def check_gold(self, title: str, gold: Json, decoy: Json) -> None:
        """Gold is the answer of the rules; the face value is the answer to the misaligned reply."""
        self.check_answer(f"{title}: gold", gold["answer"], self.group.gold)
        face = None if decoy is None else outcome(self.instance.changed(self.group.face(decoy)))
        if decoy is None or isinstance(face, list):
            self.same(f"{title}: face value", gold["face_value"], None)
        else:
            self.check_answer(f"{title}: face value", gold["face_value"], face)

    def check_answer(self, title: str, found: Json, answer: Outcome) -> None:
        labels = self.spec.tree["decision"]
        if answer is None:
            self.same(title, found, {"decision": labels["negative"], "candidate": None, "result": None})
            return
        who, result = answer
        self.same(title, [found["decision"], found["candidate"]], [labels["positive"], self.instance.names[who]])
        stated = found["result"]
        if not re.fullmatch(r"-?\d+(\.\d+)?", stated) or Fraction(stated) != result:
            self.report(title, short(stated), short(str(result)))


def _lines(entries: Json) -> str:
    return "\n".join(entry["text"] for entry in entries)


# --- The folder --------------------------------------------------------------------------------------------------

LISTS = ("groups.jsonl", "tasks.jsonl", "rejections.jsonl")
UNLISTED = frozenset({"manifest.json", "manifest.sha256", "run.sqlite", "run.lock"})
"""Files that the manifest does not list: itself, its hash, and what a build needs to go on."""


class Folder:
    """A dataset: every file hashed, every group checked, one at a time."""

    def __init__(self, folder: Path, tell: Callable[[Fault], None]) -> None:
        self.folder = folder
        self.tell = tell
        self.counts = Counts()
        self.specifications: dict[str, Specification] = {}
        self.manifest: Json = {}

    def fault(self, file: str, group: str, claim: str, found: object, expected: object) -> None:
        self.counts.faults += 1
        self.tell(Fault(file, group, claim, short(str(found)), short(str(expected))))

    def check(self) -> Counts:
        """The whole dataset; whatever does not hold is told, and nothing is raised for it."""
        if not self.guarded("manifest.json", "", self.check_files):
            return self.counts
        self.guarded("specifications", "", self.read_specifications)
        rejected = self.guarded("rejections.jsonl", "", self.check_rejections) or {}
        self.guarded("groups.jsonl", "", lambda: self.check_groups(rejected))
        return self.counts

    def guarded(self, file: str, group: str, check: Callable[[], Any]) -> Any:
        """What a check gives, or None where data of another form kept it from its end."""
        try:
            return check()
        except BROKEN as error:
            self.fault(file, group, "form", f"{type(error).__name__}: {short(str(error))}", "data of the stated form")
        except OSError as error:
            self.fault(file, group, "form", f"{error.strerror}", "a file that can be read")
        return None

    def check_files(self) -> bool:
        """The manifest has its detached hash, and every file of the dataset has the hash that the manifest lists."""
        path = self.folder / "manifest.json"
        self.manifest = parse_json(path.read_bytes())
        detached, found = (self.folder / "manifest.sha256").read_text().split(), hash_file(path)
        if detached[:1] != [found]:
            self.fault("manifest.sha256", "", "hash", detached[:1], found)
        files = self.manifest["files"]
        for name, expected in files.items():
            if Path(name).is_absolute() or ".." in Path(name).parts:
                raise Unreadable(f"{short(name)} is no file of the dataset")
            found = hash_file(self.folder / name) if (self.folder / name).is_file() else "no file"
            if found != expected:
                self.fault(name, "", "hash", found, expected)
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            if path.is_file() and name not in files and name.partition("-")[0] not in UNLISTED:
                self.fault(name, "", "manifest", "a file that the manifest does not list", "no such file")
        for name in LISTS:
            if name not in files:
                self.fault("manifest.json", "", "manifest", f"no {name}", "every list of the dataset")
        return True

    def read_specifications(self) -> None:
        """Each family's tree, by its digest; the manifest names its hash."""
        listed = self.manifest["specifications"]
        for name, about in listed.items():
            file = f"specifications/{about['digest']}.json"
            if file not in self.manifest["files"]:
                self.fault("manifest.json", "", "manifest", f"no {file}", "the tree of every specification")
            spec = Specification(parse_json((self.folder / file).read_bytes()))
            if (spec.digest, spec.tree["name"], spec.hash) != (about["digest"], name, about["canonical"]):
                self.fault(
                    file, "", "specification", f"{spec.tree['name']} {spec.hash}", f"{name} {about['canonical']}"
                )
            self.specifications[spec.digest] = spec

    def lines(self, name: str) -> Iterator[tuple[str, Json]]:
        """The lines of a file, each with its place."""
        with (self.folder / name).open("rb") as file:
            for place, line in enumerate(file, 1):
                yield f"{name}:{place}", parse_json(line)

    def check_rejections(self) -> dict[str, set[int]]:
        """The candidate groups that were rejected, by specification."""
        found: dict[str, set[int]] = {name: set() for name in self.manifest["specifications"]}
        for place, line in self.lines("rejections.jsonl"):
            self.counts.rejections += 1
            if line["index"] in found[line["specification"]]:
                self.fault(place, "", "rejection", f"candidate group {line['index']} again", "each once")
            found[line["specification"]].add(line["index"])
            if line["certificate"] is not None:
                self.guarded(place, "", partial(self.check_rejection, place, line))
        return found

    def check_rejection(self, place: str, line: Json) -> None:
        """The claim that failed does fail, where evaluation can tell."""
        certificate, name = line["certificate"], f"candidate group {line['index']} of {line['specification']}"
        failed = next(each for each in certificate["claims"] if each["required"] and each["verdict"] != "Proved")
        spec = self.specifications[certificate["digest"]]
        if (certificate["canonical"], spec.tree["name"]) != (spec.hash, line["specification"]):
            self.fault(place, name, "identity", certificate["canonical"], spec.hash)
        if certificate["instance"]["index"] != line["index"]:
            self.fault(place, name, "identity", certificate["instance"]["index"], line["index"])
        told: list[tuple[str, object, object]] = []
        try:
            group = Group(spec, certificate["instance"], Counts(), lambda *fault: told.append(fault))
            group.check_basis()
            if failed["claim"] == "Misaligned is valid" and group.misaligned:
                group.check_decoy(failed["claim"], {"changes": [], "flip": "", "outcome": None})
                told = [fault for fault in told if "completion" in str(fault[1]) or "for (" in str(fault[1])]
        except Unreadable as error:
            told.append(("well-posed", str(error), ""))
        ground = failed["claim"] in ("well-posed", "answer uniqueness") or (
            failed["claim"] == "Misaligned is valid" and certificate["instance"]["misaligned"] is not None
        )
        if not ground:
            self.counts.solver(f"{failed['verdict']}, so rejected: {failed['claim']}")
        elif failed["claim"] not in {claim for claim, _, _ in told}:
            self.fault(place, name, failed["claim"], failed["verdict"], "Proved, as it is by evaluation")

    def check_groups(self, rejected: Mapping[str, set[int]]) -> None:
        """Every group with its certificate and its tasks, in step; and that none is missing."""
        tasks = self.lines("tasks.jsonl")
        retained, following = dict.fromkeys(rejected, 0), dict.fromkeys(rejected, 0)
        for place, entry in self.lines("groups.jsonl"):
            name, id_ = entry["specification"], entry["id"]
            own = [task for _, (_, task) in zip(entry["settings"], tasks, strict=False)]
            expected = following[name]
            while expected in rejected[name]:
                expected += 1
            if entry["group"]["index"] != expected:
                found = f"candidate group {entry['group']['index']} of {name}"
                self.fault(place, id_, "order", found, f"candidate group {expected}, which was not rejected")
            retained[name] += 1
            following[name] = entry["group"]["index"] + 1
            self.counts.groups += 1
            self.guarded(place, id_, partial(self.check_group, place, entry, own))
        for left, _ in tasks:
            self.fault(left, "", "order", "a task of no group", "the end of the file")
        for name, about in self.manifest["specifications"].items():
            made, listed = retained[name] + len(rejected[name]), about["phases"][0]["candidates"]
            if (retained[name], made) != (about["retained"], listed):
                found = f"{retained[name]} groups of {made} candidate groups of {name}"
                self.fault("manifest.json", "", "counts", found, f"{about['retained']} of {listed}")
            if max((following[name] - 1, *rejected[name])) != made - 1:
                self.fault("rejections.jsonl", "", "counts", f"a gap among the candidate groups of {name}", "none")
        self.check_number(retained)

    def check_number(self, retained: Mapping[str, int]) -> None:
        """There are groups, and no more of a specification than were asked for."""
        asked = at_most(10**9, self.manifest["groups_per_specification"])
        self.counts.asked_for = asked * len(retained)
        if not self.counts.groups:
            self.fault("manifest.json", "", "counts", "no group", "at least one")
        for name, many in retained.items():
            if many > asked:
                self.fault("manifest.json", "", "counts", f"{many} groups of {name}", f"at most {asked}")

    def check_group(self, place: str, entry: Json, tasks: Sequence[Json]) -> None:
        """One group: its ids, its certificate, its claims, its tasks."""
        id_, file = entry["id"], f"certificates/{entry['id']}.json"
        if file not in self.manifest["files"] or not re.fullmatch(r"group-[0-9a-f]{32}", id_):
            self.fault("manifest.json", id_, "manifest", "no certificate", file)
            return
        certificate = parse_json((self.folder / file).read_bytes())
        spec = self.specifications[entry["digest"]]
        report = partial(self.fault, place, id_)
        self.check_identity(entry, certificate, spec, report)
        self.check_ids(entry, tasks, report)
        of_certificate = partial(self.fault, file, id_)
        group = Group(spec, entry["group"], self.counts, of_certificate)
        group.check_basis()
        self.guarded(file, id_, lambda: self.check_claims(group, entry, certificate, of_certificate))
        of_tasks = partial(self.fault, "tasks.jsonl", id_)
        self.counts.tasks += len(tasks)
        self.guarded("tasks.jsonl", id_, Tasks(group, tasks, of_tasks).check)

    def check_identity(self, entry: Json, certificate: Json, spec: Specification, report: Report) -> None:
        """The group, its certificate and its specification belong together."""
        expected = {"specification": spec.tree["name"], "digest": spec.digest}
        about = {"domain": spec.tree["domain"], "operation": spec.calculation["operation"]}
        for found, wanted in (
            (entry, {**expected, **about}),
            (certificate, {**expected, "canonical": spec.hash, "group": entry["id"], "instance": entry["group"]}),
        ):
            for name, value in wanted.items():
                if found[name] != value:
                    here, there = differing(found[name], value)
                    report(f"identity: {name}", short(here), short(there))

    def check_ids(self, entry: Json, tasks: Sequence[Json], report: Report) -> None:
        """The ids are hashes of the content."""
        contents = []
        for task in tasks:
            parts = {name: task[name] for name in ("setting", "public", "private", "gold")}
            contents.append(sha256(canonical(parts)))
            id_ = f"task-{sha256(canonical({'group': entry['id'], 'content': contents[-1]}))[:32]}"
            if task["id"] != id_ or task["group"] != entry["id"]:
                report("id of a task", f"{task['id']} of {task['group']}", f"{id_} of {entry['id']}")
        whole_ = {"specification": entry["digest"], "index": entry["group"]["index"], "contents": contents}
        id_ = f"group-{sha256(canonical(whole_))[:32]}"
        if entry["id"] != id_:
            report("id of the group", entry["id"], id_)

    def check_claims(self, group: Group, entry: Json, certificate: Json, report: Report) -> None:
        """The claims of the certificate, and what the list of groups says of them."""
        claims = certificate["claims"]
        group.check_claims(claims, certificate["smallest_sufficient_cells"], self.manifest["sufficient"])
        necessary = [x["subject"] for x in claims if x["claim"] == "role necessity" and x["verdict"] == "Proved"]
        if entry["necessary_roles"] != necessary:
            report("role necessity", entry["necessary_roles"], necessary)


# --- The command line --------------------------------------------------------------------------------------------


def summary(counts: Counts, seconds: float) -> dict[str, Json]:
    """What was checked, and what was found."""
    return {
        "groups": counts.groups,
        "asked_for": counts.asked_for,
        "tasks": counts.tasks,
        "claims": counts.claims,
        "completions": counts.witnesses,
        "rejections": counts.rejections,
        "faults": counts.faults,
        "not_checked_without_a_solver": dict(sorted(counts.rest_on_solver.items())),
        "milliseconds": int(seconds * 1000),
    }


COUNTED = ("group", "task", "claim", "completion")


def told_in_words(found: Mapping[str, Json]) -> str:
    """The summary in lines for a person."""
    rate = found["groups"] * 1000 // max(1, found["milliseconds"])
    parts = [f"{found[f'{name}s']:,} {name}{'s' * (found[f'{name}s'] != 1)}" for name in COUNTED]
    lines = [f"{', '.join(parts)}, evaluated again; {rate:,} groups a second"]
    if found["not_checked_without_a_solver"]:
        lines.append("looked at for counterexamples only, since a proof of them needs a solver:")
        lines += [f"  {many:,} x {what}" for what, many in found["not_checked_without_a_solver"].items()]
    faults, lacking = found["faults"], found["asked_for"] - found["groups"]
    if lacking > 0:
        lines.append(f"{lacking:,} of the {found['asked_for']:,} groups that were asked for are not there")
    lines.append("every required claim holds" if not faults else f"{faults:,} fault{'s' if faults > 1 else ''} found")
    return "\n".join(lines)


def verify(folder: Path, tell: Callable[[Fault], None] = lambda fault: None) -> dict[str, Json]:
    """Check a dataset: every fault is told, and what was checked is given back."""
    began = time.monotonic()
    counts = Folder(folder, tell).check()
    return summary(counts, time.monotonic() - began)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; the exit code tells whether all holds."""
    description, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=description, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder of the dataset")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON document")
    given = parser.parse_args(arguments)
    if not (given.folder / "manifest.json").is_file():
        print(f"{given.folder} holds no finished dataset: there is no manifest.json", file=sys.stderr)
        return 2
    faults: list[Fault] = []

    def tell(fault: Fault) -> None:
        if len(faults) < MOST_FAULTS:
            faults.append(fault)
            if not given.as_json:
                print(fault)

    found = verify(given.folder, tell)
    if given.as_json:
        print(json.dumps({**found, "told": [fault._asdict() for fault in faults]}, ensure_ascii=False, indent=2))
    else:
        print(told_in_words(found))
    return 1 if found["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
