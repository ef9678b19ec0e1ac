"""The guess ceiling as rows of text: by setting, in percent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

COLUMNS = ("setting", "groups", "without evidence", "guess ceiling", "95% interval", "decision alone")


def ceiling_rows(settings: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Right answers of who looks at nothing, and of who sees all but the defective fact."""
    for setting, row in settings.items():
        ceiling, decision = row["answer"]["two_fold"], row["decision"]["two_fold"]
        low, high = ceiling["interval"]
        first = (setting, f"{row['groups']:,}", percent(row["answer"]["without_evidence"]["share"]))
        if setting == "Reliable":
            yield (*first, "-", "-", "-")
        else:
            interval = f"{percent(low)} to {percent(high)}"
            yield (*first, percent(ceiling["share"]), interval, percent(decision["share"]))


def percent(share: str) -> str:
    """A decimal share with three places as a percentage with one."""
    whole, places = share.split(".")
    return f"{int(whole + places[:2])}.{places[2]}%"
