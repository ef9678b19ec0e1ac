"""A dataset is checked in shares: the same counts and the same faults in the same order, whatever does the work."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import facts_datasets
import pytest
import tampering

from tests.endangered import Endangered
from unco.compiler.checker import verify as checker
from unco.compiler.executor import Executor, ProcessExecutor, SerialExecutor
from unco.compiler.ray_executor import RayExecutor
from unco.compiler.verify import verify
from unco.specs.errors import InfrastructureError

Json = Any
Told = tuple[dict[str, Json], list[checker.Fault]]
FAULTS = 4
"""So many faults each of the datasets has."""


@pytest.fixture(autouse=True)
def _small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "SHARE", 1)


def groups(folder: Path) -> None:
    """A dataset of four groups, of which each has a fault."""
    data = tampering.built().copy()
    for certificate in data.certificates.values():
        certificate["claims"].pop(1)
    data.write(folder)


def facts(folder: Path) -> None:
    """A dataset of facts in four files, of which each has a fault."""
    data = facts_datasets.built().copy()
    for lines in data.lines.values():
        for first in lines[:: data.chunk]:
            first["necessary"] = {}
    data.write(folder)


EACH_KIND = pytest.mark.parametrize("write", [groups, facts])


def told_by(folder: Path, executor: Executor) -> Told:
    told: list[checker.Fault] = []
    counts = verify(folder, [], told.append, executor)
    return {name: value for name, value in counts.items() if name != "milliseconds"}, told


@EACH_KIND
def test_processes_tell_what_one_tells_though_one_of_them_is_killed(
    write: Callable[[Path], None], tmp_path: Path
) -> None:
    write(tmp_path / "out")
    (tmp_path / "marks").mkdir()
    alone = told_by(tmp_path / "out", SerialExecutor())
    assert len(alone[1]) >= FAULTS
    assert told_by(tmp_path / "out", Endangered(ProcessExecutor(2), str(tmp_path / "marks"))) == alone
    assert (tmp_path / "marks" / "killed").exists()


def test_the_shipped_checker_says_the_same_with_several_processes(tmp_path: Path) -> None:
    facts(tmp_path)
    said = []
    for workers in ("1", "3"):
        command = [sys.executable, "-I", "verify.py", ".", "--workers", workers]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (1, "")
        said.append([line for line in done.stdout.splitlines() if "evaluated again" not in line])
    assert said[0] == said[1]


def test_what_cannot_be_cut_any_more_is_told_after_what_was_cut(tmp_path: Path) -> None:
    groups(tmp_path)
    lines = (tmp_path / "groups.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "groups.jsonl").write_bytes(b"".join([*lines[:2], b"{]\n", *lines[3:]]))
    alone = told_by(tmp_path, SerialExecutor())
    assert [fault.claim for fault in alone[1]] == ["hash", "answer uniqueness", "answer uniqueness", "form"]
    assert told_by(tmp_path, ProcessExecutor(2)) == alone


def test_a_share_tells_no_more_faults_than_are_told_of_a_dataset(tmp_path: Path) -> None:
    data = facts_datasets.built().copy()
    for lines in data.lines.values():
        for line in lines:
            line["names"] = []
    data.write(tmp_path)
    share = next(each for each in shares_of(tmp_path) if isinstance(each, checker.Chunk))
    assert len(share.check().told) == share.check().counts.faults > 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checker, "MOST_FAULTS", 2)
        assert len(share.check().told) == 2
        assert share.check().counts.faults > 2


def shares_of(folder: Path) -> list[Any]:
    found: list[Any] = []
    checker.verify(folder, run=lambda function, shares: map(function, (found.append(each) or each for each in shares)))
    return found


def test_what_the_machine_fails_at_is_no_fault_of_the_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> Any:
        raise OSError(errno.EAGAIN, "no process could be started")

    facts(tmp_path)
    monkeypatch.setattr(SerialExecutor, "map", fail)
    with pytest.raises(InfrastructureError, match="no process could be started; run the command again"):
        verify(tmp_path, [], lambda fault: None)
    monkeypatch.setattr(checker, "in_processes", lambda workers: fail)
    assert checker.main([str(tmp_path), "--workers", "2"]) == 2
    assert capsys.readouterr().err.startswith("the work could not be done: ")


@pytest.mark.extras
@EACH_KIND
def test_ray_tells_what_one_process_tells_though_a_worker_is_killed(
    write: Callable[[Path], None], tmp_path: Path
) -> None:
    write(tmp_path / "out")
    (tmp_path / "marks").mkdir()
    with RayExecutor(workers=2).connected() as executor:
        found = told_by(tmp_path / "out", Endangered(executor, str(tmp_path / "marks")))
    assert found == told_by(tmp_path / "out", SerialExecutor())
    assert (tmp_path / "marks" / "killed").exists()
