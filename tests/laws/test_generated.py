"""The generator of specifications covers the language: whoever adds a construct must teach it to the generator."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from specification_strategies import build_specification, family_of, rule_texts

from unco.compiler.check import CheckOptions, check
from unco.solver.operators.fitting import MODES
from unco.solver.operators.table import OPERATORS
from unco.specs import syntax
from unco.specs.document import Section, Specification
from unco.specs.domains import Domain
from unco.specs.expression import Aggregate, Apply, Expression, Table, walk
from unco.specs.family import Family
from unco.specs.parser import parse
from unco.specs.scalars import Kind, Operation, RoundingMode

pytestmark = pytest.mark.xdist_group("generated")
SAMPLE = 120
SYNTAX_NOTATIONS = frozenset({"not in", "not between", "if", "between", "in", "negate", "weighted_mean"})


@cache
def sample() -> tuple[Specification, ...]:
    return tuple(build_specification(Random(seed)) for seed in range(SAMPLE))


@cache
def families() -> tuple[Family, ...]:
    return tuple(family_of(specification) for specification in sample())


def expressions() -> Iterator[Expression]:
    for family in families():
        for rule in (*family.conditions, *family.consistency, *family.plan.winner):
            yield from walk(rule.expression)
        yield from walk(family.calculation.expression)


def sections(value: Any) -> Iterator[Section]:
    """A section and all sections in it."""
    if isinstance(value, Section):
        yield value
        value = {name: getattr(value, name) for name in type(value).model_fields}
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ():
        yield from sections(part)


def section_classes(start: type[BaseModel] = Specification) -> Iterator[type[BaseModel]]:
    """Every class of a section that a specification can hold."""
    yield start
    for field in start.model_fields.values():
        for inner in _inner(field.annotation):
            yield from section_classes(inner)


def _inner(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _inner(part)


def syntax_nodes() -> Iterator[syntax.Syntax]:
    for specification in sample():
        for text in rule_texts(specification):
            nodes = [parse(text)]
            for node in nodes:
                nodes += node.arguments if isinstance(node, syntax.Call) else ()
            yield from nodes


def test_every_generated_specification_passes_the_check() -> None:
    families()


def test_the_family_does_not_depend_on_the_format_of_the_file() -> None:
    for specification, family in zip(sample()[:20], families(), strict=False):
        from_yaml = check(specification, CheckOptions(findings=False)).require()
        assert (from_yaml.digest, from_yaml.cells) == (family.digest, family.cells)
        assert [rule.expression for rule in from_yaml.conditions] == [rule.expression for rule in family.conditions]


def test_every_field_of_every_section_is_used() -> None:
    used = {
        (type(section), name)
        for specification in sample()
        for section in sections(specification)
        for name, field in type(section).model_fields.items()
        if field.default is PydanticUndefined or getattr(section, name) != field.default
    }
    known = {(section, name) for section in section_classes() for name in section.model_fields}
    assert {f"{section.__name__}.{name}" for section, name in known - used} == set()


def test_every_operator_is_used() -> None:
    used = {part.operator for part in expressions() if isinstance(part, Apply | Aggregate)}
    assert used == set(OPERATORS)


def test_every_mode_of_every_operator_is_used() -> None:
    used = {(part.operator, option) for part in expressions() if isinstance(part, Apply) for option in part.options}
    assert {mode for operator, mode in used if operator == "round" and isinstance(mode, str)} == set(MODES)
    for operator in ("add_months", "years_between", "months_between"):
        assert {mode for name, mode in used if name == operator} == {"down", "up"}


def test_tables_have_every_kind_of_row() -> None:
    tables = {
        option
        for part in expressions()
        if isinstance(part, Apply)
        for option in part.options
        if isinstance(option, Table)
    }
    ends = {
        (band.low is None, band.low_included, band.high is None, band.high_included)
        for table in tables
        for band in table.bands
    }
    assert len(ends) >= 7
    assert len({type(table.key) for table in tables}) == len({type(table.gives) for table in tables}) == 4


def test_every_node_of_the_syntax_is_used() -> None:
    assert {type(node) for node in syntax_nodes()} == set(get_args(syntax.Syntax))


def test_every_notation_of_the_syntax_is_used() -> None:
    used = {node.operator for node in syntax_nodes() if isinstance(node, syntax.Call)}
    used |= {
        f"not {node.arguments[0].operator}"
        for node in syntax_nodes()
        if isinstance(node, syntax.Call) and node.operator == "not" and isinstance(node.arguments[0], syntax.Call)
    }
    assert used >= SYNTAX_NOTATIONS


def test_every_kind_operation_and_mode_is_used() -> None:
    assert {each.type for one in sample() for each in one.attributes.values()} == set(get_args(Kind))
    assert {each.type for one in sample() for each in one.parameters.values()} == set(get_args(Kind))
    assert {one.calculation.operation for one in sample()} == set(get_args(Operation))
    assert {one.calculation.rounding.mode for one in sample()} == set(get_args(RoundingMode))
    assert {one.candidates.count for one in sample()} == set(range(2, 9))


def test_every_domain_and_unit_of_numbers_is_used() -> None:
    domains = [domain for family in families() for domain in family.domains.values()]
    assert {type(domain) for domain in domains} == set(get_args(Domain))
    symbols = {domain.unit.symbol for domain in domains if hasattr(domain, "unit")}
    assert symbols >= {"", "%", "AUD", "USD per month", "USD per year", "years", "months", "days", "hours", "beds"}


def test_contexts_differ_in_unit_range_and_values() -> None:
    pairs = [
        (own, other)
        for family in families()
        for attribute in family.attributes
        for (_, own), (_, other) in zip(attribute.contexts, attribute.contexts[1:], strict=False)
    ]
    assert any(own.type != other.type for own, other in pairs)
    assert any(own.type == other.type and own != other for own, other in pairs)
    assert any(hasattr(own, "values") and own != other for own, other in pairs)
    assert any(
        attribute.group and len(attribute.contexts) > 1 for family in families() for attribute in family.attributes
    )


def test_rules_read_other_contexts_parameters_and_members() -> None:
    kinds = {type(part).__name__ for part in expressions()}
    assert kinds == {"Constant", "Reference", "ParameterReference", "Apply", "Aggregate"}
    texts = [text for specification in sample() for text in rule_texts(specification)]
    assert any('["Other' in text for text in texts)
