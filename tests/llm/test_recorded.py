"""What was answered is stored and not asked again; what is no reply is never given again."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from tests.llm.asking import SCHEMA, asked, endpoint, question
from tests.llm.faulty_server import Body, Handler, good, hangs, refuses, says, served, slowly
from unco.llm.budget import Budget, Price
from unco.llm.desk import opened
from unco.llm.endpoint import Patience
from unco.llm.openai import OpenAI
from unco.llm.pace import Pace
from unco.llm.protocol import Fault, LlmError, Message, Outcome, Reply, Request, Sampling, Schema
from unco.llm.recorded import Record, Recorded
from unco.llm.replies import Purpose, Replies
from unco.llm.store_file import FILE, FORMAT
from unco.specs.errors import InfrastructureError, SpecificationError, UsageError

ONE = Patience(attempts=1)
ROOT = Path(__file__).parents[2]


def test_a_reply_is_given_again_as_it_was_and_nothing_is_asked(tmp_path: Path) -> None:
    with served() as server:
        with asked(tmp_path, endpoint(server.url)) as line:
            first = [line.ask(question(text)) for text in ("one", "two")]
            again = [line.ask(question(text)) for text in ("one", "two")]
        with asked(tmp_path, endpoint(server.url)) as line:
            later = [line.ask(question(text)) for text in ("one", "two")]
    assert first == again == later
    assert all(isinstance(outcome, Reply) for outcome in first)
    assert server.questions == ["one", "two"]


def test_the_same_question_is_asked_once_a_repetition(tmp_path: Path) -> None:
    with served() as server, asked(tmp_path, endpoint(server.url)) as line:
        for _ in range(2):
            assert len([line.ask(question(repetition=number)) for number in range(3)]) == 3
    assert len(server.bodies) == 3


CHANGES: list[Callable[[Request], Request]] = [
    lambda request: replace(request, repetition=1),
    lambda request: replace(request, messages=(Message("user", "q "),)),
    lambda request: replace(request, messages=(Message("system", ""), *request.messages)),
    lambda request: replace(request, schema=Schema("other", SCHEMA.text)),
    lambda request: replace(request, schema=Schema(SCHEMA.name, '{"type": "object"}')),
    lambda request: replace(request, sampling=replace(request.sampling, model="large")),
    lambda request: replace(request, sampling=replace(request.sampling, temperature=Decimal(0))),
    lambda request: replace(request, sampling=replace(request.sampling, temperature=Decimal("0.1"))),
    lambda request: replace(request, sampling=replace(request.sampling, seed=0)),
    lambda request: replace(request, sampling=replace(request.sampling, max_tokens=101)),
    lambda request: replace(request, sampling=replace(request.sampling, extra='{"cache_prompt": false}')),
]


def test_every_part_of_a_request_is_part_of_its_key() -> None:
    keys = {question().key} | {change(question()).key for change in CHANGES}
    assert len(keys) == 1 + len(CHANGES)


def test_what_says_the_same_has_the_same_key() -> None:
    def warm(text: str, extra: str) -> str:
        return replace(question(), sampling=Sampling("small", Decimal(text), extra=extra)).key

    assert warm("1.0", '{"a": 1, "b": 2}') == warm("1", '{"b":2,"a":1}')


def test_a_request_ends_with_the_user() -> None:
    for messages in ((), (Message("assistant", "{"),)):
        with pytest.raises(UsageError):
            Request(messages, SCHEMA, Sampling("small"))


def test_identical_requests_at_once_are_one_call(tmp_path: Path) -> None:
    with served(then=slowly(good, 0.3)) as server, opened(tmp_path) as desk:
        lines = [desk.line("draft", task, endpoint(server.url)) for task in ("drafter", "renderer")]
        runs = [line.ask_all([question()] * 5, at_once=5) for line in lines]
        outcomes = [outcome for run in zip(*runs, strict=True) for _, outcome in run]
    assert len(outcomes) == 10
    assert all(outcome == outcomes[0] and isinstance(outcome, Reply) for outcome in outcomes)
    assert len(server.bodies) == 1


@pytest.mark.parametrize("text", ["", "{", '{"answer": 1}', '{"answer": "a",}', "{}{}"])
def test_what_is_no_reply_is_kept_and_never_given_again(text: str, tmp_path: Path) -> None:
    with served(says(text)) as server:
        with asked(tmp_path, endpoint(server.url, patience=ONE, total_seconds=10)) as line:
            assert isinstance(line.ask(question()), Fault)
        with asked(tmp_path, endpoint(server.url)) as line:
            assert isinstance(line.ask(question()), Reply)
    assert len(server.bodies) == 2
    rows = stored(tmp_path, "SELECT text, code <> '', prompt FROM attempts ORDER BY number")
    assert rows == [(text, 1, 10), ('{"answer": "q"}', 0, 10)]


def stored(folder: Path, query: str, *values: object) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / FILE) as connection:
        rows = connection.execute(query, values).fetchall()
    connection.close()
    return rows


def test_every_request_is_stored_whole(tmp_path: Path) -> None:
    with served() as server, asked(tmp_path, endpoint(server.url)) as line:
        line.ask(question("Łódź \u0000 \N{GRINNING FACE}"))
    ((key, text),) = stored(tmp_path, "SELECT key, request FROM requests")
    request = question("Łódź \u0000 \N{GRINNING FACE}")
    assert (key, text) == (request.key, request.text)
    assert json.loads(request.text)["messages"] == [["user", "Łódź \u0000 \N{GRINNING FACE}"]]


@pytest.mark.parametrize("content", ["Łódź \N{GRINNING FACE}", "\u0000", "a\u0000b", "\u2028", '"}{"'])
def test_any_characters_of_a_reply_come_back(content: str, tmp_path: Path) -> None:
    with served(then=says(json.dumps({"answer": content}, ensure_ascii=False))) as server:
        for _ in range(2):
            with asked(tmp_path, endpoint(server.url)) as line:
                outcome = line.ask(question())
            assert isinstance(outcome, Reply)
            assert outcome.content == {"answer": content}
    assert len(server.bodies) == 1


def test_a_reply_without_usage_is_a_reply_of_unknown_usage(tmp_path: Path) -> None:
    def silent(handler: Handler, body: Body) -> None:
        choice = {"message": {"content": '{"answer": "a"}'}}
        handler.send(200, json.dumps({"choices": [choice]}).encode())

    with served(then=silent) as server, opened(tmp_path) as desk:
        outcome = desk.line("draft", "drafter", endpoint(server.url)).ask(question())
        (account,) = desk.accounts()
    assert isinstance(outcome, Reply)
    assert (outcome.usage, outcome.finish, outcome.model) == (None, "", "")
    assert account.unknown == 1
    assert account.tokens > 100


# Replaying -----------------------------------------------------------------------------------------------------------


def test_a_replay_gives_what_is_stored_and_asks_nobody(tmp_path: Path) -> None:
    with served() as server:
        with asked(tmp_path, endpoint(server.url)) as line:
            first = line.ask(question())
        place = endpoint(server.url, key_variable="UNCO_KEY_THAT_IS_NOT_SET")
        with asked(tmp_path, place, replay=True) as line:
            assert line.ask(question()) == first
            missing = line.ask(question("new"))
        with opened(tmp_path, replay=True) as desk:
            able = OpenAI(endpoint(server.url), Pace(0))
            assert desk.line("draft", "drafter", endpoint(server.url), able).ask(question("new")) == missing
    assert isinstance(missing, Fault)
    assert missing.code == "UNC816"
    assert len(server.bodies) == 1
    assert stored(tmp_path, "SELECT count(*) FROM attempts") == [(1,)]


# What ends a process -------------------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from tests.llm.asking import endpoint, question
from unco.llm.desk import opened
from unco.llm.openai import OpenAI
from unco.llm.pace import Pace

class Deadly(OpenAI):
    asked = 0
    async def ask(self, request):
        outcome = await super().ask(request)
        self.asked += 1
        if self.asked == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        return outcome

place = endpoint(sys.argv[1])
with opened(Path(sys.argv[2])) as desk:
    line = desk.line("draft", "drafter", place, Deadly(place, Pace(0)))
    for request, outcome in line.ask_all((question(str(number)) for number in range(8)), at_once=1):
        pass
"""


