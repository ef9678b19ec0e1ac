"""Ground: what the encoding says of an instance that is known whole, by Z3's evaluator: no search, and no budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import z3

from unco.solver.space import Space
from unco.specs.errors import InconsistencyError
from unco.specs.family import Cell, Family
from unco.specs.instance import Instance, Outcome
from unco.specs.values import Value


class Ground:
    """Evaluates instances of one family. It must stay in the thread that made it."""

    def __init__(self, family: Family) -> None:
        self.space = Space(family)
        self.rules = self.space.conjunction(*self.space.legal(), *self.space.promise())

    def at(self, instance: Instance) -> Known:
        """The instance as values of the encoding's symbols."""
        return Known(self, instance)


class Known:
    """One instance, whose answer and witnesses may be asked about."""

    def __init__(self, ground: Ground, instance: Instance) -> None:
        self.space = ground.space
        self.rules = ground.rules
        self.cells = instance.cells
        self.model = z3.Model(self.space.context)
        self._set(instance.cells)
        for name, value in instance.parameters.items():
            self._update(self.space.parameters[name].substitution(value))

    def has(self, outcome: Outcome) -> bool:
        """Whether the instance is legal, keeps the promise and has this outcome."""
        return self._holds(self.space.conjunction(self.rules, self.space.has_outcome(outcome)))

    def has_another(self, changes: Mapping[Cell, Value], outcome: Outcome) -> bool:
        """Whether, with these cells changed, it is legal, keeps the promise and has another outcome."""
        self._set(changes)
        try:
            return self._holds(self.space.conjunction(self.rules, z3.Not(self.space.has_outcome(outcome))))
        finally:
            self._set({cell: self.cells[cell] for cell in changes})

    def _set(self, cells: Mapping[Cell, Value]) -> None:
        for cell, value in cells.items():
            self._update(self.space.substitution(cell, value))

    def _update(self, pairs: list[tuple[Any, Any]]) -> None:
        for symbol, value in pairs:
            self.model.update_value(symbol, value)

    def _holds(self, term: Any) -> bool:
        found = self.model.eval(term, model_completion=True)
        if not (z3.is_true(found) or z3.is_false(found)):
            raise InconsistencyError(f"the encoding has no truth value at a whole instance: {found}")
        return bool(z3.is_true(found))
