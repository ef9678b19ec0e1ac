"""The solver's findings: one of each kind, judged for every value of the open parameters."""

from __future__ import annotations

from typing import Any

import pytest

from tests.small_families import family, small, specification
from unco.solver.decide import Undecided
from unco.solver.findings import Finding, _Finder, findings

LEAST = {"label": "least score", "type": "count"}


def found(**changed: Any) -> list[Finding]:
    return list(findings(family(specification(**changed)), 5_000_000))


def codes(**changed: Any) -> list[tuple[str, str]]:
    return [(finding.code, finding.id) for finding in found(**changed)]


def with_condition(rule: str) -> dict[str, Any]:
    return {"conditions": {"good": rule, "licensed": "licence", "cheap": "fee <= 2"}}


def test_a_sound_family_has_none() -> None:
    assert list(findings(small(), 5_000_000)) == []


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("score >= 4", "UNC402"),
        ("score >= 0", "UNC403"),
        ("score >= 2 or licence", "UNC404"),
        ("score >= 2 and (score >= 1 or fee == 1)", "UNC405"),
        ("if fee <= 2 then score >= 2 else score >= 1", "UNC411"),
        ("max(score, 0, 1) >= 2", "UNC411"),
        ("6 / score >= 3", "UNC407"),
    ],
)
def test_a_condition_that_does_not_do_its_part_is_found(rule: str, code: str) -> None:
    assert code in [each for each, _ in codes(**with_condition(rule))]


def test_conditions_that_cannot_hold_together_are_named_without_the_others() -> None:
    rules = {"good": "score >= 2", "licensed": "licence", "bad": "score <= 1"}
    [finding] = found(conditions=rules)
    assert (finding.code, finding.others) == ("UNC410", ("good", "bad"))


def test_rules_that_no_instance_satisfies_are_found() -> None:
    assert codes(consistency={"one": "score >= 2", "two": "score <= 1"})[0][0] == "UNC401"


def test_an_operand_that_never_changes_the_result_is_found() -> None:
    calculation = {"operation": "product", "label": "price", "formula": "fee * (score - score + 1)"}
    assert ("UNC406", "formula") in codes(calculation=calculation)


def test_a_plan_that_no_winner_meets_is_found() -> None:
    [finding] = found(plan={"winner": {"fine": "score >= 3", "dear": "fee == 3"}})
    assert (finding.code, finding.section, finding.id) == ("UNC413", "plan.winner", "dear")
    assert (finding.others, finding.clauses) == (("cheap",), ())


def test_of_clauses_that_cannot_hold_together_the_first_is_named_and_the_others_with_it() -> None:
    [finding] = found(plan={"winner": {"fine": "score >= 3", "free": "licence", "poor": "score <= 2"}})
    assert (finding.id, finding.others, finding.clauses) == ("fine", (), ("poor",))


@pytest.mark.parametrize(
    ("bounds", "code", "value"),
    [([1, 4], "UNC402", 4), ([0, 2], "UNC403", 0), ([1, 3], "UNC406", 3), ([1, 2], None, None)],
    ids=["impossible", "always true", "idle", "sound for all"],
)
def test_a_threshold_for_one_value_of_which_a_condition_fails_to_count_is_found_with_it(
    bounds: list[int], code: str | None, value: int | None
) -> None:
    parameters = {"least": LEAST | {"range": bounds}}
    result = found(parameters=parameters, **with_condition("score >= least"))
    examples = [finding.example for finding in result]
    assert [finding.code for finding in result] == ([code] if code else [])
    assert [example.parameters for example in examples if example] == ([{"least": value}] if code else [])


def test_a_fixed_threshold_is_judged_at_its_value_alone() -> None:
    parameters = {"least": LEAST | {"range": [0, 4], "value": 2}}
    assert codes(parameters=parameters, **with_condition("score >= least")) == []


def test_a_finding_about_every_value_of_the_threshold_names_none() -> None:
    parameters = {"least": LEAST | {"range": [1, 3]}}
    [finding] = found(parameters=parameters, **with_condition("score + 9 <= least"))
    assert (finding.code, finding.example) == ("UNC402", None)


def test_without_a_budget_a_finding_is_undecided_and_says_so() -> None:
    result = list(findings(small(), 1))
    assert {finding.code for finding in result} == {"UNC412"}
    assert all(finding.reason for finding in result)


def test_where_it_is_not_known_which_thresholds_are_left_nothing_counts_as_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_Finder, "_parameters_left", lambda *_: Undecided("no more", 0))
    parameters = {"least": LEAST | {"range": [1, 2]}}
    assert {code for code, _ in codes(parameters=parameters, **with_condition("score >= least"))} == {"UNC412"}
