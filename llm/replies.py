"""The store of requests and replies: one SQLite file of a run, whatever ends the process.

A call is noted down before it is made, and its outcome is committed before it is reported (write-ahead log, synchronous
NORMAL). A killed process loses what was under way; those calls stay noted, and count at the most they can have cost.
A reply of no use is kept as it came: it counts as an attempt at its request, and is never given as an answer.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from unco.llm.accounts import summed
from unco.llm.budget import Account, Price
from unco.llm.protocol import OF_REPLY, Fault, Kind, Outcome, Reply, Request, Usage
from unco.llm.reading import parse
from unco.llm.store_file import APPLICATION, FORMAT, SCHEMA, damaged, disk, require_ours


class _Kept(NamedTuple):
    """What is kept of an outcome."""

    code: str
    """Of a fault; empty for a good reply."""
    detail: str
    text: str
    finish: str
    model: str
    prompt: int | None
    completion: int | None
    milliseconds: int
    way: str

    @classmethod
    def of(cls, outcome: Outcome) -> _Kept:
        code, detail = (outcome.code, outcome.detail) if isinstance(outcome, Fault) else ("", "")
        prompt, completion = (None, None) if (used := outcome.usage) is None else (used.prompt, used.completion)
        said = (outcome.text, outcome.finish, outcome.model)
        return cls(code, detail, *said, prompt, completion, outcome.milliseconds, outcome.way)

    @property
    def usage(self) -> Usage | None:
        return None if self.prompt is None or self.completion is None else Usage(self.prompt, self.completion)

    def digest(self, request: Request) -> str:
        return hashlib.sha256(json.dumps((request.key, *self), default=repr).encode()).hexdigest()


KEPT = ", ".join(_Kept._fields)
END = f"UPDATE attempts SET ({KEPT}, digest) = ({', '.join('?' * len(_Kept._fields))}, ?) WHERE number = ?"
ANSWERED = f"""SELECT number, digest, {KEPT} FROM attempts
    WHERE key = ? AND code IN ('', {", ".join(f"'{kind}'" for kind in sorted(OF_REPLY))}) ORDER BY code <> '', number"""
"""The attempts at a request that the LLM answered, a good one first."""
WAYS = """SELECT schema, way, code FROM attempts WHERE number IN (
    SELECT max(number) FROM attempts WHERE llm = ? AND way <> '' AND code IN ('', 'UNC811', 'UNC812')
    GROUP BY schema, code = '') ORDER BY code = ''"""
"""Of each schema the last attempt that did not keep to it, and then the last that did."""
ALIKE = """SELECT EXISTS (SELECT 1 FROM attempts JOIN requests USING (key) WHERE llm = ? AND code = '' AND
    json_extract(request, '$.temperature', '$.max_tokens', '$.extra') =
    json_extract(?, '$.temperature', '$.max_tokens', '$.extra'))"""
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
        for number, kept in self._answered(request)[:1]:
            if kept.code:
                return None
            parsed = parse(kept.text, request.schema, fenced=True)
            if isinstance(parsed, Fault):
                damaged(self._path, f"attempt {number} is no reply: {parsed.detail}")
            usage, finish, model = kept.usage, kept.finish, kept.model
            return Reply(parsed.content, kept.text, usage, finish, model, kept.milliseconds, kept.way)
        return None

    def useless(self, request: Request) -> list[Fault]:
        """The replies that were of no use, in order; none where a good one is stored. Raises as `reply` does."""
        found = [kept for _, kept in self._answered(request)]
        return [_fault(kept) for kept in found if all(each.code for each in found)]

    def _answered(self, request: Request) -> list[tuple[int, _Kept]]:
        """What the LLM answered, a good reply first."""
        with disk(self._path):
            rows = self._connection.execute(ANSWERED, (request.key,)).fetchall()
        found = [(number, digest, _Kept(*kept)) for number, digest, *kept in rows]
        for number, digest, kept in found:
            if digest != kept.digest(request):
                damaged(self._path, f"attempt {number} is not as it was written")
        return [(number, kept) for number, _, kept in found]

    def answered_alike(self, request: Request) -> bool:
        """Whether this LLM gave a good reply to any request that was drawn in the same way."""
        with disk(self._path):
            found = self._connection.execute(ALIKE, (request.sampling.model, request.text)).fetchone()
        return bool(found[0])

    def ways(self, llm: str) -> dict[str, tuple[str, bool]]:
        """Of each schema how this LLM was asked for its objects at last, and whether it kept to it."""
        with disk(self._path):
            return {schema: (way, not code) for schema, way, code in self._connection.execute(WAYS, (llm,))}

    def begin(self, request: Request, purpose: Purpose, price: Price, most: Usage) -> int:
        """Note down a call that is about to be made; its number."""
        asked = (request.key, purpose.phase, purpose.task, request.sampling.model, request.schema.name)
        row = (*asked, str(price.prompt), str(price.completion), price.currency, most.prompt, most.completion)
        with disk(self._path), self._transaction():
            self._connection.execute("INSERT OR IGNORE INTO requests VALUES (?, ?)", (request.key, request.text))
            marks = ", ".join("?" * len(row))
            added = self._connection.execute(
                "INSERT INTO attempts (key, phase, task, llm, schema, prompt_price, completion_price, currency,"
                f" most_prompt, most_completion) VALUES ({marks})",
                row,
            )
        number = added.lastrowid
        assert number is not None
        return number

    def end(self, number: int, request: Request, outcome: Outcome) -> None:
        """Keep what came of a call; it is kept when this returns."""
        kept = _Kept.of(outcome)
        with disk(self._path), self._transaction():
            self._connection.execute(END, (*kept, kept.digest(request), number))

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


def _fault(kept: _Kept) -> Fault:
    told = (Kind(kept.code), kept.detail, kept.text, kept.usage, kept.finish, kept.model)
    return Fault(*told, milliseconds=kept.milliseconds, way=kept.way)
