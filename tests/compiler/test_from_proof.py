"""Building from the proof of the family: its moves are the witnesses, what it does not settle is told, and the solver
looks again at a sample.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from tests.rendered_groups import FACTS, SUPERINTENDENT, candidate_group, family_of
from tests.runs import OPTIONS, QUICK, families, family
from tests.small_families import all_instances, instance_of, specification
from tests.small_families import family as made_of
from unco.compiler import audit as auditing
from unco.compiler import run as running
from unco.compiler.audit import audit, is_audited, resting_on_family
from unco.compiler.build import BuildOptions
from unco.compiler.executor import SerialExecutor
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.pipeline import Chunk, Retained, run_chunk
from unco.compiler.planning.pins import load_pins
from unco.compiler.prove import Proof, ProveOptions, prove
from unco.compiler.prove_families import prove_families
from unco.solver.closed import closed, untouched
from unco.solver.decide import Prover, Unsat
from unco.solver.families.moving import values_of
from unco.solver.families.question import Case
from unco.solver.family import prove_claims
from unco.solver.from_proof import FromProof
from unco.solver.judge import judge, violations
from unco.solver.queries import another_answer
from unco.specs.errors import InconsistencyError, UsageError
from unco.specs.evidence import full
from unco.specs.expression import Constant
from unco.specs.family import Cell, Family
from unco.specs.family_proof import FamilyClaim, FamilyClaimName, FamilyProof, FamilyProved, Move, Scope
from unco.specs.group import CandidateGroup
from unco.specs.instance import NoWinner, SeveralEligible, Winner
from unco.specs.verdict import Claim, ClaimName, Engine, Proved, Refuted

FAMILY = family_of(SUPERINTENDENT)
MUTE = Prover(FAMILY, asks=False)
PLANNED = specification(
    parameters={"pass": {"label": "pass mark", "type": "count", "range": [0, 2], "value": 1}},
    conditions={"good": "score >= pass", "licensed": "licence", "cheap": "fee <= 2"},
    plan={"winner": {"strong": "score >= 2"}},
)
"""A threshold with a value, and a plan of the winner."""


@cache
def proof_of(made: Family) -> FamilyProof:
    return prove_claims(made)


@cache
def groups() -> tuple[CandidateGroup, ...]:
    return tuple(candidate_group(SUPERINTENDENT, index) for index in range(8))


def from_proof(group: CandidateGroup, proof: FamilyProof | None = None) -> Proof:
    """The claims of a group with the family's proof, by a prover that never asks the solver."""
    return prove(FAMILY, group, QUICK, MUTE, proof or proof_of(FAMILY))


def engines(proof: Proof, name: ClaimName) -> set[Engine]:
    return {each.verdict.engine for each in proof.claims if each.name is name and isinstance(each.verdict, Proved)}


def verdicts(proof: Proof) -> Mapping[tuple[str, str], type]:
    return {(each.name.value, each.subject): type(each.verdict) for each in proof.claims}


def with_moves(proof: FamilyProof, *moves: Move) -> FamilyProof:
    """The proof with these moves in place of those of every necessity."""

    def changed(claim: FamilyClaim) -> FamilyClaim:
        verdict = claim.verdict
        if claim.name is not FamilyClaimName.NECESSARY or not isinstance(verdict, FamilyProved):
            return claim
        return replace(claim, verdict=replace(verdict, moves=moves))

    return replace(proof, claims=tuple(map(changed, proof.claims)))


# Witnesses -----------------------------------------------------------------------------------------------------------


def test_a_claim_that_is_proved_for_every_group_is_shown_by_the_first_move_that_works() -> None:
    shown = 0
    for group in (group for group in groups() if isinstance(group.outcome, Winner)):
        winner = group.outcome.candidate  # type: ignore[union-attr]
        case = Case(group.instance.candidate(winner), group.instance.parameters, None)
        for claim in from_proof(group).claims:
            if claim.name is not ClaimName.NECESSARY or not isinstance(claim.verdict, Proved):
                continue
            assert claim.verdict.engine is Engine.FAMILY
            assert claim.verdict.witness is not None
            of_family = proof_of(FAMILY).of(FamilyClaimName.NECESSARY, claim.subject, Scope.WINNER)
            assert of_family is not None
            assert isinstance(of_family.verdict, FamilyProved)
            tried = [values_of(FAMILY, case, move) for move in of_family.verdict.moves]
            moved = [{Cell(winner, *slot): value for slot, value in (each or {}).items()} for each in tried]
            working = [changes for changes in moved if changes and works(group, changes)]
            assert group.instance.changed(claim.verdict.witness.changes) == group.instance.changed(working[0])
            assert claim.verdict.because == f"move {moved.index(working[0]) + 1} of {len(moved)}"
            shown += 1
    assert shown > 20


