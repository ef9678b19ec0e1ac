"""`unco show` of a dataset of facts alone: an instance as a person would read it, or as exact data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from unco.cli import application
from unco.cli.exits import Exit
from unco.compiler.read_facts import read_facts


def unco(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(application(), list(arguments))
    return done.exit_code, done.stdout


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("facts") / "out"
    assert unco("build", "underground-superintendent", "--facts-only", "--groups", "9", "--out", str(out))[0] == Exit.OK
    return out


def test_every_instance_is_shown_by_its_number_and_by_its_id(facts: Path) -> None:
    for number, fact in enumerate(read_facts(facts), 1):
        by_number, by_id = (unco("show", str(facts), wanted) for wanted in (str(number), fact.id))
        assert by_number == by_id
        assert by_number[1].startswith(f"{fact.id}: underground-superintendent, index {fact.index}\n")
        assert all(f"\n{name}\n" in by_number[1] for name in fact.instance.names)
        assert by_number[1].count("the answer is open") == len(fact.necessary)


def test_json_holds_exact_values_of_every_cell(facts: Path) -> None:
    fact = next(read_facts(facts))
    shown = json.loads(unco("show", str(facts), "--json")[1])
    assert (shown["id"], shown["names"]) == (fact.id, list(fact.instance.names))
    assert len(shown["cells"]) == len(fact.instance.cells)
    assert set(shown["necessary"]) == set(fact.necessary)


@pytest.mark.parametrize("wanted", ["0", "10", "instance-"])
def test_an_instance_that_is_not_there_is_refused(facts: Path, wanted: str) -> None:
    assert unco("show", str(facts), wanted)[0] == Exit.USAGE


@pytest.mark.parametrize("option", [("--setting", "Mixed"), ("--list",)])
def test_what_only_groups_have_is_refused(facts: Path, option: tuple[str, ...]) -> None:
    assert unco("show", str(facts), *option)[0] == Exit.USAGE
