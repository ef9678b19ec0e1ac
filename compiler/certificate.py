"""Certificates: what a stranger needs to check a proof again, beside the rules of the specification."""

from __future__ import annotations

from typing import Any

from unco.compiler.canonical import canonical_hash
from unco.compiler.prove import Proof
from unco.solver.smtlib.instances import rejection_query
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.stored import store_claim, store_group


def certificate(family: Family, group: CandidateGroup, proof: Proof) -> dict[str, Any]:
    """The instance, its claims with their witnesses, and the hashes of the specification and of its rules as a tree.

    Of a rejected group also the question that was answered UNSAT, where one was.
    """
    failed = next((claim for claim in proof.claims if not claim.stands), None)
    query = {} if failed is None else {"query": rejection_query(family, group, failed)}
    return {
        "specification": family.name,
        "digest": family.digest,
        "canonical": canonical_hash(family),
        "instance": store_group(group),
        "claims": [store_claim(claim) for claim in proof.claims],
        "outside_family_proof": proof.outside or None,
        "smallest_sufficient_cells": [list(cell) for cell in proof.sufficient],
        **query,
    }