def works(group: CandidateGroup, changes: Mapping[Cell, object]) -> bool:
    after = group.instance.changed(changes)  # type: ignore[arg-type]
    found = judge(FAMILY, after)
    return not violations(FAMILY, after) and found != group.outcome and not isinstance(found, SeveralEligible)


def test_a_group_with_the_proof_has_the_verdicts_that_it_has_without() -> None:
    for group in groups():
        assert verdicts(from_proof(group)) == verdicts(prove(FAMILY, group, QUICK))


def test_what_the_proof_settles_needs_no_solver() -> None:
    for group in groups():
        proof = from_proof(group)
        won = isinstance(group.outcome, Winner)
        assert proof.outside == ""
        assert engines(proof, ClaimName.NECESSARY) == ({Engine.FAMILY} if won else {Engine.MOVE})
        assert engines(proof, ClaimName.NO_ORACLE) == {Engine.IMPLIED}
        assert engines(proof, ClaimName.INCOMPLETE) == ({Engine.FAMILY} if won else {Engine.MOVE})


def test_no_move_that_works_is_a_bug_of_ours() -> None:
    won = next(group for group in groups() if isinstance(group.outcome, Winner))
    slot = next(slot for slot in FAMILY.slots if slot.attribute == "clearance")
    idle = Move(((slot, Constant(won.instance.cells[Cell(won.outcome.candidate, *slot)], FAMILY.domains[slot].type)),))  # type: ignore[union-attr]
    for moves in ((), (idle,)):
        with pytest.raises(InconsistencyError, match=f"none of the {len(moves)} moves works"):
            from_proof(won, with_moves(proof_of(FAMILY), *moves))


def test_a_proof_of_another_family_is_refused() -> None:
    with pytest.raises(UsageError, match="another specification"):
        from_proof(groups()[0], replace(proof_of(FAMILY), digest="other"))


def test_every_necessity_and_oracle_of_a_small_family_is_settled_as_it_is() -> None:
    """Also without a winner, where a move makes somebody eligible."""
    made, rng, seen = made_of(PLANNED), Random(4), 0
    legal = [each for each in all_instances(made, {"pass": 1}) if not isinstance(judge(made, each), SeveralEligible)]
    for instance in rng.sample(legal, 120):
        found = FromProof(made, proof_of(made), instance, judge(made, instance))
        for role in made.roles:
            for shown, evidence in (
                (found.necessity(role.id), found.without(role.id)),
                (found.no_oracle(role.id), found.alone(role.id)),
            ):
                if shown is not None and shown.witness is not None:
                    after = instance.changed(shown.witness.changes)
                    assert judge(made, after) == shown.witness.outcome != judge(made, instance)
                    assert all(after.cells[cell] == instance.cells[cell] for cell in evidence.known)
                    seen += 1
        if found.outside:
            assert all(found.necessity(role.id) is None for role in made.roles)
    assert seen > 40


# Outside of the space ------------------------------------------------------------------------------------------------


def test_a_winner_who_is_not_as_planned_lies_outside_and_nothing_of_the_proof_is_used() -> None:
    made = made_of(PLANNED)
    weak = instance_of(made, (1, True, 1, 1), (0, True, 1, 1), **{"pass": 1})
    found = FromProof(made, proof_of(made), weak, judge(made, weak))
    assert found.outside == "Ash wins, but not as planned: `strong` of `plan.winner` does not hold of Ash"
    assert found.necessity("marks") is None
    strong = instance_of(made, (2, True, 1, 1), (0, True, 1, 1), **{"pass": 1})
    within = FromProof(made, proof_of(made), strong, judge(made, strong))
    assert within.outside == ""
    assert within.necessity("marks") is not None