def test_kill_9_between_reply_and_commit_loses_that_one_reply_and_tells_its_cost(tmp_path: Path) -> None:
    questions = [question(str(number)) for number in range(8)]
    with served() as server:
        command = [sys.executable, "-c", KILLED, server.url, str(tmp_path)]
        killed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert killed.returncode == -9, killed.stderr
        assert server.questions == ["0", "1", "2", "3"]
        with opened(tmp_path) as desk:
            (before,) = desk.accounts()
            outcomes = [*desk.line("draft", "drafter", endpoint(server.url)).ask_all(questions, at_once=1)]
            (after,) = desk.accounts()
    assert server.questions == ["0", "1", "2", "3", "3", "4", "5", "6", "7"]
    assert all(isinstance(outcome, Reply) for _, outcome in outcomes)
    assert (before.calls, before.unknown, after.calls, after.unknown, after.requests) == (4, 1, 9, 1, 8)
    assert before.tokens > 3 * 15
    assert after.tokens == before.tokens + 5 * 15


def test_an_error_that_ends_the_run_keeps_what_was_answered(tmp_path: Path) -> None:
    questions = [question(str(number)) for number in range(8)]
    with served(*[good] * 5, refuses(401)) as server:
        with asked(tmp_path, endpoint(server.url)) as line, pytest.raises(LlmError, match="UNC801"):
            list(replies_of(line.ask_all(questions, at_once=1)))
        assert len(server.bodies) == 6
        with asked(tmp_path, endpoint(server.url)) as line:
            assert all(isinstance(outcome, Reply) for _, outcome in line.ask_all(questions, at_once=4))
    assert len(server.bodies) == 9


