"""A real LLM behind real HTTP: schema-bound replies, usage, storage, repetition, and faults that can be provoked."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.llm.asking import asked
from tests.local.serving import Serving, asks, serving
from unco.llm.accounts import accounts_of
from unco.llm.endpoint import Patience
from unco.llm.protocol import Fault, Reply

pytestmark = pytest.mark.local
QUESTIONS = [f'Name a {what} in one word, as JSON: {{"answer": "..."}}' for what in ("colour", "river", "metal")]
LONG = "Write the numbers from 1 to 2000 in words, all in one text."
ONE = Patience(attempts=1, seconds=60)


@pytest.fixture(scope="module")
def small() -> Iterator[Serving]:
    with serving() as server:
        yield server


def test_replies_keep_to_the_schema_and_their_usage_is_counted(small: Serving, tmp_path: Path) -> None:
    place = small.endpoint()
    with asked(tmp_path, place) as line:
        outcomes = [outcome for _, outcome in line.ask_all((asks(text, place) for text in QUESTIONS), at_once=2)]
    replies = [outcome for outcome in outcomes if isinstance(outcome, Reply)]
    assert len(replies) == len(QUESTIONS)
    for reply in replies:
        assert isinstance(reply.content["answer"], str)
        assert (reply.model, reply.finish) == ("small", "stop")
        assert reply.usage is not None
        assert reply.usage.prompt > 5
        assert reply.usage.completion > 3
        assert reply.milliseconds > 0
    (account,) = accounts_of(tmp_path)
    assert (account.calls, account.requests, account.unknown, account.faults) == (3, 3, 0, {})
    assert account.tokens == sum(each.usage.prompt + each.usage.completion for each in replies if each.usage)


def test_what_is_stored_is_given_without_a_call(small: Serving, tmp_path: Path) -> None:
    place = small.endpoint()
    with asked(tmp_path, place) as line:
        first = line.ask(asks(QUESTIONS[0], place))
    with asked(tmp_path, place, replay=True) as line:
        assert line.ask(asks(QUESTIONS[0], place)) == first
        other = line.ask(asks(QUESTIONS[1], place))
    assert isinstance(first, Reply)
    assert isinstance(other, Fault)
    assert other.code == "UNC816"
    assert accounts_of(tmp_path)[0].calls == 1


def test_at_temperature_0_it_repeats_itself_whatever_was_asked_between(small: Serving, tmp_path: Path) -> None:
    place = small.endpoint()
    questions = [asks(text, place, repetition) for repetition in range(3) for text in QUESTIONS]
    with asked(tmp_path, place) as line:
        texts = [outcome.text for _, outcome in line.ask_all(questions, at_once=3) if isinstance(outcome, Reply)]
    assert len(texts) == 9
    assert texts[:3] == texts[3:6] == texts[6:]
    assert accounts_of(tmp_path)[0].calls == 9


def test_a_cut_reply_is_asked_for_again_until_it_repeats_itself_and_told(small: Serving, tmp_path: Path) -> None:
    place = small.endpoint(max_tokens=4)
    with asked(tmp_path, place) as line:
        outcome = line.ask(asks(QUESTIONS[0], place))
    assert isinstance(outcome, Fault)
    assert outcome.code == "UNC810"
    assert not outcome.ends_run
    (account,) = accounts_of(tmp_path)
    assert (account.calls, account.faults, account.usage.completion) == (2, {"UNC810": 2}, 8)


def test_a_request_beyond_its_context_is_refused(small: Serving, tmp_path: Path) -> None:
    place = small.endpoint()
    with asked(tmp_path, place) as line:
        outcome = line.ask(asks("word " * 9000, place))
    assert isinstance(outcome, Fault)
    assert outcome.code == "UNC807"
    assert outcome.ends_run
    assert "context" in outcome.detail


def test_a_call_that_takes_too_long_ends_and_the_next_one_is_answered(small: Serving, tmp_path: Path) -> None:
    hasty = small.endpoint(total_seconds=1, connect_seconds=1, max_tokens=2000, patience=ONE)
    with asked(tmp_path, hasty) as line:
        outcome = line.ask(asks(LONG, hasty))
    assert isinstance(outcome, Fault)
    assert outcome.code == "UNC805"
    assert accounts_of(tmp_path)[0].unknown == 1
    place = small.endpoint()
    with asked(tmp_path, place) as line:
        assert isinstance(line.ask(asks(QUESTIONS[0], place)), Reply)


def test_a_server_killed_in_the_middle_of_a_call_is_told_and_another_goes_on(tmp_path: Path) -> None:
    with serving() as server:
        place = server.endpoint(max_tokens=2000, patience=ONE)
        with asked(tmp_path, place) as line:
            first = line.ask(asks(QUESTIONS[0], place))
            threading.Timer(2, server.process.kill).start()
            broken = line.ask(asks(LONG, place))
            gone = line.ask(asks(QUESTIONS[1], place))
    assert isinstance(first, Reply)
    for outcome in (broken, gone):
        assert isinstance(outcome, Fault)
        assert outcome.code == "UNC806"
        assert outcome.ends_run
    with serving() as server:
        place = server.endpoint(max_tokens=2000, patience=ONE)
        with asked(tmp_path, place) as line:
            assert line.ask(asks(QUESTIONS[0], place)) == first
            assert isinstance(line.ask(asks(QUESTIONS[1], place)), Reply)
    (account,) = accounts_of(tmp_path)
    assert (account.calls, account.requests, account.faults) == (4, 3, {"UNC806": 2})


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_and_well_in_the_middle_of_a_reply(number: signal.Signals, tmp_path: Path) -> None:
    with serving() as server:
        place = server.endpoint(max_tokens=2000, patience=ONE)
        timer = threading.Timer(2, server.process.send_signal, [number])
        timer.start()
        with asked(tmp_path, place) as line:
            outcome = line.ask(asks(LONG, place))
        assert server.process.wait(timeout=5) == 0
    assert isinstance(outcome, Fault)
    assert outcome.code == "UNC806"
