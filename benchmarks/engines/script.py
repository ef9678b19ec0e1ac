"""Z3 as a plain script uses it: a fresh solver for each question, with rules that a user wrote down by hand."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from benchmarks.engines import script_scholarship, script_superintendent
from benchmarks.engines.answer import Answer, Ask, Unfit
from unco.specs.family import Family
from unco.specs.instance import Instance

SCRIPTS: Mapping[str, ModuleType] = {
    "graduate-scholarship": script_scholarship,
    "underground-superintendent": script_superintendent,
}


def ready(family: Family) -> Ask | Unfit:
    """The script of a family."""
    script = SCRIPTS.get(family.name)
    if script is None:
        return Unfit("no script was written for it")

    def ask(instance: Instance) -> Answer:
        facts = plain_facts(family, instance)
        gold = script.answer(facts)
        if script.has_another(facts, [], gold):
            raise AssertionError(f"{family.name}: the script sees another answer than {gold}")
        return Answer(gold, tuple(script.has_another(facts, script.ROLES[role.id], gold) for role in family.roles))

    return ask


def plain_facts(family: Family, instance: Instance) -> list[dict[str, Any]]:
    """The facts of each candidate by attribute; of another context, by attribute and context."""
    found: list[dict[str, Any]] = [{} for _ in range(family.candidates)]
    for cell, value in instance.cells.items():
        required = family.attribute_by_id[cell.attribute].required
        name = cell.attribute if cell.context == required else f"{cell.attribute}, {cell.context}"
        found[cell.candidate][name] = value
    return found
