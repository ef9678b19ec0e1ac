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

For the proof of every family: that each required claim is there and proved, that its moves change what they may, and
that every formula which a solver called unsatisfiable (`queries/`) says what its claim says: its parts are evaluated
beside the rules where these turn. That it is unsatisfiable needs a solver (`unco verify --solver`).

For every instance of a dataset of facts alone (`facts/`): hashes and ids; that no index is missing; legality; that it
lies in the space of the family proof; gold and its uniqueness; and a witness for each role that must be necessary.

Exit codes: 0 all holds, 1 a fault was found or there is no group, 2 wrong usage, no finished dataset, or the work was
killed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property, lru_cache, partial, reduce
from itertools import chain, islice, product
from math import lcm, prod
from operator import itemgetter, lt
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


class NotDone(Exception):  # noqa: N818 -- of the machine, not of the data
    """A process was killed, or could not be started."""


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
            if self.step <= 0 or self.scale <= 0:
                raise Unreadable(f"the step {self.step} or the scale {self.scale} is not positive")
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

    def index(self, value: Value) -> int:
        """The place of a value of the domain."""
        if self.kind == "category":
            return self.names.index(value)
        if self.kind == "boolean":
            return int(value)
        return int((value - self.low).days if self.kind == "date" else (value - self.low) // self.step)

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
    return whole((below + goes_up(mode, below, rest, 1)) / shift) if rest else value


def goes_up(mode: str, below: int, rest: Value, one: int) -> bool:
    """Whether a number is rounded up that lies `rest` above the whole number `below`, of `one` to the next."""
    if mode.startswith("half_") and 2 * rest != one:
        return bool(2 * rest > one)
    if mode == "half_even":
        return below % 2 == 1
    negative = below < 0
    return {
        "floor": False,
        "ceiling": True,
        "up": not negative,
        "half_up": not negative,
        "down": negative,
        "half_down": negative,
    }[mode]


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
FOLDS: Mapping[str, Callable[[Iterable[Value]], Value]] = {"count": sum, "total": sum, "any": any, "all": all}
"""What each aggregate makes of the values of all members."""


def group_size(many: Value, most: int) -> int:
    if not isinstance(many, int) or not 0 <= many <= most:
        raise Undefined("a group has no such size")
    return many


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
        fold = FOLDS[tree["aggregate"]]

        def aggregate(world: World) -> Value:
            # Every member is looked at: `any` and `all` have no value where one member has none.
            many, facts, parameters = group_size(size(world), most), world.facts, world.parameters
            return whole(fold([body(World(facts, parameters, each)) for each in range(1, many + 1)]))

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

    @cached_property
    def reading(self) -> Reading:
        """Its rules as functions of places."""
        return Reading(self)

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
        self.groups = self.instances = self.tasks = self.claims = self.witnesses = self.rejections = self.faults = 0
        self.asked_for = 0
        self.formulas = self.samples = self.samples_skipped = 0
        self.rest_on_solver: dict[str, int] = {}

    def solver(self, what: str, many: int = 1) -> None:
        self.rest_on_solver[what] = self.rest_on_solver.get(what, 0) + many

    def add(self, others: Counts) -> None:
        """Count also what was counted elsewhere."""
        for name, value in vars(others).items():
            if isinstance(value, int):
                setattr(self, name, getattr(self, name) + value)
        for what, many in others.rest_on_solver.items():
            self.solver(what, many)


class Group:
    """A candidate group with its certificate: every claim is evaluated again."""

    def __init__(self, specification: Specification, stored: Json, counts: Counts, report: Report) -> None:
        self.spec = specification
        self.stored = stored
        self.counts = counts
        self.report = report
        self.instance = Instance(specification, stored)
        self.gold = outcome(self.instance.judged)
        self.landmarks: dict[Slot, list[int]] = {}
        """By slot, the places that are tried in the search for counterexamples."""
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
                cell, v = (who, *slot), [*self.places[who]]
                if not may(cell) or not self.instance.exists(cell):
                    continue
                number_ = self.spec.reading.number[slot]
                rules = self.spec.reading.touched[number_] if self.instance.judged[who].eligible else None
                for v[number_] in self._tried(cell):
                    if self.moves(v, who, rules):
                        return cell
        return None

    @cached_property
    def places(self) -> list[list[int]]:
        """Where the values of each candidate lie in their domains, and those of the parameters."""
        parameters = self.spec.parameters
        own = [parameters[name].index(value) for name, value in self.instance.shown_parameters.items()]
        domains = self.spec.domains
        return [[domains[slot].index(value) for slot, value in facts.items()] + own for facts in self.instance.facts]

    def moves(self, v: Places, who: int, rules: Rules | None = None) -> bool:
        """Whether the answer is another one where a candidate has these values, legal and within the promise."""
        if isinstance(self.gold, list):
            return False
        winner = self.gold[0] if self.gold else None
        try:
            many = 0 if winner is None else self.spec.reading.answer(self.places[winner])
            return not self.spec.reading.same_answer(rules or self.spec.reading.rules, v, who, winner, many)
        except Undefined:
            return False

    def _tried(self, cell: Cell) -> list[int]:
        """Places for a cell: the ends of its domain, and what lies next to each value that a rule on it names."""
        slot = cell[1:]
        if slot not in self.landmarks:
            self.landmarks[slot] = sorted(self._places(slot))
        own = self.places[cell[0]][self.spec.reading.number[slot]]
        return [place for place in self.landmarks[slot] if place != own]

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

    def lifted(self, may: Callable[[Cell], bool]) -> Cell | None:
        """A cell of a candidate who becomes eligible where each cell in turn takes the value that meets most rules."""
        for who in range(self.spec.candidates):
            if self.instance.judged[who].eligible:
                continue
            v, chosen = [*self.places[who]], list[Cell]()
            for cell in ((who, *slot) for slot in self.spec.read):
                if may(cell) and self.instance.exists(cell):
                    number_ = self.spec.reading.number[cell[1:]]
                    chosen.append(cell)
                    v[number_] = max([v[number_], *self._tried(cell)], key=partial(self.met, v, number_))
            if chosen and self.moves(v, who):
                return chosen[0]
        return None

    def met(self, v: list[int], number_: int, place: int) -> int:
        """How many rules hold once a fact has the place, which is written into the facts."""
        v[number_] = place
        rules = self.spec.reading.rules
        try:
            many = sum(read(v) is True for read in rules.conditions)
            return many + sum(read(v) is True for _, read in rules.consistency)
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


# --- Shares ------------------------------------------------------------------------------------------------------

SHARE = 20
"""So many groups make a share."""


class Part(NamedTuple):
    """A group with all that belongs to it, as it stands in the files."""

    place: str
    entry: bytes
    tasks: tuple[bytes, ...]
    certificate: bytes | None
    """None where the dataset lists none."""


class Share(NamedTuple):
    """Groups that are checked alone, anywhere, with all that this needs. Where shares are cut follows from the data."""

    trees: tuple[bytes, ...]
    """The specifications."""
    sufficient: bool
    """Whether every group names its smallest sufficient cells."""
    validator: str
    """Who solved every task: `reader`, or an LLM by its name."""
    parts: tuple[Part, ...]

    @property
    def words(self) -> str:
        """Which groups these are."""
        return f"{self.parts[0].place} to {self.parts[-1].place}"

    def check(self) -> Checked:
        """Every group of the share."""
        told: list[Fault] = []
        desk = Groups(self, keeping_first(told))
        for part in self.parts:
            desk.guarded(part.place, "", partial(desk.check_part, part))
        return Checked(desk.counts, tuple(told))


class Checked(NamedTuple):
    """What was counted and what was found in a share."""

    counts: Counts
    told: tuple[Fault, ...]
    tally: Tally | None = None
    """What was counted of a file of facts."""


Run = Callable[[Callable[[Any], Checked], Iterable[Any]], Iterable[Checked]]
"""Does the work of all shares, and gives the results in their order."""


def keeping_first(told: list[Fault]) -> Callable[[Fault], None]:
    """Of faults that are too many to be told, the first are kept."""
    return lambda fault: told.append(fault) if len(told) < MOST_FAULTS else None


def check_share(share: Share | Chunk | ProofShare) -> Checked:
    """The work on one share; whatever keeps it from its end is a fault too."""
    told: list[Fault] = []
    desk = Desk(told.append)
    checked: Checked | None = desk.guarded(share.words, "", share.check)
    return checked or Checked(desk.counts, tuple(told))


class Desk:
    """Where faults are told and counted."""

    def __init__(self, tell: Callable[[Fault], None]) -> None:
        self.tell = tell
        self.counts = Counts()

    def fault(self, file: str, group: str, claim: str, found: object, expected: object) -> None:
        self.counts.faults += 1
        self.tell(Fault(file, group, claim, short(str(found)), short(str(expected))))

    def guarded(self, file: str, group: str, check: Callable[[], Any]) -> Any:
        """What a check gives, or None where data of another form kept it from its end."""
        try:
            return check()
        except BROKEN as error:
            self.fault(file, group, "form", f"{type(error).__name__}: {short(str(error))}", "data of the stated form")
        except OSError as error:
            self.fault(file, group, "form", f"{error.strerror}", "a file that can be read")
        return None


class Groups(Desk):
    """The groups of a share, one at a time."""

    def __init__(self, share: Share, tell: Callable[[Fault], None]) -> None:
        super().__init__(tell)
        self.sufficient = share.sufficient
        self.validator = share.validator
        self.specifications = {spec.digest: spec for spec in map(read_tree, share.trees)}

    def check_part(self, part: Part) -> None:
        """One group: its ids, its certificate, its claims, its tasks."""
        entry, tasks = parse_json(part.entry), [parse_json(task) for task in part.tasks]
        self.counts.groups += 1
        self.guarded(part.place, entry["id"], partial(self.check_group, part, entry, tasks))

    def check_group(self, part: Part, entry: Json, tasks: Sequence[Json]) -> None:
        id_, file = entry["id"], certificate_of(entry["id"])
        if part.certificate is None:
            self.fault("manifest.json", id_, "manifest", "no certificate", file)
            return
        certificate = parse_json(part.certificate)
        spec = self.specifications[entry["digest"]]
        report = partial(self.fault, part.place, id_)
        self.check_identity(entry, certificate, spec, report)
        self.check_validation(entry["validation"], report)
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

    def check_validation(self, found: Json, report: Report) -> None:
        """The task was solved by the validator of the dataset, as often as a task has to be."""
        if found != {"by": self.validator, "runs": VALIDATIONS}:
            report("validation", short(str(found)), f"{VALIDATIONS} runs by {self.validator}")

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
        group.check_claims(claims, certificate["smallest_sufficient_cells"], self.sufficient)
        necessary = [x["subject"] for x in claims if x["claim"] == "role necessity" and x["verdict"] == "Proved"]
        if entry["necessary_roles"] != necessary:
            report("role necessity", entry["necessary_roles"], necessary)


def certificate_of(id_: str) -> str:
    return f"certificates/{id_}.json"


@lru_cache(64)
def read_tree(data: bytes) -> Specification:
    """A specification from its file. The same file is read once in a process."""
    return Specification(parse_json(data))


# --- Rules over places -------------------------------------------------------------------------------------------

MOST_KEPT = 1 << 15
"""The values of a part of a rule are kept where the facts that it reads have so many combinations at most."""
ALL_KEPT = 1 << 20
"""So many values are kept of one specification at most."""
MOST_PARTS = 20_000
"""A rule with more parts, each member of a group counted, is walked as it stands."""

Places = Sequence[int]
"""Where the values of one candidate lie in their domains, slot by slot; then those of the parameters."""
Reader = Callable[[Places], Value]


class Large(Exception):  # noqa: N818 -- no error: the rule is read in another way
    """A rule has too many parts."""


class Compiled(NamedTuple):
    """A part of a rule as a function of places, and which of them it reads."""

    read: Reader
    reads: frozenset[int]
    over: int | None = None
    """Where it is given, `read` gives a whole number, and the value is so many times smaller."""
    leaf: int | None = None
    """The one place that it reads, where it is nothing but a fact or a parameter."""

    @property
    def value(self) -> Reader:
        """The value itself."""
        read, over = self.read, self.over
        return read if over in (None, 1) else lambda v: whole(Fraction(read(v), over))


def _always(value: Value) -> Reader:
    return lambda v: value


def alike(parts: Sequence[Compiled]) -> tuple[list[Reader], int | None]:
    """Functions that give whole numbers, all so many times more; or the values, where some are no numbers."""
    if not all(part.over for part in parts):
        return [part.value for part in parts], None
    over = lcm(*(part.over or 1 for part in parts))
    return [_times(part.read, over // (part.over or 1)) for part in parts], over


def _times(read: Reader, more: int) -> Reader:
    return read if more == 1 else lambda v: read(v) * more


def is_between(value: Any, low: Any, high: Any) -> bool:
    """Whether a value lies between two ends; all three are worked out, whatever the first two come to."""
    return bool(low <= value <= high)


COMPARED: Mapping[str, Callable[..., Reader]] = {
    "==": lambda a, b: lambda v: a(v) == b(v),
    "!=": lambda a, b: lambda v: a(v) != b(v),
    "<": lambda a, b: lambda v: a(v) < b(v),
    "<=": lambda a, b: lambda v: a(v) <= b(v),
    ">": lambda a, b: lambda v: a(v) > b(v),
    ">=": lambda a, b: lambda v: a(v) >= b(v),
    "between": lambda a, low, high: lambda v: is_between(a(v), low(v), high(v)),
    "in": lambda a, *others: lambda v: a(v) in [each(v) for each in others],
}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
JUNCTIONS: Mapping[str, Callable[[Reader, Reader], Reader]] = {
    "and": lambda a, b: lambda v: True if a(v) and b(v) else False,  # noqa: SIM210 -- faster than `bool`
    "or": lambda a, b: lambda v: True if a(v) or b(v) else False,  # noqa: SIM210
}
LINEAR: Mapping[str, Callable[..., Reader]] = {
    "+": lambda a, b: lambda v: a(v) + b(v),
    "-": lambda a, b: lambda v: a(v) - b(v),
    "negate": lambda a: lambda v: -a(v),
    "abs": lambda a: lambda v: abs(a(v)),
    "min": lambda *parts: lambda v: min([part(v) for part in parts]),
    "max": lambda *parts: lambda v: max([part(v) for part in parts]),
    "sum": lambda *parts: lambda v: sum([part(v) for part in parts]),
}
"""Operators that give so many times more where all of their arguments are so many times more."""
RATIOS: Mapping[str, Callable[..., Callable[[Places], tuple[int, int]]]] = {
    "/": lambda over, a, b: lambda v: (a(v), b(v)),
    "percent_change": lambda over, old, new: lambda v: (new(v) - old(v), old(v)),
    "weighted_mean": lambda over, *pairs: (
        lambda v: (
            sum([value(v) * weight(v) for value, weight in zip(pairs[::2], pairs[1::2], strict=True)]),
            over * sum([weight(v) for weight in pairs[1::2]]),
        )
    ),
}
"""Operators that divide: what is divided and by what, where the arguments are so many times more."""
COUNTING = ("days_between", "years_between", "months_between")
"""Operators that give whole numbers."""


class Compiler:
    """Turns rules into functions of places. They say what `Language` says of the values there; only they are faster."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.slots = list(specification.domains)
        self.domains = [*specification.domains.values(), *specification.parameters.values()]
        self.sizes = [domain.size for domain in self.domains]
        names = [*self.slots, *specification.parameters]
        self.number: dict[Slot | str, int] = {name: place for place, name in enumerate(names)}
        self.room = ALL_KEPT
        self.parts_left = 0

    def rule(self, tree: Json) -> Compiled:
        """A whole rule."""
        self.parts_left = MOST_PARTS
        try:
            return self._part(tree, 0)
        except Large:
            meaning = self.specification.language.meaning(tree)
            return Compiled(lambda v: meaning(self.world(v)), frozenset(range(len(self.domains))))

    def result(self) -> Compiled:
        """The rounded result, as a whole number of its last decimal places."""
        about = self.specification.calculation
        factor, mode = Fraction(10) ** at_most(1000, about["places"]) / self.specification.unit, about["mode"]
        more, less = factor.numerator, factor.denominator
        quotient_, reads = self._quotient(about["expression"])

        def result(v: Places) -> int:
            many, parts = quotient_(v)
            below, rest = divmod(many * more, parts * less)
            return int(below + goes_up(mode, below, rest, parts * less)) if rest else int(below)

        return self.kept(Compiled(result, reads))

    def world(self, places: Places) -> World:
        """The values at these places, as `Language` reads them."""
        values = [domain.base(domain.at(place)) for domain, place in zip(self.domains, places, strict=True)]
        many = len(self.slots)
        facts = dict(zip(self.slots, values[:many], strict=True))
        return World(facts, dict(zip(self.specification.parameters, values[many:], strict=True)))

    def kept(self, part: Compiled) -> Compiled:
        """The same part, which remembers its values where there are few."""
        read, places, values = part.read, sorted(part.reads), dict[Any, Value]()
        many = prod(self.sizes[place] for place in places)
        if many > min(MOST_KEPT, self.room):
            return part
        self.room -= many
        key: Callable[[Places], Any] = itemgetter(*places) if places else len

        def kept(v: Places) -> Value:
            at = key(v)
            try:
                return values[at]
            except KeyError:
                pass
            found = values[at] = read(v)
            return found

        return part._replace(read=kept)

    def _part(self, tree: Json, member: int) -> Compiled:
        self.parts_left -= 1
        if self.parts_left < 0:
            raise Large
        if "constant" in tree:
            constant = read_value(tree["kind"], tree["constant"])
            if tree["kind"] == "number":
                return Compiled(_always(constant.numerator), frozenset(), constant.denominator)
            return Compiled(_always(constant), frozenset())
        if "parameter" in tree:
            return self._leaf(self.number[tree["parameter"]])
        if "attribute" in tree:
            own = member if tree["member"] == -1 else tree["member"]
            return self._leaf(self.number[tree["attribute"], own, tree["context"]])
        return self.kept(self._aggregate(tree) if "aggregate" in tree else self._operator(tree, member))

    def _leaf(self, place: int) -> Compiled:
        domain = self.domains[place]
        if domain.kind != "number":
            return self.kept(Compiled(lambda v: domain.at(v[place]), frozenset((place,)), None, place))
        low, step = Fraction(domain.low * domain.scale), Fraction(domain.step * domain.scale)
        over = lcm(low.denominator, step.denominator)
        first, each = int(low * over), int(step * over)
        return Compiled(lambda v: first + each * v[place], frozenset((place,)), over, place)

    def _aggregate(self, tree: Json) -> Compiled:
        size, most = self._part(tree["size"], 0), at_most(10_000, tree["maximum"])
        bodies = [self._part(tree["body"], each) for each in range(1, most + 1)]
        parts, over = alike(bodies)
        fold, many = FOLDS[tree["aggregate"]], size.value
        if tree["aggregate"] != "total":
            over = 1 if tree["aggregate"] == "count" else None

        def aggregate(v: Places) -> Value:
            found = fold([part(v) for part in parts[: group_size(many(v), most)]])
            return found if over else whole(found)

        return Compiled(aggregate, size.reads.union(*(body.reads for body in bodies)), over)

    def _operator(self, tree: Json, member: int) -> Compiled:
        name, parts = tree["operator"], [self._part(each, member) for each in tree["arguments"]]
        reads = frozenset[int]().union(*(part.reads for part in parts))
        if name == "if":
            condition, (then, other), over = parts[0].value, *alike(parts[1:])
            return Compiled(lambda v: then(v) if condition(v) else other(v), reads, over)
        if name == "*" and all(part.over for part in parts):
            first, second = (part.read for part in parts)
            return Compiled(lambda v: first(v) * second(v), reads, prod(part.over or 1 for part in parts))
        if name in JUNCTIONS:
            return reduce(lambda one, two: self.kept(self._joined(name, one, two)), parts)
        readers, over = alike(parts)
        if name in LINEAR and over:
            return Compiled(LINEAR[name](*readers), reads, over)
        if name == "lookup" and (table := self.specification.language.tables[tree["table"]]).gives_kind == "number":
            key, most = parts[0].value, lcm(*(band.value.denominator for band in table.bands))
            return Compiled(lambda v: int(table.lookup(key(v)) * most), reads, most)
        if name in COMPARED:
            return Compiled(self._comparison(name, parts, readers), reads)
        return Compiled(self._applied(tree, parts), reads, 1 if name in COUNTING else None)

    @staticmethod
    def _joined(name: str, one: Compiled, two: Compiled) -> Compiled:
        return Compiled(JUNCTIONS[name](one.value, two.value), one.reads | two.reads)

    def _applied(self, tree: Json, parts: Sequence[Compiled]) -> Reader:
        readers = [part.value for part in parts]
        apply = self.specification.language.function(tree)
        return lambda v: apply(*[read(v) for read in readers])

    def _comparison(self, name: str, parts: Sequence[Compiled], readers: Sequence[Reader]) -> Reader:
        """Where a fact with very many values is compared with what has few, the place that decides is remembered."""
        plain = COMPARED[name](*readers)
        if name not in MIRRORED:
            return plain
        first, second = parts
        if not self._has_many(first):
            first, second, name = second, first, MIRRORED[name]
        place, rises = first.leaf, name in (">", ">=")
        few = prod(self.sizes[each] for each in second.reads) <= MOST_KEPT
        if place is None or not self._has_many(first) or not few or place in second.reads:
            return plain
        turn = self.kept(Compiled(lambda v: self._turn(plain, place, v, rises), second.reads)).read
        return (lambda v: v[place] >= turn(v)) if rises else (lambda v: v[place] < turn(v))

    def _has_many(self, part: Compiled) -> bool:
        place = part.leaf
        return place is not None and self.sizes[place] > MOST_KEPT and self.domains[place].kind in ("number", "date")

    def _turn(self, compared: Reader, place: int, places: Places, rises: bool) -> int:
        """The first value of a fact from which on a comparison with it is true, or false where it does not rise."""
        tried, low, high = list(places), 0, self.sizes[place]
        while low < high:
            tried[place] = (low + high) // 2
            if compared(tried) is rises:
                high = tried[place]
            else:
                low = tried[place] + 1
        return low

    def _quotient(self, tree: Json) -> tuple[Callable[[Places], tuple[int, int]], frozenset[int]]:
        """The value of a tree as two whole numbers, the second above zero."""
        name = tree.get("operator")
        parts = [self.rule(each) for each in tree["arguments"]] if name in RATIOS else []
        readers, over = alike(parts)
        if parts and over:
            return _divisible(RATIOS[name](over, *readers)), frozenset[int]().union(*(part.reads for part in parts))
        exact = self.rule(tree)
        value = exact.value

        def pair(v: Places) -> tuple[int, int]:
            found = value(v)
            return found.numerator, found.denominator

        return pair, exact.reads


def _divisible(pair: Callable[[Places], tuple[int, int]]) -> Callable[[Places], tuple[int, int]]:
    def divisible(v: Places) -> tuple[int, int]:
        many, parts = pair(v)
        if parts == 0:
            raise Undefined("a divisor is zero")
        return (many, parts) if parts > 0 else (-many, -parts)

    return divisible


# --- Facts alone -------------------------------------------------------------------------------------------------

FIELDS = ["index", "parameters", "cells", "names", "winner", "result", "necessary", "id"]
REJECTED = ["index", "code", "phase", "detail"]
REJECTIONS = {"UNC413": "instantiate", "UNC503": "prove", "UNC510": "prove"}
WHOLE = {int}
"""The type of places: neither true nor false is one."""
read_line = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float).decode
"""A line of facts; that no name stands twice in it is seen from its text."""
line_of = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class Rules(NamedTuple):
    """The rules about a candidate, or those of them that some change touches."""

    consistency: Sequence[tuple[str, Reader]]
    conditions: Sequence[Reader]
    result: bool

    def broken(self, v: Places) -> str:
        """The consistency rule that does not hold; empty where all do."""
        for id_, read in self.consistency:
            if read(v) is not True:
                return id_
        return ""

    def eligible(self, v: Places) -> bool:
        for read in self.conditions:  # noqa: SIM110 -- faster than a generator
            if read(v) is not True:
                return False
        return True


class Reading:
    """A family as lines of facts need it: its rules as functions of places, and who owns which slot."""

    def __init__(self, specification: Specification) -> None:
        self.spec = spec = specification
        compiler = Compiler(spec)
        consistency = [(rule.id, compiler.rule(rule.tree)) for rule in spec.consistency]
        consistency += [(f"members of {name} who do not exist", self._idle(compiler, name)) for name in spec.groups]
        conditions = [compiler.rule(rule.tree) for rule in spec.conditions]
        result = compiler.result()
        self.answer = result.read
        self.last_places = Fraction(10) ** spec.calculation["places"]
        self.plan = [(each["id"], compiler.rule(each["expression"]).value) for each in spec.tree["plan"]["winner"]]
        self.owners = [spec.attributes[slot[0]].owner for slot in compiler.slots]
        self.sizes = compiler.sizes
        self.number = compiler.number
        self.rules = Rules([(id_, rule.value) for id_, rule in consistency], [rule.value for rule in conditions], True)
        self.touched = [
            Rules(
                [(id_, rule.value) for id_, rule in consistency if slot in rule.reads],
                [rule.value for rule in conditions if slot in rule.reads],
                slot in result.reads,
            )
            for slot in range(len(self.owners))
        ]
        """By slot: the rules that read it."""
        self.fixed = [
            (number_, domain.index(domain.read(each["value"])))
            for number_, (each, domain) in enumerate(
                zip(spec.tree["parameters"], spec.parameters.values(), strict=True)
            )
            if each["value"] is not None
        ]
        """Parameters with one value, each with its place."""

    def _idle(self, compiler: Compiler, group: str) -> Compiled:
        """Members beyond the size of their group hold the first value of each domain."""
        places = [(slot[1], compiler.number[slot]) for slot, name in self.spec.of_members if name == group]
        size = self.spec.groups[group]["size_attribute"]
        if size is None:
            return Compiled(lambda v: True, frozenset())
        at = compiler.number[size, 0, self.spec.attributes[size].required]
        count = compiler.domains[at].at
        beyond = compiler.kept(
            Compiled(lambda v: [place for member, place in places if member > count(v[at])], frozenset((at,)))
        )
        return Compiled(
            lambda v: not any(map(v.__getitem__, beyond.read(v))), frozenset((at, *(place for _, place in places)))
        )

    def same_answer(self, rules: Rules, v: Places, who: int, winner: int | None, many: int) -> str:
        """Why a completion shows nothing; empty where it is legal, keeps the promise and has another answer."""
        if broken := rules.broken(v):
            return f"a completion in which {broken} does not hold"
        stands = rules.eligible(v)
        if who != winner:
            if stands and winner is None:
                self.answer(v)
                return ""
            return "a completion with two eligible candidates" if stands else "a completion with the same answer"
        if not stands or (rules.result and self.answer(v) != many):
            return ""
        return "a completion with the same answer"


class Lines(Desk):
    """The lines of a file of facts, one at a time."""

    def __init__(self, chunk: Chunk, tell: Callable[[Fault], None]) -> None:
        super().__init__(tell)
        self.chunk = chunk
        self.reading = reading = read_tree(chunk.tree).reading
        spec = reading.spec
        self.place = ""
        self.digest = hashlib.sha256(f"{spec.digest}\n".encode())
        self.roles = list(spec.roles)
        asked = {name: role["necessary"] for name, role in spec.roles.items()}
        self.with_winner = [
            name for name in self.roles if name in chunk.claimed or asked[name] in ("with_winner", "always")
        ]
        self.always = {name for name in self.roles if asked[name] == "always"}
        self.slots = len(reading.owners)
        self.all_sizes = reading.sizes[self.slots :] + reading.sizes[: self.slots] * spec.candidates
        self.names = len(spec.tree["candidate_names"])
        self.tally = Tally(spec.digest)

    def check(self) -> None:
        """Every line of the file: each index once, in order."""
        *lines, rest = self.chunk.data.split(b"\n")
        self.tally.lines = len(lines)
        if rest or not lines:
            self.fault(self.chunk.file, "", "form", "no whole lines", "lines that end")
        for number_, line in enumerate(lines):
            self.place = f"{self.chunk.file}:{number_ + 1}"
            try:
                self.check_line(line.decode("ascii"), self.chunk.start + number_)
            except Undefined as undefined:
                self.report("well-posed", f"a rule without a value: {undefined}", "facts for which every rule has one")
            except BROKEN as error:
                self.report("form", f"{type(error).__name__}: {short(str(error))}", "data of the stated form")

    def report(self, claim: str, found: object, expected: object) -> None:
        self.fault(self.place, "", claim, found, expected)

    def check_line(self, text: str, index: int) -> None:
        """One instance, or the reason why there is none."""
        data = read_line(text)
        if line_of(data) != text:
            self.report("form", short(text), short(line_of(data)))
        if type(data["index"]) is not int or data["index"] != index:
            self.report("order", f"the index {short(data['index'])}", index)
        if list(data) == REJECTED:
            self.tally.counts["rejected"] += 1
            self.tally.ends = False
            self.counts.rejections += 1
            if REJECTIONS.get(data["code"]) != data["phase"] or not isinstance(data["detail"], str):
                self.report("rejection", f"{data['code']} in {data['phase']}", REJECTIONS)
            return
        if list(data) != FIELDS:
            raise Unreadable(f"{short(list(data))} are not the parts of a line")
        self.tally.counts["retained"] += 1
        self.tally.ends = True
        self.counts.instances += 1
        digest = self.digest.copy()
        digest.update(text[: text.rindex(',"id":')].encode() + b"}")
        if data["id"] != f"instance-{digest.hexdigest()[:32]}":
            self.report("id", data["id"], f"instance-{digest.hexdigest()[:32]}")
        self.check_instance(data)

    def check_instance(self, data: Json) -> None:
        """Values of their domains, legal; gold, and what each role that is shown as necessary can change."""
        candidates = self.candidates(data["parameters"], data["cells"])
        self.check_names(data["names"])
        eligible = []
        for who, v in enumerate(candidates):
            if broken := self.reading.rules.broken(v):
                self.report("well-posed", f"candidate {who}: {broken} does not hold", "facts that obey every rule")
            if self.reading.rules.eligible(v):
                eligible.append(who)
        self.counts.claims += 2
        if len(eligible) > 1:
            self.report("answer uniqueness", f"candidates {eligible} are eligible", "at most one")
            return
        winner, many = None, 0
        if eligible:
            (winner,) = eligible
            many = self.reading.answer(candidates[winner])
            for id_, read in self.reading.plan:
                if read(candidates[winner]) is not True:
                    self.report("proved space", f"{id_} of the plan does not hold of the winner", "a planned winner")
        found = (data["winner"], data["result"])
        expected = (winner, None if winner is None else str(whole(many / self.reading.last_places)))
        if found != expected or isinstance(found[0], bool):
            self.report("answer uniqueness", found, expected)
        self.tally.counts["nobody" if winner is None else "winners"] += 1
        self.check_roles(list(data["necessary"]), winner)
        for role, (who, changes) in data["necessary"].items():
            self.check_witness(role, who, changes, candidates, winner, many)

    def candidates(self, parameters: Json, cells: Json) -> list[list[int]]:
        """The places of each candidate, with those of the parameters."""
        flat = [*parameters, *chain.from_iterable(cells)]
        whole_ = len(flat) == len(self.all_sizes) and set(map(type, flat)) == WHOLE and min(flat) >= 0
        if not whole_ or not all(map(lt, flat, self.all_sizes)) or any(len(own) != self.slots for own in cells):
            raise Unreadable("the places are not those of every parameter and every cell, within their domains")
        for number_, place in self.reading.fixed:
            if parameters[number_] != place:
                self.report("proved space", f"place {parameters[number_]} of parameter {number_}", place)
        return [own + parameters for own in cells]

    def check_names(self, names: Json) -> None:
        if (
            len(names) != self.reading.spec.candidates
            or len(set(names)) != len(names)
            or set(map(type, names)) != WHOLE
        ):
            raise Unreadable(f"{short(names)} are not names of every candidate")
        if min(names) < 0 or max(names) >= self.names:
            self.report("names", short(names), f"places below {self.names}")

    def check_roles(self, shown: list[str], winner: int | None) -> None:
        """Every role that the family proof or the specification says is necessary is shown to be."""
        self.tally.shown.update(shown)
        self.counts.claims += len(shown)
        if winner is not None:
            if shown != self.with_winner:
                self.report("role necessity", f"the roles {shown}", f"{self.with_winner}")
            return
        if not self.always.issubset(shown):
            self.report("role necessity", f"the roles {shown}", f"all of {sorted(self.always)}")
        if shown != [role for role in self.roles if role in shown]:
            self.report("role necessity", f"the roles {shown}", "roles in the order of the specification")
        if len(shown) < min(2, len(self.roles)):
            self.report("no lone oracle", f"the roles {shown}", "two roles at least")

    def check_witness(
        self, role: str, who: Json, changes: Json, candidates: Sequence[list[int]], winner: int | None, many: int
    ) -> None:
        """Changed cells of the role, of one candidate, after which it is legal, and the answer is another one."""
        self.counts.witnesses += 1
        reading, rules = self.reading, self.reading.rules
        if type(who) is not int or not 0 <= who < len(candidates):
            raise Unreadable(f"{short(who)} is no candidate")
        v, last = candidates[who].copy(), -1
        for slot, place in changes:
            if type(slot) is not int or type(place) is not int or not last < slot < self.slots:
                raise Unreadable(f"{short(changes)} are not changes in the order of the slots")
            if not 0 <= place < reading.sizes[slot] or place == v[slot] or reading.owners[slot] != role:
                self.report(
                    f"role necessity: {role}", f"place {place} in slot {slot}", "another value of the role's own"
                )
                return
            v[slot], last = place, slot
        if who == winner and len(changes) == 1:
            rules = reading.touched[last]
        try:
            fault = reading.same_answer(rules, v, who, winner, many)
        except Undefined as undefined:
            fault = f"a completion in which {undefined}"
        if fault:
            self.report(f"role necessity: {role}", fault, "a legal completion with another answer")


class Tally:
    """What is counted of the lines of a file of facts."""

    def __init__(self, digest: str) -> None:
        self.digest = digest
        self.counts: Counter[str] = Counter()
        """Lines by what they hold, in the words of the manifest."""
        self.shown: Counter[str] = Counter()
        """Lines that show a role to be necessary, by role."""
        self.lines = 0
        self.ends = False
        """Whether the last line holds an instance."""


class Chunk(NamedTuple):
    """A file of facts, which is checked alone, anywhere."""

    tree: bytes
    """The specification."""
    claimed: tuple[str, ...]
    """The roles that the family proof says are necessary wherever there is a winner."""
    file: str
    start: int
    """The index of its first line."""
    data: bytes

    @property
    def words(self) -> str:
        return self.file

    def check(self) -> Checked:
        told: list[Fault] = []
        lines = Lines(self, keeping_first(told))
        lines.check()
        return Checked(lines.counts, tuple(told), lines.tally)


# --- Formulas ----------------------------------------------------------------------------------------------------

WORDS_OF_SMT = re.compile(r"[ \t\r\n]+|;[^\n]*|([()]|\|[^|\\]*\||[^ \t\r\n()|;\"]+)|(.)", re.DOTALL)
Env = dict[str, Any]
"""Values of symbols, an int or a truth value each; and of the named terms that were worked out for them."""
Term = Callable[[Env], Any]


def smt_words(text: str) -> list[Any]:
    """The commands of a script as lists of words."""
    top: list[Any] = []
    open_: list[list[Any]] = [top]
    for found in WORDS_OF_SMT.finditer(text):
        word, other = found.groups()
        if other:
            raise Unreadable(f"{short(other)} stands in a formula")
        if word == "(":
            inner: list[Any] = []
            open_[-1].append(inner)
            open_.append(inner)
        elif word == ")":
            open_.pop()
            if not open_:
                raise Unreadable("a bracket is closed that was not opened")
        elif word:
            open_[-1].append(word)
    if len(open_) != 1:
        raise Unreadable("a bracket is not closed")
    return top


def constantly(value: Any) -> Term:
    return lambda v: value


def euclid(a: int, b: int) -> tuple[int, int]:
    """Quotient and remainder as SMT-LIB has them: the remainder is never negative."""
    if b == 0:
        raise Undefined("a formula divides by zero")
    rest = a % abs(b)
    return (a - rest) // b, rest


APPLIED: Mapping[str, tuple[str, str, int, int, Callable[..., Term]]] = {
    "not": ("Bool", "Bool", 1, 1, lambda a: lambda v: not a(v)),
    "and": ("Bool", "Bool", 2, 10**6, lambda *parts: lambda v: all(part(v) for part in parts)),
    "or": ("Bool", "Bool", 2, 10**6, lambda *parts: lambda v: any(part(v) for part in parts)),
    "=>": ("Bool", "Bool", 2, 2, lambda a, b: lambda v: not a(v) or b(v)),
    "=": ("", "Bool", 2, 2, lambda a, b: lambda v: a(v) == b(v)),
    "distinct": ("", "Bool", 2, 2, lambda a, b: lambda v: a(v) != b(v)),
    "<": ("Int", "Bool", 2, 2, lambda a, b: lambda v: a(v) < b(v)),
    "<=": ("Int", "Bool", 2, 2, lambda a, b: lambda v: a(v) <= b(v)),
    ">": ("Int", "Bool", 2, 2, lambda a, b: lambda v: a(v) > b(v)),
    ">=": ("Int", "Bool", 2, 2, lambda a, b: lambda v: a(v) >= b(v)),
    "+": ("Int", "Int", 2, 10**6, lambda *parts: lambda v: sum([part(v) for part in parts])),
    "*": ("Int", "Int", 2, 10**6, lambda *parts: lambda v: prod([part(v) for part in parts])),
    "div": ("Int", "Int", 2, 2, lambda a, b: lambda v: euclid(a(v), b(v))[0]),
    "mod": ("Int", "Int", 2, 2, lambda a, b: lambda v: euclid(a(v), b(v))[1]),
}
"""Each operator of the logic: the sort of its arguments (empty: any one), its own, how many it takes, its meaning."""


class Made(NamedTuple):
    """A term of a formula: its sort, its value, and the symbols that it reads. Equal terms have one number."""

    sort: str
    value: Term
    reads: frozenset[str]
    number: int


class Script:
    """One question in SMT-LIB: its symbols with their sorts, and its assertions by their names."""

    def __init__(self, text: str, numbers: dict[Any, int]) -> None:
        self.numbers = numbers
        self.sorts: dict[str, str] = {}
        self.known: dict[str, Made] = {}
        self.parts: dict[str, Made] = {}
        *commands, last = smt_words(text)
        if last != ["check-sat"]:
            raise Unreadable("the last command of a question is not check-sat")
        for command in commands:
            self.read(command)

    def read(self, command: Any) -> None:
        if command[0] == "declare-const":
            _, name, sort = command
            self.define(name, self.made(sort, lambda v: v[name], frozenset((name,)), name))
            self.sorts[name] = sort
        elif command[0] == "define-fun":
            _, name, none, sort, term = command
            made = self.term(term)
            if none or made.sort != sort:
                raise Unreadable(f"{short(name)} is no constant of the sort {short(sort)}")
            self.define(name, made._replace(value=self.once(name, made.value)))
        elif command[0] == "assert":
            _, (mark, term, named, name) = command
            made = self.term(term)
            if (mark, named, made.sort) != ("!", ":named", "Bool") or name in self.parts:
                raise Unreadable(f"{short(name)} is no assertion of its own")
            self.parts[name] = made
        elif command[0] not in ("set-info", "set-logic"):
            raise Unreadable(f"{short(command[0])} is no command of a question")

    def define(self, name: str, made: Made) -> None:
        new = name not in self.known and (re.fullmatch(r"\|.*\|", name, re.DOTALL) or re.fullmatch(r"t[0-9]+", name))
        if not new or made.sort not in ("Int", "Bool"):
            raise Unreadable(f"{short(name)} of the sort {short(made.sort)} is no new symbol")
        self.known[name] = made

    def made(self, sort: str, value: Term, reads: frozenset[str], *form: Any) -> Made:
        return Made(sort, value, reads, self.numbers.setdefault(form, len(self.numbers)))

    @staticmethod
    def once(name: str, value: Term) -> Term:
        """The same value, worked out once for each choice of symbols."""

        def once(v: Env) -> Any:
            if name not in v:
                v[name] = value(v)
            return v[name]

        return once

    def term(self, tree: Any) -> Made:
        if isinstance(tree, str):
            if tree in ("true", "false"):
                return self.made("Bool", constantly(tree == "true"), frozenset(), tree)
            if re.fullmatch("[0-9]{1,4000}", tree):
                return self.made("Int", constantly(int(tree)), frozenset(), tree)
            return self.known[tree]
        name, parts = tree[0], [self.term(each) for each in tree[1:]]
        sorts, values = [part.sort for part in parts], [part.value for part in parts]
        reads = frozenset[str]().union(*(part.reads for part in parts))
        sort, value = self.applied(name, sorts, values)
        return self.made(sort, value, reads, name, *(part.number for part in parts))

    @staticmethod
    def applied(name: str, sorts: Sequence[str], values: Sequence[Term]) -> tuple[str, Term]:
        """The sort and the value of an operator that stands before terms."""
        if name == "ite" and len(sorts) == 3 and sorts[0] == "Bool" and sorts[1] == sorts[2]:
            condition, then, other = values
            return sorts[1], lambda v: then(v) if condition(v) else other(v)
        if name == "-" and set(sorts) == {"Int"} and len(sorts) == 2:
            first, second = values
            return "Int", lambda v: first(v) - second(v)
        if name == "-" and sorts == ["Int"]:
            (only,) = values
            return "Int", lambda v: -only(v)
        wanted, sort, least, most, build = APPLIED[name]
        if not least <= len(sorts) <= most or set(sorts) != {wanted or sorts[0]}:
            raise Unreadable(f"{short(name)} stands before terms of the sorts {short(sorts)}")
        return sort, build(*values)


@lru_cache(1 << 14)
def smt_symbol(name: str) -> str:
    """A name as a symbol: in bars, and what may not stand there by its number."""
    kept = (sign if 32 <= ord(sign) < 127 and sign not in "|\\%" else f"%{ord(sign):x};" for sign in name)
    return f"|{''.join(kept)}|"


def symbols_of(name: str, domain: Domain, value: Value) -> Env:
    """The symbols of a cell or a parameter that has a value of its domain."""
    if domain.kind == "date":
        return {smt_symbol(f"{name}.{part}"): getattr(value, part) for part in ("year", "month", "day")}
    return {smt_symbol(name): value if domain.kind == "boolean" else domain.index(value)}


def symbols_about(name: str, domain: Domain) -> Iterator[tuple[Env, bool]]:
    """Choices of symbols in and around a domain, and whether each is a value of it."""
    if domain.kind != "date":
        places = (-1, 0, 1, domain.size // 2, domain.size - 1, domain.size)
        yield from (({smt_symbol(name): place}, 0 <= place < domain.size) for place in places)
        return
    low, high = domain.low, domain.high
    years = {low.year - 1, low.year, low.year // 4 * 4 + 4, high.year // 100 * 100, high.year, high.year + 1}
    days = {0, 1, 28, 29, 30, 31, 32, low.day - 1, low.day, high.day, high.day + 1}
    for year, month, day_ in product(sorted(years), range(14), sorted(days)):
        try:
            inside = low <= date(year, month, day_) <= high
        except ValueError:
            inside = False
        parts = zip(("year", "month", "day"), (year, month, day_), strict=True)
        yield {smt_symbol(f"{name}.{part}"): value for part, value in parts}, inside


# --- Proofs of families ------------------------------------------------------------------------------------------

WINNER, NO_WINNER, ALL = "with a winner", "without a winner", "every instance"
Key = Any
"""A slot, or the name of a parameter or of an end of a reply."""
Case = dict[Key, Value]
"""One candidate of an instance: values of all its cells and of all parameters, as they are shown."""
LOW, HIGH, TURN = "low end of the reply", "high end of the reply", "value at which a rule fails"
POOL = 8
"""So many models of the claims of a family are looked around."""
BASES = 2
"""Around so many cases the moves of each claim are looked at, beside the model of its own."""
MOST_BASES = 5
"""Around so many, what many claims assume, once for all of them."""
MOST_REJECTED = 200
"""So many completions are looked at beside the formula of a rejection."""
FEW_GROUPS, MOST_LINES = 2, 1_000
"""The candidates of so many groups are cases too, of so many that are looked through."""
MOST_PLACES = 16
"""So many values of a cell are tried at most, beside those at which a rule turns."""


class Standing(NamedTuple):
    """What the rules say of a candidate; None where a rule has no value."""

    rules: tuple[bool | None, ...]
    """Each consistency rule."""
    settled: bool
    """Whether members who do not exist hold the first value of each domain."""
    conditions: tuple[bool | None, ...]
    result: Value
    plan: tuple[bool, ...]
    """Each rule of the plan of the winner: whether it has a value, and holds."""

    @property
    def legal(self) -> bool:
        return all(map(sure, self.rules)) and self.settled

    @property
    def eligible(self) -> bool:
        """Whether every condition holds; Undefined where one has no value."""
        return all(map(sure, self.conditions))


def sure(truth: bool | None) -> bool:
    if truth is None:
        raise Undefined("a rule has no value")
    return truth


class Cases:
    """The candidates that a family can have, as the rules in its tree say."""

    def __init__(self, specification: Specification) -> None:
        self.spec = spec = specification
        self.domains: dict[Key, Domain] = {**spec.domains, **spec.parameters}
        listed = {each["id"]: each["value"] for each in spec.tree["parameters"]}
        self.fixed = {name: spec.parameters[name].read(value) for name, value in listed.items() if value is not None}
        self.free = [name for name in spec.parameters if name not in self.fixed]
        language = spec.language
        self.plan = [language.meaning(rule["expression"]) for rule in spec.tree["plan"]["winner"]]
        self.reads = [{name for name, _ in language.reads(rule.tree)} for rule in spec.conditions]
        """Of each condition, the attributes that it reads."""
        self.rule_reads = [{name for name, _ in language.reads(rule.tree)} for rule in spec.consistency]
        self.result_reads = {name for name, _ in language.reads(spec.result_tree)}
        self.known: dict[tuple[Value, ...], Standing] = {}
        self.based: dict[tuple[Key, Value], Value] = {}
        self.lowest: Case = {key: domain.at(0) for key, domain in self.domains.items()} | self.fixed
        self.around: dict[tuple[Value, ...], list[tuple[Key, Value]]] = {}

    def world(self, case: Case, domains: Mapping[Key, Domain]) -> World:
        """The case as expressions read it. Each value in base units is worked out once."""
        based: dict[Key, Value] = {}
        for each in case.items():
            if each not in self.based:
                self.based[each] = domains[each[0]].base(each[1])
            based[each[0]] = self.based[each]
        return World(based, based)

    def standing(self, case: Case) -> Standing:
        """What the rules say of a case; the ends of a reply, which may stand in it too, do not matter."""
        key = tuple(map(case.__getitem__, self.domains))
        if key not in self.known:
            self.known[key] = self._standing(case)
        return self.known[key]

    def _standing(self, case: Case) -> Standing:
        spec, world = self.spec, self.world({key: case[key] for key in self.domains}, self.domains)
        return Standing(
            tuple(_value(rule.meaning, world) for rule in spec.consistency),
            self._settled(case),
            tuple(_value(rule.meaning, world) for rule in spec.conditions),
            _value(spec.result, world),
            tuple(_value(rule, world) is True for rule in self.plan),
        )

    def _settled(self, case: Case) -> bool:
        """Members who do not exist hold the first value of each domain."""
        return all(self.idle(case, slot) for slot, _ in self.spec.of_members)

    def idle(self, case: Case, slot: Slot) -> bool:
        return self.exists(case, slot) or bool(case[slot] == self.lowest[slot])

    def exists(self, case: Case, slot: Slot) -> bool:
        group = self.spec.attributes[slot[0]].group
        return group is None or bool(slot[1] <= self.spec.member_count(group, case))

    def edges(self, case: Case) -> list[tuple[Key, Value]]:
        """Other values, one cell or parameter at a time: ends, what rules name, and both sides of where one turns."""
        key = tuple(map(case.__getitem__, self.domains))
        if key not in self.around:
            open_ = [*self.spec.domains, *self.free]
            self.around[key] = [(each, value) for each in open_ for value in self._edges_of(case, each)]
        return self.around[key]

    def _edges_of(self, case: Case, key: Key) -> list[Value]:
        domain = self.domains[key]
        if domain.size <= 6:
            return [domain.at(place) for place in range(domain.size)]
        places = {0, domain.size - 1, domain.index(case[key])}
        if domain.kind in ("number", "date") and key in self.spec.domains:
            near = (domain.place(value) + off for value in self._named(case, key) for off in (-1, 0, 1))
            places.update(islice((place for place in near if 0 <= place < domain.size), MOST_PLACES))
        for low, high in list(zip(sorted(places), sorted(places)[1:], strict=False)):
            places.update(self._turn(case, key, low, high))
        return [domain.at(place) for place in sorted(places)]

    def _named(self, case: Case, slot: Slot) -> Iterator[Value]:
        kind = self.spec.domains[slot].kind
        yield from self.spec.named.get((slot[0], slot[2], kind), ())
        for name in self.spec.named.get((slot[0], slot[2], "parameter"), ()):
            if self.spec.parameters[name].kind == kind:
                yield self.spec.parameters[name].base(case[name])

    def _turn(self, case: Case, key: Key, low: int, high: int) -> Iterator[int]:
        """Two neighbours between which a rule turns, where the ends differ in one."""
        domain = self.domains[key]

        def rules(place: int) -> tuple[Any, ...]:
            return self.standing({**case, key: domain.at(place)})[:3]

        first = rules(low)
        if first != rules(high):
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if rules(middle) == first else (low, middle)
            yield from (low, high)


def _value(meaning: Meaning, world: World) -> Value:
    try:
        return meaning(world)
    except Undefined:
        return None


class FamilyClaim:
    """One proved claim about a family, read from its words and its moves: which cases it is about, and what each move
    does there.
    """

    def __init__(self, cases: Cases, claim: Json) -> None:
        self.cases = cases
        self.spec = spec = cases.spec
        self.name, self.subject, self.form, self.scope = (claim[each] for each in ("claim", "subject", "form", "scope"))
        self.winner = self.scope == WINNER
        self.domains: dict[Key, Domain] = {**cases.domains, **self._ends()}
        self.ends = [key for key in self.domains if key not in cases.domains]
        language = spec.language
        self.moves = [
            [((slot[0], slot[1], slot[2]), language.meaning(term)) for slot, term in move] for move in claim["moves"]
        ]
        self.parts_ = self.parts()
        for move in self.moves:
            slots = [slot for slot, _ in move]
            wrong = next((slot for slot in slots if slot not in spec.domains or not self._may(slot)), None)
            if wrong or len(set(slots)) != len(slots):
                raise Unreadable(f"a move of {short(wrong or slots)}, which the claim is not about, or twice")

    def _ends(self) -> dict[Key, Domain]:
        """What is open in a coarse reply: its ends, or which values it names."""
        if self.name != "Incomplete is valid" or self.form == "omitted":
            return {}
        attribute = self.spec.attributes[self.subject]
        domain = attribute.contexts[attribute.required]
        if self.form == "interval":
            return {f"{self.subject}: {end}": domain for end in ((LOW, HIGH, TURN) if self._is_read else (LOW, HIGH))}
        if self.form != "set":
            raise Unreadable(f"{short(self.form)} is no form of a reply")
        return {f"{self.subject}: {name}": Domain({"kind": "boolean"}) for name in domain.names}

    @property
    def _is_read(self) -> bool:
        return any(self.subject in reads for reads in self.cases.reads)

    @property
    def slot(self) -> Slot:
        """The required cell of the attribute that the claim is about."""
        return self.subject, 0, self.spec.attributes[self.subject].required

    @property
    def hidden(self) -> set[tuple[str, str]]:
        """The attributes, each with its context, whose cells a completion may change."""
        own = self.name in ("role necessity", "no lone oracle") or (self.name == "can lift a loser" and not self.form)
        if not own:
            return {(self.subject, self.slot[2])}
        there = self.name != "no lone oracle"
        return {
            (each.id, context)
            for each in self.spec.attributes.values()
            for context in each.contexts
            if (each.owner == self.subject) is there
        }

    def _may(self, slot: Slot) -> bool:
        """Whether a completion may change the slot; a pattern may set any."""
        return self.name == "well-posed" or (slot[0], slot[2]) in self.hidden

    # The cases

    def parts(self) -> dict[str, tuple[Key, Callable[[Case], bool]]]:
        """The assumptions by their names, each with a key that is its own in the family, and its reading."""
        rules, conditions = range(len(self.spec.consistency)), range(len(self.spec.conditions))
        found: dict[str, tuple[Key, Callable[[Case], bool]]] = {}
        if self.name == "well-posed":
            return found
        for n in rules:
            found[f"consistent-{n + 1}"] = (("consistent", n), partial(self._consistent, n))
        if self.name == "answer uniqueness":
            return found
        holds = {n: (("condition", n), partial(self._condition, n)) for n in conditions}
        if not self.winner:
            found["ineligible-1"] = ("ineligible", lambda case: not self.cases.standing(case).eligible)
            read = [self.spec.language.reads(rule.tree) for rule in self.spec.conditions]
            apart = [n for n in conditions if self.name == "can lift a loser" and read[n].isdisjoint(self.hidden)]
            return found | {f"apart-{place}": holds[n] for place, n in enumerate(apart, 1)}
        found |= {f"condition-{n + 1}": each for n, each in holds.items()}
        for n in range(len(self.cases.plan)):
            found[f"plan-{n + 1}"] = (("plan", n), partial(self._planned, n))
        own = [self._misleads] if self.name == "Misaligned is valid" else self._reply()
        name = "face" if self.name == "Misaligned is valid" else "reply"
        return found | {f"{name}-{n}": ((id(self), name, n), read) for n, read in enumerate(own, 1)}

    def _consistent(self, number_: int, case: Case) -> bool:
        return sure(self.cases.standing(case).rules[number_])

    def _condition(self, number_: int, case: Case) -> bool:
        return sure(self.cases.standing(case).conditions[number_])

    def _planned(self, number_: int, case: Case) -> bool:
        return self.cases.standing(case).plan[number_]

    def _reply(self) -> list[Callable[[Case], bool]]:
        """What is known of a coarse reply: it is true; and it allows a value at which a condition fails, or, where none
        reads it, another value.
        """
        if self.form == "set" and self.ends:
            return [lambda case: self._told(case, case[self.slot]), self._vague]
        if not self.ends:
            return []
        low, high, turn = (f"{self.subject}: {end}" for end in (LOW, HIGH, TURN))
        about: list[Callable[[Case], bool]] = [
            lambda case: bool(case[low] <= case[self.slot]), lambda case: bool(case[self.slot] <= case[high]),
        ]  # fmt: skip
        if not self._is_read:
            return [*about, lambda case: bool(case[low] < case[high])]
        return [
            *about, lambda case: bool(case[low] <= case[turn]), lambda case: bool(case[turn] <= case[high]),
            lambda case: self._fails(case, {self.slot: case[turn]}),
        ]  # fmt: skip

    def about(self, case: Case) -> bool:
        """Whether the claim is about the case; Undefined where a rule without a value keeps from telling."""
        if self.name != "well-posed" and not self.cases.standing(case).legal:
            return False
        return all(read(case) for _, read in self.parts_.values())

    def _told(self, case: Case, value: Value) -> bool:
        """Whether the reply allows the value."""
        if self.form == "set":
            return bool(case[f"{self.subject}: {value}"])
        return bool(case[f"{self.subject}: {LOW}"] <= value <= case[f"{self.subject}: {HIGH}"])

    def _vague(self, case: Case) -> bool:
        """Whether a set of values has one at which a condition fails, or, where none reads it, another one."""
        told = [value for value in self.domains[self.slot].names if self._told(case, value)]
        if self._is_read:
            return any(self._fails(case, {self.slot: value}) for value in told)
        return any(value != case[self.slot] for value in told)

    def _fails(self, case: Case, changes: Case) -> bool:
        """Whether a condition that reads a changed attribute fails after the change."""
        changed = {slot[0] for slot in changes}
        after = self.cases.standing({**case, **changes}).conditions
        return any(not sure(each) for each, reads in zip(after, self.cases.reads, strict=True) if reads & changed)

    def _face(self, case: Case) -> Case:
        """The magnitudes of the other context in the required cells; of members who do not exist, the first value."""
        slots = [slot for slot in self.spec.read if slot[0] == self.subject and slot[2] == self.slot[2]]
        there = self.cases.exists
        return {s: case[s[0], s[1], self.form] if there(case, s) else self.cases.lowest[s] for s in slots}

    def _misleads(self, case: Case) -> bool:
        face = self._face(case)
        if not all(self.domains[slot].has(value) for slot, value in face.items()):
            return False
        if self._is_read:
            return self._fails(case, face)
        return any(case[slot] != value for slot, value in face.items())

    # The parts of the negated goal

    def denied(self, case: Case) -> Iterator[bool]:
        """Each part: that this move does not change the answer, or that this pattern is no such candidate."""
        if self.name == "answer uniqueness":
            standing = self.cases.standing(case)
            yield None in standing.conditions or (all(standing.conditions) and standing.result is None)
        world = self.cases.world(case, self.domains)
        for move in self.moves:
            yield not self._changes(case, world, move)

    def moved(self, world: World, move: Sequence[tuple[Slot, Meaning]]) -> Case | None:
        """The cells that a move changes; None where a term has no value of the domain."""
        changes: Case = {}
        for slot, term in move:
            value, domain = _value(term, world), self.domains[slot]
            if domain.kind == "number" and value is not None:
                value = whole(Fraction(value) / domain.scale)
            if value is None or not domain.has(value):
                return None
            changes[slot] = value
        return changes

    def _changes(self, case: Case, world: World, move: Sequence[tuple[Slot, Meaning]]) -> bool:
        changes = self.moved(world, move)
        if self.name == "Misaligned is valid" and changes is not None and changes != self._face(case):
            raise Unreadable(f"the face value is {short(self._face(case))}, and the move tells {short(changes)}")
        if changes is None:
            return False
        if self.name == "well-posed":
            standing = self.cases.standing(
                {**self.cases.lowest, **{each: case[each] for each in self.cases.free}, **changes}
            )
            return standing.legal and standing.eligible is self.winner and (not self.winner or all(standing.plan))
        changed = {slot[0] for slot in changes}
        after = self.cases.standing({**case, **changes})
        rules = zip(after.rules, self.cases.rule_reads, strict=True)
        if not after.settled or not all(sure(rule) for rule, reads in rules if reads & changed):
            return False
        if self.ends and not self._told(case, changes[self.slot]):
            return False
        if not self.winner:
            return after.eligible
        if self._fails(case, changes):
            return True
        if not self.cases.result_reads & changed:
            return False
        before = self.cases.standing(case).result
        if before is None or after.result is None:
            raise Undefined("a result has no value")
        return bool(before != after.result)


Differing = Iterator[tuple[str, str]]
"""What was found, and what was expected."""


class Question:
    """The stored formula of a claim beside the checker's own reading of it, part by part, on cases at the edges."""

    def __init__(self, claim: FamilyClaim, script: Script, counts: Counts, verified: set[Any]) -> None:
        self.claim = claim
        self.cases = claim.cases
        self.script = script
        self.counts = counts
        self.verified = verified
        """The parts that were looked at before, in this question or another of the family: key and number."""
        open_ = [*claim.spec.domains, *self.cases.free, *claim.ends]
        self.names: dict[Key, str] = {key: _name_of(key) for key in open_}
        self.keys: dict[str, Key] = {}
        """Each symbol with the cell or parameter that it is of."""
        for key in open_:
            domain = claim.domains[key]
            for sign in symbols_of(self.names[key], domain, domain.at(0)):
                if script.sorts.get(sign) == ("Bool" if domain.kind == "boolean" else "Int"):
                    self.keys[sign] = key
        if set(self.keys) != set(script.sorts):
            raise Unreadable(f"{short(sorted(set(script.sorts) - set(self.keys))[0])} is no cell and no parameter")
        self.declared = list(dict.fromkeys(self.keys.values()))
        self.goal = [f"goal-{n + 1}" for n in range(len(claim.moves) + (claim.name == "answer uniqueness"))]
        self.free = [name for name in script.parts if name.partition("-")[0] in ("domain", "idle")]
        expected = {*claim.parts_, *self.goal, *self.free}
        if set(script.parts) != expected:
            raise Unreadable(f"{short(sorted(set(script.parts) ^ expected)[0])} is missing, or is no part of the claim")

    def env(self, case: Case, keys: Iterable[Key]) -> Env:
        """The symbols of these keys in a case."""
        found: Env = {}
        for key in keys:
            found |= symbols_of(self.names[key], self.claim.domains[key], case[key])
        return found

    def read_by(self, part: Made) -> list[Key]:
        return list(dict.fromkeys(key for sign, key in self.keys.items() if sign in part.reads))

    def differing(self, model: Case, others: Sequence[Case]) -> Differing:
        """Parts that say something else than the claim; a model that is none; a case that refutes the claim."""
        if not self.claim.about(model):
            yield "a model of the assumptions that the claim is not about", "a case that it is about"
        yield from self.of_domains()
        near = [self.with_ends(model, other) for other in others]
        yield from self.of_members(near)
        for name, (key, read) in self.claim.parts_.items():
            yield from self.compared(name, read, model, [{}])
            yield from self.of_part(name, key, read, near)
        yield from self.of_goal(model, [{}])
        for case in near[:BASES]:
            yield from self.of_goal(case, self.near(case))

    def is_new(self, key: Key, part: Made) -> bool:
        new = (key, part.number) not in self.verified
        self.verified.add((key, part.number))
        return new

    def of_domains(self) -> Differing:
        """Every cell and parameter that is declared has the values of its domain alone."""
        found: list[Key] = []
        for name in (each for each in self.free if each.startswith("domain")):
            part = self.script.parts[name]
            (key,) = self.read_by(part)
            found.append(key)
            if self.is_new(("domain", key), part):
                for env, inside in symbols_about(self.names[key], self.claim.domains[key]):
                    self.counts.samples += 1
                    if part.value(dict(env)) is not inside:
                        yield f"{name} {str(not inside).lower()} at {short(env)}", str(inside).lower()
        bounded = [key for key in self.declared if self.claim.domains[key].kind != "boolean"]
        if sorted(map(str, found)) != sorted(map(str, bounded)):
            yield f"the domains of {short(sorted(map(str, found)))}", short(sorted(map(str, bounded)))

    def of_members(self, near: Sequence[Case]) -> Differing:
        """Members who do not exist hold the first value of each domain."""
        found: list[Slot] = []
        for name in (each for each in self.free if each.startswith("idle")):
            part = self.script.parts[name]
            slots = [key for key in self.read_by(part) if not isinstance(key, str) and key[1]]
            if len(slots) == 1:
                found.append(slots[0])
                yield from self.of_part(name, ("idle", slots[0]), partial(self._idle, slots[0]), near)
            elif slots or part.reads or part.value({}) is not True:
                yield f"{name} about {short(slots)}", "one member"
        sized = {group for group, each in self.claim.spec.groups.items() if each["size_attribute"] is not None}
        members = [slot for slot, group in self.claim.spec.of_members if group in sized and slot in self.declared]
        if self.claim.name != "well-posed" and sorted(found) != sorted(members):
            yield f"members {short(sorted(found))}", short(sorted(members))

    def _idle(self, slot: Slot, case: Case) -> bool:
        return self.cases.idle(case, slot)

    def of_part(self, name: str, key: Key, read: Callable[[Case], bool], near: Sequence[Case]) -> Differing:
        """An assumption is true exactly where its reading is, around several cases."""
        part = self.script.parts[name]
        if not self.is_new(key, part):
            return
        for base in near:
            yield from self.compared(name, read, base, [{}, *self.changes(base, self.declared)])

    def compared(self, name: str, read: Callable[[Case], bool], base: Case, changes: Iterable[Case]) -> Differing:
        """An assumption of a case, each time with something changed."""
        part = self.script.parts[name]
        keys = set(self.read_by(part))
        env = self.env(base, keys)
        for change in changes:
            self.counts.samples += 1
            case = {**base, **change}
            try:
                expected = read(case)
                found = part.value({**env, **self.env(change, change.keys() & keys)})
            except Undefined:
                self.counts.samples_skipped += 1
                continue
            if found is not expected:
                yield f"{name} {str(found).lower()} of {self.told(case, self.declared)}", str(expected).lower()

    def at(self, case: Case, counts: Counts) -> Differing:
        """The same of one more case, without what is near it; it is counted elsewhere."""
        self.counts = counts
        for name, (_, read) in self.claim.parts_.items():
            yield from self.compared(name, read, case, [{}])
        yield from self.of_goal(case, [{}])

    def near(self, base: Case) -> Iterator[Case]:
        """No change, other values one at a time, and what each move makes of the case."""
        world = self.cases.world(base, self.claim.domains)
        yield from ({}, *self.changes(base, self.declared))
        yield from filter(None, (self.claim.moved(world, move) for move in self.claim.moves))

    def of_goal(self, base: Case, changes: Iterable[Case]) -> Differing:
        """Each part of the negated goal is as it is read; and where the claim is about a case, some part fails."""
        parts = [self.script.parts[name] for name in self.goal]
        keys = list(dict.fromkeys(key for part in parts for key in self.read_by(part)))
        env = self.env(base, keys)
        for change in changes:
            self.counts.samples += 1
            case = {**base, **change}
            signs = {**env, **self.env(change, change.keys() & set(keys))}
            try:
                expected = list(self.claim.denied(case))
                found = [part.value(signs) for part in parts]
                left_over = all(expected) and self.claim.about(case)
            except Undefined:
                self.counts.samples_skipped += 1
                continue
            if found != expected:
                yield f"the goals {short(found)} of {self.told(case, self.declared)}", short(expected)
            if left_over:
                yield f"a case that the proof leaves over: {self.told(case, self.declared)}", "a move that changes it"

    def changes(self, base: Case, keys: Sequence[Key]) -> list[Case]:
        """Other values of these cells and parameters, one at a time."""
        asked = set(keys)
        pairs = [pair for pair in (*self.cases.edges(base), *self.ends_near(base)) if pair[0] in asked]
        return [{key: value} for key, value in pairs if value != base[key]]

    def ends_near(self, case: Case) -> Iterator[tuple[Key, Value]]:
        """Other ends of the reply: what rules turn at, and what is next to the true value and to the end itself."""
        for end in self.claim.ends:
            domain, slot = self.claim.domains[end], self.claim.slot
            if domain.kind == "boolean":
                yield end, not case[end]
                continue
            near = {domain.index(value) for key, value in self.cases.edges(case) if key == slot}
            places = {domain.index(case[key]) + off for key in (slot, end) for off in (-1, 0, 1)} | near
            yield from ((end, domain.at(place)) for place in sorted(places) if 0 <= place < domain.size)

    def with_ends(self, model: Case, other: Case) -> Case:
        """Another case, with a reply that allows what is true there."""
        case = {**other, **{end: model[end] for end in self.claim.ends}}
        if self.claim.ends and self.claim.form == "interval":
            names = [f"{self.claim.subject}: {end}" for end in (LOW, HIGH, TURN)]
            known = [case[self.claim.slot], *(case[end] for end in names[2:] if end in case)]
            return {**case, names[0]: min(known), names[1]: max(known)}
        return {**case, **dict.fromkeys(self.claim.ends, True)}

    def told(self, case: Case, keys: Sequence[Key]) -> str:
        return ", ".join(f"{self.names[key]} = {case[key]}" for key in keys)


def leaves_open(group: Group, claim: Json, cell: Cell, value: Value) -> bool:
    """Whether the evidence that a claim of a group is about allows the value of a cell."""
    if claim["claim"] == "Incomplete is valid":
        known = group.coarse(group.incomplete)
        return cell in known and (not group.instance.exists(cell) or known[cell].allows(value))
    return (group.owner(cell[1]) == claim["subject"]) is (claim["claim"] != "no lone oracle")


def of_rejection(group: Group, claim: Json, script: Script, counts: Counts) -> Differing:
    """The formula of a rejection beside the rules, at the instance and with one cell changed: its assumptions say that
    a completion is legal, agrees with what is known and keeps the promise; its goal, that it has another answer.
    """
    instance, spec, cases = group.instance, group.spec, Cases(group.spec)
    env: Env = {}
    for name, domain in spec.parameters.items():
        env |= symbols_of(_name_of(name), domain, instance.shown_parameters[name])
    for cell in spec.cells:
        env |= symbols_of_cell(spec, cell, instance[cell])
    assumed = [part for name, part in script.parts.items() if name != "goal-1"]
    changes: list[tuple[Cell, Value]] = [
        ((who, *key), value)
        for who, facts in enumerate(instance.facts)
        for key, value in cases.edges({**facts, **instance.shown_parameters})
        if key in spec.domains and value != facts[key]
    ]
    for change in [None, *changes[:: len(changes) // MOST_REJECTED + 1]]:
        counts.samples += 1
        candidates = instance.changed({} if change is None else dict([change]))
        now = dict(env) if change is None else {**env, **symbols_of_cell(spec, *change)}
        answer, legal = outcome(candidates), not any(each.illegal for each in candidates)
        known = change is None or leaves_open(group, claim, *change)
        expected = legal and known and not isinstance(answer, list), answer != group.gold
        found = all(part.value(now) for part in assumed), script.parts["goal-1"].value(now)
        if found[0] is not expected[0] or (legal and found != expected):
            yield f"assumptions and goal {found} with {short(change)}", str(expected)
        if all(expected):
            yield f"another answer with {short(change)}", "the same answer throughout"


def symbols_of_cell(spec: Specification, cell: Cell, value: Value) -> Env:
    return symbols_of(f"c{cell[0]}.{_name_of(cell[1:])}", spec.domains[cell[1:]], value)


def _name_of(key: Key) -> str:
    return f"parameter.{key}" if isinstance(key, str) else f"{key[0]}.{key[1]}.{key[2]}"


QUERIED = ("well-posed", "answer uniqueness")
CLAIMED = (
    *QUERIED, "at most one eligible", "role necessity", "no lone oracle", "Misaligned is valid", "Incomplete is valid",
    "Missed is valid", "Mixed is valid", "every part matters",
    "can lift a loser", "recoverable",
)  # fmt: skip


def title_of(claim: Json) -> str:
    return ": ".join(filter(None, (claim["claim"], claim["subject"], claim["form"], claim["scope"])))


class ProofShare(NamedTuple):
    """The proof of one family, which is checked alone, anywhere."""

    tree: bytes
    """The specification."""
    file: str
    data: bytes
    queries: tuple[tuple[str, bytes], ...]
    """The texts of the questions, each with its hash as the claims name it; those of which there is a file."""
    groups: tuple[bytes, ...]
    """Some groups of the dataset: their candidates are cases."""

    @property
    def words(self) -> str:
        return self.file

    def check(self) -> Checked:
        proofs, found = read_proof(self._replace(groups=()))
        told = list(found.told)
        desk = Desk(keeping_first(told))
        desk.counts.add(found.counts)
        for line in self.groups:
            desk.guarded(self.file, "", partial(proofs.at_group, line, desk))
        return Checked(desk.counts, tuple(told))


@lru_cache(32)
def read_proof(share: ProofShare) -> tuple[Proofs, Checked]:
    """The claims of a proof, and what was found of them. The same files are looked at once in a process."""
    told: list[Fault] = []
    proofs = Proofs(share, keeping_first(told))
    proofs.guarded(share.file, "", proofs.check)
    return proofs, Checked(proofs.counts, tuple(told))


class Proofs(Desk):
    """The claims of a family proof: all that must be there are, and each formula says what its claim says."""

    def __init__(self, share: ProofShare, tell: Callable[[Fault], None]) -> None:
        super().__init__(tell)
        self.share = share
        self.spec = read_tree(share.tree)
        self.cases = Cases(self.spec)
        self.queries = dict(share.queries)
        self.questions: list[tuple[Json, Question, Case]] = []
        """Each claim with its question and its model."""
        self.numbers: dict[Any, int] = {}
        self.verified: set[Any] = set()
        self.claims: dict[tuple[str, str, str, str], Json] = {}

    def report(self, claim: Json, found: object, expected: object) -> None:
        self.fault(self.share.file, "", title_of(claim), found, expected)

    def check(self) -> None:
        proof = parse_json(self.share.data)
        if (proof["format"], proof["digest"], proof["canonical"]) != (1, self.spec.digest, self.spec.hash):
            self.fault(self.share.file, "", "identity", proof["canonical"], self.spec.hash)
        for claim in proof["claims"]:
            key = (claim["claim"], claim["subject"], claim["form"], claim["scope"])
            if key in self.claims or key[0] not in CLAIMED:
                self.report(claim, "a claim of this name, again or unknown", "each known claim once")
            self.claims[key] = claim
        self.check_required()
        pool = self.pool(proof["claims"])
        for number_, claim in enumerate(proof["claims"]):
            self.guarded(self.share.file, claim["claim"], partial(self.check_claim, claim, pool, number_))

    def required(self) -> Iterator[tuple[str, str, str, str]]:
        """The claims without which the specification is rejected."""
        yield ("well-posed", "", "", WINNER)
        yield ("well-posed", "", "", NO_WINNER)
        yield ("answer uniqueness", "", "", ALL)
        for name, role in self.spec.roles.items():
            if role["necessary"] in ("always", "with_winner"):
                yield ("role necessity", name, "", WINNER)
            if role["necessary"] == "always":
                yield ("role necessity", name, "", NO_WINNER)

    def check_required(self) -> None:
        required = set(self.required())
        for key in self.required():
            found = self.claims.get(key, {"verdict": "no claim"})["verdict"]
            # A necessity that is not proved of the family is shown in each group.
            one_by_one = key[0] == "role necessity" and key in self.claims
            if found != "Proved" and not one_by_one:
                self.fault(self.share.file, "", ": ".join(filter(None, key)), found, "Proved, since it is required")
        for key, claim in self.claims.items():
            planned = key[3] == WINNER and bool(self.cases.plan)
            if (claim["required"], claim["planned"]) != (key in required, planned):
                found = f"required: {claim['required']}, planned: {claim['planned']}"
                self.report(claim, found, f"required: {key in required}, planned: {planned}")

    def pool(self, claims: Sequence[Json]) -> list[Case]:
        """Cases to look around: models of the claims, some winners and some losers."""
        found = [self.model(claim) for claim in claims if claim["model"] and claim["model"]["cells"]]
        cases = {tuple(map(case.__getitem__, self.cases.domains)): case for case in found}
        cases = {key: dict(zip(self.cases.domains, key, strict=True)) for key in cases}
        stands = [(case, self.cases.standing(case)) for case in cases.values()]
        winners = [case for case, each in stands if all(each.conditions)]
        losers = [case for case, each in stands if not all(each.conditions)]
        return [*winners[: POOL - len(losers[: POOL // 2])], *losers[: POOL // 2]]

    def model(self, claim: Json) -> Case:
        """The stored model of the assumptions; cells that do not matter hold their first value."""
        case, domains = dict(self.cases.lowest), FamilyClaim(self.cases, claim).domains
        for *slot, value in claim["model"]["cells"]:
            case[tuple(slot)] = self.spec.domains[slot[0], slot[1], slot[2]].read(value)
        for name, value in claim["model"]["parameters"].items():
            case[name] = domains[name].read(value)
        if any(case[name] != value for name, value in self.cases.fixed.items()):
            raise Unreadable("a parameter has another value than the specification gives it")
        return case

    def check_claim(self, claim: Json, pool: list[Case], number_: int) -> None:
        """A proved claim: what shows it is there, and says what the claim says."""
        self.counts.claims += 1
        name, verdict = claim["claim"], claim["verdict"]
        if verdict != "Proved":
            if verdict not in ("Refuted", "Unknown", "Vacuous"):
                self.report(claim, verdict, "a verdict")
            self.counts.solver(f"{verdict}: a claim about a family")
        elif name in QUERIED or claim["method"] == "moves":
            self.counts.solver("Proved: a claim about a family, since a formula is unsatisfiable")
            self.check_query(claim, pool[number_ % max(1, len(pool)) :] + pool[: number_ % max(1, len(pool))])
        elif name == "every part matters":
            self.counts.solver(f"Proved: {name}, about a family")
        elif name == "recoverable":
            # The response policy is the program's own: nothing in the dataset shows how it replies.
            if claim["method"] != "run":
                self.report(claim, claim["method"], "run")
        elif claim["method"] != "implied" or not self.implied(claim):
            self.report(claim, f"{claim['method']}: {short(claim['because'])}", "what implies it, proved")

    def proved(self, name: str, subject: str, scope: str, form: str = "") -> bool:
        return bool(self.claims.get((name, subject, form, scope), {"verdict": ""})["verdict"] == "Proved")

    def implied(self, claim: Json) -> bool:
        """Whether other proved claims imply it."""
        name, subject, scope = claim["claim"], claim["subject"], claim["scope"]
        roles = [role for role in self.spec.roles if self.proved("role necessity", role, scope)]
        if name == "no lone oracle":
            return any(role != subject for role in roles)
        if name == "Missed is valid":
            return subject in roles
        self.counts.solver("Proved: Mixed is valid, about a family")
        return bool(name == "Mixed is valid")

    def check_query(self, claim: Json, others: Sequence[Case]) -> None:
        data = self.queries.get(claim["query"])
        if data is None:
            self.report(claim, "no question", "the text that was answered UNSAT")
            return
        if sha256(data) != claim["query"]:
            self.report(claim, f"a question with the hash {sha256(data)}", claim["query"])
        script = Script(data.decode("ascii"), self.numbers)
        question = Question(FamilyClaim(self.cases, claim), script, self.counts, self.verified)
        self.counts.formulas += 1
        model = self.model(claim)
        self.questions.append((claim, question, model))
        for found, expected in islice(question.differing(model, others[:MOST_BASES]), 1):
            self.report(claim, found, expected)

    def at_group(self, line: bytes, desk: Desk) -> None:
        """The candidates of a group are cases too."""
        instance = Instance(self.spec, parse_json(line)["group"])
        for facts in instance.facts:
            for claim, question, model in self.questions:
                case = question.with_ends(model, {**facts, **instance.shown_parameters})
                for found, expected in islice(question.at(case, desk.counts), 1):
                    desk.fault(self.share.file, "", title_of(claim), found, expected)


# --- The folder --------------------------------------------------------------------------------------------------

VALIDATIONS = 3
"""So often every task is solved before its group is retained (the paper, A.3.2)."""
LISTS = ("groups.jsonl", "tasks.jsonl", "rejections.jsonl", "transcripts.jsonl")
UNLISTED = frozenset({"manifest.json", "manifest.sha256", "run.sqlite", "run.lock", "replies.sqlite", "summary.html"})
"""Files that the manifest does not list: itself, its hash, what a build needs to go on, and a summary."""


class Folder(Desk):
    """A dataset: every file hashed, every group checked, a share at a time."""

    def __init__(self, folder: Path, tell: Callable[[Fault], None], run: Run) -> None:
        super().__init__(tell)
        self.folder = folder
        self.run = run
        self.trees: dict[str, bytes] = {}
        self.specifications: dict[str, Specification] = {}
        self.manifest: Json = {}

    def check(self) -> Counts:
        """The whole dataset; whatever does not hold is told, and nothing is raised for it."""
        if not self.guarded("manifest.json", "", self.check_files):
            return self.counts
        self.guarded("specifications", "", self.read_specifications)
        self.guarded("proofs", "", self.check_proofs)
        if self.manifest.get("kind") == "facts":
            self.guarded("facts", "", self.check_facts)
            return self.counts
        rejected = self.guarded("rejections.jsonl", "", self.check_rejections) or {}
        self.guarded("transcripts.jsonl", "", self.check_transcripts)
        self.guarded("groups.jsonl", "", lambda: self.check_groups(rejected))
        return self.counts

    def work(self, shares: Iterable[Share | Chunk | ProofShare]) -> Iterator[Checked]:
        """The results of shares, in their order, with what was counted and found."""
        try:
            for checked in self.run(check_share, shares):
                self.counts.add(checked.counts)
                for fault in checked.told:
                    self.tell(fault)
                yield checked
        except (OSError, BrokenProcessPool) as error:
            raise NotDone(f"the work could not be done: {error}; run the command again") from error

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
        for name in LISTS if self.manifest.get("kind") != "facts" else ():
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
            tree = (self.folder / file).read_bytes()
            spec = read_tree(tree)
            if (spec.digest, spec.tree["name"], spec.hash) != (about["digest"], name, about["canonical"]):
                self.fault(
                    file, "", "specification", f"{spec.tree['name']} {spec.hash}", f"{name} {about['canonical']}"
                )
            self.specifications[spec.digest] = spec
            self.trees[spec.digest] = tree

    def check_proofs(self) -> None:
        """The proof of every family, and its formulas."""
        for _ in self.work([self.proof_of(about) for about in self.manifest["specifications"].values()]):
            pass

    def proof_of(self, about: Json) -> ProofShare:
        digest, files = about["digest"], self.manifest["files"]
        file = f"proofs/{digest}.json"
        if file not in files:
            self.fault("manifest.json", "", "manifest", f"no {file}", "the proof of every family")
            return ProofShare(self.trees[digest], file, b"null", (), ())
        data = (self.folder / file).read_bytes()
        if "family_proof" in about and about["family_proof"]["sha256"] != sha256(data):
            self.fault("manifest.json", "", "family proof", about["family_proof"]["sha256"], sha256(data))
        named = dict.fromkeys(claim["query"] for claim in parse_json(data)["claims"])
        paths = {name: f"queries/{name}.smt2" for name in named if name}
        texts = tuple((name, (self.folder / path).read_bytes()) for name, path in paths.items() if path in files)
        return ProofShare(self.trees[digest], file, data, texts, tuple(self.some_groups(digest)))

    def some_groups(self, digest: str) -> Iterator[bytes]:
        """A few groups of a specification, where there are groups."""
        if self.manifest.get("kind") == "facts":
            return
        mark = canonical(digest)
        lines = (line for _, line in islice(self.raw_lines("groups.jsonl"), MOST_LINES) if mark in line)
        yield from islice(lines, FEW_GROUPS)

    def lines(self, name: str) -> Iterator[tuple[str, Json]]:
        """The lines of a file, each with its place."""
        return ((place, parse_json(line)) for place, line in self.raw_lines(name))

    def raw_lines(self, name: str) -> Iterator[tuple[str, bytes]]:
        with (self.folder / name).open("rb") as file:
            for place, line in enumerate(file, 1):
                yield f"{name}:{place}", line

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

    def check_transcripts(self) -> None:
        """Every rejection by a validator has its transcript, in order: one of its runs at least did not find gold."""
        by_validator = [line for _, line in self.lines("rejections.jsonl") if line["phase"] == "validate"]
        expected = [(line["specification"], line["index"], line["code"]) for line in by_validator]
        found = []
        for place, line in self.lines("transcripts.jsonl"):
            found.append((line["specification"], line["index"], line["code"]))
            verdicts = [run["verdict"] for run in line["runs"]]
            if len(verdicts) != VALIDATIONS or set(verdicts) <= {"right"}:
                self.fault(place, "", "validation", verdicts, f"{VALIDATIONS} runs, not all of them right")
        if found != expected:
            self.fault("transcripts.jsonl", "", "validation", found, expected)

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
            self.check_question(place, name, failed, certificate)
        elif failed["claim"] not in {claim for claim, _, _ in told}:
            self.fault(place, name, failed["claim"], failed["verdict"], "Proved, as it is by evaluation")

    def check_question(self, place: str, name: str, failed: Json, certificate: Json) -> None:
        """The formula by which a solver refuted a claim says that every completion has one answer."""
        asked = failed["claim"] in ("role necessity", "no lone oracle", "Missed is valid", "Incomplete is valid")
        if asked and failed.get("engine") == "solver":
            spec = self.specifications[certificate["digest"]]
            group = Group(spec, certificate["instance"], Counts(), lambda *fault: None)
            script = Script(certificate["query"], {})
            self.counts.formulas += 1
            for found, expected in islice(of_rejection(group, failed, script, self.counts), 1):
                self.fault(place, name, failed["claim"], found, expected)
        elif certificate["query"] is not None:
            self.fault(place, name, failed["claim"], "a question", "none, since no solver was asked")

    def check_groups(self, rejected: Mapping[str, set[int]]) -> None:
        """Every group with its certificate and its tasks, in step; and that none is missing."""
        cut = Cut(self, rejected)
        for _ in self.work(cut.shares()):
            pass
        if cut.stopped is not None:
            raise cut.stopped
        for place, id_, found, expected in cut.disorder:
            self.fault(place, id_, "order", found, expected)
        retained, following = cut.retained, cut.following
        for name, about in self.manifest["specifications"].items():
            made, listed = retained[name] + len(rejected[name]), about["phases"][0]["candidates"]
            if (retained[name], made) != (about["retained"], listed):
                found = f"{retained[name]} groups of {made} candidate groups of {name}"
                self.fault("manifest.json", "", "counts", found, f"{about['retained']} of {listed}")
            if max((following[name] - 1, *rejected[name])) != made - 1:
                self.fault("rejections.jsonl", "", "counts", f"a gap among the candidate groups of {name}", "none")
        self.check_number(retained)

    def check_facts(self) -> None:
        """Every instance of every specification: each index once, in order, and as many as the manifest says."""
        families = {
            about["digest"]: FactsOf(self, name, about) for name, about in self.manifest["specifications"].items()
        }
        expected = {file for each in families.values() for file in (each.header, *each.files)}
        for file in self.manifest["files"]:
            if file.startswith("facts/") and file not in expected:
                self.fault(file, "", "order", "a file of facts", "those of each specification, without a gap")
        for each in families.values():
            self.guarded(each.header, "", each.check_header)
            self.guarded(each.proof, "", each.check_proof)
        for checked in self.work(chunk for each in families.values() for chunk in each.chunks()):
            if checked.tally is not None:
                families[checked.tally.digest].add(checked.tally)
        for each in families.values():
            self.guarded("manifest.json", "", each.check_counts)
        retained = {
            name: families[about["digest"]].counts["retained"]
            for name, about in self.manifest["specifications"].items()
        }
        if self.manifest["retained"] != sum(retained.values()):
            self.fault("manifest.json", "", "counts", self.manifest["retained"], sum(retained.values()))
        self.check_number(retained)

    def check_number(self, retained: Mapping[str, int]) -> None:
        """There are groups, and no more of a specification than were asked for."""
        asked = at_most(10**9, self.manifest["groups_per_specification"])
        self.counts.asked_for = asked * len(retained)
        if not any(retained.values()):
            self.fault("manifest.json", "", "counts", "no group", "at least one")
        for name, many in retained.items():
            if many > asked:
                self.fault("manifest.json", "", "counts", f"{many} groups of {name}", f"at most {asked}")


class FactsOf:
    """The facts of one specification in the folder: their files, and what all of them come to."""

    def __init__(self, folder: Folder, name: str, about: Json) -> None:
        self.folder = folder
        self.name = name
        self.about = about
        self.spec = folder.specifications[about["digest"]]
        self.chunk = at_most(100_000, folder.manifest["chunk"])
        self.claimed: tuple[str, ...] = ()
        self.header = f"facts/{self.spec.tree['name']}/header.json"
        self.proof = f"proofs/{self.spec.digest}.json"
        self.files: list[str] = []
        while (file := self.file(len(self.files))) in folder.manifest["files"]:
            self.files.append(file)
        self.counts: Counter[str] = Counter()
        self.shown: Counter[str] = Counter()
        self.lines: list[int] = []
        self.ends = False

    def file(self, number_: int) -> str:
        return f"facts/{self.spec.tree['name']}/{number_ * self.chunk:08}.jsonl"

    def check_header(self) -> None:
        """What is the same of every line follows from the specification."""
        spec = self.spec
        expected = {
            "canonical": spec.hash,
            "chunk": self.chunk,
            "digest": spec.digest,
            "format": 1,
            "names": spec.tree["candidate_names"],
            "parameters": list(spec.parameters),
            "roles": list(spec.roles),
            "slots": [list(slot) for slot in spec.domains],
            "specification": spec.tree["name"],
        }
        found = (self.folder.folder / self.header).read_bytes()
        if found != canonical(expected) + b"\n":
            here, there = differing(parse_json(found), expected)
            self.folder.fault(self.header, "", "header", short(here), short(there))

    def check_proof(self) -> None:
        """The roles that every instance with a winner must show are those of the family proof."""
        proof = parse_json((self.folder.folder / self.proof).read_bytes())
        found = (self.proof in self.folder.manifest["files"], proof["digest"], proof["canonical"])
        if found != (True, self.spec.digest, self.spec.hash):
            self.folder.fault(self.proof, "", "identity", found, (True, self.spec.digest, self.spec.hash))
        proved = {
            claim["subject"]
            for claim in proof["claims"]
            if (claim["claim"], claim["scope"], claim["verdict"]) == ("role necessity", "with a winner", "Proved")
        }
        self.claimed = tuple(role for role in self.spec.roles if role in proved)
        asked = {name: role["necessary"] for name, role in self.spec.roles.items()}
        left = [role for role, how in asked.items() if how != "computed" and role not in proved]
        left += [role for role, how in asked.items() if how == "always" and role not in left]
        for name, roles in (
            ("claimed", list(self.claimed)),
            ("one_by_one", left),
        ):
            if self.about[name] != roles:
                self.folder.fault("manifest.json", "", f"role necessity: {name}", self.about[name], roles)

    def chunks(self) -> Iterator[Chunk]:
        """Each file, read when its turn comes."""
        tree = self.folder.trees[self.spec.digest]
        for number_, file in enumerate(self.files):
            try:
                data = (self.folder.folder / file).read_bytes()
            except OSError:
                data = b""
            yield Chunk(tree, self.claimed, file, number_ * self.chunk, data)

    def add(self, tally: Tally) -> None:
        self.counts.update(tally.counts)
        self.shown.update(tally.shown)
        self.lines.append(tally.lines)
        self.ends = tally.ends

    def check_counts(self) -> None:
        """No line is missing, and the manifest counts them rightly."""
        for file, many in zip(self.files[:-1], self.lines, strict=False):
            if many != self.chunk:
                self.folder.fault(file, "", "counts", f"{many} lines", f"{self.chunk}")
        if self.lines and not 0 < self.lines[-1] <= self.chunk:
            self.folder.fault(self.files[-1], "", "counts", f"{self.lines[-1]} lines", f"1 to {self.chunk}")
        for name in ("retained", "rejected", "winners", "nobody"):
            if self.about[name] != self.counts[name]:
                self.folder.fault("manifest.json", "", "counts", f"{self.about[name]} {name}", self.counts[name])
        shown = {role: self.shown[role] for role in self.spec.roles}
        if {**dict.fromkeys(self.spec.roles, 0), **self.about["shown"]} != shown:
            self.folder.fault("manifest.json", "", "counts", f"shown: {self.about['shown']}", shown)
        if self.counts["retained"] == self.folder.manifest["groups_per_specification"] and not self.ends:
            self.folder.fault(self.files[-1], "", "order", "a line after the last instance", "none")


class Cut:
    """Cuts a dataset into shares, and looks that no group is missing or in another place."""

    def __init__(self, folder: Folder, rejected: Mapping[str, set[int]]) -> None:
        self.folder = folder
        self.rejected = rejected
        self.retained = dict.fromkeys(rejected, 0)
        self.following = dict.fromkeys(rejected, 0)
        self.disorder: list[tuple[str, str, str, str]] = []
        self.stopped: Exception | None = None
        """What kept the shares from their end: it is raised when what was cut before is checked."""

    def shares(self) -> Iterator[Share]:
        parts, trees, sufficient = self.parts(), tuple(self.folder.trees.values()), self.folder.manifest["sufficient"]
        llm = self.folder.manifest["validator"]
        validator = "reader" if llm is None else llm["model"]
        while own := tuple(islice(parts, SHARE)):
            yield Share(trees, sufficient, validator, own)

    def parts(self) -> Iterator[Part]:
        try:
            yield from self._parts()
        except (*BROKEN, OSError) as error:
            self.stopped = error

    def _parts(self) -> Iterator[Part]:
        tasks = self.folder.raw_lines("tasks.jsonl")
        for place, line in self.folder.raw_lines("groups.jsonl"):
            entry = parse_json(line)
            own = tuple(task for _, (_, task) in zip(entry["settings"], tasks, strict=False))
            self.note(place, entry["specification"], entry["id"], entry["group"]["index"])
            yield Part(place, line, own, self.certificate(entry["id"]))
        for left, _ in tasks:
            self.disorder.append((left, "", "a task of no group", "the end of the file"))

    def note(self, place: str, name: str, id_: str, index: int) -> None:
        """Groups come in the order of their indices, and only rejected ones are left out."""
        expected = self.following[name]
        while expected in self.rejected[name]:
            expected += 1
        if index != expected:
            found = f"candidate group {index} of {name}"
            self.disorder.append((place, id_, found, f"candidate group {expected}, which was not rejected"))
        self.retained[name] += 1
        self.following[name] = index + 1

    def certificate(self, id_: str) -> bytes | None:
        file = certificate_of(id_)
        if file not in self.folder.manifest["files"] or not re.fullmatch(r"group-[0-9a-f]{32}", id_):
            return None
        return (self.folder.folder / file).read_bytes()


# --- The command line --------------------------------------------------------------------------------------------


def summary(counts: Counts, seconds: float) -> dict[str, Json]:
    """What was checked, and what was found."""
    return {
        "groups": counts.groups,
        "instances": counts.instances,
        "asked_for": counts.asked_for,
        "tasks": counts.tasks,
        "claims": counts.claims,
        "completions": counts.witnesses,
        "rejections": counts.rejections,
        "formulas": counts.formulas,
        "formula_samples": counts.samples,
        "formula_samples_without_a_value": counts.samples_skipped,
        "faults": counts.faults,
        "not_checked_without_a_solver": dict(sorted(counts.rest_on_solver.items())),
        "milliseconds": int(seconds * 1000),
    }


COUNTED = ("group", "instance", "task", "claim", "completion")


def told_in_words(found: Mapping[str, Json]) -> str:
    """The summary in lines for a person."""
    unit = "instances" if found["instances"] else "groups"
    left_out = ("group", "task") if found["instances"] else ("instance",)
    counted = {name: found[f"{name}s"] for name in COUNTED if name not in left_out}
    parts = [f"{many:,} {name}{'s' * (many != 1)}" for name, many in counted.items()]
    rate = found[unit] * 1000 // max(1, found["milliseconds"])
    lines = [f"{', '.join(parts)}, evaluated again; {rate:,} {unit} a second"]
    if found["formulas"]:
        skipped = found["formula_samples_without_a_value"]
        told = f"; {skipped:,} left out, since a rule has no value there" if skipped else ""
        lines.append(
            f"{found['formulas']:,} formulas compared with the rules, at {found['formula_samples']:,} places{told}"
        )
    if found["not_checked_without_a_solver"]:
        lines.append("looked at for counterexamples only, since a proof of them needs a solver:")
        lines += [f"  {many:,} x {what}" for what, many in found["not_checked_without_a_solver"].items()]
    faults, lacking = found["faults"], found["asked_for"] - found[unit]
    if lacking > 0:
        lines.append(f"{lacking:,} of the {found['asked_for']:,} {unit} that were asked for are not there")
    lines.append("every required claim holds" if not faults else f"{faults:,} fault{'s' if faults > 1 else ''} found")
    return "\n".join(lines)


def verify(folder: Path, tell: Callable[[Fault], None] = lambda fault: None, run: Run = map) -> dict[str, Json]:
    """Check a dataset: every fault is told, and what was checked is given back. `run` does the work of the shares."""
    began = time.monotonic()
    counts = Folder(folder, tell, run).check()
    return summary(counts, time.monotonic() - began)


def in_processes(workers: int) -> Run:
    """The work of shares in so many processes."""

    def run(function: Callable[[Any], Checked], shares: Iterable[Any]) -> Iterator[Checked]:
        with ProcessPoolExecutor(workers) as pool:
            under_way: deque[Future[Checked]] = deque()
            for share in shares:
                under_way.append(pool.submit(function, share))
                if len(under_way) > 2 * workers:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()

    return run


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; the exit code tells whether all holds."""
    description, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=description, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder of the dataset")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON document")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="how many processes work")
    given = parser.parse_args(arguments)
    if given.workers < 1:
        parser.error("--workers: at least one process works")
    if not (given.folder / "manifest.json").is_file():
        print(f"{given.folder} holds no finished dataset: there is no manifest.json", file=sys.stderr)
        return 2
    faults: list[Fault] = []

    def tell(fault: Fault) -> None:
        if len(faults) < MOST_FAULTS:
            faults.append(fault)
            if not given.as_json:
                print(fault)

    try:
        found = verify(given.folder, tell, map if given.workers == 1 else in_processes(given.workers))
    except NotDone as error:
        print(error, file=sys.stderr)
        return 2
    if given.as_json:
        print(json.dumps({**found, "told": [fault._asdict() for fault in faults]}, ensure_ascii=False, indent=2))
    else:
        print(told_in_words(found))
    return 1 if found["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
