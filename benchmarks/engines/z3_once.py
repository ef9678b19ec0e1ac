"""Z3 with the rules of the family compiled once and one solver for all its instances; no moves."""

from __future__ import annotations

from benchmarks.engines.answer import Answer, Ask, gold_of, hidden_cells
from unco.solver.decide import Prover, Sat, Undecided, Unsat
from unco.solver.judge import judge
from unco.solver.queries import another_answer
from unco.specs.evidence import Evidence, full
from unco.specs.family import Family
from unco.specs.instance import Instance, Outcome


def ready(family: Family) -> Ask:
    """Its rules are compiled when it is first asked."""
    prover = Prover(family)
    roles = tuple(hidden_cells(family))

    def is_open(instance: Instance, evidence: Evidence, outcome: Outcome) -> bool | None:
        query = another_answer(family, evidence, outcome, promise=True)
        match prover.decide_warm(query, instance.names):
            case Sat():
                return True
            case Unsat():
                return False
            case Undecided():
                return None

    def ask(instance: Instance) -> Answer:
        outcome, everything = judge(family, instance), full(instance)
        if is_open(instance, everything, outcome) is not False:
            raise AssertionError(f"{family.name}: the solver sees another answer than {outcome}")
        return Answer(gold_of(outcome), tuple(is_open(instance, everything.hiding(cells), outcome) for cells in roles))

    return ask
