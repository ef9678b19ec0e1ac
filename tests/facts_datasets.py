"""Datasets of facts alone, as data that can be changed and written with every hash recomputed."""

from __future__ import annotations

import copy
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tampering import write_files

from unco.compiler.canonical import canonical, canonical_hash
from unco.compiler.check import CheckOptions, check
from unco.compiler.checker import verify as checker
from unco.compiler.family_files import PROOFS, QUERIES, family_files
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.prove_family import ProveFamilyOptions, prove_family
from unco.solver.witness import first_move
from unco.specs.evidence import full
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Winner
from unco.specs.read import read_specification
from unco.specs.rejection import Rejection
from unco.specs.shipped import shipped_specifications
from unco.specs.task import canonical_json

Json = Any


@dataclass
class FactsData:
    """A dataset of facts: by the name of each family, its rules, its proof and its lines."""

    families: dict[str, Family]
    proofs: dict[str, Json]
    lines: dict[str, list[Json]]
    chunk: int
    wanted: int
    queries: dict[str, bytes] = field(default_factory=dict)
    """The files of the questions that were answered UNSAT."""

    def copy(self) -> FactsData:
        return FactsData(
            dict(self.families), copy.deepcopy(self.proofs), copy.deepcopy(self.lines), self.chunk, self.wanted,
            dict(self.queries),
        )  # fmt: skip

    def write(self, folder: Path, **about: Json) -> None:
        """All files, with every id, count and hash as the content asks for."""
        files, specifications = {"verify.py": Path(checker.__file__).read_bytes(), **self.queries}, {}
        for name, family in self.families.items():
            tree, proof = canonical_json(canonical(family)), {**self.proofs[name], "canonical": canonical_hash(family)}
            files[f"specifications/{family.digest}.json"] = f"{tree}\n".encode()
            files[f"proofs/{family.digest}.json"] = f"{canonical_json(proof)}\n".encode()
            files[f"facts/{name}/header.json"] = f"{canonical_json(header(family, self.chunk))}\n".encode()
            lines = [sealed(family, line) for line in self.lines[name]]
            for start in range(0, len(lines), self.chunk):
                files[f"facts/{name}/{start:08}.jsonl"] = b"".join(lines[start : start + self.chunk])
            specifications[name] = self.counted(name, proof)
        retained = sum(each["retained"] for each in specifications.values())
        manifest = {"kind": "facts", "format": 1, "chunk": self.chunk, "groups_per_specification": self.wanted,
                    "specifications": specifications, "retained": retained, **about}  # fmt: skip
        write_files(folder, files, manifest)

    def counted(self, name: str, proof: Json) -> Json:
        """What the manifest says of a family."""
        family, lines = self.families[name], [line for line in self.lines[name] if "code" not in line]
        claimed = claimed_by(family, proof)
        winners = sum(line["winner"] is not None for line in lines)
        shown = Counter(role for line in lines for role in line["necessary"])
        left = [role.id for role in family.roles if role.necessary != "computed" and role.id not in claimed]
        left += [role.id for role in family.roles if role.necessary == "always" and role.id not in left]
        return {
            "digest": family.digest,
            "canonical": canonical_hash(family),
            "retained": len(lines),
            "rejected": len(self.lines[name]) - len(lines),
            "winners": winners,
            "nobody": len(lines) - winners,
            "claimed": claimed,
            "one_by_one": left,
            "shown": dict(shown),
        }


def header(family: Family, chunk: int) -> Json:
    """What is the same of every line."""
    return {
        "canonical": canonical_hash(family),
        "chunk": chunk,
        "digest": family.digest,
        "format": 1,
        "names": list(family.candidate_names),
        "parameters": [each.id for each in family.parameters],
        "roles": [role.id for role in family.roles],
        "slots": [list(slot) for slot in family.slots],
        "specification": family.name,
    }


def sealed(family: Family, line: Json) -> bytes:
    """The text of a line with its id."""
    text = json.dumps({name: part for name, part in line.items() if name != "id"}, separators=(",", ":"))
    if "code" in line:
        return f"{text}\n".encode()
    digest = hashlib.sha256(f"{family.digest}\n{text}".encode()).hexdigest()
    return f'{text[:-1]},"id":"instance-{digest[:32]}"}}\n'.encode()


