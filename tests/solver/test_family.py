"""Family proofs of the shipped specifications, and of small ones whose every case can be looked at."""

from __future__ import annotations

from functools import cache

import pytest
from families import all_cases, is_open, shipped, shipped_with
from small_families import family as family_of
from small_families import nobody_fails_at_zero, small, specification

from unco.compiler.prove_family import rejection
from unco.solver.claims import necessity
from unco.solver.decide import Prover
from unco.solver.families.asked import Asked
from unco.solver.families.claim_words import assumed, claim_lines
from unco.solver.families.search import Closed, Covered, Search
from unco.solver.family import FamilyOptions, prove_claims
from unco.solver.judge import judge, violations
from unco.specs.family import Family
from unco.specs.family_proof import (
    FamilyClaim,
    FamilyClaimName,
    FamilyProof,
    FamilyProved,
    FamilyRefuted,
    FamilyUnknown,
    Method,
    Scope,
    Vacuous,
)
from unco.specs.instance import SeveralEligible, Winner
from unco.specs.verdict import Refuted

SCHOLARSHIP = "graduate-scholarship"
BETWEEN = 'plan: {winner: {between_the_limits: "household_income > lookup(income_limit, household_size)"}}'
SHIPPED = ("underground-superintendent", "reduced-fare", "trial-first-dose", SCHOLARSHIP)


@cache
def proof(name: str) -> FamilyProof:
    return prove_claims(shipped(name))


def claim(
    proof: FamilyProof, name: FamilyClaimName, subject: str, scope: Scope = Scope.WINNER, form: str = ""
) -> FamilyClaim:
    found = proof.of(name, subject, scope, form)
    assert found is not None
    return found


def verdicts(proof: FamilyProof, name: FamilyClaimName, scope: Scope = Scope.WINNER) -> dict[str, str]:
    """The verdict on each subject."""
    return {
        each.subject: type(each.verdict).__name__.removeprefix("Family")
        for each in proof.claims
        if (each.name, each.scope) == (name, scope)
    }


def text(family: Family, claim: FamilyClaim) -> str:
    return "\n".join(claim_lines(family, claim))


# The published rule set ---------------------------------------------------------------------------------------------


def test_hardship_evidence_is_refuted_by_an_income_within_the_first_limit() -> None:
    family, found = shipped(SCHOLARSHIP), claim(proof(SCHOLARSHIP), FamilyClaimName.NECESSARY, "hardship")
    assert isinstance(found.verdict, FamilyRefuted)
    assert found.verdict.counterexample is not None
    instance = found.verdict.counterexample.instance
    cells = {slot.attribute: value for slot, value in instance.candidate(0).items() if slot in family.read_slots}
    assert (
        cells["household_income"] <= [90_500, 118_000, 146_500, 174_500, 202_000, 230_000][cells["household_size"] - 1]
    )
    assert isinstance(judge(family, instance), Winner)
    assert isinstance(necessity(Prover(family), instance, judge(family, instance), "hardship"), Refuted)
    told = text(family, found)
    assert "household income (2025 annual statement): " in told
    assert "USD per year" in told


def test_hardship_evidence_is_necessary_once_the_plan_puts_the_winner_between_the_limits() -> None:
    family = shipped_with(SCHOLARSHIP, ("\nnotes:", f"\n{BETWEEN}\n\nnotes:"))
    found = claim(prove_claims(family), FamilyClaimName.NECESSARY, "hardship")
    assert isinstance(found.verdict, FamilyProved)
    assert found.planned
    assert assumed(family, found) == ("the plan of the winner",)


def test_all_other_roles_of_the_scholarship_but_the_capped_one_are_necessary_wherever_somebody_wins() -> None:
    found = verdicts(proof(SCHOLARSHIP), FamilyClaimName.NECESSARY)
    assert [role for role, verdict in found.items() if verdict != "Proved"] == ["hardship", "planning"]


def test_moves_are_told_in_the_words_of_the_author() -> None:
    family = shipped("underground-superintendent")
    found = claim(proof("underground-superintendent"), FamilyClaimName.NECESSARY, "health")
    assert text(family, found) == "move the winner's medical clearance (month: March 2026) to failed"
    found = claim(proof(SCHOLARSHIP), FamilyClaimName.INCOMPLETE, "household_income", form="interval")
    expected = "move the winner's household income (2025 annual statement) to the value at which a rule fails"
    assert text(shipped(SCHOLARSHIP), found) == expected


