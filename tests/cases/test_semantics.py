"""Faults that users of other tools met, each as it would reach a user of this one: no kind of them is to be met here.

The numbers are those of the case list; `CASES` says which tests speak for each.
"""

from __future__ import annotations

import json
import math
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import z3
from typer.testing import CliRunner, Result

from unco.cli import application
from unco.cli.build import tables
from unco.cli.exits import Exit
from unco.compiler import pipeline
from unco.compiler import render as rendering
from unco.compiler.build import BuildOptions, Built, build, write
from unco.compiler.check import Checked, CheckOptions, check
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.perturb import perturb
from unco.compiler.pipeline import PHASES
from unco.compiler.planning.pins import load_pins
from unco.compiler.prove import ProveOptions, prove
from unco.compiler.render import render
from unco.compiler.rendering import records
from unco.compiler.run import run as run_build
from unco.compiler.running import shares
from unco.compiler.show import show
from unco.solver import phrase
from unco.solver.claims import necessity
from unco.solver.decide import Prover, Sat, Unsat
from unco.solver.judge import judge, violations
from unco.solver.queries import another_answer
from unco.specs.answer import Answer, AnswerFormat, score
from unco.specs.diagnostics import render_text
from unco.specs.domains import exact
from unco.specs.errors import Diagnostic, SpecificationError
from unco.specs.evidence import full
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Instance, NoWinner, SeveralEligible, Winner
from unco.specs.read import parse_specification
from unco.specs.rejection import Rejection
from unco.specs.task import GoldAnswer, Rendered, RenderedGroup
from unco.specs.values import Value
from unco.specs.verdict import ClaimName, Proved, Refuted, Unknown

CASES: Mapping[str, tuple[str, ...]] = {
    "S1": ("test_quotient_and_remainder_have_one_meaning", "test_seven_by_minus_two_is_rounded_down"),
    "S2": (
        "test_a_divisor_that_can_be_zero_is_refused_with_the_value",
        "test_a_divisor_that_cannot_be_zero_is_taken",
        "test_no_command_divides_by_zero",
        "test_a_divisor_of_which_it_is_not_known_is_refused",
        "test_a_threshold_that_facts_can_set_to_zero_is_no_divisor",
    ),
    "S3": ("test_each_mode_rounds_ties_and_negatives_as_it_says",),
    "S4": ("test_a_result_is_rounded_once_at_the_end", "test_rounding_on_the_way_is_refused"),
    "S5": ("test_a_bound_holds_as_written_and_its_mutant_is_caught",),
    "S6": ("test_units_that_do_not_fit_are_refused_at_both_places", "test_units_that_convert_compare_exactly"),
    "S7": ("test_neighbours_of_any_size_are_two_answers",),
    "S8": ("test_a_month_back_from_a_month_end_is_defined", "test_a_date_that_leaves_the_calendar_is_refused"),
    "S9": ("test_a_hard_question_is_unknown_and_no_model_is_read", "test_unknown_is_never_success"),
    "S10": (
        "test_facts_in_another_order_make_the_same_files",
        "test_hash_seed_and_workers_make_the_same_files",
        "test_chunks_make_the_same_files",
    ),
    "S11": ("test_eight_threads_prove_what_one_does", "test_eight_threads_build_what_one_does"),
    "S12": ("test_a_name_is_kept_to_the_letter", "test_a_name_that_cannot_be_kept_is_refused"),
    "S13": ("test_types_that_do_not_fit_are_told_where",),
    "S14": ("test_rules_that_contradict_each_other_prove_nothing", "test_facts_that_contradict_a_rule_prove_nothing"),
    "S15": ("test_age_and_date_of_birth_fit_in_every_instance", "test_an_age_that_does_not_fit_the_birth_is_not_legal"),
    "S16": ("test_a_fact_that_nobody_can_give_is_refused",),
    "S17": (
        "test_a_value_that_is_told_wrong_is_in_no_retained_group",
        "test_a_condition_that_is_left_out_or_made_up_is_in_no_retained_group",
        "test_groups_that_are_told_right_are_retained_beside_those_that_are_not",
    ),
    "S18": ("test_a_verdict_or_a_number_of_its_own_is_in_no_retained_group",),
    "S19": ("test_equal_numbers_score_equal_and_no_others", "test_a_percentage_is_the_number_that_is_shown"),
    "S20": ("test_what_is_no_answer_is_never_right",),
    "S21": ("test_the_last_answer_counts", "test_a_prefix_of_a_name_is_not_the_name"),
    "S23": ("test_a_build_that_is_killed_is_continued_by_the_same_command",),
    "S24": ("test_hostile_files_end_in_a_diagnostic_in_bounded_memory", "test_deep_and_long_rules_are_told_soon"),
    "S25": ("test_hostile_words_are_data_everywhere",),
}
WANTED = [f"S{number}" for number in (*range(1, 22), 23, 24, 25)]
CRANE = (Path(__file__).parents[1] / "specs_bad" / "facts" / "crane.yaml").read_text(encoding="utf-8")
STANDS = """\
unco_facts: 1
candidates:
  Heron: {reach: {long: 40, short: 20}, mast: 50, rent: 5000, fee: 300}
  Stork: {reach: {long: 20, short: 15}, mast: 50, rent: 4000, fee: 450}
"""
QUICK = ProveOptions(sufficient=False)


def test_every_case_has_its_tests() -> None:
    assert list(CASES) == WANTED
    named = [name for tests in CASES.values() for name in tests]
    written = [name for name in globals() if name.startswith("test_") and name != "test_every_case_has_its_tests"]
    assert sorted(named) == sorted(written)


# How a case is put ---------------------------------------------------------------------------------------------------


def crane(*changes: tuple[str, str]) -> str:
    """The text of a small specification, with some places changed."""
    text = CRANE
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def number(low: object, high: object, **fields: object) -> dict[str, Any]:
    """An attribute that is a number."""
    return {"owner": "one", "type": "decimal", "range": [str(low), str(high)], **fields}


def trial(conditions: Mapping[str, str], formula: str, attributes: Mapping[str, Any], **calculation: object) -> str:
    """The text of a specification with two roles, in JSON: any attributes, rules and formula, and `ok: fit`."""
    labelled = {name: {"label": f"the {name}", **section} for name, section in attributes.items()}
    section = {"operation": "sum", "label": "total", "formula": formula, **calculation}
    return json.dumps(
        {
            "unco": 1,
            "name": "trial",
            "title": "Trial",
            "domain": "testing",
            "task": "Decide which item to take.",
            "decision": {"positive": "Take", "negative": "Leave"},
            "candidates": {"noun": "item", "count": 2, "names": ["Ash", "Birch"]},
            "limits": {"roles": [1, 5], "conditions": [1, 6], "condition_owners": 1, "operand_roles": 1},
            "roles": {
                "one": {"name": "First Desk", "description": "Keeps the first files."},
                "two": {"name": "Second Desk", "description": "Keeps the second files."},
            },
            "attributes": {"ok": {"label": "fitness", "owner": "two", "type": "boolean"}, **labelled},
            "conditions": {"fit": "ok", **conditions},
            "calculation": section,
        }
    )


def checked(text: str, *, findings: bool = False, rlimit: int = 20_000_000) -> Checked:
    return check(parse_specification(text), CheckOptions(findings, rlimit))


def family(text: str) -> Family:
    return checked(text).require()


