"""How a build ends that could not make what was planned, and what it says of it."""

from __future__ import annotations

import pytest

from tests.small_families import small
from unco.cli.build import _exit
from unco.cli.exits import Exit
from unco.compiler.running.footing import Footing
from unco.compiler.running.tally import Summary, Tally
from unco.specs.rejection import Rejection

WANTED = 2


def ended(
    kept: list[str],
    lost: list[tuple[str, str]],
    capsys: pytest.CaptureFixture[str],
    rejected: dict[str, str] | None = None,
    outside: str = "",
) -> tuple[Exit, str]:
    """The exit and what is said where groups of these kinds are retained, and these codes and kinds rejected."""
    tally = Tally()
    for kind in kept:
        tally.retain(kind)
        tally.footings.add(Footing(outside))
    for index, (code, kind) in enumerate(lost):
        tally.reject(Rejection("instantiate", code, f"reason {index}", "small", index, planned=kind))
    found = _exit(Summary((small(),), (tally,), WANTED, {}, ({"rejection": rejected},)))
    return found, capsys.readouterr().err


def test_a_plan_of_winners_that_is_never_met_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    found, said = ended(["nobody", "nobody"], [("UNC413", "winner"), ("UNC413", "winner")], capsys)
    assert found is Exit.REJECTED
    assert said == (
        "small: no group in which somebody wins is retained: 2 were planned and rejected, as by UNC413: reason 0\n"
    )


def test_a_kind_that_was_not_planned_is_not_missed(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(["nobody", "nobody"], [], capsys) == (Exit.OK, "")


def test_a_plan_that_is_met_now_and_then_is_told_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    found, said = ended(["winner", "nobody"], [("UNC413", "winner")], capsys)
    assert found is Exit.OK
    assert said == "small: 1 of the candidate groups was rejected, as by UNC413: reason 0\n"


def test_groups_that_are_missing_are_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    found, said = ended(["winner"], [("UNC505", "winner")], capsys)
    assert found is Exit.REJECTED
    assert said.count("UNC505: reason 0") == 1


def test_where_nothing_is_retained_no_kind_is_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    found, said = ended([], [("UNC413", "winner"), ("UNC413", "nobody")], capsys)
    assert found is Exit.REJECTED
    assert said.count("\n") == 1


def test_what_was_not_decided_is_no_rejection(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(["nobody", "nobody"], [("UNC510", "winner")], capsys)[0] is Exit.UNKNOWN


def test_a_family_that_is_not_proved_is_told_and_what_stands_is_built(capsys: pytest.CaptureFixture[str]) -> None:
    refuted = {"code": "UNC503", "detail": "it fails in some group"}
    found, said = ended(["winner", "nobody"], [], capsys, refuted)
    assert found is Exit.OK
    assert (
        said
        == "small: not proved for every group: UNC503: it fails in some group; what stands is built group by group\n"
    )


def test_groups_outside_the_proved_space_are_told_with_the_reason_of_the_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found, said = ended(["winner", "nobody"], [], capsys, outside="pass mark is 2")
    assert found is Exit.OK
    assert said == (
        "small: 2 of 2 groups outside the space of the family proof, so that every claim was decided there: "
        "pass mark is 2\n"
    )