def test_an_open_threshold_is_met_by_a_move_to_the_threshold_itself() -> None:
    made = specification(
        parameters={"pass": {"label": "pass mark", "type": "count", "range": [2, 3]}},
        conditions={"good": "score >= pass", "licensed": "licence", "cheap": "fee <= 2"},
        attributes=specification().dump()["attributes"] | {"score": wide()},
        consistency={"close": "score >= pass - 1"},
    )
    family = family_of(made)
    found = claim(prove_claims(family), FamilyClaimName.NECESSARY, "marks")
    assert isinstance(found.verdict, FamilyProved)
    assert text(family, found).split("\n") == [
        "move the winner's score to 1,000,000",
        "move the winner's score to the pass mark",
    ]


def wide() -> dict[str, object]:
    return {"label": "score", "owner": "marks", "type": "count", "range": [0, 1_000_000]}


# What is claimed, and over which space -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_family_is_well_posed_and_has_one_outcome_for_full_evidence(name: str) -> None:
    required = [each for each in proof(name).claims if each.required]
    assert {each.name for each in required} == {FamilyClaimName.WELL_POSED, FamilyClaimName.UNIQUE}
    assert proof(name).accepted


@pytest.mark.parametrize("name", SHIPPED)
def test_domains_and_rules_alone_never_keep_the_promise(name: str) -> None:
    found = claim(proof(name), FamilyClaimName.AT_MOST_ONE, "", Scope.ALL)
    assert isinstance(found.verdict, FamilyRefuted)
    assert found.verdict.counterexample is not None
    assert not found.required
    instance = found.verdict.counterexample.instance
    assert violations(shipped(name), instance) == ()
    assert isinstance(judge(shipped(name), instance), SeveralEligible)


@pytest.mark.parametrize("name", SHIPPED)
def test_counterexamples_are_legal_groups_of_their_scope(name: str) -> None:
    family = shipped(name)
    for each in proof(name).claims:
        example = each.verdict.counterexample if isinstance(each.verdict, FamilyRefuted) else None
        if example is not None and each.name is not FamilyClaimName.AT_MOST_ONE:
            assert violations(family, example.instance) == ()
            assert isinstance(judge(family, example.instance), Winner) == (each.scope is Scope.WINNER)


def test_without_a_winner_no_single_role_is_necessary_where_two_conditions_can_fail() -> None:
    found = verdicts(proof("underground-superintendent"), FamilyClaimName.NECESSARY, Scope.NO_WINNER)
    assert set(found.values()) == {"Refuted"}


def test_a_silent_role_is_judged_as_its_necessity() -> None:
    for scope in (Scope.WINNER, Scope.NO_WINNER):
        necessary = verdicts(proof(SCHOLARSHIP), FamilyClaimName.NECESSARY, scope)
        missed = verdicts(proof(SCHOLARSHIP), FamilyClaimName.MISSED, scope)
        assert missed.items() <= necessary.items()


def test_a_face_value_that_breaks_a_consistency_rule_is_told() -> None:
    found = claim(proof(SCHOLARSHIP), FamilyClaimName.MISALIGNED, "remaining_terms", form="proposed plan of study")
    assert isinstance(found.verdict, FamilyRefuted)
    assert "remote_within_remaining: the consistency rule does not hold" in text(shipped(SCHOLARSHIP), found)


def test_a_face_value_that_can_fail_no_condition_proves_nothing() -> None:
    found = claim(proof(SCHOLARSHIP), FamilyClaimName.MISALIGNED, "household_income", form="latest monthly statement")
    assert isinstance(found.verdict, Vacuous)


def test_mixed_follows_whether_or_not_the_face_value_leaves_the_winner_eligible() -> None:
    found = [each for each in proof("underground-superintendent").claims if each.name is FamilyClaimName.MIXED]
    assert {each.subject for each in found} == {"clearance", "certificate", "rescue_hours", "relocation_grant"}
    assert all(isinstance(each.verdict, FamilyProved) and each.verdict.method is Method.IMPLIED for each in found)
    owner = {each.id: each.owner for each in shipped("underground-superintendent").attributes}
    assert all(each.pairs for each in found)
    assert all(len({owner[each.subject], owner[name], role}) == 3 for each in found for name, role in each.pairs)


# An empty space ------------------------------------------------------------------------------------------------------


def test_a_plan_that_nobody_can_meet_makes_every_claim_about_winners_vacuous() -> None:
    family = family_of(specification(plan={"winner": {"never": "score < 2"}}))
    found = prove_claims(family)
    assert not found.accepted
    assert [each.scope for each in found.vacuous] == [Scope.WINNER]
    about_winners = [
        each.verdict for each in found.claims if each.scope is Scope.WINNER and each.name is FamilyClaimName.NECESSARY
    ]
    assert about_winners
    assert all(isinstance(each, Vacuous) for each in about_winners)


