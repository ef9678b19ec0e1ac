"""prove_families: the families of a build, each proved once, and what that leaves to be decided in each group."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from unco.compiler.executor import Executor
from unco.compiler.family_files import PROOFS, family_files, verdict_name
from unco.compiler.prove import ProveOptions
from unco.compiler.prove_family import rejection
from unco.solver.family import FamilyOptions, prove_claims
from unco.specs.family import Family
from unco.specs.family_proof import FamilyClaimName, FamilyProof, Scope, Vacuous
from unco.specs.verdict import ClaimName

Settled: TypeAlias = dict[str, Any]
"""What a family proof settles, as plain data: it stands in the manifest and in the store of the run."""
BY_MOVES = frozenset({FamilyClaimName.NECESSARY, FamilyClaimName.NO_ORACLE, FamilyClaimName.INCOMPLETE})
"""The claims whose witness in a group is a move of the proof; Missed follows from them. Of the others, Mixed and the
smallest sufficient cells are decided in each group, and the rest is evaluated there.
"""
NOT_CLAIMED = "not claimed of the family"


@dataclass(frozen=True)
class ProvedFamily:
    """The proof of a family, the files that show it, and what it settles."""

    proof: FamilyProof
    files: tuple[tuple[str, str], ...]
    """Paths in the dataset, and texts."""
    settled: Settled


def prove_families(families: Sequence[Family], options: ProveOptions, executor: Executor) -> tuple[ProvedFamily, ...]:
    """Each family proved: a function of the specification, the budget and the version."""
    return tuple(executor.map(partial(_proved, options=options), families))


def _proved(family: Family, options: ProveOptions) -> ProvedFamily:
    proof = prove_claims(family, FamilyOptions(options.rlimit))
    files = tuple(family_files(family, proof))
    text = dict(files)[f"{PROOFS}/{family.digest}.json"]
    failed = rejection(family, proof)
    settled = {
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "claims": len(proof.claims),
        "proved": sum(claim.settled for claim in proof.claims),
        "rejection": None if failed is None else {"code": failed.code, "detail": failed.detail},
        "case_by_case": list(_case_by_case(family, proof, options)),
    }
    return ProvedFamily(proof, files, settled)


def _case_by_case(family: Family, proof: FamilyProof, options: ProveOptions) -> Iterator[dict[str, Any]]:
    """The claims that are decided in each group in their scope, and why; no group is in the scope of a vacuous one."""
    every: dict[tuple[str, str, str], list[str]] = {}
    open_: dict[tuple[str, str, str, str], list[str]] = {}
    for claim in (claim for claim in proof.claims if claim.name in BY_MOVES):
        kind = (claim.name.value, claim.form, claim.scope.value)
        every.setdefault(kind, []).append(claim.subject)
        if not claim.settled and not isinstance(claim.verdict, Vacuous):
            open_.setdefault((*kind, verdict_name(claim.verdict)), []).append(claim.subject)
    for (name, form, groups, why), subjects in open_.items():
        yield _entry(name, form, groups, why, [] if subjects == every[name, form, groups] else subjects)
    if family.perturbations.incomplete:
        yield _entry(ClaimName.INCOMPLETE.value, "", Scope.NO_WINNER.value, NOT_CLAIMED, [])
    yield _entry(ClaimName.MIXED.value, "", Scope.ALL.value, "it turns on the other candidates", [])
    if options.sufficient:
        yield _entry(ClaimName.SUFFICIENT.value, "", Scope.ALL.value, NOT_CLAIMED, [])


def _entry(claim: str, form: str, groups: str, why: str, subjects: list[str]) -> dict[str, Any]:
    """`subjects` is empty where the claim is about every subject, or has none."""
    return {"claim": claim, "form": form, "groups": groups, "why": why, "subjects": subjects}
