"""Runs that ask LLMs, over real HTTP: what is retained, what a faulty server does, and that nothing is paid twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from tests.llm.faulty_server import Body, Handler, Step, gathers, hangs, refuses, says, served, slowly
from tests.llm.hanging import timed_out_by
from tests.runs import dataset, families, in_child, kill_myself, needs_fork
from tests.scripted_llm import LLM_OURS, PATIENCE, Said, asked_run, is_validation, lines, options, replies
from unco.compiler.running.conversation import Conversation
from unco.compiler.validating.asking import TRIES
from unco.compiler.validating.subject import RUNS
from unco.compiler.verify import Fault, verify
from unco.llm.budget import Budget
from unco.llm.endpoint import Structure
from unco.llm.protocol import LlmError
from unco.specs.errors import UsageError

pytestmark = pytest.mark.usefixtures("quick")
TEXT = Structure.TEXT
"""Servers that take no schema: then none has to be found out."""
GROUPS = 4
"""Two of each of two families."""


def wrong(said: Said) -> None:
    """The winner's result is another; where nobody wins, the reply stays right."""
    if said["result"] != "none":
        said["result"] = said["result"].replace("1", "7") if "1" in said["result"] else f"1{said['result']}"


def unreadable(said: Said) -> None:
    said |= {"decision": said["decision"], "result": "about a lot" if said["result"] != "none" else "none"}


def faults_of(folder: Path) -> list[Fault]:
    told: list[Fault] = []
    verify(folder, families(), told.append)
    return told


def test_a_group_is_retained_after_three_right_replies_each_paid_once(tmp_path: Path) -> None:
    with served(then=replies()) as server:
        summary = asked_run(tmp_path / "out", options(server.url))
        assert (summary.retained, len(server.bodies)) == (GROUPS, GROUPS * RUNS)
        asked_run(tmp_path / "out", options(server.url))
        assert len(server.bodies) == GROUPS * RUNS
    groups = lines(tmp_path / "out", "groups.jsonl")
    assert {json.dumps(each["validation"]) for each in groups} == {'{"by": "small", "runs": 3}'}
    assert faults_of(tmp_path / "out") == []


