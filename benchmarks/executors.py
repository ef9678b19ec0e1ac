"""Where work runs: what local processes and a local Ray engine cost beside the work itself, on two workers each."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from unco.compiler.build import BuildOptions
from unco.compiler.check import CheckOptions, check
from unco.compiler.executor import Executor, ProcessExecutor
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.ray_executor import RayExecutor
from unco.compiler.run import Watcher, run
from unco.specs.family import Family
from unco.specs.read import read_specification

GROUPS = 100
CHUNKS = 1_000
WORKERS = 2
SEED = 7
EXECUTORS: dict[str, Callable[[], Executor]] = {
    "processes": lambda: ProcessExecutor(WORKERS),
    "Ray": lambda: RayExecutor(workers=WORKERS),
}


@dataclass(frozen=True)
class Row:
    """Seconds by executor: until the first result, for each chunk that does nothing but carry a family there and its
    name back, and for the groups of a build from the first one on.
    """

    executor: str
    start: float
    chunk: float
    build: float


def measure(path: Path, groups: int = GROUPS) -> list[Row]:
    """Each executor in turn; Ray only where it is installed."""
    family = check(read_specification(path), CheckOptions(findings=False)).require()
    there = [name for name in EXECUTORS if name != "Ray" or importlib.util.find_spec("ray") is not None]
    return [_row(name, family, groups) for name in there]


def _row(name: str, family: Family, groups: int) -> Row:
    start, chunk = _empty(EXECUTORS[name](), family)
    return Row(name, start, chunk, _build(EXECUTORS[name](), family, groups))


def _empty(executor: Executor, family: Family) -> tuple[float, float]:
    """Seconds until the first result, and for each of the others."""
    started = time.perf_counter()
    results = executor.map(_name, [family] * CHUNKS)
    next(results)
    first = time.perf_counter()
    for _ in results:
        last = time.perf_counter()
    return first - started, (last - first) / (CHUNKS - 1)


def _name(family: Family) -> str:
    return family.name


def _build(executor: Executor, family: Family, groups: int) -> float:
    times: list[float] = []
    options = BuildOptions(groups, InstantiateOptions(seed=SEED))
    with TemporaryDirectory() as folder:
        watcher = Watcher(progress=lambda *_: times.append(time.perf_counter()))
        run([family], options, Path(folder) / "out", executor, watcher)
    return times[-1] - times[0]
