"""The operator table: every row, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from unco.solver.operators import aggregates, arithmetic, comparison, dates, division, logic, rounding, tables
from unco.solver.operators.operator import Operator

_MODULES = (logic, comparison, arithmetic, division, rounding, dates, tables, aggregates)

OPERATORS: Mapping[str, Operator] = MappingProxyType({row.name: row for module in _MODULES for row in module.ROWS})
AGGREGATES: Mapping[str, Operator] = MappingProxyType({row.name: row for row in aggregates.ROWS})
