"""Instructions cut into their parts by their headings, before any part is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from unco.specs.family import Family

_MARK = "\ue000"
CALCULATION = "="
"""The mark of the author's words for the calculation, which is no name of a rule."""
_AUTHOR = "(In other words: "
NUMBERING, UNITS, FACTS = "Numbering", "Conversions", "Facts to gather"


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list: its words, the entries below it, and the rules whose author's words stand under it."""

    words: str
    parts: tuple[Item, ...] = ()
    authors: tuple[str, ...] = ()
    """The ids of the rules whose author's words stand under it."""


@dataclass
class Sections:
    """The lines of each part; a table's part is named `Table` and its label. `loose` are lines in no part."""

    lines: dict[str, list[str]] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)

    def of(self, name: str) -> list[str]:
        """The lines of a part that are not blank."""
        return self.lines.get(name, [])


def headings(family: Family) -> tuple[str, ...]:
    """The headings that a reader knows, apart from those of tables."""
    return (
        "Conditions",
        f"What holds for every {family.noun}",
        NUMBERING,
        UNITS,
        "Calculation",
        FACTS,
        "Decision",
    )


def sections(text: str, family: Family) -> Sections:
    """The parts of the instructions; what stands before the first heading is named `Task`."""
    known = set(headings(family))
    found = Sections({"Task": []})
    current, blank = "Task", True
    task, rest = _task(text, family)
    found.lines["Task"] += [task] if task else []
    for line in rest.split("\n"):
        if blank and (line in known or re.fullmatch(r'Table ".+"(?: by .+)?', line)):
            if line in found.lines:
                found.repeated.append(line)
            current = line
            found.lines.setdefault(current, [])
        elif line.strip():
            found.lines[current].append(line)
        blank = not line.strip()
    return found


def _task(text: str, family: Family) -> tuple[str, str]:
    """The author's task as it stands at the head of the text, or nothing, and the rest."""
    task = family.task.strip()
    return (task, text[len(task) :]) if text.startswith(f"{task}\n") else ("", text)


def marked(text: str, family: Family) -> tuple[str, tuple[str, ...]]:
    """The text with the author's own wording of each rule replaced by a mark, and the ids of the rules, in order."""
    ids: list[str] = []
    words = {rule.id: rule.text for rule in (*family.conditions, *family.consistency) if rule.text}
    if family.calculation.text:
        words[CALCULATION] = family.calculation.text
    pieces = text.replace(_MARK, "\ufffd").split(_AUTHOR)
    kept = pieces[0]
    for piece in pieces[1:]:
        owners = [(name, end) for name, said in words.items() if (end := _said(piece, said))]
        if owners:
            ids.append(" ".join(name for name, _ in owners))
            kept += f"{_MARK}{len(ids) - 1}{piece[owners[0][1] :]}"
        else:
            kept += _AUTHOR + piece
    return kept, tuple(ids)


def _said(piece: str, words: str) -> int:
    """Where the author's words and the bracket after them end in the piece; 0 where the piece says something else."""
    for said in (words, f"{words[:1].upper()}{words[1:]}"):
        for closing in (")", ".)"):
            if piece.startswith(f"{said}{closing}"):
                return len(said) + len(closing)
    return 0


def items(lines: list[str], bullet: str, ids: tuple[str, ...]) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    """The entries of a list whose bullets match a pattern, and the lines that belong to none."""
    top: list[tuple[int, str, list[tuple[int, str]], list[str]]] = []
    loose: list[str] = []
    for line in lines:
        bare = line.lstrip(" ")
        depth = len(line) - len(bare)
        if depth == 0 and (found := re.match(bullet, line)):
            top.append((len(top) + 1, line[found.end() :], [], []))
        elif bare.startswith(_MARK) and bare[1:].isdecimal() and top:
            top[-1][3].append(ids[int(bare[1:])])
        elif depth and bare.startswith("- ") and top:
            top[-1][2].append((depth, bare[2:]))
        else:
            loose.append(line)
    return tuple(Item(words, _nested(parts), tuple(said)) for _, words, parts, said in top), tuple(loose)


def _nested(parts: list[tuple[int, str]]) -> tuple[Item, ...]:
    """Entries under each other by their indentation."""
    found: list[Item] = []
    place = 0
    while place < len(parts):
        depth, words = parts[place]
        end = next((n for n in range(place + 1, len(parts)) if parts[n][0] <= depth), len(parts))
        found.append(Item(words, _nested(parts[place + 1 : end])))
        place = end
    return tuple(found)
