"""read_build: one group of a build, without the time that all others would take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tampering import built

from unco.compiler.read_build import read_build, read_rendered
from unco.specs.errors import SpecificationError

TASKS = "tasks.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built().write(tmp_path)
    return tmp_path


def own_lines(folder: Path, group: str) -> list[bool]:
    """Of each line of the tasks, whether it is of the group."""
    return [json.loads(line)["group"] == group for line in (folder / TASKS).read_text("utf-8").splitlines()]


def test_each_group_has_its_own_tasks_in_order(folder: Path) -> None:
    _, entries = read_build(folder)
    tasks = [json.loads(line) for line in (folder / TASKS).read_text("utf-8").splitlines()]
    assert len(entries) > 2
    for entry in entries:
        read = read_rendered(folder, entry)
        assert [task.id for task in read.tasks] == [task["id"] for task in tasks if task["group"] == entry.id]


def test_the_tasks_of_other_groups_are_not_parsed(folder: Path) -> None:
    entry = read_build(folder)[1][1]
    own = own_lines(folder, entry.id)
    lines = (folder / TASKS).read_text("utf-8").splitlines()
    kept = [line if mine else "no JSON" for line, mine in zip(lines, own, strict=True)]
    (folder / TASKS).write_text("".join(f"{line}\n" for line in kept), "utf-8")
    assert read_rendered(folder, entry).id == entry.id


def test_a_changed_task_is_told(folder: Path) -> None:
    entry = read_build(folder)[1][0]
    text = (folder / TASKS).read_text("utf-8")
    assert '"setting": "Reliable"' in text
    (folder / TASKS).write_text(text.replace('"setting": "Reliable"', '"setting": "Missed"', 1), "utf-8")
    with pytest.raises(SpecificationError, match="UNC702"):
        read_rendered(folder, entry)
