"""The store of a run: one SQLite file that holds every finished chunk, whatever ends the process.

A chunk is committed whole. A killed process loses nothing that was committed. A power cut may lose the last chunks,
which are then made again; it never leaves half of one (write-ahead log, synchronous NORMAL).
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unco.compiler.prove_families import Settled
from unco.compiler.running.disk import APPLICATION, STORE, damaged, disk, holds_only_store, may_only_be_read
from unco.compiler.running.identity import differences
from unco.compiler.running.record import Record, was_drawn
from unco.compiler.running.shares import Standing, chunk_size
from unco.specs.errors import InconsistencyError, UsageError

FORMAT = 4
SCHEMA = """
CREATE TABLE run (identity TEXT NOT NULL, groups INTEGER NOT NULL, manifest TEXT NOT NULL, digest BLOB NOT NULL);
CREATE TABLE families (family INTEGER PRIMARY KEY, settled TEXT NOT NULL, files BLOB NOT NULL, digest BLOB NOT NULL);
CREATE TABLE chunks (family INTEGER, start INTEGER, size INTEGER NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (family, start)) WITHOUT ROWID;
CREATE TABLE outcomes (family INTEGER, number INTEGER, retained INTEGER NOT NULL, record BLOB NOT NULL,
    PRIMARY KEY (family, number));
