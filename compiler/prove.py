"""prove: every claim about one candidate group, each with its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from unco.compiler.recover import recoverable
from unco.solver import claims
from unco.solver.decide import DEFAULT_RLIMIT, Prover
from unco.solver.from_proof import FromProof
from unco.solver.harmless import harmless
from unco.specs.errors import UsageError
from unco.specs.family import Cell, Family, Role
from unco.specs.family_proof import FamilyProof
from unco.specs.group import CandidateGroup, Incomplete, Mixed
from unco.specs.instance import Outcome, Winner
from unco.specs.rejection import Rejection
from unco.specs.stored import store_claim
from unco.specs.verdict import Claim, ClaimName, Engine, Promise, Proved, Refuted, Unknown, Verdict
from unco.templates.loader import fill

CODES: Mapping[ClaimName, str] = {
    ClaimName.LEGAL: "UNC501",
    ClaimName.UNIQUE: "UNC502",
    ClaimName.NECESSARY: "UNC503",
    ClaimName.NO_ORACLE: "UNC504",
    ClaimName.MISALIGNED: "UNC505",
    ClaimName.INCOMPLETE: "UNC506",
    ClaimName.MISSED: "UNC507",
    ClaimName.MIXED: "UNC508",
    ClaimName.RECOVERABLE: "UNC509",
    ClaimName.HARMLESS: "UNC511",
    ClaimName.SUFFICIENT: "UNC510",
}


@dataclass(frozen=True)
class ProveOptions:
    """How groups are proved."""

    rlimit: int = DEFAULT_RLIMIT
    """The budget of a question in Z3 resource units."""
    sufficient: bool = True
    """Whether the smallest sufficient cells are looked for."""
    audit: int = 1_000
    """One group in so many is audited, where it rests on a family proof; 0 for none."""


@dataclass(frozen=True)
class Proof:
    """The claims about a group, in the order of the design's table, and the smallest sufficient cells if known."""

    claims: tuple[Claim, ...]
    sufficient: tuple[Cell, ...] = ()
    outside: str = ""
    """Why the family proof says nothing of the group; empty where it does, or none was given."""

    @property
    def accepted(self) -> bool:
        """Whether every required claim is Proved."""
        return all(claim.stands for claim in self.claims)

    @property
    def necessary_roles(self) -> tuple[str, ...]:
        """The roles whose evidence is indispensable in this group."""
        return tuple(
            claim.subject
            for claim in self.claims
            if claim.name is ClaimName.NECESSARY and isinstance(claim.verdict, Proved)
        )

    def rejection(self, specification: str, index: int) -> Rejection:
        """The first required claim that does not stand, as data."""
        failed = next((claim for claim in self.claims if not claim.stands), None)
        if failed is None:
            raise UsageError("an accepted group has no rejection")
        unknown = isinstance(failed.verdict, Unknown)
        why = failed.verdict.reason if isinstance(failed.verdict, Unknown) else failed.verdict.because
        code = "UNC510" if unknown else CODES[failed.name]
        return Rejection("prove", code, f"it does not hold that {failed.statement}: {why}", specification, index)

    def _repr_html_(self) -> str:
        """A table of the claims, for a notebook."""
        rows = [{**store_claim(claim), "resources": claim.verdict.rlimit} for claim in self.claims]
        return fill("show/proof.html.j2", accepted=self.accepted, rows=rows)


def prove(
    family: Family,
    group: CandidateGroup,
    options: ProveOptions | None = None,
    prover: Prover | None = None,
    proof: FamilyProof | None = None,
) -> Proof:
    """Decide every claim about the group; what the family's proof settles by its moves, where one is given.

    A prover may be shared by the groups of a chunk, in one thread.
    """
    options = options or ProveOptions()
    asked = _Claims(family, group, prover or Prover(family, options.rlimit), proof)
    found = list(asked.basis())
    if not all(isinstance(claim.verdict, Proved) for claim in found):
        return Proof(tuple(found))
    found += [*asked.roles(), *asked.settings()]
    cells: tuple[Cell, ...] = ()
    if options.sufficient:
        cells, verdict = claims.sufficient(asked.prover, group.instance, group.outcome, group.evidence)
        found_all = isinstance(verdict, Proved)
        statement = f"{len(cells)} cells are enough, and no fewer" if found_all else "some number of cells is the least"
        found.append(Claim(ClaimName.SUFFICIENT, "", statement, Promise.GIVEN, verdict, required=False))
    return Proof(tuple(found), cells, asked.settled.outside if asked.settled is not None else "")


