"""What a build comes to: counts by phase, and the rejection that is told of many."""

from __future__ import annotations

from unco.compiler.running.tally import Tally
from unco.specs.rejection import Rejection


def tally(*rejections: tuple[str, str]) -> Tally:
    made = Tally()
    for index, (code, detail) in enumerate(rejections):
        made.reject(Rejection("prove", code, detail, "crane-hire", index))
    return made


def test_the_rejection_that_is_told_is_of_the_commonest_code_and_the_first_of_it() -> None:
    assert tally(("UNC413", "a"), ("UNC505", "z"), ("UNC505", "b")).example == ("UNC505", "z")
    assert tally(("UNC505", "z"), ("UNC413", "b"), ("UNC413", "a")).example == ("UNC413", "b")


def test_of_codes_as_common_the_first_by_name_is_told() -> None:
    assert tally(("UNC505", "z"), ("UNC413", "b")).example == ("UNC413", "b")


def test_without_a_rejection_there_is_no_example() -> None:
    assert tally().example is None


def test_a_kind_is_unmet_where_it_was_planned_and_none_of_it_is_retained() -> None:
    made = Tally()
    for index, (code, kind) in enumerate([("UNC505", "winner"), ("UNC413", "winner"), ("UNC510", "nobody")]):
        made.reject(Rejection("prove", code, "why", "crane-hire", index, planned=kind))
    made.reject(Rejection("prove", "UNC502", "pinned", "crane-hire", 3))
    assert made.unmet == ("nobody", "winner")
    made.retain("nobody")
    assert made.unmet == ("winner",)
    assert (made.lost["winner"], made.losses["winner"]) == (2, "UNC505: why")
    made.retain("winner")
    assert made.unmet == ()
