"""read_facts: the instances of a facts dataset, one at a time, with exact values in the units that are shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from unco.compiler.facts.decode import Fact, Legend, decode
from unco.compiler.facts.folder import FACTS
from unco.compiler.running.disk import MANIFEST
from unco.solver.closures.parts import Frame
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain
from unco.specs.errors import Diagnostic, Span, SpecificationError, UsageError
from unco.specs.family import Slot
from unco.specs.values import CategoryType, Unit

MISFITS = (KeyError, TypeError, ValueError, IndexError, AttributeError)


def read_facts(folder: Path | str) -> Iterator[Fact]:
    """Every instance of the dataset, in order; rejected indices are left out.

    Raises UsageError where there is no finished facts dataset, SpecificationError (UNC702) where it does not read back.
    What is read is not checked against its hashes: `unco verify` does that.
    """
    return (fact for _, fact in facts_with_legends(Path(folder)))


def facts_with_legends(folder: Path) -> Iterator[tuple[Legend, Fact]]:
    """The same, each instance with the legend of its family."""
    manifest = _json(folder / MANIFEST) if (folder / MANIFEST).is_file() else {}
    if not isinstance(manifest, dict) or manifest.get("kind") != FACTS:
        raise UsageError(f"{folder} holds no finished dataset that `unco build --facts-only` wrote")
    try:
        parts = [(name, str(each["digest"])) for name, each in manifest["specifications"].items()]
    except MISFITS as error:
        raise _unreadable(error, Span(str(folder / MANIFEST), 1, 1, 1, 1)) from error
    for name, digest in parts:
        yield from _facts(folder, name, digest)


def holds_facts(folder: Path) -> bool:
    """Whether a dataset of facts alone stands in the folder."""
    return (folder / FACTS).is_dir()


def _facts(folder: Path, name: str, digest: str) -> Iterator[tuple[Legend, Fact]]:
    path = folder / "specifications" / f"{digest}.json"
    try:
        legend = _legend(_json(path))
    except MISFITS as error:
        raise _unreadable(error, Span(str(path), 1, 1, 1, 1)) from error
    for lines in sorted((folder / FACTS / name).glob("*.jsonl")):
        with lines.open(encoding="ascii") as file:
            for number, line in enumerate(file, 1):
                try:
                    data = json.loads(line)
                    if "code" not in data:
                        yield legend, decode(legend, data)
                except MISFITS as error:
                    raise _unreadable(error, Span(str(lines), number, 1, number, 1)) from error


def _legend(tree: Mapping[str, Any]) -> Legend:
    """The legend of a dataset's tree: all that a line needs, without the author's file."""
    sizes = {group["id"]: group["maximum"] for group in tree["groups"]}
    slots, domains = [], []
    for attribute in tree["attributes"]:
        members = range(1) if attribute["group"] is None else range(1, sizes[attribute["group"]] + 1)
        for context in attribute["contexts"]:
            slots += [Slot(attribute["id"], member, context["name"]) for member in members]
            domains += [_domain(context["domain"])] * len(members)
    parameters = [each["id"] for each in tree["parameters"]]
    domains += [_domain(each["domain"]) for each in tree["parameters"]]
    frame = Frame(tuple(slots), tuple(parameters), tuple(domains))
    return Legend(tree["name"], frame, tuple(tree["candidate_names"]))


def _domain(tree: Mapping[str, Any]) -> Domain:
    match tree["kind"]:
        case "boolean":
            return BooleanDomain(tuple(tree["words"]))
        case "category":
            return CategoryDomain(CategoryType(tuple(tree["values"])), tuple(tree["values"]))
        case "date":
            return DateDomain(date.fromisoformat(tree["low"]), date.fromisoformat(tree["high"]))
        case "number":
            low, high, step, scale = (Fraction(tree[name]) for name in ("low", "high", "step", "scale"))
            return NumberDomain(low, high, step, Unit((), scale, tree["unit"]))
        case kind:
            raise ValueError(f"no domain of the kind {kind!r}")


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _unreadable(error, Span(str(path), 1, 1, 1, 1)) from error


def _unreadable(error: Exception, span: Span) -> SpecificationError:
    found = f"{type(error).__name__}: {error}"
    return SpecificationError([Diagnostic("UNC702", "a stored instance does not read back", span, found=found)])
