"""Well-posed: for every value of the parameters there is a candidate as planned.

The same search as for moves, one quantifier up: a candidate is written as terms over the parameters, so that one
pattern serves many of their values; ask for values that no pattern so far serves, until there are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3

from unco.solver.decide import ask, reason_told, why_unknown
from unco.solver.encode import truth
from unco.solver.families.attempts import fresh_solver
from unco.solver.families.compiled import Compiled
from unco.solver.families.moving import holds, value_of, values_of
from unco.solver.families.question import Case, Question, deciding_slots
from unco.solver.families.search import MORE_BUDGET, Search
from unco.solver.families.space import GaveUp
from unco.solver.families.terms import constant, terms_of
from unco.solver.families.within import within
from unco.solver.judge import candidate_violations, failed_conditions
from unco.solver.terms import Truth, conjunction, negation
from unco.specs.errors import InconsistencyError
from unco.specs.expression import Expression, parameters, references
from unco.specs.family import Family, Slot
from unco.specs.family_proof import Move
from unco.specs.values import Value


@dataclass(frozen=True)
class Posed:
    """Patterns of which one is a legal candidate, as planned, for each value of the parameters."""

    patterns: tuple[Move, ...]
    rlimit: int


@dataclass(frozen=True)
class Unposed:
    """Values of the parameters for which there is no such candidate."""

    parameters: Mapping[str, Value]
    rlimit: int


@dataclass(frozen=True)
class Open:
    """Not decided."""

    reason: str
    decides: str
    rlimit: int


Posing: TypeAlias = Posed | Unposed | Open


class Poser:
    """Asks for candidates that are eligible and as planned, or for such that are not eligible."""

    def __init__(self, family: Family, winner: bool, compiled: Compiled, search: Search) -> None:
        self.family = family
        self.winner = winner
        self.compiled = compiled
        self.search = search
        self.plan = tuple(rule.expression for rule in family.plan.winner) if winner else ()
        self.used = 0
        self.patterns: list[Move] = []
        self.open = [each for each in family.parameters if each.value is None]

    def posed(self) -> Posing:
        """Posed iff every value of the parameters has such a candidate."""
        solver = fresh_solver(self.compiled.context, self.search.rlimit, self.search.seed)
        solver.add(*(self.compiled.parameter(each).constraint for each in self.open))
        while True:
            values = self._values(solver)
            if values is None:
                return Posed(tuple(self.patterns), self.used)
            if isinstance(values, GaveUp):
                return Open(values.reason, MORE_BUDGET, self.used)
            if len(self.patterns) == self.search.most_moves:
                reason = f"no end after {len(self.patterns)} patterns of a candidate"
                return Open(reason, "narrower ranges of the parameters", self.used)
            cells = self.search_candidate(values)
            if cells is None:
                return Unposed(values, self.used)
            if isinstance(cells, GaveUp):
                return Open(cells.reason, MORE_BUDGET, self.used)
            self.patterns.append(self._pattern(cells, values))
            solver.add(z3.Not(self.serves(self.patterns[-1])))

    def _model(self, solver: Any) -> Any | GaveUp | None:
        """What the solver finds; None where there is nothing."""
        outcome, used = ask(solver)
        self.used += used
        if outcome == z3.unsat:
            return None
        return GaveUp(reason_told(why_unknown(solver), self.search.rlimit)) if outcome == z3.unknown else solver.model()

    def _values(self, solver: Any) -> dict[str, Value] | GaveUp | None:
        """UNSAT iff the patterns so far serve every value of the parameters: None then."""
        model = self._model(solver)
        if model is None or isinstance(model, GaveUp):
            return model
        values = {
            each.id: self.compiled.parameter(each).decode(model) if each.value is None else each.value
            for each in self.family.parameters
        }
        if self.candidate(self.patterns, values) is not None:
            raise InconsistencyError(f"the solver's values of the parameters are served by a pattern: {values!r}")
        return values

    def search_candidate(self, values: Mapping[str, Value]) -> dict[Slot, Value] | GaveUp | None:
        """UNSAT iff there is no such candidate for these values: None then."""
        compiled = self.compiled
        known = {each.id: compiled.known(values[each.id], each.domain.type) for each in self.family.parameters}
        cells = compiled.cells
        solver = fresh_solver(compiled.context, self.search.rlimit, self.search.seed)
        solver.add(*(compiled.variable(slot).constraint for slot in cells))
        solver.add(truth(z3, self._as_terms(cells, known), compiled.context))
        model = self._model(solver)
        if model is None or isinstance(model, GaveUp):
            return model
        found = {
            slot: compiled.variable(slot).decode(model) if slot in cells else domain.value(0)
            for slot, domain in self.family.domains.items()
        }
        if not self._is_as_planned(found, values):
            raise InconsistencyError(f"the solver's candidate does not replay: {found!r}")
        return found

    def _as_terms(self, cells: Mapping[Slot, Any], known: Mapping[str, Any]) -> Truth:
        """The cells are consistent, and as planned."""
        encoder = self.compiled.encoder(cells, known)
        eligible = conjunction(z3, [encoder.fold(rule.expression) for rule in self.family.conditions])
        planned = [encoder.fold(rule) for rule in self.plan]
        as_asked = eligible if self.winner else negation(z3, eligible)
        return conjunction(z3, (*self.compiled.consistency(encoder, cells), as_asked, *planned))

    def _is_as_planned(self, cells: Mapping[Slot, Value], values: Mapping[str, Value]) -> bool:
        if candidate_violations(self.family, 0, cells, values):
            return False
        eligible = not failed_conditions(self.family, cells, values, first_only=True)
        return eligible is self.winner and all(holds(rule, cells, values) for rule in self.plan)

    # Patterns

    def _pattern(self, cells: Mapping[Slot, Value], values: Mapping[str, Value]) -> Move:
        """The cells as terms over the parameters, where these keep the candidate as planned; else as they are."""
        found: dict[Slot, Expression] = {}
        now = dict(cells)
        for slot in deciding_slots(self.family):
            found[slot] = constant(self.family, slot, now[slot])
            for term in self._over_parameters(slot):
                value = value_of(self.family, slot, term, Case(now, values, None))
                if value is not None and self._is_as_planned({**now, slot: value}, values):
                    found[slot], now[slot] = term, value
                    break
        return Move(tuple(found.items()))

    def _over_parameters(self, slot: Slot) -> Iterator[Expression]:
        if self.open:
            for term in terms_of(Question(self.family, self.winner, (slot,)), slot):
                if parameters(term) and not references(term):
                    yield term

    def serves(self, pattern: Move) -> Any:
        """SAT iff the pattern is a candidate as planned for some values of the parameters."""
        compiled = self.compiled
        encoder = compiled.encoder({}, compiled.parameters)
        defined = [encoder.fold_defined(term) for _, term in pattern.changes]
        terms = {slot: encoder.fold(term) for slot, term in pattern.changes}
        inside = [within(z3, self.family.domains[slot], term) for slot, term in terms.items()]
        planned = self._as_terms(terms, compiled.parameters)
        return truth(z3, conjunction(z3, (*defined, *inside, planned)), compiled.context)

    def candidate(self, patterns: Sequence[Move], values: Mapping[str, Value]) -> dict[Slot, Value] | None:
        """The candidate of the first pattern that is as planned for these values of the parameters."""
        lowest = {slot: domain.value(0) for slot, domain in self.family.domains.items()}
        for pattern in patterns:
            found = values_of(self.family, Case(lowest, values, None), pattern)
            if found is not None and self._is_as_planned({**lowest, **found}, values):
                return {**lowest, **found}
        return None
