"""How a family is written down for CP-SAT, and literals for what its rules say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unco.specs.instance import Instance


@dataclass(frozen=True)
class Candidate:
    """One candidate in a model: its facts, each a variable between two numbers, and what the rules say."""

    facts: Mapping[Any, Any]
    eligible: Any
    result: Any


@dataclass(frozen=True)
class Modelling:
    """How a family is written down for CP-SAT."""

    candidate: Callable[[Any], Candidate]
    """Adds one to a model."""
    numbers: Callable[[Instance], Sequence[Mapping[Any, int]]]
    """The facts of each candidate of an instance, as the variables have them."""
    hidden: Sequence[Collection[Any]]
    """The facts of each role, in the order of the roles."""


def holds(model: Any, variable: Any, domain: Any) -> Any:
    """A literal that says whether a variable is in a domain."""
    literal = model.new_bool_var("")
    model.add_linear_expression_in_domain(variable, domain).only_enforce_if(literal)
    model.add_linear_expression_in_domain(variable, domain.complement()).only_enforce_if(~literal)
    return literal


def all_of(model: Any, parts: Sequence[Any]) -> Any:
    """A literal that says whether all literals hold."""
    literal = model.new_bool_var("")
    model.add_bool_and(parts).only_enforce_if(literal)
    model.add_bool_or(*(~part for part in parts), literal)
    return literal


def any_of(model: Any, parts: Sequence[Any]) -> Any:
    """A literal that says whether one of the literals holds."""
    return ~all_of(model, [~part for part in parts])
