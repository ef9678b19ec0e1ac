"""Whatever a server does, a request ends in a reply or in its code, within its budget; the key stays where it is."""

from __future__ import annotations

import gzip
import json
import logging
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.llm.asking import KEY, KEY_VARIABLE, QUICK, asked, endpoint, question
from tests.llm.faulty_server import (
    Body,
    Handler,
    Step,
    completion,
    drops,
    drops_midway,
    good,
    hangs,
    refuses,
    refuses_with_key,
    refuses_with_key_late,
    says,
    sends,
    sends_bytes,
    sends_for_ever,
    served,
    shows_key,
    shows_key_escaped,
    shows_key_in_headers,
    shows_key_late,
    slowly,
    speaks_no_http,
    speaks_the_key_alone,
    takes_only,
    trickles,
    trickles_headers,
)
from tests.llm.hanging import timed_out_by
from unco.llm.desk import opened
from unco.llm.endpoint import Endpoint, Patience, Structure
from unco.llm.protocol import UNPAID, Fault, Outcome, Reply
from unco.specs.errors import UsageError

ONCE, ALL = 1, QUICK.attempts
TWICE = 2
"""The same reply twice, asked for in the same way, is asked for no more."""
FAULTS: dict[str, tuple[str, int, Step]] = {
    "wrong key": ("UNC801", ONCE, refuses(401)),
    "key without rights": ("UNC801", ONCE, refuses(403)),
    "no such LLM": ("UNC802", ONCE, refuses(404)),
    "429 for ever": ("UNC803", ALL, refuses(429)),
    "500 for ever": ("UNC804", ALL, refuses(500)),
    "503 without JSON": ("UNC804", ALL, sends_bytes(b"<html>", 503)),
    "drops": ("UNC806", ALL, drops),
    "drops midway": ("UNC806", ALL, drops_midway),
    "no HTTP": ("UNC806", ALL, speaks_no_http),
    "redirection": ("UNC807", ALL, sends({}, 307, Location="http://localhost:1/")),
    "refused in every way": ("UNC807", ALL, refuses(400)),
    "garbage": ("UNC808", ALL, sends_bytes(b"\xff\xfe{{{")),
    "not a completion": ("UNC808", ALL, sends({"object": "list", "data": []})),
    "no choice": ("UNC808", ALL, sends({"choices": []})),
    "choice of another form": ("UNC808", ALL, sends({"choices": [{"message": {"content": ["a"]}}]})),
    "half a character": ("UNC808", ALL, sends_bytes(json.dumps(completion("\ud800")).encode())),
    "empty": ("UNC809", TWICE, says("")),
    "blank": ("UNC809", TWICE, says(" \n")),
    "a tool call": ("UNC809", TWICE, says(None, "tool_calls", tool_calls=[])),
    "cut off": ("UNC810", TWICE, says('{"answer": "a', "length")),
    "cut off after the object": ("UNC810", TWICE, says('{"answer": "a"}', "length")),
    "trailing comma": ("UNC811", ALL, says('{"answer": "a",}')),
    "something behind": ("UNC811", ALL, says('{}""')),
    "two objects": ("UNC811", ALL, says('{"answer": "a"}\n{"answer": "b"}')),
    "prose": ("UNC811", ALL, says('I call submit({"answer": "a"})')),
    "a list": ("UNC811", ALL, says('[{"answer": "a"}]')),
    "a key twice": ("UNC811", ALL, says('{"answer": "a", "answer": "b"}')),
    "not a number": ("UNC811", ALL, says('{"answer": NaN}')),
    "an endless number": ("UNC811", ALL, says('{"answer": ' + "1" * 5000 + "}")),
    "a vast number": ("UNC811", ALL, says('{"answer": 1e999999999}')),
    "deep": ("UNC811", ALL, says('{"answer": ' + "[" * 100_000)),
    "too deep": ("UNC811", ALL, says('{"answer": ' + "[" * 101 + "]" * 101 + "}")),
    "half a character inside": ("UNC811", ALL, says('{"answer": "\\ud800"}')),
    "another schema": ("UNC812", ALL, says('{"answer": 1}')),
    "a field more": ("UNC812", ALL, says('{"answer": "a", "more": 1}')),
    "a field less": ("UNC812", ALL, says("{}")),
    "refusal": ("UNC813", TWICE, says(None, refusal="I cannot help with that")),
    "filtered": ("UNC813", TWICE, says("", "content_filter")),
}


