"""prove: every claim of a group, the code of what fails, and what it takes to pass."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from tests.rendered_groups import FACTS, SUPERINTENDENT, candidate_group, family_of
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.planning.pins import load_pins
from unco.compiler.prove import Proof, ProveOptions, prove
from unco.solver.claims import face_values
from unco.solver.decide import Prover
from unco.solver.judge import judge
from unco.specs.errors import UsageError
from unco.specs.evidence import Between, Exact
from unco.specs.family import Cell
from unco.specs.group import CandidateGroup, Incomplete, Misaligned, Missed
from unco.specs.instance import NoWinner, SeveralEligible, Winner
from unco.specs.verdict import ClaimName, Engine, Promise, Proved, Refuted, Unknown

FAMILY = family_of(SUPERINTENDENT)
QUICK = ProveOptions(sufficient=False)


@cache
def paper() -> CandidateGroup:
    group = instantiate(FAMILY, 0, InstantiateOptions(seed=1, pins=load_pins(FAMILY, FACTS)))
    assert isinstance(group, CandidateGroup)
    return group


def code(group: CandidateGroup) -> str:
    proof = prove(FAMILY, group, QUICK)
    assert not proof.accepted
    return proof.rejection("r1", 0).code


def claim(proof: Proof, name: ClaimName) -> object:
    return next(each.verdict for each in proof.claims if each.name is name)


def test_the_papers_case_comes_out_exactly() -> None:
    group, proof = paper(), prove(FAMILY, paper())
    assert proof.accepted
    assert group.instance.names[0] == "Marcus Vance"
    assert group.outcome == Winner(0, 60_000)
    assert group.misaligned == Misaligned("clearance", "April 2026")
    read = group.instance.changed(face_values(FAMILY, group.instance, group.misaligned))
    assert judge(FAMILY, read) == NoWinner()
    assert group.incomplete is not None
    assert group.incomplete.coarse[Cell(0, "hardrock_years", 0, "")] == Between(5, 30)
    open_ = claim(proof, ClaimName.INCOMPLETE)
    assert isinstance(open_, Proved)
    assert open_.witness is not None
    assert open_.witness.outcome == NoWinner()
    assert set(proof.necessary_roles) == {role.id for role in FAMILY.roles}


def test_every_claim_of_the_design_is_there_with_its_promise() -> None:
    proof = prove(FAMILY, paper())
    promises = {each.name: each.promise for each in proof.claims}
    missing = set(ClaimName) - set(promises) - ({ClaimName.MIXED} if paper().mixed is None else set())
    assert not missing
    assert promises[ClaimName.LEGAL] is promises[ClaimName.UNIQUE] is Promise.NOT_ASSUMED
    assert promises[ClaimName.SUFFICIENT] is Promise.GIVEN
    for name in (ClaimName.NECESSARY, ClaimName.NO_ORACLE, ClaimName.MISALIGNED, ClaimName.INCOMPLETE):
        assert promises[name] is Promise.KEPT


@pytest.mark.parametrize("wrong", [NoWinner(), Winner(0, 60_001), Winner(1, 60_000), SeveralEligible((0, 1))])
def test_a_gold_answer_that_the_rules_do_not_give_is_rejected(wrong: NoWinner | Winner | SeveralEligible) -> None:
    assert code(replace(paper(), outcome=wrong)) == "UNC502"


def test_what_is_not_a_whole_legal_instance_is_rejected_and_nothing_else_is_claimed() -> None:
    instance = paper().instance
    for cells in ({}, {**instance.cells, Cell(0, "rescue_hours", 0, "2025 calendar year"): 63}):
        proof = prove(FAMILY, replace(paper(), instance=replace(instance, cells=cells)))
        assert [each.name for each in proof.claims] == [ClaimName.LEGAL]
        assert proof.rejection("r1", 0).code == "UNC501"


def test_a_setting_that_is_offered_and_absent_is_rejected() -> None:
    assert code(replace(paper(), misaligned=None)) == "UNC505"
    assert code(replace(paper(), incomplete=None)) == "UNC506"
    assert code(replace(paper(), missed=None)) == "UNC507"


def test_a_defect_that_does_not_mislead_is_rejected() -> None:
    group = paper()
    assert group.incomplete is not None
    exact = {cell: Exact(group.instance.cells[cell]) for cell in group.incomplete.coarse}
    partial = dict(list(group.incomplete.coarse.items())[:1])
    assert code(replace(group, misaligned=Misaligned("clearance", "March 2026"))) == "UNC505"
    assert code(replace(group, incomplete=Incomplete("hardrock_years", exact))) == "UNC506"
    assert code(replace(group, incomplete=Incomplete("hardrock_years", partial))) == "UNC506"


def test_a_role_that_must_be_necessary_and_is_not_is_rejected() -> None:
    always = tuple(replace(role, necessary="always") for role in FAMILY.roles)
    nobody = next(
        group for i in range(9) if isinstance((group := candidate_group(SUPERINTENDENT, i)).outcome, NoWinner)
    )
    proof = prove(replace(FAMILY, roles=always, digest="other"), nobody, QUICK)
    assert proof.rejection("r1", 0).code == "UNC503"
    with_winner = tuple(replace(role, necessary="with_winner") for role in FAMILY.roles)
    assert prove(replace(FAMILY, roles=with_winner, digest="another"), nobody, QUICK).accepted


def test_an_undecided_claim_is_its_own_code_and_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unco.solver.claims.first_move", lambda *_, **__: None)
    proof = prove(FAMILY, paper(), QUICK, Prover(FAMILY, asks=False))
    assert not proof.accepted
    assert proof.rejection("r1", 0).code == "UNC510"
    assert proof.necessary_roles == ()


def test_missed_is_implied_by_the_role_that_is_silent() -> None:
    group, proof = replace(paper(), missed=Missed("health")), prove(FAMILY, replace(paper(), missed=Missed("health")))
    necessity = next(each for each in proof.claims if (each.name, each.subject) == (ClaimName.NECESSARY, "health"))
    missed = claim(proof, ClaimName.MISSED)
    assert isinstance(missed, Proved)
    assert isinstance(necessity.verdict, Proved)
    assert group.missed
    assert missed.engine is Engine.IMPLIED
    assert missed.witness == necessity.verdict.witness


def test_the_proof_does_not_depend_on_what_the_prover_did_before() -> None:
    shared = Prover(FAMILY)
    groups = [candidate_group(SUPERINTENDENT, index) for index in range(3)]
    apart = [prove(FAMILY, group) for group in groups]
    together = [prove(FAMILY, group, prover=shared) for group in reversed(groups)][::-1]
    assert [_shown(each) for each in apart] == [_shown(each) for each in together]


def _shown(proof: Proof) -> list[tuple[object, ...]]:
    """The claims without resource use."""
    return [
        (each.name, each.subject, type(each.verdict), getattr(each.verdict, "witness", None)) for each in proof.claims
    ]


def test_an_accepted_group_has_no_rejection() -> None:
    assert not isinstance(claim(prove(FAMILY, paper()), ClaimName.SUFFICIENT), Refuted | Unknown)
    with pytest.raises(UsageError):
        prove(FAMILY, paper(), QUICK).rejection("r1", 0)
