"""What must hold of every specification, fuzzed over generated ones that use every construct of the language.

Each law runs over a few specifications in `make test`, and over many in `make laws`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import z3
from generated_laws import BUDGET, any_instance, deeply, law, legal_instance, rules_of, seeds, some_hidden
from hypothesis import assume
from specification_strategies import family_of, rule_texts, specifications

from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.prove import ProveOptions, prove
from unco.solver.claims import openness, openness_by_solver
from unco.solver.decide import Prover
from unco.solver.encode import Encoder, equal, stored
from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import failed_conditions, judge, result, violations
from unco.solver.space import Space
from unco.solver.sufficient import Sufficient, smallest_sufficient
from unco.solver.witness import first_move
from unco.specs.document import Specification
from unco.specs.evidence import Evidence, agrees, full
from unco.specs.expression import Expression
from unco.specs.family import Cell, Family, Slot
from unco.specs.group import CandidateGroup
from unco.specs.instance import Instance, SeveralEligible
from unco.specs.parser import parse
from unco.specs.printer import print_expression
from unco.specs.read import parse_specification, read_specification, to_yaml
from unco.specs.rejection import Rejection
from unco.specs.shipped import shipped_specifications
from unco.specs.values import NUMBER, NumberType
from unco.specs.verdict import Claim, ClaimName, Proved, Refuted

# Reading and printing ------------------------------------------------------------------------------------------------


@law(40, 1_000, specification=specifications())
def test_what_is_written_reads_back_equal(specification: Specification) -> None:
    assert parse_specification(to_yaml(specification)).specification == specification
    assert parse_specification(json.dumps(specification.dump())).specification == specification
    assert Specification.model_validate(specification.dump()) == specification


@law(60, 1_000, specification=specifications())
def test_a_rule_printed_and_parsed_is_the_same_rule(specification: Specification) -> None:
    for text in rule_texts(specification):
        tree = parse(text)
        assert parse(print_expression(tree)) == tree
        assert print_expression(tree) == text


# The twins -----------------------------------------------------------------------------------------------------------


def ground_encoder(instance: Instance, number: int, family: Family) -> Encoder:
    """An encoder that reads known values: what it makes is known too."""

    def cell(slot: Slot) -> Any:
        return stored(z3, instance.cells[Cell(number, *slot)], family.domains[slot].type)

    domains = {parameter.id: parameter.domain for parameter in family.parameters}
    return Encoder(z3, cell, lambda name: stored(z3, instance.parameters[name], domains[name].type))


def holds(term: Any) -> bool:
    return term if isinstance(term, bool) else bool(z3.is_true(z3.simplify(term)))


def base_type(expression: Expression) -> Any:
    """The type of the expression with the base unit in the place of its own."""
    kind = expression.type
    return (
        NumberType(kind.unit.__class__(kind.unit.dimension, Fraction(1), "")) if isinstance(kind, NumberType) else kind
    )


@law(60, 2_000, specification=specifications(risky=True), seed=seeds)
def test_a_rule_has_a_value_exactly_where_the_encoder_says_so_and_it_is_the_encoded_one(
    specification: Specification, seed: int
) -> None:
    family, rng = family_of(specification), Random(seed)
    for _ in range(4):
        instance = any_instance(family, rng)
        encoder = ground_encoder(instance, 0, family)
        for rule in rules_of(family):
            try:
                value = interpret(rule, instance.candidate(0), instance.parameters)
            except Undefined:
                assert not holds(encoder.fold_defined(rule))
                continue
            assert holds(encoder.fold_defined(rule))
            assert holds(equal(z3, encoder.encode(rule), stored(z3, value, base_type(rule))))


@law(40, 1_000, specification=specifications(), seed=seeds)
def test_a_rule_that_is_built_to_have_a_value_has_one(specification: Specification, seed: int) -> None:
    family, rng = family_of(specification), Random(seed)
    for _ in range(6):
        instance = any_instance(family, rng)
        for rule in rules_of(family):
            interpret(rule, instance.candidate(0), instance.parameters)


@law(15, 300, specification=specifications(), seed=seeds)
def test_a_space_with_all_cells_known_has_the_outcome_of_the_interpreter_and_no_other(
    specification: Specification, seed: int
) -> None:
    family, rng = family_of(specification), Random(seed)
    space = Space(family)
    solver = z3.Solver(ctx=space.context)
    solver.set("rlimit", BUDGET)
    solver.add(*space.legal())
    for _ in range(2):
        instance = any_instance(family, rng)
        solver.push()
        solver.add(*space.agrees(full(instance)))
        legal = not violations(family, instance)
        assert solver.check() in (z3.unknown, z3.sat if legal else z3.unsat)
        if legal:
            solver.add(z3.Not(space.conjunction(*_as_judged(space, family, instance))))
            assert solver.check() in (z3.unknown, z3.unsat)
        solver.pop()


def _as_judged(space: Space, family: Family, instance: Instance) -> Iterator[Any]:
    """Each candidate is as eligible as the interpreter says, with its result."""
    for number, candidate in enumerate(space.candidates):
        cells = instance.candidate(number)
        eligible = not failed_conditions(family, cells, instance.parameters)
        yield candidate.eligible if eligible else z3.Not(candidate.eligible)
        found = result(family, cells, instance.parameters)
        yield equal(z3, candidate.result, stored(z3, found, NUMBER), space.context)


# Planned instances and their proofs ----------------------------------------------------------------------------------


@pytest.fixture(autouse=True, scope="module")
def _short_searches() -> Iterator[None]:
    """A generated family may have no instance at all: the search for one is given up early."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unco.compiler.planning.draw.RESTARTS", 4)
        patch.setattr("unco.compiler.planning.draw.STEPS", 12)
        patch.setattr("unco.compiler.instantiate.ATTEMPTS", 4)
        patch.setattr("unco.compiler.instantiate.DECOY_TRIES", 8)
        patch.setattr("unco.compiler.instantiate.MIXED_TRIES", 3)
        yield


