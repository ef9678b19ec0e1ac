"""The run store: one SQLite file in the run folder. What is committed survives anything; one build runs at a time."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from unco.specs.errors import Diagnostic, InfrastructureError, SpecificationError, UsageError

FILE = "run.sqlite"
LOCK = "run.lock"
_SCHEMA = """
create table if not exists run (identity text not null);
create table if not exists chunks (family text, start integer, primary key (family, start));
create table if not exists outcomes (
    family text, number integer, retained integer not null, record text not null, primary key (family, number)
);
"""


@dataclass(frozen=True)
class Stored:
    """The outcome of one candidate group: its index, whether it was retained, and its record as JSON text."""

    index: int
    retained: bool
    record: str


class Store:
    """The outcomes of a run, chunk by chunk. Use `opened`."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection

    def chunks(self, family: str) -> frozenset[int]:
        """The first indices of the chunks of a family that are committed."""
        rows = self._connection.execute("select start from chunks where family = ?", (family,))
        return frozenset(start for (start,) in rows)

    def commit(self, family: str, start: int, outcomes: Sequence[Stored]) -> None:
        """Commit all outcomes of a chunk, or none; raises InfrastructureError where the disk does not take them."""
        rows = [(family, each.index, int(each.retained), each.record) for each in outcomes]
        with _machine_faults(self.folder), self._connection:
            self._connection.executemany("insert into outcomes values (?, ?, ?, ?)", rows)
            self._connection.execute("insert into chunks values (?, ?)", (family, start))

    def outcomes(self, family: str) -> Iterator[Stored]:
        """The committed outcomes of a family, by index."""
        rows = self._connection.execute(
            "select number, retained, record from outcomes where family = ? order by number", (family,)
        )
        return (Stored(number, bool(retained), record) for number, retained, record in rows)

    def retained(self, family: str) -> int:
        """How many groups of a family are retained so far."""
        row = self._connection.execute("select sum(retained) from outcomes where family = ?", (family,)).fetchone()
        return int(row[0] or 0)


@contextmanager
def opened(folder: Path, identity: str) -> Iterator[Store]:
    """The store of a run folder, made where there is none.

    `identity` says what is built: a folder of another identity, or one that holds something else, is refused
    (UsageError), as is one in which a build runs. A damaged store raises SpecificationError (UNC704), a full disk or a
    folder that cannot be written InfrastructureError.
    """
    with _machine_faults(folder):
        _require_run_folder(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            connection = _connected(folder / FILE)
            try:
                _require_identity(folder, connection, identity)
                yield Store(folder, connection)
            finally:
                connection.close()


def _require_run_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; choose another with --out")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / FILE).exists():
        raise UsageError(f"{folder} is neither empty nor the folder of a build; choose another with --out")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"another build is running in {folder}; wait for it, or choose another with --out"
            ) from None
        yield
    finally:
        os.close(descriptor)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    try:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.executescript(_SCHEMA)
        (state,) = connection.execute("pragma quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        connection.close()
        if _is_machine_fault(error):
            raise
        raise _damaged(path, str(error)) from error
    if state != "ok":
        connection.close()
        raise _damaged(path, str(state))
    return connection


def _damaged(path: Path, found: str) -> SpecificationError:
    hint = "keep it for a look, and build again into another folder: the same command gives the same groups"
    return SpecificationError([Diagnostic("UNC704", f"the run store {path} is damaged", found=found, hint=hint)])


def _require_identity(folder: Path, connection: sqlite3.Connection, identity: str) -> None:
    with connection:
        rows = connection.execute("select identity from run").fetchall()
        if not rows:
            connection.execute("insert into run values (?)", (identity,))
    if rows and rows[0][0] != identity:
        raise UsageError(
            f"{folder} holds another build: the specifications, the options or the version of unco differ; "
            "choose another folder with --out"
        )


@contextmanager
def _machine_faults(folder: Path) -> Iterator[None]:
    """What the disk refuses, as an InfrastructureError that says what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise InfrastructureError(f"{folder}: {error}; what is done is kept: run the command again") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise InfrastructureError(f"{folder} cannot be written: {reason}; run the command again") from error


def _is_machine_fault(error: sqlite3.DatabaseError) -> bool:
    return isinstance(error, sqlite3.OperationalError) and "malformed" not in str(error)
