"""The guess ceiling in the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unco.cli.output import table


def ceiling_table(report: Mapping[str, Any]) -> str:
    """By setting: right answers of who looks at nothing, and of who sees all but the defective fact; in percent."""
    from unco.compiler.guesses.rows import COLUMNS, ceiling_rows

    return table(COLUMNS, list(ceiling_rows(report["settings"])))
