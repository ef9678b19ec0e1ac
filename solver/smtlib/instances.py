"""The question behind a rejection as SMT-LIB: for every completion of the evidence the answer is the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from unco.solver.judge import exists
from unco.solver.smtlib.text import Terms, script
from unco.solver.space import Space
from unco.specs.evidence import Evidence, full
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Outcome
from unco.specs.verdict import Claim, ClaimName, Engine, Refuted

TOLD = (
    "assumptions, all assertions but the goal: a legal instance that agrees with what is known and keeps the promise",
    "negated goal: its answer is not that of the group",
    "UNSAT means: every completion has the answer of the group, so the claim fails and the group is rejected. The",
    "instance of the group is a model of the assumptions.",
    "|cN.attribute.member.context| is a cell of candidate N, |parameter.name| a threshold: a number or a category by",
    "its place in its domain, from 0; a date by year, month and day.",
)


def rejection_query(family: Family, group: CandidateGroup, claim: Claim) -> str | None:
    """The question whose UNSAT refuted the claim; None where it was not refuted by one about a part of the evidence.

    Of Mixed, no question is given: the state that is masked stands in the detail of the rejection.
    """
    evidence = _evidence(family, group, claim)
    solved = isinstance(claim.verdict, Refuted) and claim.verdict.engine is Engine.SOLVER
    if evidence is None or not solved:
        return None
    told = (f"rejected: candidate group {group.index}, {claim.name.value}, {claim.subject}", *TOLD)
    return script(Terms(), told, list(_parts(Space(family), evidence, group.outcome)))


def _evidence(family: Family, group: CandidateGroup, claim: Claim) -> Evidence | None:
    """What is known where the claim is about a part of the evidence."""
    instance = group.instance
    match claim.name:
        case ClaimName.NECESSARY | ClaimName.MISSED:
            return full(instance).hiding(family.cells_of(claim.subject))
        case ClaimName.NO_ORACLE:
            return full(instance).only(family.cells_of(claim.subject))
        case ClaimName.INCOMPLETE if group.incomplete is not None:
            coarse = group.incomplete.coarse
            return full(instance).with_knowledge(
                {c: known for c, known in coarse.items() if exists(family, instance, c)}
            )
        case _:
            return None


def _parts(space: Space, evidence: Evidence, outcome: Outcome) -> Iterator[tuple[str, Any]]:
    """UNSAT iff every legal completion of the evidence that keeps the promise has the outcome."""
    yield from (("domain", part) for part in space.domains() if not z3.is_true(part))
    yield from (("consistent", part) for part in space.consistent())
    yield from (("known", part) for part in space.agrees(evidence))
    yield from (("promise", part) for part in space.promise())
    yield "goal", z3.Not(space.has_outcome(outcome))
