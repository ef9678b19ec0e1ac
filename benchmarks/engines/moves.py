"""What the project itself does for one instance alone, without a family proof: moves first, then the solver."""

from __future__ import annotations

from benchmarks.engines.answer import Answer, Ask, gold_of
from unco.solver.claims import legality, necessity, uniqueness
from unco.solver.decide import Prover
from unco.solver.judge import judge
from unco.specs.family import Family
from unco.specs.instance import Instance
from unco.specs.verdict import Proved, Unknown, Verdict


def ready(family: Family) -> Ask:
    """Rules are compiled when the solver is first asked."""
    prover = Prover(family)

    def ask(instance: Instance) -> Answer:
        outcome = judge(family, instance)
        verdicts = (legality(family, instance), uniqueness(family, instance, outcome))
        if not all(isinstance(verdict, Proved) for verdict in verdicts):
            raise AssertionError(f"{family.name}: {verdicts}")
        necessary = (necessity(prover, instance, outcome, role.id) for role in family.roles)
        return Answer(gold_of(outcome), tuple(map(_is_open, necessary)))

    return ask


def _is_open(verdict: Verdict) -> bool | None:
    return None if isinstance(verdict, Unknown) else isinstance(verdict, Proved)