def replies_of(run: Iterator[tuple[Request, Outcome]]) -> Iterator[Reply]:
    """As a phase would read them."""
    for _, outcome in run:
        if isinstance(outcome, Fault):
            assert outcome.ends_run
            raise outcome.error()
        yield outcome


def test_an_interruption_does_not_wait_for_a_hanging_server(tmp_path: Path) -> None:
    class Never:
        async def ask(self, request: Request) -> Outcome:
            await asyncio.sleep(60)
            raise AssertionError

    place = endpoint("http://localhost:1/v1")
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), opened(tmp_path) as desk:
        list(desk.line("draft", "drafter", place, Never()).ask_all(_interrupted(), at_once=2))
    assert time.monotonic() - started < 30


def _interrupted() -> Iterator[Request]:
    yield question("one")
    yield question("two")
    raise KeyboardInterrupt


def test_a_caller_that_has_enough_gets_what_was_paid_for_later(tmp_path: Path) -> None:
    questions = [question(str(number)) for number in range(20)]
    with served(then=slowly(good, 0.1)) as server:
        with asked(tmp_path, endpoint(server.url)) as line:
            run = line.ask_all(iter(questions), at_once=3)
            assert isinstance(next(run)[1], Reply)
            run.close()  # type: ignore[attr-defined]
        calls = len(server.bodies)
        assert 1 <= calls <= 7
    assert stored(tmp_path, "SELECT count(*) FROM attempts WHERE code = ''") == [(calls,)]


def test_a_call_keeps_its_helpers_when_the_desk_closes(tmp_path: Path) -> None:
    """As a client has that makes its connection in tasks of their own."""
    begun = threading.Event()

    class Helped:
        async def ask(self, request: Request) -> Outcome:
            return await asyncio.ensure_future(self._later())

        async def _later(self) -> Outcome:
            begun.set()
            await asyncio.sleep(0.2)
            return Reply({"answer": "a"}, '{"answer": "a"}', None, "stop", "small-1")

    def coming() -> Iterator[Request]:
        yield question()
        begun.wait()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), opened(tmp_path) as desk:
        list(desk.line("draft", "drafter", endpoint("http://localhost:1/v1"), Helped()).ask_all(coming(), at_once=2))
    assert stored(tmp_path, "SELECT code FROM attempts") == [("",)]