"""
SHOWN = 80
"""So many characters of an option are told where it differs."""
Row = tuple[int, int, bytes]
"""Of an outcome: its number, whether it is retained, and its lines, compressed."""


@dataclass(frozen=True)
class Head:
    """What the run is: its identity, the most groups that were exported, and the hash of their manifest."""

    identity: str
    groups: int = 0
    manifest: str = ""

    @property
    def digest(self) -> bytes:
        whole = [self.identity, self.groups, self.manifest]
        return hashlib.sha256(json.dumps(whole).encode()).digest()


class Store:
    """An open store. It belongs to the thread that opened it; whoever opens it has claimed the folder."""

    def __init__(self, connection: sqlite3.Connection, path: Path, head: Head) -> None:
        self.connection = connection
        self.path = path
        self.head = head

    def standings(self, families: int) -> list[Standing]:
        """How far each family is. Reads everything: SpecificationError (UNC704) where something is not as it was."""
        found = []
        for family in range(families):
            standing = Standing()
            for start, rows in self._chunks(family):
                standing.start = start + len(rows)
                standing.retained += sum(retained for _, retained, _ in rows)
                standing.drawn = standing.drawn or any(
                    was_drawn(Record(bool(kept), packed)) for _, kept, packed in rows
                )
            found.append(standing)
        return found

    def records(self, family: int) -> Iterator[Record]:
        """Every outcome of a family, in order."""
        for _, rows in self._chunks(family):
            for _, retained, packed in rows:
                yield Record(bool(retained), packed)

    def add(self, family: int, start: int, records: Sequence[Record]) -> None:
        """Keep a chunk, all of it or nothing; it is kept when this returns."""
        rows = [(number, int(each.retained), each.packed) for number, each in enumerate(records, start)]
        with disk(self.path), self._transaction():
            self.connection.execute(
                "INSERT INTO chunks VALUES (?, ?, ?, ?)", (family, start, len(rows), self._digest(family, start, rows))
            )
            self.connection.executemany("INSERT INTO outcomes VALUES (?, ?, ?, ?)", ((family, *row) for row in rows))

    def set_head(self, groups: int, manifest: str) -> None:
        """Keep how many groups are exported, and the hash of their manifest."""
        self._keep(replace(self.head, groups=groups, manifest=manifest))

    def settle(self, family: int, settled: Settled, files: Iterable[tuple[str, str]] = ()) -> None:
        """Keep what the proof of a family settles, and the files that show it; InconsistencyError where the run began
        with another proof.
        """
        before, text = self._family(family), json.dumps(settled)
        if before is None:
            values = (text, zlib.compress(json.dumps(list(files)).encode()))
            with disk(self.path), self._transaction():
                self.connection.execute(
                    "INSERT INTO families VALUES (?, ?, ?, ?)", (family, *values, self._family_digest(family, *values))
                )
        elif before[0] != text:
            raise InconsistencyError(
                f"{self.path}: the run began with another family proof ({json.loads(before[0])['sha256']}) than now "
                f"({settled['sha256']}), of the same specification, budget and versions"
            )

    def settled(self, family: int) -> Settled | None:
        """What the proof of a family settles; None before it is made."""
        row = self._family(family)
        return None if row is None else dict(json.loads(row[0]))

    def files(self, family: int) -> list[tuple[str, str]]:
        """The files that show the proof of a family, path and text."""
        row = self._family(family)
        return [] if row is None else [(name, text) for name, text in json.loads(zlib.decompress(row[1]))]

    def _family(self, family: int) -> tuple[str, bytes] | None:
        """The row of a family, checked: it is what was kept."""
        with disk(self.path):
            row = self.connection.execute(
                "SELECT settled, files, digest FROM families WHERE family = ?", (family,)
            ).fetchone()
        if row is None:
            return None
        settled, files, digest = row
        if not isinstance(files, bytes) or digest != self._family_digest(family, settled, files):
            damaged(self.path, f"the proof of family {family} is not as it was written")
        return settled, files

    def _family_digest(self, family: int, settled: object, files: bytes) -> bytes:
        return hashlib.sha256(f"{self.head.identity}\n{family} {settled}\n".encode() + files).digest()

    def _keep(self, head: Head) -> None:
        with disk(self.path), self._transaction():
            self.connection.execute(
                "UPDATE run SET groups = ?, manifest = ?, digest = ?", (head.groups, head.manifest, head.digest)
            )
        self.head = head

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def _chunks(self, family: int) -> Iterator[tuple[int, list[Row]]]:
        """Every chunk of a family in order, checked: they follow each other, and each is what was kept."""
        with disk(self.path), closing(self.connection.cursor()) as cursor:
            expected = 0
            chunks = cursor.execute("SELECT start, size, digest FROM chunks WHERE family = ? ORDER BY start", (family,))
            for start, size, digest in chunks:
                rows = self._rows(family, expected, chunk_size(expected))
                if (start, size) != (expected, len(rows)) or digest != self._digest(family, expected, rows):
                    damaged(self.path, f"the chunk of family {family} at {expected} is not as it was written")
                yield expected, rows
                expected += len(rows)

    def _rows(self, family: int, start: int, size: int) -> list[Row]:
        return self.connection.execute(
            "SELECT number, retained, record FROM outcomes WHERE family = ? AND number >= ? AND number < ?"
            " ORDER BY number",
            (family, start, start + size),
        ).fetchall()

    def _digest(self, family: int, start: int, rows: Sequence[Sequence[Any]]) -> bytes:
        """The hash of a chunk, in the run to which it belongs."""
        whole = hashlib.sha256(f"{self.head.identity}\n{family} {start} {len(rows)}\n".encode())
        for number, retained, packed in rows:
            if not isinstance(packed, bytes):
                return b""
            whole.update(f"{number} {retained} {len(packed)}\n".encode() + packed)
        return whole.digest()


@contextmanager
def opened(folder: Path, identity: dict[str, Any]) -> Iterator[Store]:
    """The store of a folder, made if need be; to be read alone where nothing can be written.

    Raises UsageError where it belongs to another run, SpecificationError (UNC704) where it is damaged.
    """
    path = folder / STORE
    with disk(path):
        connection = _connection(path)
    with closing(connection):
        with disk(path):
            head = _begun(connection, path, Head(json.dumps(identity)))
        _require_same(head, identity, folder)
        yield Store(connection, path, head)


def _connection(path: Path) -> sqlite3.Connection:
    """Where no file can be made, SQLite is told that nothing changes: then it needs none beside the store."""
    place = f"{path.absolute().as_uri()}{'?mode=ro&immutable=1' if may_only_be_read(path.parent) else ''}"
    return sqlite3.connect(place, uri=True, isolation_level=None, timeout=5.0)


def _begun(connection: sqlite3.Connection, path: Path, head: Head) -> Head:
    """The head of the store; of a store without content, the one that is given, which is kept."""
    empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if empty and holds_only_store(path.parent):
        _make(connection, head)
    elif connection.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
        damaged(path, "a file that is no store of unco, or an empty one")
    elif connection.execute("PRAGMA user_version").fetchone() != (FORMAT,):
        damaged(path, "a store in the format of another version")
    connection.execute("PRAGMA synchronous = NORMAL")
    return _read_head(connection, path)


def _make(connection: sqlite3.Connection, head: Head) -> None:
    """Everything in one transaction: a store is there, or it is empty. The write-ahead log stays with the file."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    for statement in SCHEMA.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("INSERT INTO run VALUES (?, ?, ?, ?)", (*vars(head).values(), head.digest))
    connection.execute("COMMIT")


def _read_head(connection: sqlite3.Connection, path: Path) -> Head:
    rows = connection.execute("SELECT identity, groups, manifest, digest FROM run").fetchall()
    if len(rows) != 1:
        damaged(path, f"{len(rows)} runs in place of one")
    *values, digest = rows[0]
    head = Head(*values)
    if list(map(type, values)) != [str, int, str] or head.digest != digest:
        damaged(path, "the head of the run is not as it was written")
    return head


def _require_same(head: Head, identity: dict[str, Any], folder: Path) -> None:
    """UsageError where the run in the folder is another one, with what differs."""
    found = json.loads(head.identity)
    differing = [
        f"{path}: found {_short(here)}, expected {_short(there)}" for path, here, there in differences(found, identity)
    ]
    if differing:
        raise UsageError(f"{folder} holds another run; choose another folder with --out. {'; '.join(differing)}")


def _short(data: Any) -> str:
    text = json.dumps(data)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
