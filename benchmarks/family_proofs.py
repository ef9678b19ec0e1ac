"""Family proofs: every claim about all groups of a shipped specification at once, the time and the verdicts.

Each specification has a process of its own; its rules are read and checked before. Seconds of the processor do not
count what other programs do. Advice and repetition are not asked for.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.families import family_of
from benchmarks.usage import Usage, alone, measured
from unco.solver.family import prove_claims
from unco.specs.family import Family
from unco.specs.family_proof import FamilyProof

RUNS = 3
AIM = 1
"""Seconds that all claims of a family may take."""


@dataclass(frozen=True)
class Row:
    """How many claims of a specification came out which way; the median seconds that all take."""

    specification: str
    claims: int
    proved: int
    refuted: int
    unknown: int
    vacuous: int
    resources: int
    """Z3 resource units of all claims together."""
    wall: float
    cpu: float
    peak: float
    """MiB, with all that is loaded."""


def measure(paths: list[Path], runs: int = RUNS) -> Iterator[Row]:
    """A row a specification."""
    return (alone(row, family_of(path), runs) for path in paths)


def row(family: Family, runs: int) -> Row:
    """The row of one specification, from this process."""
    timed = [measured(prove_claims, family) for _ in range(runs)]
    if any(proof != timed[0][0] for proof, _ in timed):
        raise AssertionError(f"{family.name}: two proofs of one family differ")
    return _row(family, timed[0][0], [usage for _, usage in timed])


def _row(family: Family, proof: FamilyProof, usages: Sequence[Usage]) -> Row:
    counts = Counter(type(claim.verdict).__name__ for claim in proof.claims)
    resources = sum(claim.verdict.rlimit for claim in proof.claims)
    wall, cpu = (statistics.median(getattr(each, name) for each in usages) for name in ("wall", "cpu"))
    return Row(
        family.name,
        claims=len(proof.claims),
        proved=counts["FamilyProved"],
        refuted=counts["FamilyRefuted"],
        unknown=counts["FamilyUnknown"],
        vacuous=counts["Vacuous"],
        resources=resources,
        wall=wall,
        cpu=cpu,
        peak=usages[-1].peak,
    )


def told(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows as plain data."""
    return [dataclasses.asdict(row) for row in rows]


def show(rows: Sequence[Row]) -> None:
    """A line a specification."""
    print("Family proofs: every claim for every group at once, seconds by the clock and of the processor")
    columns = "".join(
        f"{name:>9}" for name in ("claims", "proved", "refuted", "unknown", "vacuous", "wall", "cpu", "MiB")
    )
    print(f"{'specification':<32}{columns}")
    for row in rows:
        counts = f"{row.claims:>9}{row.proved:>9}{row.refuted:>9}{row.unknown:>9}{row.vacuous:>9}"
        print(f"{row.specification:<32}{counts}{row.wall:>9.2f}{row.cpu:>9.2f}{row.peak:>9.0f}")
    print(f"Aim: at most {AIM} second a family")
