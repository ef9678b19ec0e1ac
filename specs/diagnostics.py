"""Diagnostics for people and for programs: text with the source line and a caret, plain JSON, SARIF 2.1.0."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from unco.specs.characters import escaped
from unco.specs.codes import CODES
from unco.specs.errors import Diagnostic, Severity, Span
from unco.specs.source import Source

_WINDOW = 120
_TAB = 4
_JOINER = "\u200d"
_EMOJI_SIGN = "\ufe0f"


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics by file, line, column and code; those without a place first."""

    def key(diagnostic: Diagnostic) -> tuple[str, int, int, str, str, str]:
        span = diagnostic.span
        place = (span.file, span.line, span.column) if span else ("", 0, 0)
        return *place, diagnostic.code, diagnostic.path, diagnostic.message

    return sorted(diagnostics, key=key)


def render_text(diagnostics: Iterable[Diagnostic], source: Source | str | None = None) -> str:
    """The diagnostics as a person reads them in a terminal, without colour, with a count at the end.

    `source` is what the spans point into: a Source, or the text that a SpecificationError carries.
    """
    shown = Source("", source) if isinstance(source, str) else source
    ordered = in_order(diagnostics)
    blocks = ["\n".join(_block(diagnostic, shown)) for diagnostic in ordered]
    return "\n\n".join([*blocks, _count(ordered)]) + "\n"


def _block(diagnostic: Diagnostic, source: Source | None) -> Iterator[str]:
    where = _where(diagnostic.span) if diagnostic.span else escaped(diagnostic.path)
    head = f"{where}: " if where else ""
    yield f"{head}{diagnostic.severity.value} {diagnostic.code}: {escaped(diagnostic.message)}"
    yield from _excerpt(diagnostic.span, source)
    for name in ("found", "expected", "example", "hint"):
        yield from _part(name, getattr(diagnostic, name))
    for words, span in diagnostic.related:
        yield f"{_where(span)}: note: {escaped(words)}"
        yield from _excerpt(span, source)


def _where(span: Span) -> str:
    return f"{escaped(span.file)}:{span.line}:{span.column}"


def _part(name: str, text: str | None) -> Iterator[str]:
    """`   found: ...`; further lines are indented below the first."""
    if text is None:
        return
    first, *further = text.split("\n")
    yield f"  {name + ':':<9} {escaped(first)}".rstrip()
    for line in further:
        yield f"{'':12}{escaped(line)}".rstrip()


def _excerpt(span: Span | None, source: Source | None) -> Iterator[str]:
    """The source line and the carets below it; a long line is cut around them."""
    if span is None or source is None or (source.file and source.file != span.file):
        return
    line = source.line(span.line)
    begin = min(span.column - 1, len(line))
    end = min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line)
    left, right = _window(len(line), begin)
    cells = [_cell(character, before) for before, character in _pairs(line[left:right])]
    ellipses = ("…" if left else "", "…" if right < len(line) else "")
    yield f"{span.line:>5} | {ellipses[0]}{''.join(text for text, _ in cells)}{ellipses[1]}".rstrip()
    before = sum(width for _, width in cells[: begin - left]) + len(ellipses[0])
    under = sum(width for _, width in cells[begin - left : max(end, begin) - left])
    yield f"{'':5} | {'':{before}}^{'~' * (under - 1)}"


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    """Each character with the one before it."""
    return zip(" " + line, line, strict=False)


def _cell(character: str, before: str) -> tuple[str, int]:
    """A character as it is shown, and how many columns it takes."""
    if character == "\t":
        return " " * _TAB, _TAB
    text = escaped(character)
    if text != character:
        return text, len(text)
    return text, _width(character, before)


def _width(character: str, before: str) -> int:
    """The columns of a character in a terminal: two for wide ones, none for marks and for what a joiner joins."""
    if character == _EMOJI_SIGN:
        return 1 if unicodedata.east_asian_width(before) not in ("W", "F") and before.strip() else 0
    joined = before == _JOINER or (
        "\U0001f3fb" <= character <= "\U0001f3ff" and unicodedata.east_asian_width(before) == "W"
    )
    if joined or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _window(length: int, begin: int) -> tuple[int, int]:
    """The part of a line to show: all of it where it is of ordinary length, else what is around the caret."""
    if length <= _WINDOW:
        return 0, length
    left = max(0, min(begin - _WINDOW // 3, length - _WINDOW))
    return left, left + _WINDOW


def _count(diagnostics: Sequence[Diagnostic]) -> str:
    """`2 errors, 1 warning`."""
    counts = [(severity.value, sum(d.severity is severity for d in diagnostics)) for severity in Severity]
    words = [f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts if count]
    return ", ".join(words) or "no findings"


def to_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """The diagnostics as plain data, in order; lines and columns from 1, in code points, the end excluded."""
    return [
        {
            "code": diagnostic.code,
            "severity": diagnostic.severity.value,
            "message": diagnostic.message,
            **_json_span(diagnostic.span),
            "path": diagnostic.path,
            "found": diagnostic.found,
            "expected": diagnostic.expected,
            "example": diagnostic.example,
            "hint": diagnostic.hint,
            "related": [{"message": words, **_json_span(span)} for words, span in diagnostic.related],
        }
        for diagnostic in in_order(diagnostics)
    ]


def _json_span(span: Span | None) -> dict[str, Any]:
    names = ("file", "line", "column", "end_line", "end_column")
    return {name: getattr(span, name) if span else None for name in names}


def to_sarif(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """The diagnostics as a SARIF 2.1.0 log; columns count code points, as `columnKind` states."""
    codes = list(CODES)
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "unco", "rules": [_rule(code) for code in codes]}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(diagnostic, codes) for diagnostic in in_order(diagnostics)],
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    return {"id": code, "shortDescription": {"text": CODES[code]}}


def _result(diagnostic: Diagnostic, codes: Sequence[str]) -> dict[str, Any]:
    parts = [(name, getattr(diagnostic, name)) for name in ("found", "expected", "example", "hint")]
    lines = [diagnostic.message, *(f"{name}: {text}" for name, text in parts if text is not None)]
    index = {"ruleIndex": codes.index(diagnostic.code)} if diagnostic.code in codes else {}
    related = [{**_location(span), "message": {"text": words}} for words, span in diagnostic.related]
    return {
        "ruleId": diagnostic.code,
        **index,
        "level": diagnostic.severity.value,
        "message": {"text": "\n".join(lines)},
        **({"locations": [_place(diagnostic)]} if diagnostic.span or diagnostic.path else {}),
        **({"relatedLocations": related} if related else {}),
    }


def _place(diagnostic: Diagnostic) -> dict[str, Any]:
    physical = _location(diagnostic.span) if diagnostic.span else {}
    logical = {"logicalLocations": [{"fullyQualifiedName": diagnostic.path}]} if diagnostic.path else {}
    return {**physical, **logical}


def _location(span: Span) -> dict[str, Any]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.file)}, "region": region}}


def _uri(file: str) -> str:
    """A relative reference for a relative path, a `file:` address for an absolute one."""
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), safe="/")
