"""Z3 with the rules of the family compiled once, and one solver that takes what is known as assumptions.

Each assumption is made once and kept. Nothing is replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import z3

from benchmarks.engines.answer import Answer, Gold, hidden_cells
from unco.solver.space import Space
from unco.specs.family import Cell, Family
from unco.specs.instance import Instance, NoWinner, Winner
from unco.specs.values import Value


def ready(family: Family) -> _Assuming:
    """Compiles the family."""
    return _Assuming(family)


class _Assuming:
    def __init__(self, family: Family) -> None:
        self.family, self.space = family, Space(family)
        self.hidden = tuple(hidden_cells(family))
        self.solver = z3.Solver(ctx=self.space.context)
        self.solver.add(*self.space.legal())
        self.promise = self.space.conjunction(*self.space.promise())
        self.fixed = cache(self._fixed)

    def _fixed(self, cell: Cell, value: Value) -> Any:
        return self.space.variable(cell).is_value(value)

    def __call__(self, instance: Instance) -> Answer:
        """Full evidence first, then without each role."""
        parameters = [*self.space.fixes(instance.parameters)]
        known = {cell: self.fixed(cell, value) for cell, value in instance.cells.items()}
        everything = [*parameters, *known.values()]
        if self.solver.check(*everything) != z3.sat:
            raise AssertionError(f"{self.family.name}: Z3 says that the instance is not legal")
        gold = self._gold()
        outcome = NoWinner() if gold is None else Winner(*gold)
        other = [self.promise, z3.Not(self.space.has_outcome(outcome))]
        if self.solver.check(*everything, *other) != z3.unsat:
            raise AssertionError(f"{self.family.name}: Z3 sees another answer than {gold}")
        shared = [*parameters, *other]
        return Answer(
            gold,
            tuple(
                self._is_open([*shared, *(part for cell, part in known.items() if cell not in role)])
                for role in self.hidden
            ),
        )

    def _is_open(self, assumed: Sequence[Any]) -> bool | None:
        found = self.solver.check(*assumed)
        return None if found == z3.unknown else bool(found == z3.sat)

    def _gold(self) -> Gold:
        model = self.solver.model()
        eligible = [
            number for number, each in enumerate(self.space.candidates) if z3.is_true(model.eval(each.eligible))
        ]
        if not eligible:
            return None
        (winner,) = eligible
        result = self.space.candidates[winner].result
        numerator, denominator = (
            part if isinstance(part, int) else model.eval(part).as_long()
            for part in (result.numerator, result.denominator)
        )
        found = Fraction(numerator, denominator)
        return winner, found.numerator if found.denominator == 1 else found
