"""The UNSAT claims of family proofs as standard SMT-LIB: complete, plain, the same bytes, and UNSAT again."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
import small_families
import z3
from families import shipped
from proof_files import small_files

from unco.solver.family import prove_claims
from unco.solver.smtlib.engines import Outcome, by_z3
from unco.solver.smtlib.families import family_queries
from unco.solver.smtlib.text import Terms, script, symbol
from unco.specs.errors import InconsistencyError
from unco.specs.family_proof import FamilyProved, Method

WORDS = {
    "and", "or", "not", "=>", "=", "distinct", "ite", "<", "<=", ">", ">=", "+", "-", "*", "div", "mod", "true",
    "false", "set-info", ":smt-lib-version", "2.6", "set-logic", "QF_LIA", "QF_NIA", "declare-const", "define-fun",
    "Int", "Bool", "assert", "!", ":named", "check-sat",
}  # fmt: skip
BUDGET = 20_000_000


def test_every_proved_claim_that_rests_on_unsat_has_a_question_and_no_other_has_one() -> None:
    family = shipped("trial-first-dose")
    proof = prove_claims(family)
    asked = [claim.key for claim, _ in family_queries(family, proof)]
    proved = [claim for claim in proof.claims if isinstance(claim.verdict, FamilyProved)]
    by_moves = [each for each in proved if each.verdict.method is Method.MOVES]  # type: ignore[union-attr]
    unique = [each for each in proved if each.name.value == "answer uniqueness"]
    assert sorted(asked) == sorted(claim.key for claim in (*by_moves, *unique))
    assert len(by_moves) > 20


@pytest.mark.parametrize("name", ["trial-first-dose", "community-battery-site"])
def test_every_question_of_a_shipped_family_is_unsat_again_and_its_assumptions_are_not(name: str) -> None:
    family = shipped(name)
    for claim, query in family_queries(family, prove_claims(family)):
        assert by_z3(query.text, BUDGET).outcome is Outcome.REPROVED, claim.key
        without = re.sub(r"^\(assert \(! .* :named goal-\d+\)\)\n", "", query.text, flags=re.MULTILINE)
        assert by_z3(without, BUDGET).outcome is Outcome.SATISFIABLE, claim.key


def test_a_script_holds_words_of_the_standard_and_symbols_alone() -> None:
    for text in small_files().queries.values():
        bare = re.sub(r"\|[^|]*\|", " ", re.sub(r"^;.*$", "", text, flags=re.MULTILINE))
        others = {word for word in re.findall(r"[^\s()]+", bare) if not re.fullmatch(r"t?\d+|[a-z]+-\d+", word)}
        assert others <= WORDS
        assert text.isascii()


def test_the_parts_of_a_question_are_named_by_what_they_say() -> None:
    files = small_files()
    (claim,) = (
        each for each in files.claims("Incomplete is valid") if (each["subject"], each["form"]) == ("fee", "interval")
    )
    names = re.findall(r":named ([a-z]+)-", files.queries[claim["query"]])
    assert list(dict.fromkeys(names)) == ["domain", "consistent", "condition", "reply", "goal"]
    assert names.count("goal") == len(claim["moves"])
    assert names.count("condition") == 3


def test_equal_proofs_give_equal_bytes_whatever_the_hash_seed() -> None:
    code = "import proof_files, hashlib; print(hashlib.sha256(repr(proof_files.small_files()).encode()).hexdigest())"
    found = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": "tests"}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1


def test_texts_do_not_depend_on_what_was_written_before() -> None:
    family = small_families.small()
    proof = prove_claims(family)
    first, again = ([query.text for _, query in family_queries(family, proof)] for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("name", "written"), [("a.0.now", "|a.0.now|"), ("a|b", "|a%7c;b|"), ("50%", "|50%25;|"), ("ö\\", "|%f6;%5c;|")]
)
def test_any_name_of_an_author_is_a_symbol(name: str, written: str) -> None:
    assert symbol(name) == written


def test_a_deep_term_is_written_without_deep_nesting() -> None:
    context = z3.Context()
    term = z3.Int("x", context)
    for number in range(500):
        term = z3.If(z3.Int(f"y{number}", context) > number, term + 1, number)
    text = script(Terms(), (), [("goal", term == 0)])
    depth = deepest = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        deepest = max(deepest, depth)
    assert deepest < 40
    assert by_z3(text, BUDGET).outcome is Outcome.SATISFIABLE


def test_what_the_standard_has_no_word_for_is_a_bug_of_ours() -> None:
    context = z3.Context()
    a, b = z3.Bools("a b", context)
    with pytest.raises(InconsistencyError, match="no word for"):
        script(Terms(), (), [("goal", z3.AtMost(a, b, 1))])
