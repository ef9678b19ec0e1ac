"""The mutants that no check sees, each with the reason why it is equivalent: equivalent.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "equivalent.toml"


@cache
def groups() -> Mapping[str, tuple[str, ...]]:
    """The reasons, each with the names of its mutants."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {group["because"]: tuple(group["mutants"]) for group in table["group"]}


@cache
def listed() -> Mapping[str, str]:
    """The reason of each mutant that is listed, by its name."""
    return {name: because for because, names in groups().items() for name in names}
