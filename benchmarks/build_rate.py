"""Build rate: groups a second from a checked specification to a dataset, on one and on two worker processes.

Three builds of the same groups: facts and proofs alone; the whole way, with texts, their gate, the store of the run and
the files; and the whole way in memory, written at the end, which keeps nothing if it is stopped.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.families import family_of
from unco.compiler.attempt import Attempt, attempt
from unco.compiler.build import BuildOptions, build, write
from unco.compiler.executor import ProcessExecutor
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.run import Watcher, run
from unco.compiler.running.disk import STORE
from unco.compiler.running.shares import Shares
from unco.compiler.running.tally import Summary, together
from unco.specs.family import Family
from unco.specs.rejection import Rejection

GROUPS = 10
"""Of each specification."""
SEED = 7
WORKERS = (1, 2)
ALL = "all"


@dataclass(frozen=True)
class Row:
    """Groups a second of a specification, or of all: proved or built, on one worker or on two.

    Counted from the first result to the end, for `built` with the files: the start of the workers is left out.
    """

    specification: str
    groups: int
    proved_by_one: float
    proved_by_two: float
    built_by_one: float
    built_by_two: float

    @property
    def ratio(self) -> float:
        """How many times faster two workers build than one."""
        return self.built_by_two / self.built_by_one


@dataclass(frozen=True)
class Phase:
    """How many candidate groups of a specification, or of all, came to a phase and were rejected by it."""

    specification: str
    phase: str
    candidates: int
    rejected: int

    @property
    def accepted(self) -> float:
        """The share that went on."""
        return 1 - self.rejected / self.candidates if self.candidates else 0.0


@dataclass(frozen=True)
class BuildRate:
    """All rows, and what holds for the whole build."""

    rows: tuple[Row, ...]
    phases: tuple[Phase, ...]
    in_memory: float
    """Groups a second of all, built in memory by one worker."""
    store_bytes: float
    """Bytes of the store for each group."""
    dataset_bytes: float
    """Bytes of all other files for each group."""

    @property
    def store_cost(self) -> float:
        """The rate of the build in memory in units of the rate with a store."""
        return self.in_memory / self.rows[-1].built_by_one


class _Clock:
    """Groups and seconds from the first result on: the start of the workers is not counted."""

    def __init__(self) -> None:
        self.started: tuple[float, int] | None = None
        self.groups = 0
        self.seconds = 0.0

    def __call__(self, name: str, done: int, wanted: int) -> None:
        self.started = self.started or (time.perf_counter(), done)
        self.groups = done - self.started[1]

    def stop(self) -> None:
        """Count until now."""
        if self.started is not None:
            self.seconds = time.perf_counter() - self.started[0]

    @property
    def rate(self) -> float:
        """Groups a second."""
        return self.groups / self.seconds if self.seconds else 0.0


def measure(paths: Sequence[Path], groups: int = GROUPS) -> BuildRate:
    """Every build of every specification, one after the other."""
    families = [family_of(path) for path in paths]
    options = BuildOptions(groups, InstantiateOptions(seed=SEED))
    with TemporaryDirectory() as name:
        measured = [_family(family, options, Path(name) / family.name) for family in families]
        sizes = [_sizes(Path(name) / family.name / "1") for family in families]
    summaries = [summary for _, summary in measured]
    retained = sum(summary.retained for summary in summaries)
    kinds = list(zip(*(clocks for clocks, _ in measured), strict=True))
    *totals, in_memory = (_together(clocks) for clocks in kinds)
    rows = [
        Row(family.name, summary.retained, *(clock.rate for clock in clocks[:-1]))
        for family, (clocks, summary) in zip(families, measured, strict=True)
    ]
    store, dataset = (sum(each) / retained for each in zip(*sizes, strict=True))
    return BuildRate((*rows, Row(ALL, retained, *totals)), tuple(_phases(summaries)), in_memory, store, dataset)


def _family(family: Family, options: BuildOptions, folder: Path) -> tuple[list[_Clock], Summary]:
    """Proved by one worker and by two, built by one and by two, built in memory."""
    folder.mkdir()
    works: list[Callable[[_Clock], None]] = [
        *(partial(_prove, family, options, workers) for workers in WORKERS),
        *(partial(_build, family, options, workers, folder / str(workers)) for workers in WORKERS),
        partial(_in_memory, family, options, folder / "in memory"),
    ]
    clocks = [_timed(work) for work in works]
    summary = run([family], options, folder / "1")
    if summary.missing:
        raise AssertionError(f"groups are missing: {summary.missing}")
    return clocks, summary


def _timed(work: Callable[[_Clock], None]) -> _Clock:
    clock = _Clock()
    work(clock)
    clock.stop()
    return clock


def _together(clocks: Sequence[_Clock]) -> float:
    """The rate of all groups in all seconds."""
    return sum(clock.groups for clock in clocks) / sum(clock.seconds for clock in clocks)


def _prove(family: Family, options: BuildOptions, workers: int, clock: _Clock) -> None:
    shares = Shares([family], options.groups, (options.instantiate, options.prove))
    for _ in shares.done_by(ProcessExecutor(workers), attempt, _accepted):
        clock(family.name, min(shares.standings[0].retained, options.groups), options.groups)


def _build(family: Family, options: BuildOptions, workers: int, folder: Path, clock: _Clock) -> None:
    run([family], options, folder, ProcessExecutor(workers), Watcher(progress=clock))


def _in_memory(family: Family, options: BuildOptions, folder: Path, clock: _Clock) -> None:
    write(build([family], options, ProcessExecutor(1), clock), folder, options)


def _accepted(made: Attempt | Rejection) -> bool:
    return isinstance(made, Attempt) and made.proof.accepted


def _sizes(folder: Path) -> tuple[int, int]:
    """Bytes of the store, and of the dataset."""
    sizes = {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    store = sizes[folder / STORE]
    return store, sum(size for path, size in sizes.items() if not path.name.startswith("run."))


def _phases(summaries: Sequence[Summary]) -> Iterator[Phase]:
    """Each specification in order, then all."""
    (names, tallies) = zip(*((each.families[0].name, each.tallies[0]) for each in summaries), strict=True)
    for name, tally in zip((*names, ALL), (*tallies, together(tallies)), strict=True):
        for phase in tally.phases:
            yield Phase(name, phase.phase, phase.candidates, phase.rejected)


def told(found: BuildRate) -> dict[str, Any]:
    """All as plain data, with the ratios."""
    rows = [{**dataclasses.asdict(row), "ratio": row.ratio} for row in found.rows]
    return {**dataclasses.asdict(found), "rows": rows, "store_cost": found.store_cost}


def show(found: BuildRate) -> None:
    """A line a specification, then what each phase rejected."""
    print("Build rate: groups a second; proved is facts and proofs alone, built is the whole way into a folder")
    workers = f"{'one':>9}{'two':>9}"
    print(f"{'':<40}{'proved, workers':>18}{'built, workers':>18}")
    print(f"{'specification':<32}{'groups':>8}{workers}{workers}{'two to one':>12}")
    for row in found.rows:
        proved, built = f"{row.proved_by_one:>9.2f}{row.proved_by_two:>9.2f}", (row.built_by_one, row.built_by_two)
        print(f"{row.specification:<32}{row.groups:>8}{proved}{built[0]:>9.2f}{built[1]:>9.2f}{row.ratio:>12.2f}")
    print(f"In memory, one worker: {found.in_memory:.2f}, {found.store_cost:.2f} times the rate with a store")
    print(f"Store: {found.store_bytes:,.0f} bytes a group; dataset: {found.dataset_bytes:,.0f} bytes a group\n")
    print(f"{'candidate groups by phase':<32}{'phase':<12}{'candidates':>12}{'rejected':>10}{'accepted':>10}")
    for phase in found.phases:
        if phase.rejected or phase.specification == ALL:
            counts = f"{phase.candidates:>12}{phase.rejected:>10}{phase.accepted:>10.1%}"
            print(f"{phase.specification:<32}{phase.phase:<12}{counts}")
