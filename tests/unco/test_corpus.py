"""unco corpus: one command to a dataset that a stranger can check, the same bytes however often it is run."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from unco.cli import application
from unco.cli.exits import Exit

GROUPS = 2
pytestmark = pytest.mark.xdist_group("corpus")
TOP = f"unco-corpus-{GROUPS}-seed-0"


def run(*arguments: object) -> Any:
    return CliRunner().invoke(application(), [str(each) for each in arguments])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpus") / "out"
    done = run("corpus", "--groups", GROUPS, "--out", out)
    assert done.exit_code == Exit.OK, done.output
    assert f"{GROUPS} of {GROUPS} groups" in done.stdout
    return out


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_stranger_can_check_what_is_in_the_archive(made: Path, tmp_path: Path) -> None:
    with tarfile.open(made / f"{TOP}.tar.gz") as archive:
        names = archive.getnames()
        assert {(each.mtime, each.uid, each.gid, each.uname, each.gname) for each in archive} == {(0, 0, 0, "", "")}
        archive.extractall(tmp_path, filter="data")
    assert not [name for name in names if "sqlite" in name or "lock" in name]
    assert sum(name.startswith(f"{TOP}/drafts/specs/") for name in names) == GROUPS
    data = tmp_path / TOP / "data"
    done = subprocess.run([sys.executable, data / "verify.py", data], capture_output=True, text=True, check=False)
    assert (done.returncode, f"{GROUPS} groups" in done.stdout) == (0, True), done.stdout + done.stderr


def test_the_datasheet_and_the_page_tell_the_same(made: Path) -> None:
    sheet, page = ((made / name).read_text(encoding="utf-8") for name in ("datasheet.md", "summary.html"))
    for text in (
        "No LLM has solved these tasks",
        digest(made / "data" / "manifest.json"),
        f"unco corpus --groups {GROUPS} --seed 0",
        f"checked {GROUPS} groups and found 0 faults",
        f"{GROUPS} of 112",
    ):
        assert text in sheet
        assert text in page
    assert str(made) not in sheet + page


def test_the_same_command_goes_on_and_comes_to_the_same_bytes(made: Path) -> None:
    before = digest(made / f"{TOP}.tar.gz")
    (made / "datasheet.md").unlink()
    (made / "data" / "manifest.json").unlink()
    done = run("corpus", "--groups", GROUPS, "--out", made, "--json")
    assert done.exit_code == Exit.OK
    assert json.loads(done.stdout)["sha256"] == before


def test_a_folder_of_another_corpus_is_refused(made: Path) -> None:
    before = digest(made / f"{TOP}.tar.gz")
    assert run("corpus", "--groups", GROUPS, "--seed", 1, "--out", made).exit_code == Exit.USAGE
    assert digest(made / f"{TOP}.tar.gz") == before
