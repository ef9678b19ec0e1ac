"""The questions put to the solver about one instance, each as assertions and as a condition to replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import z3

from unco.solver.decide import Query
from unco.solver.encode import equal
from unco.solver.judge import judge, violations
from unco.solver.space import Bool, Space, moved
from unco.specs.evidence import Evidence, agrees
from unco.specs.family import Cell, Family
from unco.specs.instance import Instance, Outcome, SeveralEligible
from unco.specs.values import Value


def another_answer(family: Family, evidence: Evidence, outcome: Outcome, *, promise: bool) -> Query:
    """UNSAT iff the evidence determines `outcome`: no legal completion (keeping the promise, if asked) has another."""

    def build(space: Space) -> tuple[Bool, ...]:
        differs = z3.Not(space.has_outcome(outcome))
        return (*space.consistent(), *space.agrees(evidence), *(space.promise() if promise else ()), differs)

    def replay(instance: Instance) -> bool:
        return (
            _agrees(family, evidence, instance)
            and _keeps(family, instance, promise)
            and judge(family, instance) != outcome
        )

    return Query("another answer", build, replay)


def a_difference(family: Family, evidence: Evidence, repaired: Mapping[Cell, Value]) -> Query:
    """UNSAT iff repairing some cells never matters: every legal completion that keeps the promise has the same outcome
    as the completion with those cells at their true values, wherever that is legal and keeps the promise too.
    """

    def build(space: Space) -> tuple[Bool, ...]:
        pairs = [pair for cell, value in repaired.items() for pair in space.substitution(cell, value)]

        def after(term: Any) -> Any:
            return z3.substitute(term, *pairs)

        legal = tuple(after(part) for part in (*space.legal(), *space.promise()))
        same = _same_outcome(space, after)
        return (*space.consistent(), *space.agrees(evidence), *space.promise(), *legal, z3.Not(same))

    def replay(instance: Instance) -> bool:
        after_repair = instance.changed(repaired)
        if violations(family, after_repair):
            return False
        before, after = judge(family, instance), judge(family, after_repair)
        return (
            _agrees(family, evidence, instance)
            and before != after
            and not isinstance(before, SeveralEligible)
            and not isinstance(after, SeveralEligible)
        )

    return Query("a difference", build, replay)


def _same_outcome(space: Space, after: Callable[[Any], Any]) -> Bool:
    """The same candidates are eligible before and after, with the same result."""
    parts = []
    for candidate in space.candidates:
        eligible = after(candidate.eligible)
        same = equal(z3, candidate.result, moved(candidate.result, after), space.context)
        parts.append(z3.And(candidate.eligible == eligible, z3.Or(z3.Not(eligible), same)))
    return space.conjunction(*parts)


def _agrees(family: Family, evidence: Evidence, instance: Instance) -> bool:
    return all(agrees(evidence.of(cell), instance.cells[cell]) for cell in family.cells) and all(
        instance.parameters[name] == value for name, value in evidence.parameters.items()
    )


def _keeps(family: Family, instance: Instance, promise: bool) -> bool:
    return not promise or not isinstance(judge(family, instance), SeveralEligible)
