"""Misses: why the search found no cells for a plan, with the nearest that it came to."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from unco.compiler.planning.draw import Goal, mendings
from unco.specs.expression import Expression, references
from unco.specs.family import Family, Slot
from unco.specs.values import Value
from unco.specs.wording import attribute_text, listing_text, value_text

SEARCHES = 4


def miss(goal: Goal, rng: Random) -> str:
    """The rules that no cells were found to meet together, and the nearest try; empty where cells are found now."""
    tries = (step for _ in range(SEARCHES) for step in mendings(goal, rng))
    values, unmet = min(tries, key=lambda each: len(each[1]))
    if not unmet:
        return ""
    clashing = [rule for rule in _named(goal) if rule[1] is not unmet[0] and _shares(rule[1], unmet[0])]
    who = "a winner" if goal.winner else f"a loser who fails {listing_text(sorted(goal.failing))} and nothing else"
    beside = f" together with {listing_text([name for name, _ in clashing])}" if clashing else ""
    blamed = next(name for name, rule in _named(goal) if rule is unmet[0])
    return f"no cells make {who}: {blamed} was never met{beside}; nearest: {_facts(goal.family, unmet[0], values)}"


def _named(goal: Goal) -> list[tuple[str, Expression]]:
    """The rules of the goal as the author would find them."""
    family = goal.family
    named = [(f"consistency rule `{rule.id}`", rule.expression) for rule in family.consistency]
    for rule in family.conditions:
        named.append((f"{'failing ' if rule.id in goal.failing else ''}condition `{rule.id}`", rule.expression))
    clauses = family.plan.winner if goal.winner else ()
    return named + [(f"clause `{rule.id}` of `plan.winner`", rule.expression) for rule in clauses]


def _shares(rule: Expression, other: Expression) -> bool:
    """Whether the rules read a fact in common."""
    facts = [{(each.attribute, each.context) for each in references(part)} for part in (rule, other)]
    return not facts[0].isdisjoint(facts[1])


def _facts(family: Family, rule: Expression, values: Mapping[Slot, Value]) -> str:
    """The values that the rule reads, in words."""
    read = {(each.attribute, each.context) for each in references(rule)}
    facts = [
        f"{attribute_text(family.attribute_by_id[slot.attribute], slot.context)}"
        f"{f' {slot.member}' if slot.member else ''} {value_text(values[slot], family.domains[slot])}"
        for slot in family.slots
        if (slot.attribute, slot.context) in read
    ]
    return listing_text(facts) if facts else "it reads no fact"