def refused(text: str) -> tuple[Diagnostic, ...]:
    """What is said of a text that does not stand."""
    try:
        found = checked(text)
    except SpecificationError as error:
        return error.diagnostics
    assert found.family is None
    return found.diagnostics


def deciding(rule: str, name: str, attribute: Mapping[str, Any]) -> Family:
    """A family of which one rule about one attribute decides; the result of a winner is 2."""
    return family(trial({"rule": rule}, "base + 1", {name: attribute, "base": number(1, 2)}))


def instance(made: Family, **values: Value) -> Instance:
    """Ash has the values and is fit, Birch has the same and is not."""
    known = {"base": 1, **values}
    cells: dict[Cell, Value] = {}
    for cell in made.cells:
        cells[cell] = cell.candidate == 0 if cell.attribute == "ok" else known[cell.attribute]
    found = Instance(cells, {}, made.candidate_names)
    assert not violations(made, found)
    return found


def outcome(made: Family, **values: Value) -> Winner | NoWinner:
    """The outcome by the interpreter, which the encoding must have, too, and no other."""
    found = instance(made, **values)
    judged = judge(made, found)
    assert not isinstance(judged, SeveralEligible)
    prover = Prover(made)
    assert isinstance(prover.decide_warm(another_answer(made, full(found), judged, promise=False)), Unsat)
    other = NoWinner() if isinstance(judged, Winner) else Winner(0, 0)
    assert isinstance(prover.decide_warm(another_answer(made, full(found), other, promise=False)), Sat)
    return judged


def result(made: Family, **values: Value) -> int | Fraction:
    """The result of Ash."""
    judged = outcome(made, **values)
    assert isinstance(judged, Winner)
    return judged.result


def holds(made: Family, **values: Value) -> bool:
    """Whether Ash is eligible."""
    return isinstance(outcome(made, **values), Winner)


def run(*arguments: str | Path) -> Result:
    """What a command does; no traceback reaches the user."""
    done = CliRunner().invoke(application(), [str(each) for each in arguments])
    assert "Traceback" not in done.output
    assert done.exit_code != Exit.BUG, done.output
    return done


def put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def pinned(made: Family, facts: str, folder: Path) -> CandidateGroup:
    """The group that has the facts."""
    pins = load_pins(made, put(folder / "facts.yaml", facts))
    group = instantiate(made, 0, InstantiateOptions(pins=pins))
    assert isinstance(group, CandidateGroup)
    return group


def files(folder: Path) -> dict[str, bytes]:
    """The files of a dataset. What a run keeps beside them is no part of it: `run.lock` names a process, `run.sqlite`
    holds its chunks in the order in which they were done.
    """
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("run."))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def built_files(built: Built, folder: Path, options: BuildOptions) -> dict[str, bytes]:
    write(built, folder, options)
    return files(folder)


# S1: quotients of negative numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("divisor", [2, -2])
def test_quotient_and_remainder_have_one_meaning(divisor: int) -> None:
    attributes = {"x": number(-3, 3), "y": number(-3, 3)}
    made = family(trial({"same": f"x // {divisor} == y"}, f"10 * y + mod(x, {divisor})", attributes))
    for x in range(-3, 4):
        quotient = math.floor(Fraction(x, divisor))
        assert result(made, x=x, y=quotient) == 10 * quotient + (x - divisor * quotient)
        for y in {quotient - 1, quotient + 1} & set(range(-3, 4)):
            assert not holds(made, x=x, y=y)


def test_seven_by_minus_two_is_rounded_down() -> None:
    made = family(trial({}, "x // y + 100 * mod(x, y)", {"x": number(7, 8), "y": number(-3, -1)}))
    assert result(made, x=7, y=-2) == -4 + 100 * -1
    told = render(made, CandidateGroup(0, instance(made, x=7, y=-2), Winner(0, -104), None, None, None, None))
    assert "(rounded down)" in told.public.instructions


# S2: division by zero ------------------------------------------------------------------------------------------------

BY_ZERO = [
    ("100 / d + e", {"d": (0, 3)}, {}, "d = 0"),
    ("100 / d + e", {"d": (-3, 0)}, {}, "d = 0"),
    ("100 / d + e", {"d": (-3, 3)}, {}, "d = 0"),
    ("100 // d + e", {"d": (0, 3)}, {}, "d = 0"),
    ("mod(100, d) + e", {"d": (0, 3)}, {}, "d = 0"),
    ("100 / (d - 2) + e", {"d": (0, 3)}, {}, "d = 2"),
    ("100 / (d - e) + e", {"d": (0, 3)}, {}, "d = 1"),
    ("100 / (d * e) + e", {"d": (0, 3)}, {}, "d = 0"),
    ("100 / min(d, e) + e", {"d": (0, 3)}, {}, "d = 0"),
    ("percent_change(d, e)", {"d": (0, 3)}, {}, "d = 0"),
    ("weighted_mean(e: d, 10: 1)", {"d": (-1, 3)}, {}, "d = -1"),
    ("weighted_mean(e: d, 10: 0)", {"d": (0, 3)}, {}, "d = 0"),
    ("(if e > 3 then 100 / d else 0) + e", {"d": (0, 3)}, {}, "d = 0"),
    ("100 / d + e", {"d": (0, 3)}, {"c": "d >= 0"}, "d = 0"),
    ("100 / d + e", {"d": (0, 3)}, {"c": "d >= 1 or e > 3"}, "d = 0"),
    ("d + e", {"d": (0, 3)}, {"c": "100 / d > 40"}, "d = 0"),
    ("d + e", {"d": (0, 3)}, {"c": "100 / d > 40 and d > 0"}, "d = 0"),
    ("d + e", {"d": (0, 3)}, {"c": "d > 0", "e": "100 / d > 40"}, "d = 0"),
]
NOT_BY_ZERO = [
    ("100 / d + e", {"d": (1, 3)}, {}),
    ("100 / d + e", {"d": (-3, -1)}, {}),
    ("mod(100, d - 4) + e", {"d": (0, 3)}, {}),
    ("100 / (2 * d - 3) + e", {"d": (0, 3)}, {}),
    ("100 / d + e", {"d": (0, 3)}, {"c": "d >= 1"}),
    ("(if d > 0 then 100 / d else 0) + e", {"d": (0, 3)}, {}),
    ("d + e", {"d": (0, 3)}, {"c": "d > 0 and 100 / d > 40"}),
    ("d + e", {"d": (0, 3)}, {"c": "d == 0 or 100 / d > 40"}),
    ("percent_change(e, d)", {"d": (0, 3)}, {}),
    ("weighted_mean(e: d, 10: 1)", {"d": (0, 3)}, {}),
]


def dividing(formula: str, ranges: Mapping[str, tuple[int, int]], conditions: Mapping[str, str]) -> str:
    attributes = {"e": number(1, 5, owner="two"), **{name: number(*each) for name, each in ranges.items()}}
    operation = {"percent": "percentage_change", "weighted": "weighted_mean"}.get(formula.split("_")[0], "sum")
    unit = {"unit": "%"} if operation == "percentage_change" else {}
    return trial(conditions, formula, attributes, operation=operation, **unit)


@pytest.mark.parametrize(("formula", "ranges", "conditions", "example"), BY_ZERO)
def test_a_divisor_that_can_be_zero_is_refused_with_the_value(
    formula: str, ranges: Mapping[str, tuple[int, int]], conditions: Mapping[str, str], example: str
) -> None:
    (found,) = refused(dividing(formula, ranges, conditions))
    assert found.code == "UNC407"
    assert found.example is not None
    assert example in found.example.split(", ")
    assert found.span is not None
    assert found.span.line == 1


