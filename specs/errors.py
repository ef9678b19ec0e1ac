"""Diagnostics and errors: one vocabulary.

UncoError
├── SpecificationError    the input is wrong: carries the diagnostics
├── UsageError            the command or the call is wrong
├── InfrastructureError   disk, memory, a killed worker: resume, it is no verdict
└── InconsistencyError    a bug of ours: twins disagree, a model does not replay
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a source file: lines and columns count from 1, the end is excluded."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class Severity(StrEnum):
    """How bad a diagnostic is: an error stops the phase, a warning does not, a note adds to another."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: a stable code, where it is, what was found, what was expected, and what to do."""

    code: str
    message: str
    span: Span | None = None
    path: str = ""
    """The field, as in `conditions.experience.rule`."""
    found: str | None = None
    expected: str | None = None
    hint: str | None = None
    example: str | None = None
    """A concrete case in the author's terms, where the finding has one."""
    related: tuple[tuple[str, Span], ...] = ()
    """Other places that matter, each with what it shows."""
    severity: Severity = Severity.ERROR


class UncoError(Exception):
    """Whatever unco raises on purpose."""


class SpecificationError(UncoError):
    """The input does not stand; `diagnostics` says why; `text` is the source, where it is needed to show lines."""

    def __init__(self, diagnostics: Sequence[Diagnostic], text: str | None = None) -> None:
        self.diagnostics = tuple(diagnostics)
        self.text = text
        super().__init__("; ".join(f"{d.code}: {d.message}" for d in self.diagnostics))

    def __reduce__(self) -> tuple[type[SpecificationError], tuple[tuple[Diagnostic, ...], str | None]]:
        """A worker process can raise it too."""
        return type(self), (self.diagnostics, self.text)


class UsageError(UncoError):
    """The call is wrong: the message says what to do instead."""


class InfrastructureError(UncoError):
    """The machine failed, not the task: never a verdict or a rejection."""


class InconsistencyError(UncoError):
    """Two parts of unco disagree: a bug of ours, never the author's fault."""
