"""unco corpus: one command to a dataset that a stranger can check, the same bytes however often it is run."""

from __future__ import annotations

import hashlib
import json
import shutil
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


def test_the_archive_says_what_each_of_its_files_and_each_field_of_a_task_holds(made: Path) -> None:
    told = (made / "README.md").read_text(encoding="utf-8")
    with tarfile.open(made / f"{TOP}.tar.gz") as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert "README.md" in names
    for name in set(names) - {"README.md"}:
        folder, _, file = name.rpartition("/")
        assert f"`{name}`" in told or f"`{folder}/`" in told or f"`{name.split('/')[0]}/`" in told, (folder, file)
    task = json.loads((made / "data" / "tasks.jsonl").read_text(encoding="utf-8").splitlines()[0])
    fields = [*task, *task["public"], *(f"private.{each}" for each in task["private"]), *task["gold"], task["canary"]]
    assert [
        each for each in fields if each not in ("part", "private", "private.part") and f"`{each}`" not in told
    ] == []


def test_a_run_tells_the_drafter_of_its_specifications(made: Path, tmp_path: Path) -> None:
    """Without the drafts; what is rejected of them is then not known."""
    done = run("summary", made / "data", "--json", "--html", tmp_path / "page.html")
    (funnel,) = json.loads(done.stdout)["funnels"]
    assert (funnel["by"], funnel["retained"], funnel["drafts_told"]) == ("grammar", GROUPS, False)


def test_the_same_command_goes_on_and_comes_to_the_same_bytes(made: Path) -> None:
    before = digest(made / f"{TOP}.tar.gz")
    (made / "datasheet.md").unlink()
    (made / "data" / "manifest.json").unlink()
    done = run("corpus", "--groups", GROUPS, "--out", made, "--json")
    assert done.exit_code == Exit.OK
    assert json.loads(done.stdout)["sha256"] == before


def tree(folder: Path) -> dict[Path, str]:
    return {path: digest(path) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "others", [("--groups", GROUPS, "--seed", 1), ("--groups", GROUPS - 1), ("--groups", GROUPS + 1)]
)
@pytest.mark.parametrize("noted", [True, False])
def test_a_folder_of_another_corpus_is_refused_and_left_as_it_is(
    made: Path, tmp_path: Path, others: tuple[object, ...], noted: bool
) -> None:
    out = Path(shutil.copytree(made, tmp_path / "out"))
    if not noted:
        (out / "corpus.txt").unlink()
    before = tree(out)
    done = run("corpus", *others, "--out", out)
    assert done.exit_code == Exit.USAGE
    asked = dict(zip(others[::2], others[1::2], strict=True))
    assert f"begun with --groups {GROUPS} --seed 0, and this command says --groups {asked['--groups']}" in done.stderr
    assert tree(out) == before


def test_a_corpus_that_is_not_finished_is_of_its_size_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unco.cli.corpus._run", lambda step: Exit.MACHINE)
    assert run("corpus", "--groups", 3, "--out", tmp_path).exit_code == Exit.MACHINE
    assert run("corpus", "--groups", 2, "--out", tmp_path).exit_code == Exit.USAGE
    assert run("corpus", "--groups", 3, "--out", tmp_path).exit_code == Exit.MACHINE
    (tmp_path / "corpus.txt").write_bytes(b"")
    assert run("corpus", "--groups", 2, "--out", tmp_path).exit_code == Exit.MACHINE
