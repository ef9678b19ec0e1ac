"""The page of a summary: one HTML file that needs nothing else, and asks nobody for anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from unco.compiler.summarizing.sections import Section, Table
from unco.templates.loader import fill

Cell: TypeAlias = tuple[str, bool]
"""A text, and whether its column holds whole numbers alone."""


def page(title: str, about: Iterable[str], sections: Iterable[Section]) -> str:
    """As HTML text, with the pictures in it."""
    shown = [{**vars(section), "tables": [_table(each) for each in section.tables]} for section in sections]
    return fill("report/summary.html.j2", title=title, about=tuple(about), sections=shown) + "\n"


def _table(table: Table) -> dict[str, Any]:
    numbers = [_are_numbers(column) for column in zip(*table.rows, strict=True)] or [False] * len(table.head)
    marked = [tuple(zip(row, numbers, strict=True)) for row in table.rows]
    return {"head": tuple(zip(table.head, numbers, strict=True)), "rows": marked}


def _are_numbers(cells: Sequence[str]) -> bool:
    return all(cell.replace(",", "").isdecimal() for cell in cells)