def claimed_by(family: Family, proof: Json) -> list[str]:
    """The roles that are necessary wherever there is a winner, as the proof says."""
    wanted = ("role necessity", "with a winner", "Proved")
    claims = [each for each in proof["claims"] if (each["claim"], each["scope"], each["verdict"]) == wanted]
    proved = {claim["subject"] for claim in claims}
    return [role.id for role in family.roles if role.id in proved]


def line_of(family: Family, group: CandidateGroup, claimed: Sequence[str]) -> Json:
    """A candidate group as a line of facts; without its id."""
    instance, outcome = group.instance, group.outcome
    won = isinstance(outcome, Winner)
    numbers = {slot: number for number, slot in enumerate(family.slots)}
    necessary = {}
    for role in family.roles:
        if won and role.id not in claimed and role.necessary == "computed":
            continue
        hidden = full(instance).hiding(family.cells_of(role.id))
        move = first_move(family, instance, hidden, outcome)
        if move is not None:
            cells = move.changes
            (who,) = {cell.candidate for cell in cells}
            changes = sorted([numbers[cell.slot], family.domains[cell.slot].index(cells[cell])] for cell in cells)
            necessary[role.id] = [who, changes]
    return {
        "index": group.index,
        "parameters": [each.domain.index(instance.parameters[each.id]) for each in family.parameters],
        "cells": [
            [domain.index(instance.candidate(who)[slot]) for slot, domain in family.domains.items()]
            for who in range(family.candidates)
        ],
        "names": [family.candidate_names.index(name) for name in instance.names],
        "winner": outcome.candidate if isinstance(outcome, Winner) else None,
        "result": str(outcome.result) if isinstance(outcome, Winner) else None,
        "necessary": necessary,
    }


def shows_enough(family: Family, line: Json, claimed: Sequence[str]) -> bool:
    """Whether the moves that are looked for show all roles that must be necessary."""
    shown = line["necessary"]
    asked = [role.id for role in family.roles if role.necessary == "always"]
    if line["winner"] is not None:
        asked += [role.id for role in family.roles if role.id in claimed or role.necessary == "with_winner"]
    return set(asked) <= set(shown) and len(shown) >= min(2, len(family.roles))


def unproved(index: int) -> Json:
    return rejected_line(index, "UNC503", "prove")


def rejected_line(index: int, code: str = "UNC413", phase: str = "instantiate") -> Json:
    return {"index": index, "code": code, "phase": phase, "detail": "nothing was found"}


NAMES = ("flood-pump-unit", "river-discharge-permit")
"""One with members and one with a plan for the winner; both with an open threshold."""


def family_named(name: str) -> Family:
    path = shipped_specifications()[name]
    return check(read_specification(path), CheckOptions(findings=False)).require()


def made(family: Family, proof: Json, wanted: int) -> list[Json]:
    """Lines until so many hold an instance."""
    lines: list[Json] = []
    claimed = claimed_by(family, proof)
    while sum("code" not in line for line in lines) < wanted:
        group = instantiate(family, len(lines), InstantiateOptions(seed=5))
        line = rejected_line(len(lines)) if isinstance(group, Rejection) else line_of(family, group, claimed)
        lines.append(line if "code" in line or shows_enough(family, line, claimed) else unproved(len(lines)))
    return lines


@cache
def built(names: tuple[str, ...] = NAMES, wanted: int = 6, chunk: int = 4) -> FactsData:
    """A dataset of facts of shipped specifications, made once."""
    families = {name: family_named(name) for name in names}
    options = ProveFamilyOptions(advice=False)
    files = {name: dict(family_files(each, prove_family(each, options).proof)) for name, each in families.items()}
    proofs = {name: json.loads(files[name][f"{PROOFS}/{each.digest}.json"]) for name, each in families.items()}
    every = {path: text.encode() for each in files.values() for path, text in each.items()}
    queries = {path: text for path, text in every.items() if path.startswith(QUERIES)}
    lines = {name: made(family, proofs[name], wanted) for name, family in families.items()}
    return FactsData(families, proofs, lines, chunk, wanted, queries)