def test_what_waits_for_its_turn_is_not_sent_once_nobody_wants_it(tmp_path: Path) -> None:
    questions = [question(str(number)) for number in range(20)]
    started = time.monotonic()
    with served() as server, opened(tmp_path) as desk:
        line = desk.line("draft", "drafter", endpoint(server.url, per_minute=2))
        run = line.ask_all(questions, at_once=8)
        assert isinstance(next(run)[1], Reply)
        run.close()  # type: ignore[attr-defined]
        left = line.ask_all(questions, at_once=8)
        next(left)
    assert server.questions == ["0"]
    assert time.monotonic() - started < 25
    assert stored(tmp_path, "SELECT count(*) FROM attempts") == [(1,)]


def test_who_asks_just_as_others_give_up_gets_a_reply(tmp_path: Path) -> None:
    class Able:
        async def ask(self, request: Request) -> Outcome:
            return Reply({"answer": "a"}, '{"answer": "a"}', None, "stop", "small-1")

    async def giving_up() -> Outcome:
        with closing(Replies(tmp_path / FILE)) as replies:
            pace = Pace(240)
            client = Recorded(Able(), Record.of(replies, Budget()), Purpose("draft", "drafter"), Price(), pace)
            await pace.turn()
            first = asyncio.ensure_future(client.ask(question()))
            await asyncio.sleep(0.05)
            first.cancel()
            await asyncio.sleep(0)
            return await client.ask(question())

    assert isinstance(asyncio.run(giving_up()), Reply)


# What stands on the disk ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", ['text = \'{"answer": "b"}\'', "prompt = 11", "digest = NULL", "text = NULL", "text = x'00'"]
)
def test_a_stored_reply_that_was_changed_is_not_given(change: str, tmp_path: Path) -> None:
    with served() as server:
        with asked(tmp_path, endpoint(server.url)) as line:
            line.ask(question())
        stored(tmp_path, f"UPDATE attempts SET {change}")
        with asked(tmp_path, endpoint(server.url)) as line, pytest.raises(SpecificationError, match="UNC704"):
            line.ask(question())


@pytest.mark.parametrize(
    "content", [b"no database, but long enough to be told apart", b"SQLite format 3\0" + b"\1" * 200]
)
def test_a_file_of_somebody_else_is_refused_and_kept(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(SpecificationError, match="UNC704"), opened(tmp_path):
        pass
    assert (tmp_path / FILE).read_bytes() == content


def test_a_database_of_somebody_else_is_refused_and_kept(tmp_path: Path) -> None:
    stored(tmp_path, "CREATE TABLE mine (x)")
    with pytest.raises(SpecificationError, match="UNC704"), opened(tmp_path):
        pass
    assert stored(tmp_path, "SELECT name FROM sqlite_master") == [("mine",)]


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path):
        pass
    stored(tmp_path, f"PRAGMA user_version = {FORMAT + 1}")
    with pytest.raises(SpecificationError, match="UNC704"), opened(tmp_path):
        pass


def test_a_folder_that_is_not_there_is_a_fault_of_the_machine(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError), opened(tmp_path / "nowhere"):
        pass


def test_hanging_calls_are_told_as_calls_of_unknown_cost(tmp_path: Path) -> None:
    patience = Patience(attempts=2, seconds=30, first_wait=0.01, longest_wait=0.01)
    with served(then=hangs) as server, opened(tmp_path) as desk:
        place = endpoint(server.url, total_seconds=0.2, connect_seconds=0.2, patience=patience)
        desk.line("draft", "drafter", place).ask(question())
        (account,) = desk.accounts()
    assert (account.calls, account.requests, account.unknown, account.faults) == (2, 1, 2, {"UNC805": 2})
