"""Every shipped specification reads, stands, round-trips, draws winners and losers, and tells what breaks it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from unco.compiler.check import CheckOptions, check
from unco.compiler.checking.forms import FORMS
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.planning.draw import Goal, draw_candidate
from unco.compiler.planning.pins import load_pins
from unco.solver.judge import candidate_violations, failed_conditions, violations
from unco.specs.document import Specification
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import NoWinner, Winner
from unco.specs.read import Loaded, parse_specification, read_specification, to_yaml
from unco.specs.shipped import shipped_facts, shipped_specifications
from unco.specs.values import Value

NAMES = tuple(shipped_specifications())
ROUGH = CheckOptions(findings=False)


@cache
def loaded(name: str) -> Loaded:
    return read_specification(shipped_specifications()[name])


@cache
def family_of(name: str) -> Family:
    return check(loaded(name), ROUGH).require()


def thresholds_at(family: Family, end: int) -> dict[str, Value]:
    """Every parameter at the first value of its domain, or at the last."""
    return {
        each.id: each.domain.value(end * (each.domain.size - 1)) if each.value is None else each.value
        for each in family.parameters
    }


def rules_of(name: str) -> list[tuple[str, str]]:
    """The section and the id of every rule of a specification that is an expression."""
    given = loaded(name).specification
    return [(section, id_) for section in ("consistency", "conditions") for id_ in getattr(given, section)]


RULES = [(name, *rule) for name in NAMES for rule in rules_of(name)]


def test_the_four_rule_sets_are_shipped() -> None:
    assert {"underground-superintendent", "graduate-scholarship", "reduced-fare", "vacation-days"} <= set(NAMES)


def test_the_shipped_specifications_cover_twelve_domains_and_all_operations() -> None:
    assert len(NAMES) >= 12
    shipped = [loaded(name).specification for name in NAMES]
    assert len({each.domain for each in shipped}) == len(shipped)
    assert {each.calculation.operation for each in shipped} == set(FORMS)


def test_the_candidate_pools_share_no_name() -> None:
    pools = [name for each in NAMES for name in loaded(each).specification.candidates.names]
    assert len(set(pools)) == len(pools)


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_specification_is_named_as_its_file(name: str) -> None:
    assert loaded(name).specification.name == name


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_specification_checks_without_any_diagnostic(name: str) -> None:
    checked = check(loaded(name))
    assert checked.diagnostics == ()
    assert checked.family is not None


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_specification_tells_an_author_how_to_start_from_it(name: str) -> None:
    assert (loaded(name).specification.notes or "").startswith("Start here for ")


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_specification_survives_writing_and_reading(name: str) -> None:
    given = loaded(name).specification
    assert parse_specification(to_yaml(given)).specification == given
    assert Specification.model_validate(given.dump()) == given


@pytest.mark.parametrize("name", NAMES)
def test_every_defect_has_several_targets(name: str) -> None:
    targets = family_of(name).perturbations
    assert min(len(targets.misaligned), len(targets.incomplete), len(targets.missed)) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_no_candidate_name_stands_in_a_text_of_the_specification(name: str) -> None:
    given = loaded(name).specification.dump()
    names = given["candidates"].pop("names")
    assert len(names) >= 12
    assert not [each for each in names if each in repr(given)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("end", [0, 1])
def test_a_winner_and_a_loser_of_each_condition_can_be_drawn(name: str, end: int) -> None:
    family, rng = family_of(name), Random("references")
    parameters = thresholds_at(family, end)
    for failing in (frozenset[str](), *(frozenset({rule.id}) for rule in family.conditions)):
        cells = draw_candidate(Goal(family, parameters, failing, winner=not failing), rng)
        assert cells is not None, failing
        assert candidate_violations(family, 0, cells, parameters) == ()
        assert set(failed_conditions(family, cells, parameters)) == failing


@pytest.mark.parametrize("name", NAMES)
def test_the_first_groups_are_legal_and_have_all_three_defects(name: str) -> None:
    family = family_of(name)
    for index in range(2):
        group = instantiate(family, index, InstantiateOptions())
        assert isinstance(group, CandidateGroup)
        assert violations(family, group.instance) == ()
        assert None not in (group.misaligned, group.incomplete, group.missed)


@pytest.mark.laws
@pytest.mark.parametrize("name", NAMES)
def test_groups_of_both_decisions_come_out_with_targets_that_vary(name: str) -> None:
    family = family_of(name)
    groups = [instantiate(family, index, InstantiateOptions()) for index in range(20)]
    drawn = [group for group in groups if isinstance(group, CandidateGroup)]
    assert len(drawn) == len(groups), [group for group in groups if group not in drawn]
    assert not [group.index for group in drawn if violations(family, group.instance)]
    assert {type(group.outcome) for group in drawn} == {Winner, NoWinner}
    assert len({group.misaligned.attribute for group in drawn if group.misaligned}) >= 3
    assert len({group.incomplete.attribute for group in drawn if group.incomplete}) >= 3
    assert len({group.missed.role for group in drawn if group.missed}) >= 3


@pytest.mark.parametrize("name", sorted(shipped_facts()))
def test_shipped_facts_fit_their_specification(name: str) -> None:
    assert len(load_pins(family_of(name), shipped_facts()[name]).candidates) > 0


# Breaking one rule --------------------------------------------------------------------------------------------------


def broken(name: str, section: str, id_: str, change: Callable[[str], str]) -> list[tuple[str, str, str]]:
    """The code, the path and the words of each error after the text of one rule is changed."""
    data = loaded(name).specification.dump()
    data[section][id_] = change(rule_text(name, section, id_))
    checked = check(Specification.model_validate(data), ROUGH)
    assert checked.family is None
    return [(each.code, each.path, f"{each.message} {each.found} {each.hint}") for each in checked.diagnostics]


def rule_text(name: str, section: str, id_: str) -> str:
    """The expression of a rule, with or without a wording of the author's own."""
    rule = loaded(name).specification.dump()[section][id_]
    return str(rule["rule"] if isinstance(rule, dict) else rule)


