"""Family proofs: every claim for every instance that a family can generate, for every value of its thresholds.

The space of a claim holds the domains, the consistency rules, every value of the open thresholds, and, where the claim
is about winners, the plan of the winner. The promise is never in it, nor that somebody loses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unco.solver.decide import DEFAULT_RLIMIT
from unco.solver.families.asked import Asked
from unco.solver.families.claims import Claims
from unco.solver.families.search import MOST_MOVES, Search
from unco.specs.family import Family
from unco.specs.family_proof import FamilyClaim, FamilyProof


@dataclass(frozen=True)
class FamilyOptions:
    """What a proof may take: Z3 resource units for each call of the solver, and moves; and the solver's seed."""

    rlimit: int = DEFAULT_RLIMIT
    most_moves: int = MOST_MOVES
    seed: int = 0


def family_claims(family: Family, options: FamilyOptions | None = None) -> Iterator[FamilyClaim]:
    """Every claim about the family, in order, decided when it is asked for. They share one thread."""
    options = options or FamilyOptions()
    yield from Claims(Asked(family, Search(options.rlimit, options.seed, options.most_moves))).all()


def prove_claims(family: Family, options: FamilyOptions | None = None) -> FamilyProof:
    """All of them. Equal inputs give equal proofs, whatever the hash seed: no clock and no chance is in it."""
    return FamilyProof(family.digest, tuple(family_claims(family, options)))
