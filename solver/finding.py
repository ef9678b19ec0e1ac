"""What a finding is, and an outcome that holds for some values of the parameters alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from unco.solver.decide import Unsat
from unco.specs.errors import Span
from unco.specs.family import Family, Rule
from unco.specs.instance import Instance
from unco.specs.values import Value


@dataclass(frozen=True)
class Finding:
    """One finding: its code, the section and id of what it is about, and an example where there is one."""

    code: str
    section: str
    id: str
    message: str
    span: Span | None = None
    example: Instance | None = None
    """The cells of one candidate (number 0), and the parameters."""
    attributes: tuple[str, ...] = ()
    """The attributes that the example is about."""
    reason: str = ""
    others: tuple[str, ...] = ()
    """Other rules of the section that are to blame: conditions, where it is the plan."""
    clauses: tuple[str, ...] = ()
    """Other clauses of the plan of the winner that are to blame."""
    stands: bool = False
    """Whether the family stands all the same."""


@dataclass(frozen=True)
class Nowhere(Unsat):
    """There are no such cells for these values of the parameters, though there are for others."""

    parameters: Mapping[str, Value]


def where(decision: Unsat) -> Instance | None:
    """The values of the parameters that a finding is about, where it is not about all."""
    return Instance({}, decision.parameters, ()) if isinstance(decision, Nowhere) else None


def least(rules: Sequence[Rule], suffices: Callable[[Sequence[Rule]], bool]) -> tuple[Rule, ...]:
    """Rules that suffice together, none of which can be left out."""
    kept = list(rules)
    for rule in rules:
        rest = [each for each in kept if each is not rule]
        if suffices(rest):
            kept = rest
    return tuple(kept)


def ids_of(rules: Sequence[Rule]) -> tuple[str, ...]:
    """The ids of some rules."""
    return tuple(rule.id for rule in rules)


def unmet_plan(family: Family, core: Sequence[Rule], example: Instance | None) -> Finding:
    """The first clause of the plan among rules that cannot hold together, none of which can be left out."""
    first, *clauses = [rule for rule in family.plan.winner if rule in core]
    conditions = [rule for rule in family.conditions if rule in core]
    message = "no eligible candidate meets this clause"
    found = Finding("UNC413", "plan.winner", first.id, message, first.span, example)
    return replace(found, others=ids_of(conditions), clauses=ids_of(clauses))
