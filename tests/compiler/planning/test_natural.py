"""Natural values: the ladder of steps, and what is drawn from it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unco.compiler.planning.natural import (
    LEAST,
    WHOLE,
    around,
    draw,
    grid,
    ladder,
    nearest,
    rung_through,
    weighted,
)
from unco.specs.domains import CategoryDomain, DateDomain, NumberDomain
from unco.specs.values import PLAIN, CategoryType, Unit

MONEY = NumberDomain(Fraction(50_000), Fraction(300_000), Fraction(1), PLAIN)
TENTHS = NumberDomain(Fraction(12, 5), Fraction(16), Fraction(1, 10), PLAIN)
OFF_GRID = NumberDomain(Fraction(1, 3), Fraction(1, 3) + 500, Fraction(1), PLAIN)
steps = st.sampled_from([Fraction(1), Fraction(5), Fraction(1, 10), Fraction(1, 20), Fraction(25, 10)])
domains = st.builds(
    lambda low, size, step: NumberDomain(low * step, (low + size) * step, step, PLAIN),
    st.integers(-500, 500),
    st.integers(2, 5_000),
    steps,
)


def test_the_ladder_of_a_wide_amount_leaves_out_the_steps_that_people_do_not_use() -> None:
    assert ladder(MONEY) == (
        (20_000, 2), (10_000, 3), (5_000, 3), (2_000, 3), (1_000, 3), (500, 2), (200, 1), (1, 1),
    )  # fmt: skip


def test_rungs_are_multiples_on_the_absolute_grid() -> None:
    assert ladder(TENTHS) == ((10, 2), (5, 3), (2, 3), (1, 4))
    assert [TENTHS.value(index) for index in grid(TENTHS, 10)] == list(range(3, 17))
    assert [TENTHS.value(index) for index in grid(TENTHS, 5)][:3] == [Fraction(5, 2), 3, Fraction(7, 2)]


@pytest.mark.parametrize(
    "domain",
    [
        DateDomain(date(2020, 1, 1), date(2026, 1, 1)),
        NumberDomain(Fraction(0), Fraction(WHOLE - 1), Fraction(1), PLAIN),
        NumberDomain(Fraction(0), Fraction(365), Fraction(1), Unit((("clock", 1),), Fraction(86_400), "days")),
        NumberDomain(Fraction(0), Fraction(95), Fraction(1), Unit((("calendar", 1),), Fraction(12), "years")),
        OFF_GRID,
        CategoryDomain(CategoryType(("a", "b", "c")), ("a", "b", "c")),
    ],
    ids=["dates", "small", "days", "years", "off the grid", "category"],
)
def test_some_domains_have_their_own_step_alone(domain: NumberDomain) -> None:
    assert ladder(domain) == ((1, 1),)
    drawn = Counter(domain.index(draw(domain, Random(number))) for number in range(300))
    assert len(drawn) > min(domain.size, 300) // 3


def test_each_rung_is_drawn_by_its_weight() -> None:
    rng, drawn = Random(4), Counter[int]()
    for _ in range(4_000):
        amount = draw(MONEY, rng)
        assert isinstance(amount, int)
        drawn[next(rung for rung, _ in ladder(MONEY) if amount % rung == 0)] += 1
    assert 4_000 * 1 / 18 * 0.7 < drawn[1] < 4_000 * 1 / 18 * 1.3
    assert drawn[20_000] + drawn[10_000] + drawn[5_000] > 4_000 * 8 / 18


@given(domain=domains, number=st.integers(0, 99))
def test_every_rung_has_enough_values_and_every_draw_lies_in_the_domain(domain: NumberDomain, number: int) -> None:
    assert all(rung == 1 or len(grid(domain, rung)) >= LEAST for rung, _ in ladder(domain))
    assert domain.index(draw(domain, Random(number))) is not None


@given(domain=domains, place=st.integers(0, 10_000), other=st.integers(0, 10_000), number=st.integers(0, 99))
def test_a_range_is_widened_to_multiples_or_ends_and_never_narrowed(
    domain: NumberDomain, place: int, other: int, number: int
) -> None:
    rung = Random(number).choice(ladder(domain))[0]
    low, high = sorted((place % domain.size, other % domain.size))
    start, end = around(domain, low, high, rung)
    assert 0 <= start <= low <= high <= end < domain.size
    assert low - start < rung
    assert end - high < rung
    assert start == 0 or start in grid(domain, rung)
    assert end == domain.size - 1 or end in grid(domain, rung)


@given(domain=domains, place=st.integers(0, 10_000), number=st.integers(0, 99))
def test_the_nearest_multiple_is_at_most_half_a_rung_away(domain: NumberDomain, place: int, number: int) -> None:
    rung, index = Random(number).choice(ladder(domain))[0], place % domain.size
    found = nearest(domain, index, rung)
    assert abs(found - index) * 2 <= rung
    assert (found - grid(domain, rung).start) % rung == 0


def test_a_step_beside_a_threshold_is_one_in_which_its_author_wrote_it_and_now_and_then_the_finest() -> None:
    mark = MONEY.index(187_500)
    assert mark is not None
    drawn = Counter(rung_through(MONEY, mark, MONEY.size // 10, Random(number)) for number in range(600))
    assert set(drawn) == {500, 1}
    assert 600 // 40 < drawn[1] < 600 // 10


def test_weights_are_exact_however_small() -> None:
    tiny = Fraction(1, 10**9)
    choices = [("a", tiny), ("b", 2 * tiny), ("c", Fraction(0))]
    drawn = Counter(weighted(choices, Random(number)) for number in range(300))
    assert set(drawn) == {"a", "b"}
    assert 150 < drawn["b"] < 250
