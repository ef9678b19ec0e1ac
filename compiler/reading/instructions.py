"""Finished instructions, held against the family and the thresholds of one instance, part by part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from unco.compiler.reading import closing_sections as closing
from unco.compiler.reading import rule_sections as rules
from unco.compiler.reading.conversions import units
from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.sections import FACTS, Sections, headings, marked, sections
from unco.compiler.reading.subject_matter import Matter
from unco.specs.family import Family

WHERE = "instructions"


def instruction_discrepancies(text: str, matter: Matter) -> Iterator[Discrepancy]:
    """Everything that the instructions lack, alter, add or give away."""
    bare, ids = marked(text, matter.family)
    found = sections(bare, matter.family)
    yield from (Discrepancy("added", WHERE, f"the part {name}", "it twice", "it once", name) for name in found.repeated)
    yield from _absent(found, matter.family)
    yield from _head(found, matter)
    for words in _authors(matter.family):
        yield from matter.giveaways.free(WHERE, "the author's words", words, words)
    yield from rules.conditions(found, matter, ids)
    yield from rules.consistency(found, matter, ids)
    yield from rules.tables(found, matter)
    yield from closing.members(found, matter)
    yield from units(found, matter)
    yield from closing.calculation(found, matter, ids)
    yield from closing.evidence(found, matter)
    yield from closing.decision(found, matter)


def _authors(family: Family) -> Iterator[str]:
    """The author's own wording of rules and calculation, where there is any."""
    texts = [rule.text for rule in (*family.conditions, *family.consistency)]
    return (text for text in (*texts, family.calculation.text) if text)


def _absent(found: Sections, family: Family) -> Iterator[Discrepancy]:
    for name in ("Conditions", "Calculation", FACTS, "Decision"):
        if name not in found.lines:
            yield Discrepancy("missing", WHERE, f"the part {name}", expected="it")
    order = [name for name in found.lines if name in headings(family)]
    if order != sorted(order, key=headings(family).index):
        yield Discrepancy("altered", WHERE, "the order of the parts", ", ".join(order), "the order of the program")


def _head(found: Sections, matter: Matter) -> Iterator[Discrepancy]:
    """The author's task, and the directory of the candidates."""
    family, lines = matter.family, list(found.of("Task"))
    told = [(line, opening[1]) for line in lines if (opening := _openings(family).fullmatch(line))]
    if not told:
        yield Discrepancy("missing", WHERE, "the candidates", expected=", ".join(matter.instance.names))
    for line, listed in told:
        lines.remove(line)
        if matter.instance.names not in _name_lists(listed, matter.instance.names):
            yield Discrepancy("altered", WHERE, "the candidates", listed, ", ".join(matter.instance.names), line)
    yield from (matter.giveaways.stray(WHERE, line) for line, _ in told[1:])
    task = family.task.strip()
    if lines[:1] == [task]:
        yield from chain.from_iterable(matter.giveaways.free(WHERE, "the task", line, line) for line in lines[:1])
        yield from (matter.giveaways.stray(WHERE, line) for line in lines[1:])
    else:
        yield from matter.framing(WHERE, "the task", "\n".join(lines), task)


def _openings(family: Family) -> re.Pattern[str]:
    """A sentence that introduces the candidates."""
    noun = re.escape(family.noun_plural)
    capital = f"{re.escape(family.noun_plural[:1].upper())}{re.escape(family.noun_plural[1:])}"
    return re.compile(
        rf"(?:(?:The {noun}|{capital})(?: in question)? are |These are (?:the )?{noun}: )(.+)\.", re.DOTALL
    )


def _name_lists(text: str, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every way to read a list of names: `A, B and C`."""
    for name in names:
        if text == name:
            yield (name,)
        elif text.startswith(f"{name} and ") and text[len(name) + 5 :] in names:
            yield (name, text[len(name) + 5 :])
        elif text.startswith(f"{name}, "):
            yield from ((name, *rest) for rest in _name_lists(text[len(name) + 2 :], names))
