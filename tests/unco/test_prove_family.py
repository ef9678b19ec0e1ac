"""`unco prove --family`: what it prints, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_families import specification
from typer.testing import CliRunner, Result

from unco.cli import application
from unco.cli.exits import Exit
from unco.compiler import executor
from unco.specs.shipped import shipped_specifications

R1, R2 = "underground-superintendent", "graduate-scholarship"
BETWEEN = 'plan: {winner: {between_the_limits: "household_income > lookup(income_limit, household_size)"}}'
pytestmark = pytest.mark.xdist_group("commands")


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting a worker takes longer than the proof."""
    monkeypatch.setattr(executor, "ProcessExecutor", lambda *_, **__: executor.SerialExecutor())


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(application(), ["prove", *(str(each) for each in arguments), "--family"])


def edited(folder: Path, *changes: tuple[str, str]) -> Path:
    """The scholarship with some places of its text changed."""
    text = shipped_specifications()[R2].read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = folder / "edited.yaml"
    path.write_text(text, encoding="utf-8")
    return path


HARDSHIP = "    name: Student Hardship Adviser\n"
NEEDED = (HARDSHIP, f"{HARDSHIP}    necessary: with_winner\n")
PLANNED = ("\nnotes:", f"\n{BETWEEN}\n\nnotes:")


def test_the_table_is_followed_by_moves_counterexamples_and_what_follows_for_a_build() -> None:
    done = run(R1)
    assert done.exit_code == Exit.OK
    assert "move the winner's medical clearance (month: March 2026) to failed" in done.stdout
    assert "two candidates with the same facts are both eligible" in done.stdout
    assert "hold in every group and need not be decided again" in done.stdout
    assert done.stdout.endswith(f"{R1}: ACCEPTED\n")
    assert " claims in " in done.stderr


def test_a_refuted_role_is_followed_by_a_change_that_can_be_pasted() -> None:
    done = run(R2)
    assert done.exit_code == Exit.OK
    told = done.stdout[done.stdout.index("- without Student Hardship Adviser") :]
    assert "household income (2025 annual statement): " in told
    assert "      plan:\n        winner:\n          hardship_matters: 'household_income > lookup(" in told
    assert "hardship_matters" not in run(R2, "--no-advice").stdout


def test_a_role_that_must_be_necessary_and_is_not_ends_with_its_code(tmp_path: Path) -> None:
    done = run(edited(tmp_path, NEEDED), "--no-advice")
    assert done.exit_code == Exit.REJECTED
    assert "REJECTED UNC503: it fails in some group with a winner: without Student Hardship Adviser" in done.stdout
    assert run(edited(tmp_path, NEEDED, PLANNED), "--no-advice").exit_code == Exit.OK


def test_a_proof_about_nothing_is_refused(tmp_path: Path) -> None:
    never = ("\nnotes:", "\nplan: {winner: {never: not resident}}\n\nnotes:")
    done = run(edited(tmp_path, never), "--json")
    assert done.exit_code == Exit.REJECTED
    told = json.loads(done.stdout)
    assert told["rejection"]["code"] == "UNC512"
    winners = [
        each for each in told["claims"] if each["groups"] == "with a winner" and each["claim"] == "role necessity"
    ]
    assert {each["verdict"] for each in winners} == {"Vacuous"}


def test_what_is_not_decided_is_no_success() -> None:
    assert run(R1, "--rlimit", "1").exit_code == Exit.UNKNOWN


def test_json_says_of_each_claim_how_it_was_decided_what_was_assumed_and_what_follows(tmp_path: Path) -> None:
    told = json.loads(run(edited(tmp_path, PLANNED), "--json", "--no-advice").stdout)
    assert told["accepted"]
    fields = {"claim", "subject", "verdict", "how", "logic", "assumed", "resources", "shown_by", "follows"}
    assert all(fields <= set(each) for each in told["claims"])
    (hardship,) = (
        each
        for each in told["claims"]
        if (each["claim"], each["subject"], each["groups"]) == ("role necessity", "hardship", "with a winner")
    )
    assert (hardship["verdict"], hardship["how"]) == ("Proved", "moves")
    assert hardship["assumed"] == ["the plan of the winner"]
    assert hardship["shown_by"]
    refuted = [each for each in told["claims"] if each["verdict"] == "Refuted" and each["counterexample"]]
    assert all(each["counterexample"]["cells"] for each in refuted)


def test_repeating_tells_of_resources_and_of_changed_verdicts() -> None:
    done = run(R1, "--reseed", "1")
    assert done.exit_code == Exit.OK
    assert "Resources over 2 runs" in done.stdout
    assert "No verdict changed" in done.stdout


def test_options_that_do_not_go_together_are_refused() -> None:
    assert run(R1, "--facts", R1).exit_code == Exit.USAGE
    alone = CliRunner().invoke(application(), ["prove", R1, "--reseed", "2"])
    assert alone.exit_code == Exit.USAGE


def test_order_hash_seed_and_workers_change_no_byte(tmp_path: Path) -> None:
    """Sections, and the fields in them, in another order; rules and facts keep theirs, in which they are told."""
    sections = specification().dump()
    turned = {
        name: {
            key: dict(reversed(value.items())) if isinstance(value, dict) else value for key, value in section.items()
        }
        if isinstance(section, dict)
        else section
        for name, section in reversed(sections.items())
    }
    assert list(turned) != list(sections)
    outputs = []
    for workers, text in enumerate((sections, turned), 1):
        path = tmp_path / f"{workers}.yaml"
        path.write_text(json.dumps(text), encoding="utf-8")
        command = [sys.executable, "-m", "unco", "prove", str(path), "--family", "--json", "--workers", str(workers)]
        done = subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": str(workers)}, capture_output=True, check=True
        )
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0])["accepted"]


def test_the_hash_seed_changes_no_byte() -> None:
    code = (
        "from unco.cli import main; from unco.compiler import executor;"
        "executor.ProcessExecutor = lambda *_, **__: executor.SerialExecutor();"
        f"import sys; sys.argv = ['unco', 'prove', '{R1}', '--family', '--json']; main()"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0])["accepted"]
