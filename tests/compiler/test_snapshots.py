"""Every text of one group of each shipped specification, as it was last read and found good.

The groups are kept, so that a snapshot changes with the wording alone. `UNCO_ACCEPT=1 pytest ...` writes the texts
anew, and draws a group where none is kept.
"""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from rendered_groups import family_of

from unco.compiler.fidelity import fidelity
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.perturb import perturb
from unco.compiler.render import render
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Winner
from unco.specs.shipped import shipped_specifications
from unco.specs.stored import read_group, store_group
from unco.specs.task import RenderedGroup, Task

FOLDER = Path(__file__).parent / "snapshots"
SHIPPED = shipped_specifications()
ACCEPT = bool(os.environ.get("UNCO_ACCEPT"))


def kept_group(name: str) -> CandidateGroup:
    """The group that is kept for a specification."""
    family, path = family_of(SHIPPED[name]), FOLDER / f"{name}.json"
    if ACCEPT and not path.exists():
        cells = json.dumps(store_group(drawn_group(family)), ensure_ascii=False)
        path.write_text(f"{cells.replace('], [', f'],{chr(10)}[')}\n", encoding="utf-8")
    return read_group(family, json.loads(path.read_text(encoding="utf-8")))


def drawn_group(family: Family) -> CandidateGroup:
    """The first group that has a winner and every kind of defect."""
    for index in range(40):
        group = instantiate(family, index, InstantiateOptions(seed=1))
        if isinstance(group, CandidateGroup) and isinstance(group.outcome, Winner) and group.mixed:
            return group
    raise AssertionError(f"{family.name} has no such group")


def texts(group: RenderedGroup) -> str:
    """All that anybody reads of a group, setting by setting."""
    first = group.tasks[0]
    return "\n\n".join([*public_texts(first), *(part for task in group.tasks for part in replies(task))]) + "\n"


def public_texts(task: Task) -> Iterator[str]:
    yield task.public.title
    yield task.public.instructions
    yield "\n".join(f"{role.name}: {role.description}" for role in task.public.roles)
    yield from (records.text for records in task.private.records)


def replies(task: Task) -> Iterator[str]:
    for defect in task.private.defects:
        told = "\n".join(f"  {line}" for line in defect.first_reply.splitlines())
        mended = "\n".join(f"  {line}" for line in defect.recovery_reply.splitlines())
        yield f"{task.setting}, {defect.role}, {defect.kind}:\n{told}\n then:\n{mended}"


def wrapped(text: str) -> str:
    """The text in lines that a reader of a change can take in."""
    lines = (
        textwrap.wrap(line, 118, subsequent_indent="      ", break_long_words=False, break_on_hyphens=False) or [""]
        for line in text.splitlines()
    )
    return "\n".join(piece for pieces in lines for piece in pieces) + "\n"


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_specification_reads_as_it_was_found_good(name: str) -> None:
    family, group = family_of(SHIPPED[name]), kept_group(name)
    rendered = perturb(family, group, render(family, group))
    assert fidelity(family, group, rendered) == ()
    expected, found = FOLDER / f"{name}.txt", wrapped(texts(rendered))
    if ACCEPT:
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


def test_there_is_one_snapshot_for_each_shipped_specification() -> None:
    expected = {f"{name}.{kind}" for name in SHIPPED for kind in ("json", "txt")}
    assert {path.name for path in FOLDER.iterdir()} == expected
