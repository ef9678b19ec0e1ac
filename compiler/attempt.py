"""attempt: candidate groups with their proofs, rejected ones too, for those who want to see why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unco.compiler.instantiate import instantiate
from unco.compiler.pipeline import Chunk
from unco.compiler.prove import Proof, prove
from unco.solver.decide import Prover
from unco.specs.group import CandidateGroup
from unco.specs.rejection import Rejection


@dataclass(frozen=True)
class Attempt:
    """A candidate group and its proof, whether or not the proof accepts it."""

    group: CandidateGroup
    proof: Proof


def attempt(chunk: Chunk) -> Sequence[Attempt | Rejection]:
    """Every group of the chunk, in order; a Rejection where none could be made."""
    prover = Prover(chunk.family, chunk.prove.rlimit)
    made = (instantiate(chunk.family, index, chunk.instantiate) for index in chunk.indices)
    return [
        group if isinstance(group, Rejection) else Attempt(group, prove(chunk.family, group, chunk.prove, prover))
        for group in made
    ]
