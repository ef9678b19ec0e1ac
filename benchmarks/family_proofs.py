"""Family proofs: every claim about all groups of a shipped specification at once, the time and the verdicts.

Seconds are of this process's processor, so that another program on the machine does not count; the rules are read and
checked before. Advice and repetition are not asked for.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from unco.compiler.check import CheckOptions, check
from unco.solver.family import prove_claims
from unco.specs.family import Family
from unco.specs.family_proof import FamilyProof
from unco.specs.read import read_specification

RUNS = 3


@dataclass(frozen=True)
class Row:
    """Median seconds for all claims of a specification, and how many claims came out which way."""

    specification: str
    claims: int
    proved: int
    refuted: int
    unknown: int
    vacuous: int
    resources: int
    """Z3 resource units of all claims together."""
    seconds: float


def measure(paths: list[Path], runs: int = RUNS) -> Iterator[Row]:
    """A row a specification."""
    for path in paths:
        family = check(read_specification(path), CheckOptions(findings=False)).require()
        timed = [_timed(family) for _ in range(runs)]
        if any(proof != timed[0][0] for proof, _ in timed):
            raise AssertionError(f"{family.name}: two proofs of one family differ")
        yield _row(family, timed[0][0], statistics.median(seconds for _, seconds in timed))


def _timed(family: Family) -> tuple[FamilyProof, float]:
    started = time.process_time()
    proof = prove_claims(family)
    return proof, time.process_time() - started


def _row(family: Family, proof: FamilyProof, seconds: float) -> Row:
    counts = Counter(type(claim.verdict).__name__ for claim in proof.claims)
    verdicts = [counts[name] for name in ("FamilyProved", "FamilyRefuted", "FamilyUnknown", "Vacuous")]
    resources = sum(claim.verdict.rlimit for claim in proof.claims)
    return Row(family.name, len(proof.claims), *verdicts, resources, seconds)
