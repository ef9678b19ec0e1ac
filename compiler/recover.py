"""Recoverable: requests that the response policy permits return every withheld cell, shown by running them."""

from __future__ import annotations

from unco.compiler.planning.flips import hiding_attribute
from unco.solver.recovery import withheld
from unco.specs.family import Family
from unco.specs.group import CandidateGroup, Incomplete, Missed
from unco.specs.policy import Defect
from unco.specs.verdict import Engine, Proved, Refuted, Verdict


def recoverable(family: Family, group: CandidateGroup) -> Verdict:
    """In every setting: ask for everything, then again, aiming at the defect; all required cells are then as recorded,
    which is exactly but for what is harmless.
    """
    for name, defects in setting_defects(family, group).items():
        missing = [
            cell
            for role, defect in defects.items()
            for cell in withheld(family, group.instance, role, defect, group.harmless)
        ]
        if missing:
            cell = missing[0]
            because = f"{name}: {cell.attribute} of {group.instance.names[cell.candidate]} is never returned"
            return Refuted(Engine.EVALUATION, because=because)
    return Proved(Engine.EVALUATION, because="two requests a role, the second aimed at the defect")


def setting_defects(family: Family, group: CandidateGroup) -> dict[str, dict[str, Defect]]:
    """The defects of each unreliable setting, by role."""
    owner = {attribute.id: attribute.owner for attribute in family.attributes}
    found: dict[str, dict[str, Defect]] = {}
    if group.misaligned is not None:
        found["Misaligned"] = {owner[group.misaligned.attribute]: group.misaligned}
    if group.incomplete is not None:
        found["Incomplete"] = {owner[group.incomplete.attribute]: group.incomplete}
    if group.missed is not None:
        found["Missed"] = {group.missed.role: group.missed}
    if group.mixed is not None:
        mixed = group.mixed
        found["Mixed"] = {
            owner[mixed.misaligned.attribute]: mixed.misaligned,
            owner[mixed.omitted]: Incomplete(mixed.omitted, hiding_attribute(family, mixed.omitted)),
            mixed.missed: Missed(mixed.missed),
        }
    return found
