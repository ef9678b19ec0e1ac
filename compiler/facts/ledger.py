"""ledger: which chunk files of a facts dataset are finished, in the store of the run."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field

from unco.compiler.facts.chunk import CHUNK
from unco.compiler.running.disk import damaged, disk
from unco.compiler.store import Store

SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (family INTEGER, start INTEGER, size INTEGER NOT NULL, retained INTEGER NOT NULL,
    counts TEXT NOT NULL, example TEXT NOT NULL, sha256 TEXT NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (family, start)) WITHOUT ROWID
"""


@dataclass(frozen=True)
class Entry:
    """A finished chunk file: how many indices it has, how many are retained, what they come to, and its hash."""

    start: int
    size: int
    retained: int
    counts: Mapping[str, int] = field(hash=False)
    example: str
    sha256: str

    @property
    def is_whole(self) -> bool:
        """Whether it has every index of its chunk, so that a larger dataset has the same file."""
        return self.size == CHUNK


class Ledger:
    """The finished chunks of a run. An entry is kept once its file is on the disk."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def entries(self, family: int) -> list[Entry]:
        """The entries of a family, in order; SpecificationError (UNC704) where one is not as it was written."""
        found = []
        with disk(self.store.path), closing(self.store.connection.cursor()) as cursor:
            if not cursor.execute("SELECT count(*) FROM sqlite_master WHERE name = 'facts'").fetchone()[0]:
                return []
            rows = cursor.execute("SELECT * FROM facts WHERE family = ? ORDER BY start", (family,)).fetchall()
        for _, *values, digest in rows:
            if digest != self._digest(family, values):
                damaged(self.store.path, f"the entry of family {family} at {values[0]} is not as it was written")
            start, size, retained, counts, example, sha256 = values
            found.append(Entry(start, size, retained, Counter(json.loads(counts)), example, sha256))
        return found

    def add(self, family: int, entry: Entry) -> None:
        """Keep that a file is finished; it is kept when this returns."""
        counts = json.dumps(entry.counts, sort_keys=True)
        values = [entry.start, entry.size, entry.retained, counts, entry.example, entry.sha256]
        with disk(self.store.path):
            self.store.connection.execute(SCHEMA)
            self.store.connection.execute(
                "INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (family, *values, self._digest(family, values)),
            )

    def _digest(self, family: int, values: list[object]) -> bytes:
        """The hash of an entry, in the run to which it belongs."""
        return hashlib.sha256(json.dumps([self.store.head.identity, family, values]).encode()).digest()
