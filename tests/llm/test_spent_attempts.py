"""A reply of no use was paid for: it counts as an attempt, whatever ends the process, and is never an answer."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.llm.asking import QUICK, asked, endpoint, question
from tests.llm.faulty_server import Body, Handler, Step, drops, good, refuses, says, served, slowly
from unco.llm.budget import Budget, most
from unco.llm.desk import opened
from unco.llm.endpoint import Patience
from unco.llm.protocol import Fault, LlmError, Outcome, Reply
from unco.llm.store_file import FILE
from unco.specs.errors import SpecificationError

ROOT = Path(__file__).parents[2]
ALL = QUICK.attempts
ENDS = refuses(401)
"""Ends the run, and was not paid for."""
USELESS = {
    "UNC809": says(""),
    "UNC810": says('{"answer": "a', "length"),
    "UNC811": says('{"answer": "a",}'),
    "UNC812": says('{"answer": 1}'),
    "UNC813": says(None, refusal="no"),
}
CALLS = {code: ALL if code in ("UNC811", "UNC812") else 2 for code in USELESS}
"""These are asked for in another way each time; the others end where the same came twice."""
WHOLE = most(question()).prompt + most(question()).completion


def outcome_in(folder: Path, url: str, patience: Patience = QUICK, budget: Budget = Budget()) -> Outcome:  # noqa: B008
    """What comes of the question in a process of its own."""
    with asked(folder, endpoint(url, patience=patience), budget) as line:
        return line.ask(question())


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE)) as connection, connection:
        connection.execute(statement)


def same(one: Outcome, other: Outcome) -> bool:
    """Whether nobody could tell them apart by what reaches a file."""
    assert isinstance(one, Fault)
    assert isinstance(other, Fault)
    return (one.kind, one.detail, one.text) == (other.kind, other.detail, other.text)


@pytest.mark.parametrize(("code", "before"), [(code, before) for code in CALLS for before in range(CALLS[code] + 1)])
def test_attempts_before_a_stop_stay_spent_and_come_to_the_same_reason(code: str, before: int, tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    with served(then=USELESS[code]) as server:
        whole = outcome_in(tmp_path / "whole", server.url)
    with served(*[USELESS[code]] * before, ENDS, then=USELESS[code]) as server:
        stopped = outcome_in(tmp_path, server.url)
        calls = len(server.bodies)
        resumed = outcome_in(tmp_path, server.url)
        again = outcome_in(tmp_path, server.url)
        assert len(server.bodies) == calls + CALLS[code] - before
    assert isinstance(stopped, Fault)
    assert stopped.code == ("UNC801" if before < CALLS[code] else code)
    assert whole.detail.endswith(f"(attempts: {CALLS[code]}{', the last two alike' * (CALLS[code] < ALL)})")  # type: ignore[union-attr]
    assert same(resumed, whole)
    assert same(again, whole)


@pytest.mark.parametrize("before", range(ALL))
def test_a_good_reply_to_a_later_attempt_counts_and_the_useless_ones_stay_for_the_audit(
    before: int, tmp_path: Path
) -> None:
    with served(*[USELESS["UNC811"]] * before, ENDS, good) as server:
        assert isinstance(outcome_in(tmp_path, server.url), Fault)
        for _ in range(2):
            found = outcome_in(tmp_path, server.url, Patience(attempts=max(before, 1) + 1))
            assert isinstance(found, Reply)
            assert found.content == {"answer": "q"}
        assert isinstance(outcome_in(tmp_path, server.url, Patience(attempts=1)), Reply)
        assert len(server.bodies) == before + 2
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        kept = connection.execute("SELECT text, prompt, completion FROM attempts WHERE code = 'UNC811'").fetchall()
    assert kept == [('{"answer": "a",}', 10, 5)] * before


def test_more_patience_goes_on_where_the_attempts_ended(tmp_path: Path) -> None:
    with served(then=USELESS["UNC811"]) as server:
        for attempts, calls in ((1, 1), (1, 1), (3, 3), (2, 3)):
            found = outcome_in(tmp_path, server.url, Patience(attempts, 30, 0.01, 0.01))
            assert isinstance(found, Fault)
            assert len(server.bodies) == calls
            assert found.detail.endswith(f"(attempts: {calls})")


@pytest.mark.parametrize("fails", [refuses(500), refuses(429), drops])
def test_a_server_at_fault_costs_no_attempt_and_changes_no_outcome(fails: Step, tmp_path: Path) -> None:
    """Before each reply it fails as often as is borne."""
    (tmp_path / "calm").mkdir()
    useless = USELESS["UNC812"]
    with served(then=useless) as server:
        calm = outcome_in(tmp_path / "calm", server.url)
    failing = [fails] * (ALL - 1)
    with served(*[*failing, useless] * ALL) as server:
        assert same(outcome_in(tmp_path, server.url), calm)
        assert len(server.bodies) == ALL * ALL


def test_faults_of_a_server_are_borne_anew_by_the_next_process(tmp_path: Path) -> None:
    with served(USELESS["UNC811"], *[refuses(500)] * (2 * ALL), then=good) as server:
        for calls in (1 + ALL, 1 + 2 * ALL):
            found = outcome_in(tmp_path, server.url)
            assert isinstance(found, Fault)
            assert found.code == "UNC804"
            assert len(server.bodies) == calls
        assert isinstance(outcome_in(tmp_path, server.url), Reply)


@pytest.mark.parametrize(("spare", "calls"), [(-1, 0), (0, 1), (14, 1)])
def test_a_budget_counts_what_was_spent_in_vain_before_the_stop(spare: int, calls: int, tmp_path: Path) -> None:
    """Two attempts took 15 tokens each."""
    useless = USELESS["UNC811"]
    with served(useless, useless, ENDS, then=useless) as server:
        outcome_in(tmp_path, server.url)
        budget = Budget(tokens=2 * 15 + WHOLE + spare)
        if calls:
            assert isinstance(outcome_in(tmp_path, server.url, budget=budget), Fault)
        else:
            with pytest.raises(LlmError, match="UNC815"):
                outcome_in(tmp_path, server.url, budget=budget)
        assert len(server.bodies) == 3 + calls
    with opened(tmp_path) as desk:
        (account,) = desk.accounts()
    assert (account.calls, account.tokens) == (3 + calls, 15 * (2 + calls))


def test_two_who_ask_the_same_share_its_attempts(tmp_path: Path) -> None:
    with served(then=slowly(USELESS["UNC811"], 0.02)) as server, opened(tmp_path) as desk:
        lines = [desk.line("draft", task, endpoint(server.url)) for task in ("drafter", "renderer")]
        runs = [line.ask_all([question()] * 5, at_once=5) for line in lines]
        outcomes = [outcome for run in zip(*runs, strict=True) for _, outcome in run]
    assert all(same(each, outcomes[0]) for each in outcomes)
    assert len(server.bodies) == ALL


def test_a_replay_gives_the_same_reason_and_asks_nobody(tmp_path: Path) -> None:
    with served(then=USELESS["UNC813"]) as server:
        found = outcome_in(tmp_path, server.url)
        with asked(tmp_path, endpoint(server.url), replay=True) as line:
            assert same(line.ask(question()), found)
    assert len(server.bodies) == CALLS["UNC813"]


@pytest.mark.parametrize("changed", ["text = 'b'", "detail = 'b'", "code = 'UNC812'", "prompt = 1", "digest = NULL"])
def test_a_stored_attempt_that_was_changed_is_damage(changed: str, tmp_path: Path) -> None:
    with served(then=USELESS["UNC811"]) as server:
        outcome_in(tmp_path, server.url)
        change(tmp_path, f"UPDATE attempts SET {changed} WHERE number = 2")
        with pytest.raises(SpecificationError, match="UNC704"):
            outcome_in(tmp_path, server.url)


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.llm.asking import asked, endpoint, question
from unco.llm.patient import Patient

def wait(self, attempt, fault):
    if attempt == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0

Patient._wait = wait
with asked(Path(sys.argv[2]), endpoint(sys.argv[1])) as line:
    line.ask(question())
"""


