"""read_build: the groups of a build folder, one at a time, checked against their ids."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from unco.compiler.running.disk import MANIFEST, STORE
from unco.specs.errors import Diagnostic, Span, SpecificationError, UsageError
from unco.specs.task import RenderedGroup, Task

GROUPS, TASKS, REJECTIONS = "groups.jsonl", "tasks.jsonl", "rejections.jsonl"
FEWEST_DIGITS = 4
"""So many characters of the hash in an id, at least, tell a group."""


@dataclass(frozen=True)
class Entry:
    """A line of the list of groups."""

    id: str
    specification: str
    digest: str
    index: int


def read_build(path: Path) -> tuple[Path, tuple[Entry, ...]]:
    """The folder of a build, given itself or a file in it, and its groups in order.

    Raises UsageError where there is no build, SpecificationError (UNC702) where it does not read back.
    """
    folder = path if path.is_dir() else path.parent
    if (folder / STORE).is_file() and not (folder / MANIFEST).is_file():
        raise UsageError(f"the build in {folder} is not finished; the command that began it continues it")
    if not (folder / GROUPS).is_file() or not path.exists():
        raise UsageError(f"{path} is not a folder that `unco build` wrote: it has no {GROUPS}")
    return folder, tuple(_entry(data, span) for data, span in lines(folder / GROUPS))


def read_rejections(folder: Path) -> list[dict[str, Any]]:
    """The rejections of a build, as they stand in its file."""
    return [data for data, _ in lines(folder / REJECTIONS)]


def choose(entries: Sequence[Entry], wanted: str) -> Entry:
    """The group with this id, the beginning of its id, or this place in the order, counted from 1."""
    if wanted.isdecimal() and 1 <= int(wanted) <= len(entries):
        return entries[int(wanted) - 1]
    bare = wanted.removeprefix("group-")
    found = [each for each in entries if each.id.removeprefix("group-").startswith(bare)]
    if len(found) == 1 and len(bare) >= FEWEST_DIGITS:
        return found[0]
    raise UsageError(
        f"there is no group {wanted}: expected a number from 1 to {len(entries)}, or an id or the beginning of one"
        if not found
        else f"{wanted} is the beginning of {len(found)} ids: give more of it, at least {FEWEST_DIGITS} characters"
    )


def read_rendered(folder: Path, entry: Entry) -> RenderedGroup:
    """The group in words; SpecificationError (UNC702) where its tasks are not what its id says."""
    tasks = [_task(data, span) for data, span in _own(folder / TASKS, entry)]
    try:
        return RenderedGroup(id=entry.id, specification=entry.digest, index=entry.index, tasks=tuple(tasks))
    except ValidationError as error:
        raise unreadable(reason_of(error), Span(str(folder / TASKS), 1, 1, 1, 1)) from None


def _own(path: Path, entry: Entry) -> Iterator[tuple[Any, Span]]:
    """The lines of the group, which follow each other; what comes after them is not read."""
    begun = False
    for data, span in lines(path, entry.id):
        if isinstance(data, dict) and data.get("group") == entry.id:
            begun = True
            yield data, span
        elif begun:
            return


def lines(path: Path, naming: str = "") -> Iterator[tuple[Any, Span]]:
    """The lines of a file; those that do not hold the text `naming` are not parsed, and stand as None.

    Raises SpecificationError (UNC702) where a line is no JSON.
    """
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                span = Span(str(path), number, 1, number, max(len(line), 2))
                try:
                    yield (json.loads(line) if naming in line else None), span
                except (ValueError, RecursionError) as error:
                    raise unreadable(f"{type(error).__name__}: {error}", span) from None
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(f"{type(error).__name__}: {error}", Span(str(path), 1, 1, 1, 1)) from None


def _entry(data: Any, span: Span) -> Entry:
    try:
        entry = Entry(data["id"], data["specification"], data["digest"], data["group"]["index"])
    except (KeyError, TypeError) as error:
        raise unreadable(f"{type(error).__name__}: {error}", span) from None
    if not all(isinstance(text, str) for text in (entry.id, entry.specification, entry.digest)):
        raise unreadable("an id, a name or a digest that is no text", span)
    return entry


def _task(data: Any, span: Span) -> Task:
    try:
        return Task.model_validate_json(json.dumps(data))
    except ValidationError as error:
        raise unreadable(reason_of(error), span) from None


def reason_of(error: ValidationError) -> str:
    """The first thing that is wrong, with its place."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg']}" if place else str(first["msg"])


def unreadable(reason: str, span: Span) -> SpecificationError:
    """UNC702 at this place."""
    return SpecificationError([Diagnostic("UNC702", "a stored group does not read back", span, found=reason)])
