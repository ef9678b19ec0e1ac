"""Conditions, consistency rules and tables of finished instructions, held against the family."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import partial

from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.engine import Node
from unco.compiler.reading.meaning import TRUTH, meaning
from unco.compiler.reading.outlines import told_words, understood
from unco.compiler.reading.sections import Item, Sections, headings, items
from unco.compiler.reading.subject_matter import Matter
from unco.compiler.reading.tables import plain_band, read_row
from unco.compiler.reading.telling import tell_plain, tell_rule
from unco.specs.expression import Band, Table
from unco.specs.family import Rule

WHERE = "instructions"


def conditions(found: Sections, matter: Matter, ids: tuple[str, ...]) -> Iterator[Discrepancy]:
    """Every condition, that all of them are needed and enough, and the promise."""
    lines = list(found.of("Conditions"))
    noun = re.escape(matter.family.noun)
    opening = rf"An? {noun} is eligible if and only if all of these conditions hold:"
    yield from _needs(lines, opening, "that all conditions are needed, and are enough")
    yield from _promise(lines, noun)
    listed, loose = items(lines, r"[0-9]+\. ", ids)
    numbers = [int(line.split(".")[0]) for line in lines if re.match(r"[0-9]+\. ", line)]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Discrepancy("altered", WHERE, "the numbers of the conditions", str(numbers), "1, 2, 3 and so on")
    yield from _compared(listed, matter.family.conditions, "condition", matter)
    yield from map(partial(matter.giveaways.stray, WHERE), loose)


def consistency(found: Sections, matter: Matter, ids: tuple[str, ...]) -> Iterator[Discrepancy]:
    """Every rule that the facts obey."""
    listed, loose = items(found.of(headings(matter.family)[1]), "- ", ids)
    yield from _compared(listed, matter.family.consistency, "rule", matter)
    yield from map(partial(matter.giveaways.stray, WHERE), loose)


def _needs(lines: list[str], pattern: str, subject: str) -> Iterator[Discrepancy]:
    """A sentence that must stand once; its line is taken out."""
    matching = [line for line in lines if re.fullmatch(pattern, line)]
    if not matching:
        yield Discrepancy("missing", WHERE, subject, expected="a sentence that says so")
    for line in matching:
        lines.remove(line)
    for line in matching[1:]:
        yield Discrepancy("added", WHERE, subject, "it twice", "it once", line)


def _promise(lines: list[str], noun: str) -> Iterator[Discrepancy]:
    """`At most one applicant is eligible; possibly none is.`"""
    most, none = rf"At most one {noun} is eligible", "possibly none is"
    if any(re.fullmatch(f"{most}; {none}\\.", line) for line in lines):
        yield from _needs(lines, f"{most}; {none}\\.", "the promise")
        return
    told = next((line for line in lines if re.match(most, line) or none in line), "")
    if not re.match(most, told):
        yield Discrepancy("missing", WHERE, "the promise", f'"{told}"', "at most one is eligible", told)
    if none not in told:
        yield Discrepancy("missing", WHERE, "the promise", f'"{told}"', "possibly none is eligible", told)
    if told:
        lines.remove(told)


def _compared(listed: Sequence[Item], rules: Sequence[Rule], noun: str, matter: Matter) -> Iterator[Discrepancy]:
    """Rules found and rules expected, lined up by what they mean."""
    family, parameters = matter.family, matter.instance.parameters
    expected = [meaning(rule.expression, family, parameters) for rule in rules]
    readings = [tuple(understood(item, TRUTH, matter)) for item in listed]
    keys = [reading[0] if len(reading) == 1 else ("unclear", place) for place, reading in enumerate(readings)]
    for kind, low, high, first, last in SequenceMatcher(None, expected, keys, autojunk=False).get_opcodes():
        pairs = min(high - low, last - first)
        if kind == "equal":
            yield from _authors(listed[first:last], rules[low:high], noun)
            continue
        for offset in range(pairs):
            yield from _altered(listed[first + offset], readings[first + offset], rules[low + offset], noun, matter)
        for rule in rules[low + pairs : high]:
            yield Discrepancy("missing", WHERE, f"{noun} {rule.id}", expected=tell_rule(rule, family, matter.instance))
        for item in listed[first + pairs : last]:
            yield _extra(item, noun, matter)


def _altered(item: Item, readings: tuple[Node, ...], rule: Rule, noun: str, matter: Matter) -> Iterator[Discrepancy]:
    words, wanted = told_words(item), tell_rule(rule, matter.family, matter.instance)
    yield Discrepancy("altered", WHERE, f"{noun} {rule.id}", _told(item, readings), wanted, words)
    if not readings and matter.giveaways.found(words):
        yield matter.giveaways.stray(WHERE, words)


def _authors(listed: Sequence[Item], rules: Sequence[Rule], noun: str) -> Iterator[Discrepancy]:
    for item, rule in zip(listed, rules, strict=True):
        subject = f"the author's words for {noun} {rule.id}"
        if item.authors and rule.id not in item.authors[0].split(" "):
            yield Discrepancy(
                "altered", WHERE, subject, f"those for {item.authors[0]}", rule.text or "none", item.words
            )
        if len(item.authors) > 1:
            yield Discrepancy("added", WHERE, subject, "them twice", "them once", item.words)


def _extra(item: Item, noun: str, matter: Matter) -> Discrepancy:
    if matter.giveaways.found(told_words(item)):
        return matter.giveaways.stray(WHERE, told_words(item))
    return Discrepancy("added", WHERE, f"a {noun}", f'"{told_words(item)}"', words=told_words(item))


def _told(item: Item, readings: tuple[Node, ...]) -> str:
    match len(readings):
        case 0:
            return "words that state no rule"
        case 1:
            return f'"{told_words(item)}"'
        case several:
            return f"words that can be read in {several} ways"


def tables(found: Sections, matter: Matter) -> Iterator[Discrepancy]:
    """Every band of every table."""
    told: dict[str, list[str]] = {}
    keys: dict[str, str] = {}
    for name, lines in found.lines.items():
        for label, key in _headed(name, matter):
            told[label], keys[label] = lines, key
    for label, table in matter.words.tables.items():
        if keys.get(label, "") not in ("", matter.words.looked_up_by(table)):
            yield Discrepancy("altered", WHERE, f'table "{label}"', f"by {keys[label]}", "by what it is looked up by")
        if label not in told:
            yield Discrepancy("missing", WHERE, f'table "{label}"', expected=f"{len(table.bands)} rows")
        else:
            yield from _rows(told[label], table, matter)
    for label in sorted(told.keys() - matter.words.tables.keys()):
        yield Discrepancy("added", WHERE, f'table "{label}"', f"{len(told[label])} rows", words="; ".join(told[label]))


def _headed(heading: str, matter: Matter) -> Iterator[tuple[str, str]]:
    """The label of a table and what it is ordered by; a label that no table has, as it stands."""
    if not heading.startswith('Table "'):
        return
    for label in matter.words.tables:
        rest = heading.removeprefix(f'Table "{label}"')
        if rest != heading and (not rest or rest.startswith(" by ")):
            yield label, rest.removeprefix(" by ")
            return
    yield heading[7:-1], ""


def _rows(lines: Sequence[str], table: Table, matter: Matter) -> Iterator[Discrepancy]:
    rows = [line[2:] for line in lines if line.startswith("- ")]
    expected = [plain_band(band) for band in table.bands]
    readings = [tuple(map(plain_band, read_row(row, table, matter.words))) for row in rows]
    keys = [reading[0] if len(reading) == 1 else place for place, reading in enumerate(readings)]
    for kind, low, high, first, last in SequenceMatcher(None, expected, keys, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        pairs = min(high - low, last - first)
        for offset in range(pairs):
            wanted = _band_told(expected[low + offset])
            row = rows[first + offset]
            yield Discrepancy("altered", WHERE, f'table "{table.label}", row {low + offset + 1}', row, wanted, row)
        for place in range(low + pairs, high):
            yield Discrepancy(
                "missing", WHERE, f'table "{table.label}", row {place + 1}', expected=_band_told(expected[place])
            )
        for row in rows[first + pairs : last]:
            yield Discrepancy("added", WHERE, f'table "{table.label}"', row, words=row)
    yield from (matter.giveaways.stray(WHERE, line) for line in lines if not line.startswith("- "))


def _band_told(band: Band) -> str:
    """A band in base units, with brackets that show which ends are included."""
    low = "any" if band.low is None else tell_plain(band.low)
    high = "any" if band.high is None else tell_plain(band.high)
    opening, closing = "[" if band.low_included else "(", "]" if band.high_included else ")"
    return f"{opening}{low}, {high}{closing}: {tell_plain(band.value)}"
