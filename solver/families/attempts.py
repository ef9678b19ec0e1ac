"""One question put to the solver in several ways, in a fixed order: products and roundings that take one way long are
often found at once by another. Each way has a small budget first; the first way has the whole budget last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import z3

from unco.solver.decide import ask

WAYS: tuple[Mapping[str, Any], ...] = ({"arith.nl.grobner": False}, {}, {"phase_selection": 5})
"""Settings of the solver. None of them changes what `sat` and `unsat` mean."""
BUDGETS = (100_000, 400_000)
"""Resource units that each way has in turn."""


def fresh_solver(context: Any, rlimit: int, seed: int, way: Mapping[str, Any] = WAYS[0]) -> Any:
    """A solver with a budget for each question."""
    solver = z3.SimpleSolver(ctx=context)
    solver.set("rlimit", rlimit)
    solver.set("random_seed", seed)
    for name, value in way.items():
        solver.set(name, value)
    return solver


def attempt(solver: Any, context: Any, rlimit: int, seed: int) -> tuple[Any, Any, int]:
    """The outcome, the solver that has the model or the reason, and the resource units that all took together.

    The given solver, of the first way, is asked first and last; the others are made for this question.
    """
    used = 0
    for budget, way in _turns(rlimit):
        asked = solver
        if way is not WAYS[0]:
            asked = fresh_solver(context, budget, seed, way)
            asked.add(*solver.assertions())
        solver.set("rlimit", budget)
        outcome, spent = ask(asked)
        used += spent
        if outcome != z3.unknown:
            return outcome, asked, used
    return outcome, asked, used


def _turns(rlimit: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for budget in BUDGETS:
        if budget < rlimit:
            yield from ((budget, way) for way in WAYS)
    yield rlimit, WAYS[0]
