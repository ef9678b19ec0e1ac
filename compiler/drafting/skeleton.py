"""Scenario skeletons: decision tasks with more parts than one specification takes, and slots in their texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, TypeAlias, get_args

from unco.specs.scalars import Operation
from unco.specs.source import read_source

Data: TypeAlias = Any
OPERATIONS: tuple[str, ...] = get_args(Operation)
DOMAINS = (
    "agriculture and food", "construction", "culture and events", "education", "emergency response", "energy",
    "environment and water", "finance and insurance", "healthcare", "information technology", "manufacturing",
    "public administration", "research laboratories", "transport and logistics",
)  # fmt: skip
"""The application domains of the grammar; each has a folder of skeletons."""
_SLOT = re.compile(r"<([a-z][a-z0-9_]*)>")
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_QUOTED = re.compile(r'"[^"]*"')


@dataclass(frozen=True)
class Skeleton:
    """One scenario as it stands in its file; its texts have slots such as `<port>`."""

    name: str
    domain: str
    data: Mapping[str, Data]

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations that one of its calculations has."""
        offered = {each["operation"] for each in self.data["calculations"]}
        return tuple(operation for operation in OPERATIONS if operation in offered)

    def filled(self, rng: Random) -> dict[str, Data]:
        """Its data with a value drawn for each slot, the same wherever the slot stands.

        Slots that are named together, `month, other_month`, are drawn together.
        """
        values: dict[str, str] = {}
        for names, choices in self.data.get("slots", {}).items():
            chosen, slots = rng.choice(choices), [name.strip() for name in names.split(",")]
            drawn = chosen if len(slots) > 1 else [chosen]
            values |= {name: str(value) for name, value in zip(slots, drawn, strict=True)}
        parts = {name: part for name, part in self.data.items() if name not in ("scenario", "slots")}
        return {name: _filled(part, values) for name, part in parts.items()}


def _filled(part: Data, values: Mapping[str, str]) -> Data:
    match part:
        case str():
            return _SLOT.sub(lambda found: values[found[1]], part)
        case dict():
            return {name: _filled(each, values) for name, each in part.items()}
        case list():
            return [_filled(each, values) for each in part]
        case _:
            return part


def words_of(expression: str) -> frozenset[str]:
    """The names that an expression holds: attributes, parameters, tables, groups and functions."""
    return frozenset(_WORD.findall(_QUOTED.sub(" ", expression)))


@cache
def skeletons() -> tuple[Skeleton, ...]:
    """Every skeleton of the grammar, by domain and name."""
    folder = Path(str(files("unco.compiler.drafting").joinpath("scenarios")))
    return tuple(_read(path) for path in sorted(folder.glob("*/*.yaml")))


def _read(path: Path) -> Skeleton:
    data: Data = read_source(path).data
    return Skeleton(path.stem.replace("_", "-"), data["domain"], data)