@pytest.mark.parametrize(("formula", "ranges", "conditions"), NOT_BY_ZERO)
def test_a_divisor_that_cannot_be_zero_is_taken(
    formula: str, ranges: Mapping[str, tuple[int, int]], conditions: Mapping[str, str]
) -> None:
    assert checked(dividing(formula, ranges, conditions)).diagnostics == ()


def test_no_command_divides_by_zero(tmp_path: Path) -> None:
    path = put(tmp_path / "crane.yaml", crane(("rent * 2 months + fee", "rent * 2 months + 100 EUR / fee * 1 EUR")))
    for arguments in (("prove", path), ("build", path, "--out", tmp_path / "out")):
        done = run(*arguments)
        assert done.exit_code == Exit.REJECTED
        assert "crane.yaml:28:30: error UNC407: division by zero" in done.output
        assert "fee = 0 EUR" in done.output
    assert not (tmp_path / "out").exists()


def test_a_divisor_of_which_it_is_not_known_is_refused() -> None:
    for findings in (True, False):
        found = checked(dividing("100 / d + e", {"d": (1, 3)}, {}), findings=findings, rlimit=1)
        assert found.family is None
        assert "UNC412" in {each.code for each in found.diagnostics}


def test_a_threshold_that_facts_can_set_to_zero_is_no_divisor() -> None:
    parts = json.loads(dividing("e / limit + d", {"d": (1, 3)}, {}))
    for value in ({}, {"value": "2"}):
        for low, codes in ((0, ["UNC407"]), (1, [])):
            limit = {"label": "limit", "type": "decimal", "range": [str(low), "3"], **value}
            found = checked(json.dumps({**parts, "parameters": {"limit": limit}}))
            assert [each.code for each in found.diagnostics] == codes


# S3 and S4: rounding -------------------------------------------------------------------------------------------------

ROUNDED = {
    "half_up": (3, -3, "0.13", "-0.13"),
    "half_even": (2, -2, "0.12", "-0.12"),
    "half_down": (2, -2, "0.12", "-0.12"),
    "up": (3, -3, "0.13", "-0.13"),
    "down": (2, -2, "0.12", "-0.12"),
    "floor": (2, -3, "0.12", "-0.13"),
    "ceiling": (3, -2, "0.13", "-0.12"),
}


@pytest.mark.parametrize("mode", ROUNDED)
def test_each_mode_rounds_ties_and_negatives_as_it_says(mode: str) -> None:
    whole, minus_whole, hundredths, minus_hundredths = ROUNDED[mode]
    attributes = {"x": number(-3, 3, places=3), "y": number(-3, 3)}
    half, eighth = Fraction(5, 2), Fraction(1, 8)
    to_whole = family(trial({}, "x + y", attributes, rounding={"places": 0, "mode": mode}))
    assert (result(to_whole, x=half, y=0), result(to_whole, x=-half, y=0)) == (whole, minus_whole)
    to_places = family(trial({}, "x + y", attributes, rounding={"places": 2, "mode": mode}))
    assert result(to_places, x=eighth, y=0) == Fraction(hundredths)
    assert result(to_places, x=-eighth, y=0) == Fraction(minus_hundredths)


def test_a_result_is_rounded_once_at_the_end() -> None:
    attributes = {"x": number(0, 1, places=3), "y": number(0, 1, places=3)}
    eighth = Fraction(1, 8)
    added = family(trial({}, "x + y", attributes, rounding={"places": 2, "mode": "half_up"}))
    assert result(added, x=eighth, y=eighth) == Fraction("0.25")
    assert result(added, x=Fraction("0.005"), y=Fraction("0.005")) == Fraction("0.01")
    thirds = family(trial({}, "x / 3 + x / 3 + x / 3", {"x": number(0, 1)}, rounding={"places": 2, "mode": "half_up"}))
    assert result(thirds, x=1) == 1


@pytest.mark.parametrize(
    "formula",
    [
        "round(rent * 2 months, 0, half_up) + fee",
        "rent * 2 months + round(fee, 0, half_up)",
        "rent * 2 months + min(round(fee, 0, half_up), 100 EUR)",
        "rent * 2 months + (if reach > 40 m then round(fee, 0, half_up) else fee)",
    ],
)
def test_rounding_on_the_way_is_refused(formula: str) -> None:
    (found,) = refused(crane(("rent * 2 months + fee", formula)))
    assert found.code == "UNC308"
    assert found.span is not None
    assert found.span.column == 12 + formula.index("round")


# S5: bounds ----------------------------------------------------------------------------------------------------------

BOUNDS = [
    ("age >= 60 years", "age > 60 years", 60, (False, True, True), "at least 60 years"),
    ("age > 60 years", "age >= 60 years", 60, (False, False, True), "more than 60 years"),
    ("age < 18 years", "age <= 18 years", 18, (True, False, False), "less than 18 years"),
    ("age <= 18 years", "age < 18 years", 18, (True, True, False), "at most 18 years"),
    ("age == 60 years", "age >= 60 years and age < 60 years", 60, (False, True, False), "60 years"),
    ("age != 60 years", "age != 60 years or age == 60 years", 60, (True, False, True), "60 years"),
    ("age between 60 years and 64 years", "age > 60 years and age <= 64 years", 60, (False, True, True), "included"),
    ("age between 19 years and 60 years", "age >= 19 years and age < 60 years", 60, (True, True, False), "included"),
    ("not (age < 60 years)", "not (age <= 60 years)", 60, (False, True, True), "at least 60 years"),
]


@pytest.mark.parametrize(("rule", "mutant", "bound", "expected", "words"), BOUNDS)
def test_a_bound_holds_as_written_and_its_mutant_is_caught(
    rule: str, mutant: str, bound: int, expected: tuple[bool, bool, bool], words: str
) -> None:
    age = {"owner": "one", "type": "duration", "unit": "years", "range": ["10", "70"]}
    written, changed = (deciding(each, "age", age) for each in (rule, mutant))
    ages = (bound - 1, bound, bound + 1)
    assert tuple(holds(written, age=each) for each in ages) == expected
    assert holds(changed, age=bound) is not expected[1]
    at = instance(written, age=bound)
    told = render(written, CandidateGroup(0, at, NoWinner(), None, None, None, None))
    assert words in told.public.instructions


# S6: units -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "found"),
    [
        ("7500 EUR", "a number in EUR"),
        ("7500", "a plain number"),
        ("7500 months", "a number in months"),
        ("7500 USD per month", "a number in USD per month"),
        ("90000 USD per year", "a number in USD per year"),
        ("7500 EUR per day", "a number in EUR per day"),
        ("75%", "a percentage"),
    ],
)
def test_units_that_do_not_fit_are_refused_at_both_places(limit: str, found: str) -> None:
    (diagnostic,) = refused(crane(("7500 EUR per month", limit)))
    assert diagnostic.code == "UNC204"
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.column) == (23, 23)
    ((_, other),) = diagnostic.related
    assert (other.line, other.column, other.end_column) == (23, 15, 19)
    assert diagnostic.found == found
    assert diagnostic.expected == "a number in EUR per month"


