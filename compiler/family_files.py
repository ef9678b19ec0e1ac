"""The files that show what was proved of a family: its rules as data, every claim with what shows it, and each question
that was answered UNSAT.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from unco.compiler.canonical import canonical, canonical_hash, expression_tree
from unco.solver.families.claim_words import assumed
from unco.solver.smtlib.families import family_queries
from unco.solver.smtlib.stored_query import StoredQuery
from unco.specs.family import Family
from unco.specs.family_proof import (
    FamilyClaim,
    FamilyProof,
    FamilyProved,
    FamilyRefuted,
    FamilyUnknown,
    FamilyVerdict,
    Move,
    Vacuous,
)
from unco.specs.stored import Json, store_knowledge, stored_value
from unco.specs.task import canonical_json

SPECIFICATIONS = "specifications"
PROOFS = "proofs"
QUERIES = "queries"
FORMAT = 1
"""The version of the form of a stored proof."""
ClaimKey: TypeAlias = tuple[str, str, str, str]


def family_files(family: Family, proof: FamilyProof) -> Iterator[tuple[str, str]]:
    """Each file: its path in the dataset, and its whole text."""
    yield f"{SPECIFICATIONS}/{family.digest}.json", f"{canonical_json(canonical(family))}\n"
    queries = _queries(family, proof)
    yield f"{PROOFS}/{family.digest}.json", f"{canonical_json(_stored(family, proof, queries))}\n"
    yield from {_query_path(query): query.text for query in queries.values()}.items()


def _queries(family: Family, proof: FamilyProof) -> Mapping[ClaimKey, StoredQuery]:
    return {claim.key: query for claim, query in family_queries(family, proof)}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _query_path(query: StoredQuery) -> str:
    return f"{QUERIES}/{_hash(query.text)}.smt2"


def _stored(family: Family, proof: FamilyProof, queries: Mapping[ClaimKey, StoredQuery]) -> Json:
    return {
        "format": FORMAT,
        "digest": proof.digest,
        "canonical": canonical_hash(family),
        "claims": [store_family_claim(family, claim, queries.get(claim.key)) for claim in proof.claims],
    }


def store_family_claim(family: Family, claim: FamilyClaim, query: StoredQuery | None) -> Json:
    """A claim with its verdict: what does not go with the verdict is null, or a list of nothing.

    A claim that rests on UNSAT names its question by the hash of the text, with a model of the assumptions.
    """
    return {
        "claim": claim.name.value,
        "subject": claim.subject,
        "form": claim.form,
        "scope": claim.scope.value,
        "statement": claim.statement,
        "planned": claim.planned,
        "required": claim.required,
        "logic": claim.logic,
        "assumed": list(assumed(family, claim)),
        "rlimit": claim.verdict.rlimit,
        "query": None if query is None else _hash(query.text),
        "model": None if query is None else _store_model(query),
        **_store_verdict(claim.verdict),
    }


def verdict_name(verdict: FamilyVerdict) -> str:
    """`Proved`, `Refuted`, `Unknown` or `Vacuous`."""
    return type(verdict).__name__.removeprefix("Family")


def _store_verdict(verdict: FamilyVerdict) -> dict[str, Any]:
    blank: dict[str, Any] = {
        "method": None, "because": None, "reason": None, "decides": None, "moves": [], "counterexample": None,
    }  # fmt: skip
    match verdict:
        case FamilyProved(method, moves, _, because):
            told = {"method": method.value, "because": because, "moves": [_store_move(move) for move in moves]}
        case FamilyRefuted(method, _, _, because):
            told = {"method": method.value, "because": because, "counterexample": store_counterexample(verdict)}
        case FamilyUnknown(reason, decides):
            told = {"reason": reason, "decides": decides}
        case Vacuous(reason):
            told = {"reason": reason}
    return {"verdict": verdict_name(verdict), **blank, **told}


def _store_model(query: StoredQuery) -> Json:
    """Values of the cells of one candidate, and of the parameters with the ends of a reply."""
    return {
        "parameters": {name: stored_value(value) for name, value in sorted(query.parameters.items())},
        "cells": [[*slot, stored_value(value)] for slot, value in query.cells.items()],
    }


def _store_move(move: Move) -> Json:
    """Each changed slot of the candidate (attribute, member, context), and the term that it is set to."""
    return [[list(slot), expression_tree(term)] for slot, term in move.changes]


def store_counterexample(verdict: FamilyVerdict) -> Json:
    """The instance of which a refuted claim fails; None where there is none, or the verdict is another."""
    example = verdict.counterexample if isinstance(verdict, FamilyRefuted) else None
    if example is None:
        return None
    instance = example.instance
    return {
        "names": list(instance.names),
        "parameters": {name: stored_value(value) for name, value in sorted(instance.parameters.items())},
        "cells": [[*cell, stored_value(value)] for cell, value in instance.cells.items()],
        "reply": [[*slot, store_knowledge(known)] for slot, known in example.reply.items()],
    }
