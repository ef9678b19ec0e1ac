"""The words of one family that a reader has to know: names, labels, contexts, units and values, but no wording."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from unco.compiler.reading.numerals import read_amount, read_day, unit_words
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain
from unco.specs.expression import Constant, Expression, ParameterReference, Reference, Table, references, walk
from unco.specs.family import Attribute, Family, Parameter
from unco.specs.values import CategoryType, DateType, NumberType, Type, Unit, Value

_ODD_PLURALS = {"child": "children", "person": "people", "man": "men", "woman": "women"}


@dataclass(frozen=True, slots=True)
class Subject:
    """An attribute in a context, as a sentence names it."""

    attribute: Attribute
    context: str
    domain: Domain


class Vocabulary:
    """What the words of a family stand for."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self._around: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}

    @cached_property
    def subjects(self) -> dict[str, tuple[Subject, ...]]:
        """`medical clearance (month: March 2026)` and what it may stand for."""
        found: dict[str, tuple[Subject, ...]] = {}
        for attribute in self.family.attributes:
            for context, domain in attribute.contexts:
                named = named_in(attribute, context)
                found[named] = (*found.get(named, ()), Subject(attribute, context, domain))
        return found

    def around(self, attribute: Attribute) -> tuple[tuple[str, ...], frozenset[str]]:
        """The phrases that may stand around the slots of an attribute's sentences, and the words that must not."""
        if attribute.id not in self._around:
            role = next(each.name for each in self.family.roles if each.id == attribute.owner)
            domains = [domain for _, domain in attribute.contexts]
            barred = _words((*self._context_texts(), *_value_words(domains)))
            self._around[attribute.id] = ((role, self.family.noun), barred)
        return self._around[attribute.id]

    def _context_texts(self) -> Iterator[str]:
        """The contexts of all attributes, with their kinds."""
        for attribute in self.family.attributes:
            yield attribute.context_kind
            yield from (context for context, _ in attribute.contexts)

    @cached_property
    def rules(self) -> tuple[Expression, ...]:
        """The expression of every condition, every consistency rule and the calculation."""
        family = self.family
        return (
            *(rule.expression for rule in (*family.conditions, *family.consistency)),
            family.calculation.expression,
        )

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The tables that the rules look up, by label."""
        parts = [part for rule in self.rules for part in walk(rule)]
        options = [option for part in parts for option in getattr(part, "options", ())]
        return {option.label: option for option in options if isinstance(option, Table)}

    def looked_up_by(self, table: Table) -> str:
        """The label of the one fact that a table is looked up by, in every rule; nothing where there are several."""
        found = {
            self.family.attribute_by_id[key.attribute].label if isinstance(key, Reference) else ""
            for rule in self.rules
            for part in walk(rule)
            if table in getattr(part, "options", ())
            for key in part.arguments  # type: ignore[union-attr]
        }
        return found.pop() if len(found) == 1 else ""

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The thresholds, by label."""
        return {each.label: each for each in self.family.parameters}

    @cached_property
    def members(self) -> dict[str, str]:
        """Each plural form of a group's label, and the id of the group."""
        return {form: group.id for group in self.family.groups for form in sorted(plural_forms(group.label))}

    @cached_property
    def units(self) -> dict[str, Unit]:
        """The texts that stand for a unit after a number."""
        return unit_words(self._units())

    def _units(self) -> Iterator[Unit]:
        for domain in self._domains():
            if isinstance(domain, NumberDomain):
                yield domain.unit
        yield from rule_units(self)
        yield self.family.calculation.unit

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """Every value of a category, the longest first."""
        found = {
            name for domain in self._domains() if isinstance(domain, CategoryDomain) for name in domain.type.values
        }
        for type_ in self._types():
            found |= set(type_.values) if isinstance(type_, CategoryType) else set()
        return tuple(sorted(found, key=lambda name: (-len(name), name)))

    def _domains(self) -> Iterator[Domain]:
        for attribute in self.family.attributes:
            yield from (domain for _, domain in attribute.contexts)
        yield from (parameter.domain for parameter in self.family.parameters)

    def _types(self) -> Iterator[Type]:
        yield from (part.type for rule in self.rules for part in walk(rule))
        yield from (type_ for table in self.tables.values() for type_ in (table.key, table.gives))

    @cached_property
    def needed(self) -> frozenset[tuple[str, str]]:
        """The attributes, with their contexts, that the conditions and the calculation read."""
        read = [*(rule.expression for rule in self.family.conditions), self.family.calculation.expression]
        return frozenset((each.attribute, each.context) for rule in read for each in references(rule))

    def values(self, text: str, domain: Domain) -> tuple[Value, ...]:
        """What a text may state in a domain: at most one value, unless two of its words are the same."""
        match domain:
            case BooleanDomain(words):
                return tuple(truth for truth, word in zip((True, False), words, strict=True) if text in forms(word))
            case CategoryDomain():
                return tuple(name for name in domain.type.values if text in forms(name))
            case DateDomain():
                day = read_day(text)
                return () if day is None else (day,)
            case NumberDomain():
                return self.numbers(text, domain.unit)

    def numbers(self, text: str, unit: Unit) -> tuple[Value, ...]:
        """The magnitude that an amount states, where it is stated in that very unit."""
        amount = read_amount(text, self.units)
        if amount is None:
            return ()
        number, stated = amount
        if stated is None:
            plain = unit.dimension == () and ("%" in text) == (unit.symbol == "%")
            return (number / unit.scale,) if plain else ()
        return (number,) if (stated.dimension, stated.scale) == (unit.dimension, unit.scale) else ()

    def typed(self, text: str, type_: Type) -> tuple[Value, ...]:
        """What a text may state in a type, numbers in base units."""
        match type_:
            case NumberType(unit):
                return tuple(number * unit.scale for number in self.numbers(text, unit))  # type: ignore[operator]
            case CategoryType(values):
                return tuple(name for name in values if text in forms(name))
            case DateType():
                day = read_day(text)
                return () if day is None else (day,)
            case _:
                return {"true": (True,), "false": (False,)}.get(text, ())


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", " ".join(texts).lower()))


