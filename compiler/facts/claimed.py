"""Claimed: which roles every instance with a winner shows, which are decided one by one, and by what."""

from __future__ import annotations

from unco.compiler.facts.lines import Witnessed
from unco.compiler.facts.recipes import index
from unco.compiler.facts.witnesses import Changes
from unco.solver.claims import necessity
from unco.solver.closures.parts import Frame
from unco.solver.decide import Prover
from unco.solver.judge import judge
from unco.specs.errors import InconsistencyError
from unco.specs.family import Family
from unco.specs.family_proof import FamilyClaimName, FamilyProof, FamilyProved
from unco.specs.instance import Instance, Outcome, SeveralEligible
from unco.specs.verdict import Proved, Unknown


def claimed_roles(family: Family, proof: FamilyProof) -> list[str]:
    """The roles that are proved necessary in every instance with a winner."""
    claims = {role.id: proof.of(FamilyClaimName.NECESSARY, role.id) for role in family.roles}
    return [role for role, claim in claims.items() if claim is not None and isinstance(claim.verdict, FamilyProved)]


def one_by_one(family: Family, proof: FamilyProof, *, winner: bool) -> list[str]:
    """The roles that the author requires and the proof does not settle."""
    settled = claimed_roles(family, proof) if winner else []
    wanted = ("always", "with_winner") if winner else ("always",)
    return [role.id for role in family.roles if role.necessary in wanted and role.id not in settled]


def decided(prover: Prover, instance: Instance, outcome: Outcome, role: str, frame: Frame) -> tuple[int, Changes] | str:
    """The witness that a role is necessary in one instance, by moves or by the solver; or why there is none.

    Raises InconsistencyError where the cells of one candidate do not show it: other candidates never matter.
    """
    verdict = necessity(prover, instance, outcome, role)
    if not isinstance(verdict, Proved) or verdict.witness is None:
        return f"without {role} the answer is not open: {_why(verdict)}"
    for candidate in sorted({cell.candidate for cell in verdict.witness.changes}):
        cells = {cell: value for cell, value in verdict.witness.changes.items() if cell.candidate == candidate}
        found = judge(prover.family, instance.changed(cells))
        if found != outcome and not isinstance(found, SeveralEligible):
            changed = ((frame.position[cell.slot], value) for cell, value in cells.items())
            return candidate, tuple(sorted((place, index(frame.domains[place], value)) for place, value in changed))
    raise InconsistencyError(f"{role} is necessary, but no change of one candidate shows it: {verdict.witness}")


def _why(verdict: object) -> str:
    return verdict.reason if isinstance(verdict, Unknown) else str(getattr(verdict, "because", ""))


__all__ = ["Witnessed", "claimed_roles", "decided", "one_by_one"]