def test_a_threshold_that_has_not_its_value_lies_outside_with_and_without_a_winner() -> None:
    made = made_of(PLANNED)
    for instance in (
        instance_of(made, (2, True, 1, 1), (0, True, 1, 1), **{"pass": 2}),
        instance_of(made, (0, True, 1, 1), (0, False, 1, 1), **{"pass": 2}),
    ):
        found = FromProof(made, proof_of(made), instance, judge(made, instance))
        assert found.outside == "pass mark is 2, and the family proof holds where it is 1"
        assert found.necessity("marks") is found.no_oracle("marks") is None


def test_pinned_facts_outside_are_decided_one_by_one_and_told(tmp_path: Path) -> None:
    """The plan asks for more years than the paper's own winner has."""
    pins = load_pins(FAMILY, FACTS)
    group = instantiate(FAMILY, 0, InstantiateOptions(seed=1, pins=pins))
    assert isinstance(group, CandidateGroup)
    assert from_proof(group).outside == ""
    (rule,) = [each for each in FAMILY.conditions if each.id == FAMILY.conditions[0].id]
    never = replace(rule, id="never", expression=Constant(False, rule.expression.type))  # type: ignore[union-attr]
    narrow = replace(FAMILY, plan=replace(FAMILY.plan, winner=(never,)), digest="narrow")
    proof = prove(narrow, group, QUICK, Prover(narrow), replace(proof_of(FAMILY), digest="narrow"))
    assert "`never` of `plan.winner` does not hold" in proof.outside
    assert proof.accepted
    assert Engine.FAMILY not in engines(proof, ClaimName.NECESSARY) | engines(proof, ClaimName.INCOMPLETE)


# Audit ---------------------------------------------------------------------------------------------------------------


def test_the_sample_depends_on_specification_seed_and_index_alone() -> None:
    drawn = [index for index in range(20_000) if is_audited("digest", 3, index, 100)]
    assert 120 < len(drawn) < 280
    assert drawn != [index for index in range(20_000) if is_audited("digest", 4, index, 100)]
    assert drawn[0] == 0
    assert all(is_audited("digest", 3, index, 1) for index in range(50))
    assert not any(is_audited("digest", 3, index, 0) for index in range(50))


def test_an_audit_asks_the_solver_about_every_claim_that_rests_on_the_proof() -> None:
    won = next(group for group in groups() if isinstance(group.outcome, Winner))
    proof = from_proof(won)
    names = [claim.name for claim in resting_on_family(proof)]
    assert set(names) == {ClaimName.NECESSARY, ClaimName.NO_ORACLE, ClaimName.MISSED, ClaimName.INCOMPLETE}
    assert len(names) == 2 * len(FAMILY.roles) + 2
    assert audit(FAMILY, won, proof, Prover(FAMILY)) == auditing.Audit(len(names), 0)
    assert audit(FAMILY, won, proof, MUTE) == auditing.Audit(len(names), len(names))


def test_a_solver_that_disagrees_stops_the_run_as_a_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "_evidence", lambda family, group, claim: full(group.instance))
    with pytest.raises(InconsistencyError, match="audit of group 0 of second-crane"):
        running.run(families(), replace(OPTIONS, groups=1), tmp_path / "out")
    assert not (tmp_path / "out" / "manifest.json").exists()
    silent = ProveOptions(sufficient=False, audit=0)
    running.run([family()], BuildOptions(1, prove=silent), tmp_path / "unaudited")


def test_a_chunk_audits_what_is_in_the_sample_and_nothing_without_a_proof() -> None:
    every = ProveOptions(sufficient=False, audit=1)
    for options, proof, wanted in ((every, proof_of(family()), True), (every, None, False), (QUICK, None, False)):
        made = run_chunk(Chunk(family(), (1, 2), InstantiateOptions(), options, proof))
        assert [isinstance(each, Retained) and each.audit is not None for each in made] == [wanted] * 2


# What is told --------------------------------------------------------------------------------------------------------


