"""Reads a facts document against a family."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from unco.compiler.checking.domains import read_scalar
from unco.compiler.checking.report import Report, nearest
from unco.specs.domains import BooleanDomain, Domain
from unco.specs.errors import SpecificationError
from unco.specs.evidence import NOTHING, Between, Knowledge, OneOf
from unco.specs.facts import CoarseSection, DefectsSection, Facts, FactsDocument, MisalignedSection, Pins
from unco.specs.family import Attribute, Family, Slot
from unco.specs.group import Misaligned, Missed, Mixed
from unco.specs.located import FieldPath
from unco.specs.read import read_facts
from unco.specs.values import Value


def pin(family: Family, document: FactsDocument, report: Report) -> Pins | None:
    """The facts as pins; None where they do not fit, and the report says why (UNC701)."""
    return _Reader(family, report).pins(document)


def load_pins(family: Family, path: str | os.PathLike[str]) -> Pins:
    """The pins in a facts file; raises SpecificationError with every finding (UNC1xx, UNC701)."""
    loaded = read_facts(path)
    report = Report(loaded.source)
    pins = pin(family, loaded.document, report)
    if pins is None:
        raise SpecificationError(report.diagnostics, loaded.source.text)
    return pins


class _Reader:
    def __init__(self, family: Family, report: Report) -> None:
        self.family = family
        self.report = report

    def pins(self, document: FactsDocument) -> Pins | None:
        if len(document.candidates) > self.family.candidates:
            self._wrong(
                ("candidates",),
                "more candidates than the specification has",
                str(len(document.candidates)),
                str(self.family.candidates),
            )
        candidates = {name: self._cells(facts, ("candidates", name)) for name, facts in document.candidates.items()}
        parameters = self._parameters(document)
        defects = document.defects
        misaligned = self._misaligned(defects.misaligned, ("defects", "misaligned")) if defects.misaligned else None
        coarse = self._coarse(defects, document)
        missed, mixed = self._missed(defects), self._mixed(defects)
        if self.report.failed:
            return None
        incomplete = defects.incomplete.attribute if defects.incomplete else None
        return Pins(candidates, parameters, misaligned, incomplete, coarse, missed, mixed)

    def _wrong(
        self, path: FieldPath, message: str, found: str, expected: str | None = None, hint: str | None = None
    ) -> None:
        self.report.add("UNC701", path, message, found=found, expected=expected, hint=hint)

    def _attribute(self, name: str, path: FieldPath) -> Attribute | None:
        attribute = self.family.attribute_by_id.get(name)
        if attribute is None:
            self._wrong(
                path, "there is no such attribute", name, hint=nearest(name, tuple(self.family.attribute_by_id))
            )
        return attribute

    def _cells(self, facts: Mapping[str, Facts], path: FieldPath) -> dict[Slot, Value]:
        found: dict[Slot, Value] = {}
        for name, given in facts.items():
            attribute = self._attribute(name, (*path, name))
            if attribute is None:
                continue
            by_context = given if isinstance(given, dict) else {attribute.required: given}
            for context, scalars in by_context.items():
                where = (*path, name, context) if isinstance(given, dict) else (*path, name)
                found.update(self._slots(attribute, context, scalars, where))
        return found

    def _slots(
        self, attribute: Attribute, context: str, scalars: object, path: FieldPath
    ) -> Iterator[tuple[Slot, Value]]:
        domain = dict(attribute.contexts).get(context)
        if domain is None:
            known = ", ".join(name for name, _ in attribute.contexts if name) or "no context"
            self._wrong(path, f"`{attribute.id}` is not recorded in that context", context, known)
            return
        members = self.family.members(attribute)
        if isinstance(scalars, tuple) != (attribute.group is not None):
            self._wrong(
                path,
                "one value a member is given as a list",
                str(scalars),
                hint=f"`{attribute.id}` is " + ("one value a member" if attribute.group else "a single value"),
            )
            return
        given = scalars if isinstance(scalars, tuple) else (scalars,)
        if len(given) > len(members):
            self._wrong(path, "more values than members", str(len(given)), f"at most {len(members)}")
            return
        for member, scalar in zip(members, given, strict=False):
            value = self._value(domain, scalar, path)
            if value is not None:
                yield Slot(attribute.id, member, context), value

    def _value(self, domain: Domain, scalar: object, path: FieldPath) -> Value | None:
        if isinstance(domain, BooleanDomain) and isinstance(scalar, str) and scalar in domain.words:
            return scalar == domain.words[0]
        value = read_scalar(scalar, domain.type)
        if value is None or domain.index(value) is None:
            self._wrong(path, "the value lies outside the domain", str(scalar), domain_words(domain))
            return None
        return value

    def _parameters(self, document: FactsDocument) -> dict[str, Value]:
        domains = {parameter.id: parameter.domain for parameter in self.family.parameters}
        found = {}
        for name, scalar in document.parameters.items():
            if name not in domains:
                self._wrong(
                    ("parameters", name), "there is no such parameter", name, hint=nearest(name, tuple(domains))
                )
            elif (value := self._value(domains[name], scalar, ("parameters", name))) is not None:
                found[name] = value
        return found

    def _misaligned(self, section: MisalignedSection, path: FieldPath) -> Misaligned | None:
        attribute = self._attribute(section.attribute, (*path, "attribute"))
        if attribute is None:
            return None
        others = [name for name, _ in attribute.contexts[1:]]
        if section.context not in others:
            self._wrong(
                (*path, "context"), "not another context of the attribute", section.context, ", ".join(others) or "none"
            )
        return Misaligned(section.attribute, section.context)

    def _coarse(self, defects: DefectsSection, document: FactsDocument) -> dict[tuple[str, int], Knowledge]:
        section, path = defects.incomplete, ("defects", "incomplete")
        if section is None:
            return {}
        attribute = self._attribute(section.attribute, (*path, "attribute"))
        found: dict[tuple[str, int], Knowledge] = {}
        for name, coarse in section.coarse.items():
            where = (*path, "coarse", name)
            if name not in document.candidates:
                self._wrong(where, "not a candidate of this file", name, ", ".join(document.candidates))
            elif attribute is not None and (knowledge := self._knowledge(attribute.domain, coarse, where)) is not None:
                found |= {(name, member): knowledge for member in self.family.members(attribute)}
        return found

    def _knowledge(self, domain: Domain, section: CoarseSection, path: FieldPath) -> Knowledge | None:
        if (section.between is not None) + (section.one_of is not None) + section.omitted != 1:
            self._wrong(
                path, "a coarse value is one of three", "none or several", "`between`, `one_of` or `omitted: true`"
            )
            return None
        if section.omitted:
            return NOTHING
        values = [self._value(domain, scalar, path) for scalar in (section.between or section.one_of or ())]
        if None in values:
            return None
        known = [value for value in values if value is not None]
        return Between(known[0], known[1]) if section.between else OneOf(tuple(known))

    def _role(self, name: str, path: FieldPath) -> str:
        roles = [role.id for role in self.family.roles]
        if name not in roles:
            self._wrong(path, "there is no such role", name, hint=nearest(name, roles))
        return name

    def _missed(self, defects: DefectsSection) -> Missed | None:
        return Missed(self._role(defects.missed, ("defects", "missed"))) if defects.missed else None

    def _mixed(self, defects: DefectsSection) -> Mixed | None:
        section, path = defects.mixed, ("defects", "mixed")
        if section is None:
            return None
        decoy = self._misaligned(section.misaligned, (*path, "misaligned"))
        self._attribute(section.omitted, (*path, "omitted"))
        self._role(section.missed, (*path, "missed"))
        return None if decoy is None else Mixed(decoy, section.omitted, section.missed)


def domain_words(domain: Domain) -> str:
    """A domain in a few words."""
    if isinstance(domain, BooleanDomain):
        return " or ".join(domain.words)
    if domain.size <= 12 and hasattr(domain, "values"):
        return f"one of {', '.join(str(value) for value in domain.values)}"
    step = getattr(domain, "step", 1)
    return f"{domain.value(0)} to {domain.value(domain.size - 1)}" + (f" in steps of {step}" if step != 1 else "")
