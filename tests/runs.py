"""Runs that take no time: two small families, and candidate groups that are made once and handed out again."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest

from unco.compiler import run as running
from unco.compiler.build import BuildOptions
from unco.compiler.check import CheckOptions, check
from unco.compiler.executor import Executor, SerialExecutor
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.pipeline import Chunk
from unco.compiler.prove import ProveOptions
from unco.compiler.prove_families import ProvedFamily, prove_families
from unco.compiler.running.jobs import Unproved, Work
from unco.compiler.running.record import Record, json_text, run_to_records
from unco.compiler.running.shares import chunk_size
from unco.specs.family import Family
from unco.specs.read import parse_specification
from unco.specs.rejection import Rejection

CRANE = Path(__file__).parent / "specs_bad" / "facts" / "crane.yaml"
QUICK = ProveOptions(sufficient=False)
OPTIONS = BuildOptions(groups=6, prove=QUICK)
needs_fork = pytest.mark.skipif(sys.platform == "darwin", reason="a forked process may not go on there")
OURS = ("run.sqlite", "run.sqlite-wal", "run.sqlite-shm", "run.lock")
"""What stands in the folder of a run beside the dataset."""


@cache
def family(name: str = "crane-hire") -> Family:
    """A small family under this name."""
    text = CRANE.read_text(encoding="utf-8")
    assert text.count("name: crane-hire\n") == 1
    return check(
        parse_specification(text.replace("name: crane-hire\n", f"name: {name}\n")), CheckOptions(False)
    ).require()


def families() -> tuple[Family, Family]:
    return family(), family("second-crane")


@cache
def _made(name: str, start: int) -> tuple[Record, ...]:
    indices = tuple(range(start, start + chunk_size(start)))
    return run_to_records(Chunk(family(name), indices, InstantiateOptions(), QUICK, _proved(name).proof))


def made_before(chunk: Chunk) -> tuple[Record, ...]:
    """The true records of a chunk, with every third group of the second family rejected; made once."""
    found = _made(chunk.family.name, chunk.indices[0])
    if chunk.family.name == "crane-hire":
        return found
    pairs = zip(chunk.indices, found, strict=True)
    return tuple(rejected(chunk.family, index) if index % 3 == 1 else each for index, each in pairs)


@cache
def _proved(name: str) -> ProvedFamily:
    return prove_families([family(name)], QUICK, SerialExecutor())[0]


def proved_before(families: Sequence[Family], options: ProveOptions, executor: Executor) -> tuple[ProvedFamily, ...]:
    """The proofs of the families, made once; where the options are others, anew."""
    if options != QUICK or any(each != family(each.name) for each in families):
        return prove_families(families, options, executor)
    return tuple(_proved(each.name) for each in families)


def rejected(of: Family, index: int) -> Record:
    return Record.of(False, (json_text(vars(Rejection("prove", "UNC503", f"no {index}", of.name, index))),))


def rejected_all(chunk: Chunk) -> tuple[Record, ...]:
    """A rejection of every group of the chunk."""
    return tuple(rejected(chunk.family, index) for index in chunk.indices)


def proved_and_rejected(work: Work) -> Any:
    """The proof of a family, and a rejection of every group of it, in any process."""
    return running._to_records(work) if isinstance(work, Unproved) else rejected_all(work)


def dataset(folder: Path, ours: tuple[str, ...] = OURS) -> dict[str, bytes]:
    """Every file of a folder that is not the run's own."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in ours)
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def run_again(folder: Path, options: BuildOptions = OPTIONS) -> dict[str, bytes]:
    """The dataset of a run of both families that nothing stops."""
    running.run(families(), options, folder)
    return dataset(folder)


def in_child(act: Callable[[], object]) -> int:
    """The wait status of a forked process that does this and ends: 0 where nothing was raised."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    try:
        act()
    except BaseException:
        os._exit(1)
    os._exit(0)


class StoppedError(Exception):
    """Stands for whatever ends a process."""


def stop(*_: object) -> NoReturn:
    raise StoppedError


def kill_myself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
