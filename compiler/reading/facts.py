"""Sentences that state a fact about a candidate, read back: who, what, in which context, and what is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import count
from typing import TypeVar

from unco.compiler.reading.around import CANDIDATE, FACT, MARKS, MEMBER, VALUE, faults
from unco.compiler.reading.numerals import read_span
from unco.compiler.reading.vocabulary import Subject, Vocabulary
from unco.specs.domains import DateDomain, Domain, NumberDomain
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge, OneOf
from unco.specs.expression import NO_MEMBER
from unco.specs.family import Cell
from unco.specs.values import Value

T = TypeVar("T")
_LINK = re.compile(r"(?:(?<!\w)(?:is|are|as|reads)|:) (?=\S)")
"""What may stand before a value."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A cell, and what is said of it: None where the words state nothing that can be known of it."""

    cell: Cell
    known: Knowledge | None
    words: str
    """What stands in the place of the value."""
    around: str = field(default="", compare=False)
    """The sentence with marks for its slots: its form."""


class FactReader:
    """Reads the facts about the candidates of one instance, whatever the form of the sentence.

    It looks for a candidate, a fact and a value, and for nothing around them but harmless words.
    """

    def __init__(self, vocabulary: Vocabulary, names: Sequence[str]) -> None:
        self.words = vocabulary
        self.names = names
        self.known: dict[str, tuple[Statement, ...]] = {}
        self.judged: dict[tuple[str, str], bool] = {}

    def read(self, sentence: str) -> tuple[Statement, ...]:
        """Every reading of a sentence: one where it is clear, none where it states no fact."""
        if sentence not in self.known:
            found = tuple(dict.fromkeys(self._statements(sentence)))
            clear = tuple(each for each in found if each.known is not None)
            self.known[sentence] = clear or found
        return self.known[sentence]

    def forms(self) -> dict[str, set[str]]:
        """By attribute the forms of the sentences that were read, those with one reading."""
        found: dict[str, set[str]] = {}
        for readings in self.known.values():
            if len(readings) == 1 and readings[0].around:
                found.setdefault(readings[0].cell.attribute, set()).add(readings[0].around)
        return found

    def _statements(self, sentence: str) -> Iterator[Statement]:
        """A reading for each candidate and fact that the sentence may be about, longer names before shorter ones."""
        if not sentence.endswith(".") or any(mark in sentence for mark in MARKS):
            return
        facts = _longest(sentence, self.words.subjects)
        for start, end, candidate in _longest(sentence, dict(zip(self.names, count(), strict=False))):
            for first, last, subjects in facts:
                if last <= start or end <= first:
                    marked = _with_marks(sentence, (start, end, CANDIDATE), (first, last, FACT))
                    for subject in subjects:
                        yield from self._of(candidate, subject, marked)

    def _of(self, candidate: int, subject: Subject, marked: str) -> Iterator[Statement]:
        """The readings of a sentence whose candidate and fact are known, for each member that it may name."""
        group = self.words.family.group_by_id.get(subject.attribute.group or "")
        if group is None:
            yield from self._stated(Cell(candidate, subject.attribute.id, NO_MEMBER, subject.context), subject, marked)
            return
        label = re.escape(group.label)
        for found in re.finditer(rf"(?<!\w)(?:{label}|{label[:1].upper()}{label[1:]}) ([1-9][0-9]*)(?!\w)", marked):
            cell = Cell(candidate, subject.attribute.id, int(found[1]), subject.context)
            yield from self._stated(cell, subject, _with_marks(marked, (*found.span(), MEMBER)))

    def _stated(self, cell: Cell, subject: Subject, marked: str) -> Iterator[Statement]:
        """The value, wherever words stand that are one; or the words that should be one, where none is."""
        for start in _value_starts(marked):
            for end in _value_ends(marked, start):
                said = marked[start:end]
                around = f"{marked[:start]}{VALUE}{marked[end:]}"
                readings = tuple(self.knowledge(said, subject.domain))
                if readings and self._is_harmless(around, subject):
                    yield from (Statement(cell, known, said, around) for known in readings)
                    break
        last = next((each for each in _value_starts(marked) if MARKS.isdisjoint(marked[each:])), None)
        if last is not None and self._is_harmless(f"{marked[:last]}{VALUE}.", subject):
            yield Statement(cell, None, marked[last:-1])

    def _is_harmless(self, around: str, subject: Subject) -> bool:
        """Whether only harmless words stand around the slots; most sentences of an attribute have the same."""
        key = (subject.attribute.id, around)
        if key not in self.judged:
            self.judged[key] = not any(faults(around, *self.words.around(subject.attribute)))
        return self.judged[key]

    def beyond(self, said: Statement, expected: Knowledge) -> str:
        """What follows the expected knowledge in words that state none as a whole; nothing where it is not there."""
        domain = self.words.family.domains.get(said.cell.slot)
        if said.known is not None or domain is None:
            return ""
        ends = (found.start() for found in re.finditer(r"(?<=\w|%|\")(?=\W)", said.words))
        told = (end for end in ends if expected in self.knowledge(said.words[:end], domain))
        return said.words[max(told, default=len(said.words)) :]

    def knowledge(self, text: str, domain: Domain) -> Iterator[Knowledge]:
        """What the words may say of a fact of a domain."""
        yield from (Exact(value) for value in self.words.values(text, domain))
        if text == "not stated":
            yield NOTHING
        for opening, joint in (("either ", " or "), ("one of ", " or ")):
            if text.startswith(opening):
                yield from (OneOf(values) for values in self._choices(text[len(opening) :], joint, domain))
        if text.startswith("between "):
            yield from self._interval(text.removeprefix("between "), " and ", domain)
        yield from (each for each in self._interval(text, " or ", domain) if _are_neighbours(each, domain))

    def _choices(self, text: str, joint: str, domain: Domain) -> Iterator[tuple[Value, ...]]:
        """`A or B`; `A, B or C`."""
        for end in _places(text, joint):
            for first in self.words.values(text[:end], domain):
                for last in self.words.values(text[end + len(joint) :], domain):
                    yield (first, last)
        for end in _places(text, ", "):
            for first in self.words.values(text[:end], domain):
                yield from ((first, *rest) for rest in self._choices(text[end + 2 :], joint, domain))

    def _interval(self, text: str, joint: str, domain: Domain) -> Iterator[Between]:
        """`5 and 30 years`: the unit stands after the last number; `5% and 30%`; `1 and 12 July 2026`."""
        first, found, last = text.partition(joint)
        if found and isinstance(domain, DateDomain):
            span = read_span(f"{first} and {last}")
            yield from (Between(*ends) for ends in (span,) if ends)
        if found and isinstance(domain, NumberDomain):
            unit = last.partition(" ")[2]
            for low in self.words.values(f"{first} {unit}" if unit else first, domain):
                yield from (Between(low, high) for high in self.words.values(last, domain))


