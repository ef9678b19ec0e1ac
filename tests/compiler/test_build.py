"""build and write: the same bytes whatever runs them, and a folder that is whole or not there."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.rendered_groups import GRANT, family_of
from unco.compiler import export as exporting
from unco.compiler.build import BuildOptions, Built, build, write
from unco.compiler.executor import ProcessExecutor
from unco.compiler.prove import ProveOptions
from unco.specs.errors import InfrastructureError, UsageError
from unco.specs.stored import read_group

OPTIONS = BuildOptions(groups=2, prove=ProveOptions(sufficient=False))


@cache
def built() -> Built:
    return build([family_of(GRANT)], OPTIONS)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_workers_and_runs_leave_no_trace_in_the_bytes(tmp_path: Path) -> None:
    write(built(), tmp_path / "one", OPTIONS)
    write(build([family_of(GRANT)], OPTIONS, ProcessExecutor(2)), tmp_path / "two", OPTIONS)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_manifest_has_the_hash_of_every_other_file(tmp_path: Path) -> None:
    write(built(), tmp_path / "out", OPTIONS)
    files = contents(tmp_path / "out")
    detached, text = files.pop("manifest.sha256"), files.pop("manifest.json")
    assert detached == f"{hashlib.sha256(text).hexdigest()}  manifest.json\n".encode()
    manifest = json.loads(text)
    assert manifest["files"] == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    assert manifest["retained"] == len(built().retained) == 2


def test_a_stored_group_reads_back_equal(tmp_path: Path) -> None:
    write(built(), tmp_path / "out", OPTIONS)
    lines = (tmp_path / "out" / "groups.jsonl").read_text(encoding="utf-8").splitlines()
    found = [read_group(family_of(GRANT), json.loads(line)["group"]) for line in lines]
    assert found == [retained.group for _, retained in built().retained]


def test_an_empty_folder_is_used_and_one_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write(built(), tmp_path / "empty", OPTIONS)
    assert contents(tmp_path / "empty")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not an empty folder"):
        write(built(), tmp_path / "full", OPTIONS)
    assert contents(tmp_path / "full") == {"mine.txt": b"mine"}


@pytest.mark.parametrize("at", ["groups.jsonl", "tasks.jsonl", "certificates", "specifications", "manifest.json"])
def test_where_the_disk_is_full_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    write_lines = exporting._Lines.write

    def failing(self: exporting._Lines, lines: Sequence[str]) -> None:
        if at in (self.path.name, self.path.parent.name):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_lines(self, lines)

    monkeypatch.setattr(exporting._Lines, "write", failing)
    with pytest.raises(InfrastructureError, match=r"out.*: No space left on device"):
        write(built(), tmp_path / "out", OPTIONS)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_the_parent_folder_is_an_infrastructure_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InfrastructureError):
        write(built(), tmp_path / "file" / "out", OPTIONS)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_an_infrastructure_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(InfrastructureError):
            write(built(), tmp_path / "out", OPTIONS)
    finally:
        tmp_path.chmod(0o700)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("groups", [0, -1])
def test_fewer_than_one_group_is_a_usage_error(groups: int) -> None:
    with pytest.raises(UsageError, match="at least one"):
        build([family_of(GRANT)], BuildOptions(groups=groups))
