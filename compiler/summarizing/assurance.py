"""What stands behind the groups: necessary roles, validation, proofs of families, and whether all was checked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unco.compiler.summarizing.rows import About, Group


@dataclass(frozen=True)
class Assurance:
    """Of a run."""

    groups: int
    necessary: Mapping[tuple[int, int], int]
    """Groups by necessary roles and all roles."""
    settings: Mapping[str, int]
    """Groups by setting."""
    validated: Mapping[tuple[str, int], int]
    """Groups by who solved the finished task, and in how many runs; those of nobody are left out."""
    families: int
    claims: int
    """About families."""
    proved: int
    outside: int
    """Groups of which the proof of their family says nothing."""
    audited: int
    audited_claims: int
    undecided: int
    """Of these, claims of which the solver came to no end."""
    checked: Mapping[str, Any] | None = None
    """What the checker came to, where it was run for this summary."""

    @property
    def unvalidated(self) -> int:
        return self.groups - sum(self.validated.values())

    def as_json(self) -> dict[str, Any]:
        """The counts as plain data; without times."""
        checked = None if self.checked is None else {name: self.checked[name] for name in sorted(self.checked)}
        return {
            "necessary_roles": [
                {"necessary": some, "roles": every, "groups": many} for (some, every), many in self.necessary.items()
            ],
            "settings": dict(self.settings),
            "validation": [{"by": by, "runs": runs, "groups": many} for (by, runs), many in self.validated.items()],
            "not_validated": self.unvalidated,
            "family_proofs": {"families": self.families, "claims": self.claims, "proved": self.proved},
            "outside_family_proof": self.outside,
            "audit": {"groups": self.audited, "claims": self.audited_claims, "undecided": self.undecided},
            "checked": None if checked is None else {name: checked[name] for name in checked if name != "milliseconds"},
        }


def assurance(
    groups: Sequence[Group], roles: Mapping[str, int], about: Iterable[About], checked: Mapping[str, Any] | None
) -> Assurance:
    """Of the groups of a run; `roles` counts those of each specification."""
    proofs = [each.family_proof for each in about]
    ways = [(group.validation.by, group.validation.runs) for group in groups if group.validation is not None]
    return Assurance(
        groups=len(groups),
        necessary=_counted((len(group.necessary_roles), roles[group.specification]) for group in groups),
        settings=Counter(setting for group in groups for setting in group.settings),
        validated=_counted(ways),
        families=len(proofs),
        claims=sum(proof["claims"] for proof in proofs),
        proved=sum(proof["proved"] for proof in proofs),
        outside=sum(proof["outside"]["groups"] for proof in proofs),
        audited=sum(proof["audit"]["groups"] for proof in proofs),
        audited_claims=sum(proof["audit"]["claims"] for proof in proofs),
        undecided=sum(proof["audit"]["undecided"] for proof in proofs),
        checked=checked,
    )


def _counted(found: Iterable[Any]) -> dict[Any, int]:
    return dict(sorted(Counter(found).items()))
