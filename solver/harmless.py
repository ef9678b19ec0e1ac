"""Harmless: coarse knowledge that every setting holds, and that no rule can tell from the exact value.

Decided by evaluation alone: every rule is the same throughout the coarse cells (solver/throughout.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unco.solver.claims import face_values, untrue
from unco.solver.judge import judge, violations
from unco.solver.operators.operator import Undefined
from unco.solver.throughout import Throughout, indices
from unco.specs.evidence import Knowledge, Nothing
from unco.specs.family import Family, Slot
from unco.specs.group import CandidateGroup
from unco.specs.instance import Instance, SeveralEligible, Winner
from unco.specs.verdict import Engine, Proved, Refuted, Verdict


def harmless(family: Family, group: CandidateGroup) -> Verdict:
    """Proved iff the coarse facts are true and touch no defect, and no exact value behind them changes a condition or
    the result, in the instance and where a misaligned reply is read at face value; the extras are of other contexts.
    """
    because = _misplaced(family, group) or _untrue(family, group) or _telling(family, group)
    return Refuted(Engine.EVALUATION, because=because) if because else Proved(Engine.EVALUATION)


def _misplaced(family: Family, group: CandidateGroup) -> str:
    """Why an attribute cannot stand among what is harmless; empty where each can."""
    targets, sizes = group.targets, {each.size_attribute for each in family.groups}
    coarse = [each.attribute for each in group.harmless.coarse]
    for name in coarse:
        if family.attribute_by_id[name].group is not None or name in sizes or coarse.count(name) > 1:
            return f"{name} is about members, or is coarse twice"
    for name, context in group.harmless.extras:
        if context not in [other for other, _ in family.attribute_by_id[name].contexts[1:]]:
            return f"{context} is no other context of {name}"
    found = next((name for name in (*coarse, *(name for name, _ in group.harmless.extras)) if name in targets), "")
    return f"{found} is the target of a defect" if found else ""


def _untrue(family: Family, group: CandidateGroup) -> str:
    return next(filter(None, (untrue(family, group.instance, each) for each in group.harmless.coarse)), "")


def _telling(family: Family, group: CandidateGroup) -> str:
    """Whose coarse facts a rule can tell from the exact ones; empty where no rule can."""
    for reading in readings(family, group):
        for number, name in enumerate(group.instance.names):
            known = {
                cell.slot: known
                for each in group.harmless.coarse
                for cell, known in each.coarse.items()
                if cell.candidate == number
            }
            if known and not Telling(family, reading, number).same_throughout(known):
                labels = ", ".join(slot.attribute for slot in known)
                return f"the exact {labels} of {name} may change a condition or the result"
    return ""


def readings(family: Family, group: CandidateGroup) -> Iterator[Instance]:
    """The instance, and what each misaligned reply makes of it at face value, where that is legal."""
    yield group.instance
    decoys = (group.misaligned, group.mixed.misaligned if group.mixed else None)
    for decoy in dict.fromkeys(each for each in decoys if each is not None):
        read = group.instance.changed(face_values(family, group.instance, decoy))
        if not violations(family, read):
            yield read


class Telling:
    """Whether the rules can tell one candidate's coarse facts from the exact ones."""

    def __init__(self, family: Family, instance: Instance, candidate: int) -> None:
        self.family = family
        self.values = instance.candidate(candidate)
        self.parameters = instance.parameters
        outcome = judge(family, instance)
        winners = outcome.candidates if isinstance(outcome, SeveralEligible) else ()
        self.wins = candidate in winners or (isinstance(outcome, Winner) and outcome.candidate == candidate)

    def same_throughout(self, coarse: Mapping[Slot, Knowledge]) -> bool:
        """Whether every condition is the same throughout, and the result too where the candidate wins.

        Of what is not stated at all, nothing is taken for granted: no text tells its domain.
        """
        places = {slot: indices(self.family.domains[slot], known) for slot, known in coarse.items()}
        read = {slot.attribute for slot in coarse}
        untold = [slot for slot, known in coarse.items() if isinstance(known, Nothing)]
        parts = Throughout(self.family, self.values, self.parameters, places, untold)
        rules = zip(self.family.conditions, self.family.condition_reads, strict=True)
        try:
            return all(
                parts.value(rule.expression) is not None for rule, reads in rules if not read.isdisjoint(reads)
            ) and (not self.wins or parts.result() is not None)
        except Undefined:
            return False
