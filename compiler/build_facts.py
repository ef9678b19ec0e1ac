"""build_facts: proved families to a folder of certified instances without texts, resumable, by closures alone."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from unco.compiler.canonical import canonical_hash
from unco.compiler.executor import Executor, SerialExecutor
from unco.compiler.facts.chunk import CHUNK, Asked
from unco.compiler.facts.claimed import claimed_roles, one_by_one
from unco.compiler.facts.folder import FACTS, FORMAT, HEADER, chunk_path, drop, header, holds, others_in, put
from unco.compiler.facts.ledger import Ledger
from unco.compiler.facts.schedule import Schedule
from unco.compiler.prove import ProveOptions
from unco.compiler.prove_families import ProvedFamily, prove_families
from unco.compiler.run import Watcher
from unco.compiler.running.disk import MANIFEST, claimed, may_only_be_read
from unco.compiler.running.identity import versions
from unco.compiler.store import Store, opened
from unco.solver.decide import DEFAULT_RLIMIT
from unco.specs.errors import Diagnostic, InfrastructureError, SpecificationError, UsageError
from unco.specs.family import Family

CHECKER, DETACHED = "verify.py", "manifest.sha256"
KIND = "facts"
EMPTY = ("UNC512", "UNC502")
"""A family whose proof is refused with one of these has no instance to certify, or none with one answer."""


@dataclass(frozen=True)
class FactsOptions:
    """How many instances of each family, the seed, one in how many is audited, and the budget of the proofs."""

    groups: int = 1
    seed: int = 0
    audit: int = 1_000
    rlimit: int = DEFAULT_RLIMIT


@dataclass(frozen=True)
class FactsCount:
    """What a build came to for one family."""

    family: Family
    claimed: tuple[str, ...]
    one_by_one: tuple[str, ...]
    counts: Counter[str]
    example: str

    @property
    def retained(self) -> int:
        return self.counts["winners"] + self.counts["nobody"]

    @property
    def shown(self) -> dict[str, int]:
        """How many instances show each role necessary."""
        return {role.id: self.counts[f"necessary {role.id}"] for role in self.family.roles}


@dataclass(frozen=True)
class FactsSummary:
    """What a build came to, family by family."""

    families: tuple[FactsCount, ...]
    wanted: int

    @property
    def retained(self) -> int:
        return sum(each.retained for each in self.families)

    @property
    def missing(self) -> dict[str, int]:
        """How many instances a specification lacks, where it lacks any."""
        lacking = {each.family.name: self.wanted - each.retained for each in self.families}
        return {name: many for name, many in lacking.items() if many}


def build_facts(
    families: Sequence[Family],
    options: FactsOptions,
    folder: Path,
    executor: Executor | None = None,
    watcher: Watcher | None = None,
) -> FactsSummary:
    """Build into the folder, or go on with the build that is there: with the same files as one that was never stopped.

    Raises UsageError where the folder holds something else or is in use, SpecificationError (UNC704) where the store in
    it is damaged, InfrastructureError where the machine fails, InconsistencyError where an audit disagrees.
    """
    if options.groups < 1:
        raise UsageError(f"{options.groups} instances were asked for; ask for at least one")
    if len({family.name for family in families}) != len(families):
        raise UsageError("two of the specifications have one name")
    with claimed(folder), opened(folder, _identity(families, options)) as store:
        return _Run(tuple(families), options, folder, store).go(executor or SerialExecutor(), watcher or Watcher())


def _identity(families: Sequence[Family], options: FactsOptions) -> dict[str, Any]:
    return {
        **versions(),
        "kind": KIND,
        "chunk": CHUNK,
        "specifications": {family.name: family.digest for family in families},
        "order": [family.name for family in families],
        "seed": options.seed,
        "audit": options.audit,
        "rlimit": options.rlimit,
    }


class _Run:
    def __init__(self, families: tuple[Family, ...], options: FactsOptions, folder: Path, store: Store) -> None:
        self.families = families
        self.options = options
        self.folder = folder
        self.store = store
        self.ledger = Ledger(store)

    def go(self, executor: Executor, watcher: Watcher) -> FactsSummary:
        """Whatever is not done yet; each chunk is kept before anybody is told of it."""
        wanted, head = self.options.groups, self.store.head
        if wanted < head.groups:
            raise UsageError(
                f"{self.folder} holds a finished run with --groups {head.groups}; ask for as many or more, "
                "or choose another folder with --out"
            )
        if wanted == head.groups and self._stands(head.manifest):
            watcher.was_finished()
            return FactsSummary(tuple(self._counted(number) for number in range(len(self.families))), wanted)
        if may_only_be_read(self.folder):
            raise InfrastructureError(f"{self.folder}: the run in it is not finished, and nothing can be written there")
        others_in(self.folder, list(self.families))
        proved = prove_families(self.families, ProveOptions(self.options.rlimit), executor)
        _require_instances(self.families, proved)
        for number, (family, each) in enumerate(zip(self.families, proved, strict=True)):
            self.store.settle(number, _settled(family, each))
        schedule = Schedule(list(map(self._asked, self.families, proved)), wanted, self.folder, self.ledger)
        schedule.resume(executor)
        watcher.began({each.asked.family.name: each.retained for each in schedule.standings}, wanted)
        for standing in schedule.made(executor):
            watcher.progress(standing.asked.family.name, standing.retained, wanted)
        return self._export(proved)

    def _asked(self, family: Family, proved: ProvedFamily) -> Asked:
        options = self.options
        return Asked(family, proved.proof, proved.settled["sha256"], options.seed, options.audit, options.rlimit)

    def _stands(self, manifest: str) -> bool:
        """Whether the folder holds the manifest with this hash, and every file that it lists as it lists it."""
        if not holds(self.folder, MANIFEST, manifest):
            return False
        listed = json.loads((self.folder / MANIFEST).read_text("utf-8"))["files"]
        return all(holds(self.folder, name, digest) for name, digest in listed.items())

    def _export(self, proved: Sequence[ProvedFamily]) -> FactsSummary:
        """Every file but those of the chunks, and the manifest, which comes last."""
        counts = tuple(self._counted(number) for number in range(len(self.families)))
        summary = FactsSummary(counts, self.options.groups)
        hashes = {
            chunk_path(family, entry.start): entry.sha256
            for number, family in enumerate(self.families)
            for entry in self.ledger.entries(number)
        }
        texts = dict(file for each in proved for file in each.files)
        texts |= {f"{FACTS}/{family.name}/{HEADER}": header(family) for family in self.families}
        texts[CHECKER] = files("unco.compiler.checker").joinpath(CHECKER).read_text("utf-8")
        hashes |= {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
        manifest = json.dumps(self._manifest(summary, hashes), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
        digest = hashlib.sha256(manifest.encode()).hexdigest()
        self.store.set_head(self.options.groups, digest)
        drop(self.folder, MANIFEST)
        for name, text in (*texts.items(), (DETACHED, f"{digest}  {MANIFEST}\n"), (MANIFEST, manifest)):
            put(self.folder, name, text.encode())
        return summary

    def _counted(self, number: int) -> FactsCount:
        entries, family = self.ledger.entries(number), self.families[number]
        counts: Counter[str] = Counter()
        for entry in entries:
            counts.update(entry.counts)
        example = next((entry.example for entry in entries if entry.example), "")
        roles = (self.store.settled(number) or {})[KIND]
        return FactsCount(family, tuple(roles["claimed"]), tuple(roles["one_by_one"]), counts, example)

    def _manifest(self, summary: FactsSummary, hashes: dict[str, str]) -> dict[str, Any]:
        options = self.options
        return {
            **versions(),
            "kind": KIND,
            "format": FORMAT,
            "chunk": CHUNK,
            "seed": options.seed,
            "audit": options.audit,
            "rlimit": options.rlimit,
            "groups_per_specification": options.groups,
            "retained": summary.retained,
            "specifications": {each.family.name: stored_count(each) for each in summary.families},
            "files": hashes,
        }


def _settled(family: Family, proved: ProvedFamily) -> dict[str, Any]:
    """What the proof settles, with the roles that it shows necessary, and those that are left to each instance."""
    left = [*one_by_one(family, proved.proof, winner=True), *one_by_one(family, proved.proof, winner=False)]
    roles = {"claimed": claimed_roles(family, proved.proof), "one_by_one": list(dict.fromkeys(left))}
    return {**proved.settled, KIND: roles}


def _require_instances(families: Sequence[Family], proved: Sequence[ProvedFamily]) -> None:
    """SpecificationError where the proof of a family finds nothing to certify, or an instance without one outcome."""
    for family, each in zip(families, proved, strict=True):
        failed = each.settled["rejection"]
        if failed is not None and failed["code"] in EMPTY:
            found = f"{family.name}: {failed['detail']}"
            hint = f"unco prove {family.name} --family tells more; `unco build` without --facts-only decides each group"
            raise SpecificationError([Diagnostic(failed["code"], "the family is not proved", found=found, hint=hint)])


def stored_count(each: FactsCount) -> dict[str, Any]:
    """The counts as the manifest has them."""
    return {
        "digest": each.family.digest,
        "canonical": canonical_hash(each.family),
        "retained": each.retained,
        **{name: each.counts[name] for name in ("rejected", "winners", "nobody", "audited")},
        "claimed": list(each.claimed),
        "one_by_one": list(each.one_by_one),
        "shown": each.shown,
    }
