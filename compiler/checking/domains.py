"""Sections of a specification to domains: types, units, ranges and steps."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from fractions import Fraction

from unco.compiler.checking.report import Report
from unco.specs.document import (
    AttributeSection,
    DomainFields,
    OffContext,
    ParameterSection,
    Specification,
    ValueSection,
)
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain, exact
from unco.specs.located import FieldPath
from unco.specs.mistakes import number_hint
from unco.specs.scalars import exact_number
from unco.specs.units import UnknownUnit, parse_unit
from unco.specs.values import BOOLEAN, DATE, PERCENT, PLAIN, CategoryType, NumberType, Type, Unit, Value

MOST_VALUES = 10**40


class Domains:
    """Builds the domains of one specification; what is wrong goes into the report, and None comes back."""

    def __init__(self, specification: Specification, report: Report) -> None:
        self.report = report
        self.author_units = {name: unit.plural for name, unit in specification.units.items()}

    def unit(self, kind: str, text: str | None, path: FieldPath) -> Unit | None:
        """The unit of a number of some kind, with the dimension that the kind asks for."""
        if kind == "percentage":
            return PERCENT
        if text is None:
            return self._no_unit(kind, path)
        try:
            unit = parse_unit(text, self.author_units)
        except UnknownUnit as error:
            self.report.add(
                "UNC205", (*path, "unit"), f"`{error.name}` is not a unit", found=text, hint=_unit_hint(error)
            )
            return None
        expected = _misfit(kind, unit)
        if expected is not None:
            self.report.add(
                "UNC204", (*path, "unit"), f"this unit does not fit the type {kind}", found=text, expected=expected
            )
            return None
        return unit

    def _no_unit(self, kind: str, path: FieldPath) -> Unit | None:
        if kind in ("count", "decimal"):
            return PLAIN
        expected = {"money": "a currency such as AUD", "duration": "years, months, days, hours or minutes"}
        self.report.add(
            "UNC208",
            path,
            f"the type {kind} needs a unit",
            expected=expected.get(kind, "a unit such as km"),
            hint="add `unit:`",
        )
        return None

    def attribute(self, section: AttributeSection, path: FieldPath) -> tuple[tuple[str, Domain], ...] | None:
        """Each evidence context of an attribute with its domain, the required one first."""
        own = self.domain(section, section.type, path, section.words)
        if own is None:
            return None
        if section.context is None:
            return (("", own),)
        contexts = [(section.context.required, own)]
        for number, other in enumerate(section.context.others):
            where = (*path, "context", "others", number)
            name = other if isinstance(other, str) else other.name
            domain = own if isinstance(other, str) else self._off_context(section, other, where)
            if name in (known for known, _ in contexts):
                self.report.add("UNC210", where, "a context is named twice", found=name)
            elif domain is not None and type(domain) is not type(own):
                self.report.add("UNC203", where, "the contexts of an attribute have one type")
            elif domain is not None:
                contexts.append((name, domain))
        return tuple(contexts)

    def _off_context(self, section: AttributeSection, other: OffContext, path: FieldPath) -> Domain | None:
        given = {name: getattr(other, name) for name in DomainFields.model_fields if getattr(other, name) is not None}
        own = {name: getattr(section, name) for name in DomainFields.model_fields}
        if "step" in given or "places" in given:
            own |= {"step": None, "places": None}
        if section.values is not None and other.values is not None:
            return self._part(section.values, other.values, path)
        return self.domain(DomainFields(**{**own, **given}), section.type, path, section.words)

    def _part(self, values: tuple[str, ...], part: tuple[str, ...], path: FieldPath) -> Domain | None:
        for value in part:
            if value not in values:
                self.report.add("UNC206", (*path, "values"), "not a value of the attribute", found=value)
                return None
        return CategoryDomain(CategoryType(values), part)

    def domain(
        self, fields: DomainFields | ParameterSection, kind: str, path: FieldPath, words: tuple[str, str] | None = None
    ) -> Domain | None:
        """The domain of a section with a type."""
        if not self._fitting_fields(fields, kind, path, words):
            return None
        if kind == "boolean":
            return self._boolean(words or ("yes", "no"), path)
        if kind == "category":
            return self._category(fields, path)
        if fields.range is None:
            self.report.add(
                "UNC208",
                path,
                f"the type {kind} needs a range",
                expected="the lowest and the highest value",
                hint="add `range: [low, high]`",
            )
            return None
        return self._dates(fields, path) if kind == "date" else self._numbers(fields, kind, path)

    def _fitting_fields(self, fields: DomainFields, kind: str, path: FieldPath, words: tuple[str, str] | None) -> bool:
        allowed = {"boolean": set(), "category": {"values"}, "date": {"range"}}.get(
            kind, {"unit", "range", "step", "places"}
        )
        given = {name for name in DomainFields.model_fields if getattr(fields, name) is not None}
        if words is not None and kind != "boolean":
            self.report.add("UNC208", (*path, "words"), f"a {kind} has no words for true and false")
            return False
        for name in sorted(given - allowed):
            self.report.add(
                "UNC208", (*path, name), f"a {kind} has no `{name}`", hint=f"remove `{name}`, or change the type"
            )
        return not given - allowed

    def _boolean(self, words: tuple[str, str], path: FieldPath) -> Domain | None:
        if words[0].casefold() == words[1].casefold():
            self.report.add("UNC210", (*path, "words"), "true and false have the same word", found=words[0])
            return None
        return BooleanDomain(words)

    def _category(self, fields: DomainFields, path: FieldPath) -> Domain | None:
        if fields.values is None:
            self.report.add("UNC208", path, "a category needs its values", hint="add `values: [first, second]`")
            return None
        if len(set(fields.values)) < len(fields.values):
            self.report.add("UNC210", (*path, "values"), "a value is given twice")
            return None
        return CategoryDomain(CategoryType(fields.values), fields.values)

    def _dates(self, fields: DomainFields, path: FieldPath) -> Domain | None:
        low, high = (
            self.value(bound, DATE, (*path, "range", number)) for number, bound in enumerate(fields.range or ())
        )
        if not isinstance(low, date) or not isinstance(high, date):
            return None
        if low > high:
            self._empty_range(path, low, high)
            return None
        return DateDomain(low, high)

    def _numbers(self, fields: DomainFields, kind: str, path: FieldPath) -> Domain | None:
        unit = self.unit(kind, fields.unit, path)
        bounds = [
            self.value(bound, NumberType(PLAIN), (*path, "range", n)) for n, bound in enumerate(fields.range or ())
        ]
        if unit is None or None in bounds:
            return None
        low, high = (Fraction(bound) for bound in bounds)  # type: ignore[arg-type]
        step = self._step(fields, path)
        if step is None:
            return None
        if low > high:
            self._empty_range(path, low, high)
        elif (high - low) % step:
            self.report.add(
                "UNC208",
                (*path, "range"),
                "the highest value is not reached in whole steps from the lowest",
                found=f"from {low} to {high} in steps of {step}",
                hint="change the range or the step",
            )
        elif kind == "count" and (low < 0 or low.denominator * step.denominator != 1):
            self.report.add(
                "UNC208", (*path, "range"), "a count is a whole number, zero or more", found=f"{low} in steps of {step}"
            )
        elif (high - low) / step > MOST_VALUES:
            self.report.add("UNC208", (*path, "range"), "the domain has too many values", expected="at most 10^40")
        else:
            return NumberDomain(low, high, step, unit)
        return None

    def _empty_range(self, path: FieldPath, low: date | Fraction, high: date | Fraction) -> None:
        found, hint = f"from {low} to {high}", f"the lowest value comes first: `range: [{high}, {low}]`"
        self.report.add("UNC208", (*path, "range"), "the range is empty", found=found, hint=hint)

    def _step(self, fields: DomainFields, path: FieldPath) -> Fraction | None:
        if fields.step is not None and fields.places is not None:
            self.report.add("UNC208", (*path, "step"), "give either `step` or `places`, not both")
            return None
        step = fields.step if fields.step is not None else Fraction(1, 10 ** (fields.places or 0))
        if step <= 0:
            self.report.add("UNC208", (*path, "step"), "the step must be more than zero", found=str(step))
            return None
        return step

    def value(self, scalar: object, type_: Type, path: FieldPath) -> Value | None:
        """A bound, a key or a value of a type, in the unit that its section names."""
        read = read_scalar(scalar, type_)
        if read is None:
            self.report.add(
                "UNC209",
                path,
                "not a value of this type",
                found=str(scalar),
                expected=_kind_words(type_),
                hint=_scalar_hint(str(scalar), type_),
            )
        return read

    def section_type(self, section: ValueSection, path: FieldPath) -> Type | None:
        """The type of a table's keys or values."""
        if section.type == "boolean":
            return BOOLEAN
        if section.type == "date":
            return DATE
        if section.type == "category":
            if section.values is None:
                self.report.add("UNC208", path, "a category needs its values", hint="add `values: [first, second]`")
                return None
            return CategoryType(section.values)
        unit = self.unit(section.type, section.unit, path)
        return None if unit is None else NumberType(unit)


