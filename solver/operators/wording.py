"""Grouping of wordings inside wordings, so that a sentence has one reading and no bracket that it can do without.

A wording is judged by its shape: what stands in brackets, in quotation marks or under a private character is one atom.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from unco.solver.operators.operator import Types
from unco.specs.values import DateType

FIRST_PRIVATE, LAST_PRIVATE = 0xE000, 0xF8FF
"""Characters that stand for terms with a name of their own, until the sentence is complete."""
_COMPOUND = re.compile(
    r"[,:;]|\b(?:and|or|if|is|of|from|to|not|per cent|after|before|in|otherwise|rounded|weighted)\b|[+−×÷]| - "
)
_JOINED = re.compile(r"[,:;]|\b(?:and|or|if|otherwise|not the case)\b")
_CALCULATED = re.compile(r"[+−×÷]")
_ATOM = r"(?:minus )*[\w@.%]+"
_PRODUCT, _QUOTIENT = rf"{_ATOM}(?: × {_ATOM})+", rf"{_ATOM} ÷ {_ATOM}"
_TERM = rf"(?:{_PRODUCT}|{_QUOTIENT}|{_ATOM})"
_SUM = rf"{_TERM}(?: [+−] {_TERM})+"
_BARE = {"+": rf"{_SUM}|{_TERM}", "−": rf"{_SUM}|{_TERM}", "×": rf"{_PRODUCT}|{_ATOM}", "÷": _ATOM}
"""The shapes that need no brackets before each sign."""
_CLOSED = re.compile(
    r"the (?:smaller|larger|earlier|later) of @ and @|the difference between @ and @"
    rf"|{_SUM}|{_TERM}|(?!.*(?:[,:;+−×÷]|\b(?:is|are|and|or|if|otherwise|not|either|both)\b)).*"
)
_SIMPLE = re.compile(r"(?!.*(?:[,:;]|\b(?:if|otherwise|the case|these)\b)).*")
_SAID = re.compile(
    r"@ (?:is|are) (?!.*(?:[:;]|\b(?:is|are|if|otherwise)\b))"
    r"(?:between @(?: and @)?, both included|either @ or @|one of @(?:, @)* or @|(?!.*(?:,|\b(?:and|or)\b)).*)"
)


def grouped(text: str) -> str:
    """The text in brackets, unless it can only be read as one thing."""
    return _unless(not _COMPOUND.search(text), text)


def clause(text: str) -> str:
    """A part of a sentence, in brackets where it is itself made of parts."""
    return _unless(not _JOINED.search(text), text)


def operand(text: str, sign: str, *, first: bool) -> str:
    """A side of a sign, in brackets where the usual order of calculation would read it otherwise."""
    bare = _BARE[sign] if first else _TERM if sign in "+−" else _ATOM
    return _unless(re.fullmatch(bare, shape(text)), text)


def side(text: str) -> str:
    """A side of a comparison: a formula or a noun phrase stands as it is, all else in brackets."""
    return _unless(_CLOSED.fullmatch(shape(text)), text)


def condition(text: str) -> str:
    """What stands between `if` and `otherwise`: bare where it has neither commas nor choices of its own."""
    return _unless(_SIMPLE.fullmatch(shape(text)), text)


def said(text: str) -> str:
    """What holds for the members of a group: bare where it says one thing of one fact."""
    return _unless(_SAID.fullmatch(shape(text)) or not _JOINED.search(text), text)


def shape(text: str) -> str:
    """The text with each atom as `@`."""
    found, depth = [], 0
    for sign in re.sub(r'"[^"]*"', "@", text):
        depth -= sign == ")"
        if depth == 0:
            found.append("@" if sign == ")" or FIRST_PRIVATE <= ord(sign) <= LAST_PRIVATE else sign)
        depth += sign == "("
        if sign == "(" and depth == 1:
            found.pop()
    return "".join(found)


def _unless(bare: object, text: str) -> str:
    return text if bare or shape(text) == "@" else f"({text})"


def listing(arguments: Sequence[str], joint: str) -> str:
    """`A, B and C`, each in brackets where it has parts."""
    parts = [grouped(each) if _CALCULATED.search(each) else clause(each) for each in arguments]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def about_dates(types: Types) -> bool:
    """Whether the first argument is known to be a date."""
    return bool(types) and isinstance(types[0], DateType)
