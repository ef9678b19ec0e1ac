"""The response policy: every row of the table of section 9 of the design."""

from __future__ import annotations

import pytest

from tests.small_families import instance_of, small
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge
from unco.specs.family import Cell
from unco.specs.group import Incomplete, Misaligned, Missed
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
