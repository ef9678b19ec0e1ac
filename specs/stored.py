"""Stored form of groups and proofs: plain JSON data, exact, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from operator import index
from typing import Any, TypeAlias

from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain, exact
from unco.specs.errors import Diagnostic, SpecificationError
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge, Nothing, OneOf
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup, Harmless, Incomplete, Misaligned, Missed, Mixed
from unco.specs.instance import Instance, NoWinner, Outcome, SeveralEligible, Winner
from unco.specs.values import Value
from unco.specs.verdict import Claim, Proved, Refuted, Unknown, WitnessPair

Json: TypeAlias = Any
"""Plain data as `json` reads and writes it."""
FRACTION = re.compile(r"-?[0-9]{1,4000}/[0-9]{1,4000}")
"""A number that is not whole, as it is stored: an exponent could ask for more digits than memory holds."""


def stored_value(value: Value) -> Json:
    """A value as JSON: true or false, a whole number, `p/q`, a date in ISO form, a name."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return value.isoformat() if isinstance(value, date) else value


def read_value(domain: Domain, data: Json) -> Value:
    """A stored value of a domain; raises UNC702 where it is none."""
    value: Value | None = None
    match domain:
        case BooleanDomain():
            value = data if isinstance(data, bool) else None
        case CategoryDomain():
            value = data if isinstance(data, str) else None
        case DateDomain():
            value = _date(data)
        case NumberDomain():
            value = _number(data)
    if value is None or domain.index(value) is None:
        raise _unreadable(f"{data!r} is not a value of its domain")
    return value


def _number(data: Json) -> Value | None:
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    try:
        return exact(Fraction(data)) if isinstance(data, str) and FRACTION.fullmatch(data) else None
    except (ValueError, ZeroDivisionError):
        return None


def _date(data: Json) -> Value | None:
    try:
        return date.fromisoformat(data) if isinstance(data, str) else None
    except ValueError:
        return None


def _unreadable(reason: str) -> SpecificationError:
    return SpecificationError([Diagnostic("UNC702", "a stored group does not read back", found=reason)])


def store_group(group: CandidateGroup) -> Json:
    """A candidate group as JSON data."""
    return {
        "index": group.index,
        "names": list(group.instance.names),
        "parameters": {name: stored_value(value) for name, value in sorted(group.instance.parameters.items())},
        "cells": [[*cell, stored_value(value)] for cell, value in group.instance.cells.items()],
        "outcome": store_outcome(group.outcome),
        "misaligned": None if group.misaligned is None else _store_misaligned(group.misaligned),
        "incomplete": None if group.incomplete is None else _store_incomplete(group.incomplete),
        "missed": None if group.missed is None else group.missed.role,
        "mixed": None if group.mixed is None else _store_mixed(group.mixed),
        "harmless": {
            "coarse": [_store_incomplete(each) for each in group.harmless.coarse],
            "extras": [list(each) for each in group.harmless.extras],
        },
    }