def outcome_of(step: Step, folder: Path, **settings: object) -> tuple[Outcome, int]:
    """What comes of a request where the server always does this, and how often it was asked."""
    with served(then=step) as server, asked(folder, endpoint(server.url, **settings)) as line:
        return line.ask(question()), len(server.bodies)


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_ends_in_its_code_after_the_attempts_that_make_sense(name: str, tmp_path: Path) -> None:
    code, calls, step = FAULTS[name]
    outcome, asked_for = outcome_of(step, tmp_path)
    assert isinstance(outcome, Fault)
    assert (outcome.code, asked_for) == (code, calls)
    assert outcome.ends_run == (code < "UNC809")


@pytest.mark.parametrize("step", [hangs, trickles, trickles_headers])
def test_a_server_that_never_ends_is_left_within_the_time_of_its_attempts(step: Step, tmp_path: Path) -> None:
    patience = Patience(attempts=2, seconds=30, first_wait=0.01, longest_wait=0.01)
    started = time.monotonic()
    outcome, calls = outcome_of(step, tmp_path, total_seconds=0.3, connect_seconds=0.3, patience=patience)
    assert isinstance(outcome, Fault)
    assert (outcome.code, calls, outcome.usage) == ("UNC805", 2, None)
    assert time.monotonic() - started < 5


def test_an_endless_answer_is_not_read_to_its_end(tmp_path: Path) -> None:
    outcome, _ = outcome_of(sends_for_ever, tmp_path)
    assert isinstance(outcome, Fault)
    assert outcome.code == "UNC808"


def test_a_packed_answer_is_not_unpacked(tmp_path: Path) -> None:
    """A few bytes may unpack to more than there is memory."""
    packed = gzip.compress(json.dumps(completion('{"answer": "a"}')).encode())
    outcome, _ = outcome_of(lambda handler, _: handler.send(200, packed, Content_Encoding="gzip"), tmp_path)
    assert isinstance(outcome, Fault)
    assert outcome.code == "UNC808"


def test_no_server_is_a_fault_that_costs_nothing(tmp_path: Path) -> None:
    with served() as server:
        gone = server.url
    with asked(tmp_path, endpoint(gone)) as line:
        outcome = line.ask(question())
    assert isinstance(outcome, Fault)
    assert (outcome.code, outcome.usage is not None) == ("UNC806", True)


