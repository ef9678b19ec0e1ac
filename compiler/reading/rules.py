"""Sentences that state conditions, rules and calculations, read with the words of one family."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain

from unco.compiler.reading.engine import Found, Grammar, Node
from unco.compiler.reading.meaning import TRUTH, constant, kind_of, normal
from unco.compiler.reading.numerals import DAY, day_of, number_of, read_span
from unco.compiler.reading.numerals import NUMBER as NUMERAL
from unco.compiler.reading.productions import productions
from unco.compiler.reading.vocabulary import Vocabulary, forms, plural_forms
from unco.specs.domains import BooleanDomain
from unco.specs.expression import NO_MEMBER, THIS_MEMBER
from unco.specs.values import BOOLEAN, PERCENT, PLAIN, CategoryType, NumberType
from unco.specs.values import DATE as DATES

MOST_KEPT = 4_096
"""Sentences whose meaning is kept: the groups of a family share most of theirs."""


class RuleReader:
    """Reads the sentences of one family's rules."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.words = vocabulary
        self.grammar = Grammar(self._terminals(), productions())
        self.known: dict[str, tuple[Node, ...]] = {}

    def sentence(self, text: str, kind: str) -> tuple[Node, ...]:
        """Every meaning of a rule of some kind, in normal form: with or without a capital, with or without a stop."""
        return tuple(node for node in self._sentence(text) if node[1] == kind)

    def weighed(self, text: str) -> tuple[Node, ...]:
        """Every meaning of `VALUE, weighted by WEIGHT`: the two of them."""
        return tuple(dict.fromkeys(map(normal, self.grammar.readings("weighed", text))))

    def case(self, text: str, kind: str) -> tuple[Node, ...]:
        """Every meaning of `VALUE if TEST` or `otherwise VALUE`: a value of some kind, with its test before it."""
        found = self.grammar.readings("case", text)
        return tuple(dict.fromkeys(normal(node) for node in found if node[1] == kind))

    def _sentence(self, text: str) -> tuple[Node, ...]:
        if text not in self.known:
            if len(self.known) >= MOST_KEPT:
                self.known.clear()
            bare = text.removesuffix(".")
            options = dict.fromkeys((bare, f"{bare[:1].lower()}{bare[1:]}", text, f"{text[:1].lower()}{text[1:]}"))
            told = dict.fromkeys(each for option in options for each in (option, *self._turned(option)))
            found = chain.from_iterable(self.grammar.readings("any", option) for option in told)
            self.known[text] = tuple(dict.fromkeys(map(normal, found)))
        return self.known[text]

    def _turned(self, text: str) -> Iterator[str]:
        """`the age of each child is ...` as `for each of the children: the age is ...`."""
        for group in self.words.family.groups:
            for who in ("at least one", "each"):
                ending = f" of {who} {group.label}"
                for verb in (" is ", " are "):
                    named, found, said = text.partition(f"{ending}{verb}")
                    if found:
                        yield f"for {who} of the {min(plural_forms(group.label))}: {named}{verb}{said}"

    # Words of the family ---------------------------------------------------------------------------------------------

    def _terminals(self) -> dict[str, list[Callable[[str, int], Iterator[Found]]]]:
        return {
            "part": [self._number, self._date, self._category, self._truth, self._fact, self._threshold],
            "clause": [self._stated, self._stated_threshold],
            "table": [
                _words(
                    {
                        label: (label, *map(kind_of, (table.gives, table.key)))
                        for label, table in self.words.tables.items()
                    }
                )
            ],
            "unit": [self._unit],
            "figure": [_figure],
            "span": [_span],
            "members": [_words({word: (group,) for word, group in self.words.members.items()})],
        }

    def _unit(self, text: str, start: int) -> Iterator[Found]:
        if text.startswith("per cent", start):
            yield ((), Fraction(1, 100)), start + len("per cent")
        for word, unit in self.words.units.items():
            if text.startswith(word, start) and _ends(text, start + len(word)):
                yield (unit.dimension, unit.scale), start + len(word)

    def _number(self, text: str, start: int) -> Iterator[Found]:
        found = NUMERAL.match(text, start)
        number = number_of(found) if found else None
        if found is None or number is None:
            return
        end = found.end()
        yield constant(number, NumberType(PLAIN)), end
        if text.startswith("%", end):
            yield constant(number / 100, NumberType(PERCENT)), end + 1
        if text.startswith(" ", end):
            for word, unit in self.words.units.items():
                if text.startswith(word, end + 1) and _ends(text, end + 1 + len(word)):
                    yield constant(number * unit.scale, NumberType(unit)), end + 1 + len(word)

    def _date(self, text: str, start: int) -> Iterator[Found]:
        found = DAY.match(text, start)
        day = day_of(found["day"], found["month"], found["year"]) if found else None
        if found and day is not None:
            yield constant(day, DATES), found.end()

    def _category(self, text: str, start: int) -> Iterator[Found]:
        for name in self.words.categories:
            for form in forms(name):
                if text.startswith(form, start) and _ends(text, start + len(form)):
                    yield constant(name, CategoryType(())), start + len(form)

    def _truth(self, text: str, start: int) -> Iterator[Found]:
        for word, truth in (("true", True), ("false", False)):
            if text.startswith(word, start) and _ends(text, start + len(word)):
                yield constant(truth, BOOLEAN), start + len(word)

    def _fact(self, text: str, start: int) -> Iterator[Found]:
        """An attribute that is no truth."""
        yield from ((node, end) for node, end, words in self._named(text, start) if words is None)

    def _stated(self, text: str, start: int) -> Iterator[Found]:
        """`medical clearance (month: March 2026) is passed`."""
        for node, end, words in self._named(text, start):
            if words is not None:
                yield from _said(text, end, node, words)

    def _named(self, text: str, start: int) -> Iterator[tuple[Node, int, tuple[str, str] | None]]:
        """The attributes that a text names here, and the words of those that are truths."""
        for name, subjects in self.words.subjects.items():
            for form in (f"(the {name})", f"({name})", f"the {name}", name):
                if not text.startswith(form, start):
                    continue
                for subject in subjects:
                    words = subject.domain.words if isinstance(subject.domain, BooleanDomain) else None
                    kind, attribute = kind_of(subject.domain.type), subject.attribute
                    for member, end in self._members(text, start + len(form), attribute.group):
                        yield ("fact", kind, attribute.id, member, subject.context), end, words

    def _members(self, text: str, end: int, group: str | None) -> Iterator[tuple[int, int]]:
        """Which member is meant: the one at hand, or the one whose number follows."""
        if group is None:
            yield NO_MEMBER, end
            return
        yield THIS_MEMBER, end
        opening = f" of {self.words.family.group_by_id[group].label} "
        found = NUMERAL.match(text, end + len(opening)) if text.startswith(opening, end) else None
        if found and found[0].isdigit():
            yield int(found[0]), found.end()

    def _threshold(self, text: str, start: int) -> Iterator[Found]:
        """`the debt limit (20,000 USD)`."""
        for label, parameter in self.words.parameters.items():
            if isinstance(parameter.domain, BooleanDomain):
                continue
            for opening in (f"the {label} (", f"{label} ("):
                if text.startswith(opening, start):
                    yield from self._valued(text, start + len(opening), parameter.id)

    def _valued(self, text: str, start: int, name: str) -> Iterator[Found]:
        domain = next(each.domain for each in self.words.family.parameters if each.id == name)
        for end in _closings(text, start):
            for value in self.words.values(text[start:end], domain):
                yield ("threshold", kind_of(domain.type), name, value), end + 1

    def _stated_threshold(self, text: str, start: int) -> Iterator[Found]:
        """`strict mode is on (in this task it is off)`."""
        for label, parameter in self.words.parameters.items():
            if isinstance(parameter.domain, BooleanDomain) and text.startswith(label, start):
                words = parameter.domain.words
                for stated, end in _said(text, start + len(label), (), words):
                    opening = " (in this task it is "
                    if text.startswith(opening, end):
                        for node, after in self._valued(text, end + len(opening), parameter.id):
                            yield (node if stated == () else ("not", TRUTH, node)), after


