"""Which functions are mutated."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import CodeType, FunctionType

from tests.mutation.mutants import Target, key_of, targets
from unco.solver.operators.operator import Operator
from unco.solver.operators.table import OPERATORS

FIELDS = ("apply", "encode", "defined")
TWINS = ("solver.encode", "solver.interpret", "solver.variables")
"""What applies the rows to expressions."""
QUERIES = (
    *("solver.queries", "solver.space", "solver.judge", "solver.claims", "solver.harmless", "solver.throughout"),
    *("solver.closed", "solver.ground", "solver.from_proof"),
    *(
        f"solver.families.{name}"
        for name in ("space", "flipping", "completion", "posing", "values_everywhere", "within", "operands")
    ),
    *(f"solver.families.{name}" for name in ("replies", "sampling", "moving", "moves", "mixed")),
)
"""What asks about instances and families, and what a move does."""
BELOW = "unco.solver"
"""Only functions of this part are mutated."""


def functions_of(row: Operator, field: str) -> frozenset[object]:
    """A function of a row, and all that it calls."""
    return reached(getattr(row, field))


@cache
def reached(start: FunctionType) -> frozenset[object]:
    """A function, and all those below it that it names."""
    found: dict[object, None] = {}
    todo = [start]
    while todo:
        function = todo.pop()
        if key_of(function.__code__) not in found:
            found[key_of(function.__code__)] = None
            todo += _called_by(function)
    return frozenset(found)


def _called_by(function: FunctionType) -> Iterator[FunctionType]:
    for code in _codes(function.__code__):
        for name in code.co_names:
            called = function.__globals__.get(name)
            if isinstance(called, FunctionType) and called.__module__.startswith(BELOW):
                yield called


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


@cache
def operator_targets() -> tuple[Target, ...]:
    """Every function that a row's value, term or definedness rests on."""
    needed = {key for row in OPERATORS.values() for field in FIELDS for key in functions_of(row, field)}
    files = {str(key[0]) for key in needed}  # type: ignore[index]
    modules = sorted(
        name
        for name, module in sys.modules.items()
        if name.startswith(BELOW) and getattr(module, "__file__", "") in files
    )
    found = (target for module in modules for target in targets(module.removeprefix("unco.")))
    return tuple(target for target in found if target.key in needed)


@cache
def twin_targets() -> tuple[Target, ...]:
    """Every function of the two twins, the rows apart."""
    return tuple(target for module in TWINS for target in _of(module) if target not in operator_targets())


@cache
def query_targets() -> tuple[Target, ...]:
    """Every function of the queries, claims and moves."""
    return tuple(target for module in QUERIES for target in _of(module))


def _of(module: str) -> tuple[Target, ...]:
    import_module(f"unco.{module}")
    return targets(module)
