"""Answer uniqueness: every rule has a value on every legal candidate, so that full evidence has one outcome.

Neither the promise nor the plan is assumed. That at most one candidate is eligible is another claim: it does not follow
from rules about one candidate at a time, and is looked at in each instance.
"""

from __future__ import annotations

import z3

from unco.solver.decide import ask, reason_told, why_unknown
from unco.solver.encode import truth
from unco.solver.families.asked import Asked
from unco.solver.families.attempts import fresh_solver
from unco.solver.families.question import Case
from unco.solver.families.search import MORE_BUDGET
from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import candidate_violations, failed_conditions, result
from unco.solver.terms import Truth, conjunction, disjunction, negation
from unco.specs.errors import InconsistencyError
from unco.specs.family_proof import Counterexample, FamilyProved, FamilyRefuted, FamilyUnknown, FamilyVerdict, Method


def one_outcome(asked: Asked) -> FamilyVerdict:
    """UNSAT iff no legal candidate leaves a condition, or an eligible one the calculation, without a value."""
    family, compiled = asked.family, asked.compiled
    undefined = undefined_somewhere(asked)
    if undefined is False:
        return FamilyProved(Method.QUERY, because="every operator in the rules has a value everywhere")
    solver = fresh_solver(compiled.context, asked.search.rlimit, asked.search.seed)
    solver.add(*(compiled.parameter(each).constraint for each in family.parameters if each.value is None))
    solver.add(*(compiled.variable(slot).constraint for slot in compiled.cells))
    solver.add(*(truth(z3, part, compiled.context) for part in (*compiled.consistent, undefined)))
    outcome, used = ask(solver)
    if outcome == z3.unsat:
        return FamilyProved(Method.QUERY, rlimit=used, because="every rule has a value wherever it is looked at")
    if outcome == z3.unknown:
        return FamilyUnknown(reason_told(why_unknown(solver), asked.search.rlimit), MORE_BUDGET, used)
    case = asked.case_in(solver.model())
    reason = _fault(asked, case)
    if reason is None:
        raise InconsistencyError(f"the solver's case has a value everywhere: {dict(case.cells)!r}")
    shown = tuple(compiled.cells)
    return FamilyRefuted(Method.QUERY, Counterexample(asked.instance(case, winner=False), shown), used, reason)


def undefined_somewhere(asked: Asked) -> Truth:
    """SAT iff a condition, or the calculation of a candidate who meets all, can be without a value."""
    family, compiled = asked.family, asked.compiled
    encoder = compiled.encoder(compiled.cells, compiled.parameters)
    missing = [negation(z3, encoder.fold_defined(rule.expression)) for rule in family.conditions]
    no_result = negation(z3, encoder.fold_defined(family.calculation.expression))
    return disjunction(z3, (*missing, conjunction(z3, (*compiled.conditions, no_result))))


def _fault(asked: Asked, case: Case) -> str | None:
    """Why some rule has no value in the case, by the interpreter."""
    family = asked.family
    if candidate_violations(family, 0, case.cells, case.parameters):
        raise InconsistencyError(f"the solver's case is not legal: {dict(case.cells)!r}")
    for rule in family.conditions:
        try:
            interpret(rule.expression, case.cells, case.parameters)
        except Undefined as undefined:
            return f"{rule.id}: {undefined.reason}"
    if failed_conditions(family, case.cells, case.parameters, first_only=True):
        return None
    try:
        result(family, case.cells, case.parameters)
    except Undefined as undefined:
        return f"{family.calculation.label}: {undefined.reason}"
    return None
