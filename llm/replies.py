"""The store of requests and replies: one SQLite file of a run, whatever ends the process.

A call is noted down before it is made, and its outcome is committed before it is reported (write-ahead log, synchronous
NORMAL). A killed process loses what was under way; those calls stay noted, and count at the most they can have cost.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NoReturn

from unco.llm.budget import Account, Price
from unco.llm.protocol import Fault, Outcome, Reply, Request, Usage
from unco.llm.reading import parse
from unco.specs.errors import Diagnostic, InfrastructureError, SpecificationError

FILE = "replies.sqlite"
APPLICATION, FORMAT = 0x756E6C6D, 1
"""`unlm` in ASCII marks the file as ours."""
SCHEMA = """
CREATE TABLE requests (key TEXT PRIMARY KEY, request TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE attempts (number INTEGER PRIMARY KEY, key TEXT NOT NULL, phase TEXT NOT NULL, task TEXT NOT NULL,
    llm TEXT NOT NULL, prompt_price TEXT NOT NULL, completion_price TEXT NOT NULL, currency TEXT NOT NULL,
    most_prompt INTEGER NOT NULL, most_completion INTEGER NOT NULL, code TEXT, detail TEXT, text TEXT, finish TEXT,
    model TEXT, prompt INTEGER, completion INTEGER, milliseconds INTEGER, digest TEXT);
CREATE INDEX good ON attempts (key) WHERE code = '';
"""
GOOD = "SELECT number, text, finish, model, prompt, completion, milliseconds, digest FROM attempts"
END = """UPDATE attempts SET code = ?, detail = ?, text = ?, finish = ?, model = ?, prompt = ?, completion = ?,
    milliseconds = ?, digest = ? WHERE number = ?"""
SUMS = """
SELECT phase, task, llm, currency, prompt_price, completion_price, count(*), sum(prompt IS NULL),
    sum(coalesce(prompt, most_prompt)), sum(coalesce(completion, most_completion)), sum(coalesce(milliseconds, 0))
FROM attempts GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
"""
REQUESTS = "SELECT phase, task, llm, currency, count(DISTINCT key) FROM attempts GROUP BY 1, 2, 3, 4"
FAULTS = "SELECT phase, task, llm, currency, code, count(*) FROM attempts WHERE code <> '' GROUP BY 1, 2, 3, 4, 5"
MACHINE = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_NOMEM")
IN_USE = ("SQLITE_BUSY", "SQLITE_LOCKED")


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
        with self._disk():
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
        marks = [
            self._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        ]
        if marks != [APPLICATION, FORMAT]:
            self._damaged("a file that is no store of replies, or one of another version")
        self._connection.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        self._connection.close()

    def reply(self, request: Request) -> Reply | None:
        """The stored reply, checked as if it came now. SpecificationError (UNC704) where it is not as it was stored."""
        with self._disk():
            row = self._connection.execute(f"{GOOD} WHERE key = ? AND code = '' LIMIT 1", (request.key,)).fetchone()
        if row is None:
            return None
        number, text, finish, model, prompt, completion, milliseconds, digest = row
        if digest != _digest(request.key, text, finish, model, prompt, completion, milliseconds):
            self._damaged(f"attempt {number} is not as it was written")
        parsed = parse(text, request.schema, fenced=True)
        if isinstance(parsed, Fault):
            self._damaged(f"attempt {number} is no reply: {parsed.detail}")
        usage = None if prompt is None else Usage(prompt, completion)
        return Reply(parsed.content, text, usage, finish, model, milliseconds)

    def begin(self, request: Request, purpose: Purpose, price: Price, most: Usage) -> int:
        """Note down a call that is about to be made; its number."""
        prices = (str(price.prompt), str(price.completion), price.currency)
        row = (request.key, purpose.phase, purpose.task, request.sampling.model, *prices, most.prompt, most.completion)
        with self._disk(), self._transaction():
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
        with self._disk(), self._transaction():
            self._connection.execute(END, (code, detail, *kept, _digest(request.key, *kept), number))

    def accounts(self) -> list[Account]:
        """What each LLM did for each task of each phase, sorted."""
        with self._disk():
            sums = self._connection.execute(SUMS).fetchall()
            requests = {tuple(row[:4]): row[4] for row in self._connection.execute(REQUESTS)}
            faults: dict[tuple[str, ...], Counter[str]] = {}
            for *name, code, count in self._connection.execute(FAULTS):
                faults.setdefault(tuple(name), Counter())[code] = count
        found: dict[tuple[str, ...], Account] = {}
        for phase, task, llm, currency, prompt_price, completion_price, calls, unknown, *used, milliseconds in sums:
            name = (phase, task, llm, currency)
            usage = Usage(*used)
            money = Price(Decimal(prompt_price), Decimal(completion_price), currency).of(usage)
            before = found.get(
                name, Account(*name, requests[name], 0, 0, Usage(), Fraction(0), 0, faults.get(name, {}))
            )
            found[name] = Account(
                *name,
                before.requests,
                before.calls + calls,
                before.unknown + unknown,
                Usage(before.usage.prompt + usage.prompt, before.usage.completion + usage.completion),
                before.money + money,
                before.milliseconds + milliseconds,
                before.faults,
            )
        return list(found.values())

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

    @contextmanager
    def _disk(self) -> Iterator[None]:
        """Name what fails: the disk is an InfrastructureError, a store that cannot be read SpecificationError."""
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            if name.startswith((*MACHINE, *IN_USE)):
                words = " is in use by another program" if name.startswith(IN_USE) else ""
                raise InfrastructureError(f"{self._path}{words}: {error}") from error
            self._damaged(str(error))

    def _damaged(self, found: str) -> NoReturn:
        raise SpecificationError(
            [
                Diagnostic(
                    "UNC704",
                    f"the store of the replies of LLMs is damaged: {self._path}",
                    found=found,
                    expected="what unco wrote there",
                    hint="nothing was changed; restore the file, or remove it and pay for its replies again",
                )
            ]
        )


def _digest(*parts: str | int | None) -> str:
    return hashlib.sha256(json.dumps(parts, default=repr).encode()).hexdigest()