def first_attribute(name: str, rule: str) -> str:
    words: list[str] = re.findall(r"[a-z_]+", rule)
    return next(word for word in words if word in loaded(name).specification.attributes)


@pytest.mark.parametrize(("name", "section", "id_"), RULES)
def test_a_misspelt_name_in_any_rule_is_told_with_the_right_one(name: str, section: str, id_: str) -> None:
    meant = first_attribute(name, rule_text(name, section, id_))
    (code, path, words), *_ = broken(name, section, id_, lambda rule: rule.replace(meant, meant + "x"))
    assert (code, path) == ("UNC201", f"{section}.{id_}")
    assert f"`{meant}x`" in words
    assert re.search(rf"\b{meant}\b", words)


@pytest.mark.parametrize(("name", "section", "id_"), RULES)
def test_an_open_bracket_in_any_rule_is_told_where_it_stands(name: str, section: str, id_: str) -> None:
    found = broken(name, section, id_, lambda rule: f"({rule}")
    assert [(code[:4], path) for code, path, _ in found] == [("UNC1", f"{section}.{id_}")]


BARE = r"([0-9]) (years?|months|days|hours|milliseconds|metres|litres|celsius|kg|kN|dB|USD)\b(?![^\[\]]*\])"
"""A number with its unit, outside the name of a context."""
UNITS = [each for each in RULES if re.search(BARE, rule_text(*each))]


@pytest.mark.parametrize(("name", "section", "id_"), UNITS)
def test_a_unit_left_out_of_any_rule_is_told(name: str, section: str, id_: str) -> None:
    found = broken(name, section, id_, lambda rule: re.sub(BARE, r"\1", rule))
    assert [(code, path) for code, path, _ in found] == [("UNC204", f"{section}.{id_}")]
    assert "write the unit" in found[0][2]
