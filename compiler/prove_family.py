"""prove_family: every claim about all groups that a family can generate, with advice where one is refuted."""

from __future__ import annotations

import time
from dataclasses import dataclass

from unco.solver.advice import advise
from unco.solver.family import FamilyOptions, family_claims
from unco.solver.stability import Stability, stability
from unco.specs.advice import Advice
from unco.specs.family import Family
from unco.specs.family_proof import FamilyClaim, FamilyClaimName, FamilyProof, FamilyRefuted, FamilyUnknown, Vacuous
from unco.specs.rejection import Rejection

CODES = {
    FamilyClaimName.WELL_POSED: "UNC512",
    FamilyClaimName.UNIQUE: "UNC502",
    FamilyClaimName.NECESSARY: "UNC503",
}
"""The codes of required claims that are refuted."""


@dataclass(frozen=True)
class ProveFamilyOptions:
    """The budget of each call of the solver, whether advice is sought, and how often the proof is repeated."""

    rlimit: int = 20_000_000
    advice: bool = True
    reseed: int = 0


@dataclass(frozen=True)
class FamilyReport:
    """The proof; what is advised; how steady it is. `seconds` is of this run and part of no artifact."""

    proof: FamilyProof
    advice: tuple[Advice, ...]
    stability: Stability | None
    seconds: tuple[float, ...]
    """Of each claim, in order."""


def prove_family(family: Family, options: ProveFamilyOptions | None = None) -> FamilyReport:
    """Decide every claim about the family, for every instance and every value of its thresholds."""
    options = options or ProveFamilyOptions()
    asked = FamilyOptions(options.rlimit)
    claims, seconds, started = [], [], time.perf_counter()
    for claim in family_claims(family, asked):
        claims.append(claim)
        seconds.append(time.perf_counter() - started)
        started = time.perf_counter()
    proof = FamilyProof(family.digest, tuple(claims))
    advice = tuple(each for claim in claims for each in advise(family, claim, asked)) if options.advice else ()
    steady = stability(family, proof, asked, options.reseed) if options.reseed else None
    return FamilyReport(proof, advice, steady, tuple(seconds))


def rejection(family: Family, proof: FamilyProof) -> Rejection | None:
    """Why the specification does not stand: the first required claim that is not Proved, refuted before undecided."""
    failed = [claim for claim in proof.claims if not claim.stands]
    failed.sort(key=lambda claim: isinstance(claim.verdict, FamilyUnknown))
    return Rejection("prove", _code(failed[0]), _detail(failed[0]), family.name, 0) if failed else None


def _code(claim: FamilyClaim) -> str:
    match claim.verdict:
        case FamilyUnknown():
            return "UNC510"
        case Vacuous():
            return "UNC512"
        case _:
            return CODES[claim.name]


def _detail(claim: FamilyClaim) -> str:
    match claim.verdict:
        case Vacuous(reason):
            return f"{reason}: a proof about every group would be about none"
        case FamilyUnknown(reason):
            return f"{claim.statement}: {reason}"
        case FamilyRefuted(because=because) if claim.name is FamilyClaimName.WELL_POSED:
            return f"{because} for some values of the thresholds"
        case FamilyRefuted(because=because) if because:
            return because
        case _:
            return f"it fails in some group {claim.scope.value}: {claim.statement}"
