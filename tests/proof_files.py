"""The files that show a family proof, as data that can be changed, and what the checker says of them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import small_families
from families import shipped

from unco.compiler.checker import verify as checker
from unco.compiler.family_files import family_files
from unco.solver.family import prove_claims
from unco.specs.family import Family

Json = Any


@dataclass(frozen=True)
class ProofFiles:
    """A family's tree and its proof, and the texts of the questions by their hashes."""

    tree: bytes
    proof: Json
    queries: Mapping[str, str]

    def claims(self, name: str, scope: str = "with a winner") -> list[Json]:
        """The claims of a name that have a question."""
        return [
            each for each in self.proof["claims"] if each["query"] and (each["claim"], each["scope"]) == (name, scope)
        ]

    def with_text(self, claim: Json, change: Callable[[str], str]) -> ProofFiles:
        """The question of a claim changed, with its hash recomputed."""
        text = change(self.queries[claim["query"]])
        assert text != self.queries[claim["query"]], "nothing was changed"
        name = hashlib.sha256(text.encode()).hexdigest()
        return ProofFiles(self.tree, self._with(claim, {**claim, "query": name}), {**self.queries, name: text})

    def with_claim(self, claim: Json, **changes: Json) -> ProofFiles:
        """A claim changed."""
        return ProofFiles(self.tree, self._with(claim, {**claim, **changes}), self.queries)

    def _with(self, claim: Json, other: Json) -> Json:
        return {**self.proof, "claims": [other if each is claim else each for each in self.proof["claims"]]}

    def checked(self) -> checker.Checked:
        """What the checker counts and finds."""
        texts = tuple((name, text.encode()) for name, text in self.queries.items())
        return checker.ProofShare(self.tree, "proof", json.dumps(self.proof).encode(), texts, ()).check()

    def faults(self) -> list[str]:
        """What the checker finds."""
        return [str(fault) for fault in self.checked().told]


def proof_files(family: Family) -> ProofFiles:
    """The files of a family, proved anew."""
    files = dict(family_files(family, prove_claims(family)))
    trees, proofs = (files[f"{kind}/{family.digest}.json"] for kind in ("specifications", "proofs"))
    queries = {path[8:-5]: text for path, text in files.items() if path.startswith("queries/")}
    return ProofFiles(trees.encode(), json.loads(proofs), queries)


@cache
def shipped_files(name: str) -> ProofFiles:
    """The files of a shipped specification, proved once."""
    return proof_files(shipped(name))


@cache
def small_files() -> ProofFiles:
    """The files of a small family, proved once."""
    made = small_families.specification(consistency={"fair": "fee <= score + 2"})
    marks = made.roles["marks"].model_copy(update={"necessary": "with_winner"})
    return proof_files(small_families.family(made.model_copy(update={"roles": {**made.roles, "marks": marks}})))


def part(text: str, name: str) -> str:
    """The term of a named assertion."""
    (found,) = re.findall(rf"^\(assert \(! (.*) :named {name}\)\)$", text, re.MULTILINE)
    return str(found)


def with_part(text: str, name: str, term: str) -> str:
    """The script with another term under a name."""
    old = part(text, name)
    return text.replace(f"(assert (! {old} :named {name}))", f"(assert (! {term} :named {name}))")