def _value_words(domains: Iterable[Domain]) -> Iterator[str]:
    """The words that are values of a domain."""
    for domain in domains:
        match domain:
            case BooleanDomain(words):
                yield from words
            case CategoryDomain():
                yield from domain.values


def named_in(attribute: Attribute, context: str) -> str:
    """The name of an attribute in a context; the kind of a context is left out where the words of each one hold it."""
    if not context:
        return attribute.label
    kind = _padded(attribute.context_kind)
    if all(kind in _padded(each) for each, _ in attribute.contexts):
        return f"{attribute.label} ({context})"
    return f"{attribute.label} ({attribute.context_kind}: {context})"


def _padded(text: str) -> str:
    return " ".join(("", *re.findall(r"\w+", text.lower()), ""))


def the(name: str) -> str:
    """The name of a role after a preposition: with an article, unless it begins with such a word."""
    own = ("the", "a", "an", "any", "all", "each", "every", "its", "his", "her", "their", "this", "no")
    return name if name.partition(" ")[0].lower() in own else f"the {name}"


def forms(name: str) -> tuple[str, str]:
    """A name as it may stand in a sentence: bare, or in quotation marks."""
    return name, '"' + name.replace('"', '""') + '"'


def plural_forms(noun: str) -> frozenset[str]:
    """The plurals that a noun may have: `household members`, `children`, `deputies`, `boxes`."""
    head, space, last = noun.rpartition(" ")
    if last in _ODD_PLURALS:
        return frozenset({f"{head}{space}{_ODD_PLURALS[last]}"})
    return frozenset({f"{noun}s", f"{noun}es", *({f"{noun[:-1]}ies"} if noun.endswith("y") else ())})


def rule_units(vocabulary: Vocabulary) -> Iterator[Unit]:
    """The unit of every number that a rule reads or states."""
    for rule in vocabulary.rules:
        for part in walk(rule):
            if isinstance(part, Constant | Reference | ParameterReference) and isinstance(part.type, NumberType):
                yield part.type.unit
    for table in vocabulary.tables.values():
        yield from (type_.unit for type_ in (table.key, table.gives) if isinstance(type_, NumberType))
