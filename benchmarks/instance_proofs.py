"""Instance proofs: `prove` against a script that makes a fresh solver for each question, on the same groups.

Both answer the same questions: is each role necessary, is any role alone an oracle, are the planned defects valid, are
the eight states of Mixed open. The verdicts are asserted equal. Neither looks for the smallest sufficient cells.
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import z3

from benchmarks.families import family_of
from benchmarks.usage import resident
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.prove import ProveOptions, prove
from unco.solver.claims import STATES, mixed_evidence
from unco.solver.decide import Prover
from unco.solver.encode import Encoder, declare, equal, round_term, stored
from unco.solver.space import in_unit
from unco.solver.terms import Num, Term
from unco.specs.evidence import Between, Evidence, Exact, OneOf, full
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Outcome, Winner
from unco.specs.values import NUMBER
from unco.specs.verdict import ClaimName, Proved

GROUPS = 20
AIM = 5
"""`prove` should be at least this many times faster than the script with fresh solvers."""


@dataclass(frozen=True)
class Row:
    """Seconds of the processor for the same questions about the same groups, and how many there were."""

    specification: str
    groups: int
    questions: int
    ours: float
    fresh: float

    @property
    def ratio(self) -> float:
        """How many times faster `prove` is."""
        return self.fresh / self.ours


def measure(paths: list[Path], groups: int = GROUPS) -> Iterator[Row]:
    """A row a specification."""
    for path in paths:
        family = family_of(path)
        drawn = (instantiate(family, index, InstantiateOptions(seed=7)) for index in range(groups))
        yield _row(family, [group for group in drawn if isinstance(group, CandidateGroup)])


def _row(family: Family, groups: list[CandidateGroup]) -> Row:
    started = time.process_time()
    prover = Prover(family)
    ours = [_verdicts(family, group, prover) for group in groups]
    between = time.process_time()
    fresh = [[_fresh(family, group, evidence) for evidence in _questions(family, group)] for group in groups]
    ended = time.process_time()
    if ours != fresh:
        raise AssertionError(f"{family.name}: the verdicts differ")
    return Row(family.name, len(groups), sum(map(len, fresh)), between - started, ended - between)


def _verdicts(family: Family, group: CandidateGroup, prover: Prover) -> list[bool]:
    """What `prove` says, in the order of the questions: whether the answer is open."""
    proof = prove(family, group, ProveOptions(sufficient=False), prover)
    asked = (ClaimName.NECESSARY, ClaimName.NO_ORACLE, ClaimName.INCOMPLETE, ClaimName.MISSED)
    found = [isinstance(claim.verdict, Proved) for claim in proof.claims if claim.name in asked]
    return found + ([True] * len(STATES[1:]) if group.mixed is not None and proof.accepted else [])


def _questions(family: Family, group: CandidateGroup) -> Iterator[Evidence]:
    """The evidence of each question."""
    everything = full(group.instance)
    for role in family.roles:
        yield everything.hiding(family.cells_of(role.id))
    for role in family.roles:
        yield everything.only(family.cells_of(role.id))
    if group.incomplete is not None:
        yield everything.with_knowledge(group.incomplete.coarse)
    if group.missed is not None:
        yield everything.hiding(family.cells_of(group.missed.role))
    if group.mixed is not None:
        for state in STATES[1:]:
            yield mixed_evidence(family, group.instance, group.mixed, state)


def _fresh(family: Family, group: CandidateGroup, evidence: Evidence) -> bool:
    """The question as a script would put it: a new solver, known values as constants, the others as variables."""
    script = _Script(family, evidence, z3.Context())
    promise = [z3.Not(z3.And(first, second)) for first, second in combinations(script.eligible, 2)]
    solver = z3.Solver(ctx=script.context)
    solver.add(*script.constraints, *promise, z3.Not(script.has(group.outcome)))
    return bool(solver.check() == z3.sat)


class _Script:
    """What a script writes down for one question about one group."""

    def __init__(self, family: Family, evidence: Evidence, context: Any) -> None:
        self.family, self.evidence, self.context = family, evidence, context
        self.constraints: list[Any] = []
        self.eligible: list[Any] = []
        self.results: list[Num] = []
        for candidate in range(family.candidates):
            self._candidate(candidate)

    def _candidate(self, candidate: int) -> None:
        terms = {slot: self._term(Cell(candidate, *slot)) for slot in self.family.slots}
        encoder = Encoder(z3, terms.__getitem__, self._parameter, self.context)
        self.constraints += [encoder.encode(rule.expression) for rule in self.family.consistency]
        self.eligible.append(z3.And(*(encoder.encode(rule.expression) for rule in self.family.conditions)))
        calculation = self.family.calculation
        shown = in_unit(encoder.encode(calculation.expression), calculation.unit)
        self.results.append(round_term(z3, shown, calculation.places, calculation.mode))

    def _term(self, cell: Cell) -> Term:
        known, domain = self.evidence.of(cell), self.family.domains[cell.slot]
        if isinstance(known, Exact):
            return stored(z3, known.value, domain.type, self.context)
        variable = declare(z3, domain, f"{cell}", self.context)
        self.constraints.append(variable.constraint)
        if isinstance(known, OneOf):
            self.constraints.append(z3.Or(*(variable.is_value(value) for value in known.values)))
        if isinstance(known, Between):
            self.constraints.append(variable.between(known.low, known.high))
        return variable.term

    def _parameter(self, name: str) -> Term:
        domain = next(parameter.domain for parameter in self.family.parameters if parameter.id == name)
        return stored(z3, self.evidence.parameters[name], domain.type, self.context)

    def has(self, outcome: Outcome) -> Any:
        """The outcome, as a term."""
        if not isinstance(outcome, Winner):
            return z3.Not(z3.Or(*self.eligible))
        others = [each for number, each in enumerate(self.eligible) if number != outcome.candidate]
        value = stored(z3, outcome.result, NUMBER, self.context)
        same = equal(z3, self.results[outcome.candidate], value, self.context)
        return z3.And(self.eligible[outcome.candidate], z3.Not(z3.Or(*others)), same)


def peak() -> float:
    """The most that this process held, in MiB."""
    return resident(os.getpid()).peak


def told(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows as plain data, with their ratios."""
    return [{**dataclasses.asdict(row), "ratio": row.ratio} for row in rows]


def show(rows: Sequence[Row]) -> None:
    """A line a specification."""
    print("Instance proofs: the same questions on the same groups, seconds of the processor")
    print(f"{'specification':<32}{'groups':>7}{'questions':>11}{'prove':>9}{'fresh':>9}{'times faster':>14}")
    for row in rows:
        times = f"{row.ours:>9.2f}{row.fresh:>9.2f}{row.ratio:>14.1f}"
        print(f"{row.specification:<32}{row.groups:>7}{row.questions:>11}{times}")
    print(f"Aim: at least {AIM} times. Peak memory of this process: {peak():.0f} MiB")
