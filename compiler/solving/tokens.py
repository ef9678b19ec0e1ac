"""A line of a rule as tokens: facts, amounts, dates, quoted names, words and signs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from unco.compiler.solving.amounts import DATE, PERIOD, amount_at, day_of, two_days
from unco.compiler.solving.tree import Fact
from unco.compiler.solving.units import Units
from unco.compiler.solving.unreadable import Unreadable

MOST_CHARACTERS = 4_000
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_DAY = re.compile(rf"({DATE})(?!\w)")
_DAYS = re.compile(rf"(?<=between ){PERIOD}(?!\w)|(?<=from ){PERIOD}(?!\w)")
_WORD = re.compile(r"[^\W_][\w'’.²³°-]*(?<![.])")
_ASIDES = "weighted by|rounded |halves |in a (?:year|month) without|or the "
"""How a bracket begins that says nothing of the fact before it."""


class Token(NamedTuple):
    """One token, and where it stands in its line."""

    kind: str
    """fact, amount, quoted, word, sign, below (the items of the list that follows) or end."""
    what: Any
    start: int
    end: int


class Lexicon:
    """Cuts lines into tokens: knows the facts of the task and its units."""

    def __init__(self, facts: Sequence[Fact], units: Units) -> None:
        self.facts = tuple(facts)
        self.units = units
        phrases = sorted((each.phrase for each in facts), key=len, reverse=True)
        self._places = {each.phrase: place for place, each in enumerate(facts)}
        listed = "|".join(map(_any_case, phrases))
        self._fact = re.compile(rf"(?:[Tt]he )?({listed})(?![\w-])(?! \((?!{_ASIDES}))" if listed else "(?!)")

    def tokens(self, line: str, below: bool = False) -> tuple[Token, ...]:
        """The tokens of a line, then one for what stands below it, if anything does."""
        if len(line) > MOST_CHARACTERS:
            raise Unreadable("a line is too long", line)
        line = line.rstrip()
        if line.endswith("."):
            line = line[:-1]
        found: list[Token] = []
        place = 0
        while place < len(line):
            if line[place] == " ":
                place += 1
                continue
            more = self._next(line, place)
            found += more
            place = more[-1].end
        if below:
            found.append(Token("below", None, place, place))
        return tuple(found)

    def _next(self, line: str, place: int) -> Sequence[Token]:
        if fact := self._fact.match(line, place):
            return [Token("fact", self._place_of(fact[1]), place, fact.end())]
        if quoted := _QUOTED.match(line, place):
            return [Token("quoted", quoted[1].replace('""', '"'), place, quoted.end())]
        if days := _DAYS.match(line, place):
            parts = next(each for each in (days.groups()[:7], days.groups()[7:]) if each[0])
            low, high = two_days([each or "" for each in parts])
            joint, last = place + 1, days.end()
            return [Token("amount", low, place, joint), _word(parts[3], joint), Token("amount", high, joint, last)]
        if day := _DAY.match(line, place):
            return [Token("amount", day_of(day[1]), place, day.end())]
        if number := amount_at(line, place, self.units):
            return [Token("amount", number[0], place, number[1])]
        if word := _WORD.match(line, place):
            return [_word(word[0], place)]
        return [Token("sign", line[place], place, place + 1)]

    def _place_of(self, phrase: str) -> int:
        for form in (phrase, phrase[0].lower() + phrase[1:], phrase[0].upper() + phrase[1:]):
            if form in self._places:
                return self._places[form]
        raise Unreadable("no such fact", phrase)


def _word(text: str, place: int) -> Token:
    return Token("word", text, place, place + len(text))


def _any_case(phrase: str) -> str:
    """A pattern for the phrase at the beginning of a sentence too."""
    first, rest = phrase[0], phrase[1:]
    return f"[{first.lower()}{first.upper()}]{re.escape(rest)}" if first.isalpha() else re.escape(phrase)
