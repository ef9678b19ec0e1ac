"""A picture of the guess ceiling: bars by setting, the same bytes for the same report."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from unco.specs.group import Setting
from unco.templates.loader import fill

LEFT, WIDTH, TOP, ROW = 140, 480, 82, 58
"""Where the bars begin, how long all of them are at 100%, where the first stands and how far it is to the next."""
TICKS = range(0, 101, 25)


def picture(report: dict[str, Any]) -> str:
    """The report of `Guessing` as SVG text."""
    rows = list(_rows(report["settings"]))
    bottom = TOP + ROW * len(rows)
    return fill(
        "report/guess_ceiling.svg.j2",
        rows=rows,
        ticks=[{"x": LEFT + WIDTH * tick // 100, "label": f"{tick}%"} for tick in TICKS],
        left=LEFT,
        bottom=bottom,
        height=bottom + 64,
    )


def _rows(settings: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for place, setting in enumerate(each.value for each in Setting if each.value in settings):
        scores = settings[setting]["answer"]
        low, high = (Fraction(end) for end in scores["two_fold"]["interval"])
        hindsight = _bar(scores["in_hindsight"])
        yield {
            "setting": setting,
            "groups": settings[setting]["groups"],
            "defective": setting != Setting.RELIABLE.value,
            "y": TOP + ROW * place,
            "prior": _bar(scores["without_evidence"]),
            "ceiling": _bar(scores["two_fold"]),
            "hindsight": hindsight,
            "low": _percent(low),
            "high": _percent(high),
            "from": LEFT + int(low * WIDTH),
            "to": LEFT + int(high * WIDTH),
            "label": LEFT + max(int(high * WIDTH), hindsight["width"]) + 8,
        }


def _bar(score: dict[str, Any]) -> dict[str, Any]:
    share = Fraction(score["right"], score["of"])
    return {"width": int(share * WIDTH), "percent": _percent(share)}


def _percent(share: Fraction) -> str:
    return f"{int(share * 100 + Fraction(1, 2))}%"
