"""Another answer, as a term: what a candidate's cells are after a change, against what holds before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import z3

from unco.solver.encode import Encoder
from unco.solver.families.compiled import Cells, Compiled
from unco.solver.families.question import Question
from unco.solver.terms import Num, Truth, conjunction, disjunction, negation
from unco.specs.expression import references


@dataclass(frozen=True)
class Before:
    """What holds before the change: each condition, and the rounded result of a winner."""

    conditions: tuple[Truth, ...]
    result: Num | None


def another_answer(
    compiled: Compiled, question: Question, before: Before, cells: Cells, parameters: Mapping[str, Any], changed: Cells
) -> Truth:
    """SAT iff with the changed cells a legal candidate can be legal still, agree with what is known, and have another
    answer: it is eligible now; or, a winner, it is so no longer or has another result.
    """
    after = {**cells, **changed}
    encoder = compiled.encoder(after, parameters)
    known = [encoder.fold(rule) for rule in question.known]
    attributes = frozenset(slot.attribute for slot in changed)
    flipped = _flipped(compiled, before, encoder, attributes)
    return conjunction(z3, (*compiled.consistency(encoder, after, attributes), *known, flipped))


def _flipped(compiled: Compiled, before: Before, encoder: Encoder, changed: frozenset[str]) -> Truth:
    family = compiled.family
    touched = [not changed.isdisjoint(read) for read in family.condition_reads]
    rules = zip(family.conditions, before.conditions, touched, strict=True)
    after = [encoder.fold(rule.expression) if again else holds for rule, holds, again in rules]
    if before.result is None:
        return conjunction(z3, after)
    fails = negation(z3, conjunction(z3, [holds for holds, again in zip(after, touched, strict=True) if again]))
    if changed.isdisjoint(each.attribute for each in references(family.calculation.expression)):
        return fails
    return disjunction(z3, (fails, negation(z3, compiled.same(before.result, compiled.rounded(encoder)))))
