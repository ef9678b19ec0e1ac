"""Grouping of wordings inside wordings, so that a sentence has one reading."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unco.solver.operators.operator import Types
from unco.specs.values import DateType

_COMPOUND = re.compile(
    r"[,:;]|\b(?:and|or|if|is|of|from|to|not|per cent|after|before|in|otherwise|rounded)\b|[+−×÷]| - "
)
_JOINED = re.compile(r"[,:;]|\b(?:and|or|if|otherwise)\b")
_CALCULATED = re.compile(r"[+−×÷]")


def grouped(text: str) -> str:
    """The text in brackets, unless it can only be read as one thing."""
    return f"({text})" if _COMPOUND.search(text) and not _bracketed(text) else text


def clause(text: str) -> str:
    """A part of a sentence, in brackets where it is itself made of parts."""
    return f"({text})" if _JOINED.search(text) and not _bracketed(text) else text


def _bracketed(text: str) -> bool:
    """Whether one pair of brackets holds the whole text."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for position, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return position == len(text) - 1
    return False


def listing(arguments: Sequence[str], joint: str) -> str:
    """`A, B and C`, each in brackets where it has parts."""
    parts = [grouped(each) if _CALCULATED.search(each) else clause(each) for each in arguments]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def about_dates(types: Types) -> bool:
    """Whether the first argument is known to be a date."""
    return bool(types) and isinstance(types[0], DateType)
