"""A family's rules as Z3 terms, written down once for all of its claims, in one context."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import z3

from unco.solver.encode import Encoder, Variable, declare, equal, round_term, stored, truth
from unco.solver.families.question import deciding_slots
from unco.solver.number_terms import at_most
from unco.solver.space import in_unit
from unco.solver.terms import Num, Term, Truth, disjunction
from unco.specs.family import Family, Parameter, Slot
from unco.specs.values import Type, Value

Cells = Mapping[Slot, Any]
"""A Term for each cell, in base units; a known Boolean may stand as a bool."""


class Compiled:
    """One candidate, symbolically: cells, parameters and rules. Nothing is asserted here: each claim has a solver of
    its own. It must stay in the thread that made it.
    """

    def __init__(self, family: Family) -> None:
        self.family = family
        self.context = z3.Context()
        self._variables: dict[Slot, Variable] = {}
        self._parameters: dict[str, Variable] = {}

    def variable(self, slot: Slot) -> Variable:
        """The variable of a cell."""
        if slot not in self._variables:
            name = f"{slot.attribute}.{slot.member}.{slot.context}"
            self._variables[slot] = declare(z3, self.family.domains[slot], name, self.context)
        return self._variables[slot]

    def parameter(self, parameter: Parameter) -> Variable:
        """The variable of a parameter, or of an end of a reply."""
        if parameter.id not in self._parameters:
            name = f"parameter.{parameter.id}"
            self._parameters[parameter.id] = declare(z3, parameter.domain, name, self.context)
        return self._parameters[parameter.id]

    def known(self, value: Value, type_: Type) -> Term:
        """A value as stored, as a term."""
        term: Term = stored(z3, value, type_, self.context)
        return term

    def encoder(self, cells: Cells, parameters: Mapping[str, Any]) -> Encoder:
        """Reads these cells and parameters."""
        return Encoder(z3, cells.__getitem__, parameters.__getitem__, self.context)

    def same(self, left: Any, right: Any) -> Truth:
        """Whether two terms of one type are equal."""
        found: Truth = equal(z3, truth(z3, left, self.context), truth(z3, right, self.context), self.context)
        return found

    # The rules about open cells, written down once

    @cached_property
    def cells(self) -> dict[Slot, Any]:
        """The cells that matter, open."""
        return {slot: self.variable(slot).term for slot in deciding_slots(self.family)}

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The parameters: open, or at the value that the specification gives them."""
        return {
            each.id: self.parameter(each).term if each.value is None else self.known(each.value, each.domain.type)
            for each in self.family.parameters
        }

    @cached_property
    def conditions(self) -> tuple[Truth, ...]:
        """Each condition about the open cells."""
        encoder = self.encoder(self.cells, self.parameters)
        return tuple(encoder.fold(rule.expression) for rule in self.family.conditions)

    @cached_property
    def consistent(self) -> tuple[Truth, ...]:
        """The consistency rules about the open cells."""
        return tuple(self.consistency(self.encoder(self.cells, self.parameters), self.cells))

    @cached_property
    def result(self) -> Num:
        """The rounded result of the open cells."""
        return self.rounded(self.encoder(self.cells, self.parameters))

    # The rules about any cells

    def consistency(self, encoder: Encoder, cells: Cells) -> list[Truth]:
        """The consistency rules hold, and members who do not exist hold the lowest value."""
        rules: list[Truth] = [encoder.fold(rule.expression) for rule in self.family.consistency]
        return rules + [self._idle(slot, cells) for _, slot in self.family.member_slots if slot in cells]

    def rounded(self, encoder: Encoder) -> Num:
        """The result in the unit of the answer, rounded once."""
        calculation = self.family.calculation
        shown = in_unit(encoder.encode(calculation.expression), calculation.unit)
        return round_term(z3, shown, calculation.places, calculation.mode)

    def _idle(self, slot: Slot, cells: Cells) -> Truth:
        family, domain = self.family, self.family.domains[slot]
        group = family.group_by_id[family.attribute_by_id[slot.attribute].group or ""]
        if group.size_attribute is None:
            return True
        size = cells[Slot(group.size_attribute, 0, family.attribute_by_id[group.size_attribute].required)]
        lowest = self.known(domain.value(0), domain.type)
        return disjunction(z3, (at_most(Num(slot.member), size), self.same(cells[slot], lowest)))
