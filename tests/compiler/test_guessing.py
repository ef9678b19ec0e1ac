"""guessing: ceilings of datasets whose ceiling is known, and sums that do not depend on who adds them up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.rendered_groups import PATHS, candidate_group, family_of
from tests.small_families import family, instance_of, small, specification
from unco.compiler.guesses.guessers import NONE, Guess, guesses, likeliest
from unco.compiler.guesses.interval import wilson
from unco.compiler.guesses.outlook import Onlooker, Outlook
from unco.compiler.guessing import Guessing, observe, picture
from unco.solver.judge import failed_conditions, judge, result
from unco.specs.evidence import Between, Exact, full
from unco.specs.family import Cell, Family, Slot
from unco.specs.group import CandidateGroup, Incomplete, Misaligned, Missed
from unco.specs.instance import Instance, Winner

GROUPS = 24
GOOD, BAD, POOR = (3, True, 1, 3), (3, False, 1, 3), (0, False, 3, 1)
"""Score, licence, fee this year and last: eligible; but for the licence; and failing all three conditions."""
SCRIPT = """
import sys
sys.path[:0] = sys.argv[1:]
from tests.compiler.test_guessing import report_of_planned_groups
print(report_of_planned_groups())
"""


def group_of(family: Family, index: int, *rows: tuple[Any, ...], **defects: Any) -> CandidateGroup:
    instance = instance_of(family, *rows)
    named = {"misaligned": None, "incomplete": None, "missed": None, "mixed": None} | defects
    return CandidateGroup(index, instance, judge(family, instance), **named)


def report(family: Family, groups: Iterable[CandidateGroup]) -> dict[str, Any]:
    total = Guessing()
    for group in groups:
        total.add(observe(family, group))
    return total.report()


def licences(holds: Iterator[bool]) -> list[CandidateGroup]:
    """The licence office is silent; one candidate fails nothing else. Positions and numbers tell nothing."""
    made = []
    for index, held in enumerate(holds):
        rows = [GOOD if held else BAD, POOR]
        made.append(group_of(small(), index, *(rows if index % 4 < 2 else rows[::-1]), missed=Missed("office")))
    return made


@cache
def planned() -> list[dict[str, Any]]:
    return [observe(family_of(path), candidate_group(path, index)) for path in PATHS for index in range(3)]


def added(observations: Iterable[dict[str, Any]]) -> Guessing:
    total = Guessing()
    for each in observations:
        total.add(each)
    return total


def report_of_planned_groups() -> str:
    return json.dumps(added(planned()).report())


def test_where_the_target_always_holds_the_ceiling_is_everything() -> None:
    row = report(small(), licences(iter([True] * GROUPS)))["settings"]["Missed"]
    for aspect in ("decision", "answer"):
        assert row[aspect]["two_fold"]["right"] == row[aspect]["in_hindsight"]["right"] == GROUPS
    assert row["answer"]["guessers"]["possible 1"] == GROUPS
    assert row["answer"]["guessers"]["open conditions fail"] == 0
    assert row["answer"]["without_evidence"]["right"] == 0
    assert row["decision"]["without_evidence"]["right"] == GROUPS // 2


def test_where_the_target_holds_every_other_time_the_ceiling_is_one_half() -> None:
    holds = [index // 4 % 2 == 0 for index in range(GROUPS)]
    row = report(small(), licences(iter(holds)))["settings"]["Missed"]
    for aspect in ("decision", "answer"):
        assert row[aspect]["two_fold"]["right"] == row[aspect]["in_hindsight"]["right"] == GROUPS // 2


def test_a_choice_that_only_hindsight_justifies_is_worth_nothing_on_the_other_fold() -> None:
    """Either licence can be the one that is held: it is the first on even numbers, the second on odd ones."""
    made = [
        group_of(small(), index, *((GOOD, BAD) if index % 2 == 0 else (BAD, GOOD)), missed=Missed("office"))
        for index in range(GROUPS)
    ]
    row = report(small(), made)["settings"]["Missed"]["decision"]
    assert row["guessers"]["possible 1"] == row["guessers"]["possible 2"] == row["in_hindsight"]["right"] == GROUPS // 2
    assert row["two_fold"]["right"] == 0


@pytest.mark.parametrize("last", [0, 1])
def test_families_begin_with_either_fold_and_their_groups_alternate(last: int) -> None:
    """A dataset with one group of each family has two folds, too."""
    other = replace(small(), digest=small().digest[:-1] + str(last))
    groups = [group_of(small(), index, GOOD, POOR, missed=Missed("office")) for index in range(4)]
    assert [observe(other, each)["fold"] for each in groups] == [last, 1 - last, last, 1 - last]


@cache
def wide() -> Family:
    """The fee is an operand from 1 to 99, and no condition reads it."""
    attributes = specification().model_dump(exclude_unset=True)["attributes"]
    fee = {"label": "fee", "owner": "till", "type": "count", "range": [1, 99]}
    changed = {"attributes": {**attributes, "fee": fee}, "conditions": {"good": "score >= 2", "licensed": "licence"}}
    return family(specification(**changed))


def intervals(offset: int) -> list[CandidateGroup]:
    """Intervals of the fee in which the true one lies so far from the middle."""
    made = []
    for index in range(GROUPS):
        fee, half = 30 + index, 6 + index % 3
        low = fee - half - offset
        coarse = {cell: Between(low, low + 2 * half) for cell in wide().cells if cell.attribute == "fee"}
        rows = [(3, True, fee), (0, False, fee)]
        made.append(group_of(wide(), index, *rows, incomplete=Incomplete("fee", coarse)))
    return made


def test_an_interval_whose_middle_is_always_right_is_found_out() -> None:
    found = report(wide(), intervals(0))["settings"]["Incomplete"]["answer"]
    assert found["guessers"]["middle"] == found["two_fold"]["right"] == GROUPS
    elsewhere = report(wide(), intervals(2))["settings"]["Incomplete"]["answer"]
    assert elsewhere["guessers"]["middle"] == 0
    assert elsewhere["two_fold"]["right"] < GROUPS


@pytest.mark.parametrize("part", ["lowest", "highest"])
def test_a_value_that_is_always_at_an_end_of_its_interval_is_found_out(part: str) -> None:
    made = []
    for index, group in enumerate(intervals(0)):
        fee = 30 + index
        ends = Between(fee, fee + 9) if part == "lowest" else Between(fee - 9, fee)
        coarse = {cell: ends for cell in wide().cells if cell.attribute == "fee"}
        made.append(group_of(wide(), index, *rows_of(group), incomplete=Incomplete("fee", coarse)))
    assert report(wide(), made)["settings"]["Incomplete"]["answer"]["guessers"][part] == GROUPS


def rows_of(group: CandidateGroup) -> list[tuple[Any, ...]]:
    return [tuple(group.instance.candidate(number).values()) for number in range(2)]


def test_at_face_value_a_misaligned_reply_is_never_right() -> None:
    row = added(planned()).report()["settings"]["Misaligned"]
    assert row["groups"] == len(planned())
    assert row["answer"]["guessers"]["face value"] == 0


@cache
def twice_licensed() -> Family:
    """The licence has two contexts, and no number depends on it."""
    attributes = specification().model_dump(exclude_unset=True)["attributes"]
    context = {"kind": "register", "required": "home", "others": ["abroad"]}
    return family(specification(attributes={**attributes, "licence": attributes["licence"] | {"context": context}}))


def test_who_knows_that_face_values_mislead_does_better_than_who_does_not() -> None:
    """The one candidate who is good and cheap is licensed at home and not abroad, or the other way round, by turns."""
    made = [
        group_of(
            twice_licensed(),
            index,
            (3, held := index // 2 % 2 == 0, not held, 1, 3),
            (0, False, False, 3, 1),
            misaligned=Misaligned("licence", "abroad"),
        )
        for index in range(GROUPS)
    ]
    for aspect in ("decision", "answer"):
        found = report(twice_licensed(), made)["settings"]["Misaligned"][aspect]
        assert found["guessers"]["face value"] == 0
        assert found["two_fold"]["right"] == found["guessers"]["anything but face value"] == GROUPS
        assert found["unwarned"]["right"] == GROUPS // 2


def test_the_order_of_groups_changes_nothing_nor_does_storing_what_was_observed() -> None:
    whole = added(planned()).report()
    shuffled = json.loads(json.dumps(planned()))
    Random(5).shuffle(shuffled)
    assert json.dumps(added(shuffled).report()) == json.dumps(whole)
    assert json.dumps(added(planned()[1:]).report()) != json.dumps(whole)


def test_a_report_holds_no_float_and_is_the_same_under_every_hash_seed() -> None:
    assert not list(floats(added(planned()).report()))
    assert list(floats({"a": [1, 0.5]})) == [0.5]
    command = (sys.executable, "-c", SCRIPT, *sys.path)
    outputs = [
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "42")
    ]
    assert outputs[0] == outputs[1] == report_of_planned_groups() + "\n"


def floats(data: Any) -> Iterator[float]:
    if isinstance(data, float):
        yield data
    elif isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from floats(each)


def test_a_dataset_without_groups_has_an_empty_report() -> None:
    empty = Guessing().report()
    assert empty == {"settings": {}, "specifications": {}, "tells": {}}
    assert ElementTree.fromstring(picture(empty)).tag.endswith("svg")


@cache
def tied() -> Family:
    """One condition reads score and fee together."""
    return family(specification(conditions={"cheap": "fee + score <= 4", "licensed": "licence"}))


@pytest.mark.parametrize("family", [small(), tied()], ids=["apart", "tied"])
@pytest.mark.parametrize("hidden", [each for size in (1, 2, 3) for each in combinations(range(3), size)])
def test_an_outlook_is_what_all_completions_come_to(family: Family, hidden: tuple[int, ...]) -> None:
    slots = [family.slots[place] for place in hidden]
    for instance in [instance_of(family, row, POOR) for row in (GOOD, BAD, POOR, (2, True, 3, 1))]:
        evidence = full(instance).hiding(Cell(0, *slot) for slot in slots)
        completions = completions_of(family, instance, slots)
        eligible = [each for each in completions if not failed_conditions(family, each.candidate(0), {})]
        found = Onlooker(family, instance, "seed").outlook(evidence, 0)
        assert found.chance == Fraction(len(eligible), len(completions))
        assert set(found.results) == {result(family, each.candidate(0), {}) for each in eligible}
        assert found.possible == bool(eligible)


def completions_of(family: Family, instance: Instance, slots: list[Slot]) -> list[Instance]:
    """The instance with every choice of values for some slots of the first candidate."""
    domains = [family.domains[slot] for slot in slots]
    choices = product(*([domain.value(index) for index in range(domain.size)] for domain in domains))
    cells = [Cell(0, *slot) for slot in slots]
    return [instance.changed(dict(zip(cells, values, strict=True))) for values in choices]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_group_of_which_all_records_are_seen_leaves_nothing_to_guess(path: Path) -> None:
    family = family_of(path)
    for index in range(6):
        group = candidate_group(path, index)
        onlooker = Onlooker(family, group.instance, "seed")
        outlooks = [onlooker.outlook(group.evidence, number) for number in range(family.candidates)]
        gold = group.outcome
        expected = Guess(gold.candidate, gold.result) if isinstance(gold, Winner) else NONE
        made = guesses(outlooks, None)
        assert [made[name] for name in ("likeliest", "lowest", "middle", "highest")] == [expected] * 4


def test_what_is_believed_counts_not_what_is_true() -> None:
    instance = instance_of(small(), BAD, POOR)
    onlooker, cell = Onlooker(small(), instance, "seed"), Cell(0, "licence", 0, "")
    assert not onlooker.outlook(full(instance), 0).possible
    assert onlooker.outlook(full(instance).with_knowledge({cell: Exact(True)}), 0).chance == 1


def test_the_likeliest_answer_keeps_the_promise() -> None:
    def outlook(chance: Fraction, price: int) -> Outlook:
        return Outlook(chance, (price,), price, (None, None, None), 0)

    likely, sure = outlook(Fraction(2, 3), 7), outlook(Fraction(1), 8)
    impossible = Outlook(Fraction(0), (), None, (None, None, None), 1)
    assert likeliest([impossible, likely]) == Guess(1, 7)
    assert likeliest([likely, sure]) == Guess(1, 8)
    assert likeliest([outlook(Fraction(1, 3), 7), impossible]) == NONE
    assert likeliest([likely, impossible], Guess(0, 7)) == NONE
    assert likeliest([outlook(Fraction(1, 3), 7), impossible], NONE) == Guess(0, 7)


@pytest.mark.parametrize("groups", [1, 7, 40, 999])
def test_the_wilson_interval_is_that_of_the_formula_rounded_outwards(groups: int) -> None:
    for right in {0, 1, groups // 3, groups - 1, groups}:
        share, z = right / groups, 1.96
        centre = (share + z * z / (2 * groups)) / (1 + z * z / groups)
        half = z * sqrt(share * (1 - share) / groups + z * z / (4 * groups * groups)) / (1 + z * z / groups)
        low, high = (float(end) for end in wilson(right, groups))
        assert centre - half - 0.0011 < low <= max(0, centre - half) + 1e-9
        assert min(1, centre + half) - 1e-9 <= high < centre + half + 0.0011


def test_the_picture_shows_every_setting_and_is_the_same_each_time() -> None:
    drawn = picture(added(planned()).report())
    assert {"Reliable", "Misaligned", "Incomplete", "Missed", "Mixed"} <= {
        text.text for text in drawn_as(drawn, "text")
    }
    assert drawn == picture(json.loads(json.dumps(added(reversed(planned())).report())))


def test_bars_end_where_the_scale_says() -> None:
    halves = [index // 4 % 2 == 0 for index in range(GROUPS)]
    drawn = picture(report(small(), licences(iter(halves))))
    ticks = {
        text.text: int(text.attrib["x"]) for text in drawn_as(drawn, "text") if text.get("text-anchor") == "middle"
    }
    assert list(ticks) == ["0%", "25%", "50%", "75%", "100%"]
    bars = [bar for bar in drawn_as(drawn, "rect") if bar.get("x") == str(ticks["0%"])]
    ends = [int(bar.attrib["x"]) + int(bar.attrib["width"]) for bar in bars]
    assert ends == [ticks["50%"]] * 4


def drawn_as(drawn: str, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawn).iter(f"{{http://www.w3.org/2000/svg}}{tag}"))
