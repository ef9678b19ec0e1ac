"""Where output goes: results to standard output, findings and progress to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from unco.specs.characters import escaped
from unco.specs.errors import UsageError


def say(text: str = "") -> None:
    """A result for a person. What cannot be shown is written as its code."""
    print(_shown(text))


def tell(text: str) -> None:
    """A finding, on standard error."""
    print(_shown(text), file=sys.stderr, flush=True)


def print_json(data: Any) -> None:
    """The one JSON document of a command, in ASCII, so that any terminal and any program takes it."""
    print(json.dumps(data, indent=2))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns of text, aligned; those that hold only numbers to the right."""
    lines = [tuple(head), *(tuple(row) for row in rows)]
    columns = list(zip(*lines, strict=True))
    widths = [max(map(len, column)) for column in columns]
    right = [all(cell.replace(",", "").isdigit() or cell in ("", "-") for cell in column[1:]) for column in columns]
    texts = [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    ]
    return "\n".join([texts[0], "  ".join("-" * width for width in widths), *texts[1:]])


def counted(many: int, noun: str) -> str:
    """`1 group`, `2 groups`."""
    return f"{many:,} {noun}" + ("" if many == 1 else "s")


def write_new(path: Path, text: str) -> None:
    """Write a file that does not exist yet; UsageError where it does or where it cannot be made."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{path} exists; unco does not overwrite it: choose another name") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None


def flush() -> None:
    """Write out what was said, so that a full disk or a closed pipe shows now."""
    sys.stdout.flush()


def silence() -> None:
    """Send what is still to be said to nowhere: nobody reads it."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _shown(text: str) -> str:
    return "\n".join(escaped(line) for line in text.split("\n"))
