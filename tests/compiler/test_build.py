"""build and write: the same bytes whatever runs them, and a folder that is whole or not there."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.rendered_groups import GRANT, family_of
from unco.compiler import build as building
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
    manifest = json.loads(files.pop("manifest.json"))
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


@pytest.mark.parametrize("at", ["groups.jsonl", "tasks.jsonl", "manifest.json"])
def test_where_the_disk_is_full_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    lines, text = building._write_lines, building._write_text

    def failing(path: Path, data: Any) -> None:
        if path.name == at:
            path.write_text("half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        (text if isinstance(data, str) else lines)(path, data)

    monkeypatch.setattr(building, "_write_lines", failing)
    monkeypatch.setattr(building, "_write_text", failing)
    with pytest.raises(InfrastructureError, match="cannot be written"):
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


def test_every_index_is_tried_once_and_in_order() -> None:
    for groups in (1, 3, 10, 25):
        flat = [index for chunk in building._indices(groups, 10) for index in chunk]
        assert flat == list(range(len(flat)))
        assert len(flat) >= groups * 10
