"""The same proof with other seeds and orders."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from families import shipped
from small_families import small

from unco.solver import stability as stability_module
from unco.solver.family import FamilyOptions, prove_claims
from unco.solver.stability import reordered, stability
from unco.specs.errors import InconsistencyError
from unco.specs.family import Family
from unco.specs.family_proof import FamilyProof, FamilyProved, FamilyRefuted, FamilyUnknown, Method


def test_another_order_of_facts_and_rules_is_another_order_of_the_same() -> None:
    family = shipped("graduate-scholarship")
    other = reordered(family, Random(1))
    for part in ("attributes", "conditions", "roles", "parameters"):
        assert sorted(map(repr, getattr(other, part))) == sorted(map(repr, getattr(family, part)))
    assert other.attributes != family.attributes
    assert other.consistency == family.consistency


def test_seeds_and_orders_change_no_verdict_and_their_resources_are_told() -> None:
    family, options = shipped("underground-superintendent"), FamilyOptions()
    found = stability(family, prove_claims(family, options), options, 2)
    assert found.runs == 2
    assert found.changed == ()
    assert all(each.least <= each.median <= each.most for each in found.claims)
    assert any(each.least < each.most for each in found.claims)


def test_a_verdict_that_changes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget that some runs meet and others do not."""
    true = prove_claims

    def unlucky(family: Family, options: FamilyOptions | None = None) -> FamilyProof:
        proof = true(family, options)
        first, *rest = proof.claims
        return replace(proof, claims=(replace(first, verdict=FamilyUnknown("spent", "more")), *rest))

    proof = true(small())
    monkeypatch.setattr(stability_module, "prove_claims", unlucky)
    (changed,) = stability(small(), proof, FamilyOptions(), 1).changed
    assert changed.verdicts == ("FamilyProved", "FamilyUnknown")


def test_a_claim_that_is_proved_and_refuted_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    true = prove_claims

    def wrong(family: Family, options: FamilyOptions | None = None) -> FamilyProof:
        proof = true(family, options)
        claims = [
            replace(each, verdict=FamilyRefuted(Method.QUERY, None)) if isinstance(each.verdict, FamilyProved) else each
            for each in proof.claims
        ]
        return replace(proof, claims=tuple(claims))

    proof = true(small())
    monkeypatch.setattr(stability_module, "prove_claims", wrong)
    with pytest.raises(InconsistencyError, match="proved in one run, refuted in another"):
        stability(small(), proof, FamilyOptions(), 1)
