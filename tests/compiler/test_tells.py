"""tells: the counts that a reviewer looks at first."""

from __future__ import annotations

from typing import Any

from tests.compiler.test_guessing import BAD, GOOD, POOR, group_of, wide
from tests.small_families import small
from unco.compiler.guessing import Guessing, observe
from unco.specs.evidence import NOTHING, Between, OneOf
from unco.specs.family import Family
from unco.specs.group import CandidateGroup, Incomplete, Misaligned, Missed


def tells_of(family: Family, *groups: CandidateGroup) -> dict[str, dict[str, dict[str, int]]]:
    total = Guessing()
    for group in groups:
        total.add(observe(family, group))
    counted: dict[str, dict[str, dict[str, int]]] = total.report()["tells"]
    return counted


def silent(index: int, *rows: tuple[Any, ...]) -> CandidateGroup:
    return group_of(small(), index, *rows, missed=Missed("office"))


def test_winners_are_counted_by_position() -> None:
    found = tells_of(small(), silent(0, GOOD, POOR), silent(1, POOR, GOOD), silent(2, POOR, GOOD), silent(3, BAD, POOR))
    assert found["winner"] == {"position": {"1": 1, "2": 2, "none": 1}}


def test_losers_are_counted_by_the_conditions_that_they_fail_with_and_without_a_winner() -> None:
    found = tells_of(small(), silent(0, GOOD, POOR), silent(1, BAD, POOR), silent(2, BAD, BAD))
    assert found["failed conditions of losers"] == {
        "with a winner": {"3": 1},
        "without a winner": {"1": 3, "3": 1},
    }


def test_flips_are_told_apart() -> None:
    groups = [
        silent(0, GOOD, POOR),
        silent(1, BAD, POOR),
        silent(2, GOOD, BAD),
        group_of(small(), 3, (3, True, 1, 3), POOR, misaligned=Misaligned("fee", "last")),
        group_of(small(), 4, (3, True, 1, 2), POOR, misaligned=Misaligned("fee", "last")),
        group_of(small(), 5, GOOD, POOR, missed=Missed("till")),
    ]
    assert tells_of(small(), *groups)["flips"] == {
        "Misaligned": {"other result": 1, "to none": 1},
        "Missed": {"to a winner": 1, "to none": 1, "to none, other result": 1, "to none, other winner": 1},
    }


def test_a_winner_who_stays_the_winner_can_flip_to_another_result_alone() -> None:
    coarse = {cell: Between(10, 30) for cell in wide().cells if cell.attribute == "fee"}
    group = group_of(wide(), 0, (3, True, 20), (0, False, 20), incomplete=Incomplete("fee", coarse))
    assert tells_of(wide(), group)["flips"] == {"Incomplete": {"other result": 1}}


def test_targets_are_counted_by_specification_and_setting() -> None:
    groups = [
        silent(0, GOOD, POOR),
        group_of(small(), 1, GOOD, POOR, misaligned=Misaligned("fee", "last"), missed=Missed("till")),
    ]
    assert tells_of(small(), *groups)["targets"] == {
        "small, Misaligned": {"fee": 1},
        "small, Missed": {"office": 1, "till": 1},
    }


def test_the_place_of_a_value_in_its_interval_is_counted_in_tenths() -> None:
    fee_of = [cell for cell in wide().cells if cell.attribute == "fee"]
    coarse = dict(zip(fee_of, (Between(20, 39), Between(21, 40)), strict=True))
    group = group_of(wide(), 0, (3, True, 20), (0, False, 40), incomplete=Incomplete("fee", coarse))
    found = tells_of(wide(), group)["coarse replies"]
    assert found == {"kind": {"interval": 2}, "tenth of the interval": {"0": 1, "9": 1}}


def test_sets_and_omissions_are_counted() -> None:
    scores = [cell for cell in small().cells if cell.attribute == "score"]
    coarse = dict(zip(scores, (OneOf((1, 3)), NOTHING), strict=True))
    group = group_of(small(), 0, GOOD, POOR, incomplete=Incomplete("score", coarse))
    found = tells_of(small(), group)["coarse replies"]
    assert found == {"kind": {"omitted": 1, "set": 1}, "place in the set": {"2 of 2": 1}}


def test_margins_are_those_of_compared_values_by_who_holds_them() -> None:
    """Fees up to 2 are cheap and scores from 2 are good: in steps, 3 and 1 are at the edge of both."""
    found = tells_of(small(), silent(0, GOOD, POOR))["margins"]
    assert found == {"loser, condition fails": {"edge": 1, "far": 1}, "winner": {"edge": 2}}


def test_round_values_are_counted_for_targets_and_others() -> None:
    fee_of = [cell for cell in wide().cells if cell.attribute == "fee"]
    coarse = {cell: Between(10, 60) for cell in fee_of}
    group = group_of(wide(), 0, (3, True, 20), (0, False, 41), incomplete=Incomplete("fee", coarse))
    assert tells_of(wide(), group)["round values"] == {
        "targets": {"not": 1, "round": 1},
        "others": {"not": 1, "round": 1},
    }
