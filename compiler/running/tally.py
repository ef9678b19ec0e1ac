"""What a build comes to: how many groups of each family are retained, and what was rejected, by phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from unco.compiler.pipeline import PHASES
from unco.compiler.prove_families import Settled
from unco.compiler.running.footing import Footings
from unco.specs.family import Family
from unco.specs.rejection import Rejection
from unco.templates.loader import fill


class PhaseCount(NamedTuple):
    """How many candidate groups came to a phase, were rejected by it, and went on."""

    phase: str
    candidates: int
    rejected: int
    retained: int


@dataclass
class Tally:
    """The counts of one family, or of several together. It does not grow with the number of groups."""

    retained: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    """By phase."""
    codes: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    """By code: the detail of the first rejection."""
    kept: Counter[str] = field(default_factory=Counter)
    """Retained groups by kind: `winner` or `nobody`."""
    lost: Counter[str] = field(default_factory=Counter)
    """Rejections by the kind of group that was planned."""
    losses: dict[str, str] = field(default_factory=dict)
    """By kind: code and detail of the first rejection."""
    footings: Footings = field(default_factory=Footings)
    """How the retained groups rest on the proof of their family."""

    def retain(self, kind: str) -> None:
        """Count a retained group of this kind."""
        self.retained += 1
        self.kept[kind] += 1

    def reject(self, rejection: Rejection) -> None:
        """Count a rejection."""
        self.rejected[rejection.phase] += 1
        self.codes[rejection.code] += 1
        self.first.setdefault(rejection.code, rejection.detail)
        if rejection.planned:
            self.lost[rejection.planned] += 1
            self.losses.setdefault(rejection.planned, f"{rejection.code}: {rejection.detail}")

    @property
    def unmet(self) -> tuple[str, ...]:
        """The kinds of group that were planned, and of which none is retained."""
        return tuple(kind for kind in sorted(self.lost) if not self.kept[kind])

    @property
    def example(self) -> tuple[str, str] | None:
        """Code and detail of the first rejection with the commonest code, the first by name of equals."""
        commonest = min(self.first, key=lambda code: (-self.codes[code], code), default=None)
        return None if commonest is None else (commonest, self.first[commonest])

    @property
    def phases(self) -> tuple[PhaseCount, ...]:
        """Each phase that candidate groups pass."""
        left, rows = self.retained + self.rejected.total(), []
        for phase in PHASES[1:]:
            lost = self.rejected[phase]
            rows.append(PhaseCount(phase, left, lost, left - lost))
            left -= lost
        return tuple(rows)

    def as_json(self) -> list[dict[str, Any]]:
        """The phases as plain data."""
        return [row._asdict() for row in self.phases]


@dataclass(frozen=True)
class Summary:
    """What a build came to: the families that were asked for, in order, each with its counts."""

    families: tuple[Family, ...]
    tallies: tuple[Tally, ...]
    wanted: int
    """Groups of each family."""
    guess_ceiling: dict[str, Any]
    """How well the retained groups can be guessed, as in the manifest."""
    settled: tuple[Settled, ...] = ()
    """What the proof of each family settles, as in the manifest."""

    @property
    def retained(self) -> int:
        """All retained groups."""
        return sum(tally.retained for tally in self.tallies)

    @property
    def phases(self) -> tuple[PhaseCount, ...]:
        """Each phase, over all families."""
        return together(self.tallies).phases

    def _repr_html_(self) -> str:
        """The phases, for a notebook."""
        return fill("show/summary.html.j2", retained=self.retained, missing=self.missing, phases=self.phases)

    @property
    def family_proofs(self) -> dict[str, Any]:
        """By specification: what its proof settles, and how the retained groups rest on it."""
        parts = zip(self.families, self.settled, self.tallies, strict=True)
        return {family.name: {**settled, **tally.footings.as_json()} for family, settled, tally in parts}

    @property
    def missing(self) -> dict[str, int]:
        """How many groups a specification lacks, where it lacks any."""
        return {
            family.name: self.wanted - tally.retained
            for family, tally in zip(self.families, self.tallies, strict=True)
            if tally.retained < self.wanted
        }


def together(tallies: Sequence[Tally]) -> Tally:
    """The counts of several families as one."""
    total = Tally()
    for tally in tallies:
        total.retained += tally.retained
        total.rejected.update(tally.rejected)
        total.codes.update(tally.codes)
    return total