class _Claims:
    def __init__(self, family: Family, group: CandidateGroup, prover: Prover, proof: FamilyProof | None) -> None:
        self.family = family
        self.group = group
        self.instance = group.instance
        self.prover = prover
        self.proof = proof
        self.necessary: dict[str, Verdict] = {}

    @property
    def outcome(self) -> Outcome:
        return self.group.outcome

    @cached_property
    def settled(self) -> FromProof | None:
        """What the family's proof settles of the group, once its basis stands."""
        return None if self.proof is None else FromProof(self.family, self.proof, self.instance, self.outcome)

    def basis(self) -> Iterator[Claim]:
        """The instance is legal, and full evidence determines its answer."""
        legal = claims.legality(self.family, self.instance)
        yield Claim(ClaimName.LEGAL, "", "the instance is legal", Promise.NOT_ASSUMED, legal)
        if isinstance(legal, Proved):
            unique = claims.uniqueness(self.family, self.instance, self.outcome)
            statement = "full evidence determines one answer, and at most one candidate is eligible"
            yield Claim(ClaimName.UNIQUE, "", statement, Promise.NOT_ASSUMED, unique)

    def roles(self) -> Iterator[Claim]:
        """Which roles are necessary, and that none is an oracle."""
        for role in self.family.roles:
            self.necessary[role.id] = self._necessity(role.id)
        for role in self.family.roles:
            statement = f"without {role.name} the answer is open"
            verdict = self.necessary[role.id]
            yield Claim(ClaimName.NECESSARY, role.id, statement, Promise.KEPT, verdict, self._must_be_necessary(role))
        for role in self.family.roles:
            verdict = self._no_oracle(role.id)
            statement = f"{role.name} alone leaves the answer open"
            yield Claim(ClaimName.NO_ORACLE, role.id, statement, Promise.KEPT, verdict)

    def _necessity(self, role: str) -> Verdict:
        found = self.settled.necessity(role) if self.settled is not None else None
        return found or claims.necessity(self.prover, self.instance, self.outcome, role)

    def _no_oracle(self, role: str) -> Verdict:
        found = claims.implied_no_oracle(role, self.necessary)
        if found is None and self.settled is not None:
            found = self.settled.no_oracle(role)
        return found or claims.no_oracle(self.prover, self.instance, self.outcome, role, self.necessary)

    def _incomplete(self, defect: Incomplete) -> Verdict:
        found = self.settled.incomplete(defect) if self.settled is not None else None
        return found or claims.incomplete(self.prover, self.instance, self.outcome, defect)

    def _must_be_necessary(self, role: Role) -> bool:
        return role.necessary == "always" or (role.necessary == "with_winner" and isinstance(self.outcome, Winner))

    def settings(self) -> Iterator[Claim]:
        """Each setting that the specification offers targets for is there and valid; every withheld cell can be had."""
        yield from self._absent()
        if self.group.misaligned is not None:
            decoy = self.group.misaligned
            verdict = claims.misaligned(self.family, self.instance, self.outcome, decoy)
            statement = f"read as if of the required context, {decoy.attribute} ({decoy.context}) gives another answer"
            yield Claim(ClaimName.MISALIGNED, decoy.attribute, statement, Promise.KEPT, verdict)
        if self.group.incomplete is not None:
            verdict = self._incomplete(self.group.incomplete)
            statement = f"the coarse {self.group.incomplete.attribute} is true and leaves the answer open"
            yield Claim(ClaimName.INCOMPLETE, self.group.incomplete.attribute, statement, Promise.KEPT, verdict)
        if self.group.missed is not None:
            yield self._missed(self.group.missed.role)
        if self.group.mixed is not None:
            yield self._mixed(self.group.mixed)
        verdict = recoverable(self.family, self.group)
        statement = "asking again as the response policy permits returns every withheld cell"
        yield Claim(ClaimName.RECOVERABLE, "", statement, Promise.NOT_ASSUMED, verdict)
        subject = ", ".join(each.attribute for each in self.group.harmless.coarse)
        statement = "what is coarse in every setting changes no condition and no result, whatever the exact value"
        yield Claim(ClaimName.HARMLESS, subject, statement, Promise.NOT_ASSUMED, harmless(self.family, self.group))

    def _absent(self) -> Iterator[Claim]:
        """A claim that fails for each setting, other than Mixed, that is offered and was not made."""
        targets, group = self.family.perturbations, self.group
        for name, offered, defect in (
            (ClaimName.MISALIGNED, targets.misaligned, group.misaligned),
            (ClaimName.INCOMPLETE, targets.incomplete, group.incomplete),
            (ClaimName.MISSED, targets.missed, group.missed),
        ):
            if offered and defect is None:
                none = Refuted(Engine.EVALUATION, because=f"none of {', '.join(offered)} was found to")
                yield Claim(
                    name, "", "a target that the specification offers leaves the answer open", Promise.KEPT, none
                )

    def _missed(self, role: str) -> Claim:
        known = self.necessary[role]
        verdict: Verdict = known
        if isinstance(known, Proved):
            verdict = Proved(Engine.IMPLIED, witness=known.witness, because=f"{role} is necessary")
        return Claim(ClaimName.MISSED, role, f"while {role} is silent the answer is open", Promise.KEPT, verdict)

    def _mixed(self, defect: Mixed) -> Claim:
        states = dict(claims.mixed(self.prover, self.instance, self.outcome, defect))
        subject = f"{defect.misaligned.attribute}, {defect.omitted}, {defect.missed}"
        statement = "no state short of full repair determines gold, and each defect matters while others are open"
        verdict = _all_states(states)
        stored = tuple(
            (tuple(name for name in claims.DEFECTS if name in state), each)
            for state, each in states.items()
            if isinstance(verdict, Proved) and isinstance(each, Proved)
        )
        return Claim(ClaimName.MIXED, subject, statement, Promise.KEPT, verdict, states=stored)


def _all_states(states: Mapping[frozenset[str], Verdict]) -> Verdict:
    """Proved where all eight states stand; otherwise the first that does not."""
    for state, verdict in states.items():
        where = "with " + (" and ".join(sorted(state)) or "nothing") + " unrepaired"
        if isinstance(verdict, Refuted):
            return Refuted(verdict.engine, verdict.rlimit, verdict.witness, f"{where}: {verdict.because}")
        if isinstance(verdict, Unknown):
            return Unknown(f"{where}: {verdict.reason}", verdict.rlimit)
    spent = sum(verdict.rlimit for verdict in states.values())
    solved = any(isinstance(each, Proved) and each.engine is Engine.SOLVER for each in states.values())
    return Proved(Engine.SOLVER if solved else Engine.MOVE, spent, because=f"all {len(states)} repair states")