def _are_neighbours(ends: Between, domain: Domain) -> bool:
    """Whether no value of the domain lies between the two ends."""
    match ends.low, ends.high, domain:
        case date() as first, date() as last, _:
            return (last - first).days == 1
        case low, high, NumberDomain(step=step):
            return high - low == step  # type: ignore[operator]
        case _:
            return False


def _longest(sentence: str, names: Mapping[str, T]) -> list[tuple[int, int, T]]:
    """Where names stand in a sentence, each with what it stands for; a name inside a longer one is none."""
    found = []
    for name, meant in names.items():
        starts = [*_places(sentence, name)] if name in sentence else []
        if sentence.startswith(f"{name[:1].upper()}{name[1:]}"):
            starts.append(0)
        ends = ((start, start + len(name)) for start in dict.fromkeys(starts))
        found += [(start, end, meant) for start, end in ends if _is_apart(sentence, start, end)]
    return [
        each
        for each in found
        if not any(start <= each[0] and each[1] <= end and end - start > each[1] - each[0] for start, end, _ in found)
    ]


def _is_apart(sentence: str, start: int, end: int) -> bool:
    """Whether no letter or digit touches the words."""
    return not (sentence[start - 1 : start].isalnum() or sentence[end : end + 1].isalnum())


def _with_marks(text: str, *slots: tuple[int, int, str]) -> str:
    for start, end, mark in sorted(slots, reverse=True):
        text = f"{text[:start]}{mark}{text[end:]}"
    return text


def _value_starts(marked: str) -> tuple[int, ...]:
    """After each word or sign that a value may follow."""
    return tuple(found.end() for found in _LINK.finditer(marked) if marked[found.end()] not in MARKS)


def _value_ends(marked: str, start: int) -> Iterator[int]:
    """The full stop, and each place before it from which on there are only words that may stand around slots."""
    stop = next((place for place in range(start, len(marked)) if marked[place] in MARKS), len(marked) - 1)
    yield from (place for place in range(stop, start, -1) if marked[place] in " ,;." and marked[place - 1] != " ")


def _places(text: str, part: str) -> Iterator[int]:
    end = text.find(part)
    while end >= 0:
        yield end
        end = text.find(part, end + 1)
