"""Sentences that state a fact about a candidate, read back: who, what, in which context, and what is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from unco.compiler.reading.numerals import read_span
from unco.compiler.reading.vocabulary import Subject, Vocabulary
from unco.specs.domains import DateDomain, Domain, NumberDomain
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge, OneOf
from unco.specs.expression import NO_MEMBER
from unco.specs.family import Cell
from unco.specs.values import Value


@dataclass(frozen=True, slots=True)
class Statement:
    """A cell, and what is said of it: None where the words state nothing that can be known of it."""

    cell: Cell
    known: Knowledge | None
    words: str
    """What stands after `is`."""


class FactReader:
    """Reads the facts about the candidates of one instance."""

    def __init__(self, vocabulary: Vocabulary, names: Sequence[str]) -> None:
        self.words = vocabulary
        self.names = names
        self.known: dict[str, tuple[Statement, ...]] = {}

    def read(self, sentence: str) -> tuple[Statement, ...]:
        """Every reading of a sentence: one where it is clear, none where it states no fact."""
        if sentence not in self.known:
            self.known[sentence] = tuple(dict.fromkeys(self._statements(sentence)))
        return self.known[sentence]

    def _statements(self, sentence: str) -> Iterator[Statement]:
        if not sentence.endswith("."):
            return
        for candidate, name in enumerate(self.names):
            if sentence.startswith(f"For {name}, "):
                yield from self._own(candidate, sentence[len(name) + 6 : -1])
            if sentence.startswith(f"For {name}'s "):
                yield from self._of_member(candidate, sentence[len(name) + 7 : -1])

    def _own(self, candidate: int, text: str) -> Iterator[Statement]:
        """`the LABEL (KIND: CONTEXT) is VALUE`."""
        for named, said in _divided(text):
            for subject in self._subjects(named):
                if subject.attribute.group is None:
                    yield from self._stated(candidate, subject, NO_MEMBER, said)

    def _of_member(self, candidate: int, text: str) -> Iterator[Statement]:
        """`GROUP NUMBER, the LABEL (KIND: CONTEXT) is VALUE`."""
        for group in self.words.family.groups:
            opening, comma, rest = text.removeprefix(f"{group.label} ").partition(", ")
            if not comma or not text.startswith(f"{group.label} ") or not opening.isdecimal():
                continue
            for named, said in _divided(rest):
                for subject in self._subjects(named):
                    if subject.attribute.group == group.id:
                        yield from self._stated(candidate, subject, int(opening), said)

    def _subjects(self, named: str) -> tuple[Subject, ...]:
        """What a name with its article stands for; some labels have one of their own."""
        known = self.words.subjects
        return known.get(named, ()) or known.get(named.removeprefix("the "), ())

    def _stated(self, candidate: int, subject: Subject, member: int, said: str) -> Iterator[Statement]:
        cell = Cell(candidate, subject.attribute.id, member, subject.context)
        readings = tuple(dict.fromkeys(self.knowledge(said, subject.domain)))
        yield from (Statement(cell, known, said) for known in readings or (None,))

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


def _divided(text: str) -> Iterator[tuple[str, str]]:
    """The text before and after each `is` or `are`."""
    for verb in (" is ", " are "):
        yield from ((text[:end], text[end + len(verb) :]) for end in _places(text, verb))


def _places(text: str, part: str) -> Iterator[int]:
    end = text.find(part)
    while end >= 0:
        yield end
        end = text.find(part, end + 1)
