"""The order of the phases, in one place. Phases that join later keep their place in the list of the design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from unco.compiler.audit import Audit, audit, is_audited
from unco.compiler.certificate import certificate
from unco.compiler.fidelity import fidelity
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.perturb import perturb
from unco.compiler.prove import Proof, ProveOptions, prove
from unco.compiler.render import render
from unco.solver.decide import Prover
from unco.specs.errors import InconsistencyError
from unco.specs.family import Family
from unco.specs.family_proof import FamilyProof
from unco.specs.group import CandidateGroup
from unco.specs.instance import kind_of
from unco.specs.rejection import Rejection
from unco.specs.task import RenderedGroup

PHASES = ("check", "instantiate", "prove", "render", "perturb")
"""The phases that `build` runs, in order; `check` once a specification, the others once a group."""


@dataclass(frozen=True)
class Retained:
    """A group that passed every phase: the instance, its proof, and its rendered tasks."""

    group: CandidateGroup
    proof: Proof
    rendered: RenderedGroup
    audit: Audit | None = None
    """What an audit came to, where the group was in the sample."""

    def _repr_html_(self) -> str:
        """The group in words and its claims, for a notebook."""
        return f"{self.rendered._repr_html_()}\n{self.proof._repr_html_()}"


@dataclass(frozen=True)
class Chunk:
    """Some group indices of one family: the unit of work. It depends on neither workers nor resumption."""

    family: Family
    indices: tuple[int, ...]
    instantiate: InstantiateOptions
    prove: ProveOptions
    proof: FamilyProof | None = None
    """The family's own; without it, every claim is decided in each group."""

    @property
    def words(self) -> str:
        """Which candidate groups these are."""
        first, last = self.indices[0], self.indices[-1]
        return f"{self.family.name}, candidate group {first}{f' to {last}' if last > first else ''}"


def run_chunk(chunk: Chunk) -> Sequence[Retained | Rejection]:
    """Every group of the chunk, in order, with a solver of the chunk's own."""
    prover = Prover(chunk.family, chunk.prove.rlimit)
    return [run_group(chunk, index, prover) for index in chunk.indices]


def run_group(chunk: Chunk, index: int, prover: Prover) -> Retained | Rejection:
    """One group through all phases, or the rejection that ended its way."""
    family = chunk.family
    group = instantiate(family, index, chunk.instantiate)
    if isinstance(group, Rejection):
        return group
    proof = prove(family, group, chunk.prove, prover, chunk.proof)
    audited = _audited(chunk, group, proof, prover)
    if not proof.accepted:
        found = proof.rejection(family.name, index)
        return replace(found, certificate=certificate(family, group, proof), planned=kind_of(group.outcome))
    rendered = perturb(family, group, render(family, group))
    _check_invariants(group, rendered)
    unfaithful = fidelity(family, group, rendered)
    if unfaithful:
        code, detail = unfaithful[0].code, str(unfaithful[0])
        return Rejection("render", code, detail, family.name, index, planned=kind_of(group.outcome))
    return Retained(group, proof, rendered, audited)


def _audited(chunk: Chunk, group: CandidateGroup, proof: Proof, prover: Prover) -> Audit | None:
    """The audit of a group that is in the sample, where there is a family proof."""
    seed, one_in = chunk.instantiate.seed, chunk.prove.audit
    if chunk.proof is None or not is_audited(chunk.family.digest, seed, group.index, one_in):
        return None
    return audit(chunk.family, group, proof, prover)


def _check_invariants(group: CandidateGroup, rendered: RenderedGroup) -> None:
    """Between the phases: one gold in all settings, and a task for each."""
    golds = {task.gold.answer for task in rendered.tasks}
    if len(golds) != 1:
        raise InconsistencyError(f"group {group.index} has {len(golds)} different answers in its settings")
