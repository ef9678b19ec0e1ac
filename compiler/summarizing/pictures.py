"""The picture of diversity: groups by domain and operation as a heat map, with bars, beside the paper's figures.

The same bytes for the same counts; whole numbers only.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from unco.compiler.drafting.skeleton import OPERATIONS
from unco.compiler.summarizing import paper
from unco.compiler.summarizing.diversity import Diversity
from unco.templates.loader import fill

LEFT, TOP, WIDE, HIGH = 206, 128, 64, 26
"""Where the cells begin, and how large one is."""
BAR, TALL = 130, 60
"""The longest bar of a domain, and of an operation."""
LIGHT, DARK = (234, 242, 251), (8, 69, 148)
"""The colours of one group and of most groups."""
LONGEST = 28
"""So many characters of a domain are shown."""


def diversity_picture(found: Diversity) -> str:
    """As SVG text."""
    bottom = TOP + HIGH * len(found.domains)
    right = LEFT + WIDE * len(OPERATIONS)
    shares = [_share(found.of_domain(each), found) for each in found.domains]
    shares += [_share(found.of_operation(each), found) for each in OPERATIONS]
    full = max(*shares, paper.LARGEST_DOMAIN)
    low, high = paper.OPERATIONS
    return fill(
        "report/diversity.svg.j2",
        found=found,
        width=right + BAR + 70,
        height=bottom + TALL + 96,
        left=LEFT,
        top=TOP,
        right=right,
        bottom=bottom,
        tall=TALL,
        wide=WIDE,
        high=HIGH,
        cells=list(_cells(found)),
        domains=list(_domains(found, full)),
        operations=list(_operations(found, full)),
        paper_domain=right + 10 + int(paper.LARGEST_DOMAIN / full * BAR),
        paper_operations=[bottom + 8 + int(share / full * TALL) for share in (low, high)],
    )


def _share(many: int, found: Diversity) -> Fraction:
    return Fraction(many, found.groups or 1)


def _cells(found: Diversity) -> Iterator[dict[str, Any]]:
    most = max(found.cells.values(), default=1)
    for row, domain in enumerate(found.domains):
        for column, operation in enumerate(OPERATIONS):
            many = found.cells.get((domain, operation), 0)
            place = {"x": LEFT + WIDE * column, "y": TOP + HIGH * row, "many": many}
            yield {**place, "fill": _colour(many, most), "ink": "#ffffff" if many * 2 > most > 1 else "#1a1a1a"}


def _colour(many: int, most: int) -> str:
    if not many:
        return "#ffffff"
    part = Fraction(many - 1, max(most - 1, 1))
    return "#" + "".join(f"{int(light + (dark - light) * part):02x}" for light, dark in zip(LIGHT, DARK, strict=True))


def _domains(found: Diversity, full: Fraction) -> Iterator[dict[str, Any]]:
    for row, domain in enumerate(found.domains):
        share = _share(found.of_domain(domain), found)
        name = domain if len(domain) <= LONGEST else f"{domain[: LONGEST - 3]}..."
        yield {"name": name, "y": TOP + HIGH * row, "bar": int(share / full * BAR), "percent": _percent(share)}


def _operations(found: Diversity, full: Fraction) -> Iterator[dict[str, Any]]:
    for column, operation in enumerate(OPERATIONS):
        share = _share(found.of_operation(operation), found)
        bar = {"bar": int(share / full * TALL), "percent": _percent(share)}
        yield {"words": operation.split("_"), "x": LEFT + WIDE * column, **bar}


def _percent(share: Fraction) -> str:
    tenths = int(share * 1_000 + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10}%"
