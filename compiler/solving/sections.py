"""The text of a task, cut at its headings into the lines that say what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unco.compiler.solving.unreadable import Unreadable

MOST_CHARACTERS, MOST_LINES, DEEPEST = 200_000, 2_000, 12
_HEADING = re.compile(
    r'Conditions|What holds for every .+|Table "(?:[^"]|"")+"(?: by .+)?|Numbering|Conversions|Calculation'
    r"|Facts to gather|Decision"
)
_ALL_HOLD = re.compile(r"\bis eligible if and only if all of these conditions hold:$")
_ITEM = re.compile(r"( *)(?:-|\d+\.) (.+)")
_NEEDED = ("Conditions", "Calculation", "Facts to gather", "Decision")
_ASIDE = "(In other words:"


@dataclass(frozen=True)
class Line:
    """A line of a list, with the lines that stand indented below it."""

    text: str
    below: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Sections:
    """What a task says, by subject."""

    conditions: tuple[Line, ...]
    consistency: tuple[Line, ...]
    tables: Mapping[str, tuple[Line, ...]]
    numbering: tuple[Line, ...]
    conversions: tuple[Line, ...]
    calculation: Line
    """What stands after the sign of equality."""
    rounding: str
    facts: tuple[Line, ...]
    decision: str


def sections(instructions: str) -> Sections:
    """The sections of a task; Unreadable where one is missing, or may begin at two places."""
    if len(instructions) > MOST_CHARACTERS or instructions.count("\n") > MOST_LINES:
        raise Unreadable("the task is too long", instructions[:80])
    found = _cut(instructions.splitlines())
    for heading in _NEEDED:
        if heading not in found:
            raise Unreadable(f"expected a section `{heading}`", instructions[:80])
    if not any(_ALL_HOLD.search(line) for line in found["Conditions"]):
        raise Unreadable("expected that all of the conditions must hold", "Conditions")
    tables = {_table_name(name): items(body) for name, body in found.items() if name.startswith("Table ")}
    rules = [body for name, body in found.items() if name.startswith("What holds")]
    calculation, rounding = _calculation(found["Calculation"])
    return Sections(
        conditions=items(found["Conditions"]),
        consistency=items(rules[0]) if rules else (),
        tables=tables,
        numbering=items(found.get("Numbering", ())),
        conversions=items(found.get("Conversions", ())),
        calculation=calculation,
        rounding=rounding,
        facts=items(found["Facts to gather"]),
        decision=" ".join(found["Decision"]),
    )


def _cut(lines: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    body: list[str] = []
    for line in lines:
        if _HEADING.fullmatch(line):
            if line in found:
                raise Unreadable("a heading stands twice", line)
            body = found.setdefault(line, [])
        elif not line.strip().startswith(_ASIDE):
            body.append(line.rstrip())
    return found


def _table_name(heading: str) -> str:
    found = re.match(r'Table "((?:[^"]|"")+)"', heading)
    if found is None:
        raise Unreadable("expected the name of a table", heading)
    return found[1].replace('""', '"')


def items(lines: Sequence[str]) -> tuple[Line, ...]:
    """The items of a list, each with those indented below it; lines that are no items are left out."""
    found = [match for match in map(_ITEM.fullmatch, lines) if match is not None]
    return _nested([(len(match[1]), match[2]) for match in found])


def _nested(told: Sequence[tuple[int, str]], depth: int = 0) -> tuple[Line, ...]:
    if depth > DEEPEST:
        raise Unreadable("a list is too deep", told[0][1])
    found, place = [], 0
    while place < len(told):
        indent, text = told[place]
        end = place + 1
        while end < len(told) and told[end][0] > indent:
            end += 1
        found.append(Line(text, _nested(told[place + 1 : end], depth + 1)))
        place = end
    return tuple(found)


def _calculation(lines: Sequence[str]) -> tuple[Line, str]:
    told = [line for line in lines if line.strip()]
    equations = [line for line in told if " = " in line and not _ITEM.fullmatch(line)]
    roundings = [line for line in told if line.startswith("Do not round")]
    if len(equations) != 1 or len(roundings) != 1:
        raise Unreadable("expected one formula and how to round it", " / ".join(told))
    return Line(equations[0].partition(" = ")[2], items(told)), roundings[0]
