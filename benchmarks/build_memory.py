"""Memory of a build: what the process that leads it and its two workers hold, as the groups of one run grow in number.

The run has a process of its own, so that no other benchmark counts. Sizes are read from `/proc`, which Linux has.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from unco.compiler.build import BuildOptions
from unco.compiler.check import CheckOptions, check
from unco.compiler.executor import ProcessExecutor
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.run import Watcher, run
from unco.specs.read import read_specification

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
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_measured, path, groups).result()


def _measured(path: Path, groups: int) -> Row:
    family = check(read_specification(path), CheckOptions(findings=False)).require()
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
    leader, leader_peak = _resident(os.getpid())
    sizes = [_resident(each.pid) for each in multiprocessing.active_children() if each.pid is not None]
    workers, peaks = zip(*sizes, strict=True) if sizes else ((0.0,), (0.0,))
    return Reading(groups, leader, max(workers), leader_peak, max(peaks))


def _resident(process: int) -> tuple[float, float]:
    """Resident MiB of a process, now and at most."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace").splitlines()
    entries = dict(line.split(":", 1) for line in lines if ":" in line)
    now, peak = (int(entries.get(name, "0 kB").split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
    return now, peak
