"""The store of requests and replies: one SQLite file of a run, whatever ends the process.

A call is noted down before it is made, and its outcome is committed before it is reported (write-ahead log, synchronous
NORMAL). A killed process loses what was under way; those calls stay noted, and count at the most they can have cost.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from unco.llm.accounts import summed
from unco.llm.budget import Account, Price
from unco.llm.protocol import Fault, Outcome, Reply, Request, Usage
from unco.llm.reading import parse
from unco.llm.store_file import APPLICATION, FORMAT, SCHEMA, damaged, disk, require_ours

GOOD = "SELECT number, text, finish, model, prompt, completion, milliseconds, digest FROM attempts"
END = """UPDATE attempts SET code = ?, detail = ?, text = ?, finish = ?, model = ?, prompt = ?, completion = ?,
    milliseconds = ?, digest = ? WHERE number = ?"""
REPEATS = "UPDATE attempts SET repeats = 1 WHERE key = ? AND code = '' AND NOT repeats"


@dataclass(frozen=True)
class Purpose:
    """For what an LLM is asked: the phase, and the task in it, as `draft` and `drafter`. It is no part of a key."""

    phase: str
    task: str


class Replies:
    """An open store. It belongs to the thread that uses it first."""

    def __init__(self, path: Path) -> None:
        """Open the store, made if need be. Raises InfrastructureError, SpecificationError (UNC704)."""
        self._path = path
        with disk(self._path):
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            try:
                self._begin()
            except BaseException:
                self._connection.close()
                raise

    def _begin(self) -> None:
        if not self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            self._connection.execute("PRAGMA journal_mode = WAL")
            with self._transaction():
                for statement in SCHEMA.split(";"):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
                self._connection.execute(f"PRAGMA user_version = {FORMAT}")
        require_ours(self._connection, self._path)
        self._connection.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        self._connection.close()

    def reply(self, request: Request) -> Reply | None:
        """The stored reply, checked as if it came now. SpecificationError (UNC704) where it is not as it was stored."""
        with disk(self._path):
            row = self._connection.execute(f"{GOOD} WHERE key = ? AND code = '' LIMIT 1", (request.key,)).fetchone()
        if row is None:
            return None
        number, text, finish, model, prompt, completion, milliseconds, digest = row
        if digest != _digest(request.key, text, finish, model, prompt, completion, milliseconds):
            damaged(self._path, f"attempt {number} is not as it was written")
        parsed = parse(text, request.schema, fenced=True)
        if isinstance(parsed, Fault):
            damaged(self._path, f"attempt {number} is no reply: {parsed.detail}")
        usage = None if prompt is None else Usage(prompt, completion)
        return Reply(parsed.content, text, usage, finish, model, milliseconds)

    def begin(self, request: Request, purpose: Purpose, price: Price, most: Usage) -> int:
        """Note down a call that is about to be made; its number."""
        prices = (str(price.prompt), str(price.completion), price.currency)
        row = (request.key, purpose.phase, purpose.task, request.sampling.model, *prices, most.prompt, most.completion)
        with disk(self._path), self._transaction():
            self._connection.execute("INSERT OR IGNORE INTO requests VALUES (?, ?)", (request.key, request.text))
            marks = ", ".join("?" * len(row))
            added = self._connection.execute(
                "INSERT INTO attempts (key, phase, task, llm, prompt_price, completion_price, currency,"
                f" most_prompt, most_completion) VALUES ({marks})",
                row,
            )
        number = added.lastrowid
        assert number is not None
        return number

    def end(self, number: int, request: Request, outcome: Outcome) -> None:
        """Keep what came of a call; it is kept when this returns."""
        code, detail = (outcome.code, outcome.detail) if isinstance(outcome, Fault) else ("", "")
        usage = (None, None) if outcome.usage is None else (outcome.usage.prompt, outcome.usage.completion)
        kept = (outcome.text, outcome.finish, outcome.model, *usage, outcome.milliseconds)
        with disk(self._path), self._transaction():
            self._connection.execute(END, (code, detail, *kept, _digest(request.key, *kept), number))

    def repeats(self, request: Request) -> None:
        """Note that the reply equals an earlier one, however often that is found."""
        with disk(self._path), self._transaction():
            self._connection.execute(REPEATS, (request.key,))

    def accounts(self) -> list[Account]:
        """What each LLM did for each task of each phase, sorted."""
        with disk(self._path):
            return summed(self._connection)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise


def _digest(*parts: str | int | None) -> str:
    return hashlib.sha256(json.dumps(parts, default=repr).encode()).hexdigest()
