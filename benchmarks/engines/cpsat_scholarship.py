"""The graduate scholarship as a model of CP-SAT, written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.engines.cpsat_model import Candidate, Modelling, all_of, any_of, holds
from benchmarks.engines.script import plain_facts
from benchmarks.engines.script_scholarship import (
    HARDSHIP_LIMITS,
    LIMITS,
    MARCH,
    NAMES,
    RANGES,
    ROLES,
    YES_OR_NO,
    plain,
)
from unco.specs.family import Family
from unco.specs.instance import Instance

NAME = "graduate-scholarship"


def modelling(family: Family) -> Modelling:
    """Facts are numbered from the lowest value on, in steps."""
    hidden = [ROLES[role.id] for role in family.roles]
    return Modelling(_candidate, lambda instance: _numbers(family, instance), hidden)


def _numbers(family: Family, instance: Instance) -> Sequence[Mapping[str, int]]:
    found = []
    for facts in map(plain, plain_facts(family, instance)):
        numbered = {name: (facts[name] - low) // step for name, (low, _, step) in RANGES.items()}
        found.append(numbered | {name: int(facts[name]) for name in YES_OR_NO})
    return found


def _candidate(model: Any) -> Candidate:
    facts = {name: model.new_int_var(0, (high - low) // step, name) for name, (low, high, step) in RANGES.items()}
    facts |= {name: model.new_bool_var(name) for name in YES_OR_NO}
    value = {name: low + step * facts[name] for name, (low, _, step) in RANGES.items()}
    required, now, march = (value[name] for name in ("clinical_hours_required", "clinical_hours_to_do", MARCH))
    for smaller, larger in ((now, march), (march, required), (value["remote_terms"], value["remaining_terms"])):
        model.add(smaller <= larger)
    capped = model.new_int_var(0, 25_000, "capped")
    model.add_min_equality(capped, [25_000, 6_250 * value["remaining_terms"]])
    return Candidate(facts, all_of(model, _conditions(model, facts, value)), capped + 500 * value["remote_terms"])


def _conditions(model: Any, facts: Mapping[str, Any], value: Mapping[str, Any]) -> list[Any]:
    def at_least(term: Any, least: int) -> Any:
        return _at_least(model, term, least)

    def among(name: str, *names: str) -> Any:
        return _among(model, facts[name], [NAMES[name].index(each) for each in names])

    hardship = any_of(
        model,
        [at_least(value["student_debt"], 30_001), facts["income_program_used"], facts["significant_hardship"]],
    )
    within, nearly = (_within_limit(model, value, limits) for limits in (LIMITS, HARDSHIP_LIMITS))
    practical = 4 * value["clinical_hours_to_do"] - 3 * value["clinical_hours_required"]
    doctor = all_of(model, [among("degree", "DNP"), among("study_load", "full time")])
    master = all_of(model, [among("degree", "MSN"), among("study_load", "part time")])
    return [
        *(facts[name] for name in ("resident", "program_listed", "good_standing")),
        any_of(model, [within, all_of(model, [nearly, hardship])]),
        among("specialty", "AGNP", "FNP", "PMHNP", "PNP"),
        any_of(model, [at_least(value["semesters_done"], 1), at_least(value["quarters_done"], 2)]),
        at_least(practical, 0),
        any_of(model, [doctor, master]),
        at_least(value["intended_practice"], 24),
    ]


def _at_least(model: Any, term: Any, least: int) -> Any:
    literal = model.new_bool_var("")
    model.add(term >= least).only_enforce_if(literal)
    model.add(term < least).only_enforce_if(~literal)
    return literal


def _among(model: Any, variable: Any, places: Sequence[int]) -> Any:
    from ortools.sat.python.cp_model import Domain

    return holds(model, variable, Domain.from_values(places))


def _within_limit(model: Any, value: Mapping[str, Any], limits: Sequence[int]) -> Any:
    limit = model.new_int_var(0, max(limits), "")
    model.add_element(value["household_size"] - 1, limits, limit)
    return _at_least(model, limit - value["household_income"], 0)
