"""A specification file as located plain data: every scalar is its text, every value and key has a place."""

from __future__ import annotations

import os
import re
import stat
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path

from unco.specs.align import offsets
from unco.specs.characters import code_point, unshowable
from unco.specs.document import Specification
from unco.specs.errors import Diagnostic, Span, SpecificationError
from unco.specs.events import Problem
from unco.specs.json_events import json_events
from unco.specs.located import MAXIMUM_PROBLEMS, Data, FieldPath, Place, located
from unco.specs.write import to_yaml
from unco.specs.yaml_events import yaml_events

MAXIMUM_BYTES = 1_000_000
SPECIFICATION = "a specification"
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Source:
    """The text of a file, the data that it holds, and where each part of the data stands."""

    file: str
    text: str = field(repr=False)
    data: Data = field(default=None, repr=False)
    places: Mapping[FieldPath, Place] = field(default_factory=dict, repr=False)

    @classmethod
    def from_specification(cls, specification: Specification) -> Source:
        """The source of a specification that Python code made: its own YAML text, under the name `<name>`."""
        return parse_source(to_yaml(specification), f"<{specification.name}>")

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """The offset of each line."""
        return (0, *(match.end() for match in _LINE_END.finditer(self.text)))

    @cached_property
    def _offsets(self) -> dict[FieldPath, list[tuple[int, int]] | None]:
        """Where the characters of the text values stand that were looked into so far."""
        return {}

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end; empty where there is none."""
        if not 1 <= number <= len(self._starts):
            return ""
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end].rstrip("\r\n")

    def span_of(self, start: int, end: int) -> Span:
        """The span between two offsets of the text."""
        line, column = self._point(start)
        end_line, end_column = self._point(max(start, end))
        return Span(self.file, line, column, end_line, end_column)

    def _point(self, offset: int) -> tuple[int, int]:
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def _place(self, path: FieldPath) -> Place:
        """The place of a value, or of the nearest that encloses it."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path) or Place(0, 0, 0, 0)

    def span(self, path: FieldPath) -> Span:
        """Where the value stands; the nearest enclosing one, where there is none at this path."""
        place = self._place(path)
        return self.span_of(place.start, place.end)

    def key_span(self, path: FieldPath) -> Span:
        """Where the key of the value stands; the value itself in a list; the first key for the whole file."""
        place = self._place(path)
        if path and not (place.key_start == 0 == place.key_end):
            return self.span_of(place.key_start, place.key_end)
        return self._first_line()

    def _first_line(self) -> Span:
        """The first line that holds more than blanks and a comment."""
        for number, start in enumerate(self._starts, 1):
            bare = self.line(number).strip()
            if bare and not bare.startswith("#"):
                begin = self.text.index(bare, start)
                return self.span_of(begin, begin + len(bare))
        return self.span_of(0, 0)

    def locate(self, path: FieldPath, start: int, end: int) -> Span:
        """Where the characters `start` to `end` (excluded) of a text value stand; the whole value where unclear."""
        value, place = self.value(path), self._place(path)
        if not isinstance(value, str) or place.style is None:
            return self.span(path)
        if path not in self._offsets:
            self._offsets[path] = offsets(value, self.text[place.start : place.end], place.style)
        known = self._offsets[path]
        if not known:
            return self.span(path)
        begin = known[start][0] if start < len(known) else known[-1][1]
        last = known[min(end, len(known)) - 1][1] if end > start else begin
        return self.span_of(place.start + begin, place.start + last)

    def value(self, path: FieldPath) -> Data:
        """The value at a path; None where there is none."""
        data = self.data
        for step in path:
            data = _part(data, step)
        return data

    def error(self, *diagnostics: Diagnostic) -> SpecificationError:
        """The error that these findings in this source make."""
        return SpecificationError(diagnostics, self.text)


def _part(data: Data, step: str | int) -> Data:
    match data, step:
        case dict(), str():
            return data.get(step)
        case list(), int():
            return data[step] if 0 <= step < len(data) else None
        case _:
            return None