@pytest.mark.parametrize(
    ("unit", "step", "limit", "last"),
    [
        ("USD per year", 1, "1500 USD per month", 18_000),
        ("USD per month", 1, "18000 USD per year", 1_500),
        ("USD per month", 1, "17999 USD per year", 1_499),
        ("years", 1, "18 months", 1),
        ("months", 1, "1.5 years", 18),
        ("minutes", 1, "1.5 hours", 90),
        ("days", 1, "49 hours", 2),
        ("cm", 1, "1.5 m", 150),
    ],
)
def test_units_that_convert_compare_exactly(unit: str, step: int, limit: str, last: int) -> None:
    kind = "money" if "USD" in unit else "quantity" if unit == "cm" else "duration"
    fact = {"owner": "one", "type": kind, "unit": unit, "range": ["0", "20000"], "step": step}
    made = deciding(f"fact <= {limit}", "fact", fact)
    assert [holds(made, fact=each) for each in (last - step, last, last + step)] == [True, True, False]


# S7: large numbers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("large", [25_000_000, 2**53, 10**30])
def test_neighbours_of_any_size_are_two_answers(large: int) -> None:
    made = family(trial({}, "x + y", {"x": number(0, large + 1), "y": number(0, 1)}))
    assert (result(made, x=large, y=0), result(made, x=large + 1, y=0)) == (large, large + 1)
    shown = instance(made, x=large + 1, y=0)
    for wrong in (large, large + 2):
        question = another_answer(made, full(shown), Winner(0, wrong), promise=False)
        assert isinstance(Prover(made).decide(question), Sat)
    hidden = necessity(Prover(made), shown, judge(made, shown), "one")
    assert isinstance(hidden, Proved)
    form = rendered_format(made)
    gold = Answer(decision="Take", candidate="Ash", result=Fraction(large + 1))
    assert verdict(f"ANSWER: Take | Ash | {large + 1:,}", gold, form) == "right"
    assert verdict(f"ANSWER: Take | Ash | {large:,}", gold, form) == "wrong"
    assert verdict(f"ANSWER: Take | Ash | {float(large + 1)!r}", gold, form) == (
        "right" if large == 25_000_000 else "wrong"
    )


# S8: months ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "months", "down", "up"),
    [
        ("2018-07-31", "-1 month", "2018-06-30", "2018-07-01"),
        ("2018-05-31", "-1 month", "2018-04-30", "2018-05-01"),
        ("2018-03-31", "-1 month", "2018-02-28", "2018-03-01"),
        ("2020-03-31", "-1 month", "2020-02-29", "2020-03-01"),
        ("2020-02-29", "1 year", "2021-02-28", "2021-03-01"),
        ("2018-01-31", "13 months", "2019-02-28", "2019-03-01"),
        ("2018-07-30", "-1 month", "2018-06-30", "2018-06-30"),
    ],
)
def test_a_month_back_from_a_month_end_is_defined(day: str, months: str, down: str, up: str) -> None:
    fact = {"owner": "one", "type": "date", "range": ["2018-01-01", "2022-12-31"]}
    for mode, expected in (("down", down), ("up", up)):
        made = deciding(f"add_months(day, {months}, {mode}) == {expected}", "day", fact)
        assert holds(made, day=date.fromisoformat(day))
        at = instance(made, day=date.fromisoformat(day))
        told = render(made, CandidateGroup(0, at, Winner(0, 2), None, None, None, None)).public.instructions
        assert {"down": "last day of that month", "up": "first day of the next month"}[mode] in told
        assert (" 1 month before the day" in told) is months.startswith("-")


@pytest.mark.parametrize("moved", ["add_months(day, 1 month)", "add_months(day, 1 year)", "day + 1 day"])
def test_a_date_that_leaves_the_calendar_is_refused(moved: str) -> None:
    fact = {"owner": "one", "type": "date", "range": ["9999-12-01", "9999-12-31"]}
    (found,) = refused(trial({"late": f"{moved} > 2018-01-01"}, "base + 1", {"day": fact, "base": number(1, 2)}))
    assert found.code == "UNC407"


# S9: hard questions --------------------------------------------------------------------------------------------------


def test_a_hard_question_is_unknown_and_no_model_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = dict.fromkeys("abc", number(-999, 999))
    made = family(trial({"hard": "a * a * a + b * b * b + c * c * c == 42"}, "a + b", numbers))
    shown = instance(made, a=0, b=0, c=0)
    monkeypatch.setattr(z3.Solver, "model", None)
    found = necessity(Prover(made, rlimit=50_000), shown, NoWinner(), "one")
    assert isinstance(found, Unknown)
    assert "50,000 resource units" in found.reason
    assert found.rlimit > 0
    group = CandidateGroup(0, shown, NoWinner(), None, None, None, None)
    proof = prove(made, group, ProveOptions(50_000, sufficient=False))
    assert not proof.accepted
    undecided = [claim for claim in proof.claims if isinstance(claim.verdict, Unknown)]
    assert (ClaimName.NECESSARY, "one") in {(claim.name, claim.subject) for claim in undecided}
    assert not any(claim.stands for claim in undecided if claim.required)
    assert "one" not in proof.necessary_roles


def test_unknown_is_never_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "TRIES", 1)
    monkeypatch.setattr(shares, "SPARE", 1)
    harder = CRANE.replace("reach >= 35 m\n", "reach >= 35 m or rent * 2 months + fee == 1 EUR\n")
    path = put(tmp_path / "crane.yaml", harder)
    facts = put(
        tmp_path / "facts.yaml",
        STANDS.replace("{long: 40, short: 20}", "{long: 20, short: 30}").replace("20, short: 15", "15, short: 30"),
    )
    shared = (path, "--facts", facts, "--rlimit", "1", "--no-sufficient", "--json")
    proved = run("prove", *shared)
    assert proved.exit_code == Exit.UNKNOWN
    (group,) = json.loads(proved.stdout)["groups"]
    assert (group["accepted"], group["rejection"]["code"]) == (False, "UNC510")
    made = family(harder)
    drawn = InstantiateOptions(pins=load_pins(made, facts))
    built = build([made], BuildOptions(1, drawn, ProveOptions(1)))
    assert built.retained == ()
    assert {each.code for each in built.rejections} == {"UNC510"}


# S10: the same files -------------------------------------------------------------------------------------------------


def test_facts_in_another_order_make_the_same_files(tmp_path: Path) -> None:
    made, made_files = family(CRANE), []
    turned = "candidates:\n  Heron: {fee: 300, rent: 5000, mast: 50, reach: {short: 20, long: 40}}\n"
    turned += "  Stork: {mast: 50, fee: 450, reach: {short: 15, long: 20}, rent: 4000}\nunco_facts: 1\n"
    for name, facts in (("as", STANDS), ("turned", turned)):
        pins = load_pins(made, put(tmp_path / f"{name}.yaml", facts))
        run_build([made], BuildOptions(2, InstantiateOptions(pins=pins), QUICK), tmp_path / name)
        made_files.append(files(tmp_path / name))
    assert made_files[0] == made_files[1]
    assert {"groups.jsonl", "tasks.jsonl", "rejections.jsonl", "manifest.json"} < set(made_files[0])
    assert made_files[0]["groups.jsonl"]


def command(path: Path, out: Path, groups: int, workers: int = 1) -> list[str]:
    """The command that builds, as a user types it."""
    given = [path, "--groups", groups, "--no-sufficient", "--workers", workers, "--out", out]
    return [sys.executable, "-m", "unco", "build", *map(str, given)]


