"""The engines, by name: what the project does for one instance alone, then what others would take instead."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

from benchmarks.engines import clingo_once, cpsat, cvc5_once, moves, script, z3_assumptions, z3_once
from benchmarks.engines.answer import Engine

ENGINES: Mapping[str, Engine] = {
    each.name: each
    for each in (
        Engine("unco, moves", "z3", moves.ready),
        Engine("Z3, prover", "z3", z3_once.ready),
        Engine("Z3, assumptions", "z3", z3_assumptions.ready),
        Engine("Z3, script", "z3", script.ready),
        Engine("cvc5", "cvc5", cvc5_once.ready),
        Engine("CP-SAT", "ortools", cpsat.ready),
        Engine("clingo", "clingo", clingo_once.ready),
    )
}
NOT_INSTALLED = "it is not installed: pip install -e '.[bench]'"


def is_installed(engine: Engine) -> bool:
    """Whether the package is there that the engine needs."""
    return importlib.util.find_spec(engine.module) is not None
