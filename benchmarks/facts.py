"""Datasets of facts alone: made, and read back as instances with what their lines say."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.engines.answer import Answer
from benchmarks.usage import Usage, measured
from unco.compiler.build_facts import FactsOptions, build_facts
from unco.compiler.executor import Executor, SerialExecutor
from unco.compiler.run import Watcher
from unco.specs.domains import exact
from unco.specs.family import Cell, Family
from unco.specs.instance import Instance

SEED = 7
Line = Mapping[str, Any]


@dataclass(frozen=True)
class Made:
    """A dataset of one specification, made by one process."""

    instances: int
    whole: Usage
    """With the family proof, the audit and all files."""
    rate: float
    """Instances a second of the processor, from the first chunk on; of the whole, where there is one chunk alone."""


class Rates(NamedTuple):
    """Instances a second, of the clock and of the processor of this process."""

    wall: float
    cpu: float


@dataclass
class Marks:
    """When so many instances were kept: seconds by the clock and of the processor."""

    kept: list[tuple[int, float, float]] = field(default_factory=lambda: [_mark(0)])
    """The first is the start."""

    def __call__(self, name: str, done: int, wanted: int) -> None:
        self.kept.append(_mark(done))

    def rates(self, skipped: int = 1) -> Rates:
        """From so many chunks on, so that no start and no family proof counts; of all, where there are no more."""
        start = self.kept[skipped] if len(self.kept) > skipped + 1 else self.kept[0]
        (first, wall, cpu), (last, wall_end, cpu_end) = start, self.kept[-1]
        return Rates((last - first) / (wall_end - wall), (last - first) / (cpu_end - cpu))


def _mark(kept: int) -> tuple[int, float, float]:
    return kept, time.perf_counter(), time.process_time()


def make(family: Family, folder: Path, groups: int) -> Made:
    """A dataset of facts by this process alone."""
    marks = Marks()
    _, whole = measured(build, family, folder, groups, SerialExecutor(), marks)
    return Made(groups, whole, marks.rates().cpu)


def build(family: Family, folder: Path, groups: int, executor: Executor, marks: Marks) -> None:
    """A dataset of facts; raises AssertionError where instances are missing."""
    summary = build_facts([family], FactsOptions(groups, SEED), folder, executor, Watcher(progress=marks))
    if summary.missing:
        raise AssertionError(f"instances are missing: {summary.missing}")


def read(family: Family, folder: Path, most: int | None = None) -> Iterator[tuple[Instance, Answer]]:
    """The instances of a family in a dataset, the first ones, each with what its line says of it."""
    lines = _lines(folder / "facts" / family.name)
    return islice(((_instance(family, line), _answer(family, line)) for line in lines if "code" not in line), most)


def _lines(folder: Path) -> Iterator[Line]:
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="ascii") as file:
            yield from map(json.loads, file)


def _instance(family: Family, line: Line) -> Instance:
    domains = [family.domains[slot] for slot in family.slots]
    cells = {
        Cell(candidate, *slot): domain.value(place)
        for candidate, places in enumerate(line["cells"])
        for slot, domain, place in zip(family.slots, domains, places, strict=True)
    }
    places = zip(family.parameters, line["parameters"], strict=True)
    parameters = {each.id: each.domain.value(place) for each, place in places}
    return Instance(cells, parameters, tuple(family.candidate_names[place] for place in line["names"]))


def _answer(family: Family, line: Line) -> Answer:
    """A line shows roles that are necessary; of the others it says nothing."""
    gold = None if line["winner"] is None else (line["winner"], exact(Fraction(line["result"])))
    return Answer(gold, tuple(True if role.id in line["necessary"] else None for role in family.roles))