def read_scalar(scalar: object, type_: Type) -> Value | None:
    """A scalar as a value of a type; None where it is none."""
    match type_:
        case NumberType():
            return _number(scalar)
        case CategoryType(values):
            return scalar if isinstance(scalar, str) and scalar in values else None
    if type_ == BOOLEAN:
        return {"true": True, "false": False}.get(str(scalar).lower())
    if isinstance(scalar, date):
        return scalar
    try:
        return date.fromisoformat(scalar) if isinstance(scalar, str) and len(scalar) == 10 else None
    except ValueError:
        return None


def _number(scalar: object) -> Value | None:
    if isinstance(scalar, bool) or not isinstance(scalar, str | int | Fraction | Decimal):
        return None
    try:
        return exact(exact_number(scalar) if isinstance(scalar, str) else Fraction(scalar))
    except ValueError:
        return None


def _misfit(kind: str, unit: Unit) -> str | None:
    """What the kind expects of a unit, where this one does not fit."""
    names = {name for name, _ in unit.dimension}
    currencies = {name for name in names if len(name) == 3 and name.isupper()}
    if kind == "money" and len(currencies) != 1:
        return "one currency, perhaps per something: AUD, USD per month"
    if kind == "duration" and unit.dimension not in ((("calendar", 1),), (("clock", 1),)):
        return "years or months (calendar), or days, hours or minutes (clock)"
    if kind == "quantity" and currencies:
        return "a unit that is not a currency; use the type money for currencies"
    if kind == "quantity" and not unit.dimension:
        return "a unit that does not cancel out; use the type decimal or percentage for a share such as mg per kg"
    if kind in ("count", "decimal") and currencies:
        return "a counting unit, or none; use the type money for currencies"
    return None


def _unit_hint(error: UnknownUnit) -> str:
    near = " or ".join(error.matches)
    return f"did you mean {near}? Counting units of your own go under `units:`" if near else "declare it under `units:`"


def _scalar_hint(text: str, type_: Type) -> str | None:
    """What to write instead of a text that is no value of the type."""
    if not isinstance(type_, NumberType) or not text[:1].isdigit():
        return None
    if re.fullmatch(r"[0-9_.]+ +[^0-9]+", text):
        return "write the number alone; its unit stands under `unit:`"
    return number_hint(text)


def _kind_words(type_: Type) -> str:
    match type_:
        case NumberType():
            return "a number such as 12, 0.5 or 25_000_000"
        case CategoryType(values):
            return f"one of {', '.join(values)}"
    return "true or false" if type_ == BOOLEAN else "a date such as 2026-03-31"
