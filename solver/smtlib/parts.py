"""The cases of a question as assertions, part by part: what each of them says has a name of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from unco.solver.families.compiled import Compiled
from unco.solver.families.moving import touched_conditions
from unco.solver.families.question import Question
from unco.solver.families.within import within
from unco.solver.terms import Truth, conjunction, disjunction, negation
from unco.specs.family import Family, Slot
from unco.specs.family_proof import Move


def legal_parts(family: Family, slots: tuple[Slot, ...], compiled: Compiled) -> Iterator[tuple[str, Truth]]:
    """SAT iff there is a legal candidate: values of the domains, consistency rules, members who do not exist."""
    for each in family.parameters:
        if each.value is None:
            yield "domain", compiled.parameter(each).constraint
    yield from (("domain", compiled.variable(slot).constraint) for slot in slots)
    rules = len(family.consistency)
    yield from (("consistent" if number < rules else "idle", rule) for number, rule in enumerate(compiled.consistent))


def case_parts(question: Question, compiled: Compiled) -> Iterator[tuple[str, Truth]]:
    """SAT iff the question has a case: the conditions of a winner one by one, the plan, what is known of a reply."""
    yield from legal_parts(question.family, question.slots, compiled)
    if question.winner:
        yield from (("condition", condition) for condition in compiled.conditions)
    else:
        yield "ineligible", negation(z3, conjunction(z3, compiled.conditions))
    encoder = compiled.encoder(*_read(question, compiled))
    planned = len(question.family.plan.winner)
    for number, rule in enumerate(question.assumed):
        kind = "apart" if not question.winner else "plan" if number < planned else "reply"
        yield kind, conjunction(z3, (encoder.fold_defined(rule), encoder.fold(rule)))
    if question.face is not None:
        yield "face", _misleads(question, question.face, compiled)
    if question.beside:
        yield from (("beside", part) for part in compiled.beside)


def _misleads(question: Question, face: Move, compiled: Compiled) -> Truth:
    """The face value lies in the domain; a condition that reads it fails, or, where none reads it, it differs."""
    cells, parameters = _read(question, compiled)
    encoder = compiled.encoder(cells, parameters)
    terms = {slot: encoder.fold(term) for slot, term in face.changes}
    after = compiled.encoder({**cells, **terms}, parameters)
    rules = [question.family.conditions[number].expression for number in touched_conditions(question.family, face)]
    other = [negation(z3, after.fold(rule)) for rule in rules]
    if not rules:
        other = [negation(z3, compiled.same(cells[slot], term)) for slot, term in terms.items()]
    inside = [within(z3, question.family.domains[slot], term) for slot, term in terms.items()]
    return conjunction(z3, (*inside, disjunction(z3, other)))


def _read(question: Question, compiled: Compiled) -> tuple[dict[Slot, Any], dict[str, Any]]:
    """The terms of all cells that matter, and of all parameters with the ends of a reply."""
    cells = {slot: compiled.variable(slot).term for slot in question.slots}
    ends = {each.id: compiled.parameter(each).term for each in question.family.parameters if each.value is None}
    return cells, {**compiled.parameters, **ends}
