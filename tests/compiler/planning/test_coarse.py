"""Coarse knowledge: true, never exact, and silent about the side of the value."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction
from random import Random

import pytest

from tests.rendered_groups import GRANT, SUPERINTENDENT, family_of
from unco.compiler.planning.coarse import coarsen
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, NumberDomain
from unco.specs.evidence import NOTHING, Between, Exact, OneOf, agrees
from unco.specs.values import PLAIN, CategoryType, Value

COUNTS = NumberDomain(Fraction(0), Fraction(60), Fraction(1), PLAIN)
LETTERS = CategoryDomain(CategoryType(tuple("abcde")), tuple("abcde"))
DAYS = DateDomain(date(2026, 1, 1), date(2026, 12, 31))


@pytest.mark.parametrize("path", [SUPERINTENDENT, GRANT], ids=lambda path: path.stem)
def test_coarse_knowledge_is_true_and_never_exact(path: object) -> None:
    for slot, domain in family_of(path).domains.items():  # type: ignore[arg-type]
        turn = domain.value(domain.size // 3)
        for number in range(30):
            rng = Random(f"{slot}/{number}")
            value = domain.value(rng.randrange(domain.size))
            known = coarsen(domain, value, lambda each, turn=turn: each == turn, (domain.size // 3,), rng)  # type: ignore[misc]
            assert known is not None
            assert agrees(known, value)
            assert not isinstance(known, Exact)
            assert (
                known == NOTHING
                or (isinstance(known, Between) and known.low != known.high)
                or (isinstance(known, OneOf) and len(set(known.values)) > 1)
            )


def test_a_boolean_can_only_be_left_out() -> None:
    assert coarsen(BooleanDomain(), True, bool, (), Random(0)) == NOTHING


@pytest.mark.parametrize("value", [0, 19, 20, 21, 60])
def test_an_interval_holds_values_on_both_sides_of_where_the_rules_turn(value: int) -> None:
    for number in range(40):
        known = coarsen(COUNTS, value, lambda each: each >= 20, (), Random(number))  # type: ignore[operator]
        assert isinstance(known, Between)
        assert agrees(known, 19)
        assert agrees(known, 20)


def test_a_band_between_two_thresholds_is_left_open_at_one_of_them() -> None:
    def inside(value: Value) -> bool:
        return 20 <= value <= 40  # type: ignore[operator]

    for number in range(40):
        known = coarsen(COUNTS, 30, inside, (20, 40), Random(number))
        assert known is not None
        assert (agrees(known, 19) and agrees(known, 20)) or (agrees(known, 40) and agrees(known, 41))


def test_values_as_far_on_either_side_are_told_by_the_same_intervals() -> None:
    told: dict[int, Counter[object]] = {27: Counter(), 32: Counter()}
    for value, found in told.items():
        for number in range(400):
            found[coarsen(COUNTS, value, lambda each: each >= 30, (), Random(number))] += 1  # type: ignore[operator]
    assert told[27] == told[32]


def test_a_set_is_as_likely_to_come_from_either_kind() -> None:
    """Kinds of two and three letters, each kind as likely: of each set half come from the one."""
    passing: Counter[object] = Counter()
    drawn: Counter[object] = Counter()
    rng = Random(8)
    for _ in range(6_000):
        value = rng.choice(rng.choice(("ab", "cde")))
        known = coarsen(LETTERS, value, lambda each: each in ("a", "b"), (), rng)
        assert isinstance(known, OneOf)
        counts = tuple(sum((each in "ab") is kind for each in known.values) for kind in (True, False))
        assert all(counts)
        assert counts != (2, 3)
        drawn[counts] += 1
        passing[counts] += value in "ab"
    assert len(drawn) == 5
    assert all(abs(2 * passing[each] - drawn[each]) < 4 * drawn[each] ** 0.5 for each in drawn)


def test_a_set_without_kinds_holds_each_of_its_values_as_often() -> None:
    rng, first = Random(9), Counter[bool]()
    for _ in range(2_000):
        known = coarsen(LETTERS, rng.choice("abcde"), lambda _: True, (), rng)
        assert isinstance(known, OneOf)
        first[len(known.values) == len(LETTERS.values)] += 1
    assert first[False] == 2_000


def test_an_end_that_is_not_legal_moves_to_a_natural_value_that_is() -> None:
    for number in range(200):
        value = Random(number).randint(20, 35)
        known = coarsen(COUNTS, value, lambda each: each >= 30, (), Random(number), lambda each: 17 <= each <= 35)  # type: ignore[operator]
        assert known is None or (isinstance(known, Between) and 17 <= known.low < known.high <= 35)  # type: ignore[operator]
        assert known is not None or value == 35
        assert known is None or agrees(known, value)


def test_a_set_holds_no_value_that_is_not_legal_and_what_stays_alone_is_not_told() -> None:
    for number in range(200):
        known = coarsen(LETTERS, "b", lambda each: each in {"a", "b"}, (), Random(number), lambda each: each != "c")
        assert isinstance(known, OneOf)
        assert "b" in known.values
        assert "c" not in known.values
    assert coarsen(LETTERS, "b", lambda each: each == "b", (), Random(0), lambda each: each == "b") is None
    assert coarsen(COUNTS, 7, lambda each: each == 7, (7,), Random(0), lambda each: each == 7) is None


def test_a_window_of_dates_is_often_one_of_whole_months_and_may_end_with_the_year() -> None:
    whole = 0
    for number in range(200):
        value = DAYS.value(Random(number).randrange(DAYS.size))
        known = coarsen(DAYS, value, lambda each: each <= date(2026, 8, 1), (), Random(number))  # type: ignore[operator]
        assert isinstance(known, Between)
        assert isinstance(known.low, date)
        assert isinstance(known.high, date)
        assert DAYS.low <= known.low <= date(2026, 8, 1) < known.high <= DAYS.high
        months = known.low.day == 1 and date.fromordinal(known.high.toordinal() + 1).day == 1
        whole += months
        assert known.low.day in (1, 16)
        assert date.fromordinal(known.high.toordinal() + 1).day in (1, 16)
    assert 80 < whole < 160
