"""Openings: whether the answer is open without each of several roles, by one solver that knows the instance once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import z3

from unco.solver.decide import DEFAULT_RLIMIT, Decision, Sat, Undecided, Unsat, reason_told, why_unknown
from unco.solver.families.question import deciding_slots
from unco.solver.judge import judge, violations
from unco.solver.space import Space
from unco.specs.errors import InconsistencyError
from unco.specs.family import Family
from unco.specs.instance import Instance, Outcome, SeveralEligible


class Openings:
    """Asks about instances of one family. It must stay in the thread that made it."""

    def __init__(self, family: Family, rlimit: int = DEFAULT_RLIMIT) -> None:
        self.family = family
        self.rlimit = rlimit
        self.space = Space(family)
        self.solver: Any = z3.Solver(ctx=self.space.context)
        self.solver.set("rlimit", rlimit)
        self.solver.set("random_seed", 0)
        self.solver.add(*self.space.domains(), *self.space.consistent(), *self.space.promise())
        deciding = frozenset(deciding_slots(family))
        self.cells = {
            role.id: [cell for cell in family.cells if cell.slot in deciding and cell in family.cells_of(role.id)]
            for role in family.roles
        }
        """The cells of each role on which the answer or the legality can turn: the others stay as they are."""

    def without(self, instance: Instance, outcome: Outcome, roles: Sequence[str]) -> Iterator[tuple[str, Decision]]:
        """For each role: UNSAT iff the cells of all others determine the outcome, given the promise."""
        known = {role.id: z3.Bool(f"known {role.id}", self.space.context) for role in self.family.roles}
        self.solver.push()
        try:
            self.solver.add(*self.space.fixes(instance.parameters), z3.Not(self.space.has_outcome(outcome)))
            for role, literal in known.items():
                told = [self.space.variable(cell).is_value(instance.cells[cell]) for cell in self.cells[role]]
                self.solver.add(z3.Implies(literal, self.space.conjunction(*told)))
            for role in roles:
                given = [literal for other, literal in known.items() if other != role]
                yield role, self._decision(instance, outcome, role, given)
        finally:
            self.solver.pop()

    def _decision(self, instance: Instance, outcome: Outcome, role: str, given: Sequence[Any]) -> Decision:
        found = self.solver.check(*given)
        if found == z3.unsat:
            return Unsat(0)
        if found == z3.unknown:
            return Undecided(reason_told(why_unknown(self.solver), self.rlimit), 0)
        completion = self._completion(instance, role)
        self._replay(completion, outcome, role)
        return Sat(completion, 0)

    def _completion(self, instance: Instance, role: str) -> Instance:
        """The instance with the cells of the role as the solver has them: all others are given."""
        model = self.solver.model()
        return instance.changed({cell: self.space.variable(cell).decode(model) for cell in self.cells[role]})

    def _replay(self, completion: Instance, outcome: Outcome, role: str) -> None:
        """Raise where the interpreter does not see what the solver says."""
        after = None if violations(self.family, completion) else judge(self.family, completion)
        if after is None or after == outcome or isinstance(after, SeveralEligible):
            raise InconsistencyError(f"without {role}: the solver's completion does not replay: {completion}")