def test_hash_seed_and_workers_make_the_same_files(tmp_path: Path) -> None:
    path = put(tmp_path / "crane.yaml", CRANE)
    runs = {("0", 1): tmp_path / "one", ("1", 2): tmp_path / "two", ("12345", 1): tmp_path / "three"}
    started = [
        subprocess.Popen(
            command(path, out, 12, workers), env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.DEVNULL
        )
        for (seed, workers), out in runs.items()
    ]
    assert [each.wait() for each in started] == [0, 0, 0]
    first, *others = (files(out) for out in runs.values())
    assert "manifest.json" in first
    assert all(other == first for other in others)


def test_chunks_make_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, options = family(CRANE), BuildOptions(6, prove=QUICK)
    found = []
    for size in (1, 2, 10):
        monkeypatch.setattr(shares, "chunk_size", lambda start, size=size: size)
        found.append(built_files(build([made], options), tmp_path / str(size), options))
    assert found[0] == found[1] == found[2]


# S11: threads --------------------------------------------------------------------------------------------------------


def test_eight_threads_prove_what_one_does() -> None:
    made = family(CRANE)
    groups = [instantiate(made, index, InstantiateOptions(seed=5)) for index in range(8)]

    def proved(group: CandidateGroup | Rejection) -> object:
        assert isinstance(group, CandidateGroup)
        proof = prove(made, group, QUICK, Prover(made))
        solved = necessity(Prover(made), group.instance, group.outcome, "office")
        asked = another_answer(made, full(group.instance).hiding(made.cells_of("yard")), group.outcome, promise=True)
        return proof, solved, Prover(made).decide(asked)

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(proved, groups))
    assert together == [proved(group) for group in groups]


def test_eight_threads_build_what_one_does(tmp_path: Path) -> None:
    made, options = family(CRANE), BuildOptions(3, InstantiateOptions(seed=5), QUICK)
    run_build([made], options, tmp_path / "alone")
    folders = [tmp_path / str(number) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda folder: run_build([made], options, folder), folders))
    expected = files(tmp_path / "alone")
    assert expected["groups.jsonl"].count(b"\n") == 3
    assert all(files(folder) == expected for folder in folders)


# S12: names ----------------------------------------------------------------------------------------------------------

KEPT = ("日本", "😀", "\\u{41}", "A", "AB", "Zoë", "O'Brien & Sons", '"q"', "A<B>", "none", "%s {0} $x", "אבג")
NOT_KEPT = {
    "NUL": (["a\0b", "Stork"], "UNC112"),
    "a mark of direction": (["X\u200fY", "Stork"], "UNC112"),
    "an override of direction": (["\u202eStork", "Heron"], "UNC112"),
    "an isolate": (["\u2066Stork", "Heron"], "UNC112"),
    "nothing to see": (["A\u200bB", "AB"], "UNC112"),
    "a line end": (["A\nB", "AB"], "UNC112"),
    "blanks around": (["A ", "B"], "UNC112"),
    "a Cyrillic letter in one": (["Her\u043en", "Stork"], "UNC310"),
    "a Cyrillic letter that tells two apart": (["\u0430", "a"], "UNC310"),
    "a Greek letter that tells two apart": (["\u0391", "A"], "UNC310"),
    "a Cherokee letter in one": (["\u13aaB", "Stork"], "UNC310"),
    "width that tells two apart": (["\uff21", "A"], "UNC310"),
    "a ligature that tells two apart": (["\ufb01n", "fin"], "UNC310"),
    "composition that tells two apart": (["\u00c5sa", "A\u030asa"], "UNC310"),
    "case that tells two apart": (["Heron", "HERON"], "UNC310"),
    "what divides an answer": (["A | B", "Stork"], "UNC310"),
    "the mark of an answer": (["ANSWER: A", "Stork"], "UNC310"),
}


def named(names: Sequence[str], count: int = 2) -> str:
    listed = json.dumps(list(names), ensure_ascii=False)
    return crane(("count: 2, names: [Heron, Stork, Egret]", f"count: {count}, names: {listed}"))


def test_a_name_is_kept_to_the_letter(tmp_path: Path) -> None:
    for names in (KEPT[:6], KEPT[6:]):
        out = tmp_path / names[0][0].encode().hex()
        options = BuildOptions(1, prove=QUICK)
        write(build([family(named(names, 6))], options), out, options)
        lines = [json.loads(line) for line in (out / "tasks.jsonl").read_text(encoding="utf-8").splitlines()]
        assert lines
        for task in lines:
            assert sorted(task["public"]["candidates"]) == sorted(names)
        records = [entry for part in lines[0]["private"]["records"] for entry in part["entries"]]
        assert {entry["candidate"] for entry in records} == set(names)
        assert all(entry["candidate"] in entry["text"] for entry in records)
        shown = run("show", out).stdout
        assert all(entry["text"] in shown for entry in records)
        form = AnswerFormat.model_validate(lines[0]["public"]["answer"])
        for name in names:
            gold = Answer(decision="Hire", candidate=name, result=Fraction(5))
            rights = [each for each in names if verdict(f"ANSWER: Hire | {each} | 5", gold, form) == "right"]
            assert rights == [name]


@pytest.mark.parametrize("kind", NOT_KEPT)
def test_a_name_that_cannot_be_kept_is_refused(kind: str) -> None:
    names, code = NOT_KEPT[kind]
    found = refused(named(names))
    assert {each.code for each in found} == {code}
    assert all(each.span is not None and each.span.line == 7 for each in found)


# S13: types ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "column", "found", "expected"),
    [
        ("inspected >= 1", 9, "true or false", "a number"),
        ("inspected == 1", 22, "a plain number", "true or false"),
        ("inspected + 1 > 2", 9, "true or false", "a number"),
        ("inspected in [1, 2]", 23, "a plain number", "true or false"),
        ("inspected and 1", 23, "a plain number", "true or false"),
        ("not 1", 13, "a plain number", "true or false"),
        ('inspected == "yes"', 22, 'the category "yes"', "true or false"),
        ("inspected == 2026-01-01", 22, "a date", "true or false"),
        ("reach >= true", 18, "true or false", "a number in m"),
        ('reach == "long"', 18, 'the category "long"', "a number in m"),
        ("reach between true and 3 m", 23, "true or false", "a number in m"),
        ("(if reach then 1 else 2) > 1", 13, "a number in m", "true or false"),
        ("reach", 9, "a value", "a comparison"),
    ],
)
def test_types_that_do_not_fit_are_told_where(rule: str, column: int, found: str, expected: str) -> None:
    inspected = "  inspected: {label: inspection, owner: yard, type: boolean}\nconsistency:"
    text = crane(("consistency:", inspected), ("near: fee <= 4000 EUR", f"near: {rule}"))
    diagnostic = next(each for each in refused(text) if each.code == "UNC203")
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.column) == (25, column)
    assert diagnostic.found == found
    assert diagnostic.expected is not None
    assert diagnostic.expected.startswith(expected)
    assert render_text([diagnostic]).startswith("<text>:25:")