def test_the_same_replies_make_the_same_bytes_at_another_address(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with served(then=replies()) as server:
            asked_run(tmp_path / name, options(server.url, renderer=True))
    assert dataset(tmp_path / "one", LLM_OURS) == dataset(tmp_path / "two", LLM_OURS)
    manifest = json.loads((tmp_path / "one" / "manifest.json").read_text())
    assert manifest["renderer"]["model"] == manifest["validator"]["model"] == "small"
    assert "127.0.0.1" not in (tmp_path / "one" / "manifest.json").read_text()


def test_another_llm_is_another_run(tmp_path: Path) -> None:
    with served(then=replies()) as server:
        asked_run(tmp_path / "out", options(server.url))
        with pytest.raises(UsageError, match="validator max_tokens: found 100, expected 50"):
            asked_run(tmp_path / "out", options(server.url, max_tokens=50))
        with pytest.raises(UsageError, match="renderer: found null"):
            asked_run(tmp_path / "out", options(server.url, renderer=True))


def test_texts_are_reworded_by_the_renderer_and_read_the_same_facts(tmp_path: Path) -> None:
    with served(then=replies()) as server:
        assert asked_run(tmp_path / "out", options(server.url, renderer=True)).retained == GROUPS
        kinds = [is_validation(body) for body in server.bodies]
    records = [entry["text"] for task in lines(tmp_path / "out", "tasks.jsonl")
               for role in task["private"]["records"] for entry in role["entries"]]  # fmt: skip
    assert all(text.startswith("The file on ") for text in records)
    reworded = [each["reworded"] for each in lines(tmp_path / "out", "groups.jsonl")]
    assert [(each["by"], each["repaired"], each["by_template"]) for each in reworded] == [("small", 0, 0)] * GROUPS
    assert 0 < kinds.count(False) <= sum(each["requests"] for each in reworded)
    assert faults_of(tmp_path / "out") == []


@pytest.mark.parametrize("choice", ["template", "reject"])
def test_an_unfaithful_text_is_repaired_once_then_the_template_s_or_a_rejection(tmp_path: Path, choice: str) -> None:
    def unfaithful(said: Said) -> None:
        if "sentences" in said:
            said["sentences"] = {name: f"{form} Surely not." for name, form in said["sentences"].items()}

    chosen = {"renderer": True, "validator": False, "on_unfaithful": choice}
    with served(then=replies(unfaithful)) as server:
        summary = asked_run(tmp_path / "out", options(server.url, groups=1, **chosen))
        repairs = [body for body in server.bodies if len(body["messages"]) > 2]
    assert repairs
    if choice == "template":
        reworded = [each["reworded"] for each in lines(tmp_path / "out", "groups.jsonl")]
        assert summary.retained == 2
        assert all(each["by_template"] == each["repaired"] == each["requests"] - 1 for each in reworded)
    else:
        rejected = lines(tmp_path / "out", "rejections.jsonl")
        assert summary.retained == 0
        assert {(each["phase"], each["code"]) for each in rejected} == {("render", "UNC608")}


def test_a_wrong_answer_is_a_rejection_whose_transcript_blames_the_validator(tmp_path: Path) -> None:
    with served(then=replies(wrong)) as server:
        summary = asked_run(tmp_path / "out", options(server.url, groups=1))
    rejected = [each for each in lines(tmp_path / "out", "rejections.jsonl") if each["phase"] == "validate"]
    transcripts = lines(tmp_path / "out", "transcripts.jsonl")
    assert {each["code"] for each in rejected} == {"UNC609"}
    assert [each["index"] for each in transcripts] == [each["index"] for each in rejected]
    assert {(each["blame"]["on"], each["blame"]["reader"]) for each in transcripts} == {("the validator", "right")}
    assert {run["verdict"] for each in transcripts for run in each["runs"]} == {"wrong"}
    assert summary.phases[3].phase == "validate"
    assert summary.phases[3].rejected == len(rejected) > 0
    assert faults_of(tmp_path / "out") == []


def test_an_answer_that_cannot_be_read_is_asked_again_and_never_wrong(tmp_path: Path) -> None:
    unread = {"left": 2}

    def at_first(said: Said) -> None:
        if said["result"] != "none" and unread["left"]:
            unread["left"] -= 1
            unreadable(said)

    with served(then=replies(at_first)) as server:
        assert asked_run(tmp_path / "out", options(server.url)).retained == GROUPS
        assert len(server.bodies) == GROUPS * RUNS + 2
    with served(then=replies(unreadable)) as server:
        asked_run(tmp_path / "never", options(server.url, groups=1))
    rejected = [each for each in lines(tmp_path / "never", "rejections.jsonl") if each["phase"] == "validate"]
    assert {each["code"] for each in rejected} == {"UNC610"}
    assert TRIES == 3


@pytest.mark.parametrize(
    ("step", "code"),
    [(says('{"verdict": "yes"}'), "UNC812"), (says('{"facts": [', "length"), "UNC810"), (says(""), "UNC809")],
)
def test_a_useless_reply_is_tried_again_and_then_a_coded_rejection(tmp_path: Path, step: Step, code: str) -> None:
    with served(step, step, then=replies()) as server:
        assert asked_run(tmp_path / "passing", options(server.url, groups=1, structure=TEXT)).retained == 2
        assert len(server.bodies) == 2 * RUNS + 2
    count = {"left": 3 * RUNS}

    def useless_for_one_group(handler: Handler, body: Body) -> None:
        count["left"] -= 1
        (step if count["left"] >= 0 else replies())(handler, body)

    with served(then=useless_for_one_group) as server:
        chosen = options(server.url, groups=1, structure=TEXT)
        asked_run(tmp_path / "out", chosen)
    rejected = [each for each in lines(tmp_path / "out", "rejections.jsonl") if each["phase"] == "validate"]
    assert {each["code"] for each in rejected} <= {code}
    assert len(lines(tmp_path / "out", "transcripts.jsonl")) == len(rejected)


@pytest.mark.parametrize(
    ("step", "code"),
    [(refuses(429, "slow down", Retry_After="3600"), "UNC803"), (refuses(401, "no"), "UNC801"), (hangs, "UNC805"),
     (refuses(500, "no"), "UNC804")],
)  # fmt: skip
def test_a_server_at_fault_ends_the_run_with_its_code_and_the_same_command_goes_on(
    tmp_path: Path, step: Step, code: str
) -> None:
    good: list[Step] = [replies()] * 5
    with served(then=replies()) as server:
        asked_run(tmp_path / "calm", options(server.url))
    once = {"patience": replace(PATIENCE, attempts=1)}
    with served(*good, then=step) as server, timed_out_by(server), pytest.raises(LlmError) as raised:
        asked_run(tmp_path / "out", options(server.url, **once))
    assert raised.value.code == code
    with served(then=replies()) as server:
        asked_run(tmp_path / "out", options(server.url))
        assert len(server.bodies) == GROUPS * RUNS - 5
    assert dataset(tmp_path / "out", LLM_OURS) == dataset(tmp_path / "calm", LLM_OURS)


def test_attempts_in_vain_before_a_stop_are_not_made_again_and_come_to_the_same_bytes(tmp_path: Path) -> None:
    """To one question in four, by its text, the LLM never says anything."""

    def often_silent(handler: Handler, body: Body) -> None:
        number = sha256(body["messages"][-1]["content"].encode()).digest()[0]
        (replies() if number % 4 else says(""))(handler, body)

    with served(then=often_silent) as server:
        asked_run(tmp_path / "calm", options(server.url, structure=TEXT))
        calls = len(server.bodies)
    assert {each["code"] for each in lines(tmp_path / "calm", "rejections.jsonl")} == {"UNC809"}
    for before in (2, 9):
        out = tmp_path / str(before)
        with served(*[often_silent] * before, then=refuses(401)) as server, pytest.raises(LlmError, match="UNC801"):
            asked_run(out, options(server.url, structure=TEXT))
        with served(then=often_silent) as server:
            asked_run(out, options(server.url, structure=TEXT))
            assert len(server.bodies) == calls - before
        assert dataset(out, LLM_OURS) == dataset(tmp_path / "calm", LLM_OURS)


def test_a_budget_that_is_spent_ends_the_run_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    with served(then=replies()) as server:
        asked_run(tmp_path / "calm", options(server.url))
    with served(then=replies(tokens=3_000)) as server:
        chosen = options(server.url, budget=Budget(tokens=20_000))
        with pytest.raises(LlmError, match="UNC815"):
            asked_run(tmp_path / "out", chosen)
        paid = len(server.bodies)
        assert not (tmp_path / "out" / "manifest.json").exists()
        asked_run(tmp_path / "out", options(server.url, budget=Budget(tokens=2_000_000)))
        assert 0 < paid < len(server.bodies) == GROUPS * RUNS
    assert dataset(tmp_path / "out", LLM_OURS) == dataset(tmp_path / "calm", LLM_OURS)


@needs_fork
def test_a_run_that_is_killed_while_it_asks_pays_again_at_most_for_what_was_under_way(tmp_path: Path) -> None:
    with served(then=replies()) as server:
        asked_run(tmp_path / "calm", options(server.url))
    for after in (1, 6):
        folder = tmp_path / str(after)
        with served(then=slowly(replies(), 0.02)) as server:

            def go_until_killed(url: str = server.url, after: int = after, folder: Path = folder) -> None:
                heard = Conversation._answers  # the process is killed when so many replies were taken in

                def killing(*arguments: object) -> object:
                    for number, each in enumerate(heard(*arguments)):  # type: ignore[arg-type]
                        if number == after:
                            kill_myself()
                        yield each

                Conversation._answers = killing  # type: ignore[assignment, method-assign]
                asked_run(folder, options(url))

            assert in_child(go_until_killed) == 9
            before = len(server.bodies)
            asked_run(folder, options(server.url))
            assert before >= after
            assert len(server.bodies) - before <= GROUPS * RUNS - after
        assert dataset(folder, LLM_OURS) == dataset(tmp_path / "calm", LLM_OURS)


def test_more_groups_are_asked_for_later_without_paying_for_the_first_again(tmp_path: Path) -> None:
    with served(then=replies()) as server:
        chosen: Callable[[int], object] = lambda groups: asked_run(tmp_path / "out", options(server.url, groups=groups))  # noqa: E731
        chosen(1)
        chosen(2)
        assert len(server.bodies) == GROUPS * RUNS
        with pytest.raises(UsageError, match="--groups 2"):
            chosen(1)


def test_a_wave_of_groups_is_asked_about_together(tmp_path: Path) -> None:
    with served(then=gathers(4, replies())) as server:
        asked_run(tmp_path / "out", replace(options(server.url), groups=3))
        assert server.most_at_once == 4
