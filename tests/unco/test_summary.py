"""unco summary and unco corpus: what they print, what they write, how they end."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.runs import QUICK, family
from unco.cli import application
from unco.cli.exits import Exit
from unco.compiler import run as running
from unco.compiler.build import BuildOptions

pytestmark = pytest.mark.xdist_group("summary")


def run(*arguments: object) -> Any:
    return CliRunner().invoke(application(), [str(each) for each in arguments])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two groups."""
    out = tmp_path_factory.mktemp("made") / "out"
    running.run([family()], BuildOptions(2, prove=QUICK), out)
    return out


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "out"))


def test_the_tables_are_printed_and_the_page_stands_beside_the_data(folder: Path) -> None:
    done = run("summary", folder)
    assert (done.exit_code, done.stderr) == (Exit.OK, "")
    for title in ("Funnel", "What LLMs were asked", "Diversity", "Guess ceilings", "What a reviewer would count"):
        assert f"\n{title}\n{'=' * len(title)}\n" in done.stdout
    assert "No LLM was asked." in done.stdout
    assert done.stdout.endswith(f"{folder / 'summary.html'}\n")
    assert (folder / "summary.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_dataset_with_a_summary_still_holds(folder: Path) -> None:
    run("summary", folder)
    assert run("verify", folder).exit_code == Exit.OK
    (folder / "other.html").write_text("x", encoding="utf-8")
    assert run("verify", folder).exit_code == Exit.REJECTED


def test_the_page_goes_where_it_is_asked_for(folder: Path, tmp_path: Path) -> None:
    done = run("summary", folder, "--html", tmp_path / "page.html", "--json")
    found = json.loads(done.stdout)
    assert found["page"] == str(tmp_path / "page.html")
    assert (tmp_path / "page.html").is_file()
    assert not (folder / "summary.html").exists()
    assert found["manifest_sha256"] == hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()


def test_what_the_checker_finds_is_in_the_summary_and_ends_with_its_code(folder: Path) -> None:
    done = run("summary", folder, "--verify")
    assert (done.exit_code, "2 groups, 0 faults" in done.stdout) == (Exit.OK, True)
    (folder / "guess-ceiling.svg").unlink()
    done = run("summary", folder, "--verify")
    assert (done.exit_code, "2 groups, 1 faults" in done.stdout) == (Exit.REJECTED, True)
    assert "guess-ceiling.svg: hash: found no file" in done.stderr


def test_a_folder_without_a_build_is_a_usage_error(tmp_path: Path) -> None:
    done = run("summary", tmp_path)
    assert (done.exit_code, list(tmp_path.iterdir())) == (Exit.USAGE, [])
    assert "unco build" in done.stderr


def test_a_page_that_cannot_be_written_is_a_fault_of_the_machine(folder: Path, tmp_path: Path) -> None:
    assert run("summary", folder, "--html", tmp_path / "nowhere" / "page.html").exit_code == Exit.MACHINE
