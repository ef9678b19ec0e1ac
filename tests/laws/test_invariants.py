"""What must hold of every specification, fuzzed over generated ones that use every construct of the language.

Each law runs over a few specifications in `make test`, and over many in `make laws`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
import z3
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from rewriting import carried, in_other_units, new_names, renamed, reordered, scales
from specification_strategies import family_of, rule_texts, specifications

from unco.compiler.check import CheckOptions, check
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.planning.draw import draw, settled
from unco.compiler.prove import ProveOptions, prove
from unco.solver.claims import misaligned, openness, openness_by_solver
from unco.solver.decide import Prover
from unco.solver.encode import Encoder, equal, stored
from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import failed_conditions, judge, result, violations
from unco.solver.space import Space
from unco.solver.sufficient import Sufficient, smallest_sufficient
from unco.solver.witness import first_move, landmarks
from unco.specs.codes import CODES
from unco.specs.diagnostics import render_text, to_json, to_sarif
from unco.specs.document import Specification
from unco.specs.domains import values
from unco.specs.errors import SpecificationError
from unco.specs.evidence import Evidence, agrees, full
from unco.specs.expression import Expression
from unco.specs.family import Cell, Family, Slot
from unco.specs.group import CandidateGroup, Misaligned
from unco.specs.instance import Instance, Outcome, SeveralEligible
from unco.specs.parser import parse
from unco.specs.printer import print_expression
from unco.specs.read import parse_specification, to_yaml
from unco.specs.values import NUMBER, NumberType, Value
from unco.specs.verdict import Claim, ClaimName, Proved, Refuted, Unknown, Verdict

BUDGET = 3_000_000
"""Z3 resource units a question: what takes longer is Unknown, and says nothing here."""
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""No shrinking: a specification comes from a seed, so that nothing is simpler than anything else but its size."""
DEEP: dict[str, Callable[[], None]] = {}
seeds = st.integers(0, 10**9)


def law(quick: int, deep: int, **strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Any]:
    """A law, run on `quick` examples, and under the marker `laws` on `deep` ones."""

    def decorate(check: Callable[..., None]) -> Callable[[], None]:
        quick_test, deep_test = (
            settings(max_examples=examples, phases=PHASES, deadline=None, suppress_health_check=list(HealthCheck))(
                given(**strategies)(check)
            )
            for examples in (quick, deep)
        )
        DEEP[check.__name__] = deep_test
        return quick_test

    return decorate


@pytest.mark.laws
@pytest.mark.parametrize("name", DEEP)
def test_deeply(name: str) -> None:
    DEEP[name]()


# Instances -----------------------------------------------------------------------------------------------------------


def parameters_of(family: Family, rng: Random) -> dict[str, Value]:
    """Values of the parameters: the pinned ones as they are, the others drawn."""
    return {each.id: draw(each.domain, rng) if each.value is None else each.value for each in family.parameters}


def cells_of_one(family: Family, parameters: Mapping[str, Value], rng: Random) -> dict[Slot, Value]:
    """Cells of a candidate in their domains, half of them where an answer may change."""

    def one(slot: Slot) -> Value:
        if rng.randrange(2):
            return rng.choice(landmarks(family, slot, tuple(sorted(parameters.items()))))
        return draw(family.domains[slot], rng)

    return settled(family, {slot: one(slot) for slot in family.slots})


def any_instance(family: Family, rng: Random) -> Instance:
    """An instance with all cells in their domains, legal or not."""
    parameters = parameters_of(family, rng)
    cells = {
        Cell(number, *slot): value
        for number in range(family.candidates)
        for slot, value in cells_of_one(family, parameters, rng).items()
    }
    return Instance(cells, parameters, family.candidate_names[: family.candidates])


def legal_instance(family: Family, rng: Random, *, promise: bool = True) -> Instance:
    """A legal instance, that keeps the promise if asked; the example is given up where none is found."""
    instance = any_instance(family, rng)
    for _ in range(60):
        broken = {violation.candidate for violation in violations(family, instance)}
        outcome = judge(family, instance)
        if not broken and promise and isinstance(outcome, SeveralEligible):
            broken = set(outcome.candidates[1:])
        if not broken:
            return instance
        for number in broken:
            cells = cells_of_one(family, instance.parameters, rng)
            instance = instance.changed({Cell(number, *slot): value for slot, value in cells.items()})
    assume(False)
    raise AssertionError


def rules_of(family: Family) -> list[Expression]:
    rules = [rule.expression for rule in (*family.conditions, *family.consistency, *family.plan.winner)]
    return [*rules, family.calculation.expression]


