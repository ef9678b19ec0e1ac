"""Collects the diagnostics of a check, with their places in the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from unco.specs.errors import Diagnostic, Severity, Span
from unco.specs.located import FieldPath
from unco.specs.source import Source, path_text


class Report:
    """Diagnostics in the order in which they were found; a field path becomes a span."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []

    def add(
        self,
        code: str,
        path: FieldPath,
        message: str,
        *,
        found: str | None = None,
        expected: str | None = None,
        hint: str | None = None,
        example: str | None = None,
        related: tuple[tuple[str, FieldPath], ...] = (),
        severity: Severity = Severity.ERROR,
        span: Span | None = None,
    ) -> None:
        """Add one diagnostic."""
        self._append(
            Diagnostic(
                code,
                message,
                span=span or self.place(path),
                path=path_text(path),
                found=found,
                expected=expected,
                hint=hint,
                example=example,
                related=tuple((text, self.place(other)) for text, other in related),
                severity=severity,
            )
        )

    def extend(self, diagnostics: Sequence[Diagnostic], path: FieldPath) -> None:
        """Add diagnostics that another part made, with their field path."""
        name = path_text(path)
        for diagnostic in diagnostics:
            self._append(_located(diagnostic, name, self.place(path)))

    def place(self, path: FieldPath) -> Span:
        """Where a field stands: its text, or the key of a section."""
        is_section = isinstance(self.source.value(path), dict | list)
        return self.source.key_span(path) if is_section else self.source.span(path)

    def _append(self, diagnostic: Diagnostic) -> None:
        if diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)


def _located(diagnostic: Diagnostic, path: str, span: Span) -> Diagnostic:
    return replace(diagnostic, path=diagnostic.path or path, span=diagnostic.span or span)


def nearest(name: str, known: Sequence[str]) -> str | None:
    """A hint that names the nearest known name, or all of them where they are few."""
    same = [other for other in known if other.lower() == name.lower()]
    close = same or get_close_matches(name.lower(), known, n=1)
    if close:
        return f"did you mean {close[0]}?"
    return f"known: {', '.join(known[:12])}" if known else None
