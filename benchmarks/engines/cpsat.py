"""CP-SAT, on one thread: a model for each instance, in which the facts of one role after the other are set free."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from benchmarks.engines import cpsat_scholarship
from benchmarks.engines.answer import Answer, Ask, Gold, Unfit
from benchmarks.engines.cpsat_model import Candidate, Modelling, all_of, holds
from benchmarks.engines.sums import Sums, sums
from unco.specs.family import Family
from unco.specs.instance import Instance


def ready(family: Family) -> Ask | Unfit:
    """The model of a family: written by hand, or that of a family of sums."""
    if family.name == cpsat_scholarship.NAME:
        return _asking(family, cpsat_scholarship.modelling(family))
    found = sums(family)
    return found if isinstance(found, Unfit) else _asking(family, _of_sums(found))


def _asking(family: Family, modelling: Modelling) -> Ask:
    def ask(instance: Instance) -> Answer:
        asked = _Asked(modelling, instance)
        gold = asked.gold()
        asked.refuse(gold)
        if asked.is_possible(()):
            raise AssertionError(f"{family.name}: CP-SAT sees another answer than {gold}")
        return Answer(gold, tuple(asked.is_possible(role) for role in modelling.hidden))

    return ask


class _Asked:
    """One instance as a model that keeps the promise."""

    def __init__(self, modelling: Modelling, instance: Instance) -> None:
        from ortools.sat.python import cp_model

        self.cp, self.model = cp_model, cp_model.CpModel()
        self.numbers = modelling.numbers(instance)
        self.candidates = [modelling.candidate(self.model) for _ in self.numbers]
        self.model.add_at_most_one(each.eligible for each in self.candidates)
        self.solver = cp_model.CpSolver()
        self.solver.parameters.num_workers = 1
        self.bounds = [{name: self._bounds(term) for name, term in each.facts.items()} for each in self.candidates]

    def _bounds(self, variable: Any) -> tuple[int, int]:
        low, high = self.model.proto.variables[variable.index].domain
        return low, high

    def is_possible(self, free: Collection[Any]) -> bool:
        """Whether the model has a solution where all facts but these are as they are."""
        for candidate, numbers, bounds in zip(self.candidates, self.numbers, self.bounds, strict=True):
            for name, variable in candidate.facts.items():
                domain = self.model.proto.variables[variable.index].domain
                domain[0], domain[1] = bounds[name] if name in free else (numbers[name], numbers[name])
        status = self.solver.solve(self.model)
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE, self.cp.INFEASIBLE):
            raise AssertionError(f"CP-SAT: {self.solver.status_name(status)}")
        return bool(status != self.cp.INFEASIBLE)

    def gold(self) -> Gold:
        """The answer of the instance."""
        if not self.is_possible(()):
            raise AssertionError("CP-SAT says that the instance is not legal")
        found = [number for number, each in enumerate(self.candidates) if self.solver.value(each.eligible)]
        return (found[0], int(self.solver.value(self.candidates[found[0]].result))) if found else None

    def refuse(self, gold: Gold) -> None:
        """From now on, the answer is another."""
        if gold is None:
            self.model.add_bool_or(each.eligible for each in self.candidates)
            return
        winner, differs = self.candidates[gold[0]], self.model.new_bool_var("")
        self.model.add(winner.result != int(gold[1])).only_enforce_if(differs)
        self.model.add_bool_or(~winner.eligible, differs)


def _of_sums(family: Sums) -> Modelling:
    def candidate(model: Any) -> Candidate:
        from ortools.sat.python.cp_model import Domain

        facts = {slot: model.new_int_var(0, domain.size - 1, "") for slot, domain in family.domains.items()}
        conditions = [holds(model, facts[slot], Domain.from_values(sorted(places))) for slot, places in family.passing]
        amounts = {slot: family.amounts(slot) for slot in family.operands}
        result = sum(low + (second - low) * facts[slot] for slot, (low, second, *_) in amounts.items())
        return Candidate(facts, all_of(model, conditions), result)

    return Modelling(candidate, family.places, family.hidden)
