"""The grammar of the calendar: time between days, days some months on, ends of months."""

from __future__ import annotations

from collections.abc import Iterator

from unco.compiler.solving.grammar import Parser, Readings
from unco.compiler.solving.phrases import pair
from unco.compiler.solving.tree import Node

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip


def of_days(parser: Parser, place: int) -> Readings:
    """Whatever is said of days."""
    for each in (_time, _later, _month_end):
        yield from each(parser, place)


def _time(parser: Parser, place: int) -> Readings:
    for first, second, end in pair(parser, place, "the time from", "to"):
        yield Node("days", (first, second)), end
        for unit, months in (("years", 12), ("months", 1)):
            if last := parser.after(end, f"in completed {unit}"):
                for late, closed in _leap(parser, last):
                    yield Node("completed", (first, second), (months, late)), closed


_LATE = (
    "( in a year without 29 February , 1 March counts )",
    "( in a month without the starting day , the first day of the next month counts )",
    "( or the first day of the next month if that month has no such day )",
)
_EARLY = (
    "( in a year without 29 February , 28 February counts )",
    "( in a month without the starting day , its last day counts )",
    "( or the last day of that month if it has no such day )",
)


def _leap(parser: Parser, place: int) -> Iterator[tuple[bool, int]]:
    """Whether the next month counts where a month lacks a day, as a bracket says; not told, it does not matter."""
    bracket = place
    while bracket < len(parser.tokens) and parser.tokens[bracket].what != ")":
        bracket += 1
    text = parser.raw(place, bracket + 1) if place < bracket < len(parser.tokens) else ""
    for late, forms in ((True, _LATE), (False, _EARLY)):
        if text in [form.replace("( ", "(").replace(" )", ")").replace(" ,", ",") for form in forms]:
            yield late, bracket + 1
            return
    yield False, place


def _later(parser: Parser, place: int) -> Readings:
    start = parser.after(place, "the day")
    for months, end in parser.read("formula", start) if start else ():
        for word, sign in (("after", 1), ("before", -1)):
            again = parser.after(end, word)
            for day, last in parser.read("single", again) if again else ():
                for late, closed in _leap(parser, last):
                    yield Node("later", (day, months), (sign, late)), closed


def _month_end(parser: Parser, place: int) -> Readings:
    for word in ("first", "last"):
        start = parser.after(place, f"the {word} day of the month of")
        for day, end in parser.read("single", start) if start else ():
            yield Node(f"{word} of month", (day,)), end
        for number, ordinal in enumerate(_ORDINALS, 1):
            start = parser.after(place, f"the {word} day of the {ordinal} month after the month of")
            for day, end in parser.read("single", start) if start else ():
                months = Node("months", (), number)
                yield Node(f"{word} of month", (Node("later", (day, months), (1, False)),)), end
        start = parser.after(place, f"the {word} day of the month that comes")
        for months, end in parser.read("formula", start) if start else ():
            again = parser.after(end, "after the month of")
            for day, last in parser.read("single", again) if again else ():
                first = Node("first of month", (day,))
                yield Node(f"{word} of month", (Node("later", (first, months), (1, False)),)), last
