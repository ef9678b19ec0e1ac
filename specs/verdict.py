"""Verdicts: a claim is Proved, Refuted or Unknown, with how it was decided and at what cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from unco.specs.family import Cell
from unco.specs.instance import Outcome
from unco.specs.values import Value


class Engine(StrEnum):
    """What decided a claim."""

    EVALUATION = "evaluation"
    """The interpreter on fixed values."""
    MOVE = "move"
    """A changed completion, found among the stated moves and replayed by the interpreter."""
    SOLVER = "solver"
    """Z3; its models are replayed by the interpreter."""
    FAMILY = "family proof"
    """The first move of the family's proof that works here, replayed by the interpreter."""
    IMPLIED = "implied"
    """Follows from another claim."""


class Flip(StrEnum):
    """How the answers of a witness pair differ."""

    TO_NONE = "to none"
    TO_WINNER = "to a winner"
    OTHER_WINNER = "other winner"
    OTHER_RESULT = "other result"
    PROMISE_BROKEN = "several eligible"


@dataclass(frozen=True)
class WitnessPair:
    """Two completions of the same evidence with different answers: the instance, and the instance with `changes`."""

    changes: Mapping[Cell, Value]
    outcome: Outcome
    flip: Flip


@dataclass(frozen=True)
class Proved:
    """The claim holds; an open claim carries its witness pair."""

    engine: Engine
    rlimit: int = 0
    witness: WitnessPair | None = None
    because: str = ""
    matters: Mapping[str, WitnessPair] = field(default_factory=dict)
    """In a repair state of Mixed, by open defect: a completion, and how its answer differs once that is repaired."""


@dataclass(frozen=True)
class Refuted:
    """The claim fails; `because` says how in the author's terms, and a closed claim carries its counterexample."""

    engine: Engine
    rlimit: int = 0
    witness: WitnessPair | None = None
    because: str = ""


@dataclass(frozen=True)
class Unknown:
    """Not decided within the budget: never success."""

    reason: str
    rlimit: int = 0


Verdict: TypeAlias = Proved | Refuted | Unknown


class ClaimName(StrEnum):
    """The claims of an instance; `code` of a failed one is in specs/codes.py."""

    LEGAL = "well-posed"
    UNIQUE = "answer uniqueness"
    NECESSARY = "role necessity"
    NO_ORACLE = "no lone oracle"
    MISALIGNED = "Misaligned is valid"
    INCOMPLETE = "Incomplete is valid"
    MISSED = "Missed is valid"
    MIXED = "Mixed is valid"
    RECOVERABLE = "recoverable"
    HARMLESS = "harmless"
    SUFFICIENT = "smallest sufficient cells"


class Promise(StrEnum):
    """Whether "at most one candidate is eligible" was assumed."""

    KEPT = "completions keep the promise"
    NOT_ASSUMED = "the promise is not assumed"
    GIVEN = "given the promise"


@dataclass(frozen=True)
class Claim:
    """A claim about one instance, and its verdict."""

    name: ClaimName
    subject: str
    statement: str
    promise: Promise
    verdict: Verdict
    required: bool = True
    """Whether the group is rejected where the claim is not Proved."""
    states: tuple[tuple[tuple[str, ...], Proved], ...] = ()
    """Of Mixed that is Proved: each repair state by the defects that are not repaired, with its witnesses."""

    @property
    def stands(self) -> bool:
        """Whether the claim lets the group pass."""
        return isinstance(self.verdict, Proved) or not self.required