def some_hidden(family: Family, rng: Random) -> frozenset[Cell]:
    """Some cells to hide: a role's, an attribute's, or any."""
    match rng.randrange(3):
        case 0:
            return family.cells_of(rng.choice(family.roles).id)
        case 1:
            chosen = rng.choice(family.attributes).id
            return frozenset(cell for cell in family.cells if cell.attribute == chosen)
        case _:
            return frozenset(rng.sample(family.cells, rng.randint(1, min(6, len(family.cells)))))


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
    return NumberType(kind.unit.__class__(kind.unit.dimension, Fraction(1), "")) if isinstance(kind, NumberType) else kind


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
def test_a_planned_instance_is_legal_keeps_the_promise_and_has_its_gold(specification: Specification, seed: int) -> None:
    family, _, group = planned(specification, seed)
    assert violations(family, group.instance) == ()
    assert not isinstance(group.outcome, SeveralEligible)
    assert judge(family, group.instance) == group.outcome
    assert list(group.instance.cells) == list(family.cells)
    for parameter in family.parameters:
        value = group.instance.parameters[parameter.id]
        assert parameter.domain.index(value) is not None
        assert parameter.value in (None, value)


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


# Small families, looked at whole -------------------------------------------------------------------------------------

MOST_COMPLETIONS = 6_000


def completions(family: Family, instance: Instance) -> list[tuple[Instance, Outcome]]:
    """Every legal completion of no evidence that keeps the promise, by looking at all."""
    slots = family.slots
    one = [dict(zip(slots, found, strict=True)) for found in product(*(values(family.domains[slot]) for slot in slots))]
    legal = [
        cells for cells in one
        if not violations_of_one(family, cells, instance)
    ]
    assume(len(legal) ** family.candidates <= MOST_COMPLETIONS)
    found = []
    for cells in product(legal, repeat=family.candidates):
        whole = {Cell(number, *slot): each[slot] for number, each in enumerate(cells) for slot in slots}
        completion = Instance(whole, instance.parameters, instance.names)
        outcome = judge(family, completion)
        if not isinstance(outcome, SeveralEligible):
            found.append((completion, outcome))
    return found


def violations_of_one(family: Family, cells: Mapping[Slot, Value], instance: Instance) -> bool:
    """Whether a candidate with these cells breaks a rule."""
    both = {Cell(number, *slot): cells[slot] for number in range(family.candidates) for slot in family.slots}
    return bool(violations(family, Instance(both, instance.parameters, instance.names)))


def is_open(all_completions: list[tuple[Instance, Outcome]], evidence: Evidence, outcome: Outcome) -> bool:
    """Whether a completion of the evidence has another outcome."""
    return any(
        found != outcome and all(agrees(known, completion.cells[cell]) for cell, known in evidence.known.items())
        for completion, found in all_completions
    )


@law(12, 300, specification=specifications("tiny"), seed=seeds)
def test_openness_is_what_looking_at_every_completion_says(specification: Specification, seed: int) -> None:
    family, rng = family_of(specification), Random(seed)
    assume(_size(family) <= MOST_COMPLETIONS)
    instance = legal_instance(family, rng)
    everything, outcome, prover = completions(family, instance), judge(family, instance), Prover(family, BUDGET)
    for _ in range(4):
        evidence = full(instance).hiding(some_hidden(family, rng))
        verdict = openness(prover, instance, evidence, outcome)
        if not isinstance(verdict, Unknown):
            assert isinstance(verdict, Proved) == is_open(everything, evidence, outcome)


@law(12, 300, specification=specifications("tiny"), seed=seeds)
def test_the_smallest_sufficient_cells_are_enough_and_none_fewer_are(specification: Specification, seed: int) -> None:
    family, rng = family_of(specification), Random(seed)
    assume(_size(family) <= MOST_COMPLETIONS)
    instance = legal_instance(family, rng)
    outcome = judge(family, instance)
    found = smallest_sufficient(Prover(family, BUDGET), instance, outcome)
    assume(isinstance(found, Sufficient))
    assert isinstance(found, Sufficient)
    everything, known = completions(family, instance), full(instance)
    assert not is_open(everything, known.only(found.cells), outcome)
    subsets = (cells for size in range(len(found.cells) + 1) for cells in combinations(family.cells, size))
    first = next(cells for cells in subsets if not is_open(everything, known.only(cells), outcome))
    assert first == found.cells


