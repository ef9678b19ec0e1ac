"""The text of an author from which specifications are drafted: plain text or Markdown of a bounded size."""

from __future__ import annotations

import stat
from pathlib import Path

from unco.specs.characters import code_point, unshowable
from unco.specs.errors import Diagnostic, Span, SpecificationError

MAXIMUM_BYTES = 60_000


def read_brief(path: Path) -> str:
    """The text of the file. Raises SpecificationError (UNC101, UNC102, UNC103, UNC106, UNC112)."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _error("UNC101", path, "something else than a file", "a text")
        if status.st_size > MAXIMUM_BYTES:
            raise _error("UNC106", path, f"{status.st_size:,} bytes", f"at most {MAXIMUM_BYTES:,} bytes")
        with path.open("rb") as file:
            text = file.read(MAXIMUM_BYTES + 1).decode("utf-8-sig").replace("\r\n", "\n").strip()
    except UnicodeDecodeError as error:
        raise _error("UNC102", path, f"the byte 0x{error.object[error.start]:02X}", "UTF-8 text") from None
    except OSError as error:
        raise _error("UNC101", path, (error.strerror or str(error)).lower(), "a text") from None
    if not text:
        raise _error("UNC103", path, "nothing", "a policy or a brief in plain words")
    for place in unshowable(text):
        line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        span = Span(str(path), line, column, line, column + 1)
        raise _error("UNC112", path, code_point(text[place]), "characters that a reader can see", span)
    return text


def _error(code: str, path: Path, found: str, expected: str, span: Span | None = None) -> SpecificationError:
    return SpecificationError([Diagnostic(code, f"the text `{path}` cannot be used", span, "", found, expected)])
