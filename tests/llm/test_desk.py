"""Many requests at once: outcomes in order, so many under way and no more, nothing taken before it is wanted."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.llm.asking import asked, endpoint, question
from tests.llm.faulty_server import gathers, says, served
from unco.llm.desk import Line, opened
from unco.llm.protocol import Fault, Outcome, Reply, Request, Schema
from unco.specs.errors import UsageError


class Counting:
    """A client that takes a moment, once so many are there, and counts them."""

    def __init__(self, awaited: int = 1) -> None:
        self.inside = self.most = 0
        self.awaited = awaited
        self.complete = asyncio.Event()
        self.random = Random(3)

    async def ask(self, request: Request) -> Outcome:
        self.inside += 1
        self.most = max(self.most, self.inside)
        if self.inside == self.awaited:
            self.complete.set()
        await asyncio.wait_for(self.complete.wait(), 60)
        await asyncio.sleep(self.random.uniform(0, 0.01))
        self.inside -= 1
        text = request.messages[-1].text
        return Reply({"answer": text}, f'{{"answer": "{text}"}}', None, "stop", "small-1")


def line_of(desk: object, client: object) -> Line:
    return desk.line("draft", "drafter", endpoint("http://localhost:1/v1"), client)  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("at_once", [1, 2, 7, 64])
def test_outcomes_come_in_order_and_no_more_are_under_way_than_allowed(at_once: int, tmp_path: Path) -> None:
    client, taken = Counting(at_once), 0

    def coming() -> Iterator[Request]:
        nonlocal taken
        for number in range(150):
            taken += 1
            yield question(str(number))

    with opened(tmp_path) as desk:
        for number, (request, outcome) in enumerate(line_of(desk, client).ask_all(coming(), at_once)):
            assert request == question(str(number))
            assert isinstance(outcome, Reply)
            assert outcome.content == {"answer": str(number)}
            assert taken <= number + 2 * at_once - 1
    assert number == 149
    assert client.most == at_once


def test_at_once_is_at_once_on_the_wire(tmp_path: Path) -> None:
    with served(then=gathers(16)) as server, asked(tmp_path, endpoint(server.url)) as line:
        assert len(list(line.ask_all(map(question, map(str, range(32))), at_once=16))) == 32
    assert server.most_at_once == 16


def test_one_at_a_time_each_request_may_depend_on_the_reply_before(tmp_path: Path) -> None:
    last = ""

    def coming() -> Iterator[Request]:
        for _ in range(5):
            yield question(f"{last}x")

    with opened(tmp_path) as desk:
        for _, outcome in line_of(desk, Counting()).ask_all(coming(), at_once=1):
            assert isinstance(outcome, Reply)
            last = outcome.content["answer"]
    assert last == "xxxxx"


def test_nothing_is_asked_before_the_first_is_wanted(tmp_path: Path) -> None:
    client = Counting()
    with opened(tmp_path) as desk:
        line_of(desk, client).ask_all([question()], at_once=1)
    assert client.most == 0
    with opened(tmp_path) as desk:
        assert list(line_of(desk, client).ask_all([], at_once=4)) == []
        with pytest.raises(UsageError):
            list(line_of(desk, client).ask_all([question()], at_once=0))


def test_an_error_of_a_client_ends_the_asking(tmp_path: Path) -> None:
    class Broken(Counting):
        async def ask(self, request: Request) -> Outcome:
            if request.messages[-1].text == "3":
                raise ZeroDivisionError
            return await super().ask(request)

    got: list[tuple[Request, Outcome]] = []
    with opened(tmp_path) as desk, pytest.raises(ZeroDivisionError):
        got.extend(line_of(desk, Broken()).ask_all(map(question, map(str, range(1000))), at_once=4))
    assert len(got) == 3


def test_a_server_that_repeats_itself_is_told_in_the_order_of_the_requests(tmp_path: Path) -> None:
    questions = [question(str(number)) for number in range(6)]
    with served(then=says('{"answer": "the same"}')) as server:
        for _ in range(2):
            with asked(tmp_path, endpoint(server.url)) as line:
                seen: set[str] = set()
                outcomes = [outcome for _, outcome in line.ask_all(questions, 4, seen)]
                plain = [outcome for _, outcome in line.ask_all(questions, 4)]
            first, *others = outcomes
            assert isinstance(first, Reply)
            assert all(isinstance(other, Fault) and other.code == "UNC814" for other in others)
            assert not any(other.ends_run for other in others if isinstance(other, Fault))
            assert all(isinstance(outcome, Reply) for outcome in plain)
    assert len(server.bodies) == 6


def test_objects_that_differ_in_the_order_of_fields_alone_are_the_same(tmp_path: Path) -> None:
    steps = [says('{"a": 1, "b": 2}'), says('{ "b":2, "a":1 }'), says('{"a": 2, "b": 1}')]
    anything = [replace(question(text), schema=Schema.of("any", {})) for text in "abc"]
    with served(*steps) as server, asked(tmp_path, endpoint(server.url)) as line:
        outcomes = [outcome for _, outcome in line.ask_all(anything, 1, set())]
    assert [type(outcome) for outcome in outcomes] == [Reply, Fault, Reply]


def test_the_package_openai_is_imported_only_where_a_client_is_made() -> None:
    """It takes more than a second."""
    code = "import sys, unco.llm.desk; print(*{'openai', 'httpx2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
