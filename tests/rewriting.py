"""Specifications written another way: renamed, reordered, or in other units, with the cells carried over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from unco.specs.document import Specification
from unco.specs.domains import exact
from unco.specs.family import Cell, Family
from unco.specs.instance import Instance
from unco.specs.parser import parse
from unco.specs.printer import print_expression
from unco.specs.scalars import number_text
from unco.specs.syntax import Call, Name, Syntax

OTHER_UNITS: Mapping[str, tuple[str, Fraction]] = {
    "years": ("months", Fraction(12)),
    "months": ("years", Fraction(1, 12)),
    "days": ("hours", Fraction(24)),
    "hours": ("days", Fraction(1, 24)),
    "km": ("m", Fraction(1_000)),
    "m": ("km", Fraction(1, 1_000)),
    "USD per year": ("USD per month", Fraction(1, 12)),
    "USD per month": ("USD per year", Fraction(12)),
}
"""For each unit another of its dimension, and how many of those one is."""


def with_rules(data: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """The data of a specification with every expression changed."""

    def rules(section: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: change(rule) if isinstance(rule, str) else {**rule, "rule": change(rule["rule"])}
            for name, rule in section.items()
        }

    changed = dict(data)
    for name in ("conditions", "consistency"):
        if name in data:
            changed[name] = rules(data[name])
    if "winner" in data.get("plan", {}):
        changed["plan"] = {**data["plan"], "winner": rules(data["plan"]["winner"])}
    changed["calculation"] = {**data["calculation"], "formula": change(data["calculation"]["formula"])}
    return changed


# Names ---------------------------------------------------------------------------------------------------------------


def renamed(specification: Specification) -> Specification:
    """The specification with all ids, names and labels of roles, attributes, parameters, groups, tables changed."""
    data = specification.dump()
    names = new_names(specification)
    changed = with_rules(data, lambda text: print_expression(_renamed_tree(parse(text), names)))
    for section in ("attributes", "parameters", "groups", "tables"):
        if section in changed:
            changed[section] = {names[name]: _relabelled(each, names) for name, each in changed[section].items()}
    changed["roles"] = {_role(name): {**role, "name": f"The {role['name']}"} for name, role in data["roles"].items()}
    targets = changed.get("perturbations", {})
    changed["perturbations"] = {
        name: [_role(each) if name == "missed" else names[each] for each in found] for name, found in targets.items()
    }
    changed["candidates"] = {**data["candidates"], "names": [f"{name} of X" for name in data["candidates"]["names"]]}
    return Specification.model_validate(changed)


def new_names(specification: Specification) -> dict[str, str]:
    """The new name of each attribute, parameter, group and table."""
    return {
        name: f"{name[::-1].strip('0123456789_')}_x{number}"
        for section in ("attributes", "parameters", "groups", "tables")
        for number, name in enumerate(getattr(specification, section))
    }


def _role(name: str) -> str:
    return f"office_{name}"


def _relabelled(section: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    changed = {**section, "label": f"The {section['label']}"}
    if "owner" in section:
        changed["owner"] = _role(section["owner"])
    for field in ("per", "size"):
        if isinstance(section.get(field), str):
            changed[field] = names[section[field]]
    return changed


def _renamed_tree(tree: Syntax, names: Mapping[str, str]) -> Syntax:
    match tree:
        case Name(name, context):
            return Name(names.get(name, name), context)
        case Call(operator, arguments):
            return Call(operator, tuple(_renamed_tree(argument, names) for argument in arguments))
        case _:
            return tree


# Order ---------------------------------------------------------------------------------------------------------------


def reordered(specification: Specification, rng: Random) -> Specification:
    """The specification with its sections, and the entries of each section, in another order."""
    data = specification.dump()
    for section in ("roles", "attributes", "parameters", "groups", "tables", "conditions", "consistency"):
        if section in data:
            data[section] = dict(_shuffled(list(data[section].items()), rng))
    return Specification.model_validate(dict(_shuffled(list(data.items()), rng)))


def _shuffled(items: list[Any], rng: Random) -> list[Any]:
    return rng.sample(items, len(items))


# Units ---------------------------------------------------------------------------------------------------------------


def scales(specification: Specification) -> dict[str, Fraction]:
    """What one unit becomes, for each attribute whose unit has another and whose contexts share it."""
    return {
        name: OTHER_UNITS[section.unit or ""][1]
        for name, section in specification.attributes.items()
        if section.unit in OTHER_UNITS and not _has_own_unit(section.context)
    }


def _has_own_unit(context: Any) -> bool:
    return context is not None and any(getattr(other, "unit", None) is not None for other in context.others)


def in_other_units(specification: Specification) -> Specification:
    """The specification with attributes in other units, their ranges and steps converted."""
    data = specification.dump()
    for name, scale in scales(specification).items():
        data["attributes"][name] = _converted(data["attributes"][name], scale)
    return Specification.model_validate(data)


def _converted(section: Mapping[str, Any], scale: Fraction) -> dict[str, Any]:
    changed = {name: value for name, value in section.items() if name != "places"}
    if "unit" in section:
        changed["unit"] = OTHER_UNITS[section["unit"]][0]
    changed |= _converted_range(section, scale)
    if "context" in section:
        others = (
            [
                other if isinstance(other, str) else {"name": other["name"], **_converted_range(other, scale)}
                for other in section["context"]["others"]
            ]
            if "others" in section["context"]
            else []
        )
        changed["context"] = {**section["context"], "others": others}
    return changed


def _converted_range(section: Mapping[str, Any], scale: Fraction) -> dict[str, Any]:
    step = Fraction(str(section["step"])) if "step" in section else Fraction(1, 10 ** section.get("places", 0))
    low, high = (number_text(Fraction(bound) * scale) for bound in section["range"])
    return {"range": [low, high], "step": number_text(step * scale)}


# Instances -----------------------------------------------------------------------------------------------------------


def carried(instance: Instance, family: Family, names: Mapping[str, str], scale: Mapping[str, Fraction]) -> Instance:
    """The instance as one of the rewritten family: new attribute names, values in the new units."""
    cells = {}
    for cell, value in instance.cells.items():
        attribute = names.get(cell.attribute, cell.attribute)
        factor = scale.get(cell.attribute)
        carried_value = value if factor is None else exact(Fraction(value) * factor)  # type: ignore[arg-type]
        cells[Cell(cell.candidate, attribute, cell.member, cell.context)] = carried_value
    ordered = {cell: cells[cell] for cell in family.cells}
    parameters = {names.get(name, name): value for name, value in instance.parameters.items()}
    return Instance(ordered, parameters, family.candidate_names[: family.candidates])