# S14: contradictions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule", ["reach <= mast and mast < reach", "mast >= 61 m", "reach < mast and mast < reach + 1 m"]
)
def test_rules_that_contradict_each_other_prove_nothing(rule: str, tmp_path: Path) -> None:
    text = crane(("reach <= mast", rule))
    assert [each.code for each in checked(text, findings=True).diagnostics] == ["UNC401"]
    made = family(text)
    if rule == "mast >= 61 m":
        assert isinstance(instantiate(made, 0, InstantiateOptions()), Rejection)
    proof = prove(made, pinned(family(CRANE), STANDS, tmp_path), QUICK)
    assert not proof.accepted
    assert [each.name for each in proof.claims] == [ClaimName.LEGAL]
    assert proof.rejection("crane-hire", 0).code == "UNC501"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("mast: 50, rent: 5000", "mast: 30, rent: 5000", "UNC501"),
        ("long: 20", "long: 45", "UNC502"),
    ],
)
def test_facts_that_contradict_a_rule_prove_nothing(old: str, new: str, code: str, tmp_path: Path) -> None:
    made = family(CRANE)
    assert prove(made, pinned(made, STANDS, tmp_path), QUICK).claims[0].stands
    assert STANDS.count(old) == 1
    proof = prove(made, pinned(made, STANDS.replace(old, new), tmp_path), QUICK)
    assert not proof.accepted
    assert isinstance(proof.claims[-1].verdict, Refuted)
    assert proof.rejection("crane-hire", 0).code == code
    assert proof.necessary_roles == ()


# S15: rules across roles ---------------------------------------------------------------------------------------------

PERSON = {
    "age": {"owner": "one", "type": "duration", "unit": "years", "range": ["18", "70"]},
    "born": {"owner": "two", "type": "date", "range": ["1956-01-01", "2008-06-15"]},
    "x": number(0, 9),
}


def person() -> Family:
    parts = json.loads(trial({"grown": "age >= 40 years"}, "x + 1", PERSON))
    return family(json.dumps({**parts, "consistency": {"same": "age == years_between(born, 2026-06-15)"}}))


def test_age_and_date_of_birth_fit_in_every_instance() -> None:
    made = person()
    for index in range(12):
        group = instantiate(made, index, InstantiateOptions(seed=2))
        assert isinstance(group, CandidateGroup)
        for candidate in range(2):
            values = {slot.attribute: value for slot, value in group.instance.candidate(candidate).items()}
            born = values["born"]
            assert isinstance(born, date)
            assert values["age"] == 2026 - born.year - ((born.month, born.day) > (6, 15))
        assert prove(made, group, QUICK).claims[0].stands


@pytest.mark.parametrize(("age", "legal"), [(64, False), (42, False), (41, True), (40, False)])
def test_an_age_that_does_not_fit_the_birth_is_not_legal(age: int, legal: bool, tmp_path: Path) -> None:
    values = f"{{ok: true, age: {age}, born: 1985-06-15, x: 1}}"
    facts = f"unco_facts: 1\ncandidates:\n  Ash: {values}\n  Birch: {values.replace('true', 'false')}\n"
    made = person()
    proof = prove(made, pinned(made, facts, tmp_path), QUICK)
    assert proof.claims[0].stands is legal
    assert legal or proof.rejection("trial", 0).code == "UNC501"
    day_before = pinned(made, facts.replace("1985-06-15", (date(1985, 6, 15) + timedelta(1)).isoformat()), tmp_path)
    assert prove(made, day_before, QUICK).claims[0].stands is (age == 40)


# S16: facts out of reach ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("owner: transport, type", "owner: nobody, type", "UNC305"),
        ("owner: transport, type", "type", "UNC108"),
        ("rent * 2 months + fee", 'rent * 2 months + fee["winter"]', "UNC207"),
        ("rent * 2 months + fee", "rent * 2 months + toll", "UNC201"),
        ("reach >= 35 m", 'reach["middle"] >= 35 m', "UNC207"),
        ("range: [0, 5000], step: 50", "range: [0, 5000], step: 50, distractor: true", "UNC315"),
        ("  transport: {name: Transport Desk, description: Keeps the transport fees.}\n", "", "UNC305"),
    ],
)
def test_a_fact_that_nobody_can_give_is_refused(old: str, new: str, code: str) -> None:
    found = refused(crane((old, new)))
    assert code in {each.code for each in found}
    assert all(each.span is not None for each in found)


# S17 and S18: texts that say something else ---------------------------------------------------------------------------

Wording = Callable[[str], str]
ELIGIBLE_DAY = "2026-05-22"
VISIT = """\
unco_facts: 1
candidates:
  Ash: {day: {last: 2026-05-22, first: 2026-02-03}, cost: 40, ok: true}
"""


def visits() -> Family:
    """The last visit of an item decides, and there is a first one."""
    day: dict[str, Any] = {"owner": "one", "type": "date", "range": ["2026-01-01", "2026-12-31"], "label": "day"}
    day |= {"context": {"kind": "visit", "required": "last", "others": ["first"]}}
    cost = number(10, 90, owner="two", label="cost")
    return family(trial({"recent": f"day >= {ELIGIBLE_DAY}"}, "cost + 5", {"day": day, "cost": cost}))


