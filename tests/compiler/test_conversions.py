"""The conversions that rules need are stated, those that they do not need are not, and the gate asks for each."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from small_families import family, specification
from text_mutations import with_instructions

from unco.compiler.fidelity import fidelity
from unco.compiler.perturb import perturb
from unco.compiler.render import render
from unco.compiler.rendering.conversions import conversions
from unco.specs.family import Family
from unco.specs.group import CandidateGroup, Missed
from unco.specs.instance import Instance, NoWinner

YEAR, MWH, DAY, KG = "1 year is 12 months.", "1 MWh is 1,000 kWh.", "1 day is 86,400 seconds.", "1 kg is 1,000 g."
CASES: list[tuple[tuple[str, str], str, list[str]]] = [
    (("days", "hours"), "a >= 2 days and b >= 3 hours", []),
    (("months", "years"), "a >= b", [YEAR]),
    (("months", "months"), "a >= 2 years and b >= 1 month", [YEAR]),
    (("kWh", "EUR per MWh"), "a * b >= 2 EUR", [MWH]),
    (("kWh", "EUR per kWh"), "a * b >= 2 EUR", []),
    (("mg per kg", "kg"), "a * b >= 2 mg", []),
    (("mg per kg", "g"), "a * b >= 2 mg", [KG]),
    (("m3 per day", "m3 per second"), "a / b <= 5%", [DAY]),
    (("litres", "litres per hour"), "a / b >= 8 hours", []),
    (("g per part", "parts"), "a * b <= 3 kg", [KG]),
    (("USD per month", "months"), "a * b <= 30 USD", []),
    (("USD per month", "years"), "a * b <= 30 USD", [YEAR]),
    (("kg", "g"), "(if licence then a else b) <= 3 kg", [KG]),
    (("kg", "g"), "max(a, 2 kg) >= 1 kg and b >= 2 g", []),
    (("feet", "metres"), "a >= b", ["1 metre is 1,250/381 feet."]),
]


def mixing(units: tuple[str, str], rule: str) -> Family:
    kinds: dict[str, Any] = {"type": "quantity", "range": [1, 3], "places": 0}
    attributes = {
        name: {**kinds, "label": name, "owner": "marks", "unit": unit} for name, unit in zip("ab", units, strict=True)
    }
    attributes |= specification().dump()["attributes"]
    for attribute in attributes.values():
        unit = str(attribute.get("unit", ""))
        if unit in ("days", "hours", "months", "years"):
            attribute["type"] = "duration"
        if unit == "mg per kg":
            attribute["type"] = "decimal"
        if unit.startswith(("USD", "EUR")):
            attribute["type"] = "money"
    made = specification(
        attributes=attributes,
        units={"part": {}},
        conditions={"good": rule, "licensed": "licence", "sized": "score > 1"},
    )
    return family(made)


def group_of(made: Family) -> CandidateGroup:
    rng = Random(1)
    cells = {cell: made.domains[cell.slot].value(rng.randrange(made.domains[cell.slot].size)) for cell in made.cells}
    instance = Instance(cells, {}, made.candidate_names[: made.candidates])
    return CandidateGroup(0, instance, NoWinner(), None, None, Missed("marks"), None)


@pytest.mark.parametrize(("units", "rule", "expected"), CASES)
def test_only_the_units_that_a_rule_lets_meet_are_converted(
    units: tuple[str, str], rule: str, expected: list[str]
) -> None:
    assert conversions(mixing(units, rule)) == expected


@pytest.mark.parametrize(("units", "rule", "expected"), CASES)
def test_the_gate_asks_for_the_same_conversions(units: tuple[str, str], rule: str, expected: list[str]) -> None:
    made = mixing(units, rule)
    group = group_of(made)
    told = perturb(made, group, render(made, group))
    assert fidelity(made, group, told) == ()
    text = told.tasks[0].public.instructions
    for line in expected:
        (found,) = fidelity(made, group, with_instructions(told, text.replace(f"- {line}\n", "")))
        assert (found.kind, found.subject) == ("missing", "a conversion of units")


def test_an_answer_in_another_unit_than_its_facts_needs_a_conversion() -> None:
    made = mixing(("months", "months"), "a >= b")
    assert conversions(made) == []
    calculation = replace(made.calculation, expression=made.conditions[0].expression.arguments[0])  # type: ignore[union-attr]
    years = mixing(("years", "years"), "a >= b").attribute_by_id["a"].domain
    assert conversions(replace(made, calculation=replace(calculation, unit=years.unit))) == [YEAR]  # type: ignore[union-attr]