def planned(specification: Specification, seed: int) -> tuple[Family, Prover, CandidateGroup]:
    family = family_of(specification)
    prover = Prover(family, BUDGET)
    group = instantiate(family, 0, InstantiateOptions(seed))
    assume(isinstance(group, CandidateGroup))
    assert isinstance(group, CandidateGroup)
    return family, prover, group


@law(15, 300, specification=specifications(plannable=True), seed=seeds)
def test_a_planned_instance_is_legal_keeps_the_promise_and_has_its_gold(
    specification: Specification, seed: int
) -> None:
    family, _, group = planned(specification, seed)
    assert violations(family, group.instance) == ()
    assert not isinstance(group.outcome, SeveralEligible)
    assert judge(family, group.instance) == group.outcome
    assert list(group.instance.cells) == list(family.cells)
    for parameter in family.parameters:
        value = group.instance.parameters[parameter.id]
        assert parameter.domain.index(value) is not None
        assert parameter.value in (None, value)


def _superintendent(**conditions: str) -> Family:
    """The shipped appointment, with some conditions changed."""
    data = read_specification(shipped_specifications()["underground-superintendent"]).specification.dump()
    return family_of(Specification.model_validate({**data, "conditions": {**data["conditions"], **conditions}}))


def test_a_decoy_is_not_drawn_over_a_value_that_a_rule_reads() -> None:
    family = _superintendent(medical='clearance and (clearance["April 2026"] or clearance["February 2026"])')
    for index in range(40):
        group = instantiate(family, index, InstantiateOptions())
        if isinstance(group, CandidateGroup):
            assert judge(family, group.instance) == group.outcome


def test_a_rule_that_reads_no_fact_does_not_stop_the_planner() -> None:
    group = instantiate(
        _superintendent(medical="2 < 1", experience="clearance and hardrock_years >= 12 years"), 0, InstantiateOptions()
    )
    assert isinstance(group, CandidateGroup | Rejection)


