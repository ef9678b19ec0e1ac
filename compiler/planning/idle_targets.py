"""Idle targets: what the values are at which no target of a defect changes the answer, and the rule that holds them."""

from __future__ import annotations

from collections.abc import Iterator

from unco.solver.interpret import Undefined, interpret
from unco.solver.landmarks import landmarks
from unco.specs.family import Cell, Family, Rule
from unco.specs.instance import Instance
from unco.specs.wording import listing_text, value_text


def idle_targets(family: Family, instance: Instance, defect: str) -> str:
    """More on the first target that a consistency rule holds; else its values where the defect is a misaligned reply,
    or the targets alone.
    """
    targets: tuple[str, ...] = getattr(family.perturbations, defect)
    if defect != "misaligned":
        return f"; the targets are {listing_text([f'`{name}`' for name in targets])}"
    replies = list(_replies(family, instance, targets))
    held = next((cell for cell in replies if _holding(family, instance, cell) is not None), None)
    if held is not None:
        rule = _holding(family, instance, held)
        told = f"`{rule.id}`{f' (line {rule.span.line})' if rule.span else ''}" if rule is not None else ""
        return f": {_values(family, instance, held)}, and consistency rule {told} allows no other value there"
    return f": {_values(family, instance, replies[0])}" if replies else ""


def _replies(family: Family, instance: Instance, targets: tuple[str, ...]) -> Iterator[Cell]:
    """The cells of other contexts that a misaligned reply would give."""
    for name in targets:
        attribute = family.attribute_by_id[name]
        for context, _ in attribute.contexts[1:]:
            for candidate in range(len(instance.names)):
                yield Cell(candidate, name, family.members(attribute)[0], context)


def _holding(family: Family, instance: Instance, cell: Cell) -> Rule | None:
    """The consistency rule that no other value of the cell keeps to, as far as values are tried; None where one may."""
    parameters = tuple(sorted(instance.parameters.items()))
    domain = family.domains[cell.slot]
    choices = dict.fromkeys([*landmarks(family, cell.slot, parameters), domain.value(0), domain.value(domain.size - 1)])
    others = [instance.changed({cell: value}) for value in choices if value != instance.cells[cell]]
    broken = (rule for rule in family.consistency if others and all(_breaks(rule, each, cell) for each in others))
    return next(broken, None)


def _breaks(rule: Rule, instance: Instance, cell: Cell) -> bool:
    try:
        return interpret(rule.expression, instance.candidate(cell.candidate), instance.parameters) is not True
    except Undefined:
        return True


def _values(family: Family, instance: Instance, cell: Cell) -> str:
    """The value of the cell, and the one that decides in its place."""
    attribute = family.attribute_by_id[cell.attribute]
    told = [
        f"{value_text(instance.cells[each], family.domains[each.slot])} in `{each.context}`"
        for each in (cell._replace(context=attribute.required), cell)
    ]
    member = f" {cell.member}" if cell.member else ""
    return f"`{cell.attribute}`{member} of {instance.names[cell.candidate]} is {listing_text(told)}"
