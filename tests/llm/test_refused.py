"""One refused request ends no run where others were answered; odd counts lose no reply; what repeats ends early."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.llm.asking import asked, endpoint, question
from tests.llm.faulty_server import Body, Handler, Step, completion, good, refuses, says, sends, served, slowly
from unco.llm.budget import Budget
from unco.llm.desk import opened
from unco.llm.endpoint import Patience, Structure
from unco.llm.protocol import Fault, LlmError, Outcome, Reply
from unco.llm.reading import MOST_TOKENS

FILTERED = refuses(400, "content_filter")


def refuses_bad(handler: Handler, body: Body) -> None:
    """A filter: it takes no `bad` question."""
    (FILTERED if body["messages"][-1]["content"].startswith("bad") else good)(handler, body)


def ends_run(outcome: Outcome) -> bool:
    assert isinstance(outcome, Fault)
    assert outcome.code == "UNC807"
    return outcome.ends_run


# A refused request ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [400, 413, 422])
def test_where_others_were_answered_a_refusal_is_about_one_request(status: int, tmp_path: Path) -> None:
    with served(good, then=refuses(status)) as server:
        with asked(tmp_path, endpoint(server.url)) as line:
            assert isinstance(line.ask(question("one")), Reply)
            assert not ends_run(line.ask(question("two")))
        with asked(tmp_path, endpoint(server.url)) as line:  # the reply of an earlier process counts
            assert not ends_run(line.ask(question("three")))


@pytest.mark.parametrize(
    "settings", [{"model": "large"}, {"temperature": Decimal(5)}, {"max_tokens": 99}, {"extra": '{"n": 9}'}]
)
def test_replies_to_other_settings_excuse_no_refusal(settings: dict[str, Any], tmp_path: Path) -> None:
    one = question()
    other = replace(one, sampling=replace(one.sampling, **settings))
    with served(good, then=refuses(400)) as server, opened(tmp_path) as desk:
        assert isinstance(desk.line("draft", "drafter", endpoint(server.url)).ask(one), Reply)
        place = replace(endpoint(server.url), model=other.sampling.model)
        assert ends_run(desk.line("draft", "drafter", place).ask(other))


@pytest.mark.parametrize("status", [307, 501])
def test_what_a_server_never_does_ends_the_run_whoever_was_answered(status: int, tmp_path: Path) -> None:
    with served(good, then=refuses(status)) as server, asked(tmp_path, endpoint(server.url)) as line:
        assert isinstance(line.ask(question("one")), Reply)
        assert ends_run(line.ask(question("two")))


def test_where_nothing_was_ever_answered_a_refusal_ends_the_run(tmp_path: Path) -> None:
    with served(then=FILTERED) as server, asked(tmp_path, endpoint(server.url)) as line:
        assert ends_run(line.ask(question()))


def test_a_refusal_waits_for_calls_that_are_under_way(tmp_path: Path) -> None:
    def slowly_good(handler: Handler, body: Body) -> None:
        (FILTERED if body["messages"][-1]["content"].startswith("bad") else slowly(good, 0.3))(handler, body)

    with served(then=slowly_good) as server, asked(tmp_path, endpoint(server.url, structure=Structure.TEXT)) as line:
        (_, first), (_, second) = line.ask_all([question("bad"), question("fine")], at_once=2)
    assert not ends_run(first)
    assert isinstance(second, Reply)


def test_a_refusal_that_names_the_other_limit_says_which_setting_it_is(tmp_path: Path) -> None:
    words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    with served(then=refuses(400, words)) as server, asked(tmp_path, endpoint(server.url)) as line:
        outcome = line.ask(question())
    assert isinstance(outcome, Fault)
    assert "limit_field" in outcome.detail


# What ends a run, and whether it passes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "by_settings"), [(401, True), (403, True), (404, True), (400, True), (429, False), (500, False)]
)
def test_a_fault_tells_whether_settings_must_change(status: int, by_settings: bool, tmp_path: Path) -> None:
    with served(then=refuses(status)) as server, asked(tmp_path, endpoint(server.url)) as line:
        outcome = line.ask(question())
    assert isinstance(outcome, Fault)
    assert outcome.error().by_settings is by_settings


def test_a_budget_that_allows_no_call_is_a_setting_and_one_that_ran_out_is_not(tmp_path: Path) -> None:
    with served() as server:
        for tokens, by_settings in ((0, True), (1, True)):
            with (
                asked(tmp_path, endpoint(server.url), Budget(tokens=tokens)) as line,
                pytest.raises(LlmError) as raised,
            ):
                line.ask(question())
            assert raised.value.by_settings is by_settings
        with asked(tmp_path, endpoint(server.url)) as line:
            line.ask(question("paid"))
        with asked(tmp_path, endpoint(server.url), Budget(tokens=20)) as line, pytest.raises(LlmError) as raised:
            line.ask(question())
    assert raised.value.by_settings is False


# Usage ---------------------------------------------------------------------------------------------------------------

ODD: list[Any] = [None, "5", 5.5, True, -1, MOST_TOKENS + 1, 10**20, [], {}]


@pytest.mark.parametrize("count", ODD)
@pytest.mark.parametrize("field", ["prompt_tokens", "completion_tokens"])
def test_a_count_that_is_none_is_unknown_and_loses_no_reply(count: Any, field: str, tmp_path: Path) -> None:
    answer = {**completion('{"answer": "a"}'), "usage": {"prompt_tokens": 1, "completion_tokens": 1, field: count}}
    with served(then=sends(answer)) as server, opened(tmp_path) as desk:
        outcome = desk.line("draft", "drafter", endpoint(server.url)).ask(question())
        (account,) = desk.accounts()
    assert isinstance(outcome, Reply)
    assert (outcome.usage, account.unknown, len(server.bodies)) == (None, 1, 1)


@pytest.mark.parametrize("usage", [None, [], "much", 7, {}])
def test_whatever_stands_for_usage_loses_no_reply(usage: Any, tmp_path: Path) -> None:
    answer = {**completion('{"answer": "a"}'), "usage": usage, "model": None}
    with served(then=sends(answer)) as server, asked(tmp_path, endpoint(server.url)) as line:
        outcome = line.ask(question())
    assert isinstance(outcome, Reply)
    assert (outcome.usage, outcome.model) == (None, "")


def test_the_largest_count_is_a_count(tmp_path: Path) -> None:
    usage = {"prompt_tokens": MOST_TOKENS, "completion_tokens": 0}
    answer = {**completion('{"answer": "a"}'), "usage": usage}
    with served(then=sends(answer)) as server, asked(tmp_path, endpoint(server.url)) as line:
        outcome = line.ask(question())
    assert isinstance(outcome, Reply)
    assert outcome.usage is not None
    assert outcome.usage.prompt == MOST_TOKENS


# Patience and pace ---------------------------------------------------------------------------------------------------


def test_waiting_for_a_turn_takes_nothing_from_the_seconds_of_a_reply(tmp_path: Path) -> None:
    """The third waits 0.8 s for its turn, fails once, and has 0.7 s."""
    patience = Patience(attempts=2, seconds=0.7, first_wait=0.01, longest_wait=0.01)
    place = {"per_minute": 150, "total_seconds": 0.5, "connect_seconds": 0.5, "patience": patience}
    with served(good, good, refuses(500), good) as server, asked(tmp_path, endpoint(server.url, **place)) as line:
        outcomes = [outcome for _, outcome in line.ask_all(map(question, "abc"), at_once=3)]
    assert [type(each) for each in outcomes] == [Reply] * 3


@pytest.mark.parametrize(
    "other", [{"temperature": Decimal(1)}, {"max_tokens": 50}, {"per_minute": 0}, {"total_seconds": 9}]
)
def test_all_lines_to_a_server_share_its_limit_whatever_else_they_differ_in(
    other: dict[str, Any], tmp_path: Path
) -> None:
    with served() as server, opened(tmp_path) as desk:
        settings = {"per_minute": 600}
        places = [endpoint(server.url, **settings), endpoint(server.url + "/", **{**settings, **other})]
        lines = [desk.line("draft", name, place) for name, place in zip(("drafter", "renderer"), places, strict=True)]
        started = time.monotonic()
        for number in range(6):
            asked_for = replace(question(str(number)), sampling=places[number % 2].sampling())
            assert isinstance(lines[number % 2].ask(asked_for), Reply)
    assert time.monotonic() - started >= 0.5


# What repeats --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [says(""), says('{"answer": "a', "length"), says(None, refusal="no")])
def test_the_same_useless_reply_twice_is_asked_for_no_more(step: Step, tmp_path: Path) -> None:
    patience = Patience(attempts=9, seconds=30, first_wait=0.01, longest_wait=0.01)
    with served(then=step) as server, asked(tmp_path, endpoint(server.url, patience=patience)) as line:
        first, again = line.ask(question()), line.ask(question())
    assert len(server.bodies) == 2
    assert isinstance(first, Fault)
    assert first == again
    assert first.detail.endswith("(attempts: 2, the last two alike)")


def test_useless_replies_that_differ_are_asked_for_to_the_end(tmp_path: Path) -> None:
    steps = [says(f"Sorry, {number % 2}.") for number in range(8)]
    patience = Patience(attempts=5, seconds=30, first_wait=0.01, longest_wait=0.01)
    place = {"patience": patience, "structure": Structure.TEXT}
    with served(*steps) as server, asked(tmp_path, endpoint(server.url, **place)) as line:
        assert isinstance(line.ask(question()), Fault)
    assert len(server.bodies) == 5


def test_the_same_reply_to_another_way_of_asking_is_no_repetition(tmp_path: Path) -> None:
    with served(then=says("Sorry.")) as server, asked(tmp_path, endpoint(server.url)) as line:
        assert isinstance(line.ask(question()), Fault)
    assert [json.dumps(body.get("response_format", {}).get("type")) for body in server.bodies] == [
        '"json_schema"', '"json_object"', "null",
    ]  # fmt: skip
