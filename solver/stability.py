"""Stability: the same proof with other seeds of the solver and another order of facts and rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from unco.solver.family import FamilyOptions, prove_claims
from unco.specs.errors import InconsistencyError
from unco.specs.family import Family
from unco.specs.family_proof import FamilyClaim, FamilyProof, FamilyProved, FamilyRefuted


@dataclass(frozen=True)
class Steadiness:
    """One claim over several runs: the verdicts, each once, in order of appearance, and what they took."""

    claim: FamilyClaim
    verdicts: tuple[str, ...]
    least: int
    median: int
    most: int

    @property
    def changed(self) -> bool:
        """Whether two runs came to different verdicts."""
        return len(self.verdicts) > 1


@dataclass(frozen=True)
class Stability:
    """Every claim of a proof over so many further runs."""

    runs: int
    claims: tuple[Steadiness, ...]

    @property
    def changed(self) -> tuple[Steadiness, ...]:
        """The claims whose verdict depends on the seed or the order."""
        return tuple(each for each in self.claims if each.changed)


def stability(family: Family, proof: FamilyProof, options: FamilyOptions, runs: int) -> Stability:
    """Repeat the proof; raises InconsistencyError where one run proves what another refutes, which no luck explains."""
    seeds = range(1, runs + 1)
    others = [_by_key(prove_claims(reordered(family, Random(seed)), replace(options, seed=seed))) for seed in seeds]
    found = tuple(_steadiness([claim, *(other[claim.key] for other in others)]) for claim in proof.claims)
    for each in found:
        if {FamilyProved.__name__, FamilyRefuted.__name__} <= set(each.verdicts):
            raise InconsistencyError(f"proved in one run, refuted in another: {each.claim.key}")
    return Stability(runs, found)


def reordered(family: Family, rng: Random) -> Family:
    """The family with attributes, conditions, roles and parameters declared in another order; it means the same.

    Consistency rules stay: a later one may rest on an earlier one.
    """
    return replace(
        family,
        roles=_shuffled(family.roles, rng),
        parameters=_shuffled(family.parameters, rng),
        attributes=_shuffled(family.attributes, rng),
        conditions=_shuffled(family.conditions, rng),
        digest=f"{family.digest} in another order {rng.random()}",
    )


def _shuffled(items: tuple, rng: Random) -> tuple:  # type: ignore[type-arg]
    return tuple(rng.sample(items, len(items)))


def _by_key(proof: FamilyProof) -> dict[tuple[str, str, str, str], FamilyClaim]:
    return {claim.key: claim for claim in proof.claims}


def _steadiness(claims: Sequence[FamilyClaim]) -> Steadiness:
    used = sorted(claim.verdict.rlimit for claim in claims)
    verdicts = tuple(dict.fromkeys(type(claim.verdict).__name__ for claim in claims))
    return Steadiness(claims[0], verdicts, used[0], used[len(used) // 2], used[-1])