def path_text(path: FieldPath) -> str:
    """A path as an author reads it: `attributes.clearance.range[0]`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")


def read_source(path: str | os.PathLike[str], expected: str = SPECIFICATION) -> Source:
    """The located data of a YAML or JSON file; `expected` tells what it should hold, where it is empty.

    Raises SpecificationError with UNC101 to UNC106, UNC109 or UNC112: as many findings as can be had in one run.
    """
    return parse_source(_read_bytes(path), os.fspath(path), expected)


def parse_source(text: str | bytes, file: str = "<text>", expected: str = SPECIFICATION) -> Source:
    """The located data of a YAML or JSON text; JSON where `file` says so, or where it says nothing and `{` begins."""
    if len(text) > MAXIMUM_BYTES:
        raise SpecificationError([_too_large(file, len(text))])
    decoded = text if isinstance(text, str) else _decoded(text, file)
    bare = Source(file, decoded)
    _check_characters(bare)
    found = located((json_events if _is_json(file, decoded) else yaml_events)(decoded))
    if found.problems:
        raise bare.error(*(_diagnostic(problem, bare) for problem in found.problems))
    if not found.places:
        message = "the file is empty"
        raise bare.error(Diagnostic("UNC103", message, bare.span_of(0, 0), expected=expected))
    return Source(file, decoded, found.data, found.places)


def _is_json(file: str, text: str) -> bool:
    suffix = Path(file).suffix.lower()
    return suffix == ".json" or (suffix not in (".yaml", ".yml") and text.lstrip()[:1] == "{")


def _diagnostic(problem: Problem, source: Source) -> Diagnostic:
    related: tuple[tuple[str, Span], ...] = ()
    if problem.related is not None:
        words, start, end = problem.related
        related = ((words, source.span_of(start, end)),)
    return Diagnostic(
        problem.code,
        problem.message,
        source.span_of(problem.start, problem.end),
        found=problem.found,
        expected=problem.expected,
        hint=problem.hint,
        related=related,
    )


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a regular file of bounded size; the size is known before anything is read."""
    file = os.fspath(path)
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            found = "a directory" if stat.S_ISDIR(status.st_mode) else "something else than a file"
            raise SpecificationError([_unreadable(file, found)])
        if status.st_size > MAXIMUM_BYTES:
            raise SpecificationError([_too_large(file, status.st_size)])
        with open(path, "rb") as opened:
            return opened.read(MAXIMUM_BYTES + 1)
    except FileNotFoundError:
        raise SpecificationError([_unreadable(file, "no such file")]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SpecificationError([_unreadable(file, reason.lower())]) from None


def _unreadable(file: str, found: str) -> Diagnostic:
    return Diagnostic("UNC101", f"the file `{file}` cannot be read", None, "", found, "a YAML or JSON file")


def _too_large(file: str, size: int) -> Diagnostic:
    expected = f"at most {MAXIMUM_BYTES:,} bytes"
    return Diagnostic("UNC106", f"the file `{file}` is too large", None, "", f"{size:,} bytes", expected)


def _decoded(data: bytes, file: str) -> str:
    """The bytes as UTF-8 text."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = len(data[: error.start].decode("utf-8"))
        source = Source(file, data.decode("utf-8", errors="replace"))
        utf_16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        diagnostic = Diagnostic(
            "UNC102",
            "the file is not valid UTF-8 text",
            source.span_of(place, place + 1),
            found="UTF-16 text" if utf_16 else f"the byte 0x{data[error.start]:02X}",
            expected="UTF-8 text",
            hint="save the file as UTF-8",
        )
        raise source.error(diagnostic) from None


def _check_characters(source: Source) -> None:
    """Refuses what cannot be seen or turns the text around it, in comments too."""
    places = islice(unshowable(source.text), MAXIMUM_PROBLEMS)
    findings = [_unshowable(source, place) for place in places]
    if findings:
        raise source.error(*findings)


def _unshowable(source: Source, place: int) -> Diagnostic:
    mark = place == 0 and source.text[0] == "\ufeff"
    return Diagnostic(
        "UNC112",
        "the file holds a character that cannot be shown",
        source.span_of(place, place + 1),
        found=code_point(source.text[place]),
        hint="save the file as UTF-8 without a byte order mark" if mark else "remove it",
    )
