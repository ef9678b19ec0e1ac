"""build: checked families to a folder of verified groups, tasks, certificates and rejections."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unco.compiler.executor import Executor, SerialExecutor
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.pipeline import Chunk, Retained, run_chunk
from unco.compiler.prove import ProveOptions
from unco.specs.errors import InfrastructureError, UsageError
from unco.specs.family import Family
from unco.specs.rejection import Rejection
from unco.specs.stored import store_claim, store_group
from unco.specs.version import VERSION
from unco.templates.loader import fill

CHUNK = 10
TRIES = 10
"""At most this many candidate groups are tried for each that is wanted, and a chunk more."""
FILES = ("groups.jsonl", "tasks.jsonl", "rejections.jsonl")
Progress = Callable[[str, int, int], None]
"""Told the specification, how many groups are retained, and how many are wanted."""


@dataclass(frozen=True)
class BuildOptions:
    """How many groups of each family; how they are drawn and proved."""

    groups: int = 1
    instantiate: InstantiateOptions = field(default_factory=InstantiateOptions)
    prove: ProveOptions = field(default_factory=ProveOptions)


@dataclass(frozen=True)
class Built:
    """What a build made: the retained groups in order, and the rejections by phase."""

    retained: tuple[tuple[Family, Retained], ...]
    rejections: tuple[Rejection, ...]

    @property
    def by_phase(self) -> dict[str, int]:
        """How many candidate groups each phase rejected."""
        return dict(Counter(rejection.phase for rejection in self.rejections))

    def _repr_html_(self) -> str:
        """What was retained and what was rejected, for a notebook."""
        return fill("show/built.html.j2", retained=len(self.retained), rejections=self.rejections)


def build(
    families: Sequence[Family],
    options: BuildOptions,
    executor: Executor | None = None,
    progress: Progress = lambda name, done, wanted: None,
) -> Built:
    """Groups of every family, the same whatever runs them."""
    if options.groups < 1:
        raise UsageError(f"{options.groups} groups were asked for; ask for at least one")
    retained: list[tuple[Family, Retained]] = []
    rejections: list[Rejection] = []
    for family in families:
        done = 0
        for outcome in _outcomes(family, options, executor or SerialExecutor()):
            if isinstance(outcome, Rejection):
                rejections.append(outcome)
                continue
            retained.append((family, outcome))
            progress(family.name, done := done + 1, options.groups)
            if done == options.groups:
                break
    return Built(tuple(retained), tuple(rejections))


def _outcomes(family: Family, options: BuildOptions, executor: Executor) -> Iterator[Retained | Rejection]:
    chunks = (Chunk(family, indices, options.instantiate, options.prove) for indices in _indices(options.groups, TRIES))
    for results in executor.map(run_chunk, chunks):
        yield from results


def _indices(groups: int, tries: int) -> Iterator[tuple[int, ...]]:
    """Consecutive group indices in chunks, the first of which is no larger than what is wanted."""
    size = min(CHUNK, groups)
    for start in range(0, groups * tries + CHUNK, size):
        yield tuple(range(start, start + size))


def require_free(folder: Path) -> None:
    """UsageError where the folder holds something already, or is none."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not an empty folder; choose another with --out, or remove it")


def write(built: Built, folder: Path, options: BuildOptions) -> None:
    """Write a build into a folder that does not exist yet or is empty: all of it, or nothing."""
    require_free(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            _write_all(built, staging, options)
            os.replace(staging, folder)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            raise
    except OSError as error:
        raise InfrastructureError(f"{folder} cannot be written: {error.strerror or error}") from error


def _write_all(built: Built, folder: Path, options: BuildOptions) -> None:
    os.chmod(folder, 0o755)
    groups, tasks, rejections = FILES
    _write_lines(folder / groups, (_group_record(family, retained) for family, retained in built.retained))
    _write_lines(
        folder / tasks,
        (task.model_dump(mode="json") for _, retained in built.retained for task in retained.rendered.tasks),
    )
    _write_lines(folder / rejections, (vars(rejection) for rejection in built.rejections))
    (folder / "certificates").mkdir()
    for family, retained in built.retained:
        name = f"{retained.rendered.id}.json"
        _write_text(folder / "certificates" / name, _json(certificate(family, retained)) + "\n")
    _write_text(folder / "manifest.json", _json(_manifest(built, folder, options), indent=2) + "\n")


def certificate(family: Family, retained: Retained) -> dict[str, Any]:
    """What is needed to check a group again: the instance, its claims with their witnesses, and the family's digest."""
    return {
        "specification": family.name,
        "digest": family.digest,
        "group": retained.rendered.id,
        "instance": store_group(retained.group),
        "claims": [store_claim(claim) for claim in retained.proof.claims],
        "smallest_sufficient_cells": [list(cell) for cell in retained.proof.sufficient],
    }


def _group_record(family: Family, retained: Retained) -> dict[str, Any]:
    return {
        "id": retained.rendered.id,
        "specification": family.name,
        "digest": family.digest,
        "domain": family.domain,
        "operation": family.calculation.operation,
        "necessary_roles": list(retained.proof.necessary_roles),
        "settings": [task.setting for task in retained.rendered.tasks],
        "group": store_group(retained.group),
    }


def _manifest(built: Built, folder: Path, options: BuildOptions) -> dict[str, Any]:
    families = {family.name: family.digest for family, _ in built.retained}
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        "unco": VERSION,
        "seed": options.instantiate.seed,
        "groups_per_specification": options.groups,
        "rlimit": options.prove.rlimit,
        "specifications": dict(sorted(families.items())),
        "retained": len(built.retained),
        "rejected": built.by_phase,
        "files": {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths},
    }


def _write_lines(path: Path, records: Iterable[Any]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(_json(record) + "\n")


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _json(data: Any, indent: int | None = None) -> str:
    return json.dumps(data, ensure_ascii=False, indent=indent, sort_keys=indent is not None)
