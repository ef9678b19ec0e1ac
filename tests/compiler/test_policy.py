"""The response policy: every row of the table of section 9 of the design."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.small_families import family, instance_of, small, specification
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge
from unco.specs.family import Cell
from unco.specs.group import Harmless, Incomplete, Misaligned, Missed
from unco.specs.policy import Aim, Defect, Delivery, Reply, Request, respond

FAMILY = small()
# score, licence, fee this year, fee last year
INSTANCE = instance_of(FAMILY, (3, True, 1, 3), (0, True, 2, 2))
DECOY = Misaligned("fee", "last")
COARSE = Incomplete("fee", {Cell(0, "fee", 0, "this"): Between(1, 2), Cell(1, "fee", 0, "this"): NOTHING})
SILENT = Missed("till")
ALL = frozenset((0, 1))
TARGETED = Aim.TARGETED


def fees(context: str, candidates: frozenset[int] = ALL) -> dict[Cell, Knowledge]:
    cells = [Cell(number, "fee", 0, context) for number in sorted(candidates)]
    return {cell: Exact(INSTANCE.cells[cell]) for cell in cells}


def replies(defect: Defect, *requests: Request) -> list[Reply]:
    """What the till answers to the requests, one after the other."""
    memory, found = Delivery(), []
    for request in requests:
        reply, memory = respond(FAMILY, INSTANCE, "till", defect, memory, request)
        found.append(reply)
    return found


RIGHT, OTHER, VAGUE, NONE = Reply(fees("this")), Reply(fees("last")), Reply(COARSE.coarse), Reply({}, silent=True)


@pytest.mark.parametrize(
    ("defect", "first", "generic", "targeted"),
    [
        (None, RIGHT, RIGHT, RIGHT),
        (DECOY, OTHER, OTHER, RIGHT),
        (COARSE, VAGUE, VAGUE, RIGHT),
        (SILENT, NONE, RIGHT, RIGHT),
    ],
    ids=["Reliable", "Misaligned", "Incomplete", "Missed"],
)
@pytest.mark.parametrize("attributes", [None, frozenset({"fee"})], ids=["everything", "the target"])
@pytest.mark.parametrize("first_aim", list(Aim))
def test_each_row_of_the_table(
    defect: Defect, first: Reply, generic: Reply, targeted: Reply, attributes: frozenset[str] | None, first_aim: Aim
) -> None:
    made = [Request(1, attributes, aim=first_aim), Request(2, attributes), Request(3, attributes, aim=TARGETED)]
    assert replies(defect, *made) == [first, generic, targeted]


@pytest.mark.parametrize("defect", [DECOY, COARSE, SILENT])
def test_a_repair_counts_only_from_a_later_action(defect: Defect) -> None:
    first, same_action, later = replies(defect, Request(1), Request(1, aim=TARGETED), Request(2, aim=TARGETED))
    assert first == same_action != RIGHT
    assert later == RIGHT


@pytest.mark.parametrize("other", [Request(1, frozenset({"score"})), Request(1, candidates=frozenset())])
def test_a_request_that_does_not_cover_the_target_leaves_the_defect_armed(other: Request) -> None:
    assert replies(DECOY, other, Request(2, aim=TARGETED)) == [Reply({}), OTHER]


def test_another_role_is_reliable() -> None:
    reply, memory = respond(FAMILY, INSTANCE, "marks", DECOY, Delivery(), Request(1))
    assert (reply.cells, memory) == ({Cell(n, "score", 0, ""): Exact((3, 0)[n]) for n in (0, 1)}, Delivery())


@pytest.mark.parametrize("aim", list(Aim))
def test_a_first_request_that_names_the_right_context_is_remembered_as_such(aim: Aim) -> None:
    _, memory = respond(FAMILY, INSTANCE, "till", DECOY, Delivery(), Request(4, aim=aim))
    _, again = respond(FAMILY, INSTANCE, "till", DECOY, memory, Request(5, aim=TARGETED))
    assert memory == again == Delivery(4, aim is TARGETED)


def test_a_request_for_some_candidates_is_answered_for_those_alone() -> None:
    one = frozenset({1})
    assert replies(DECOY, Request(1, candidates=one)) == [Reply(fees("last", one))]
    assert replies(DECOY, Request(1, candidates=one), Request(2, aim=TARGETED))[1] == RIGHT


def test_the_contexts_that_are_named_are_given_and_only_the_required_one_is_the_target() -> None:
    last, this, both = (Request(1, contexts=frozenset(names)) for names in (["last"], ["this"], ["this", "last"]))
    assert [replies(None, each)[0].cells for each in (last, this, both)] == [
        fees("last"), fees("this"), fees("this") | fees("last")
    ]  # fmt: skip
    assert replies(DECOY, this) == replies(DECOY, both) == [OTHER]
    assert replies(COARSE, last, Request(2)) == [OTHER, VAGUE]


def test_a_coarse_reply_without_a_word_on_a_candidate_says_nothing_of_it() -> None:
    partial = Incomplete("fee", {Cell(0, "fee", 0, "this"): Between(1, 2)})
    assert replies(partial, Request(1)) == [VAGUE]


# What is harmless ----------------------------------------------------------------------------------------------------

MONEY: dict[str, Any] = {"owner": "till", "type": "count", "range": [1, 9], "distractor": True}
YEARS = {"kind": "year", "required": "this", "others": ["last", "first"]}
WIDER = family(
    specification(
        attributes={
            **specification().dump()["attributes"],
            "toll": {"label": "toll", "context": YEARS, **MONEY},
            "stamp": {"label": "stamp", **MONEY},
        }
    )
)
# score, licence, fee this and last year, toll this, last and in the first year, stamp
HELD = instance_of(WIDER, (3, True, 1, 3, 4, 5, 6, 7), (0, True, 2, 2, 1, 2, 3, 4))
VAGUE_STAMP = Incomplete("stamp", {Cell(n, "stamp", 0, ""): Between(2, 8) for n in (0, 1)})
HARMLESS = Harmless((VAGUE_STAMP,), (("toll", "last"),))
REQUESTS = [
    Request(0, attributes, candidates, contexts, aim)
    for attributes in (None, frozenset({"toll"}), frozenset({"stamp"}), frozenset({"fee", "toll"}))
    for candidates in (None, frozenset({1}))
    for contexts in (None, frozenset({"this"}), frozenset({"last"}), frozenset({"this", "first"}))
    for aim in Aim
]


def told(defect: Defect, *requests: Request, harmless: Harmless = HARMLESS) -> list[Reply]:
    memory, found = Delivery(), []
    for number, request in enumerate(requests, 1):
        made = replace(request, action=number)
        reply, memory = respond(WIDER, HELD, "till", defect, memory, made, harmless)
        found.append(reply)
    return found


def harmless_part(reply: Reply) -> dict[Cell, Knowledge]:
    """What a reply says of the attributes that no defect is about."""
    return {cell: known for cell, known in reply.cells.items() if cell.attribute != "fee"}


@pytest.mark.parametrize("defect", [DECOY, COARSE, Incomplete("fee", {}), SILENT], ids=str)
@pytest.mark.parametrize("first", REQUESTS, ids=range(len(REQUESTS)))
def test_what_is_harmless_is_the_same_in_every_setting_and_at_every_request(defect: Defect, first: Request) -> None:
    for second in REQUESTS:
        for reply, reliable in zip(told(defect, first, second), told(None, first, second), strict=True):
            assert reply.silent or harmless_part(reply) == harmless_part(reliable)


@pytest.mark.parametrize("request_", REQUESTS, ids=range(len(REQUESTS)))
def test_coarse_records_are_told_as_they_are_and_extras_where_no_context_is_named(request_: Request) -> None:
    (bare,), (reply,) = told(None, request_, harmless=Harmless()), told(None, request_)
    stamps = {cell for cell in bare.cells if cell.attribute == "stamp"}
    added = {cell for cell in reply.cells if cell not in bare.cells}
    assert {cell: reply.cells[cell] for cell in stamps} == {cell: VAGUE_STAMP.coarse[cell] for cell in stamps}
    assert set(bare.cells) <= set(reply.cells)
    tolls = {cell for cell in bare.cells if (cell.attribute, cell.context) == ("toll", "this")}
    unasked = {cell._replace(context="last") for cell in tolls} if request_.contexts is None else set()
    assert added == unasked
    assert all(reply.cells[cell] == Exact(HELD.cells[cell]) for cell in added)
