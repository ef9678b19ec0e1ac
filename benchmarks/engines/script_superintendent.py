"""What a user would write with z3-solver for the underground superintendent: a new solver for each question.

It reads plain facts, and shares nothing with the project's own encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from z3 import And, Bool, If, Int, Not, Or, Solver, is_true, sat

ROLES = {
    "operations": ["hardrock_years"],
    "health": ["clearance"],
    "planning": ["available_from"],
    "licensing": ["certificate"],
    "training": ["rescue_hours"],
    "mobility": ["relocation_grant"],
    "payroll": ["field_allowance"],
}
CERTIFICATES = ["first class", "second class", "deputy", "no certificate"]
RANGES = {
    "hardrock_years": (0, 40, 1),
    "available_from": (date(2026, 5, 1).toordinal(), date(2026, 12, 31).toordinal(), 1),
    "certificate": (0, 3, 1),
    "rescue_hours": (0, 120, 4),
    "relocation_grant": (25_000, 65_000, 500),
    "field_allowance": (5_000, 40_000, 500),
}
Facts = dict[str, Any]


class Candidate:
    """One candidate's facts as unknowns, and what the rules say of them."""

    def __init__(self, number: int) -> None:
        self.facts: dict[str, Any] = {name: Int(f"{name}_{number}") for name in RANGES}
        self.facts["clearance"] = Bool(f"clearance_{number}")
        years, start, paper = (self.facts[name] for name in ("hardrock_years", "available_from", "certificate"))
        hours, grant, allowance = (self.facts[name] for name in ("rescue_hours", "relocation_grant", "field_allowance"))
        self.possible = And(*self._ranges())
        self.eligible = And(
            years >= 12,
            self.facts["clearance"],
            start <= date(2026, 8, 1).toordinal(),
            Or(paper == 0, paper == 1),
            hours >= 40,
        )
        self.package = grant + allowance

    def _ranges(self) -> list[Any]:
        found = []
        for name, (low, high, step) in RANGES.items():
            found += [self.facts[name] >= low, self.facts[name] <= high, (self.facts[name] - low) % step == 0]
        return found


def plain(facts: Facts) -> Facts:
    """Facts as whole numbers: days for dates, places in the list for certificates."""
    changed = {"available_from": facts["available_from"].toordinal()}
    return {**facts, **changed, "certificate": CERTIFICATES.index(facts["certificate"])}


def question(facts: Sequence[Facts], hidden: Sequence[str]) -> tuple[Solver, list[Candidate]]:
    """A solver that knows every fact but the hidden ones, and that at most one candidate is eligible."""
    candidates = [Candidate(number) for number in range(len(facts))]
    solver = Solver()
    for candidate, known in zip(candidates, map(plain, facts), strict=True):
        solver.add(candidate.possible)
        solver.add(*(term == known[name] for name, term in candidate.facts.items() if name not in hidden))
    solver.add(sum(If(each.eligible, 1, 0) for each in candidates) <= 1)
    return solver, candidates


def answer(facts: Sequence[Facts]) -> tuple[int, int] | None:
    """Who is to be appointed and the package; None where nobody is eligible."""
    solver, candidates = question(facts, [])
    assert solver.check() == sat
    model = solver.model()
    found = [number for number, each in enumerate(candidates) if is_true(model.eval(each.eligible))]
    return (found[0], model.eval(candidates[found[0]].package).as_long()) if found else None


def has_another(facts: Sequence[Facts], hidden: Sequence[str], gold: tuple[int, int] | None) -> bool:
    """Whether the hidden facts can be such that the answer is another."""
    solver, candidates = question(facts, hidden)
    if gold is None:
        solver.add(Or(*(each.eligible for each in candidates)))
    else:
        winner = candidates[gold[0]]
        solver.add(Not(And(winner.eligible, winner.package == gold[1])))
    return bool(solver.check() == sat)
