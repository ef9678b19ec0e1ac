"""What a YAML or JSON file consists of, in order: the form in which both readers hand it on. Places are offsets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Style: TypeAlias = Literal["plain", "single", "double", "block"]


@dataclass(frozen=True, slots=True)
class Open:
    """A mapping or a list begins; one in block style (indented YAML) ends with its last part."""

    kind: Literal["mapping", "list"]
    start: int
    block: bool


@dataclass(frozen=True, slots=True)
class Close:
    """The innermost mapping or list ends."""

    end: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar as text; None for null."""

    text: str | None
    start: int
    end: int
    style: Style


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that does not stand; a reader that cannot go on ends after it."""

    code: str
    message: str
    start: int
    end: int
    found: str | None = None
    expected: str | None = None
    hint: str | None = None
    related: tuple[str, int, int] | None = None


Event: TypeAlias = Open | Close | Leaf | Problem