def test_kill_9_between_two_attempts_loses_none(tmp_path: Path) -> None:
    with served(then=USELESS["UNC811"]) as server:
        command = [sys.executable, "-c", KILLED, server.url, str(tmp_path)]
        killed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (killed.returncode, len(server.bodies)) == (-9, 2), killed.stderr
        assert isinstance(outcome_in(tmp_path, server.url), Fault)
        assert len(server.bodies) == ALL


# How the server was found to take a schema ---------------------------------------------------------------------------


def ignores_the_schema(handler: Handler, body: Body) -> None:
    """A server that gives an object only where the prompt shows the schema."""
    (good if "JSON Schema" in body["messages"][-1]["content"] else says("Sure!"))(handler, body)


def test_the_next_attempt_is_made_in_the_next_way(tmp_path: Path) -> None:
    two = Patience(2, 30, 0.01, 0.01)
    with served(ignores_the_schema, ENDS, then=ignores_the_schema) as server:
        assert isinstance(outcome_in(tmp_path, server.url, two), Fault)
        assert isinstance(outcome_in(tmp_path, server.url, two), Reply)
    assert [body.get("response_format", {}).get("type") for body in server.bodies[::2]] == [
        "json_schema",
        "json_object",
    ]


def test_a_way_that_brought_a_reply_is_where_the_next_process_begins(tmp_path: Path) -> None:
    once = Patience(attempts=1)
    with served(then=ignores_the_schema) as server:
        with asked(tmp_path, endpoint(server.url)) as line:
            assert isinstance(line.ask(question("one")), Reply)
        with asked(tmp_path, endpoint(server.url, patience=once)) as line:
            assert isinstance(line.ask(question("two")), Reply)
    assert len(server.bodies) == 3


def test_a_way_that_was_kept_to_is_not_left_for_one_bad_reply(tmp_path: Path) -> None:
    with served(good, USELESS["UNC811"]) as server:
        for text in ("one", "two"):
            with asked(tmp_path, endpoint(server.url)) as line:
                assert isinstance(line.ask(question(text)), Reply)
    assert [json.dumps(body["response_format"]["type"]) for body in server.bodies] == ['"json_schema"'] * 3


def test_another_server_that_refuses_the_known_way_is_asked_in_the_next(tmp_path: Path) -> None:
    def takes_text(handler: Handler, body: Body) -> None:
        (refuses(400) if "response_format" in body else good)(handler, body)

    with served() as server, asked(tmp_path, endpoint(server.url)) as line:
        assert isinstance(line.ask(question("one")), Reply)
    with served(then=takes_text) as server, asked(tmp_path, endpoint(server.url)) as line:
        assert isinstance(line.ask(question("two")), Reply)
