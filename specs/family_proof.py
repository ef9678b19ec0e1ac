"""Proofs about a family: every claim, for every instance that the family can generate, with its verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from unco.specs.evidence import Knowledge
from unco.specs.expression import Expression
from unco.specs.family import Slot
from unco.specs.instance import Instance


class FamilyClaimName(StrEnum):
    """The claims about a family. Those of one name with a claim about a group say the same, for all groups."""

    WELL_POSED = "well-posed"
    UNIQUE = "answer uniqueness"
    AT_MOST_ONE = "at most one eligible"
    NECESSARY = "role necessity"
    NO_ORACLE = "no lone oracle"
    MISALIGNED = "Misaligned is valid"
    INCOMPLETE = "Incomplete is valid"
    MISSED = "Missed is valid"
    LIFTS = "can lift a loser"
    MIXED = "Mixed is valid"
    RECOVERABLE = "recoverable"
    MATTERS = "every part matters"


class Scope(StrEnum):
    """The instances that a claim is about."""

    ALL = "every instance"
    WINNER = "with a winner"
    NO_WINNER = "without a winner"


class Method(StrEnum):
    """How a claim was decided."""

    MOVES = "moves"
    """A list of moves, of which one changes the answer of every instance: the solver finds no instance left over."""
    QUERY = "query"
    """One question to the solver."""
    IMPLIED = "implied"
    """Follows from other claims about the family."""
    RUN = "run"
    """One run stands for all, since what runs looks at no value."""


@dataclass(frozen=True)
class Move:
    """A change of some cells of one candidate to terms over its cells and thresholds. It counts where it is legal."""

    changes: tuple[tuple[Slot, Expression], ...]


@dataclass(frozen=True)
class Counterexample:
    """An instance of which the claim fails; without cells, values of the parameters alone."""

    instance: Instance
    about: tuple[Slot, ...]
    """The cells that show it, of candidate 0."""
    reply: Mapping[Slot, Knowledge] = field(default_factory=dict)
    """The coarse reply about candidate 0, where the claim is about one."""
    stays: tuple[Slot, ...] = ()
    """The cells that could be anything, and nothing changes."""


@dataclass(frozen=True)
class FamilyProved:
    """The claim holds for every instance in its scope."""

    method: Method
    moves: tuple[Move, ...] = ()
    rlimit: int = 0
    because: str = ""


@dataclass(frozen=True)
class FamilyRefuted:
    """The claim fails for an instance that the family can generate."""

    method: Method
    counterexample: Counterexample | None
    rlimit: int = 0
    because: str = ""


@dataclass(frozen=True)
class FamilyUnknown:
    """Not decided: never success. `decides` says what would decide it."""

    reason: str
    decides: str
    rlimit: int = 0


@dataclass(frozen=True)
class Vacuous:
    """There is no instance that the claim could be about: a proof would prove nothing, and is refused."""

    reason: str
    rlimit: int = 0


FamilyVerdict: TypeAlias = FamilyProved | FamilyRefuted | FamilyUnknown | Vacuous


@dataclass(frozen=True)
class FamilyClaim:
    """A claim about every instance of a family, and its verdict."""

    name: FamilyClaimName
    subject: str
    """A role, an attribute, an attribute with a context; empty where it is about the whole."""
    scope: Scope
    statement: str
    verdict: FamilyVerdict
    form: str = ""
    """The form of a reply, where the claim is about one."""
    planned: bool = False
    """Whether the plan of the winner is assumed."""
    logic: str = ""
    """The logic, in the words of SMT-LIB, of what the solver was asked."""
    required: bool = False
    """Whether the specification is rejected where the claim is not Proved."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Of Mixed: the attributes that may be omitted, each with a role that may be silent, of which it is Proved."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What tells the claim from every other one of the family."""
        return self.name.value, self.subject, self.form, self.scope.value

    @property
    def stands(self) -> bool:
        """Whether the claim lets the specification pass."""
        return isinstance(self.verdict, FamilyProved) or not self.required

    @property
    def settled(self) -> bool:
        """Whether it need not be decided again for any instance in its scope."""
        return isinstance(self.verdict, FamilyProved)


@dataclass(frozen=True)
class FamilyProof:
    """Every claim about one family, known by its digest."""

    digest: str
    claims: tuple[FamilyClaim, ...]

    @property
    def accepted(self) -> bool:
        """Whether every required claim is Proved."""
        return all(claim.stands for claim in self.claims)

    @property
    def vacuous(self) -> tuple[FamilyClaim, ...]:
        """The required claims that are about no instance."""
        return tuple(claim for claim in self.claims if claim.required and isinstance(claim.verdict, Vacuous))

    def of(
        self, name: FamilyClaimName, subject: str, scope: Scope = Scope.WINNER, form: str = ""
    ) -> FamilyClaim | None:
        """The claim, where there is one."""
        key = (name.value, subject, form, scope.value)
        return next((claim for claim in self.claims if claim.key == key), None)