def _said(text: str, start: int, node: Node, words: tuple[str, str]) -> Iterator[Found]:
    """The truth `node`, or its denial, by the word that follows `is` or `are`."""
    for verb in (" is ", " are "):
        for word, truth in zip(words, (True, False), strict=True):
            for form in forms(word):
                if text.startswith(f"{verb}{form}", start) and _ends(text, start + len(verb) + len(form)):
                    yield (node if truth else ("not", TRUTH, node)), start + len(verb) + len(form)


def _figure(text: str, start: int) -> Iterator[Found]:
    """A number whose unit stands elsewhere."""
    found = NUMERAL.match(text, start)
    number = number_of(found) if found else None
    if found and number is not None:
        yield ("figure", "", number), found.end()


def _span(text: str, start: int) -> Iterator[Found]:
    """`1 July and 31 August 2026`: the first day leaves out what the last one says."""
    stop = text.find(",", start)
    days = read_span(text[start:stop]) if stop >= 0 else None
    if days:
        yield tuple(constant(day, DATES) for day in days), stop


def _ends(text: str, end: int) -> bool:
    """Whether a word ends here."""
    return not (end < len(text) and text[end - 1].isalnum() and text[end].isalnum())


def _closings(text: str, start: int) -> Iterator[int]:
    end = text.find(")", start)
    while end >= 0:
        yield end
        end = text.find(")", end + 1)


def _words(meanings: Mapping[str, Node]) -> Callable[[str, int], Iterator[Found]]:
    def terminal(text: str, start: int) -> Iterator[Found]:
        for word, node in meanings.items():
            if text.startswith(word, start) and _ends(text, start + len(word)):
                yield node, start + len(word)

    return terminal
