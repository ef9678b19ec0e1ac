"""perturb: a rendered group to its tasks, one a setting, with the defective replies and their recovery."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unco.compiler.render import gold_answer
from unco.compiler.rendering.records import record_entry, reply_text
from unco.compiler.rendering.wording import Wording, drawn_wording
from unco.solver.claims import face_values
from unco.solver.judge import judge
from unco.specs.evidence import NOTHING, Knowledge
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup, Misaligned, Setting
from unco.specs.instance import SeveralEligible
from unco.specs.task import (
    DefectKind,
    DefectPart,
    Extra,
    GoldAnswer,
    PrivatePart,
    RecordEntry,
    Rendered,
    RenderedGroup,
    RoleRecords,
)
from unco.specs.wording import definite
from unco.templates.loader import fill


def perturb(family: Family, group: CandidateGroup, rendered: Rendered, wording: Wording | None = None) -> RenderedGroup:
    """The tasks of a group: Reliable, and each setting for which the group has a defect. Gold is the same in all.

    The wording is the one that the group was rendered with: every reply has the forms of the records.
    """
    builder = _Builder(family, group, rendered, wording or drawn_wording(family, group.index))
    parts = []
    for setting, defects, decoy in builder.settings():
        gold = rendered.gold.model_copy(update={"face_value": builder.at_face_value(decoy)})
        private = PrivatePart(records=rendered.records, extras=builder.extras(), defects=defects)
        parts.append((setting, rendered.public, private, gold))
    return RenderedGroup.seal(family.digest, group.index, parts)


class _Builder:
    def __init__(self, family: Family, group: CandidateGroup, rendered: Rendered, wording: Wording) -> None:
        self.family = family
        self.group = group
        self.instance = group.instance
        self.wording = wording
        self.records: Mapping[str, RoleRecords] = {records.role: records for records in rendered.records}

    def settings(self) -> Iterator[tuple[Setting, tuple[DefectPart, ...], Misaligned | None]]:
        """Each setting that the group has, its defects, and the reply that misleads at face value."""
        group = self.group
        yield Setting.RELIABLE, (), None
        if group.misaligned is not None:
            yield Setting.MISALIGNED, (self.misaligned(group.misaligned),), group.misaligned
        if group.incomplete is not None:
            coarse = self.vague("incomplete", group.incomplete.attribute, group.incomplete.coarse)
            yield Setting.INCOMPLETE, (coarse,), None
        if group.missed is not None:
            yield Setting.MISSED, (self.missed(group.missed.role),), None
        if group.mixed is not None:
            three = (
                self.misaligned(group.mixed.misaligned),
                self.vague("omitted", group.mixed.omitted, {}),
                self.missed(group.mixed.missed),
            )
            yield Setting.MIXED, three, group.mixed.misaligned

    def extras(self) -> tuple[Extra, ...]:
        """What is told beside the required context, whatever the setting."""
        return tuple(
            Extra(role=self.family.attribute_by_id[name].owner, attribute=name, context=context)
            for name, context in self.group.harmless.extras
        )

    def misaligned(self, defect: Misaligned) -> DefectPart:
        """First the cells of the other context, for every candidate; then those of the required one."""
        required = self.family.attribute_by_id[defect.attribute].required
        first = self.entries(defect.attribute, defect.context)
        return self.part(
            "misaligned", defect.attribute, defect.context, first, self.entries(defect.attribute, required)
        )

    def vague(self, kind: DefectKind, attribute: str, coarse: Mapping[Cell, Knowledge]) -> DefectPart:
        """First the coarse knowledge, or that nothing is stated, for every candidate; then the exact values."""
        required = self.family.attribute_by_id[attribute].required
        exact = self.entries(attribute, required)
        return self.part(kind, attribute, required, self.coarse_entries(exact, coarse), exact)

    def missed(self, role: str) -> DefectPart:
        """First no response; then everything that the role holds."""
        name = next(each.name for each in self.family.roles if each.id == role)
        entries = self.records[role].entries
        return DefectPart(
            kind="missed",
            role=role,
            first_reply=fill("render/silence.txt.j2", role=definite(name)),
            recovery=entries,
            recovery_reply=reply_text(entries),
        )

    def part(
        self,
        kind: DefectKind,
        attribute: str,
        context: str,
        first: tuple[RecordEntry, ...],
        recovery: tuple[RecordEntry, ...],
    ) -> DefectPart:
        owner = self.family.attribute_by_id[attribute]
        return DefectPart(
            kind=kind,
            role=owner.owner,
            attribute=attribute,
            context=context,
            required=owner.required,
            first=first,
            first_reply=reply_text(first),
            recovery=recovery,
            recovery_reply=reply_text(recovery),
        )

    def entries(self, attribute: str, context: str) -> tuple[RecordEntry, ...]:
        """The records of an attribute in a context."""
        records = self.records[self.family.attribute_by_id[attribute].owner]
        return tuple(each for each in records.entries if (each.attribute, each.context) == (attribute, context))

    def coarse_entries(
        self, exact: tuple[RecordEntry, ...], coarse: Mapping[Cell, Knowledge]
    ) -> tuple[RecordEntry, ...]:
        """The same records, each with what the coarse reply says of it."""
        return tuple(
            record_entry(self.family, self.instance, self.wording, entry.key, cell, coarse.get(cell, NOTHING))
            for entry in exact
            for cell in (self.cell(entry),)
        )

    def cell(self, entry: RecordEntry) -> Cell:
        number = self.instance.names.index(entry.candidate)
        return Cell(number, entry.attribute, entry.member, entry.context)

    def at_face_value(self, decoy: Misaligned | None) -> GoldAnswer | None:
        """The answer to the misaligned reply, where it has one."""
        if decoy is None:
            return None
        outcome = judge(self.family, self.instance.changed(face_values(self.family, self.instance, decoy)))
        if isinstance(outcome, SeveralEligible):
            return None
        return gold_answer(self.family, outcome, self.instance.names)
