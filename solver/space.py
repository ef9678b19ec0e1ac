"""The space of completions as Z3 terms: one variable a cell, the rules of legality, eligibility and results.

Compiled once for a family and a number of candidates; what is known comes in as assertions of each query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import z3

from unco.solver.encode import Encoder, Variable, declare, equal, round_term, stored
from unco.solver.terms import Num
from unco.specs.evidence import Between, Evidence, Exact, Knowledge, Nothing, OneOf
from unco.specs.expression import Expression
from unco.specs.family import Cell, Family, Slot
from unco.specs.instance import NoWinner, Outcome, SeveralEligible, Winner
from unco.specs.values import NUMBER, Unit, Value

Bool = Any
"""A Z3 Boolean term; z3 carries no types."""


@dataclass(frozen=True)
class CandidateTerms:
    """One candidate, symbolically."""

    variables: Mapping[Slot, Variable]
    encoder: Encoder
    domains: tuple[Bool, ...]
    consistency: tuple[Bool, ...]
    conditions: tuple[Bool, ...]
    eligible: Bool
    result: Num


class Space:
    """All completions of a family's instances, over its own Z3 context; it must stay in the thread that made it."""

    def __init__(self, family: Family, candidates: int | None = None) -> None:
        self.family = family
        self.context = z3.Context()
        self.parameters = {
            parameter.id: declare(z3, parameter.domain, f"parameter.{parameter.id}", self.context)
            for parameter in family.parameters
        }
        count = family.candidates if candidates is None else candidates
        self.candidates = tuple(self._candidate(number) for number in range(count))

    def _candidate(self, number: int) -> CandidateTerms:
        family = self.family
        variables = {
            slot: declare(z3, domain, f"c{number}.{slot.attribute}.{slot.member}.{slot.context}", self.context)
            for slot, domain in family.domains.items()
        }
        encoder = Encoder(z3, lambda slot: variables[slot].term, lambda name: self.parameters[name].term, self.context)
        conditions = tuple(encoder.encode(condition.expression) for condition in family.conditions)
        return CandidateTerms(
            variables,
            encoder,
            tuple(variable.constraint for variable in variables.values()),
            tuple(encoder.encode(rule.expression) for rule in family.consistency) + self._idle(encoder, variables),
            conditions,
            self.conjunction(*conditions),
            self._result(encoder),
        )

    def _result(self, encoder: Encoder) -> Num:
        calculation = self.family.calculation
        return round_term(
            z3, in_unit(encoder.encode(calculation.expression), calculation.unit), calculation.places, calculation.mode
        )

    def _idle(self, encoder: Encoder, variables: Mapping[Slot, Variable]) -> tuple[Bool, ...]:
        """Members beyond the size of their group hold the lowest value of their domain."""
        rules = []
        for slot, domain in self.family.domains.items():
            group = self.family.attribute_by_id[slot.attribute].group
            size = None if group is None else self.family.group_by_id[group].size_attribute
            if size is None:
                continue
            size_term = variables[Slot(size, 0, self.family.attribute_by_id[size].required)].term
            exists = size_term.numerator >= slot.member * size_term.denominator
            rules.append(z3.Or(exists, variables[slot].is_value(domain.value(0))))
        return tuple(rules)

    def conjunction(self, *parts: Bool) -> Bool:
        """All parts hold; true where there are none."""
        return z3.And(*parts) if parts else z3.BoolVal(True, self.context)

    def domains(self) -> tuple[Bool, ...]:
        """Every cell and every parameter lies in its domain; asserted in every query."""
        return tuple(variable.constraint for variable in self.parameters.values()) + tuple(
            part for candidate in self.candidates for part in candidate.domains
        )

    def legal(self) -> tuple[Bool, ...]:
        """Every candidate's cells lie in their domains and obey the consistency rules; so do the parameters."""
        return self.domains() + self.consistent()

    def promise(self) -> tuple[Bool, ...]:
        """At most one candidate is eligible, pair by pair."""
        terms = [candidate.eligible for candidate in self.candidates]
        return tuple(
            z3.Or(z3.Not(first), z3.Not(second))
            for position, first in enumerate(terms)
            for second in terms[position + 1 :]
        )

    def variable(self, cell: Cell) -> Variable:
        """The variable of a cell."""
        return self.candidates[cell.candidate].variables[cell.slot]

    def substitution(self, cell: Cell, value: Value) -> list[tuple[Any, Any]]:
        """What to put in place of a cell's symbols so that it has this value of its domain."""
        return self.variable(cell).substitution(value)

    def at(self, cells: Mapping[Cell, Value], term: Bool) -> Bool:
        """A Boolean term with these cells at these values; parameters stay open."""
        pairs = [pair for cell, value in cells.items() for pair in self.substitution(cell, value)]
        return z3.substitute(term, *pairs)

    def consistent(self) -> tuple[Bool, ...]:
        """Every candidate's cells obey the consistency rules."""
        return tuple(part for candidate in self.candidates for part in candidate.consistency)

    def agrees(self, evidence: Evidence) -> tuple[Bool, ...]:
        """The completion agrees with the evidence, parameters included."""
        known = [
            self.knows(self.variable(cell), evidence.of(cell))
            for cell in self.family.cells
            if not isinstance(evidence.of(cell), Nothing)
        ]
        return self.fixes(evidence.parameters) + tuple(known)

    def fixes(self, parameters: Mapping[str, Value]) -> tuple[Bool, ...]:
        """The parameters have these values."""
        return tuple(self.parameters[name].is_value(value) for name, value in sorted(parameters.items()))

    def knows(self, variable: Variable, knowledge: Knowledge) -> Bool:
        """The variable is compatible with what is known."""
        match knowledge:
            case Exact(value):
                return variable.is_value(value)
            case OneOf(values):
                return z3.Or(*(variable.is_value(value) for value in values))
            case Between(low, high):
                return variable.between(low, high)
            case Nothing():
                return z3.BoolVal(True, self.context)

    def has_outcome(self, outcome: Outcome) -> Bool:
        """The rules give exactly this outcome."""
        eligible = [candidate.eligible for candidate in self.candidates]
        match outcome:
            case NoWinner():
                return self.conjunction(*(z3.Not(term) for term in eligible))
            case SeveralEligible(candidates):
                return self.conjunction(
                    *(term if number in candidates else z3.Not(term) for number, term in enumerate(eligible))
                )
            case Winner(candidate, result):
                value = stored(z3, result, NUMBER, self.context)
                return self.conjunction(
                    *(term if number == candidate else z3.Not(term) for number, term in enumerate(eligible)),
                    equal(z3, self.candidates[candidate].result, value, self.context),
                )

    def holds(self, candidate: int, expression: Expression) -> Bool:
        """A Boolean expression holds for a candidate."""
        return self.candidates[candidate].encoder.encode(expression)

    def decode(self, model: Any) -> dict[Cell, Value]:
        """The values of all cells in a model."""
        return {
            Cell(number, *slot): variable.decode(model)
            for number, candidate in enumerate(self.candidates)
            for slot, variable in candidate.variables.items()
        }

    def decode_parameters(self, model: Any) -> dict[str, Value]:
        """The values of the parameters in a model."""
        return {name: variable.decode(model) for name, variable in self.parameters.items()}


def in_unit(term: Num, unit: Unit) -> Num:
    """A number in base units as a number in the unit."""
    scale = unit.scale
    return Num(term.numerator * scale.denominator, term.denominator * scale.numerator)


def moved(term: Num, after: Callable[[Any], Any]) -> Num:
    """A number with a substitution done; what is a known integer stays."""
    numerator, denominator = (
        part if isinstance(part, int) else after(part) for part in (term.numerator, term.denominator)
    )
    return Num(numerator, denominator)