def worded(place: ModuleType, name: str, change: Wording, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a function that words something say something else."""
    written = getattr(place, name)
    monkeypatch.setattr(place, name, lambda *given, **options: change(written(*given, **options)))


def telling_wrong(folder: Path) -> list[Rejection]:
    """What becomes of a whole build whose texts are all wrong: nothing is retained, and the tables count each."""
    made, out = visits(), folder / "out"
    pins = load_pins(made, put(folder / "visit.yaml", VISIT))
    summary = run_build([made], BuildOptions(1, InstantiateOptions(pins=pins), QUICK), out)
    made_files = files(out)
    assert not any(name.startswith("certificates/") for name in made_files)
    assert (made_files["groups.jsonl"], made_files["tasks.jsonl"]) == (b"", b"")
    rejections = [Rejection(**json.loads(line)) for line in made_files["rejections.jsonl"].splitlines()]
    tried = len(rejections)
    assert tried > 1
    assert (summary.retained, summary.missing) == (0, {"trial": 1})
    assert summary.phases[PHASES.index("render") - 1] == ("render", tried, tried, 0)
    (row,) = (line.split() for line in tables(summary).splitlines() if line.startswith("render"))
    assert row == ["render", str(tried), str(tried), "0"]
    assert {each.phase for each in rejections} == {"render"}
    return rejections


@pytest.mark.parametrize(
    ("place", "name", "old", "new", "told"),
    [
        (
            records,
            "knowledge_text",
            "22 May 2026",
            "12 May 2026",
            ("day (visit: last) of Ash", "12 May", "22 May 2026"),
        ),
        (records, "knowledge_text", "22 May 2026", "22 June 2026", ("day (visit: last) of Ash", "22 June", "22 May")),
        (records, "knowledge_text", "22 May 2026", "22 May 2025", ("day (visit: last) of Ash", "2025", "22 May 2026")),
        (records, "knowledge_text", "yes", "no", ("fitness of Ash", "found no", "expected yes")),
        (records, "knowledge_text", "40", "41", ("cost of Ash", "found 41", "expected 40")),
        (phrase, "typed_text", "22 May", "12 May", ("recent", "12 May 2026", f"day >= {ELIGIBLE_DAY}")),
    ],
)
def test_a_value_that_is_told_wrong_is_in_no_retained_group(
    place: ModuleType,
    name: str,
    old: str,
    new: str,
    told: Sequence[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worded(place, name, lambda text: text.replace(old, new), monkeypatch)
    for found in telling_wrong(tmp_path):
        assert found.code == "UNC604"
        assert all(words in found.detail for words in told)


def without_last_condition(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("2. "))


def with_another_condition(text: str) -> str:
    return re.sub(r"(?m)^(2\. .*)$", r"\1\n3. The cost is at most 20.", text)


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (without_last_condition, "UNC603", ("recent", "found nothing", f"day >= {ELIGIBLE_DAY}")),
        (with_another_condition, "UNC605", ("The cost is at most 20.", "expected nothing")),
    ],
)
def test_a_condition_that_is_left_out_or_made_up_is_in_no_retained_group(
    change: Wording, code: str, told: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded(rendering, "instructions", change, monkeypatch)
    for found in telling_wrong(tmp_path):
        assert found.code == code
        assert all(words in found.detail for words in told)


def test_groups_that_are_told_right_are_retained_beside_those_that_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, written = visits(), render
    run_build([made], BuildOptions(5, prove=QUICK), tmp_path / "right")

    def wrong_for_odd(of: Family, group: CandidateGroup) -> Rendered:
        told = written(of, group)
        hint = f"{told.public.instructions}\nThe best choice is {group.instance.names[0]}."
        public = told.public.model_copy(update={"instructions": hint})
        return told.model_copy(update={"public": public}) if group.index % 2 else told

    monkeypatch.setattr(pipeline, "render", wrong_for_odd)
    run_build([made], BuildOptions(3, prove=QUICK), tmp_path / "some")
    right, some = (files(tmp_path / name) for name in ("right", "some"))
    assert some["groups.jsonl"].splitlines() == right["groups.jsonl"].splitlines()[::2]
    rejected = [json.loads(line) for line in some["rejections.jsonl"].splitlines()]
    assert [(each["index"], each["code"]) for each in rejected] == [(1, "UNC606"), (3, "UNC606")]


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("fill", lambda text: f"{text}\nAsh should be approved.", "should be approved"),
        ("fill", lambda text: f"{text} It is the only suitable one.", "the only suitable one"),
        ("fill", lambda text: f"{text} (Reference 4711.)", "4711"),
        ("knowledge_text", lambda text: f"{text}, which is ineligible", "is ineligible"),
        ("knowledge_text", lambda text: f"{text}, up from 17", "17"),
        ("knowledge_text", lambda text: f"{text}, unlike that of Birch", "Birch"),
    ],
)
def test_a_verdict_or_a_number_of_its_own_is_in_no_retained_group(
    name: str, change: Wording, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded(records, name, change, monkeypatch)
    for found in telling_wrong(tmp_path):
        assert found.code == "UNC606"
        assert f'"{words}' in found.detail


# S19 to S21: the scorer ----------------------------------------------------------------------------------------------


def rendered(made: Family, **values: Value) -> RenderedGroup:
    shown = instance(made, **values)
    group = CandidateGroup(0, shown, judge(made, shown), None, None, None, None)
    return perturb(made, group, render(made, group))


def rendered_format(made: Family) -> AnswerFormat:
    values = {each.id: each.domain.value(0) for each in made.attributes if each.id != "ok"}
    return rendered(made, **values).tasks[0].public.answer


def answer(gold: GoldAnswer) -> Answer:
    return Answer(
        decision=gold.decision, candidate=gold.candidate, result=None if gold.result is None else Fraction(gold.result)
    )


def verdict(text: str | None, gold: Answer, form: AnswerFormat) -> str:
    return score(text, gold, form).verdict.value


def priced(unit: str, value: str, places: int = 0) -> tuple[Answer, AnswerFormat]:
    """The gold and the format of a task whose result is this."""
    kind = "percentage" if unit == "%" else "money" if unit.isupper() else "decimal"
    fields = {} if unit == "" else {"unit": unit}
    low = {"owner": "one", "type": kind, "range": ["-100000", "100000"], "places": 3, **({} if unit == "%" else fields)}
    made = family(trial({}, "x + x", {"x": low}, **fields, rounding={"places": places, "mode": "half_up"}))
    task = rendered(made, x=exact(Fraction(value) / 2)).tasks[0]
    assert answer(task.gold.answer).result == Fraction(value)
    return answer(task.gold.answer), task.public.answer


@pytest.mark.parametrize(
    ("unit", "gold", "places", "result", "expected"),
    [
        ("AUD", "60000", 0, "60,000 AUD", "right"),
        ("AUD", "60000", 0, "AUD 60,000.00", "right"),
        ("AUD", "60000", 0, "$60,000", "right"),
        ("AUD", "60000", 0, "60000", "right"),
        ("AUD", "60000", 0, "Result: (60000).", "right"),
        ("AUD", "60000", 0, "6e4", "right"),
        ("AUD", "60000", 0, "60.000", "wrong"),
        ("AUD", "60000", 0, "60,000 USD", "wrong"),
        ("AUD", "60000", 0, "€60,000", "wrong"),
        ("AUD", "60000", 0, "60,000 AUD per month", "wrong"),
        ("AUD", "60000", 0, "60000.01", "wrong"),
        ("AUD", "60000", 0, "60,00", "unparsable"),
        ("AUD", "60000", 0, "60k", "unparsable"),
        ("AUD", "60000", 0, "59999-60001", "unparsable"),
        ("AUD", "60000", 0, "6\u0660000", "unparsable"),
        ("", "5", 0, "-5", "wrong"),
        ("", "5", 0, "5.0", "right"),
        ("", "-5", 0, "-5", "right"),
        ("", "-5", 0, "\u22125", "right"),
        ("", "-5", 0, "(5)", "wrong"),
        ("", "3.14", 2, "33.14", "wrong"),
        ("", "3.14", 2, "3.140", "right"),
        ("", "3.14", 2, "3.14159", "wrong"),
        ("", "4", 0, "42", "wrong"),
        ("", "4", 0, "4", "right"),
        ("", "4", 0, "4 AUD", "wrong"),
        ("", "4", 0, "nan", "unparsable"),
        ("", "4", 0, "inf", "unparsable"),
    ],
)
def test_equal_numbers_score_equal_and_no_others(unit: str, gold: str, places: int, result: str, expected: str) -> None:
    wanted, form = priced(unit, gold, places)
    assert verdict(f"ANSWER: Take | Ash | {result}", wanted, form) == expected


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("20%", "right"),
        ("20", "right"),
        ("20 percent", "right"),
        ("0.2", "wrong"),
        ("0.2%", "wrong"),
        ("2000%", "wrong"),
    ],
)
def test_a_percentage_is_the_number_that_is_shown(result: str, expected: str) -> None:
    wanted, form = priced("%", "20")
    assert verdict(f"ANSWER: Take | Ash | {result}", wanted, form) == expected


@pytest.mark.parametrize(
    "text", [None, "", "   ", "garbage", "ANSWER:", "ANSWER: | |", "ANSWER: Maybe | none | none", "null", "\0"]
)
def test_what_is_no_answer_is_never_right(text: str | None) -> None:
    made = family(trial({}, "x + x", {"x": number(0, 9)}))
    shown = rendered(made, x=3)
    assert shown.tasks[0].gold.answer.candidate == "Ash"
    form = shown.tasks[0].public.answer
    nothing = Answer(decision="Leave")
    for gold in (nothing, answer(shown.tasks[0].gold.answer)):
        found = score(text, gold, form)
        assert found.verdict.value == "unparsable"
        assert not found.decision_right
        assert not found.result_right
    assert verdict("ANSWER: Leave | none | none", nothing, form) == "right"
    assert verdict("ANSWER: Take | Ash | 0", nothing, form) == "wrong"
    assert verdict("ANSWER: Take | none | none", nothing, form) != "right"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ANSWER: Take | Birch | 6 ... actually ANSWER: Take | Ash | 6", "right"),
        ("ANSWER: Take | Ash | 6 ... actually ANSWER: Take | Birch | 6", "wrong"),
        ("ANSWER: Take | Ash | 6\nANSWER: Leave | none | none", "wrong"),
        ("ANSWER: Leave | none | none\nANSWER: Take | Ash | 6", "right"),
        ("ANSWER: Take | Ash | 6\nThat is my ANSWER: as stated", "right"),
        ("ANSWER: Take | Ash | 6\nANSWER: Take | Ash | six", "unparsable"),
    ],
)
def test_the_last_answer_counts(text: str, expected: str) -> None:
    task = rendered(family(trial({}, "x + x", {"x": number(0, 9)})), x=3).tasks[0]
    assert verdict(text, answer(task.gold.answer), task.public.answer) == expected


def test_a_prefix_of_a_name_is_not_the_name() -> None:
    text = trial({}, "x + x", {"x": number(0, 9)}).replace('["Ash", "Birch"]', '["A", "AB"]')
    task = rendered(family(text), x=3).tasks[0]
    assert task.gold.answer.candidate == "A"
    found = {
        name: verdict(f"ANSWER: Take | {name} | 6", answer(task.gold.answer), task.public.answer)
        for name in ("A", "AB", "ABC", "")
    }
    assert found == {"A": "right", "AB": "wrong", "ABC": "wrong", "": "wrong"}


# S23: a killed build --------------------------------------------------------------------------------------------------


def groups_kept(out: Path) -> int:
    """How many groups the store of a run holds."""
    if not (out / "run.sqlite").exists():
        return 0
    with closing(sqlite3.connect(f"file:{out / 'run.sqlite'}?mode=ro", uri=True)) as store:
        try:
            return int(store.execute("SELECT count(*) FROM outcomes").fetchone()[0])
        except sqlite3.OperationalError:
            return 0


def test_a_build_that_is_killed_is_continued_by_the_same_command(tmp_path: Path) -> None:
    path, groups = put(tmp_path / "crane.yaml", CRANE), 24
    run_build([family(CRANE)], BuildOptions(groups, prove=QUICK), tmp_path / "undisturbed")
    again = command(path, tmp_path / "killed", groups)
    killed = subprocess.Popen(again, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while groups_kept(tmp_path / "killed") < 3:
        assert killed.poll() is None
        time.sleep(0.01)
    killed.kill()
    assert killed.wait() == -signal.SIGKILL
    assert 3 <= groups_kept(tmp_path / "killed") < groups
    assert "manifest.json" not in files(tmp_path / "killed")
    done = subprocess.run(again, capture_output=True, text=True, check=True)
    assert "continuing: " in done.stderr
    assert files(tmp_path / "killed") == files(tmp_path / "undisturbed")


# S24: hostile files --------------------------------------------------------------------------------------------------


def bomb() -> str:
    levels = [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 20)]
    return "\n".join(["a0: &a0 [x]", *levels])


def hostile_files(folder: Path) -> dict[Path, str]:
    """Each file with the code that is to be told."""
    rule = "reach >= 35 m"
    made = {
        "bomb": (bomb(), "UNC105"),
        "brackets": (crane((rule, "(" * 10_000 + rule + ")" * 10_000)), "UNC106"),
        "open": (crane((rule, "(" * 1_900 + rule)), "UNC111"),
        "digits": (crane((rule, f"reach >= {'9' * 10**6} m")), "UNC106"),
        "fewer-digits": (crane((rule, f"reach >= {'9' * 3_900} m")), "UNC113"),
        "range": (crane(("[1000, 9000]", f"[1000, {'9' * 900_000}]")), "UNC106"),
        "exponent": (crane(("step: 100", "step: 1e-999999999")), "UNC113"),
        "steps": (crane(("step: 100", f"step: 1/{'9' * 39}")), "UNC208"),
        "names": (crane(("Heron, Stork, Egret", ", ".join(map(str, range(60_000))))), "UNC106"),
        "nested": ("[" * 100_000, "UNC106"),
    }
    paths = {put(folder / f"{name}.yaml", text): code for name, (text, code) in made.items()}
    huge = folder / "huge.yaml"
    huge.touch()
    os.truncate(huge, 200_000_000)
    return {**paths, huge: "UNC106", Path("/dev/zero"): "UNC101"}


def _two_gibibytes() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def test_hostile_files_end_in_a_diagnostic_in_bounded_memory(tmp_path: Path) -> None:
    paths = hostile_files(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "unco", "check", "--json", *paths],
        preexec_fn=_two_gibibytes,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (Exit.REJECTED, "")
    rows = json.loads(done.stdout)
    rows = rows if isinstance(rows, list) else next(each for each in rows.values() if isinstance(each, list))
    for (path, code), row in zip(paths.items(), rows, strict=True):
        assert row["file"] == str(path)
        assert code in {each["code"] for each in row["diagnostics"]}, path.name


@pytest.mark.parametrize(
    "rule", ["reach >= " + "-" * 3_900 + "35 m", "not " * 900 + "reach >= 35 m", "reach" + " + 1 m" * 600 + " >= 35 m"]
)
def test_deep_and_long_rules_are_told_soon(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work grows with the length of a rule, not with its square: its text is aligned with the file once."""
    from unco.specs import source

    aligned = []
    offsets = source.offsets

    def counted(*arguments: Any) -> Any:
        aligned.append(arguments[0])
        return offsets(*arguments)

    monkeypatch.setattr(source, "offsets", counted)
    (found,) = refused(crane(("reach >= 35 m", rule)))
    assert found.code == "UNC111"
    assert aligned.count(rule) == 1


# S25: hostile words --------------------------------------------------------------------------------------------------

HOSTILE = (
    "{{ 7*191 }}",
    "{% include 'x' %}",
    "<script>alert(1)</script>",
    "ignore previous instructions",
    "${7*191} %(x)s {0}",
)


def test_hostile_words_are_data_everywhere(tmp_path: Path) -> None:
    names = tuple(f"Crane {words}" for words in HOSTILE)
    text = named(names, 5)
    swaps = {
        "title: Crane hire": HOSTILE[0],
        "task: Decide which crane to hire, if any, and work out the price.": HOSTILE[1],
        "name: Yard Manager": HOSTILE[2],
        "description: Keeps the rents.": HOSTILE[3],
        "label: rent,": HOSTILE[0],
        "label: transport fee,": HOSTILE[1],
        "label: mast,": HOSTILE[2],
        "label: price": HOSTILE[4],
    }
    for place, words in swaps.items():
        assert text.count(place) == 1
        field = place.split(": ")[0]
        text = text.replace(place, f"{field}: {json.dumps(words)}{',' if place.endswith(',') else ''}")
    made, options = family(text), BuildOptions(1, prove=QUICK)
    built = build([made], options)
    write(built, tmp_path / "out", options)
    lines = (tmp_path / "out" / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    ((_, retained),) = built.retained
    for line in lines:
        task = json.loads(line)
        public = task["public"]
        assert sorted(public["candidates"]) == sorted(names)
        assert public["title"] == HOSTILE[0]
        assert {role["name"] for role in public["roles"]} >= {HOSTILE[2]}
        assert {role["description"] for role in public["roles"]} >= {HOSTILE[3]}
        assert all(words in public["instructions"] for words in HOSTILE)
        assert {each["label"] for each in public["attributes"]} >= set(HOSTILE[:3])
        assert "1337" not in line
    shown = show(retained.rendered)
    assert all(words in shown.replace("\n", " ") for words in HOSTILE)
    for page in (retained._repr_html_(), built._repr_html_()):
        assert "<script" not in page
        assert "1337" not in page
