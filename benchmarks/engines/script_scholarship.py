"""What a user would write with z3-solver for the graduate scholarship: a new solver for each question.

It reads plain facts, and shares nothing with the project's own encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from z3 import And, Bool, If, Int, Not, Or, Solver, is_true, sat

MARCH = "clinical_hours_to_do, record of March 2026"
ROLES = {
    "residency": ["resident"],
    "income": ["household_income", "household_size"],
    "hardship": ["student_debt", "income_program_used", "significant_hardship"],
    "registrar": [
        *("degree", "specialty", "program_listed", "study_load", "good_standing"),
        *("semesters_done", "quarters_done"),
    ],
    "clinical": ["clinical_hours_required", "clinical_hours_to_do", MARCH],
    "workforce": ["intended_practice", "remote_terms"],
    "planning": ["remaining_terms"],
}
NAMES = {
    "degree": ["DNP", "MSN", "PhD"],
    "specialty": ["AGNP", "FNP", "PMHNP", "PNP", "CNM", "CRNA", "nursing education"],
    "study_load": ["full time", "part time", "on leave"],
}
YES_OR_NO = ("resident", "income_program_used", "significant_hardship", "program_listed", "good_standing")
RANGES = {
    "household_income": (0, 320_000, 1),
    "household_size": (1, 6, 1),
    "student_debt": (0, 120_000, 1),
    "semesters_done": (0, 4, 1),
    "quarters_done": (0, 6, 1),
    "clinical_hours_required": (500, 1200, 20),
    "clinical_hours_to_do": (0, 1200, 5),
    MARCH: (0, 1200, 5),
    "intended_practice": (0, 120, 1),
    "remote_terms": (0, 4, 1),
    "remaining_terms": (1, 8, 1),
    **{name: (0, len(names) - 1, 1) for name, names in NAMES.items()},
}
LIMITS = [90_500, 118_000, 146_500, 174_500, 202_000, 230_000]
HARDSHIP_LIMITS = [112_500, 146_500, 181_500, 216_000, 250_500, 285_000]
Facts = dict[str, Any]


class Applicant:
    """One applicant's facts as unknowns, and what the rules say of them."""

    def __init__(self, number: int) -> None:
        self.facts: dict[str, Any] = {name: Int(f"{name}_{number}") for name in RANGES}
        self.facts |= {name: Bool(f"{name}_{number}") for name in YES_OR_NO}
        self.possible = And(*self._ranges(), *self._consistent())
        self.eligible = And(*self._conditions())
        self.amount = self._amount()

    def _ranges(self) -> list[Any]:
        found = []
        for name, (low, high, step) in RANGES.items():
            found += [self.facts[name] >= low, self.facts[name] <= high, (self.facts[name] - low) % step == 0]
        return found

    def _consistent(self) -> list[Any]:
        march, now = self.facts[MARCH], self.facts["clinical_hours_to_do"]
        required = self.facts["clinical_hours_required"]
        return [now <= march, march <= required, self.facts["remote_terms"] <= self.facts["remaining_terms"]]

    def _conditions(self) -> list[Any]:
        fact = self.facts
        income, size = fact["household_income"], fact["household_size"]
        hardship = Or(fact["student_debt"] > 30_000, fact["income_program_used"], fact["significant_hardship"])
        full, part = _is(fact, "study_load", "full time"), _is(fact, "study_load", "part time")
        return [
            fact["resident"],
            Or(income <= _limit(LIMITS, size), And(income <= _limit(HARDSHIP_LIMITS, size), hardship)),
            Or(*(_is(fact, "specialty", name) for name in ("AGNP", "FNP", "PMHNP", "PNP"))),
            fact["program_listed"],
            Or(fact["semesters_done"] >= 1, fact["quarters_done"] >= 2),
            4 * fact["clinical_hours_to_do"] >= 3 * fact["clinical_hours_required"],
            Or(And(_is(fact, "degree", "DNP"), full), And(_is(fact, "degree", "MSN"), part)),
            fact["good_standing"],
            fact["intended_practice"] >= 24,
        ]

    def _amount(self) -> Any:
        terms = self.facts["remaining_terms"]
        return If(6250 * terms <= 25_000, 6250 * terms, 25_000) + 500 * self.facts["remote_terms"]


def _is(fact: Facts, name: str, value: str) -> Any:
    return fact[name] == NAMES[name].index(value)


def _limit(limits: Sequence[int], size: Any) -> Any:
    found: Any = limits[-1]
    for number, limit in enumerate(limits[:-1], 1):
        found = If(size == number, limit, found)
    return found


def plain(facts: Facts) -> Facts:
    """Facts as whole numbers: places in the list for names."""
    return {**facts, **{name: names.index(facts[name]) for name, names in NAMES.items()}}


def question(facts: Sequence[Facts], hidden: Sequence[str]) -> tuple[Solver, list[Applicant]]:
    """A solver that knows every fact but the hidden ones, and that at most one applicant is eligible."""
    applicants = [Applicant(number) for number in range(len(facts))]
    solver = Solver()
    for applicant, known in zip(applicants, map(plain, facts), strict=True):
        solver.add(applicant.possible)
        solver.add(*(term == known[name] for name, term in applicant.facts.items() if name not in hidden))
    solver.add(sum(If(each.eligible, 1, 0) for each in applicants) <= 1)
    return solver, applicants


def answer(facts: Sequence[Facts]) -> tuple[int, int] | None:
    """Who is to get the award and its amount; None where nobody is eligible."""
    solver, applicants = question(facts, [])
    assert solver.check() == sat
    model = solver.model()
    found = [number for number, each in enumerate(applicants) if is_true(model.eval(each.eligible))]
    return (found[0], model.eval(applicants[found[0]].amount).as_long()) if found else None


def has_another(facts: Sequence[Facts], hidden: Sequence[str], gold: tuple[int, int] | None) -> bool:
    """Whether the hidden facts can be such that the answer is another."""
    solver, applicants = question(facts, hidden)
    if gold is None:
        solver.add(Or(*(each.eligible for each in applicants)))
    else:
        winner = applicants[gold[0]]
        solver.add(Not(And(winner.eligible, winner.amount == gold[1])))
    return bool(solver.check() == sat)