def _size(family: Family) -> int:
    size = 1
    for slot in family.slots:
        size *= family.domains[slot].size
    return int(size)


@law(8, 150, specification=specifications("small", "large", plannable=True), seed=seeds)
def test_without_any_one_of_the_smallest_sufficient_cells_the_answer_is_open(
    specification: Specification, seed: int
) -> None:
    family, prover, group = planned(specification, seed)
    found = smallest_sufficient(prover, group.instance, group.outcome)
    assume(isinstance(found, Sufficient))
    assert isinstance(found, Sufficient)
    for cell in found.cells:
        evidence = full(group.instance).only(set(found.cells) - {cell})
        assert not isinstance(openness(prover, group.instance, evidence, group.outcome), Refuted)


# The same rules written another way ----------------------------------------------------------------------------------


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


# Files that are broken -----------------------------------------------------------------------------------------------

ODD = (None, True, 0, -1, 10**40, 10**4000, "", "NaN", "1e9", ".inf", "2024-02-30", "a" * 5000, [], [[]], {}, {"": 1},
       "{{ 7*7 }}", "\u202e", "x\x00y", "if", "1 / 0", "((((", "lookup(", "true", "0.1", [1, 2, 3], "-", "years", "%")


def broken(data: Any, rng: Random) -> Any:
    """The data with one place changed: a key deleted, renamed or doubled, a value swapped or replaced."""
    places = list(_places(data))
    holder, key = rng.choice(places)
    other_holder, other_key = rng.choice(places)
    match rng.randrange(5):
        case 0:
            del holder[key]
        case 1:
            holder[key] = rng.choice(ODD)
        case 2:
            one, other = (json.loads(json.dumps(each)) for each in (holder[key], other_holder[other_key]))
            holder[key], other_holder[other_key] = other, one
        case 3 if isinstance(holder, dict):
            holder[rng.choice(("zz", "Rule", "", "is", "value", "1"))] = holder.pop(key)
        case 3:
            holder.append(holder[key])
        case _:
            holder[key] = json.loads(json.dumps(other_holder[other_key]))
    return data


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in the data, as its holder and its key there."""
    for key, value in list(data.items()) if isinstance(data, dict) else list(enumerate(data)):
        yield data, key
        if isinstance(value, dict | list):
            yield from _places(value)


def expect_family_or_diagnostics(text: str | bytes, *, findings: bool = False) -> None:
    """Reading and checking a text ends in a family, or in diagnostics with known codes that can be shown."""
    try:
        checked = check(parse_specification(text), CheckOptions(findings=findings, rlimit=100_000))
        diagnostics, source = checked.diagnostics, checked.source.text
        assert checked.family is not None or diagnostics
    except SpecificationError as error:
        diagnostics, source = error.diagnostics, error.text or ""
        assert diagnostics
    for diagnostic in diagnostics:
        assert diagnostic.code in CODES
    assert render_text(diagnostics, source) or not diagnostics
    assert json.dumps(to_json(diagnostics)) and json.dumps(to_sarif(diagnostics))


@law(60, 3_000, specification=specifications(), seed=seeds)
def test_a_file_of_broken_structure_ends_in_diagnostics(specification: Specification, seed: int) -> None:
    rng = Random(seed)
    data = specification.dump()
    for _ in range(rng.randint(1, 3)):
        data = broken(data, rng)
    expect_family_or_diagnostics(json.dumps(data))


@law(60, 3_000, specification=specifications(), seed=seeds)
def test_a_file_of_broken_bytes_ends_in_diagnostics(specification: Specification, seed: int) -> None:
    rng = Random(seed)
    text = bytearray((to_yaml(specification) if rng.randrange(2) else json.dumps(specification.dump())).encode())
    for _ in range(rng.randint(1, 4)):
        start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        end = min(end, start + rng.choice((0, 1, 3, 40)))
        piece = rng.choice((b"", b"\xff", b"\x00", b"\n", b"  ", b"-", b"[", b"}", b": ", b"&a ", b"*a", b"9" * 60, b'"', text[:30]))
        text[start:end] = piece
    if rng.randrange(6) == 0:
        del text[rng.randrange(len(text) + 1) :]
    expect_family_or_diagnostics(bytes(text))


@law(10, 300, specification=specifications("tiny", "small"), seed=seeds)
def test_findings_of_the_solver_are_diagnostics_too(specification: Specification, seed: int) -> None:
    data = specification.dump()
    if seed % 2:
        data = broken(data, Random(seed))
    expect_family_or_diagnostics(json.dumps(data), findings=True)
