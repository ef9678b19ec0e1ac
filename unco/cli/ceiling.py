"""The guess ceiling in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from unco.cli.output import table

COLUMNS = ("setting", "groups", "without evidence", "guess ceiling", "95% interval", "decision alone")


def ceiling_table(report: Mapping[str, Any]) -> str:
    """By setting: right answers of who looks at nothing, and of who sees all but the defective fact; in percent."""
    return table(COLUMNS, list(_rows(report["settings"])))


def _rows(settings: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for setting, row in settings.items():
        ceiling, decision = row["answer"]["two_fold"], row["decision"]["two_fold"]
        low, high = ceiling["interval"]
        first = (setting, f"{row['groups']:,}", _percent(row["answer"]["without_evidence"]["share"]))
        if setting == "Reliable":
            yield (*first, "-", "-", "-")
        else:
            interval = f"{_percent(low)} to {_percent(high)}"
            yield (*first, _percent(ceiling["share"]), interval, _percent(decision["share"]))


def _percent(share: str) -> str:
    """A decimal share with three places as a percentage with one."""
    whole, places = share.split(".")
    return f"{int(whole + places[:2])}.{places[2]}%"
