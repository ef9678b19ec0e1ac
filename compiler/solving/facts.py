"""Records: of whom a sentence tells which fact, and where in it the value stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NoReturn

from unco.compiler.solving.frames import is_source, require_plain
from unco.compiler.solving.spans import Span
from unco.compiler.solving.tree import Fact
from unco.compiler.solving.units import Units
from unco.compiler.solving.unreadable import Unreadable
from unco.compiler.solving.values import Known, is_choice, known, no_value

MOST_RECORDS, MOST_CHARACTERS = 5_000, 2_000
_KEY = re.compile(r"\s*\[[\w .-]{1,60}-\d+\]\s*")
_OFFICE = (
    r"(?:(?:the|our|this|these|its|their) )?(?:records?|files?|entry|entries|registers?|case|data|information|notes?"
    r"|logs?|books?|lists?|sheet|database|system|office|desk|documents?|archives?|regard|respect|relation|reference)"
)
"""Where facts are written, and what they are spoken of with."""
_GOES_ON = (
    r"(?! (?:of|in|at|on|to|from|with|without|by|per|during|under|over|after|before|for|until|since|within)"
    rf" (?!{_OFFICE}\b|«))"
)
"""What makes another, longer fact of a phrase, unless it names a candidate or where facts are written."""
_LEADS = (
    "[Tt]he",
    "[Oo]ur",
    "[Tt]his",
    "[Ii]ts",
    "[Tt]heir",
    "['’]s",
    "['’]",
    "[:,;–—]",
    "»",
    "[Hh]as",
    "[Oo]f",
    "[Ff]or",
)
_BEFORE = f"(?:(?<=^)|{'|'.join(f'(?<={each} )' for each in _LEADS)})"
_OPENING = re.compile(
    rf"(?: ?(?:in|on|from|per|under) {_OFFICE})?[,;]? ?(?:which |this |it )?"
    r"(?:(?:stands|comes|amounts) (?:at|to)|(?:is|are|be|being|reads|has been|have been|[:–—=]|as|at)"
    r"(?: (?:down|given|recorded|put|listed|entered|noted|set|logged|shown|found|reported|registered|filed)"
    r" (?:as|at|to be))?(?P<more> (?:as|at|to be|to))?) "
)
"""What leads from a fact to its value; `more` may belong to a value too."""
_ENDING = re.compile(r"(?=[,;–—] | (?:according|for|(?:as|at|by|from|in|on|per|with) (?!\d)))")
"""Where a sentence may go on after a value; of several places, the one counts that suits all records of a fact."""


@dataclass(frozen=True)
class Told:
    """What a record says: of which candidate and member, which fact of the task, and its value."""

    candidate: int
    fact: int
    member: int
    value: Known


@dataclass(frozen=True)
class _Masked:
    """A record about a needed fact, with the words around its value."""

    candidate: int
    fact: int
    needed: bool
    """Whether its context is the one that the task needs."""
    member: int
    tail: str
    """What follows the fact and has its value: to the end, or to the next of candidate, member and fact."""
    text: str


class RecordReader:
    """Reads the records of one task."""

    def __init__(
        self, candidates: Sequence[str], facts: Sequence[Fact], units: Units, words: Mapping[int, frozenset[str]]
    ) -> None:
        self.candidates = candidates
        self.facts = facts
        self.units = units
        self.words = words
        """The words that the rules compare each fact with."""
        self._names = re.compile(rf"(?<!\w)({_listed(candidates)})(?!\w)(['’]s?(?!\w))?")
        self._place = {name: place for place, name in enumerate(candidates)}
        self._facts = re.compile(
            rf"{_BEFORE}({_listed([each.phrase for each in facts])})(?![\w-])(?! \(){_GOES_ON}", re.IGNORECASE
        )
        self._fact_place = {each.phrase.lower(): place for place, each in enumerate(facts)}
        labels = [each.phrase.rpartition(" (")[0] for each in facts]
        self._label_place = {each.lower(): place for place, each in enumerate(labels) if each and words.get(place)}
        self._others = re.compile(rf"{_BEFORE}({_listed(self._label_place)}) \([^()]*\)", re.IGNORECASE)
        members = sorted({each.member for each in facts if each.member}, key=len, reverse=True)
        self._members = re.compile(rf"(?<!\w)({_listed(members)}) (\d+)(?!\w)(['’]s(?!\w))?") if members else None

    def read(self, records: Iterable[str]) -> tuple[tuple[Told, ...], dict[int, frozenset[str]]]:
        """What the records tell of the facts that the task needs, and every word that they say of a fact in words."""
        listed = list(records)
        if len(listed) > MOST_RECORDS or any(len(each) > MOST_CHARACTERS for each in listed):
            raise Unreadable("too many records, or too long ones", str(len(listed)))
        found = sorted((each for each in map(self._masked, listed) if each), key=lambda each: each.fact)
        told: list[Told] = []
        heard: dict[int, frozenset[str]] = {}
        for fact, group in groupby(found, key=lambda each: each.fact):
            values = self._values(fact, list(group))
            told += [each for each, is_needed in values if is_needed]
            words = [each.value for each, _ in values if isinstance(each.value, frozenset)]
            heard[fact] = frozenset().union(*words)
        return tuple(told), heard

    def _masked(self, record: str) -> _Masked | None:
        text = _KEY.sub("", record, count=1).strip() if record.lstrip().startswith("[") else record.strip()
        names = {each[1] for each in self._names.finditer(text)}
        if len(names) != 1:
            return None if not names else self._refused("several candidates in one record", text)
        text = self._names.sub("«»", text)
        fact = self._the_fact(text)
        if fact is None:
            return None
        place, start, end, needed = fact
        text = f"{text[:start]}«»{text[end:]}"
        member = 0
        if self._members and self.facts[place].member:
            text, member = self._member(text, self.facts[place].member)
        tail = _saying(text)
        opening = _OPENING.match(tail)
        require_plain(text.replace(tail, f"«»{opening[0] if opening else ''}", 1), record)
        return _Masked(self._place[names.pop()], place, needed, member, tail, record)

    def _the_fact(self, text: str) -> tuple[int, int, int, bool] | None:
        """A needed fact with its place in the text, or one that differs from it in nothing but its context."""
        for pattern, places in ((self._facts, self._fact_place), (self._others, self._label_place)):
            found = [(places[each[1].lower()], each.start(1), each.end()) for each in pattern.finditer(text)]
            if len({place for place, *_ in found}) > 1:
                self._refused("several facts in one record", text)
            if found:
                return *found[0], pattern is self._facts
        return None

    def _member(self, text: str, name: str) -> tuple[str, int]:
        assert self._members is not None
        numbers = [int(each[2]) for each in self._members.finditer(text) if each[1] == name]
        if len(set(numbers)) != 1:
            self._refused(f"expected the number of one {name}", text)
        return self._members.sub("«»", text), numbers[0]

    def _values(self, fact: int, records: Sequence[_Masked]) -> list[tuple[Told, bool]]:
        """What each record tells, and whether the task needs it."""
        words = self.words.get(fact, frozenset())
        tails = [each.tail.strip().removesuffix(".").strip() for each in records]
        values = [self._value_text(each, words) for each in tails]
        if not any(self._is_clean(each, words) for each in values):
            values = self._without_common_end(values, words)
        return [
            (Told(each.candidate, fact, each.member, self._known(value, each.text)), each.needed)
            for each, value in zip(records, values, strict=True)
        ]

    def _value_text(self, tail: str, words: frozenset[str]) -> str:
        opening = _OPENING.match(tail)
        if opening is None:
            self._refused("the value of a fact was not found", tail)
        value = tail[opening.end() :].strip()
        if opening["more"] is None:
            return value
        longer = tail[opening.start("more") :].strip()
        return value if self._is_clean(value, words) and not self._is_clean(longer, words) else longer

    def _without_common_end(self, values: Sequence[str], words: frozenset[str]) -> list[str]:
        """The values without what all sentences go on with in the same words, such as `according to our files`."""
        first = values[0]
        for place in sorted({each.start() for each in _ENDING.finditer(first)}, reverse=True):
            end = first[place:]
            cut = [each.removesuffix(end).strip() for each in values]
            if (
                all(each.endswith(end) for each in values)
                and all(cut)
                and is_source(end)
                and any(self._is_clean(each, words) for each in cut)
            ):
                return cut
        return list(values)

    def _is_clean(self, text: str, words: frozenset[str]) -> bool:
        if text.strip('"') in words or no_value(text):
            return True
        return is_choice(text) or isinstance(known(text, self.units), Span)

    def _known(self, text: str, record: str) -> Known:
        if not text or "«" in text:
            self._refused("the value of a fact was not found", record)
        return known(text, self.units)

    @staticmethod
    def _refused(words: str, where: str) -> NoReturn:
        raise Unreadable(words, where)


def _saying(text: str) -> str:
    """The part of a sentence, cut at candidate, member and fact, that has the value."""
    _, *inner, last = text.split("«»")
    for part in (last, *reversed(inner)):
        opening = _OPENING.match(part)
        if opening and part[opening.end() :].strip(" .") not in ("", "the"):
            return part
    return last


def _listed(names: Iterable[str]) -> str:
    return "|".join(re.escape(each) for each in sorted(names, key=len, reverse=True)) or "(?!)"
