"""Where work runs: what local processes and a local Ray engine cost beside the work itself, on two workers each; and
how much faster two local processes build facts than one.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import facts
from benchmarks.families import family_of
from unco.compiler.build import BuildOptions
from unco.compiler.executor import Executor, ProcessExecutor
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.ray_executor import RayExecutor
from unco.compiler.run import Watcher, run
from unco.specs.family import Family

GROUPS = 100
CHUNKS = 1_000
WORKERS = 2
SEED = 7
RUNS = 5
FOR_A_GROUP = 800
"""So many instances of facts are built for each group with texts."""
AIM = Fraction(9, 5)
"""Two processes should build facts at least so many times as fast as one."""
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


@dataclass(frozen=True)
class Facts:
    """Facts built by one process and by two, in turn: instances a second of the clock in each run."""

    instances: int
    by_one: tuple[float, ...]
    by_two: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times as fast two processes are: the median of the runs."""
        return statistics.median(two / one for one, two in zip(self.by_one, self.by_two, strict=True))


@dataclass(frozen=True)
class Found:
    """What executors cost, and what two processes gain."""

    rows: tuple[Row, ...]
    facts: Facts


def measure(path: Path, groups: int = GROUPS) -> Found:
    """Each executor in turn; Ray only where it is installed."""
    family = family_of(path)
    there = [name for name in EXECUTORS if name != "Ray" or importlib.util.find_spec("ray") is not None]
    return Found(tuple(_row(name, family, groups) for name in there), measure_facts(family, groups * FOR_A_GROUP))


def measure_facts(family: Family, instances: int, runs: int = RUNS) -> Facts:
    """One process and two, in turn."""
    rates = [[_rate(family, instances, workers) for workers in (1, WORKERS)] for _ in range(runs)]
    by_one, by_two = zip(*rates, strict=True)
    return Facts(instances, by_one, by_two)


def _rate(family: Family, instances: int, workers: int) -> float:
    """From the first chunk of each worker on."""
    marks = facts.Marks()
    with TemporaryDirectory() as folder:
        facts.build(family, Path(folder) / "out", instances, ProcessExecutor(workers), marks)
    return marks.rates(workers).wall


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


def told(found: Found) -> dict[str, Any]:
    """All as plain data, with the ratio."""
    return {**dataclasses.asdict(found), "ratio": found.facts.ratio}


def show(found: Found) -> None:
    """A line an executor, then what two processes gain."""
    print(f"Executors with {WORKERS} workers: seconds until the first result, a chunk, a build")
    print(f"{'executor':<24}{'start':>9}{'chunk':>11}{'build':>9}")
    for row in found.rows:
        print(f"{row.executor:<24}{row.start:>9.2f}{row.chunk:>11.5f}{row.build:>9.2f}")
    if len(found.rows) < len(EXECUTORS):
        print("Ray is not installed, and left out")
    one, two = (f"{statistics.median(rates):,.0f}" for rates in (found.facts.by_one, found.facts.by_two))
    runs = f"median of {RUNS} runs of {found.facts.instances:,}"
    print(f"Facts: {one} instances a second by one process, {two} by two: {found.facts.ratio:.2f} times ({runs})")
    print(f"Aim: at least {float(AIM)} times")
