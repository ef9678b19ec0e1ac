"""The same rules with other names, in another order, or with attributes in other units: the same verdicts and gold."""

from __future__ import annotations

from random import Random
from typing import Any

from generated_laws import BUDGET, deeply, law, legal_instance, seeds
from hypothesis import assume
from rewriting import carried, in_other_units, new_names, renamed, reordered, scales
from specification_strategies import family_of, rule_texts, specifications

from unco.solver.claims import misaligned, openness
from unco.solver.decide import Prover
from unco.solver.judge import failed_conditions, judge
from unco.specs.document import Specification
from unco.specs.evidence import full
from unco.specs.family import Family, Slot
from unco.specs.group import Misaligned
from unco.specs.instance import Instance
from unco.specs.values import Value
from unco.specs.verdict import Verdict


def verdicts(family: Family, instance: Instance) -> list[Any]:
    """Gold, what each candidate fails, and whether each role and each other context can change the answer."""
    outcome, prover = judge(family, instance), Prover(family, BUDGET)
    found: list[Any] = [outcome]
    found += [len(failed_conditions(family, cells, instance.parameters)) for cells in _candidates(family, instance)]
    for role in sorted(family.roles, key=lambda role: role.id):
        evidence = full(instance).hiding(family.cells_of(role.id))
        found.append(_standing(openness(prover, instance, evidence, outcome)))
    contexts = [(each.label, context) for each in family.attributes for context, _ in each.contexts[1:]]
    by_label = {each.label: each.id for each in family.attributes}
    for label, context in sorted(contexts):
        found.append(_standing(misaligned(family, instance, outcome, Misaligned(by_label[label], context))))
    return found


def _candidates(family: Family, instance: Instance) -> list[dict[Slot, Value]]:
    return [instance.candidate(number) for number in range(family.candidates)]


def _standing(verdict: Verdict) -> str:
    return type(verdict).__name__


def _same(before: list[Any], after: list[Any]) -> None:
    """The verdicts are the same, but for questions that one of the two did not decide."""
    assert len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        assert one == other or "Unknown" in (one, other)


@law(8, 200, specification=specifications("tiny", "small"), seed=seeds)
def test_other_names_leave_verdicts_and_gold_as_they_are(specification: Specification, seed: int) -> None:
    family, other = family_of(specification), family_of(renamed(specification))
    instance = legal_instance(family, Random(seed))
    there = carried(instance, other, new_names(specification), {})
    _same(verdicts(family, instance), verdicts(other, there))


@law(8, 200, specification=specifications("tiny", "small"), seed=seeds)
def test_another_order_leaves_verdicts_and_gold_as_they_are(specification: Specification, seed: int) -> None:
    rng = Random(seed)
    family, other = family_of(specification), family_of(reordered(specification, rng))
    instance = legal_instance(family, rng)
    _same(verdicts(family, instance), verdicts(other, carried(instance, other, {}, {})))


@law(20, 400, specification=specifications("tiny", "small"), seed=seeds)
def test_other_units_leave_verdicts_and_gold_as_they_are(specification: Specification, seed: int) -> None:
    assume(scales(specification))
    assume(not any("round(" in text for text in rule_texts(specification)))
    family, other = family_of(specification), family_of(in_other_units(specification))
    instance = legal_instance(family, Random(seed))
    _same(verdicts(family, instance), verdicts(other, carried(instance, other, {}, scales(specification))))


test_deeply = deeply(__name__)
