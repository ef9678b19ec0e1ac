"""Near-duplicates: how alike two specifications are, by their words and by the structure of their rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from unco.specs.document import RuleSection, Specification
from unco.specs.errors import SpecificationError
from unco.specs.parser import parse
from unco.specs.syntax import Call, Syntax

MOST_WORDS = Fraction(3, 4)
"""Specifications that share more of their words than this are near-duplicates, whatever their structure."""
MOST_WITH_STRUCTURE = Fraction(1, 2)
"""So are those of equal structure that share more of their words than this."""
_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)


@dataclass(frozen=True)
class Print:
    """What specifications are compared by: words with their counts, and the structure of the rules."""

    name: str
    words: Counter[str]
    structure: tuple[str, ...]

    @cached_property
    def numbered(self) -> frozenset[tuple[str, int]]:
        """Each word as often as it stands: sets are compared twenty times as fast as counts."""
        return frozenset((word, time) for word, many in self.words.items() for time in range(many))


def print_of(specification: Specification) -> Print:
    """The words of all texts but names of candidates; the shape of each rule, in no order."""
    return print_from(specification.name, _texts(specification), _rules(specification))


def print_from(name: str, texts: Iterable[str], rules: Iterable[str]) -> Print:
    """The same from the texts, and the rules as they are written."""
    words = Counter(word.casefold() for text in texts for word in _WORD.findall(text))
    return Print(name, words, tuple(sorted(map(shape, rules))))


def likeness(one: Print, other: Print) -> Fraction:
    """The share of words that two specifications have in common, counted as often as they stand: 0 to 1."""
    common = len(one.numbered & other.numbered)
    together = len(one.numbered) + len(other.numbered) - common
    return Fraction(common, together) if together else Fraction(0)


def near_duplicate(made: Print, earlier: Iterable[Print]) -> Print | None:
    """The first of the earlier ones that is nearly the same; None where there is none."""
    return next((each for each in earlier if are_near(made, each)), None)


def are_near(one: Print, other: Print) -> bool:
    """Whether two specifications are nearly the same."""
    alike = likeness(one, other)
    return alike > MOST_WORDS or (alike > MOST_WITH_STRUCTURE and one.structure == other.structure)


def _texts(specification: Specification) -> Iterator[str]:
    yield from (specification.title, specification.task, specification.calculation.label)
    for role in specification.roles.values():
        yield from (role.name, role.description)
    for attribute in specification.attributes.values():
        yield attribute.label
        if attribute.context is not None:
            yield from (attribute.context.kind, attribute.context.required)


def _rules(specification: Specification) -> Iterator[str]:
    rules = (*specification.conditions.values(), *specification.consistency.values())
    yield from (rule.rule if isinstance(rule, RuleSection) else rule for rule in rules)
    yield specification.calculation.formula


def shape(rule: str) -> str:
    """The operators of a rule and how they stand, without names and numbers; nothing of one that is no expression."""
    try:
        return _outline(parse(rule))
    except SpecificationError:
        return ""  # The check, which comes later, tells why.


def _outline(part: Syntax) -> str:
    if isinstance(part, Call):
        return f"{part.operator}({','.join(map(_outline, part.arguments))})"
    return type(part).__name__