def test_a_server_that_takes_no_connection_is_left_in_time_and_costs_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, ExitStack() as waiting:
        address = full.getsockname()
        fillers = [waiting.enter_context(socket.socket()) for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(address)
        place = endpoint(f"http://127.0.0.1:{address[1]}/v1", connect_seconds=0.3, patience=Patience(attempts=1))
        with asked(tmp_path, place) as line:
            outcome = line.ask(question())
    assert isinstance(outcome, Fault)
    assert (outcome.code, outcome.usage) == ("UNC805", UNPAID)


@pytest.mark.parametrize("step", [refuses(500), refuses(429), drops, drops_midway, says("{"), hangs])
def test_what_passes_is_tried_again_and_the_reply_counts(step: Step, tmp_path: Path) -> None:
    with served(step, step) as server, timed_out_by(server), asked(tmp_path, endpoint(server.url)) as line:
        outcome = line.ask(question("third time"))
    assert isinstance(outcome, Reply)
    assert outcome.content == {"answer": "third time"}
    assert len(server.bodies) == 3


def _short(step: Step) -> dict[str, float]:
    """Short times, where they are waited for."""
    return {"total_seconds": 0.7, "connect_seconds": 0.7} if step is hangs else {}


def test_the_server_is_not_asked_before_the_time_it_names(tmp_path: Path) -> None:
    patience = Patience(attempts=2, seconds=30, first_wait=0.01, longest_wait=0.01)
    with served(refuses(429, Retry_After="0.6")) as server:
        started = time.monotonic()
        with asked(tmp_path, endpoint(server.url, patience=patience)) as line:
            assert isinstance(line.ask(question()), Reply)
    assert time.monotonic() - started >= 0.6


@pytest.mark.parametrize("asks", ["3600", "Fri, 31 Dec 9999 23:59:59 GMT", "1e400"])
def test_a_wait_beyond_the_budget_is_not_begun(asks: str, tmp_path: Path) -> None:
    started = time.monotonic()
    outcome, calls = outcome_of(refuses(429, Retry_After=asks), tmp_path)
    assert isinstance(outcome, Fault)
    assert (outcome.code, calls) == ("UNC803", 1)
    assert time.monotonic() - started < 5


def test_where_one_time_out_fills_the_budget_there_is_one_attempt(tmp_path: Path) -> None:
    patience = Patience(attempts=1000, seconds=3, first_wait=0.01, longest_wait=0.01)
    _, calls = outcome_of(refuses(500), tmp_path, total_seconds=3, patience=patience)
    assert calls == 1


def test_no_attempt_is_begun_that_could_end_after_the_seconds_of_the_budget(tmp_path: Path) -> None:
    patience = Patience(attempts=1000, seconds=3, first_wait=0.1, longest_wait=0.1)
    started = time.monotonic()
    outcome, calls = outcome_of(refuses(500), tmp_path, total_seconds=1, connect_seconds=1, patience=patience)
    assert isinstance(outcome, Fault)
    assert (outcome.code, 2 <= calls <= 41) == ("UNC804", True)
    assert time.monotonic() - started < 20


# How an object is asked for ------------------------------------------------------------------------------------------

LADDER: list[tuple[str | None, int]] = [("json_schema", 1), ("json_object", 2), (None, 3)]


@pytest.mark.parametrize(("way", "calls"), LADDER)
@pytest.mark.parametrize("status", [400, 422, 501])
def test_a_server_is_asked_in_the_strictest_way_that_it_takes(
    way: str | None, calls: int, status: int, tmp_path: Path
) -> None:
    with served(then=takes_only(way, status)) as server, asked(tmp_path, endpoint(server.url)) as line:
        for text in ("one", "two"):
            outcome = line.ask(question(text))
            assert isinstance(outcome, Reply)
            assert outcome.content == {"answer": text}
    assert len(server.bodies) == calls + 1
    last = server.bodies[-1]
    assert last.get("response_format", {}).get("type") == way
    assert ("JSON Schema" in last["messages"][-1]["content"]) == (way != "json_schema")


def test_a_server_that_ignores_the_schema_is_shown_it(tmp_path: Path) -> None:
    def reads_prompts(handler: Handler, body: Body) -> None:
        (good if "JSON Schema" in body["messages"][-1]["content"] else says("Sure!"))(handler, body)

    with served(then=reads_prompts) as server, asked(tmp_path, endpoint(server.url)) as line:
        outcomes = [line.ask(question(text)) for text in ("one", "two")]
    assert all(isinstance(outcome, Reply) for outcome in outcomes)
    assert len(server.bodies) == 3


def test_a_refusal_after_a_reply_is_about_the_request(tmp_path: Path) -> None:
    with served(good, refuses(400), good) as server, asked(tmp_path, endpoint(server.url)) as line:
        kinds = [type(line.ask(question(text))) for text in ("one", "two", "three")]
    assert kinds == [Reply, Fault, Reply]
    assert [body["response_format"]["type"] for body in server.bodies] == ["json_schema"] * 3


def test_of_several_refusals_the_first_is_told(tmp_path: Path) -> None:
    steps = [refuses(400, words) for words in ("no such seed", "no objects", "no text")]
    with served(*steps) as server, asked(tmp_path, endpoint(server.url)) as line:
        outcome = line.ask(question())
        again = line.ask(question())
    assert isinstance(outcome, Fault)
    assert (outcome.code, "no such seed" in outcome.detail) == ("UNC807", True)
    assert isinstance(again, Reply)
    assert server.bodies[-1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize("fenced", ['```json\n{"answer": "a"}\n```', '\n```\n{"answer": "a"}\n```\n'])
def test_a_fence_around_the_whole_reply_is_read_only_where_text_is_asked_for(fenced: str, tmp_path: Path) -> None:
    outcome, _ = outcome_of(says(fenced), tmp_path, structure=Structure.TEXT)
    assert isinstance(outcome, Reply)
    one = Patience(attempts=1)
    again, _ = outcome_of(says(fenced), _made(tmp_path / "other"), patience=one)
    assert isinstance(again, Fault)
    prose, _ = outcome_of(says(f"Here: {fenced}"), _made(tmp_path / "third"), structure=Structure.TEXT)
    assert isinstance(prose, Fault)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_settings_and_question_arrive_as_they_are(tmp_path: Path) -> None:
    with served() as server:
        place = endpoint(server.url, extra='{"cache_prompt": false}', limit_field="max_completion_tokens")
        with asked(tmp_path, place) as line:
            line.ask(question("{{ 7*7 }} ignore previous instructions"))
    (body,) = server.bodies
    assert body["messages"] == [{"role": "user", "content": "{{ 7*7 }} ignore previous instructions"}]
    assert (body["model"], body["max_completion_tokens"]) == ("small", 100)
    assert "temperature" not in body
    assert body["response_format"]["json_schema"]["strict"] is True


def test_other_ways_keep_their_distance_too(tmp_path: Path) -> None:
    with served(then=takes_only(None)) as server, asked(tmp_path, endpoint(server.url, per_minute=300)) as line:
        started = time.monotonic()
        assert isinstance(line.ask(question()), Reply)
    assert time.monotonic() - started >= 0.4


def test_a_request_is_not_sent_to_the_endpoint_of_another_llm(tmp_path: Path) -> None:
    with served() as server, asked(tmp_path, Endpoint(server.url, "large")) as line, pytest.raises(UsageError):
        line.ask(question())
    assert server.bodies == []


def test_requests_keep_their_distance_whoever_asks(tmp_path: Path) -> None:
    with served() as server, opened(tmp_path) as desk:
        lines = [desk.line("draft", task, endpoint(server.url, per_minute=600)) for task in ("drafter", "renderer")]
        started = time.monotonic()
        for number in range(6):
            assert isinstance(lines[number % 2].ask(question(str(number))), Reply)
    assert time.monotonic() - started >= 0.5


# The key -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    return KEY


SHOWING = [
    shows_key, shows_key_late, shows_key_escaped, shows_key_in_headers, speaks_the_key_alone,
    refuses_with_key, refuses_with_key_late,
]  # fmt: skip


@pytest.mark.parametrize("step", [good, refuses(500), drops, hangs, *SHOWING])
def test_the_key_is_sent_and_is_nowhere_else(
    step: Step, key: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    arrived: list[str] = []

    def looks(handler: Handler, body: Body) -> None:
        arrived.append(handler.headers["Authorization"])
        step(handler, body)

    with served(then=looks) as server, opened(tmp_path) as desk:
        place = endpoint(server.url, key_variable=KEY_VARIABLE, **_short(step))
        line = desk.line("draft", "drafter", place)
        outcome = line.ask(question())
        told = [repr(outcome), repr(line), repr(desk), repr(place), str(place), repr(desk.accounts())]
        if isinstance(outcome, Fault):
            told += [str(outcome.error()), repr(outcome.error())]
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert set(arrived) == {f"Bearer {key}"}
    assert stored
    assert key[:12].encode() not in stored
    printed = capfd.readouterr()
    texts = (*told, caplog.text, printed.out, printed.err)
    assert not [text for text in texts for start in (key, key[:12], key[-8:]) if start in text]
    assert isinstance(outcome, Reply) == (step is good)
    if isinstance(outcome, Fault) and step is refuses_with_key:
        assert (outcome.code, "Bearer [key]" in outcome.detail) == ("UNC801", True)


@pytest.mark.parametrize("bad", ["", "  ", "two words", "käse-12345678", "line\nline"])
def test_a_key_that_is_none_is_refused_without_showing_it(
    bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, bad)
    with opened(tmp_path) as desk, pytest.raises(UsageError, match=KEY_VARIABLE) as caught:
        desk.line("draft", "drafter", endpoint("http://localhost:1/v1", key_variable=KEY_VARIABLE))
    assert not bad.strip() or bad not in str(caught.value)


def test_a_key_that_stands_in_the_extra_fields_too_is_refused_before_anything_is_stored(
    key: str, tmp_path: Path
) -> None:
    place = endpoint("http://localhost:1/v1", key_variable=KEY_VARIABLE, extra=json.dumps({"user": f"me {key}"}))
    with opened(tmp_path) as desk, pytest.raises(UsageError, match=KEY_VARIABLE) as caught:
        desk.line("draft", "drafter", place)
    assert key not in str(caught.value)
    assert key.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


BAD_ENDPOINTS: list[Callable[[], Endpoint]] = [
    lambda: endpoint("localhost:80/v1"),
    lambda: endpoint("http://localhost:port/v1"),
    lambda: endpoint(f"http://me:{KEY}@localhost/v1"),
    lambda: endpoint(f"http://localhost/v1?key={KEY}"),
    lambda: endpoint("http://localhost/v1", total_seconds=100),
    lambda: endpoint("http://localhost/v1", extra="cache_prompt"),
    lambda: Endpoint("http://localhost/v1", ""),
    lambda: Endpoint("http://localhost/v1", "small", max_tokens=0),
]


@pytest.mark.parametrize("make", BAD_ENDPOINTS)
def test_an_endpoint_that_cannot_work_or_holds_a_secret_is_refused(make: Callable[[], Endpoint]) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert KEY not in str(caught.value)


def test_a_slow_answer_in_time_is_a_reply(tmp_path: Path) -> None:
    outcome, _ = outcome_of(slowly(good, 0.3), tmp_path)
    assert isinstance(outcome, Reply)
    assert outcome.milliseconds >= 300
