"""Which groups are worked on, and which count: their order decides, not when they come back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.runs import QUICK, families
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.running.shares import LARGEST, SPARE, Share, Shares, chunk_size, counting, limit

DRAWN = (InstantiateOptions(), QUICK)
PATTERNS = st.lists(st.booleans(), min_size=1, max_size=40)
UNDRAWN = st.integers(0, 2 * SPARE)
"""How many of the first groups could not be drawn."""


def starts(end: int) -> list[int]:
    found = [0]
    while found[-1] < end:
        found.append(found[-1] + chunk_size(found[-1]))
    return found


def test_chunks_cover_every_index_once_and_make_little_that_nobody_asked_for() -> None:
    found = starts(2_000)
    assert found[:12] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15]
    for start, end in pairwise(found):
        assert 1 <= end - start <= LARGEST
        assert (end - start - 1) * 4 <= start


@given(PATTERNS, st.integers(1, 12))
def test_what_counts_ends_with_the_last_group_that_is_wanted(pattern: list[bool], groups: int) -> None:
    outcomes = (pattern * (limit(groups) + 1))[: limit(groups) + 5]
    found = list(counting(outcomes, bool, groups))
    assert found == outcomes[: len(found)]
    assert sum(found) == groups or (len(found) == limit(groups) and sum(found) < groups)
    assert found[-1] or len(found) == limit(groups)


def worked(
    patterns: Sequence[Sequence[bool]], groups: int, under_way: int, rng: Random, undrawn: int = 0
) -> list[list[tuple[int, bool]]]:
    """What each family comes to where so many shares are out at once, and some more are taken now and then."""
    shares = Shares(families(), groups, DRAWN)
    out: list[Share] = []
    made: list[list[tuple[int, bool]]] = [[], []]
    while True:
        while len(out) < rng.randint(1, under_way) and (share := shares.take()) is not None:
            out.append(share)
        if not out:
            return made
        done = out.pop(0)
        pattern = patterns[done.family]
        drawn = [index for index in done.chunk.indices if index >= undrawn]
        found = [(index, index in drawn and pattern[index % len(pattern)]) for index in done.chunk.indices]
        made[done.family] += found
        shares.back(done, sum(retained for _, retained in found), drawn=bool(drawn))


@given(st.tuples(PATTERNS, PATTERNS), st.integers(1, 60), st.integers(1, 9), UNDRAWN, st.randoms(use_true_random=False))
def test_the_shares_that_are_given_out_depend_on_outcomes_alone(
    patterns: tuple[list[bool], list[bool]], groups: int, under_way: int, undrawn: int, rng: Random
) -> None:
    """However many are out at once: not even the chunks that are made and then not needed differ."""
    made = worked(patterns, groups, under_way, rng, undrawn)
    assert made == worked(patterns, groups, 1, rng, undrawn)
    for each in made:
        assert [index for index, _ in each] == list(range(len(each)))
        retained = sum(kept for _, kept in each)
        assert retained >= groups or len(each) >= limit(groups) or (undrawn >= SPARE and len(each) == SPARE)


@pytest.mark.parametrize(("undrawn", "tried"), [(SPARE - 1, limit(60)), (SPARE, SPARE)])
def test_a_family_of_which_none_of_the_first_groups_can_be_drawn_is_given_up(undrawn: int, tried: int) -> None:
    for each in worked([[False], [False]], 60, 4, Random(1), undrawn):
        assert tried <= len(each) < tried + LARGEST


@pytest.mark.parametrize("groups", [1, 7, 40])
def test_no_more_than_the_wanted_groups_are_made_where_all_are_retained(groups: int) -> None:
    for each in worked([[True], [True]], groups, 4, Random(1)):
        assert len(each) == min(start for start in starts(groups) if start >= groups)
