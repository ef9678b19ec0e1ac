"""Family proofs against what is known of single groups, over generated specifications."""

from __future__ import annotations

from itertools import islice
from math import prod
from random import Random

from families import all_cases, in_space_of_mixed, is_open
from generated_laws import BUDGET, deeply, law, parameters_of, seeds
from hypothesis import assume, example
from small_families import nobody_fails_at_zero
from specification_strategies import family_of, specifications

from unco.compiler.planning.draw import Goal, draw_candidate
from unco.solver.claims import incomplete, misaligned, mixed, necessity
from unco.solver.decide import Prover
from unco.solver.families.asked import Asked
from unco.solver.families.moving import changes_answer
from unco.solver.families.question import Case, Question
from unco.solver.families.replies import replies
from unco.solver.families.search import Closed, Covered, Nothing, Search
from unco.solver.family import FamilyOptions, prove_claims
from unco.solver.judge import judge, violations
from unco.specs.document import Specification
from unco.specs.evidence import NOTHING
from unco.specs.family import Cell, Family
from unco.specs.family_proof import (
    FamilyClaim,
    FamilyClaimName,
    FamilyProof,
    FamilyProved,
    FamilyRefuted,
    Move,
    Scope,
)
from unco.specs.group import Incomplete, Misaligned, Mixed
from unco.specs.instance import Instance, NoWinner, Outcome, Winner
from unco.specs.verdict import Proved, Refuted, Verdict

MOST_CASES = 30_000
SEARCH = Search(BUDGET)


def proof_of(family: Family) -> FamilyProof:
    return prove_claims(family, FamilyOptions(BUDGET))


def groups(family: Family, rng: Random) -> list[Instance]:
    """Some groups drawn as the generator draws candidates: a planned winner or none, and losers who fail something."""
    made = (drawn(family, winner, rng) for winner in (True, True, True, False, False))
    return [instance for instance in made if instance is not None]


def drawn(family: Family, winner: bool, rng: Random) -> Instance | None:
    parameters, cells = parameters_of(family, rng), {}
    for number in range(family.candidates):
        wins = winner and number == 0
        failing = frozenset(() if wins else (rng.choice(family.conditions).id,))
        values = draw_candidate(Goal(family, parameters, failing, winner=wins), rng)
        if values is None:
            return None
        cells |= {Cell(number, *slot): value for slot, value in values.items()}
    return Instance(cells, parameters, family.candidate_names[: family.candidates])


def is_in_scope(scope: Scope, outcome: Outcome) -> bool:
    return isinstance(outcome, Winner if scope is Scope.WINNER else NoWinner)


# A claim that is Proved holds in every group that is drawn -----------------------------------------------------------


@law(5, 200, specification=specifications("small", "large", plannable=True), seed=seeds)
def test_a_proved_family_claim_holds_in_every_group_that_is_drawn_and_one_of_its_moves_shows_it(
    specification: Specification, seed: int
) -> None:
    family, rng = family_of(specification), Random(seed)
    proof, prover = proof_of(family), Prover(family, BUDGET)
    for instance in groups(family, rng):
        outcome = judge(family, instance)
        for claim in proof.claims:
            if claim.settled and is_in_scope(claim.scope, outcome):
                verdict = in_group(prover, instance, outcome, claim)
                assert verdict is None or not isinstance(verdict, Refuted), claim
                assert is_shown(family, instance, outcome, claim), claim


def is_shown(family: Family, instance: Instance, outcome: Outcome, claim: FamilyClaim) -> bool:
    """Whether one of the moves of a proved necessity changes the answer of the group."""
    verdict = claim.verdict
    if claim.name is not FamilyClaimName.NECESSARY or not isinstance(verdict, FamilyProved):
        return True
    return any(moved(family, instance, outcome, move) for move in verdict.moves)


def in_group(prover: Prover, instance: Instance, outcome: Outcome, claim: FamilyClaim) -> Verdict | None:
    """The claim about one group, where there is one of the same kind."""
    family = prover.family
    if claim.name in (FamilyClaimName.NECESSARY, FamilyClaimName.MISSED):
        return necessity(prover, instance, outcome, claim.subject)
    if claim.name is FamilyClaimName.INCOMPLETE and claim.form == "omitted":
        return incomplete(prover, instance, outcome, omission(family, claim.subject))
    return None


def omission(family: Family, attribute: str) -> Incomplete:
    required = family.attribute_by_id[attribute].required
    cells = [cell for cell in family.cells if (cell.attribute, cell.context) == (attribute, required)]
    return Incomplete(attribute, dict.fromkeys(cells, NOTHING))


