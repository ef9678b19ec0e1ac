"""A draft by an LLM goes on past what one request meets, keeps what was finished, and asks anew with other settings."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.compiler.llm_drafts import (
    PATIENCE,
    asked_for,
    broken,
    changed,
    drafted,
    drafts,
    drafts_what_fails,
    reply_to,
    server,
)
from tests.llm.faulty_server import Body, Handler, refuses, says, slowly
from unco.compiler.draft import RoundError
from unco.compiler.drafting.by_llm import HOPELESS
from unco.compiler.drafting.folder import opened
from unco.compiler.drafting.reply import MOST_ITEMS, _items, specification_of
from unco.llm.protocol import LlmError
from unco.specs.errors import SpecificationError, UsageError


def told(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "draft.json").read_text(encoding="utf-8"))
    return found


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "drafts.jsonl").read_text(encoding="utf-8").splitlines()]


def specs(folder: Path) -> set[str]:
    return {each.stem for each in (folder / "specs").iterdir()}


# A refused request ---------------------------------------------------------------------------------------------------


def test_a_request_that_is_refused_rejects_its_candidate_and_the_draft_goes_on(tmp_path: Path) -> None:
    def too_long(handler: Handler, body: Body) -> None:
        """A draft that has to be mended makes the next request too long."""
        (refuses(400, "context_length_exceeded") if len(body["messages"]) > 2 else drafts)(handler, body)

    with server(drafts, changed(roles=[]), then=too_long) as llm:
        found = drafted(tmp_path, llm.url, 2, at_once=1)
    assert [each.kept for each in found] == [True, False, True]
    assert found[1].rejection is not None
    assert found[1].rejection.code == "UNC108"
    assert "the repair brought nothing (UNC807" in found[1].rejection.detail


def test_a_first_request_that_is_refused_rejects_its_candidate_with_the_code(tmp_path: Path) -> None:
    with server(drafts, refuses(400, "content_filter"), then=drafts) as llm:
        found = drafted(tmp_path, llm.url, 3, at_once=1)
    assert [each.rejection and each.rejection.code for each in found] == [None, "UNC807", None, None]


def test_where_no_request_was_ever_taken_the_draft_ends_at_once(tmp_path: Path) -> None:
    with server(then=refuses(400, "content_filter")) as llm, pytest.raises(LlmError, match="UNC807"):
        drafted(tmp_path, llm.url, 3, at_once=1)
    assert lines(tmp_path) == []


# What was finished ---------------------------------------------------------------------------------------------------


def test_what_is_finished_of_a_round_is_there_before_the_run_ends_and_comes_out_the_same(tmp_path: Path) -> None:
    with server() as llm:
        drafted(tmp_path / "whole", llm.url, 5, at_once=3)
        order = list(dict.fromkeys(map(asked_for, llm.bodies)))
        last = {line["domain"]: line["number"] for line in lines(tmp_path / "whole")}

    def fails(handler: Handler, body: Body) -> None:
        (drafts if last[asked_for(body)[0]] < 4 else slowly(refuses(401), 0.2))(handler, body)

    assert len(order) == 5
    out = tmp_path / "out"
    with server(then=fails) as llm, pytest.raises(RoundError, match="UNC801") as raised:
        drafted(out, llm.url, 5, at_once=3)
    assert raised.value.by_settings
    assert [each.number for each in raised.value.made] == [3]
    assert (len(specs(out)), len(lines(out)), told(out)["whole"]) == (4, 4, 3)
    edited = out / "specs" / f"{lines(out)[3]['name']}.yaml"
    edited.write_text(edited.read_text(encoding="utf-8") + "\n# mine\n", encoding="utf-8")
    with server() as llm:
        drafted(out, llm.url, 5, at_once=3)
        assert len(llm.bodies) == 1
    assert lines(out) == lines(tmp_path / "whole")
    assert specs(out) == specs(tmp_path / "whole")
    assert edited.read_text(encoding="utf-8").endswith("# mine\n")
    assert "whole" not in told(out)


def test_a_round_that_ends_in_its_repairs_keeps_what_comes_before_them(tmp_path: Path) -> None:
    def breaks_the_last(handler: Handler, body: Body) -> None:
        if len(body["messages"]) > 2:
            refuses(401)(handler, body)
        else:
            number = len(handler.state.bodies)
            says(json.dumps(broken(body) if number == 2 else reply_to(body)))(handler, body)

    with server(then=breaks_the_last) as llm, pytest.raises(RoundError) as raised:
        drafted(tmp_path, llm.url, 2, at_once=1)
    assert [each.kept for each in raised.value.made] == []
    assert len(lines(tmp_path)) == 1


# A repair that brings nothing ----------------------------------------------------------------------------------------


def test_a_repair_that_repeats_the_first_reply_leaves_the_findings_of_the_first(tmp_path: Path) -> None:
    def same(handler: Handler, body: Body) -> None:
        first = body["messages"][2]["content"] if len(body["messages"]) > 2 else json.dumps(broken(body))
        says(first)(handler, body)

    with server(same, same, then=drafts) as llm:
        first, *_ = drafted(tmp_path, llm.url, 1, at_once=1)
    assert first.rejection is not None
    assert (first.rejection.phase, first.rejection.code, first.repaired) == ("check", "UNC201", True)
    assert "the repair brought nothing (UNC814" in first.rejection.detail
    assert first.specification is not None
    assert first.line["name"] == first.rejection.specification != ""
    assert "no_such_attribute" in (tmp_path / "rejected" / "0.yaml").read_text(encoding="utf-8")


# Size ----------------------------------------------------------------------------------------------------------------


def test_a_draft_of_too_many_parts_is_refused_before_it_is_read() -> None:
    reply = reply_to({"messages": [{}, {"content": ""}]})
    attribute = reply["attributes"][0]
    attributes = [{**attribute, "id": f"a{number}"} for number in range(20_000)]
    started = time.monotonic()
    with pytest.raises(SpecificationError) as raised:
        specification_of({**reply, "attributes": attributes}, Random(0))
    assert time.monotonic() - started < 2
    assert [each.code for each in raised.value.diagnostics] == ["UNC106"]
    for spare in (0, 1):
        few = {**reply, "people": "no", "names": []}
        full = {**few, "names": [f"N {number}" for number in range(MOST_ITEMS - _items(few) + spare)]}
        with pytest.raises(SpecificationError) as raised:
            specification_of(full, Random(0))
        assert ("too many parts" in raised.value.diagnostics[0].message) == bool(spare)


# Settings and text ---------------------------------------------------------------------------------------------------


def test_a_draft_goes_on_with_its_own_text_alone(tmp_path: Path) -> None:
    with server() as llm:
        drafted(tmp_path, llm.url, 1, source="Five years at sea.")
        assert len(told(tmp_path)["source"]) == 64
        for other in ("Six years at sea.", ""):
            with pytest.raises(UsageError, match="choose another folder with --out"):
                drafted(tmp_path, llm.url, 2, source=other)
        asked = len(llm.bodies)
        drafted(tmp_path, llm.url, 1, source="Five years at sea.")
        assert len(llm.bodies) == asked
    with pytest.raises(UsageError, match="was begun with --from"), opened(tmp_path):
        pass


def test_a_draft_tells_who_drafted_and_how_and_may_go_on_with_another(tmp_path: Path) -> None:
    with server() as llm:
        drafted(tmp_path, llm.url, 1)
        drafted(tmp_path, llm.url, 1, max_tokens=7_000)  # nothing is left to do
        drafted(tmp_path, llm.url, 2, max_tokens=9_000)
        drafted(tmp_path, llm.url, 3, max_tokens=9_000)
        host = llm.url.split("/")[2]
    sampling = {"by": "llm", "server": host, "model": "small", "temperature": None, "extra": "{}"}
    assert told(tmp_path)["drafters"] == [
        {"from": 0, **sampling, "max_tokens": 8_000},
        {"from": 1, **sampling, "max_tokens": 9_000},
    ]


def test_candidates_that_were_cut_off_are_asked_for_anew_once_more_is_allowed(tmp_path: Path) -> None:
    def allows(handler: Handler, body: Body) -> None:
        (drafts if body["max_tokens"] > 8_000 else says('{"title": "Cut', "length"))(handler, body)

    with server(then=allows) as llm:
        found = drafted(tmp_path, llm.url, 2, at_once=1)
        assert {each.rejection and each.rejection.code for each in found} == {"UNC810"}
        assert drafted(tmp_path, llm.url, 2, at_once=1) == []
        again = drafted(tmp_path, llm.url, 2, at_once=1, max_tokens=9_000)
    assert [each.kept for each in again] == [True, True]
    assert len(specs(tmp_path)) == 2


def test_what_an_earlier_drafter_failed_at_does_not_use_up_the_tries_of_the_next(tmp_path: Path) -> None:
    """One draft is wanted: eight tries in all."""

    def by_size(handler: Handler, body: Body) -> None:
        large = body["max_tokens"] > 8_000
        (drafts_what_fails if large else says('{"title": "Cut', "length"))(handler, body)

    with server(then=by_size) as llm:
        drafted(tmp_path, llm.url, 1, at_once=1)
        found = drafted(tmp_path, llm.url, 1, at_once=1, max_tokens=9_000)
    assert len(found) == 8
    assert {each.rejection and each.rejection.code for each in found} == {"UNC201"}


# What only apologises ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at_once", "count"), [(1, 1), (4, 20)])
def test_an_llm_that_never_drafts_is_given_up_after_some_candidates(tmp_path: Path, at_once: int, count: int) -> None:
    with server(then=says("I am sorry.")) as llm:
        found = drafted(tmp_path, llm.url, count, at_once=at_once)
        calls = len(llm.bodies)
        assert drafted(tmp_path, llm.url, count, at_once=at_once) == []
        assert len(llm.bodies) == calls
    assert len(found) == HOPELESS
    assert {each.rejection and each.rejection.code for each in found} == {"UNC811"}
    assert calls <= HOPELESS * PATIENCE.attempts


def test_one_draft_that_came_is_hope(tmp_path: Path) -> None:
    with server(drafts_what_fails, drafts_what_fails, then=says("I am sorry.")) as llm:
        found = drafted(tmp_path, llm.url, 1, at_once=1)
    assert len(found) == 8
