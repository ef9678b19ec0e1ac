"""Checking: how fast the checker goes through a dataset that ships beside it, of facts alone and with all texts.

It runs as it stands in the dataset, in a process of its own that has nothing of ours in it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import facts
from benchmarks.families import family_of
from benchmarks.shipped_checker import check as run_checker
from benchmarks.usage import Usage, alone, measured
from unco.compiler.build import BuildOptions
from unco.compiler.executor import ProcessExecutor
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.run import run

GROUPS = 20_000
"""Instances of each specification that are facts alone."""
RENDERED = 1_000
"""There is one group with all its texts for so many instances, and five at least."""
LEAST = 5
WORKERS = 2


@dataclass(frozen=True)
class Checked:
    """Groups or instances that one process checked."""

    groups: int
    usage: Usage

    @property
    def rate(self) -> float:
        """In a second of the processor."""
        return self.groups / self.usage.cpu


@dataclass(frozen=True)
class Row:
    """A specification: its instances of facts alone, and its groups with all texts."""

    specification: str
    facts: Checked
    rendered: Checked


def measure(paths: Sequence[Path], groups: int = GROUPS) -> list[Row]:
    """A row a specification."""
    with TemporaryDirectory() as name:
        return [_row(path, Path(name) / path.stem, groups) for path in paths]


def _row(path: Path, folder: Path, groups: int) -> Row:
    family, rendered = family_of(path), max(LEAST, groups // RENDERED)
    facts.make(family, folder / "facts", groups)
    run(
        [family],
        BuildOptions(rendered, InstantiateOptions(seed=facts.SEED)),
        folder / "texts",
        ProcessExecutor(WORKERS),
    )
    return Row(family.name, checked(folder / "facts", groups), checked(folder / "texts", rendered))


def checked(folder: Path, expected: int) -> Checked:
    """The dataset goes through its checker; raises AssertionError where it holds another number of groups."""
    groups, usage = alone(measured, run_checker, folder)
    if groups != expected:
        raise AssertionError(f"the checker saw {groups} groups in {folder}, not {expected}")
    return Checked(groups, usage)


def told(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows as plain data, with their rates."""
    return [
        dataclasses.asdict(row) | {"facts_a_second": row.facts.rate, "rendered_a_second": row.rendered.rate}
        for row in rows
    ]


def show(rows: Sequence[Row]) -> None:
    """Facts alone, then with all texts."""
    print("Checking: groups a second of the processor, by one process of the checker that ships with them")
    half = f"{'groups':>9}{'a second':>10}{'wall s':>8}{'cpu s':>8}{'MiB':>6}"
    print(f"{'':<32}{'facts alone':>41}{'with all texts':>41}")
    print(f"{'specification':<32}{half}{half}")
    for row in rows:
        print(f"{row.specification:<32}{_half(row.facts)}{_half(row.rendered)}")


def _half(found: Checked) -> str:
    usage = found.usage
    return f"{found.groups:>9,}{found.rate:>10,.0f}{usage.wall:>8.2f}{usage.cpu:>8.2f}{usage.peak:>6.0f}"
