"""Rivals: certified instances a second, against engines that answer the same about the same instances.

Each works in a process of its own, on one thread. A certificate says which roles are necessary in an instance, beside
its answer; whatever it says, every engine must say too, and engines must agree with each other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import facts
from benchmarks.engines.answer import Answer, Unfit
from benchmarks.engines.table import ENGINES, NOT_INSTALLED, is_installed
from benchmarks.families import family_of
from benchmarks.grown import Size, grown
from benchmarks.usage import Usage, alone, measured
from unco.specs.family import Family
from unco.specs.instance import Instance

GROUPS = 30_000
"""Certified instances of each specification."""
ASKED = 400
"""At most so many of them, the first ones, are put to an engine."""
SECONDS = 1.5
"""After so many seconds of the processor an engine is asked no more, once it has been asked `LEAST` times."""
LEAST = 3


@dataclass(frozen=True)
class Answered:
    """What an engine said of the first instances, and what it took; making it ready is told apart."""

    answers: tuple[Answer, ...]
    usage: Usage
    ready: float

    @property
    def rate(self) -> float:
        """Instances a second of the processor."""
        return len(self.answers) / self.usage.cpu


@dataclass(frozen=True)
class Rival:
    """An engine beside our certificates."""

    engine: str
    instances: int
    ready: float
    """Seconds of the processor until the first instance could be asked about."""
    usage: Usage
    rate: float
    ratio: float
    """How many times as many instances are certified in a second."""
    gave_up: int
    """Questions without a verdict."""
    open_questions: int
    """How often a role was necessary."""
    shown: int
    """How often the certificates of the same instances say so."""


@dataclass(frozen=True)
class Row:
    """A specification: instances certified in a second of one core, and each engine, or why it was not asked."""

    specification: str
    made: facts.Made
    rivals: tuple[Rival, ...]
    left_out: Mapping[str, str]


def measure(
    paths: Sequence[Path],
    groups: int = GROUPS,
    seconds: float = SECONDS,
    engines: Sequence[str] = tuple(ENGINES),
    sizes: Sequence[Size] = (Size(),),
) -> Iterator[Row]:
    """A row a specification, and one for a grown one, whose domains are small."""
    with TemporaryDirectory() as name:
        for family in (*map(family_of, paths), *map(grown, sizes)):
            yield _row(family, Path(name) / family.name, groups, seconds, engines)


def _row(family: Family, folder: Path, groups: int, seconds: float, engines: Sequence[str]) -> Row:
    made = alone(facts.make, family, folder, groups)
    known = list(facts.read(family, folder, ASKED))
    found = {name: _asked(name, family, [instance for instance, _ in known], seconds) for name in engines}
    answered = {name: each for name, each in found.items() if isinstance(each, Answered)}
    certificates = tuple(answer for _, answer in known)
    require_agreement(family, {"certificates": certificates} | {name: each.answers for name, each in answered.items()})
    rivals = tuple(_rival(name, each, certificates, made.rate) for name, each in answered.items())
    left_out = {name: each.reason for name, each in found.items() if isinstance(each, Unfit)}
    return Row(family.name, made, rivals, left_out)


def _asked(name: str, family: Family, instances: Sequence[Instance], seconds: float) -> Answered | Unfit:
    if not is_installed(ENGINES[name]):
        return Unfit(NOT_INSTALLED)
    return alone(answers, name, family, instances, seconds)


def answers(name: str, family: Family, instances: Sequence[Instance], seconds: float) -> Answered | Unfit:
    """What an engine says of the instances, as far as it comes; the first is asked about once before the clock runs."""
    ask, ready = measured(ENGINES[name].ready, family)
    if isinstance(ask, Unfit):
        return ask
    _, first = measured(ask, instances[0])
    found: list[Answer] = []
    spent = Usage(0.0, 0.0, 0.0)
    for instance in instances:
        answer, usage = measured(ask, instance)
        found.append(answer)
        spent = Usage(spent.wall + usage.wall, spent.cpu + usage.cpu, usage.peak)
        if spent.cpu > seconds and len(found) >= LEAST:
            break
    return Answered(tuple(found), spent, ready.cpu + first.cpu)


def require_agreement(family: Family, said: Mapping[str, Sequence[Answer]]) -> None:
    """Every two say the same of each instance about which both were asked."""
    for name, theirs in said.items():
        for other, others in said.items():
            for number, (one, two) in enumerate(zip(theirs, others, strict=False)):
                if not one.agrees(two):
                    raise AssertionError(f"{family.name}, instance {number}: {name}: {one}; {other}: {two}")


def _rival(name: str, answered: Answered, certificates: Sequence[Answer], ours: float) -> Rival:
    theirs = [each for answer in answered.answers for each in answer.open_without]
    shown = [each for answer in certificates[: len(answered.answers)] for each in answer.open_without]
    return Rival(
        name,
        len(answered.answers),
        answered.ready,
        answered.usage,
        answered.rate,
        ours / answered.rate,
        theirs.count(None),
        theirs.count(True),
        shown.count(True),
    )


def told(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows as plain data."""
    return [dataclasses.asdict(row) for row in rows]


def show(rows: Sequence[Row]) -> None:
    """Rates, then ratios, then what was left out."""
    print("Rivals: instances a second of one core; certified ones are drawn, proved and written, engines only asked")
    names = "".join(f"{name:>17}" for name in ENGINES)
    print(f"{'specification':<32}{'certified':>11}{names}")
    for row in rows:
        rates = {each.engine: f"{each.rate:,.1f}" for each in row.rivals}
        print(f"{row.specification:<32}{row.made.rate:>11,.0f}{_columns(rates)}")
    print(f"{'certified, times as many':<32}{'':>11}{names}")
    for row in rows:
        print(f"{row.specification:<32}{'':>11}{_columns({each.engine: f'{each.ratio:,.0f}' for each in row.rivals})}")
    _show_questions(rows)


def _columns(entries: Mapping[str, str]) -> str:
    return "".join(f"{entries.get(name, '-'):>17}" for name in ENGINES)


def _show_questions(rows: Sequence[Row]) -> None:
    """How much was asked, what was not decided, and who was not asked."""
    asked = [each for row in rows for each in row.rivals]
    for name in dict.fromkeys(each.engine for each in asked):
        own = [each for each in asked if each.engine == name]
        counts = [sum(getattr(each, field) for each in own) for field in ("instances", "open_questions", "shown")]
        gave_up, peak = sum(each.gave_up for each in own), max(each.usage.peak for each in own)
        told = f"{counts[0]:,} instances; {counts[1]:,} necessary roles, {counts[2]:,} in their certificates"
        print(f"{name}: {told}; no verdict on {gave_up}; at most {peak:,.0f} MiB")
    for row in rows:
        for name, reason in row.left_out.items():
            print(f"{row.specification}: not {name}: {reason}")
