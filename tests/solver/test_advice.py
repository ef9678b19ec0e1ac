"""Advice: each change, pasted into the specification, proves what was refuted."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
import yaml
from families import shipped
from small_families import family as family_of
from small_families import specification

from unco.compiler.check import CheckOptions, check
from unco.solver.advice import advise
from unco.solver.families.as_source import Unwritable, as_source
from unco.solver.families.atoms import clauses_against
from unco.solver.families.question import Case
from unco.solver.family import family_claims, prove_claims
from unco.specs.advice import Advice, Remedy
from unco.specs.document import Specification
from unco.specs.family import Family
from unco.specs.family_proof import FamilyClaim, FamilyClaimName, FamilyProof, FamilyProved, FamilyRefuted, Scope
from unco.specs.parser import parse
from unco.specs.printer import print_expression
from unco.specs.read import parse_specification
from unco.specs.shipped import shipped_specifications


@cache
def proof(name: str) -> FamilyProof:
    return prove_claims(shipped(name))


def refuted(proof: FamilyProof) -> list[FamilyClaim]:
    """The necessities of roles that fail for some winner."""
    return [
        claim
        for claim in proof.claims
        if (claim.name, claim.scope) == (FamilyClaimName.NECESSARY, Scope.WINNER)
        and isinstance(claim.verdict, FamilyRefuted)
    ]


def pasted(text: str, advice: Advice) -> Family:
    """The family of a specification with the advised section in it."""
    data = parse_specification(text).specification.dump()
    merged = merge(data, yaml.load(advice.yaml, yaml.BaseLoader))
    return check(Specification.model_validate(merged), CheckOptions(findings=False)).require()


def merge(old: Any, new: Any) -> Any:
    if not isinstance(new, Mapping):
        return new
    return {**old, **{key: merge(old.get(key, {}), value) for key, value in new.items()}}


@pytest.mark.parametrize("name", ["graduate-scholarship", "reduced-fare", "urgent-moulding-order"])
def test_what_is_advised_can_be_pasted_and_proves_the_claim(name: str) -> None:
    text = shipped_specifications()[name].read_text(encoding="utf-8")
    shown = 0
    for claim in refuted(proof(name)):
        for advice in advise(shipped(name), claim):
            found = next(each for each in family_claims(pasted(text, advice)) if each.key == claim.key)
            assert isinstance(found.verdict, FamilyProved), advice
            shown += 1
    assert shown >= 2


def test_the_hardship_role_is_mended_by_putting_the_winner_above_the_first_limit() -> None:
    (hardship, _) = refuted(proof("graduate-scholarship"))
    first = advise(shipped("graduate-scholarship"), hardship)[0]
    assert first.remedy is Remedy.PLAN
    assert first.changes == 1
    assert "'household_income > lookup(income_limit, household_size)'" in first.yaml


def test_an_operand_behind_a_cap_is_mended_by_a_plan_below_it_and_not_by_an_owner_of_all_operands() -> None:
    (_, planning) = refuted(proof("graduate-scholarship"))
    found = advise(shipped("graduate-scholarship"), planning)
    assert [each.remedy for each in found] == [Remedy.PLAN, Remedy.PLAN]
    assert "'remote_terms < 4 terms'" in found[0].yaml


def test_another_owner_is_advised_where_the_operands_stay_with_two() -> None:
    family = shipped("urgent-moulding-order")
    (maintenance,) = refuted(proof("urgent-moulding-order"))
    found = [each for each in advise(family, maintenance) if each.remedy is Remedy.OWNER]
    assert [each.yaml for each in found] == ["attributes:\n  run_time:\n    owner: maintenance"]
    assert "own order run time too" in found[0].says


def gated(**changed: Any) -> Family:
    """The licence does not matter from a certain score on, which the threshold allows for some of its values."""
    sections = {
        "parameters": {"free": {"label": "free mark", "type": "count", "range": [2, 4]}},
        "conditions": {"good": "score >= 2", "licensed": "licence or score >= free", "cheap": "fee <= 2"},
    }
    return family_of(specification(**(sections | changed)))


def test_a_threshold_range_is_narrowed_to_where_the_claim_holds() -> None:
    family = gated(parameters={"free": {"label": "free mark", "type": "count", "range": [3, 4]}})
    (claim,) = (each for each in refuted(prove_claims(family)) if each.subject == "office")
    (found,) = (each for each in advise(family, claim) if each.remedy is Remedy.THRESHOLD)
    assert found.yaml == "parameters:\n  free:\n    range: [4, 4]"
    assert found.says == "draw free mark from 4 to 4"


def test_nothing_is_advised_for_what_is_proved_or_about_groups_without_a_winner() -> None:
    for claim in proof("graduate-scholarship").claims:
        if not isinstance(claim.verdict, FamilyRefuted) or claim.scope is Scope.NO_WINNER:
            assert advise(shipped("graduate-scholarship"), claim) == ()


def test_no_advice_leaves_nobody_to_win() -> None:
    family = gated()
    for claim in refuted(prove_claims(family)):
        assert all("score < 2" not in each.yaml for each in advise(family, claim))


@pytest.mark.parametrize("name", sorted(shipped_specifications()))
def test_a_rule_written_back_parses_to_what_the_author_wrote(name: str) -> None:
    """For rules in whose text nothing is left out or folded: comparisons of cells, tables and amounts."""
    family = shipped(name)
    text = "household_income > lookup(income_limit, household_size)"
    if name == "graduate-scholarship":
        assert parse(as_source(family, denied(family))) == parse(text)
    for rule in family.conditions:
        with suppress(Unwritable):
            written = as_source(family, rule.expression)
            assert print_expression(parse(written)) == written


def denied(family: Family) -> Any:
    (claim, _) = refuted(proof("graduate-scholarship"))
    assert isinstance(claim.verdict, FamilyRefuted)
    assert claim.verdict.counterexample is not None
    instance = claim.verdict.counterexample.instance
    hidden = claim.verdict.counterexample.stays
    return clauses_against(family, Case(instance.candidate(0), instance.parameters, None), hidden)[0]
