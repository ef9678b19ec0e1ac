"""The stated distributions of groups, measured over seeds that are fixed: what is retained, not what is tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache

import pytest

from tests.desk_family import desk
from tests.rendered_groups import SUPERINTENDENT, family_of
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.planning.contexts import ALIKE
from unco.compiler.planning.flips import Standings, hiding_role, operands, touched
from unco.compiler.planning.margins import compared, distance
from unco.compiler.planning.natural import ladder
from unco.compiler.planning.sketch import SHAPES
from unco.solver.claims import misaligned
from unco.solver.interpret import interpret
from unco.solver.landmarks import thresholds
from unco.specs.domains import indices_between
from unco.specs.evidence import Between
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Winner
from unco.specs.verdict import Flip, Proved

SIGMAS = 4
"""How many standard deviations a share may lie from what is stated."""
THIRD = Fraction(1, 3)


FAMILIES = {"superintendent": lambda: family_of(SUPERINTENDENT), "desk": desk}
SIZES = {"superintendent": 360, "desk": 360}
EVERY = pytest.mark.parametrize("name", FAMILIES)


@cache
def groups(name: str) -> tuple[CandidateGroup, ...]:
    made = [instantiate(FAMILIES[name](), index, InstantiateOptions(seed=11)) for index in range(SIZES[name])]
    assert all(isinstance(group, CandidateGroup) for group in made)
    return tuple(group for group in made if isinstance(group, CandidateGroup))


def winner_of(group: CandidateGroup) -> int | None:
    return group.outcome.candidate if isinstance(group.outcome, Winner) else None


def near(count: int, total: int, share: Fraction) -> bool:
    """Whether a count lies within the allowed number of standard deviations of a share."""
    return total > 0 and (count - total * share) ** 2 <= SIGMAS**2 * total * share * (1 - share)


def alike(one: Mapping[object, int], other: Mapping[object, int]) -> bool:
    """Whether two samples may be of one distribution: each share within the allowed deviations of the other."""
    first, second = sum(one.values()), sum(other.values())
    for kind in {*one, *other}:
        pooled = Fraction(one.get(kind, 0) + other.get(kind, 0), first + second)
        apart = Fraction(one.get(kind, 0), first) - Fraction(other.get(kind, 0), second)
        if apart**2 > SIGMAS**2 * pooled * (1 - pooled) * (Fraction(1, first) + Fraction(1, second)):
            return False
    return True


@EVERY
def test_the_share_of_groups_without_a_winner_is_the_planned_one(name: str) -> None:
    made = groups(name)
    assert near(sum(winner_of(group) is None for group in made), len(made), FAMILIES[name]().plan.none_eligible)


@EVERY
def test_mixed_stands_in_half_of_the_groups_whether_or_not_somebody_wins(name: str) -> None:
    for none in (True, False):
        mixed = [group.mixed is not None for group in groups(name) if (winner_of(group) is None) is none]
        assert near(sum(mixed), len(mixed), dict(SHAPES)["apart"])


def test_the_misaligned_reply_of_mixed_flips_a_winner_in_three_ways_equally_often() -> None:
    flips: Counter[Flip] = Counter()
    for group in groups("superintendent"):
        if group.mixed is not None and winner_of(group) is not None:
            verdict = misaligned(family_of(SUPERINTENDENT), group.instance, group.outcome, group.mixed.misaligned)
            assert isinstance(verdict, Proved)
            assert verdict.witness is not None
            flips[verdict.witness.flip] += 1
    for flip in (Flip.TO_NONE, Flip.OTHER_WINNER, Flip.OTHER_RESULT):
        assert near(flips[flip], sum(flips.values()), THIRD)


def test_two_in_three_values_of_another_context_lie_near_the_required_one_target_or_not() -> None:
    family, nearby = desk(), {True: Counter[bool](), False: Counter[bool]()}
    for group in groups("desk"):
        for cell, value in group.instance.cells.items():
            if cell.attribute == "grant" and cell.context == "last":
                domain = family.domains[cell.slot]
                true = group.instance.cells[cell._replace(context="this")]
                steps = abs(domain.index(value) - domain.index(true))  # type: ignore[operator]
                nearby[cell.attribute in group.targets][steps <= domain.size // 10] += 1
    by_chance = Fraction(19, 100)
    share = dict.fromkeys(nearby, ALIKE + (1 - ALIKE) * by_chance)
    assert all(near(nearby[each][True], sum(nearby[each].values()), share[each]) for each in nearby)


@EVERY
def test_each_position_wins_as_often(name: str) -> None:
    positions = Counter(winner_of(group) for group in groups(name) if winner_of(group) is not None)
    assert all(near(positions[place], sum(positions.values()), THIRD) for place in range(3))


@EVERY
def test_each_name_stands_in_as_many_groups(name: str) -> None:
    pool, made = FAMILIES[name]().candidate_names, groups(name)
    used = Counter(each for group in made for each in group.instance.names)
    winners = Counter(group.instance.names[group.outcome.candidate] for group in made if winner_of(group) is not None)  # type: ignore[union-attr]
    assert all(near(used[each], 3 * len(made), Fraction(1, len(pool))) for each in pool)
    assert all(near(winners[each], sum(winners.values()), Fraction(1, len(pool))) for each in pool)


@EVERY
def test_losers_fail_as_many_conditions_whether_or_not_somebody_wins(name: str) -> None:
    family = FAMILIES[name]()
    failed: dict[bool, Counter[object]] = {True: Counter(), False: Counter()}
    for group in groups(name):
        for number, failing in enumerate(Standings(family, group.instance, group.outcome).failed):
            if number != winner_of(group):
                failed[winner_of(group) is None][len(failing)] += 1
    single = 1 - dict(SHAPES)["free"] * THIRD * Fraction(1, 2)
    assert alike(failed[True], failed[False])
    assert all(near(each[1], sum(each.values()), single) for each in failed.values())


def _margins(family: Family, group: CandidateGroup, candidate: int) -> Iterator[tuple[bool, str]]:
    """For each compared number: whether the candidate meets the condition, and how far it lies from the threshold."""
    values = group.instance.candidate(candidate)
    for rule, read in zip(family.conditions, family.condition_reads, strict=True):
        for slot in family.read_slots:
            marks = thresholds(family, slot, ()) if slot.attribute in read else ()
            index = family.domains[slot].index(values[slot])
            if marks and index is not None:
                away, reach = distance(index, marks), max(2, family.domains[slot].size // 10)
                met = interpret(rule.expression, values, {}) is True
                yield met, "at" if away == 0 else "near" if away <= reach else "far"


@EVERY
def test_winners_and_losers_have_the_same_margins(name: str) -> None:
    family = FAMILIES[name]()
    winners: Counter[object] = Counter()
    losers: dict[bool, Counter[object]] = {True: Counter(), False: Counter()}
    failing: dict[bool, Counter[object]] = {True: Counter(), False: Counter()}
    for group in groups(name):
        for candidate in range(3):
            for met, margin in _margins(family, group, candidate):
                if candidate == winner_of(group):
                    winners[margin] += 1
                else:
                    (losers if met else failing)[winner_of(group) is None][margin] += 1
    assert alike(winners, losers[True] + losers[False])
    assert alike(losers[True], losers[False])
    assert alike(failing[True], failing[False])


@EVERY
def test_face_values_flip_a_winner_in_three_ways_equally_often(name: str) -> None:
    flips: Counter[Flip] = Counter()
    for group in groups(name):
        assert group.misaligned is not None
        verdict = misaligned(FAMILIES[name](), group.instance, group.outcome, group.misaligned)
        assert isinstance(verdict, Proved)
        assert verdict.witness is not None
        flips[verdict.witness.flip] += 1
    won = sum(flips.values()) - flips[Flip.TO_WINNER]
    for flip in (Flip.TO_NONE, Flip.OTHER_WINNER, Flip.OTHER_RESULT):
        assert near(flips[flip], won, THIRD)


def test_what_is_withheld_leaves_three_kinds_of_other_answers_equally_often() -> None:
    family, kinds = family_of(SUPERINTENDENT), {"missed": Counter[Flip](), "incomplete": Counter[Flip]()}
    for group in groups("superintendent"):
        assert group.missed is not None
        assert group.incomplete is not None
        standings = Standings(family, group.instance, group.outcome)
        (missed,) = standings.flips(hiding_role(family, group.missed.role))
        (incomplete,) = standings.flips(group.incomplete.coarse)
        kinds["missed"][missed] += 1
        kinds["incomplete"][incomplete] += 1
    for flips in kinds.values():
        won = sum(flips.values()) - flips.pop(Flip.TO_WINNER)
        assert all(near(count, won, THIRD) for count in flips.values())


@pytest.mark.parametrize("defect", ["missed", "incomplete"])
def test_with_one_possible_winner_left_gold_is_none_half_the_time_and_with_two_a_third(defect: str) -> None:
    family, none = family_of(SUPERINTENDENT), {1: Counter[bool](), 2: Counter[bool]()}
    for group in groups("superintendent"):
        assert group.missed is not None
        assert group.incomplete is not None
        owned = tuple(each.id for each in family.owned(group.missed.role))
        withheld = owned if defect == "missed" else (group.incomplete.attribute,)
        failed = Standings(family, group.instance, group.outcome).failed
        possible = sum(each <= touched(family, withheld) for each in failed)
        if touched(family, withheld) and possible in none:
            none[possible][winner_of(group) is None] += 1
    assert near(none[1][True], sum(none[1].values()), Fraction(1, 2))
    assert near(none[2][True], sum(none[2].values()), THIRD)


@pytest.mark.parametrize("defect", ["misaligned", "incomplete", "missed"])
def test_targets_are_spread_evenly_over_those_that_can_flip_the_answer_so(defect: str) -> None:
    family, used = family_of(SUPERINTENDENT), Counter[str]()
    for group in groups("superintendent"):
        target = getattr(group, defect)
        used[target.role if defect == "missed" else target.attribute] += 1
    targets = getattr(family.perturbations, defect)
    counting = [each for each in targets if not _withheld(family, defect, each).isdisjoint(operands(family))]
    for each in targets:
        share = Fraction(2, 9) / len(counting) if each in counting else Fraction(7, 9) / (len(targets) - len(counting))
        assert near(used[each], len(groups("superintendent")), share)


def _withheld(family: Family, defect: str, target: str) -> frozenset[str]:
    return frozenset(each.id for each in family.owned(target)) if defect == "missed" else frozenset({target})


def test_the_side_of_a_coarse_value_cannot_be_told_from_its_interval() -> None:
    family, right, lower, told = desk(), Counter[str](), 0, 0
    for group in groups("desk"):
        assert group.incomplete is not None
        for cell, known in group.incomplete.coarse.items():
            marks = thresholds(family, cell.slot, ())
            if isinstance(known, Between) and marks:
                domain = family.domains[cell.slot]
                inside = indices_between(domain, known.low, known.high)  # type: ignore[arg-type]
                turn = Fraction(marks[0]) + (Fraction(1, 2) if cell.attribute == "fee" else -Fraction(1, 2))
                low = domain.index(group.instance.cells[cell]) < turn  # type: ignore[operator]
                told, lower = told + 1, lower + low
                right["wider side"] += (turn - inside[0] > inside[-1] - turn) is low
                right["middle"] += (Fraction(inside[0] + inside[-1], 2) < turn) is low
                right["low end"] += low
                right["high end"] += not low
    assert told > 300
    chance = max(Fraction(lower, told), Fraction(1, 2))
    assert right["low end"] + right["high end"] == told
    assert all(near(right[guesser], told, Fraction(1, 2)) or right[guesser] < chance * told for guesser in right)


def test_each_place_in_the_interval_of_an_operand_is_as_likely() -> None:
    family, thirds = desk(), Counter[int]()
    for group in groups("desk"):
        assert group.incomplete is not None
        for cell, known in group.incomplete.coarse.items():
            if isinstance(known, Between) and cell.attribute == "grant":
                domain = family.domains[cell.slot]
                inside = indices_between(domain, known.low, known.high)  # type: ignore[arg-type]
                thirds[3 * (domain.index(group.instance.cells[cell]) - inside[0]) // len(inside)] += 1  # type: ignore[operator]
    assert all(near(thirds[third], sum(thirds.values()), THIRD) for third in range(3))


def _roundness(amount: int) -> int:
    """The coarsest rung that the amount is a multiple of."""
    return next(rung for rung, _ in ladder(desk().domains[desk().slots[2]]) if amount % rung == 0)


def test_few_amounts_are_finer_than_people_use() -> None:
    amounts = [
        value for group in groups("desk") for cell, value in group.instance.cells.items() if cell.attribute == "fee"
    ]
    fine = sum(_roundness(amount) == 1 for amount in amounts)  # type: ignore[arg-type]
    assert 0 < fine < len(amounts) // 12


def test_roundness_says_neither_who_wins_nor_which_context_counts_nor_what_a_defect_is_about() -> None:
    fine: dict[str, Counter[object]] = {
        each: Counter() for each in ("winner", "loser", "other context", "target", "other")
    }
    for group in groups("desk"):
        for cell, value in group.instance.cells.items():
            if cell.attribute in ("fee", "grant"):
                is_fine = _roundness(value) == 1  # type: ignore[arg-type]
                wins = "winner" if cell.candidate == winner_of(group) else "loser"
                fine[wins if cell.context == "this" else "other context"][is_fine] += 1
                if cell.context == "this":
                    fine["target" if cell.attribute in group.targets else "other"][is_fine] += 1
    assert alike(fine["winner"], fine["loser"])
    assert alike(fine["other context"], fine["winner"] + fine["loser"])
    assert alike(fine["target"], fine["other"])


def test_decoys_lie_as_far_from_the_threshold_as_true_values_do_target_or_not() -> None:
    family = desk()
    away: dict[str, Counter[object]] = {each: Counter() for each in ("true", "decoy", "other")}
    for group in groups("desk"):
        assert group.misaligned is not None
        for cell, value in group.instance.cells.items():
            domain = family.domains[cell.slot]
            index = domain.index(value)
            if cell.attribute == "fee" and index is not None:
                steps = distance(index, compared(family, cell.slot, ()))
                kind = "decoy" if group.misaligned.attribute == "fee" else "other"
                kind = "true" if cell.context == "this" else kind
                away[kind]["at" if steps == 0 else "near" if steps <= domain.size // 10 else "far"] += 1
    assert alike(away["true"], away["decoy"])
    assert alike(away["true"], away["other"])


def test_the_ends_of_a_coarse_amount_are_natural_whatever_the_amount() -> None:
    ends: list[object] = []
    for group in groups("desk"):
        assert group.incomplete is not None
        intervals = [each for each in group.incomplete.coarse.values() if isinstance(each, Between)]
        if group.incomplete.attribute in ("fee", "grant"):
            ends += [end for each in intervals for end in (each.low, each.high)]
    assert sum(_roundness(end) == 1 for end in ends) < len(ends) // 12  # type: ignore[arg-type]
