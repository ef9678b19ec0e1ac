"""The guess ceiling in the terminal."""

from __future__ import annotations

from tests.compiler.test_guessing import added, planned
from unco.cli.ceiling import ceiling_table
from unco.compiler.guesses.rows import COLUMNS
from unco.compiler.guessing import Guessing


def test_the_table_has_a_row_for_each_setting_and_no_ceiling_where_there_is_no_defect() -> None:
    report = added(planned()).report()
    head, _, *rows = ceiling_table(report).splitlines()
    assert all(column in head for column in COLUMNS)
    assert [row.split()[0] for row in rows] == list(report["settings"])
    assert [row.split()[1] for row in rows] == [str(each["groups"]) for each in report["settings"].values()]
    assert rows[0].count(" -") == 3


def test_shares_are_shown_in_percent() -> None:
    score = {"right": 3, "of": 8, "share": "0.375", "interval": ["0.136", "1.000"]}
    aspect = {"two_fold": score, "without_evidence": score | {"share": "0.005"}}
    shown = ceiling_table({"settings": {"Missed": {"groups": 1234, "answer": aspect, "decision": aspect}}})
    assert shown.splitlines()[-1].split("  ")[-1].strip() == "37.5%"
    for text in ("1,234", "0.5%", "37.5%", "13.6% to 100.0%"):
        assert text in shown


def test_a_build_without_groups_has_a_head_alone() -> None:
    assert len(ceiling_table(Guessing().report()).splitlines()) == 2
