"""Resolves a specification into a family: domains, tables, typed rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace

from unco.compiler.checking.domains import Domains, read_scalar
from unco.compiler.checking.report import Report, nearest
from unco.compiler.checking.structure import aims
from unco.compiler.checking.tables import Tables
from unco.compiler.checking.typing import Scope, type_expression
from unco.specs.document import GroupSection, RuleSection, Specification
from unco.specs.domains import NumberDomain
from unco.specs.errors import SpecificationError
from unco.specs.expression import Expression
from unco.specs.family import (
    FAILED_CONDITIONS,
    Attribute,
    Calculation,
    Decision,
    Difficulty,
    Family,
    Group,
    Parameter,
    Perturbations,
    Plan,
    Role,
    Rule,
)
from unco.specs.located import FieldPath
from unco.specs.parser import parse
from unco.specs.values import BOOLEAN, PLAIN, NumberType, Unit


def build_family(specification: Specification, report: Report) -> Family | None:
    """The family of a specification, or None where the report holds an error that keeps it from standing."""
    return _Builder(specification, report).family()


class _Builder:
    def __init__(self, specification: Specification, report: Report) -> None:
        self.specification = specification
        self.report = report
        self.domains = Domains(specification, report)

    def family(self) -> Family | None:
        scope = self._scope()
        conditions = self._rules("conditions", self.specification.conditions, scope)
        consistency = self._rules("consistency", self.specification.consistency, scope)
        winner = self._rules("plan", self.specification.plan.winner, scope, "winner")
        calculation = self._calculation(scope)
        if self.report.failed or calculation is None:
            return None
        return self._assemble(scope, conditions, consistency, winner, calculation)

    def _scope(self) -> Scope:
        self._unique_names()
        parameters = self._parameters()
        tables = {
            id_: table
            for id_, section in self.specification.tables.items()
            if (table := Tables(self.domains).table(id_, section)) is not None
        }
        attributes = self._attributes()
        groups = {
            id_: group
            for id_, section in self.specification.groups.items()
            if (group := self._group(id_, section, attributes)) is not None
        }
        declared = self.specification
        names = {*declared.attributes, *declared.parameters, *declared.tables, *declared.groups}
        broken = frozenset(names - {*attributes, *parameters, *tables, *groups})
        rules = frozenset({*declared.conditions, *declared.consistency})
        return Scope(attributes, parameters, tables, groups, self.domains.author_units, broken, rules)

    def _unique_names(self) -> None:
        seen: dict[str, FieldPath] = {}
        for section in ("attributes", "parameters", "tables", "groups"):
            for name in getattr(self.specification, section):
                path = (section, name)
                if name in seen:
                    self.report.add(
                        "UNC210",
                        path,
                        f"`{name}` is used twice",
                        related=(("first here", seen[name]),),
                        hint="attributes, parameters, tables and groups share one set of names",
                    )
                elif name in RESERVED:
                    self.report.add("UNC210", path, f"`{name}` is a word of the language", hint="choose another name")
                seen.setdefault(name, path)

    def _parameters(self) -> dict[str, Parameter]:
        found = {}
        for id_, section in self.specification.parameters.items():
            path = ("parameters", id_)
            domain = self.domains.domain(section, section.type, path)
            if domain is None:
                continue
            value = None if section.value is None else read_scalar(section.value, domain.type)
            if section.value is not None and (value is None or domain.index(value) is None):
                self.report.add(
                    "UNC209", (*path, "value"), "the value lies outside the domain", found=str(section.value)
                )
            found[id_] = Parameter(id_, section.label, domain, value)
        return found

    def _attributes(self) -> dict[str, Attribute]:
        found = {}
        for id_, section in self.specification.attributes.items():
            path = ("attributes", id_)
            if section.owner not in self.specification.roles:
                self.report.add(
                    "UNC305",
                    (*path, "owner"),
                    f"`{id_}` has no owner that can be asked",
                    found=section.owner,
                    expected="a role",
                    hint=nearest(section.owner, tuple(self.specification.roles)),
                )
            if section.per is not None and section.per not in self.specification.groups:
                self.report.add(
                    "UNC211",
                    (*path, "per"),
                    "there is no such group",
                    found=section.per,
                    expected="a group declared under `groups:`",
                    hint=nearest(section.per, tuple(self.specification.groups)),
                )
            contexts = self.domains.attribute(section, path)
            if contexts is None:
                continue
            kind = "" if section.context is None else section.context.kind
            group = section.per if section.per in self.specification.groups else None
            found[id_] = Attribute(
                id_,
                section.label,
                section.owner,
                section.type,
                contexts,
                kind,
                group,
                section.distractor,
                self.report.source.key_span(path),
            )
        return found

    def _group(self, id_: str, section: GroupSection, attributes: Mapping[str, Attribute]) -> Group | None:
        path = ("groups", id_)
        members = [attribute for attribute in attributes.values() if attribute.group == id_]
        if isinstance(section.size, int):
            if section.maximum not in (None, section.size):
                self.report.add("UNC211", (*path, "maximum"), "a group of fixed size has no other maximum")
                return None
            return Group(id_, section.label, None, section.size)
        size = attributes.get(section.size)
        if size is None:
            if section.size not in self.specification.attributes:
                self.report.add(
                    "UNC201",
                    (*path, "size"),
                    f"`{section.size}` is not defined",
                    hint=nearest(section.size, tuple(attributes)),
                )
            return None
        domain = size.domain
        if section.maximum is None or size.kind != "count" or size.group or len(size.contexts) > 1:
            self.report.add(
                "UNC211",
                (*path, "size"),
                "the size of a group is a count in one context, and has a maximum",
                found=f"a {size.kind}",
                hint="add `maximum:`, and give the count no other contexts",
            )
            return None
        if not isinstance(domain, NumberDomain) or domain.high > section.maximum or domain.step != 1:
            self.report.add(
                "UNC211",
                (*path, "maximum"),
                "the size can be larger than the maximum",
                found=f"up to {getattr(domain, 'high', '?')}",
                expected=f"at most {section.maximum}",
            )
            return None
        for member in members:
            if member.owner != size.owner:
                self.report.add(
                    "UNC211",
                    ("attributes", member.id, "owner"),
                    "the size of a group and its members' attributes have one owner",
                    found=member.owner,
                    expected=size.owner,
                    hint="whoever tells the members also tells how many they are",
                )
        return Group(id_, section.label, section.size, section.maximum)

    def _rules(
        self, section: str, rules: Mapping[str, str | RuleSection], scope: Scope, *inner: str
    ) -> tuple[Rule, ...]:
        found = []
        for id_, rule in rules.items():
            path: FieldPath = (section, *inner, id_)
            text, place = (rule, path) if isinstance(rule, str) else (rule.rule, (*path, "rule"))
            expression = self._expression(text, place, scope)
            if expression is None:
                continue
            if expression.type != BOOLEAN:
                self.report.add(
                    "UNC203",
                    place,
                    "a rule is true or false",
                    found="a value",
                    expected="a comparison",
                    hint="compare it with something, e.g. `x >= 12`",
                    span=expression.span,
                )
                continue
            wording = None if isinstance(rule, str) else rule.text
            found.append(Rule(id_, expression, wording, text, self.report.source.span(place)))
        return tuple(found)

    def _expression(self, text: str, path: FieldPath, scope: Scope) -> Expression | None:
        source = self.report.source
        try:
            return type_expression(parse(text, lambda start, end: source.locate(path, start, end)), scope)
        except SpecificationError as error:
            self.report.extend(error.diagnostics, path)
            return None

    def _calculation(self, scope: Scope) -> Calculation | None:
        section = self.specification.calculation
        path = ("calculation", "formula")
        expression = self._expression(section.formula, path, scope)
        unit = self._answer_unit(section.unit)
        if expression is None or unit is None:
            return None
        if not isinstance(expression.type, NumberType):
            self.report.add("UNC203", path, "the result is a number", hint="see the eight operations")
            return None
        if expression.type.unit.dimension != unit.dimension:
            self.report.add(
                "UNC204",
                ("calculation", "unit") if section.unit else path,
                "the result does not have the unit of the answer",
                found=expression.type.unit.symbol or "a plain number",
                expected=unit.symbol or "a plain number",
                hint=_answer_hint(expression.type.unit, section.unit),
                related=(("the formula", path),) if section.unit else (),
            )
            return None
        return Calculation(
            section.operation,
            expression,
            section.label,
            unit,
            section.rounding.places,
            section.rounding.mode,
            section.text,
            section.formula,
            self.report.source.span(path),
        )

    def _answer_unit(self, text: str | None) -> Unit | None:
        if text is None:
            return PLAIN
        return self.domains.unit("percentage" if text in ("%", "percent") else "any", text, ("calculation",))

    def _assemble(
        self,
        scope: Scope,
        conditions: tuple[Rule, ...],
        consistency: tuple[Rule, ...],
        winner: tuple[Rule, ...],
        calculation: Calculation,
    ) -> Family:
        given = self.specification
        family = Family(
            given.name,
            given.title,
            given.domain,
            given.task,
            Decision(given.decision.positive, given.decision.negative),
            given.candidates.noun,
            given.candidates.plural or given.candidates.noun + "s",
            given.candidates.count,
            given.candidates.names,
            tuple(
                Role(id_, role.name, role.description, role.dispensable, role.necessary)
                for id_, role in given.roles.items()
            ),
            tuple(scope.groups.values()),
            tuple(scope.parameters.values()),
            tuple(scope.attributes.values()),
            consistency,
            conditions,
            calculation,
            Perturbations((), (), ()),
            self._plan(winner),
            self._difficulty(),
            digest(given),
        )
        usable, chosen = aims(family), given.perturbations
        targets = Perturbations(
            *(
                usable[name] if getattr(chosen, name) is None else getattr(chosen, name)
                for name in ("misaligned", "incomplete", "missed")
            )
        )
        return replace(family, perturbations=targets)

    def _plan(self, winner: tuple[Rule, ...]) -> Plan:
        plan = self.specification.plan
        margins = tuple((name, getattr(plan.margins, name)) for name in ("edge", "near", "far"))
        given = plan.failed_conditions
        weights = FAILED_CONDITIONS if given is None else tuple(sorted(given.items()))
        return Plan(plan.none_eligible, winner, margins, weights, every_loser=given is not None)

    def _difficulty(self) -> Difficulty:
        difficulty = self.specification.difficulty
        return Difficulty(difficulty.distance, difficulty.distractors)


def _answer_hint(found: Unit, given: str | None) -> str:
    if given is None and found.symbol:
        return f"add `unit: {found.symbol}` to the calculation"
    return "change the unit of the answer, or the formula"


RESERVED = frozenset(
    [
        "if",
        "then",
        "else",
        "and",
        "or",
        "not",
        "in",
        "between",
        "is",
        "true",
        "false",
        "per",
        "half_up",
        "half_even",
        "half_down",
        "up",
        "down",
        "floor",
        "ceiling",
    ]
)


def digest(specification: Specification) -> str:
    """The hash of the canonical specification. Its order counts, since the order of cells follows it; notes do not."""
    text = json.dumps({**specification.dump(), "notes": None}, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
