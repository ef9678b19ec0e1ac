"""show_facts: an instance of a facts dataset as a person would read it: its facts, its answer, its witnesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from unco.compiler.facts.decode import Fact, Legend
from unco.specs.domains import Domain
from unco.specs.family import Cell, Slot
from unco.specs.instance import Winner
from unco.specs.scalars import number_text
from unco.specs.stored import stored_value
from unco.specs.values import Value
from unco.specs.wording import value_text


def show_fact(legend: Legend, fact: Fact) -> str:
    """The instance in lines. Attributes have their ids: a facts dataset holds no labels."""
    return "\n".join(_lines(legend, fact))


def _lines(legend: Legend, fact: Fact) -> Iterator[str]:
    names, frame = fact.instance.names, legend.frame
    domains = dict(zip(frame.slots, frame.domains, strict=False))
    yield f"{fact.id}: {fact.specification}, index {fact.index}"
    thresholds = zip(frame.parameters, frame.domains[frame.cells :], strict=True)
    yield from (f"  {name}: {value_text(fact.instance.parameters[name], domain)}" for name, domain in thresholds)
    for candidate, name in enumerate(names):
        yield f"\n{name}"
        yield from (f"  {_cell(cell, value, domains[cell.slot])}"
                    for cell, value in fact.instance.cells.items() if cell.candidate == candidate)  # fmt: skip
    yield f"\nAnswer: {_answer(fact)}"
    yield from (f"Without {role} the answer is open: {_change(fact, changes, domains)}"
                for role, changes in fact.necessary.items())  # fmt: skip


def _cell(cell: Cell, value: Value, domain: Domain) -> str:
    member = f" {cell.member}" if cell.member else ""
    context = f" ({cell.context})" if cell.context else ""
    return f"{cell.attribute}{member}{context}: {value_text(value, domain)}"


def _answer(fact: Fact) -> str:
    match fact.outcome:
        case Winner(candidate, result):
            return f"{fact.instance.names[candidate]}, {number_text(result)}"
        case _:
            return "nobody"


def _change(fact: Fact, changes: Mapping[Cell, Value], domains: Mapping[Slot, Domain]) -> str:
    told = "; ".join(_cell(cell, value, domains[cell.slot]) for cell, value in changes.items())
    (candidate,) = {cell.candidate for cell in changes}
    return f"{fact.instance.names[candidate]} could have {told}"


def plain_fact(fact: Fact) -> dict[str, Any]:
    """The instance as plain data with exact values, as a stored group has them."""
    instance, outcome = fact.instance, fact.outcome
    return {
        "id": fact.id,
        "specification": fact.specification,
        "index": fact.index,
        "names": list(instance.names),
        "parameters": {name: stored_value(value) for name, value in instance.parameters.items()},
        "cells": [[*cell, stored_value(value)] for cell, value in instance.cells.items()],
        "winner": outcome.candidate if isinstance(outcome, Winner) else None,
        "result": stored_value(outcome.result) if isinstance(outcome, Winner) else None,
        "necessary": {
            role: [[*cell, stored_value(value)] for cell, value in changes.items()]
            for role, changes in fact.necessary.items()
        },
    }
