"""Faults that a family proof may meet: hard questions, threads, contradictions, a killed worker."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import z3
from small_families import family as family_of
from small_families import small, specification

from unco.compiler.executor import ProcessExecutor, call
from unco.compiler.prove_family import rejection
from unco.solver.family import FamilyOptions, family_claims, prove_claims
from unco.specs.errors import InfrastructureError
from unco.specs.family import Family
from unco.specs.family_proof import FamilyClaimName, FamilyProof, FamilyProved, FamilyUnknown, Scope, Vacuous

SECTIONS = specification().dump()
BUDGET = 50_000


def cubes() -> Family:
    """Whether three cubes can add up to 42 is a question that took sixty years."""
    numbers = {
        name: {"label": f"number {name}", "owner": "marks", "type": "decimal", "range": ["-1000000", "1000000"]}
        for name in "abc"
    }
    rule = "a * a * a + b * b * b + c * c * c == 42"
    return family_of(
        specification(
            attributes=SECTIONS["attributes"] | numbers,
            conditions=SECTIONS["conditions"] | {"hard": rule},
            limits=SECTIONS["limits"] | {"conditions": [1, 5]},
        )
    )


# S9 ------------------------------------------------------------------------------------------------------------------


def test_a_hard_family_is_unknown_with_its_reason_and_no_model_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    check, model, gave_up = z3.Solver.check, z3.Solver.model, set[int]()

    def checked(solver: Any, *assumed: Any) -> Any:
        outcome = check(solver, *assumed)
        (gave_up.add if outcome == z3.unknown else gave_up.discard)(id(solver))
        return outcome

    def read(solver: Any) -> Any:
        assert id(solver) not in gave_up, "a model was read after unknown"
        return model(solver)

    monkeypatch.setattr(z3.Solver, "check", checked)
    monkeypatch.setattr(z3.Solver, "model", read)
    found = prove_claims(cubes(), FamilyOptions(BUDGET))
    posed = found.of(FamilyClaimName.WELL_POSED, "")
    assert posed is not None
    assert isinstance(posed.verdict, FamilyUnknown)
    assert f"{BUDGET:,} resource units" in posed.verdict.reason
    assert "--rlimit" in posed.verdict.decides
    assert posed.verdict.rlimit > 0
    assert gave_up
    assert not found.accepted
    refused = rejection(cubes(), found)
    assert refused is not None
    assert refused.code == "UNC510"


def test_what_is_unknown_of_a_family_is_settled_for_no_group() -> None:
    found = prove_claims(cubes(), FamilyOptions(BUDGET))
    undecided = [claim for claim in found.claims if isinstance(claim.verdict, FamilyUnknown)]
    assert {claim.scope for claim in undecided} >= {Scope.WINNER}
    assert not any(claim.settled or claim.pairs for claim in undecided)


# S11 -----------------------------------------------------------------------------------------------------------------


def test_eight_threads_prove_a_family_as_one_does() -> None:
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(prove_claims, [small()] * 8))
    assert together == [prove_claims(small())] * 8


# S14 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sections",
    [
        {"consistency": {"high": "score >= 2", "low": "score <= 1"}},
        {"consistency": {"high": "score >= 2"}, "plan": {"winner": {"low": "score <= 1"}}},
        {"conditions": SECTIONS["conditions"] | {"bad": "score <= 1"}},
    ],
    ids=["consistency rules", "a plan and a rule", "conditions"],
)
def test_a_contradiction_proves_nothing(sections: dict[str, Any]) -> None:
    limits = SECTIONS["limits"] | {"conditions": [1, 5]}
    family = family_of(specification(**({"limits": limits} | sections)))
    found = prove_claims(family)
    assert not found.accepted
    refused = rejection(family, found)
    assert refused is not None
    assert refused.code == "UNC512"
    about_winners = [claim for claim in found.claims if claim.scope is Scope.WINNER]
    assert all(not isinstance(claim.verdict, FamilyProved) for claim in about_winners)
    if "conditions" not in sections and "plan" not in sections:
        assert all(isinstance(claim.verdict, Vacuous) for claim in found.claims)


# S23 -----------------------------------------------------------------------------------------------------------------


def prove_and_die(work: tuple[Path, int]) -> FamilyProof:
    """Kills its worker in the midst of a proof, so many times."""
    folder, times = work
    for number, _ in enumerate(family_claims(small())):
        if number == 7 and len(list(folder.iterdir())) < times:
            (folder / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return prove_claims(small())


def test_the_proof_of_a_killed_worker_is_done_again_with_the_same_outcome(tmp_path: Path) -> None:
    found = call(prove_and_die, (tmp_path, 1), ProcessExecutor())
    assert len(list(tmp_path.iterdir())) == 1
    assert found == prove_claims(small())


def test_a_proof_whose_workers_are_always_killed_is_no_verdict(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="killed"):
        call(prove_and_die, (tmp_path, 100), ProcessExecutor())
