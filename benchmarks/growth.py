"""Growth: what more instances, roles, conditions and candidates cost, on specifications that are grown to size.

Proof, build and check of each size are in processes of their own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmarks import facts, family_proofs
from benchmarks.checking import checked
from benchmarks.grown import Size, grown
from benchmarks.usage import alone

GROUPS = 100_000
"""The most instances; a million takes some minutes."""
FIRST = 1_000
"""The fewest; from there on ten times as many each time."""
OF_A_SIZE = 20_000
"""Instances of each size, where it is not their number that grows."""
SIZES: Mapping[str, tuple[int, ...]] = {
    "roles": (5, 6, 7, 8, 10, 12),
    "conditions": (5, 7, 10, 15, 20),
    "candidates": (3, 4, 5, 6, 8),
}


@dataclass(frozen=True)
class Point:
    """One size: seconds of the processor for all claims, instances a second of it, and MiB at most."""

    axis: str
    value: int
    proof: float
    build_rate: float
    check_rate: float
    build_peak: float
    check_peak: float


MEASURES = {
    "proof": "seconds of a family proof",
    "build_rate": "instances built a second",
    "check_rate": "checked a second",
    "build_peak": "MiB to build",
    "check_peak": "MiB to check",
}


def measure(groups: int = GROUPS, axes: Mapping[str, Sequence[int]] = SIZES) -> list[Point]:
    """A point a size."""
    with TemporaryDirectory() as name:
        return [_point(axis, value, size, many, Path(name)) for axis, value, size, many in sizes(groups, axes)]


def sizes(groups: int, axes: Mapping[str, Sequence[int]] = SIZES) -> Iterator[tuple[str, int, Size, int]]:
    """Axis, value on it, size and number of instances; first their number itself."""
    counts = [FIRST]
    while counts[-1] * 10 < groups:
        counts.append(counts[-1] * 10)
    for many in sorted({*(each for each in counts if each < groups), groups}):
        yield "instances", many, Size(), many
    for axis, values in axes.items():
        for value in values:
            yield axis, value, dataclasses.replace(Size(), **{axis: value}), min(groups, OF_A_SIZE)


def _point(axis: str, value: int, size: Size, groups: int, folder: Path) -> Point:
    family, dataset = grown(size), folder / f"{axis}-{value}"
    proof = alone(family_proofs.row, family, 1)
    made = alone(facts.make, family, dataset, groups)
    found = checked(dataset, groups)
    return Point(axis, value, proof.cpu, made.rate, found.rate, made.whole.peak, found.usage.peak)


def told(points: Sequence[Point]) -> list[dict[str, Any]]:
    """The points as plain data."""
    return [dataclasses.asdict(point) for point in points]


def show(points: Sequence[Point]) -> None:
    """A line a point."""
    print("Growth: seconds of the processor for a proof, instances a second of it, MiB at most")
    print(f"{'':<24}{'proof':>9}{'built':>10}{'checked':>10}{'to build':>10}{'to check':>10}")
    for each in points:
        rates = f"{each.proof:>9.2f}{each.build_rate:>10,.0f}{each.check_rate:>10,.0f}"
        print(f"{f'{each.value:,} {each.axis}':<24}{rates}{each.build_peak:>10,.0f}{each.check_peak:>10,.0f}")


# The picture: a row an axis, a panel a measure

LEFT, TOP, WIDE, HIGH = 110, 92, 150, 84
"""Where the first panel begins, and how large the curve in each is."""
ACROSS, DOWN = 190, 132
"""From one panel to the next."""


def picture(points: Sequence[Point]) -> str:
    """The points as SVG text."""
    folder = Path(__file__).parent
    drawing = Environment(loader=FileSystemLoader(folder), undefined=StrictUndefined, autoescape=True)
    axes = list(dict.fromkeys(each.axis for each in points))
    rows = [{"axis": axis, "y": TOP + DOWN * place + HIGH // 2} for place, axis in enumerate(axes)]
    heads = [{"x": LEFT + ACROSS * place, "text": text} for place, text in enumerate(MEASURES.values())]
    panels = [
        _panel([each for each in points if each.axis == axis], name, LEFT + ACROSS * across, TOP + DOWN * down)
        for down, axis in enumerate(axes)
        for across, name in enumerate(MEASURES)
    ]
    size = {"width": LEFT + ACROSS * len(MEASURES), "height": TOP + DOWN * len(axes)}
    return drawing.get_template("growth.svg.j2").render(rows=rows, heads=heads, panels=panels, **size) + "\n"


def _panel(points: Sequence[Point], name: str, left: int, top: int) -> dict[str, Any]:
    """One measure along one axis, from zero up; sizes stand at equal distances."""
    most = max(getattr(each, name) for each in points)
    marks = [
        {
            "x": left + WIDE * place // max(1, len(points) - 1),
            "y": top + HIGH - round(HIGH * getattr(each, name) / most),
            "size": short(each.value),
            "value": short(getattr(each, name)),
        }
        for place, each in enumerate(points)
    ]
    return {"left": left, "right": left + WIDE, "floor": top + HIGH, "marks": marks, "ends": (marks[0], marks[-1])}


def short(number: float) -> str:
    """A number in few signs: 0.25, 18, 2.1k, 1M."""
    for least, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= least:
            return f"{number / least:.3g}{sign}"
    return f"{number:.2f}" if number < 10 and number != int(number) else f"{number:.0f}"
