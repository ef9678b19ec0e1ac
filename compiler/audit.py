"""audit: what a family proof settles of a group, decided again by the solver; disagreement stops the run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from unco.compiler.prove import Proof
from unco.solver.claims import coarse_evidence
from unco.solver.decide import Prover, Sat, Undecided
from unco.solver.queries import another_answer
from unco.specs.errors import InconsistencyError
from unco.specs.evidence import Evidence, full
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.verdict import Claim, ClaimName, Engine, Proved


@dataclass(frozen=True)
class Audit:
    """How many claims of a group were decided again, and of how many the solver came to no end."""

    claims: int
    undecided: int = 0


def is_audited(digest: str, seed: int, index: int, one_in: int) -> bool:
    """Whether a group is in the sample, which depends on nothing else: one group in so many, and always the first of a
    specification; none where 0 is asked for.
    """
    if not one_in:
        return False
    drawn = hashlib.sha256(f"{digest}/{seed}/{index}/audit".encode()).digest()
    return index == 0 or int.from_bytes(drawn) % one_in == 0


def audit(family: Family, group: CandidateGroup, proof: Proof, prover: Prover) -> Audit:
    """Ask the solver about every claim that rests on the family proof, without trying a move.

    Raises InconsistencyError where the solver finds that one of them does not hold.
    """
    undecided = 0
    resting = tuple(resting_on_family(proof))
    for claim in resting:
        question = another_answer(family, _evidence(family, group, claim), group.outcome, promise=True)
        decision = prover.decide_warm(question, group.instance.names)
        if isinstance(decision, Undecided):
            undecided += 1
        elif not isinstance(decision, Sat):
            raise InconsistencyError(
                f"audit of group {group.index} of {family.name}: the family proof and its witness show that "
                f"{claim.statement}, the solver finds that every completion has the same answer"
            )
    return Audit(len(resting), undecided)


def resting_on_family(proof: Proof) -> Iterator[Claim]:
    """The claims that a move of the family proof shows, and those that follow from them."""
    proved = [(claim, claim.verdict) for claim in proof.claims if isinstance(claim.verdict, Proved)]
    shown = [verdict.witness for _, verdict in proved if verdict.engine is Engine.FAMILY]
    for claim, verdict in proved:
        if verdict.engine is Engine.FAMILY or (verdict.engine is Engine.IMPLIED and verdict.witness in shown):
            yield claim


def _evidence(family: Family, group: CandidateGroup, claim: Claim) -> Evidence:
    """What is known where the claim says that the answer is open."""
    everything = full(group.instance)
    match claim.name:
        case ClaimName.NECESSARY | ClaimName.MISSED:
            return everything.hiding(family.cells_of(claim.subject))
        case ClaimName.NO_ORACLE:
            return everything.only(family.cells_of(claim.subject))
        case ClaimName.INCOMPLETE if group.incomplete is not None:
            return coarse_evidence(family, group.instance, group.incomplete)
        case _:
            raise InconsistencyError(f"no family proof settles by moves that {claim.statement}")