def read_group(family: Family, data: Json) -> CandidateGroup:
    """A stored group of a family; raises SpecificationError (UNC702) where it is none."""
    try:
        return _read_group(family, data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unreadable(f"{type(error).__name__}: {error}") from error


def _read_group(family: Family, data: Json) -> CandidateGroup:
    domains = {parameter.id: parameter.domain for parameter in family.parameters}
    cells = _read_cells(family, data["cells"])
    if set(cells) != set(family.cells):
        raise _unreadable("the cells are not those of the family")
    if set(data["parameters"]) != set(domains):
        raise _unreadable("the parameters are not those of the family")
    instance = Instance(
        {cell: cells[cell] for cell in family.cells},
        {name: read_value(domains[name], value) for name, value in data["parameters"].items()},
        _names(family, data["names"]),
    )
    return CandidateGroup(
        index(data["index"]),
        instance,
        _read_outcome(family, data["outcome"]),
        None if data["misaligned"] is None else _read_misaligned(family, data["misaligned"]),
        None if data["incomplete"] is None else _read_incomplete(family, data["incomplete"]),
        None if data["missed"] is None else Missed(_role(family, data["missed"])),
        None if data["mixed"] is None else _read_mixed(family, data["mixed"]),
        _read_harmless(family, data["harmless"]) if "harmless" in data else Harmless(),
    )


def _names(family: Family, data: Json) -> tuple[str, ...]:
    if not isinstance(data, list) or not len(data) == len(set(data)) == family.candidates:
        raise _unreadable(f"{data!r} are not the names of {family.candidates} candidates")
    if not all(isinstance(name, str) for name in data):
        raise _unreadable(f"{data!r} are not all names")
    return tuple(data)


def _attribute(family: Family, id_: Json) -> str:
    """The id of an attribute; raises KeyError where there is none, as the next two do."""
    return family.attribute_by_id[id_].id


def _context(family: Family, attribute: Json, context: Json) -> str:
    return {name: name for name, _ in family.attribute_by_id[attribute].contexts}[context]


def _role(family: Family, id_: Json) -> str:
    return {role.id: role.id for role in family.roles}[id_]


def _read_cells(family: Family, data: Json) -> dict[Cell, Value]:
    found = {}
    for *key, value in data:
        cell = Cell(*key)
        if cell in found:
            raise _unreadable(f"{key!r} is there twice")
        found[cell] = read_value(family.domains[cell.slot], value)
    return found


def store_outcome(outcome: Outcome) -> Json:
    """An outcome as JSON data."""
    match outcome:
        case Winner(candidate, result):
            return {"candidate": candidate, "result": stored_value(result)}
        case NoWinner():
            return None
        case SeveralEligible(candidates):
            return {"eligible": list(candidates)}


def _read_outcome(family: Family, data: Json) -> Outcome:
    if data is None:
        return NoWinner()
    if "eligible" in data:
        return SeveralEligible(tuple(range(family.candidates).index(each) for each in data["eligible"]))
    number = _number(data["result"])
    if not isinstance(number, int | Fraction):
        raise _unreadable(f"{data['result']!r} is not a number")
    return Winner(range(family.candidates).index(data["candidate"]), number)


def _store_misaligned(defect: Misaligned) -> Json:
    return {"attribute": defect.attribute, "context": defect.context}


def _store_mixed(defect: Mixed) -> Json:
    return {"misaligned": _store_misaligned(defect.misaligned), "omitted": defect.omitted, "missed": defect.missed}


def _read_misaligned(family: Family, data: Json) -> Misaligned:
    return Misaligned(_attribute(family, data["attribute"]), _context(family, data["attribute"], data["context"]))


def _read_mixed(family: Family, data: Json) -> Mixed:
    decoy = _read_misaligned(family, data["misaligned"])
    return Mixed(decoy, _attribute(family, data["omitted"]), _role(family, data["missed"]))


def _read_harmless(family: Family, data: Json) -> Harmless:
    extras = tuple((_attribute(family, name), _context(family, name, context)) for name, context in data["extras"])
    return Harmless(tuple(_read_incomplete(family, each) for each in data["coarse"]), extras)


def _store_incomplete(defect: Incomplete) -> Json:
    return {
        "attribute": defect.attribute,
        "coarse": [[*cell, store_knowledge(known)] for cell, known in defect.coarse.items()],
    }


def _read_incomplete(family: Family, data: Json) -> Incomplete:
    coarse = {}
    for *key, known in data["coarse"]:
        cell = Cell(*key)
        coarse[cell] = read_knowledge(family.domains[cell.slot], known)
    return Incomplete(_attribute(family, data["attribute"]), coarse)


def store_knowledge(knowledge: Knowledge) -> Json:
    """Knowledge of a cell as JSON data."""
    match knowledge:
        case Exact(value):
            return {"exact": stored_value(value)}
        case OneOf(values):
            return {"one_of": [stored_value(value) for value in values]}
        case Between(low, high):
            return {"between": [stored_value(low), stored_value(high)]}
        case Nothing():
            return None


def read_knowledge(domain: Domain, data: Json) -> Knowledge:
    """Stored knowledge of a cell."""
    if data is None:
        return NOTHING
    if "exact" in data:
        return Exact(read_value(domain, data["exact"]))
    if "one_of" in data:
        return OneOf(tuple(read_value(domain, value) for value in data["one_of"]))
    if not isinstance(domain, NumberDomain | DateDomain):
        raise _unreadable("only a number or a date can lie in an interval")
    low, high = (read_value(domain, value) for value in data["between"])
    return Between(low, high)


def store_claim(claim: Claim) -> Json:
    """A claim with its verdict as JSON data. Resource use is left out: it depends on what a warm solver did before."""
    stored = {
        "claim": claim.name.value,
        "subject": claim.subject,
        "statement": claim.statement,
        "promise": claim.promise.value,
        "required": claim.required,
        **_store_verdict(claim),
    }
    return {**stored, "states": [_store_state(*each) for each in claim.states]} if claim.states else stored


def _store_state(unrepaired: tuple[str, ...], verdict: Proved) -> Json:
    """A repair state of Mixed: a completion with another answer than gold, and one for each open defect."""
    return {
        "unrepaired": list(unrepaired),
        **({} if verdict.witness is None else _store_witness(verdict.witness)),
        "matters": [{"defect": name, **_store_witness(pair)} for name, pair in verdict.matters.items()],
    }


def _store_verdict(claim: Claim) -> Mapping[str, Json]:
    match claim.verdict:
        case Proved(engine, _, witness, because):
            name = "Proved"
        case Refuted(engine, _, witness, because):
            name = "Refuted"
        case Unknown(reason):
            return {"verdict": "Unknown", "reason": reason}
    return {
        "verdict": name,
        "engine": engine.value,
        "because": because,
        "witness": None if witness is None else _store_witness(witness),
    }


def _store_witness(pair: WitnessPair) -> Json:
    return {
        "flip": pair.flip.value,
        "outcome": store_outcome(pair.outcome),
        "changes": [[*cell, stored_value(value)] for cell, value in pair.changes.items()],
    }
