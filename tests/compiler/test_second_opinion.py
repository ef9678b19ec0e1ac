"""Another solver on the UNSAT claims of a dataset: every text is read, nothing is taken for proved that is not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from proof_files import ProofFiles, part, small_files, with_part

from unco.compiler.second_opinion import Answered, Options, second_opinion, summary
from unco.solver.smtlib.engines import Outcome, by_cvc5, by_z3, engine_named
from unco.specs.errors import UsageError

HARD = """(set-logic QF_NIA)
(declare-const |x| Int)
(declare-const |y| Int)
(declare-const |z| Int)
(assert (! (and (> |x| 1) (> |y| 1) (> |z| 1)) :named domain-1))
(assert (! (= (+ (* |x| |x| |x|) (* |y| |y| |y|)) (* |z| |z| |z|)) :named goal-1))
(check-sat)
"""
CHOICES = """(set-logic QF_NIA)
(declare-const |x| Int)
(declare-const |y| Int)
(assert (! (and (>= |x| 0) (< |x| 50)) :named domain-1))
(assert (! (= (ite (>= (* 12 |x|) 216) (mod |x| 4) 7) (ite (<= |x| 17) 8 (+ 4 |y|))) :named condition-1))
(assert (! (or (> |y| 0) (< |y| (- 4))) :named goal-1))
(check-sat)
"""


def dataset(folder: Path, files: ProofFiles, rejected: str | None = None) -> Path:
    """What a solver is asked of a dataset: proofs, questions, rejections."""
    digest = json.loads(files.tree)["digest"]
    folder.mkdir()
    for name in ("proofs", "queries"):
        (folder / name).mkdir()
    (folder / "manifest.json").write_text(json.dumps({"specifications": {"small": {"digest": digest}}}))
    (folder / "proofs" / f"{digest}.json").write_text(json.dumps(files.proof))
    for name, text in files.queries.items():
        (folder / "queries" / f"{name}.smt2").write_text(text)
    certificate = None if rejected is None else {"query": rejected}
    lines = [{"specification": "small", "index": 4, "certificate": each} for each in (None, certificate)]
    (folder / "rejections.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return folder


def test_every_claim_is_asked_once_and_reproved(tmp_path: Path) -> None:
    files = small_files()
    asked = [each["query"] for each in files.proof["claims"] if each["query"]]
    told: list[tuple[int, int]] = []
    answered = second_opinion(dataset(tmp_path / "data", files), Options("z3"), told=lambda *each: told.append(each))
    assert [each.asked.hash for each in answered] == asked
    assert {each.opinion.outcome for each in answered} == {Outcome.REPROVED}
    assert told[-1] == (len(asked), len(asked))


def test_a_claim_that_is_false_is_a_fault_and_never_unknown(tmp_path: Path) -> None:
    files = small_files()
    claim = files.claims("role necessity")[0]
    changed = files.with_text(claim, lambda text: with_part(text, "goal-1", "true"))
    answered = second_opinion(dataset(tmp_path / "data", changed), Options("z3"))
    (fault,) = (each for each in answered if each.is_fault)
    assert fault.opinion.outcome is Outcome.SATISFIABLE
    assert summary(answered, Options("z3"))["faults"] == 1


def test_a_text_that_is_missing_or_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    files = small_files()
    claim = files.claims("role necessity")[0]
    folder = dataset(tmp_path / "data", files.with_text(claim, lambda text: f"{text}(no such command"))
    other = files.claims("role necessity")[1]
    (folder / "queries" / f"{other['query']}.smt2").unlink()
    answered = second_opinion(folder, Options("z3"))
    assert [each.opinion.outcome for each in answered if each.is_fault] == [Outcome.REFUSED] * 2


def test_a_small_budget_is_unknown_and_no_fault() -> None:
    opinion = by_z3(HARD, 1_000)
    assert opinion.outcome is Outcome.UNKNOWN
    assert not Answered(None, opinion).is_fault  # type: ignore[arg-type]


def test_the_question_of_a_rejection_is_asked_too(tmp_path: Path) -> None:
    text = "(declare-const |x| Int)\n(assert (! (< |x| |x|) :named goal-1))\n(check-sat)\n"
    answered = second_opinion(dataset(tmp_path / "data", small_files(), text), Options("z3"))
    assert answered[-1].asked.claim == "candidate group 4, rejected"
    assert answered[-1].opinion.outcome is Outcome.REPROVED


def test_wrong_calls_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="choose cvc5 or z3"):
        engine_named("yices")
    with pytest.raises(UsageError, match="no finished dataset"):
        second_opinion(tmp_path, Options("z3"))
    with pytest.raises(UsageError, match="gives no proofs"):
        second_opinion(tmp_path, Options("z3", proofs=tmp_path))


def test_without_the_extra_the_call_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    with pytest.raises(UsageError, match=r"pip install 'unco\[cvc5\]'"):
        engine_named("cvc5")


# With the extra ------------------------------------------------------------------------------------------------------


@pytest.mark.extras
def test_cvc5_reproves_the_claims_and_its_proofs_are_kept(tmp_path: Path) -> None:
    files = small_files()
    options = Options("cvc5", proofs=tmp_path / "proofs")
    answered = second_opinion(dataset(tmp_path / "data", files), options)
    assert {each.opinion.outcome for each in answered} == {Outcome.REPROVED}
    kept = {path.stem for path in (tmp_path / "proofs").iterdir()}
    assert kept == {each.asked.hash for each in answered}
    found = summary(answered, options)
    assert found["steps"] > 100
    assert found["trusted"] == 0


@pytest.mark.extras
def test_cvc5_says_of_a_false_claim_that_it_is_satisfiable() -> None:
    files = small_files()
    text = files.queries[files.claims("role necessity")[0]["query"]]
    assert by_cvc5(text, 100_000).outcome is Outcome.REPROVED
    assert by_cvc5(with_part(text, "goal-1", "true"), 100_000).outcome is Outcome.SATISFIABLE
    assert (
        by_cvc5(with_part(text, "condition-1", f"(no {part(text, 'condition-1')})"), 100_000).outcome is Outcome.REFUSED
    )


@pytest.mark.extras
def test_the_budget_of_cvc5_ends_it_in_the_same_way_each_time() -> None:
    first, second = (by_cvc5(HARD, 5_000) for _ in range(2))
    assert first == second
    assert first.outcome is Outcome.UNKNOWN


@pytest.mark.extras
def test_steps_that_cvc5_does_not_show_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert by_cvc5(CHOICES, 100_000).trusted == 0
    settings = {"produce-proofs": "true", "proof-granularity": "theory-rewrite"}
    monkeypatch.setattr("unco.solver.smtlib.engines.SETTINGS", settings)
    opinion = by_cvc5(CHOICES, 100_000)
    assert opinion.outcome is Outcome.REPROVED
    assert 0 < opinion.trusted < opinion.steps