def moved(family: Family, instance: Instance, outcome: Outcome, move: Move) -> bool:
    """Whether the move changes the answer: of the winner; or, without one, of any candidate."""
    winner = isinstance(outcome, Winner)
    numbers = [outcome.candidate] if isinstance(outcome, Winner) else range(family.candidates)
    result = outcome.result if isinstance(outcome, Winner) else None
    question = Question(family, winner, ())
    return any(
        changes_answer(question, Case(instance.candidate(number), instance.parameters, result), move)
        for number in numbers
    )


@law(5, 200, specification=specifications("small", "large", plannable=True), seed=seeds)
def test_a_group_in_the_space_of_a_proved_mixed_claim_stands_in_all_eight_states(
    specification: Specification, seed: int
) -> None:
    family, rng = family_of(specification), Random(seed)
    proved = [claim for claim in proof_of(family).claims if claim.name is FamilyClaimName.MIXED and claim.settled]
    assume(proved)
    prover = Prover(family, BUDGET)
    for instance in (*groups(family, rng), *groups(family, rng)):
        outcome = judge(family, instance)
        for claim in proved:
            inside = [pair for pair in claim.pairs if in_space_of_mixed(family, instance, outcome, claim, pair)]
            for omitted, silent in inside[:3]:
                defect = Mixed(Misaligned(claim.subject, claim.form), omitted, silent)
                states = dict(mixed(prover, instance, outcome, defect))
                assert not any(isinstance(verdict, Refuted) for verdict in states.values()), (claim.key, defect)


# A counterexample is one in the eyes of the prover of single groups --------------------------------------------------


@example(specification=nobody_fails_at_zero())
@law(5, 200, specification=specifications("small", "large", plannable=True))
def test_a_counterexample_to_a_family_claim_refutes_it_in_that_group(specification: Specification) -> None:
    family = family_of(specification)
    prover = Prover(family, BUDGET)
    for claim in proof_of(family).claims:
        example = claim.verdict.counterexample if isinstance(claim.verdict, FamilyRefuted) else None
        if example is not None and example.instance.cells and claim.name is not FamilyClaimName.AT_MOST_ONE:
            instance = example.instance
            assert violations(family, instance) == ()
            outcome = judge(family, instance)
            assert is_in_scope(claim.scope, outcome), claim
            verdict = in_group(prover, instance, outcome, claim)
            assert verdict is None or not isinstance(verdict, Proved), claim


@law(5, 150, specification=specifications("small", "large", plannable=True))
def test_a_counterexample_to_a_coarse_reply_or_a_face_value_refutes_it_in_that_group(
    specification: Specification,
) -> None:
    family = family_of(specification)
    prover = Prover(family, BUDGET)
    for claim in proof_of(family).claims:
        example = claim.verdict.counterexample if isinstance(claim.verdict, FamilyRefuted) else None
        if example is None or not example.instance.cells or claim.scope is not Scope.WINNER:
            continue
        outcome = judge(family, example.instance)
        if claim.name is FamilyClaimName.INCOMPLETE:
            told = {
                cell: example.reply.get(cell.slot, NOTHING) if cell.candidate == 0 else NOTHING
                for cell in omission(family, claim.subject).coarse
            }
            verdict = incomplete(prover, example.instance, outcome, Incomplete(claim.subject, told))
            assert not isinstance(verdict, Proved), claim
        if claim.name is FamilyClaimName.MISALIGNED:
            verdict = misaligned(family, example.instance, outcome, Misaligned(claim.subject, claim.form))
            assert not isinstance(verdict, Proved), claim


# Small families: the same as looking at every case -------------------------------------------------------------------


@law(20, 600, specification=specifications("tiny", plannable=True), seed=seeds)
def test_a_family_verdict_is_what_looking_at_every_case_says(specification: Specification, seed: int) -> None:
    family, rng = family_of(specification), Random(seed)
    asked = Asked(family, SEARCH)
    role = rng.choice(family.roles).id
    questions = [asked.question(asked.hidden_with(role), winner=winner) for winner in (True, False)]
    name = rng.choice(family.attributes)
    questions += [reply.question for reply in replies(family, name)]
    for question in questions:
        assume(size(question) <= MOST_CASES)
        found = asked.decide(question)
        cases = list(islice(all_cases(question), MOST_CASES))
        match found:
            case Nothing():
                assert cases == []
            case Covered(moves):
                assert cases
                assert all(any(changes_answer(question, case, move) for move in moves) for case in cases)
            case Closed(case):
                assert not is_open(question, case)
                assert not all(is_open(question, each) for each in cases)
            case _:
                pass


def size(question: Question) -> int:
    cells = prod(question.family.domains[slot].size for slot in question.slots)
    return cells * prod(each.domain.size for each in question.family.parameters if each.value is None)


@law(3, 100, specification=specifications("small", plannable=True))
def test_equal_specifications_have_equal_proofs(specification: Specification) -> None:
    assert proof_of(family_of(specification)) == proof_of(family_of(specification))


test_deeply = deeply(__name__)
