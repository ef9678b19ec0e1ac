"""Scalars of a specification: names, texts and exact numbers, each checked where it is read."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, WithJsonSchema
from pydantic_core import PydanticCustomError

from unco.specs.characters import code_point, unshowable

MAXIMUM_NUMBER = 42
"""Characters of a number as text, its sign and its point or slash among them."""
NUMBER_PATTERN = r"^-?[0-9]+(_[0-9]+)*(\.[0-9]+|/[0-9]+)?$"


def _shown(text: str) -> str:
    """The text, where all of it can be shown."""
    for place in unshowable(text):
        raise PydanticCustomError(
            "unshowable",
            "{found} cannot be shown",
            {"found": f"{code_point(text[place])}, character {place + 1} of the text"},
        )
    return text


def _label(text: str) -> str:
    """The text, where it is one line without blanks at its ends."""
    if any(character in text for character in "\n\r\t"):
        raise PydanticCustomError("unshowable", "{found} in a text of one line", {"found": "a line end or a tab"})
    if text != text.strip():
        raise PydanticCustomError("unshowable", "{found} of a text", {"found": "a blank at the beginning or the end"})
    return text


Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$", description="A name for expressions: `a-z`, digits, `_`.")]
Text = Annotated[str, Field(min_length=1, max_length=400), AfterValidator(_shown), AfterValidator(_label)]
LongText = Annotated[str, Field(min_length=1, max_length=4000), AfterValidator(_shown)]


def exact_number(text: str) -> Fraction:
    """`12`, `-0.5`, `25_000_000` or `1/3` as a Fraction; at most 40 digits; ValueError otherwise."""
    bare = text.strip()
    fits = len(bare.replace("_", "")) <= MAXIMUM_NUMBER and re.fullmatch(NUMBER_PATTERN.strip("^$"), bare)
    try:
        if fits:
            return Fraction(bare.replace("_", ""))
    except ZeroDivisionError:
        pass
    raise ValueError(f"expected a number of at most 40 digits such as 12, -0.5, 25_000_000 or 1/3, found {text[:60]!r}")


def number_text(number: Fraction | Decimal | int) -> str:
    """The shortest exact text: `12`, `-0.5`, or `1/3` where no decimal is exact. ValueError where it is too long."""
    if isinstance(number, Decimal) and not (number.is_finite() and abs(number.adjusted()) <= MAXIMUM_NUMBER):
        raise ValueError("expected a finite number of at most 40 digits")
    exact = Fraction(number)
    if max(abs(exact.numerator), exact.denominator) >= 10**MAXIMUM_NUMBER:
        raise ValueError("expected a number of at most 40 digits")
    texts = (text for text in (_decimal_text(exact), str(exact)) if text is not None)
    for text in texts:
        if len(text) <= MAXIMUM_NUMBER:
            return text
    raise ValueError("expected a number of at most 40 digits")


def _decimal_text(number: Fraction) -> str | None:
    """The number as a decimal, where it has a finite one."""
    places = next((n for n in range(MAXIMUM_NUMBER) if 10**n % number.denominator == 0), None)
    if places is None:
        return None
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    sign = "-" if number < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def _exact(value: object) -> object:
    """An exact number from its text; a float is refused, since it may already have lost digits."""
    if isinstance(value, bool | float):
        raise ValueError(f"expected an exact number, found {value!r}")
    if isinstance(value, int | Fraction | Decimal):
        return exact_number(number_text(value))
    if isinstance(value, str):
        return exact_number(value)
    raise ValueError(f"expected a number, found {type(value).__name__}")


def _plain(number: Fraction) -> int | str:
    return number.numerator if number.denominator == 1 else number_text(number)


def _scalar(value: object) -> object:
    """The text of a scalar, as YAML would hold it; a float is refused, since it may already have lost digits."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | Fraction() | Decimal():
            return number_text(value)
        case datetime() | float():
            raise ValueError(f"expected an exact number, a date or a name, found {value!r}")
        case date():
            return value.isoformat()
        case _:
            return value


def _number_schema(**bounds: int) -> WithJsonSchema:
    return WithJsonSchema({"type": ["number", "string"], "pattern": NUMBER_PATTERN, **bounds})


Number = Annotated[Fraction, BeforeValidator(_exact), PlainSerializer(_plain), _number_schema()]
Weight = Annotated[Number, Field(ge=0), _number_schema(minimum=0)]
Share = Annotated[Number, Field(ge=0, le=1), _number_schema(minimum=0, maximum=1)]
Scalar: TypeAlias = Annotated[
    str,
    BeforeValidator(_scalar),
    Field(min_length=1, max_length=400),
    AfterValidator(_shown),
    AfterValidator(_label),
    WithJsonSchema({"type": ["string", "number", "boolean"]}),
]
"""A bound, a table key or a parameter's value, as text: a number, a date, true or false, or a category.

It is read by the type that it stands for. Python code may give an int, a Fraction, a date or a bool: kept as its text.
"""
Expr = Annotated[
    str,
    Field(min_length=1, max_length=4000, description="An expression; see the language reference."),
    AfterValidator(_shown),
]

Kind = Literal["boolean", "category", "count", "decimal", "percentage", "money", "quantity", "date", "duration"]
Operation = Literal[
    "sum", "difference", "product", "ratio", "weighted_mean", "percentage_change", "capped", "tiered_rate"
]
RoundingMode = Literal["half_up", "half_even", "half_down", "up", "down", "floor", "ceiling"]
