"""Answers as plain data: no resource units, no wording of places, no objects of the solver."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from fractions import Fraction
from typing import Any

from unco.specs.expression import Aggregate, Apply, Constant, ParameterReference, Reference
from unco.specs.family import Family, Slot

LEFT_OUT = frozenset(("rlimit", "span", "question"))


def bare(found: Any) -> Any:
    """The answer as tuples, names and numbers."""
    match found:
        case None | bool() | int() | str() | Fraction() | date() | Enum():
            return found
        case Apply(operator, parts, _, options):
            return operator, bare(parts), bare(options)
        case Aggregate(operator, _, size, _, body):
            return operator, bare(size), bare(body)
        case Constant(value):
            return bare(value)
        case Reference(attribute, member, context):
            return bare(Slot(attribute, member, context))
        case ParameterReference(name):
            return name
        case Family():
            return found.digest
        case Slot():
            return f"{found.attribute}.{found.member}.{found.context}"
        case Mapping():
            return [(bare(key), bare(value)) for key, value in found.items()]
        case Set():
            return sorted(map(str, found))
        case tuple() | list():
            return tuple(bare(each) for each in found)
        case _ if is_dataclass(found):
            parts = [(each.name, getattr(found, each.name)) for each in fields(found) if each.name not in LEFT_OUT]
            return type(found).__name__, *((name, bare(value)) for name, value in parts)
        case _:
            return type(found).__name__
