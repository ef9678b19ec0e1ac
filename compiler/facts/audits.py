"""audits: a fact judged again without closures: by the interpreter, and by Z3 from the encoding of the rules."""

from __future__ import annotations

from unco.compiler.facts.decode import Fact
from unco.solver.ground import Ground
from unco.solver.judge import judge, violations
from unco.specs.errors import InconsistencyError
from unco.specs.instance import SeveralEligible


def audit_fact(ground: Ground, fact: Fact) -> None:
    """Raise InconsistencyError where the interpreter or Z3 sees something else than the closures did."""
    family, instance = ground.space.family, fact.instance
    found = violations(family, instance)
    if found:
        raise _disagreement(fact, f"the instance is not legal: {found[0].subject}: {found[0].reason}")
    outcome = judge(family, instance)
    if outcome != fact.outcome:
        raise _disagreement(fact, f"the interpreter gives {outcome}, the closures gave {fact.outcome}")
    known = ground.at(instance)
    if not known.has(outcome):
        raise _disagreement(fact, f"Z3 does not find that it is legal and has the outcome {outcome}")
    for role, changes in fact.necessary.items():
        other = instance.changed(changes)
        after = judge(family, other)
        hidden = all(family.attribute_by_id[cell.attribute].owner == role for cell in changes)
        if not hidden or violations(family, other) or isinstance(after, SeveralEligible) or after == outcome:
            raise _disagreement(fact, f"the witness for {role} does not replay: {dict(changes)}")
        if not known.has_another(changes, outcome):
            raise _disagreement(fact, f"Z3 does not find that the witness for {role} has another answer")


def _disagreement(fact: Fact, found: str) -> InconsistencyError:
    return InconsistencyError(f"audit of instance {fact.index} of {fact.specification}: {found}")
