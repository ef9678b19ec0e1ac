"""The shape of an operator row, and the two errors that a row can raise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeAlias

from unco.solver.terms import Term, Truth
from unco.specs.errors import Span
from unco.specs.expression import Option
from unco.specs.values import Type, Value

Number: TypeAlias = int | Fraction
Options: TypeAlias = tuple[Option, ...]
Types: TypeAlias = tuple[Type, ...]
Values: TypeAlias = tuple[Any, ...]
"""Argument values of a well-typed application: the signature has vouched for their types."""
Terms: TypeAlias = tuple[Any, ...]
"""Argument terms of a well-typed application."""


class Undefined(Exception):  # noqa: N818 -- a state of the input, not an error of the program
    """The expression has no value here: `reason` in plain words, `span` where it stands."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        self.reason = reason
        self.span = span
        super().__init__(reason)


class Mismatch(Exception):  # noqa: N818 -- becomes a diagnostic once the typer adds the place
    """The arguments do not fit the operator: a diagnostic without its place.

    `argument` is the index of the offending argument, or None where the whole application is at fault.
    """

    def __init__(self, argument: int | None, code: str, found: str, expected: str, hint: str | None = None) -> None:
        self.argument = argument
        self.code = code
        self.found = found
        self.expected = expected
        self.hint = hint
        super().__init__(f"{code}: found {found}, expected {expected}")


class Example(NamedTuple):
    """A boundary case: arguments (numbers in base units) and the result, or None where it is undefined."""

    arguments: tuple[Value, ...]
    result: Value | None
    options: Options = ()


class Phrase(Protocol):
    """Plain English for an application, given the wording of its arguments and, where known, their types."""

    def __call__(self, arguments: Sequence[str], options: Options = (), types: Types = ()) -> str: ...


def canonical(number: Number) -> Number:
    """The number as an int where it is whole."""
    return number.numerator if number.denominator == 1 else number


def everywhere(z3: ModuleType, arguments: Terms, options: Options) -> Truth:
    """Defined for all arguments."""
    return True


@dataclass(frozen=True)
class Operator:
    """One operator: its type, where it is defined, its value, its encoding and its wording.

    `apply` and `encode` share no code: a law holds them together. Numbers are in base units, except that the twins
    hand an operator that is `shown` its argument in the shown unit and convert the result back.
    """

    name: str
    signature: Callable[[Types, Options], Type]
    """The type of the result; raises Mismatch."""
    apply: Callable[[Values, Options], Value]
    """The value; raises Undefined."""
    encode: Callable[[ModuleType, Terms, Options], Term]
    """The term; it means nothing where `defined` is false."""
    phrase: Phrase
    examples: tuple[Example, ...]
    defined: Callable[[ModuleType, Terms, Options], Truth] = everywhere
    """Where the application has a value, given that its arguments have one."""
    shown: bool = False
