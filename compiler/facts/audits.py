"""audits: a fact judged again without closures: by the interpreter, and its claims by the solver."""

from __future__ import annotations

from unco.compiler.facts.decode import Fact
from unco.solver.decide import Undecided, Unsat
from unco.solver.judge import judge, violations
from unco.solver.openings import Openings
from unco.specs.errors import InconsistencyError
from unco.specs.instance import SeveralEligible


def audited(openings: Openings, fact: Fact) -> int:
    """How many claims of the fact the solver came to no end of.

    Raises InconsistencyError where the interpreter or the solver sees something else than the closures did.
    """
    family, instance = openings.family, fact.instance
    found = violations(family, instance)
    if found:
        raise _disagreement(fact, f"the instance is not legal: {found[0].subject}: {found[0].reason}")
    outcome = judge(family, instance)
    if outcome != fact.outcome:
        raise _disagreement(fact, f"the interpreter gives {outcome}, the closures gave {fact.outcome}")
    for role, changes in fact.necessary.items():
        other = instance.changed(changes)
        after = judge(family, other)
        hidden = all(family.attribute_by_id[cell.attribute].owner == role for cell in changes)
        if not hidden or violations(family, other) or isinstance(after, SeveralEligible) or after == outcome:
            raise _disagreement(fact, f"the witness for {role} does not replay: {dict(changes)}")
    undecided = 0
    for role, decision in openings.without(instance, outcome, list(fact.necessary)):
        if isinstance(decision, Unsat):
            raise _disagreement(fact, f"the solver finds that {role} is not necessary")
        undecided += isinstance(decision, Undecided)
    return undecided


def _disagreement(fact: Fact, found: str) -> InconsistencyError:
    return InconsistencyError(f"audit of instance {fact.index} of {fact.specification}: {found}")
