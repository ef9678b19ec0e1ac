"""unco verify: what it prints, where, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tampering import Dataset, built
from typer.testing import CliRunner

from unco.cli import application
from unco.cli.exits import Exit


def run(*arguments: object) -> Any:
    return CliRunner().invoke(application(), [str(each) for each in arguments])


@pytest.fixture
def data() -> Dataset:
    return built().copy()


def test_a_dataset_that_holds_is_counted_and_ends_well(data: Dataset, tmp_path: Path) -> None:
    data.write(tmp_path)
    done = run("verify", tmp_path, "--spec", "reduced-fare")
    assert (done.exit_code, done.stderr) == (Exit.OK, "")
    assert done.stdout.startswith(f"{len(data.groups)} groups, ")
    assert done.stdout.endswith("every required claim holds\n")


def test_a_fault_is_told_on_standard_error_and_ends_with_its_code(data: Dataset, tmp_path: Path) -> None:
    data.certificates[data.groups[0]["id"]]["claims"].pop()
    data.write(tmp_path)
    done = run("verify", tmp_path)
    assert done.exit_code == Exit.REJECTED
    assert done.stdout.endswith("1 fault found\n")
    assert done.stderr == (
        f"certificates/{data.groups[0]['id']}.json: {data.groups[0]['id']}: smallest sufficient cells: "
        "found 0 such claims; expected one claim\n"
    )
    told = json.loads(run("verify", tmp_path, "--json").stdout)
    assert (told["faults"], told["told"][0]["claim"]) == (1, "smallest sufficient cells")


def test_other_rules_than_the_authors_are_told(data: Dataset, tmp_path: Path) -> None:
    data.write(tmp_path)
    done = run("verify", tmp_path, "--spec", "vacation-days")
    assert done.exit_code == Exit.REJECTED
    assert "found no such file; expected the rules of vacation-days" in done.stderr


def test_a_folder_without_a_dataset_is_a_usage_error(tmp_path: Path) -> None:
    assert run("verify", tmp_path).exit_code == Exit.USAGE


def test_a_dataset_without_a_group_is_never_said_to_hold(data: Dataset, tmp_path: Path) -> None:
    data.groups.clear()
    data.write(tmp_path)
    done = run("verify", tmp_path)
    assert done.exit_code == Exit.REJECTED
    assert done.stderr == "manifest.json: counts: found no group; expected at least one\n"
    assert "holds" not in done.stdout


def test_the_groups_that_a_build_lacks_are_counted(data: Dataset, tmp_path: Path) -> None:
    asked = len(data.groups) + 2 * len(data.families)
    data.manifest["groups_per_specification"] += 2
    data.write(tmp_path)
    done = run("verify", tmp_path)
    assert (done.exit_code, done.stderr) == (Exit.OK, "")
    lacking = f"{2 * len(data.families)} of the {asked} groups that were asked for are not there"
    assert done.stdout.splitlines()[-2:] == [lacking, "every required claim holds"]
    assert json.loads(run("verify", tmp_path, "--json").stdout)["asked_for"] == asked


def test_more_groups_than_were_asked_for_are_a_fault(data: Dataset, tmp_path: Path) -> None:
    data.manifest["groups_per_specification"] = 0
    data.write(tmp_path)
    done = run("verify", tmp_path)
    assert done.exit_code == Exit.REJECTED
    assert "manifest.json: counts: found " in done.stderr
    assert "expected at most 0" in done.stderr
