"""Memory of a build: what the process that leads it and its two workers hold, as the groups of one run grow in number.

The run has a process of its own, so that no other benchmark counts. Sizes are read from `/proc`, which Linux has.
"""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.families import family_of
from benchmarks.usage import alone, resident
from unco.compiler.build import BuildOptions
from unco.compiler.executor import ProcessExecutor
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.run import Watcher, run

GROUPS = 1_000
SEED = 7
WORKERS = 2
SHARES = (10, 50, 100)
"""At so many percent of the groups the sizes are read."""
FLAT = 1.1
"""Memory is flat where the last reading is at most so many times the one before: at first workers fill their caches."""


@dataclass(frozen=True)
class Reading:
    """Resident MiB when so many groups were kept, and at most until then."""

    groups: int
    leader: float
    workers: float
    """Of the largest worker."""
    leader_peak: float
    workers_peak: float

    @property
    def held(self) -> float:
        """By both together."""
        return self.leader + self.workers


@dataclass(frozen=True)
class Row:
    """The readings of one run, and one more when its files were written."""

    specification: str
    groups: int
    seconds: float
    readings: tuple[Reading, ...]
    exported: Reading

    @property
    def growth(self) -> float:
        """How many times what is held with the last group is of what was held at the first reading."""
        return self.readings[-1].held / self.readings[0].held

    @property
    def late_growth(self) -> float:
        """The same from the last reading but one: over the second half of the groups."""
        return self.readings[-1].held / self.readings[-2].held

    @property
    def flat(self) -> bool:
        """Whether memory does not grow with the number of groups."""
        return self.late_growth <= FLAT


def measure(path: Path, groups: int = GROUPS) -> Row:
    """One run of a specification."""
    return alone(_measured, path, groups)


def _measured(path: Path, groups: int) -> Row:
    family = family_of(path)
    marks = [max(1, groups * share // 100) for share in SHARES]
    readings: list[Reading] = []

    def read(name: str, done: int, wanted: int) -> None:
        while len(readings) < len(marks) and done >= marks[len(readings)]:
            readings.append(_reading(done))

    options = BuildOptions(groups, InstantiateOptions(seed=SEED))
    started = time.perf_counter()
    with TemporaryDirectory() as folder:
        summary = run([family], options, Path(folder) / "out", ProcessExecutor(WORKERS), Watcher(progress=read))
    seconds = time.perf_counter() - started
    if summary.missing:
        raise AssertionError(f"groups are missing: {summary.missing}")
    return Row(family.name, groups, seconds, tuple(readings), _reading(summary.retained))


def _reading(groups: int) -> Reading:
    """What is held now."""
    leader, leader_peak = resident(os.getpid())
    sizes = [resident(each.pid) for each in multiprocessing.active_children() if each.pid is not None]
    workers, peaks = zip(*sizes, strict=True) if sizes else ((0.0,), (0.0,))
    return Reading(groups, leader, max(workers), leader_peak, max(peaks))


def told(found: Row) -> dict[str, Any]:
    """All as plain data, with the growth."""
    return {
        **dataclasses.asdict(found),
        "growth": found.growth,
        "late_growth": found.late_growth,
        "flat": found.flat,
    }


def show(found: Row) -> None:
    """A line a reading."""
    named = f"{found.groups:,} groups of {found.specification}, {found.seconds:,.0f} s"
    print(f"Memory of one run with {WORKERS} workers: {named}; resident MiB, now and at most")
    print(f"{'groups':<24}{'leader':>9}{'at most':>9}{'worker':>9}{'at most':>9}")
    for reading in found.readings:
        _show_reading(f"{reading.groups:,}", reading)
    _show_reading("files written", found.exported)
    told = "flat" if found.flat else "not flat"
    print(
        f"With all groups: {found.growth:.2f} times the first reading, {found.late_growth:.2f} times the second: {told}"
    )


def _show_reading(name: str, reading: Reading) -> None:
    leader, workers = (reading.leader, reading.leader_peak), (reading.workers, reading.workers_peak)
    print(f"{name:<24}" + "".join(f"{size:>9.0f}" for size in (*leader, *workers)))
