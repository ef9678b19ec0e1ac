"""A rejection that rests on UNSAT carries the question, and the checker reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import pytest
from proof_files import Json, part, with_part
from rendered_groups import SUPERINTENDENT, candidate_group, family_of

from unco.compiler.canonical import canonical
from unco.compiler.certificate import certificate
from unco.compiler.checker import verify as checker
from unco.compiler.prove import ProveOptions, prove
from unco.solver.smtlib.engines import Outcome, by_z3
from unco.specs.instance import NoWinner
from unco.specs.task import canonical_json

FAMILY = family_of(SUPERINTENDENT)


@cache
def rejected() -> tuple[bytes, Json]:
    """A family and the certificate of a group that the solver rejected: a role that must be necessary is not."""
    always = replace(FAMILY, roles=tuple(replace(role, necessary="always") for role in FAMILY.roles), digest="always")
    groups = (candidate_group(SUPERINTENDENT, number) for number in range(20))
    nobody = next(group for group in groups if isinstance(group.outcome, NoWinner))
    with patch("unco.solver.claims.untouched", lambda *_: False), patch("unco.solver.claims.closed", lambda *_: False):
        proof = prove(always, nobody, ProveOptions(sufficient=False))
    assert not proof.accepted
    return canonical_json(canonical(always)).encode(), json.loads(json.dumps(certificate(always, nobody, proof)))


def differing(change: Callable[[str], str] = lambda text: text) -> list[tuple[str, str]]:
    """How the formula differs from the rules, once it is changed."""
    tree, stored = rejected()
    failed = next(each for each in stored["claims"] if each["required"] and each["verdict"] != "Proved")
    group = checker.Group(checker.read_tree(tree), stored["instance"], checker.Counts(), lambda *fault: None)
    script = checker.Script(change(stored["query"]), {})
    return list(checker.of_rejection(group, failed, script, checker.Counts()))


def test_the_question_of_a_rejection_is_unsat_and_says_what_the_claim_says() -> None:
    assert by_z3(rejected()[1]["query"], 20_000_000).outcome is Outcome.REPROVED
    assert differing() == []


def test_an_accepted_group_has_no_question() -> None:
    group = candidate_group(SUPERINTENDENT, 0)
    assert "query" not in certificate(FAMILY, group, prove(FAMILY, group, ProveOptions(sufficient=False)))


def with_all(text: str, kind: str, term: str) -> str:
    """The script with another term in every part of a kind."""
    for name in re.findall(rf":named ({kind}-\d+)", text):
        text = with_part(text, name, term)
    return text


def test_evidence_that_says_nothing_any_more_is_caught() -> None:
    assert differing(lambda text: with_all(text, "known", "true"))


@pytest.mark.parametrize("term", ["true", "false"])
def test_another_goal_is_caught(term: str) -> None:
    assert differing(lambda text: with_part(text, "goal-1", term))


def test_a_fact_that_is_known_otherwise_is_caught() -> None:
    first = part(rejected()[1]["query"], "known-1")
    other = re.sub(r"\d+\)$", "9999)", first) if re.search(r"\d+\)$", first) else f"(not {first})"
    assert differing(lambda text: with_part(text, "known-1", other))
