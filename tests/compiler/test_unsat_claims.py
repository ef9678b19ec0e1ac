"""The checker reads stored formulas: a text that says something else than its claim is caught, whatever its hash."""

from __future__ import annotations

import re

import pytest
import z3
from proof_files import Json, ProofFiles, part, shipped_files, small_files, with_part

from unco.compiler.checker import verify as checker

THRESHOLD = "trial-first-dose"
"""It has an open threshold, dates and a plan."""


def winner_claim(files: ProofFiles) -> Json:
    """A claim whose question names each condition of a winner."""
    return files.claims("role necessity")[0]


def numbered(term: str, off: int) -> str:
    """The term with its last number changed."""
    *_, last = re.finditer(r"(?<=[ ])\d+(?=[ )])", term)
    return f"{term[: last.start()]}{int(last[0]) + off}{term[last.end() :]}"


@pytest.mark.parametrize("name", [THRESHOLD, "reduced-fare"])
def test_the_formulas_of_a_proof_say_what_its_claims_say(name: str) -> None:
    checked = shipped_files(name).checked()
    assert checked.told == ()
    assert checked.counts.formulas > 20
    assert checked.counts.samples > 100 * checked.counts.formulas
    assert checked.counts.samples_skipped * 100 < checked.counts.samples


@pytest.mark.parametrize("off", [-1, 1])
@pytest.mark.parametrize("name", ["domain-1", "domain-2", "consistent-1", "condition-1"])
def test_a_threshold_one_step_off_is_caught(name: str, off: int) -> None:
    files = small_files()
    claim = winner_claim(files)
    changed = files.with_text(claim, lambda text: with_part(text, name, numbered(part(text, name), off)))
    assert any(name in fault for fault in changed.faults())


@pytest.mark.parametrize(("old", "new"), [("216", "217"), ("840", "839")])
def test_an_age_limit_a_month_off_is_caught(old: str, new: str) -> None:
    files = shipped_files(THRESHOLD)
    claim = winner_claim(files)
    term = part(files.queries[claim["query"]], "condition-1")
    assert old in term
    told = files.with_text(claim, lambda text: with_part(text, "condition-1", term.replace(old, new))).faults()
    assert any("condition-1" in fault for fault in told)


@pytest.mark.parametrize(("old", "new"), [("<=", "<"), (">=", ">"), ("<=", ">=")])
def test_another_comparator_is_caught(old: str, new: str) -> None:
    files = small_files()
    for claim in files.claims("role necessity"):
        text = files.queries[claim["query"]]
        for name in re.findall(r":named ((?:consistent|condition)-\d+)", text):
            term = part(text, name)
            if f"({old} " in term:
                changed = files.with_text(claim, lambda it, n=name, t=term: with_part(it, n, t.replace(old, new)))
                assert changed.faults()


@pytest.mark.parametrize("name", ["domain-1", "consistent-1", "condition-1", "condition-2"])
def test_an_assumption_that_says_nothing_any_more_is_caught(name: str) -> None:
    files = small_files()
    assert files.with_text(winner_claim(files), lambda text: with_part(text, name, "true")).faults()


@pytest.mark.parametrize("name", ["domain-1", "consistent-1", "condition-1", "goal-1"])
def test_an_assertion_that_is_left_out_is_caught(name: str) -> None:
    files = small_files()
    drop = re.compile(rf"^\(assert \(! .* :named {name}\)\)\n", re.MULTILINE)
    assert files.with_text(winner_claim(files), lambda text: drop.sub("", text)).faults()


@pytest.mark.parametrize("claimed", ["role necessity", "Incomplete is valid", "Misaligned is valid"])
def test_a_goal_that_is_always_false_is_caught(claimed: str) -> None:
    files = small_files()
    claims = [each for each in files.claims(claimed) if part(files.queries[each["query"]], "goal-1") != "(not true)"]
    assert claims
    for claim in claims:
        assert files.with_text(claim, lambda text: with_part(text, "goal-1", "false")).faults()


def test_an_assertion_more_is_caught() -> None:
    files = small_files()
    more = "(assert (! false :named extra-1))\n(check-sat)"
    assert files.with_text(winner_claim(files), lambda text: text.replace("(check-sat)", more)).faults()


@pytest.mark.parametrize(
    "more",
    [
        "(assert false)", "(declare-const |other.0.| Int)", "(define-fun |score.0.| () Int 1)", "(push 1)",
        "(assert (! (= 1 true) :named a-1))",
    ],
)  # fmt: skip
def test_a_script_of_another_form_is_a_fault_of_the_form(more: str) -> None:
    files = small_files()
    told = files.with_text(
        winner_claim(files), lambda text: text.replace("(check-sat)", f"{more}\n(check-sat)")
    ).faults()
    assert len(told) == 1
    assert "form" in told[0]


def test_a_move_that_does_not_work_is_caught_without_the_text() -> None:
    files = small_files()
    claim = next(each for each in files.claims("role necessity") if each["subject"] == "marks")
    idle = [[["score", 0, ""], {"attribute": "score", "member": 0, "context": ""}]]
    assert files.with_claim(claim, moves=[idle]).faults()


def test_a_move_of_anothers_cells_is_caught() -> None:
    files = small_files()
    claim = next(each for each in files.claims("role necessity") if each["subject"] == "marks")
    other = next(each for each in files.claims("role necessity") if each["subject"] == "office")
    assert any("about" in fault for fault in files.with_claim(claim, moves=other["moves"]).faults())


@pytest.mark.parametrize(
    "changes",
    [
        {"verdict": "Refuted"}, {"query": None}, {"required": False}, {"planned": True}, {"method": "implied"},
        {"subject": "till"},
    ],
)  # fmt: skip
def test_a_claim_that_is_told_otherwise_is_caught(changes: Json) -> None:
    files = small_files()
    claim = next(each for each in files.claims("role necessity") if each["subject"] == "marks" and each["required"])
    assert files.with_claim(claim, **changes).faults()


def test_a_model_that_the_claim_is_not_about_is_caught() -> None:
    files = small_files()
    claim = winner_claim(files)
    cells = [[*slot, 0 if slot[0] == "score" else value] for *slot, value in claim["model"]["cells"]]
    told = files.with_claim(claim, model={**claim["model"], "cells": cells}).faults()
    assert any("model" in fault for fault in told)


def test_a_question_whose_text_is_not_there_is_caught() -> None:
    files = small_files()
    claim = winner_claim(files)
    assert ProofFiles(files.tree, files.proof, {}).faults()
    other = {**files.queries, claim["query"]: files.queries[claim["query"]] + "; more\n"}
    assert any("hash" in fault for fault in ProofFiles(files.tree, files.proof, other).faults())


@pytest.mark.parametrize("a", [-7, -6, -1, 0, 1, 6, 7])
@pytest.mark.parametrize("b", [-3, -1, 1, 3])
def test_division_is_that_of_the_standard(a: int, b: int) -> None:
    quotient, rest = checker.euclid(a, b)
    left, right = z3.IntVal(a), z3.IntVal(b)
    assert (quotient, rest) == (z3.simplify(left / right).as_long(), z3.simplify(left % right).as_long())
