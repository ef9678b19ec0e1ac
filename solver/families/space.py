"""The cases of a question as Z3 terms, and which of them the moves so far cover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import z3

from unco.solver.decide import reason_told, why_unknown
from unco.solver.encode import Variable, truth
from unco.solver.families.attempts import attempt, fresh_solver
from unco.solver.families.compiled import Compiled
from unco.solver.families.flipping import Before, another_answer
from unco.solver.families.moving import as_planned, changes_answer, holds, loses_beside, touched_conditions
from unco.solver.families.question import Case, Question
from unco.solver.families.within import within
from unco.solver.judge import candidate_violations, failed_conditions, result
from unco.solver.terms import Truth, conjunction, disjunction, negation
from unco.specs.errors import InconsistencyError
from unco.specs.family import Slot
from unco.specs.family_proof import Move
from unco.specs.values import Value


@dataclass(frozen=True)
class GaveUp:
    """The solver did not decide; `reason` is its own."""

    reason: str


class FamilySpace:
    """All cases of a question that no move so far covers, in a solver of its own."""

    def __init__(self, question: Question, compiled: Compiled, rlimit: int, seed: int = 0) -> None:
        self.question = question
        self.family = question.family
        self.compiled = compiled
        self.rlimit = rlimit
        self.seed = seed
        self.used = 0
        self.moves: list[Move] = []
        self._covered: dict[Move, Any] = {}
        self.cells = {slot: compiled.variable(slot).term for slot in question.slots}
        self.ends = [each for each in self.family.parameters if each.id not in compiled.parameters]
        self.parameters = {**compiled.parameters, **{each.id: compiled.parameter(each).term for each in self.ends}}
        self.before = Before(compiled.conditions, compiled.result if question.winner else None)
        self.solver = fresh_solver(compiled.context, rlimit, seed)
        self.cases = (compiled.candidates(winner=question.winner), *(self._truth(part) for part in self._further()))
        self.solver.add(*self.cases)

    def _truth(self, part: Truth) -> Any:
        return truth(z3, part, self.compiled.context)

    def _further(self) -> list[Truth]:
        """What holds of the cases that the question is about, beside what holds of every candidate of their kind."""
        question, compiled = self.question, self.compiled
        encoder = compiled.encoder(self.cells, self.parameters)
        parts: list[Truth] = [compiled.parameter(each).constraint for each in self.ends]
        parts += [compiled.variable(slot).constraint for slot in question.slots if slot not in compiled.cells]
        parts += [compiled.assumed(rule, encoder) for rule in question.assumed]
        if question.face is not None:
            parts.append(self._as_planned(question.face))
        return [*parts, *compiled.beside] if question.beside else parts

    def _as_planned(self, face: Move) -> Truth:
        """The face value lies in the domain; a condition that reads it fails, or, where none reads it, it differs."""
        terms = self._terms(face)
        encoder = self.compiled.encoder({**self.cells, **terms}, self.parameters)
        touched = touched_conditions(self.family, face)
        if touched:
            other = [negation(z3, encoder.fold(self.family.conditions[number].expression)) for number in touched]
        else:
            other = [negation(z3, self.compiled.same(self.cells[slot], term)) for slot, term in terms.items()]
        return conjunction(z3, (self._inside(terms), disjunction(z3, other)))

    def _terms(self, move: Move) -> dict[Slot, Any]:
        encoder = self.compiled.encoder(self.cells, self.parameters)
        return {slot: encoder.fold(term) for slot, term in move.changes}

    def _inside(self, terms: dict[Slot, Any]) -> Truth:
        return conjunction(z3, [within(z3, self.family.domains[slot], term) for slot, term in terms.items()])

    def covered(self, move: Move) -> Any:
        """SAT iff the move changes the answer somewhere: it is legal there, agrees with what is known, and flips."""
        if move not in self._covered:
            self._covered[move] = self._covers(move)
        return self._covered[move]

    def _covers(self, move: Move) -> Any:
        terms, encoder = self._terms(move), self.compiled.encoder(self.cells, self.parameters)
        defined = [encoder.fold_defined(term) for _, term in move.changes]
        flipped = another_answer(self.compiled, self.question, self.before, self.cells, self.parameters, terms)
        return truth(z3, conjunction(z3, (*defined, self._inside(terms), flipped)), self.compiled.context)

    def refuse(self, move: Move) -> None:
        """Leave out the cases that the move covers."""
        self.moves.append(move)
        self.solver.add(z3.Not(self.covered(move)))

    # Answers

    def next_case(self) -> Case | GaveUp | None:
        """A case that no move so far covers, replayed by the interpreter; None where there is none."""
        outcome, solver, used = attempt(self.solver, self.compiled.context, self.rlimit, self.seed)
        self.used += used
        if outcome == z3.unsat:
            return None
        if outcome == z3.unknown:
            return GaveUp(reason_told(why_unknown(solver), self.rlimit))
        return self._replayed(self._decoded(solver.model()))

    def _decoded(self, model: Any) -> Case:
        """The values of a model; what no rule reads is at the lowest of its domain."""
        cells = self._cells_in(model, {slot: self.compiled.variable(slot) for slot in self.cells})
        other = self._cells_in(model, self.compiled.loser) if self.question.beside else None
        parameters = {
            each.id: self.compiled.parameter(each).decode(model) if each.value is None else each.value
            for each in self.family.parameters
        }
        return Case(cells, parameters, None, other)

    def _cells_in(self, model: Any, variables: Mapping[Slot, Variable]) -> dict[Slot, Value]:
        return {
            slot: variables[slot].decode(model) if slot in variables else domain.value(0)
            for slot, domain in self.family.domains.items()
        }

    def _replayed(self, case: Case) -> Case:
        """The case with its result; raises where the interpreter does not see what the solver says."""
        question, family = self.question, self.family
        violations = candidate_violations(family, 0, case.cells, case.parameters)
        if violations:
            raise InconsistencyError(f"the solver's case is not legal: {violations[0]}")
        failed = failed_conditions(family, case.cells, case.parameters)
        if bool(failed) == question.winner or not loses_beside(question, case):
            raise InconsistencyError(f"the solver's case is not as eligible as asked: it fails {failed}")
        unmet = next((rule for rule in question.assumed if not holds(rule, case.cells, case.parameters)), None)
        if unmet is not None or not as_planned(question, case):
            raise InconsistencyError(f"the solver's case is not in the space of the question: {unmet}")
        if question.winner:
            case = replace(case, result=result(family, case.cells, case.parameters))
        covering = next((move for move in self.moves if changes_answer(question, case, move)), None)
        if covering is not None:
            raise InconsistencyError(f"the solver's case was covered: {covering}")
        return case

    def logic(self) -> str:
        """The logic of what was asked: whether unknown numbers are multiplied with each other."""
        goal = z3.Goal(ctx=self.compiled.context)
        goal.add(*self.cases, *map(self.covered, self.moves))
        return "QF_LIA" if z3.Probe("is-qflia", ctx=self.compiled.context)(goal) else "QF_NIA"
