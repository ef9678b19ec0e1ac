"""A family's rules as Z3 terms, written down once for all of its claims, in one context."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cached_property
from typing import Any

import z3

from unco.solver.encode import Encoder, Variable, declare, equal, round_term, stored, truth
from unco.solver.families.question import deciding_slots
from unco.solver.number_terms import at_most
from unco.solver.space import in_unit
from unco.solver.terms import Num, Term, Truth, conjunction, disjunction, negation
from unco.specs.expression import Expression, references
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
        self._candidates: dict[bool, Any] = {}
        self._assumed: dict[Expression, Truth] = {}

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

    @cached_property
    def loser(self) -> dict[Slot, Variable]:
        """The cells that matter of another candidate."""
        return {
            slot: declare(
                z3, self.family.domains[slot], f"beside.{slot.attribute}.{slot.member}.{slot.context}", self.context
            )
            for slot in self.cells
        }

    @cached_property
    def beside(self) -> tuple[Truth, ...]:
        """SAT iff some other candidate is legal and not eligible, for these parameters."""
        cells = {slot: variable.term for slot, variable in self.loser.items()}
        encoder = self.encoder(cells, self.parameters)
        eligible = conjunction(z3, [encoder.fold(rule.expression) for rule in self.family.conditions])
        domains = (variable.constraint for variable in self.loser.values())
        return (*domains, *self.consistency(encoder, cells), negation(z3, eligible))

    def candidates(self, *, winner: bool) -> Any:
        """SAT iff a candidate is legal and eligible, or not eligible."""
        if winner not in self._candidates:
            free = (self.parameter(each).constraint for each in self.family.parameters if each.value is None)
            cells = (self.variable(slot).constraint for slot in self.cells)
            eligible = conjunction(z3, self.conditions)
            rules = (*self.consistent, eligible if winner else negation(z3, eligible))
            parts = (*free, *cells, *(truth(z3, rule, self.context) for rule in rules))
            self._candidates[winner] = z3.And(*parts)
        return self._candidates[winner]

    def assumed(self, rule: Expression, encoder: Encoder) -> Truth:
        """The rule has a value, and holds, of the open cells and parameters, which the encoder reads."""
        if rule not in self._assumed:
            self._assumed[rule] = conjunction(z3, (encoder.fold_defined(rule), encoder.fold(rule)))
        return self._assumed[rule]

    # The rules about any cells

    def consistency(self, encoder: Encoder, cells: Cells, changed: Set[str] | None = None) -> list[Truth]:
        """The consistency rules hold, and members who do not exist hold the lowest value; where only some attributes of
        a legal candidate have changed, the rules that read one of them.
        """
        rules = zip(self.family.consistency, self._consistency_reads, strict=True)
        again = [rule for rule, read in rules if changed is None or not changed.isdisjoint(read)]
        told: list[Truth] = [encoder.fold(rule.expression) for rule in again]
        return told + [self._idle(slot, cells) for _, slot in self.family.member_slots if slot in cells]

    @cached_property
    def _consistency_reads(self) -> tuple[frozenset[str], ...]:
        rules = self.family.consistency
        return tuple(frozenset(each.attribute for each in references(rule.expression)) for rule in rules)

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