def test_thresholds_for_which_nobody_can_win_are_named() -> None:
    made = specification(
        parameters={"pass": {"label": "pass mark", "type": "count", "range": [1, 5]}},
        conditions={"good": "score >= pass", "licensed": "licence", "cheap": "fee <= 2"},
    )
    family = family_of(made)
    found = claim(prove_claims(family), FamilyClaimName.WELL_POSED, "")
    assert isinstance(found.verdict, FamilyRefuted)
    assert found.verdict.counterexample is not None
    assert found.verdict.counterexample.instance.parameters["pass"] > 3
    assert text(family, found).startswith("no candidate can win as planned\npass mark: ")
    refused = rejection(family, prove_claims(family))
    assert refused is not None
    assert (refused.code, refused.detail) == (
        "UNC512",
        "no candidate can win as planned for some values of the thresholds",
    )


def test_a_claim_about_winners_is_about_thresholds_for_which_the_others_can_fail() -> None:
    family = family_of(nobody_fails_at_zero())
    found = prove_claims(family)
    losing = claim(found, FamilyClaimName.WELL_POSED, "", Scope.NO_WINNER)
    assert isinstance(losing.verdict, FamilyRefuted)
    assert "pass mark: 0" in text(family, losing)
    assert isinstance(claim(found, FamilyClaimName.NECESSARY, "marks").verdict, FamilyProved)
    office = claim(found, FamilyClaimName.NECESSARY, "office").verdict
    assert isinstance(office, FamilyRefuted)
    assert office.counterexample is not None
    assert isinstance(judge(family, office.counterexample.instance), Winner)


def test_where_nobody_can_fail_no_claim_is_about_a_winner() -> None:
    family = family_of(specification(conditions={"good": "score >= 0 or licence"}))
    found = prove_claims(family)
    assert {each.scope for each in found.vacuous} == {Scope.NO_WINNER}
    about = [each.verdict for each in found.claims if each.name in (FamilyClaimName.NECESSARY, FamilyClaimName.MISSED)]
    assert about
    assert all(isinstance(each, Vacuous) for each in about)


def test_a_role_that_must_be_necessary_and_is_not_rejects_the_specification() -> None:
    roles = specification().dump()["roles"]
    for must, accepted in (("with_winner", True), ("always", False), ("computed", True)):
        made = specification(roles=roles | {"office": roles["office"] | {"necessary": must}})
        assert prove_claims(family_of(made)).accepted is accepted


def test_what_the_budget_does_not_decide_is_unknown_and_says_what_would() -> None:
    found = prove_claims(shipped(SCHOLARSHIP), FamilyOptions(rlimit=1))
    undecided = [each.verdict for each in found.claims if isinstance(each.verdict, FamilyUnknown)]
    assert any("budget" in each.decides and "resource units" in each.reason for each in undecided)
    assert not found.accepted


# Groups of members ---------------------------------------------------------------------------------------------------


def household(condition: str, formula: str = "fee + size") -> Family:
    """Up to three members with an age each, all told by one desk."""
    sections = specification().dump()
    made = specification(
        groups={"member": {"label": "member", "size": "size", "maximum": 3}},
        attributes=sections["attributes"]
        | {
            "size": {"label": "size", "owner": "marks", "type": "count", "range": [1, 3]},
            "age": {"label": "age", "owner": "marks", "type": "count", "range": [0, 3], "per": "member"},
        },
        conditions={"some": condition, "licensed": "licence", "good": "score >= 1"},
        calculation=sections["calculation"] | {"formula": formula},
    )
    return family_of(made)


@pytest.mark.parametrize(
    "condition", ["any(member, age >= 2)", "count(member, age >= 2) >= 2", "all(member, age <= 2)"]
)
def test_cells_of_members_move_together(condition: str) -> None:
    family = household(condition)
    asked = Asked(family, Search(3_000_000))
    hidden = tuple(slot for slot in asked.hidden_with("marks") if slot.attribute != "score")
    question = asked.question(hidden, winner=True)
    found = asked.decide(question)
    assert isinstance(found, Covered | Closed)
    everywhere = all(is_open(question, case) for case in all_cases(question))
    assert isinstance(found, Covered) == everywhere


def test_a_move_of_the_size_takes_the_members_with_it() -> None:
    family = household("all(member, age <= 2)")
    found = claim(prove_claims(family), FamilyClaimName.NECESSARY, "marks")
    assert isinstance(found.verdict, FamilyProved)


# Small families: the same as looking at every case --------------------------------------------------------------------


@pytest.mark.parametrize("winner", [True, False])
@pytest.mark.parametrize("role", ["marks", "office", "till"])
def test_a_verdict_on_a_small_family_is_what_looking_at_every_case_says(role: str, winner: bool) -> None:
    asked = Asked(small(), Search(3_000_000))
    question = asked.question(asked.hidden_with(role), winner=winner)
    cases = list(all_cases(question))
    assert cases
    assert isinstance(asked.decide(question), Covered) == all(is_open(question, case) for case in cases)
