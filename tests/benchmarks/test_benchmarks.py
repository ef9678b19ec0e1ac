"""The command of the benchmarks lists each of them, and the page on performance describes each."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from families import shipped

from benchmarks import checking, executors, growth, rivals
from benchmarks.__main__ import BENCHMARKS, main
from benchmarks.engines.answer import Answer
from unco.specs.shipped import shipped_specifications

ROOT = Path(__file__).parent.parent.parent
SUPERINTENDENT = "underground-superintendent"


def test_help_and_the_page_on_performance_name_every_benchmark_and_no_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = re.findall(
        r"^  (\w+) +\S", capsys.readouterr().out.partition("benchmarks:")[2].partition("positional")[0], re.M
    )
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert listed == list(BENCHMARKS)
    assert set(re.findall(r"-m benchmarks (\w+)", page)) == set(BENCHMARKS)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["rivalz"], "no benchmark is named rivalz; there are family_proofs, rivals,"),
        (["rivals", "--groups", "1"], "--groups 1: a rate needs two groups at least"),
        (["rivals", "--of", "nothing"], "invalid choice: 'nothing'"),
    ],
)
def test_what_cannot_be_measured_is_refused(given: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(given)
    assert stopped.value.code == 2
    assert told in capsys.readouterr().err


def test_the_command_tells_the_machine_and_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    main(["family_proofs", "--json", "--of", SUPERINTENDENT])
    found = json.loads(capsys.readouterr().out)
    assert found["machine"]["cores"] > 0
    (row,) = found["family_proofs"]
    assert row["specification"] == SUPERINTENDENT
    assert row["proved"] + row["refuted"] + row["unknown"] + row["vacuous"] == row["claims"]
    assert row["cpu"] > 0 < row["peak"]


def test_rivals_answer_the_same_and_each_that_is_left_out_has_a_reason() -> None:
    paths, engines = [shipped_specifications()["trial-first-dose"]], ("unco, moves", "Z3, script")
    (row,) = rivals.measure(paths, groups=12, seconds=0.01, engines=engines, sizes=())
    (rival,) = row.rivals
    assert row.left_out == {"Z3, script": "no script was written for it"}
    assert rival.instances >= rivals.LEAST
    assert rival.open_questions >= rival.shown > 0
    assert rival.ratio == pytest.approx(row.made.rate / rival.rate)


def test_an_engine_that_says_something_else_stops_the_benchmark() -> None:
    family = shipped(SUPERINTENDENT)
    one = Answer((0, 60_000), (True,) * len(family.roles))
    other = Answer((0, 60_000), (True, False, *(True for _ in family.roles[2:])))
    rivals.require_agreement(family, {"first": [one], "second": [one], "third": [one, other]})
    with pytest.raises(AssertionError, match=f"{SUPERINTENDENT}, instance 1: second: .*; third: "):
        rivals.require_agreement(family, {"first": [one], "second": [one, one], "third": [one, other]})


def test_facts_and_texts_both_go_through_their_checker() -> None:
    (row,) = checking.measure([shipped_specifications()[SUPERINTENDENT]], 6)
    assert (row.facts.groups, row.rendered.groups) == (6, 5)
    assert row.facts.rate > 0 < row.rendered.rate


def test_growth_measures_all_of_a_point() -> None:
    (point,) = growth.measure(20, {})
    assert (point.axis, point.value) == ("instances", 20)
    assert all(getattr(point, name) > 0 for name in growth.MEASURES)


def test_two_processes_are_compared_with_one_in_every_run() -> None:
    found = executors.measure_facts(shipped(SUPERINTENDENT), 20, runs=1)
    assert found.ratio == found.by_two[0] / found.by_one[0] > 0
    assert executors.Facts(20, (1.0, 2.0, 4.0), (2.0, 3.0, 4.0)).ratio == 1.5