def test_the_manifest_says_what_is_settled_and_what_is_decided_in_each_group(quick: None, tmp_path: Path) -> None:
    summary = running.run(families(), OPTIONS, tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["audit"] == 1_000
    for each in families():
        told = manifest["specifications"][each.name]["family_proof"]
        assert told == summary.family_proofs[each.name]
        assert told["sha256"] == manifest["files"][f"proofs/{each.digest}.json"]
        stored = json.loads((tmp_path / "proofs" / f"{each.digest}.json").read_text())
        assert told["claims"] == len(stored["claims"])
        assert told["proved"] == sum(claim["verdict"] == "Proved" for claim in stored["claims"])
        by_hand = {(entry["claim"], entry["groups"]) for entry in told["case_by_case"]}
        assert ("Mixed is valid", "every instance") in by_hand
        assert ("role necessity", "without a winner") in by_hand
        assert ("role necessity", "with a winner") not in by_hand
        assert told["outside"] == {"groups": 0, "first": ""}
        assert told["audit"]["groups"] == 1
        assert told["audit"]["undecided"] == 0
    audited = [found["audit"]["claims"] for found in summary.family_proofs.values()]
    assert audited[0] == 0 < audited[1], "nobody wins the first group of the first family, so nothing is settled there"


def test_a_required_claim_that_is_refuted_for_the_family_is_told_and_what_stands_is_built() -> None:
    always = tuple(replace(role, necessary="always") for role in family().roles)
    strict = replace(family(), roles=always, digest="strict")
    (proved,) = prove_families([strict], QUICK, SerialExecutor())
    assert proved.settled["rejection"]["code"] == "UNC503"
    made = run_chunk(Chunk(strict, tuple(range(6)), InstantiateOptions(), QUICK, proved.proof))
    assert any(isinstance(each, Retained) for each in made)
    assert any(not isinstance(each, Retained) and each.code == "UNC503" for each in made)


def test_a_run_goes_on_with_an_equal_proof_or_not_at_all(
    quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.run(families(), OPTIONS, tmp_path)
    honest = running.prove_families

    def others(*arguments: object) -> object:
        first, *rest = honest(*arguments)  # type: ignore[arg-type]
        return replace(first, settled={**first.settled, "sha256": "0" * 64}), *rest

    monkeypatch.setattr(running, "prove_families", others)
    assert running.run(families(), OPTIONS, tmp_path).family_proofs
    with pytest.raises(InconsistencyError, match=f"another family proof .* than now .{'0' * 64}"):
        running.run(families(), replace(OPTIONS, groups=OPTIONS.groups + 1), tmp_path)


# Closed by evaluation ------------------------------------------------------------------------------------------------


def test_what_evaluation_calls_closed_the_solver_calls_closed() -> None:
    """Over instances and hidden roles of a small family; both ways of closing are met, with and without a winner."""
    made, rng = made_of(specification(conditions={"good": "score >= 2 or licence", "cheap": "fee <= 2"})), Random(9)
    prover, met = Prover(made), set()
    drawn = [(each, judge(made, each)) for each in rng.sample(all_instances(made), 200)]
    for instance, outcome in drawn:
        if isinstance(outcome, SeveralEligible):
            continue
        for role in made.roles:
            evidence = full(instance).hiding(made.cells_of(role.id))
            ways = (untouched(made, instance, evidence, outcome), closed(made, instance, evidence, outcome))
            if any(ways):
                assert isinstance(prover.decide_warm(another_answer(made, evidence, outcome, promise=True)), Unsat)
            met.add((*ways, isinstance(outcome, NoWinner)))
    assert {(False, True, False), (True, True, True), (False, False, True), (False, False, False)} <= met


def test_an_unnecessary_role_is_shown_without_the_solver() -> None:
    nobody = next(group for group in groups() if isinstance(group.outcome, NoWinner))
    found: list[Claim] = [each for each in from_proof(nobody).claims if each.name is ClaimName.NECESSARY]
    refuted = [each.verdict for each in found if not isinstance(each.verdict, Proved)]
    assert refuted
    assert all(isinstance(each, Refuted) and each.engine is Engine.EVALUATION for each in refuted)
