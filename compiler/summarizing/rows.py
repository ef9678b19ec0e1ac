"""The files that a summary reads: what became of drafts, of candidate groups, and what the manifest tells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from unco.compiler.drafting.lines import damaged_draft
from unco.compiler.read_build import lines, reason_of, unreadable
from unco.specs.errors import Span, SpecificationError

Model = TypeVar("Model", bound="Row")


class Row(BaseModel):
    """A line of a file; fields that a summary does not need are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Draft(Row):
    """What became of a candidate specification."""

    by: Literal["grammar", "llm"]
    kept: bool
    name: str
    scenario: str
    """The skeleton that it was composed of; empty where there was none."""
    repaired: bool
    phase: str
    """Where it was rejected; empty where it was kept."""
    code: str


class Validated(Row):
    """Who solved the finished task, and how often."""

    by: str
    runs: int


class Stored(Row):
    """An instance: nobody wins where it has no outcome."""

    outcome: Any


class Group(Row):
    """A retained group."""

    id: str
    specification: str
    domain: str
    operation: str
    necessary_roles: tuple[str, ...] = Field(strict=False)
    settings: tuple[str, ...] = Field(strict=False)
    group: Stored
    validation: Validated | None = None


class Rejected(Row):
    """A candidate group that was not retained."""

    phase: str
    code: str
    specification: str


class About(Row):
    """What the manifest says of a specification."""

    digest: str
    retained: int
    family_proof: dict[str, Any]


class Manifest(Row):
    """Of a finished run."""

    unco: str
    python: str
    z3: str
    seed: int
    groups_per_specification: int
    specifications: dict[str, About]
    guess_ceiling: dict[str, Any]
    drafted: dict[str, Literal["grammar", "llm", "author"]] = {}
    """Who drafted a specification, by its name, where its file told when it was built."""


def read_rows(path: Path, model: type[Model], naming: str = "") -> Iterator[Model]:
    """The lines of a file, or those that hold the text `naming`. SpecificationError (UNC702) where one does not fit."""
    for data, span in lines(path, naming):
        if data is not None:
            yield _read(model, data, span)


def read_drafts(path: Path) -> Iterator[Draft]:
    """The lines of a draft. SpecificationError (UNC704) where one does not fit."""
    try:
        yield from read_rows(path, Draft)
    except SpecificationError as error:
        (fault,) = error.diagnostics
        damaged_draft(path, fault.span.line if fault.span else 1, fault.found or fault.message)


def read_whole(path: Path, model: type[Model]) -> Model:
    """A file that is one document. SpecificationError (UNC702) where it does not fit."""
    span = Span(str(path), 1, 1, 1, 1)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise unreadable(f"{type(error).__name__}: {error}", span) from None
    return _read(model, data, span)


def _read(model: type[Model], data: Any, span: Span) -> Model:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise unreadable(reason_of(error), span) from None
