"""Run a query: three-valued, within a budget, every model replayed by the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3

from unco.solver.judge import violations
from unco.solver.space import Bool, Space
from unco.specs.errors import InconsistencyError, InfrastructureError
from unco.specs.family import Family
from unco.specs.instance import Instance

DEFAULT_RLIMIT = 20_000_000
"""Z3 resource units a query may use: deterministic, about five seconds of hard arithmetic."""


@dataclass(frozen=True)
class Query:
    """A question about completions: what to assert, and the same condition for the interpreter."""

    name: str
    build: Callable[[Space], tuple[Bool, ...]]
    replay: Callable[[Instance], bool]
    """Whether an instance answers the question, by the interpreter alone."""
    legal: bool = True
    """Whether the completions asked for are legal; only some findings look beyond."""


@dataclass(frozen=True)
class Sat:
    """There is a completion, and the interpreter agrees that it answers the question."""

    completion: Instance
    rlimit: int


@dataclass(frozen=True)
class Unsat:
    """There is none: the only outcome that proves."""

    rlimit: int


@dataclass(frozen=True)
class Undecided:
    """The solver gave up; `reason` is its own."""

    reason: str
    rlimit: int


Decision: TypeAlias = Sat | Unsat | Undecided


class Prover:
    """Decides queries about one family. It keeps a compiled space warm for verdicts; completions come from a fresh one,
    so that they depend on the question alone. It must stay in the thread that made it.
    """

    def __init__(
        self, family: Family, rlimit: int = DEFAULT_RLIMIT, candidates: int | None = None, *, asks: bool = True
    ) -> None:
        """`candidates` other than the family's make a space of that many; `asks` False answers Undecided throughout."""
        self.family = family
        self.asks = asks
        self.rlimit = rlimit
        self.candidates = candidates
        self._warm: tuple[Space, z3.Solver] | None = None

    def decide(self, query: Query, names: tuple[str, ...] = ()) -> Decision:
        """Unsat by the warm solver; else what a fresh solver finds, which depends on nothing that was asked before."""
        warm = self.decide_warm(query, names)
        if isinstance(warm, Unsat):
            return warm
        fresh = self.decide_fresh(query, names)
        if isinstance(warm, Sat) and isinstance(fresh, Unsat):
            raise InconsistencyError(f"{query.name}: one solver finds a completion, another says that there is none")
        return fresh

    def decide_warm(self, query: Query, names: tuple[str, ...] = ()) -> Decision:
        """The verdict of the warm solver; its completion is replayed, but depends on what was asked before."""
        if not self.asks:
            return Undecided("the solver was not asked", 0)
        space, solver = self._warm_solver()
        solver.push()
        try:
            solver.add(*query.build(space))
            return self._decision(query, space, solver, names)
        finally:
            solver.pop()

    def decide_fresh(self, query: Query, names: tuple[str, ...] = ()) -> Decision:
        """The same by a solver and a context of its own: it depends on nothing that was asked before."""
        if not self.asks:
            return Undecided("the solver was not asked", 0)
        space = Space(self.family, self.candidates)
        solver = _solver(space, self.rlimit)
        solver.add(*space.domains(), *query.build(space))
        return self._decision(query, space, solver, names)

    def _decision(self, query: Query, space: Space, solver: Any, names: tuple[str, ...]) -> Decision:
        outcome, used = ask(solver)
        if outcome == z3.unsat:
            return Unsat(used)
        if outcome == z3.unknown:
            return Undecided(reason_told(why_unknown(solver), self.rlimit), used)
        model = solver.model()
        completion = Instance(space.decode(model), space.decode_parameters(model), names)
        _replay(self.family, query, completion)
        return Sat(completion, used)

    def _warm_solver(self) -> tuple[Space, z3.Solver]:
        if self._warm is None:
            space = Space(self.family, self.candidates)
            solver = _solver(space, self.rlimit)
            solver.add(*space.domains())
            self._warm = space, solver
        return self._warm


def _solver(space: Space, rlimit: int) -> Any:
    solver = z3.Solver(ctx=space.context)
    solver.set("rlimit", rlimit)
    solver.set("random_seed", 0)
    return solver


def ask(solver: Any) -> tuple[Any, int]:
    """The outcome, and the resource units it took."""
    before = _used(solver)
    try:
        outcome = solver.check()
    except z3.Z3Exception as error:
        if "memory" in str(error):
            raise InfrastructureError(f"the solver ran out of memory: {error}") from error
        raise InconsistencyError(f"Z3 failed on our own query: {error}") from error
    return outcome, _used(solver) - before


def why_unknown(solver: Any) -> str:
    """The solver's own reason; raises InfrastructureError where memory ran out, which says nothing of the question."""
    reason = str(solver.reason_unknown())
    if "memory" in reason or reason == "memout":
        raise InfrastructureError(f"the solver ran out of memory: {reason}")
    return reason


def reason_told(given: str, rlimit: int) -> str:
    """Why the solver gave up; it calls a spent budget by several names."""
    spent = given in ("canceled", "max. resource limit exceeded")
    return f"the budget of {rlimit:,} resource units was used up" if spent else given


def _used(solver: Any) -> int:
    statistics = solver.statistics()
    return next((int(value) for name, value in iter(statistics) if name == "rlimit count"), 0)


def _replay(family: Family, query: Query, completion: Instance) -> None:
    """Raise where the interpreter does not see what the solver says."""
    found = violations(family, completion) if query.legal else ()
    if found:
        raise InconsistencyError(f"{query.name}: the solver's completion is not legal: {found[0]}")
    if not query.replay(completion):
        raise InconsistencyError(f"{query.name}: the solver's completion does not replay: {dict(completion.cells)!r}")
