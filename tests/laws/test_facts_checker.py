"""The laws of the fast reading of the checker: its functions of places say what its walk of the tree says."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from generated_laws import any_instance, deeply, law, seeds
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from specification_strategies import family_of, specifications

from tests.expression_strategies import (
    DOMAINS,
    KINDS,
    OVERLAPPING,
    PARAMETERS,
    PRODUCTIONS,
    TABLES,
    World,
    applications,
    expressions,
    worlds,
)
from unco.compiler.canonical import canonical, domain_tree, expression_tree, table_tree
from unco.compiler.checker import verify as checker
from unco.specs.document import Specification
from unco.specs.expression import Apply, Constant, Expression, walk
from unco.specs.group import CandidateGroup
from unco.specs.instance import NoWinner
from unco.specs.stored import store_group
from unco.specs.values import PLAIN, BooleanType, NumberType

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
PHASES = tuple(phase for phase in Phase if phase is not Phase.explain)
KEPT = st.sampled_from([0, 1, 6, 1 << 15])
"""How many values are remembered: nothing, little, all. What lies above counts as a fact with very many values."""


def as_read(data: Any) -> Any:
    """Plain data as the checker reads it from a file."""
    return checker.parse_json(json.dumps(data))


LANGUAGE = checker.Language({table.name: checker.Table(as_read(table_tree(table))) for table in TABLES})
SPECIFICATION: Any = SimpleNamespace(
    domains={tuple(slot): checker.Domain(as_read(domain_tree(domain))) for slot, domain in DOMAINS.items()},
    parameters={name: checker.Domain(as_read(domain_tree(domain))) for name, (_, domain) in PARAMETERS.items()},
    language=LANGUAGE,
)
"""What the functions of places need of a specification."""


def value_of(read: Callable[[], Any]) -> Any:
    """The value and its kind, or None where there is none."""
    try:
        found = read()
    except checker.Undefined:
        return None
    return int if isinstance(found, Fraction) else type(found), found


def agree(expression: Expression, world: World, most: int, repeat: int = 2) -> None:
    """Both readings have the same value, each time; or both have none."""
    if any(isinstance(part, Apply) and OVERLAPPING in part.options for part in walk(expression)):
        return
    tree = as_read(expression_tree(expression))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checker, "MOST_KEPT", most)
        compiler = checker.Compiler(SPECIFICATION)
        rule = compiler.rule(tree)
    places = [DOMAINS[slot].index(world.cells[slot]) if slot in world.cells else 0 for slot in DOMAINS]
    places += [
        domain.index(world.parameters[name]) if name in world.parameters else 0
        for name, (_, domain) in PARAMETERS.items()
    ]
    expected = value_of(lambda: LANGUAGE.meaning(tree)(compiler.world(places)))
    for _ in range(repeat):
        assert value_of(lambda: rule.value(places)) == expected
    moved = [place for place, size in enumerate(compiler.sizes) if size > 1 and place not in rule.reads]
    for place in moved:
        changed = [*places]
        changed[place] = (places[place] + 1) % compiler.sizes[place]
        assert value_of(lambda changed=changed: rule.value(changed)) == expected  # type: ignore[misc]


EACH_PRODUCTION = pytest.mark.parametrize(
    "production", PRODUCTIONS, ids=lambda each: f"{each.operator}({','.join(each.takes)})"
)


@EACH_PRODUCTION
@settings(max_examples=5, suppress_health_check=QUIET, phases=PHASES, deadline=None)
@given(data=st.data(), most=KEPT)
def test_every_operator_over_places_has_the_value_of_the_tree(production: Any, data: st.DataObject, most: int) -> None:
    expression = data.draw(applications(production))
    agree(expression, data.draw(worlds(expression)), most)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20, suppress_health_check=QUIET, phases=PHASES, deadline=None)
@given(data=st.data(), most=KEPT)
def test_whole_expressions_over_places_have_the_value_of_the_tree(kind: str, data: st.DataObject, most: int) -> None:
    expression = data.draw(expressions(kind))
    agree(expression, data.draw(worlds(expression)), most)


@pytest.mark.parametrize("value", [-1, 0, 1])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_each_part_of_between_is_worked_out_whatever_the_others_come_to(value: int, place: int) -> None:
    """One part has no value, where another one alone would settle it."""
    plain = NumberType(PLAIN)
    parts: list[Expression] = [Constant(each, plain) for each in (value, 0, 0)]
    parts[place] = Apply("/", (Constant(1, plain), Constant(0, plain)), plain)
    between = Apply("between", tuple(parts), BooleanType())
    agree(between, World({}, {}), 6)
    assert value_of(lambda: LANGUAGE.meaning(as_read(expression_tree(between)))(checker.World({}, {}))) is None


@pytest.mark.laws
@EACH_PRODUCTION
@settings(max_examples=300, suppress_health_check=QUIET, phases=PHASES, deadline=None)
@given(data=st.data(), most=KEPT)
def test_every_operator_over_places_in_depth(production: Any, data: st.DataObject, most: int) -> None:
    expression = data.draw(applications(production, 2))
    agree(expression, data.draw(worlds(expression)), most)


def test_a_rule_with_very_many_parts_is_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "MOST_PARTS", 2)
    for kind in KINDS:
        settings(max_examples=5, database=None, suppress_health_check=QUIET)(
            given(data=st.data())(_agree_on_any(kind))
        )()


def _agree_on_any(kind: str) -> Callable[[st.DataObject], None]:
    def check(data: st.DataObject) -> None:
        expression = data.draw(expressions(kind))
        agree(expression, data.draw(worlds(expression)), 6)

    return check


COMPARABLE = [
    (slot, domain) for slot, domain in SPECIFICATION.domains.items()
    if domain.kind in ("number", "date") and 1 < domain.size < 60 and slot[1] == 0
]  # fmt: skip
"""Facts that a threshold can divide, with few values."""


@pytest.mark.parametrize("name", checker.MIRRORED)
def test_the_place_that_decides_a_comparison_is_right_at_every_threshold(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "MOST_KEPT", 1)
    assert {domain.kind for _, domain in COMPARABLE} == {"number", "date"}
    for slot, domain in COMPARABLE:
        fact = {"attribute": slot[0], "member": slot[1], "context": slot[2]}
        place = list(SPECIFICATION.domains).index(slot)
        for threshold in thresholds(domain):
            for arguments in ([fact, threshold], [threshold, fact]):
                compiler = checker.Compiler(SPECIFICATION)
                read = compiler.rule({"operator": name, "arguments": arguments}).read
                plain = LANGUAGE.meaning({"operator": name, "arguments": arguments})
                for each in range(domain.size):
                    v = [each if other == place else 0 for other in range(len(compiler.sizes))]
                    assert read(v) is plain(compiler.world(v))


def thresholds(domain: checker.Domain) -> list[Any]:
    """Constants at, and between, the values of a domain."""
    values = [domain.base(domain.at(each)) for each in range(domain.size)]
    if domain.kind == "date":
        return [{"constant": each.isoformat(), "kind": "date"} for each in values]
    half = domain.base(domain.step) * Fraction(1, 2)
    return [{"constant": str(Fraction(each) + more) if (Fraction(each) + more).denominator != 1 else int(each + more),
             "kind": "number"} for each in values for more in (-half, 0, half)]  # fmt: skip


# Candidates ----------------------------------------------------------------------------------------------------------


@law(25, 1_500, specification=specifications(), seed=seeds)
def test_candidates_over_places_are_judged_as_their_values_are(specification: Specification, seed: int) -> None:
    family, rng = family_of(specification), Random(seed)
    read = checker.Specification(as_read(canonical(family)))
    reading = checker.Reading(read)
    group = CandidateGroup(0, any_instance(family, rng), NoWinner(), None, None, None, None)
    instance = checker.Instance(read, as_read(store_group(group)))
    domains = list(read.domains.values())
    for who, (facts, judged) in enumerate(zip(instance.facts, instance.judged, strict=True)):
        own = [domain.index(value) for domain, value in zip(domains, facts.values(), strict=True)]
        own += [domain.index(instance.shown_parameters[name]) for name, domain in read.parameters.items()]
        assert verdict(reading, reading.rules, own) == expected(judged)
        for slot in rng.sample(range(len(domains)), min(4, len(domains))):
            changed = [*own]
            changed[slot] = rng.randrange(domains[slot].size)
            cell = (who, *list(read.domains)[slot])
            after = instance.changed({cell: domains[slot].at(changed[slot])})[who]
            assert verdict(reading, reading.rules, changed) == expected(after)
            if judged.eligible and not judged.illegal:
                rules = reading.touched[slot]
                touched = verdict(reading, rules, changed)
                assert touched[:2] == expected(after)[:2]
                assert rules.result or touched[2] in (None, judged.result)


def verdict(reading: checker.Reading, rules: checker.Rules, places: list[int]) -> tuple[bool, bool, Any]:
    """Whether a candidate is legal and eligible, and the result."""
    try:
        if rules.broken(places):
            return False, False, None
        if not rules.eligible(places):
            return True, False, None
        return True, True, reading.answer(places) / reading.last_places
    except checker.Undefined:
        return False, False, None


def expected(judged: checker.Candidate) -> tuple[bool, bool, Any]:
    legal = not judged.illegal
    return legal, legal and judged.eligible, judged.result if legal else None


test_deeply = deeply(__name__)