@law(10, 200, specification=specifications(plannable=True), seed=seeds)
def test_every_proved_claim_replays_in_the_interpreter(specification: Specification, seed: int) -> None:
    family, prover, group = planned(specification, seed)
    proof = prove(family, group, ProveOptions(BUDGET, sufficient=False), prover)
    assert {claim.name for claim in proof.claims} >= {ClaimName.LEGAL, ClaimName.UNIQUE}
    for claim in proof.claims:
        if isinstance(claim.verdict, Proved) and claim.verdict.witness is not None:
            _replay(family, group, claim)


def _replay(family: Family, group: CandidateGroup, claim: Claim) -> None:
    """The witness is a legal completion of what the claim leaves known, keeps the promise, and has another outcome."""
    assert isinstance(claim.verdict, Proved)
    assert claim.verdict.witness is not None
    changes, known = claim.verdict.witness.changes, _evidence(family, group, claim)
    completion = group.instance.changed(changes)
    found = judge(family, completion)
    assert violations(family, completion) == ()
    assert found == claim.verdict.witness.outcome
    assert found != group.outcome
    assert not isinstance(found, SeveralEligible)
    assert all(agrees(known.of(cell), completion.cells[cell]) for cell in family.cells)


def _evidence(family: Family, group: CandidateGroup, claim: Claim) -> Evidence:
    """What is known in the claim."""
    everything = full(group.instance)
    match claim.name:
        case ClaimName.NECESSARY | ClaimName.MISSED:
            return everything.hiding(family.cells_of(claim.subject))
        case ClaimName.NO_ORACLE:
            return everything.only(family.cells_of(claim.subject))
        case ClaimName.INCOMPLETE:
            assert group.incomplete is not None
            return everything.with_knowledge(group.incomplete.coarse)
        case _:
            required = family.attribute_by_id[claim.subject].required
            return everything.hiding(
                cell for cell in family.cells if (cell.attribute, cell.context) == (claim.subject, required)
            )


@law(25, 500, specification=specifications(), seed=seeds)
def test_a_move_is_a_completion_that_the_solver_finds_too(specification: Specification, seed: int) -> None:
    family, rng = family_of(specification), Random(seed)
    instance = legal_instance(family, rng)
    outcome, evidence = judge(family, instance), full(instance).hiding(some_hidden(family, rng))
    move = first_move(family, instance, evidence, outcome)
    by_solver = openness_by_solver(Prover(family, BUDGET), instance, evidence, outcome)
    if move is None:
        return
    completion = instance.changed(move.changes)
    assert not isinstance(by_solver, Refuted)
    assert violations(family, completion) == ()
    assert judge(family, completion) == move.outcome != outcome
    assert all(agrees(evidence.of(cell), completion.cells[cell]) for cell in family.cells)


@law(15, 300, specification=specifications("tiny", "small"), seed=seeds)
def test_hiding_more_never_closes_an_open_answer(specification: Specification, seed: int) -> None:
    family, rng = family_of(specification), Random(seed)
    prover, instance = Prover(family, BUDGET), legal_instance(family, rng)
    outcome, known = judge(family, instance), full(instance)
    hidden, was_open = frozenset[Cell](), False
    for _ in range(4):
        hidden |= some_hidden(family, rng)
        verdict = openness_by_solver(prover, instance, known.hiding(hidden), outcome)
        assert not (was_open and isinstance(verdict, Refuted))
        was_open = was_open or isinstance(verdict, Proved)


@law(8, 150, specification=specifications("small", "large", plannable=True), seed=seeds)
def test_without_any_one_of_the_smallest_sufficient_cells_the_answer_is_open(
    specification: Specification, seed: int
) -> None:
    _family, prover, group = planned(specification, seed)
    found = smallest_sufficient(prover, group.instance, group.outcome)
    assume(isinstance(found, Sufficient))
    assert isinstance(found, Sufficient)
    for cell in found.cells:
        evidence = full(group.instance).only(set(found.cells) - {cell})
        assert not isinstance(openness(prover, group.instance, evidence, group.outcome), Refuted)


test_deeply = deeply(__name__)
