"""The order of the phases, in one place. Phases that join later keep their place in the list of the design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from unco.compiler.audit import Audit, audit, is_audited
from unco.compiler.certificate import certificate
from unco.compiler.fidelity import fidelity
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.perturb import perturb
from unco.compiler.prove import Proof, ProveOptions, prove
from unco.compiler.render import render
from unco.compiler.rendering.wording import Wording
from unco.compiler.validate import Validation, validate
from unco.solver.decide import Prover
from unco.specs.errors import InconsistencyError
from unco.specs.family import Family
from unco.specs.family_proof import FamilyProof
from unco.specs.group import CandidateGroup
from unco.specs.instance import kind_of
from unco.specs.rejection import Rejection
from unco.specs.task import RenderedGroup

PHASES = ("check", "instantiate", "prove", "render", "validate", "perturb")
"""The phases that `build` runs, in order; `check` once a specification, the others once a group."""


@dataclass(frozen=True)
class Reworded:
    """What an LLM did to the texts of a group."""

    by: str
    """The LLM by its name."""
    requests: int
    repaired: int
    """How many replies were asked for once more, since the first ones were not faithful."""
    by_template: int
    """Of how many requests no reply could be used: these texts are the templates' own."""


@dataclass(frozen=True)
class Accepted:
    """A group that is proved, and was audited where it was in the sample."""

    group: CandidateGroup
    proof: Proof
    audit: Audit | None = None


@dataclass(frozen=True)
class Retained(Accepted):
    """A group that passed every phase: the instance, its proof, its rendered tasks, and who solved them."""

    rendered: RenderedGroup = field(kw_only=True)
    validation: Validation = field(kw_only=True)
    reworded: Reworded | None = field(kw_only=True, default=None)
    """What an LLM did to the texts, where one was asked."""

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
    return [each if isinstance(each, Rejection) else finished(chunk, each) for each in accept_chunk(chunk)]


def accept_chunk(chunk: Chunk) -> Sequence[Accepted | Rejection]:
    """Every group of the chunk, in order, as far as the solver is needed."""
    prover = Prover(chunk.family, chunk.prove.rlimit)
    return [_accepted(chunk, index, prover) for index in chunk.indices]


def _accepted(chunk: Chunk, index: int, prover: Prover) -> Accepted | Rejection:
    """One group drawn and proved, or the rejection that ended its way."""
    family = chunk.family
    group = instantiate(family, index, chunk.instantiate)
    if isinstance(group, Rejection):
        return group
    proof = prove(family, group, chunk.prove, prover, chunk.proof)
    audited = _audited(chunk, group, proof, prover)
    if proof.accepted:
        return Accepted(group, proof, audited)
    found = proof.rejection(family.name, index)
    return replace(found, certificate=certificate(family, group, proof), planned=kind_of(group.outcome))


def finished(chunk: Chunk, accepted: Accepted) -> Retained | Rejection:
    """A proved group in words by the templates, validated by the reader, or the rejection that ended its way."""
    rendered = worded(chunk.family, accepted.group)
    if isinstance(rendered, Rejection):
        return rendered
    return retained(accepted, rendered, validate(chunk.family, rendered, chunk.instantiate.seed))


def worded(family: Family, group: CandidateGroup, wording: Wording | None = None) -> RenderedGroup | Rejection:
    """The tasks of a group, or why their texts are not faithful. The replies are written before anybody solves the
    task, so that no LLM is asked about a text that does not stand.
    """
    if wording is None:
        rendered = perturb(family, group, render(family, group))
        unfaithful = fidelity(family, group, rendered)
    else:
        rendered = perturb(family, group, render(family, group, wording=wording), wording)
        unfaithful = fidelity(family, group, rendered, reworded=True)
    _check_invariants(group, rendered)
    if not unfaithful:
        return rendered
    code, detail = unfaithful[0].code, str(unfaithful[0])
    return Rejection("render", code, detail, family.name, group.index, planned=kind_of(group.outcome))


def retained(
    accepted: Accepted, rendered: RenderedGroup, validation: Validation | Rejection, reworded: Reworded | None = None
) -> Retained | Rejection:
    """The group with its tasks, or the rejection by the validator."""
    if isinstance(validation, Rejection):
        return validation
    return Retained(
        accepted.group, accepted.proof, accepted.audit, rendered=rendered, validation=validation, reworded=reworded
    )


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
