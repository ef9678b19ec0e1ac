"""Legal: which values of one cell the consistency rules allow while the candidate's other cells are as they are."""

from __future__ import annotations

from collections.abc import Callable

from unco.solver.interpret import Undefined, interpret
from unco.specs.domains import Domain
from unco.specs.expression import references
from unco.specs.family import Cell, Family
from unco.specs.instance import Instance
from unco.specs.values import Value

Legal = Callable[[Value], bool]


def anything(value: Value) -> bool:
    """Every value is allowed."""
    return True


def legal(family: Family, instance: Instance, cell: Cell) -> Legal:
    """Whether the rules of consistency that read the cell hold where it has a value."""
    values, parameters = instance.candidate(cell.candidate), instance.parameters
    read = (cell.attribute, cell.context)
    rules = [
        rule.expression
        for rule in family.consistency
        if any((each.attribute, each.context) == read for each in references(rule.expression))
    ]

    def holds(value: Value) -> bool:
        try:
            return all(interpret(rule, {**values, cell.slot: value}, parameters) is True for rule in rules)
        except Undefined:
            return False

    return holds if rules else anything


def legal_span(domain: Domain, index: int, low: int, high: int, holds: Legal) -> tuple[int, int]:
    """The range from `low` to `high` about an index, or as much of it as is legal from the index on either way."""

    def kept(end: int, way: int) -> int:
        if holds(domain.value(end)):
            return end
        return index + way * reach(abs(end - index), lambda steps: holds(domain.value(index + way * steps)))

    return kept(low, -1), kept(high, 1)


def reach(most: int, holds: Callable[[int], bool]) -> int:
    """The greatest number of steps up to `most` for which it holds; it holds for 0, and for fewer where for more."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if holds(middle):
            least = middle
        else:
            most = middle - 1
    return least
