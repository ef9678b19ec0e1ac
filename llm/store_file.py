"""The file that the replies of a run stand in: its form, its mark, and what its faults are called."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from unco.specs.errors import Diagnostic, InfrastructureError, SpecificationError

FILE = "replies.sqlite"
APPLICATION, FORMAT = 0x756E6C6D, 3
"""`unlm` in ASCII marks the file as ours."""
SCHEMA = """
CREATE TABLE requests (key TEXT PRIMARY KEY, request TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE attempts (number INTEGER PRIMARY KEY, key TEXT NOT NULL, phase TEXT NOT NULL, task TEXT NOT NULL,
    llm TEXT NOT NULL, schema TEXT NOT NULL, prompt_price TEXT NOT NULL, completion_price TEXT NOT NULL,
    currency TEXT NOT NULL, most_prompt INTEGER NOT NULL, most_completion INTEGER NOT NULL, code TEXT, detail TEXT,
    text TEXT, finish TEXT, model TEXT, prompt INTEGER, completion INTEGER, milliseconds INTEGER, way TEXT, digest TEXT,
    repeats INTEGER NOT NULL DEFAULT 0);
CREATE INDEX by_key ON attempts (key);
"""
MACHINE = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_NOMEM")
IN_USE = ("SQLITE_BUSY", "SQLITE_LOCKED")


def require_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Raise SpecificationError (UNC704) where the file is of another program or version."""
    marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    if marks != [APPLICATION, FORMAT]:
        damaged(path, "a file that is no store of replies, or one of another version")


@contextmanager
def disk(path: Path) -> Iterator[None]:
    """Name what fails: the disk is an InfrastructureError, a store that cannot be read SpecificationError (UNC704)."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith((*MACHINE, *IN_USE)):
            words = " is in use by another program" if name.startswith(IN_USE) else ""
            raise InfrastructureError(f"{path}{words}: {error}") from error
        damaged(path, str(error))


def damaged(path: Path, found: str) -> NoReturn:
    """Raise what a store that does not read back is called."""
    raise SpecificationError(
        [
            Diagnostic(
                "UNC704",
                f"the store of the replies of LLMs is damaged: {path}",
                found=found,
                expected="what unco wrote there",
                hint="nothing was changed; restore the file, or remove it and pay for its replies again",
            )
        ]
    )
