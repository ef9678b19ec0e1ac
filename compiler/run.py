"""run: checked families to a folder of verified groups, resumable: what is there is not made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from unco.compiler.build import BuildOptions, Progress
from unco.compiler.executor import Executor, SerialExecutor
from unco.compiler.export import Source, export, require_no_others, stands, summarize
from unco.compiler.prove_families import ProvedFamily, prove_families
from unco.compiler.running.disk import claimed, may_only_be_read
from unco.compiler.running.identity import identity
from unco.compiler.running.record import is_retained, run_to_records, was_drawn
from unco.compiler.running.shares import Shares
from unco.compiler.running.tally import Summary
from unco.compiler.store import Store, opened
from unco.specs.errors import InfrastructureError, UsageError
from unco.specs.family import Family


@dataclass(frozen=True)
class Watcher:
    """Who is told how a run goes on."""

    began: Callable[[Mapping[str, int], int], None] = lambda there, wanted: None
    """Told once how many groups each specification has already, and how many are wanted of each."""
    progress: Progress = lambda name, done, wanted: None
    """Told when groups are kept: the specification, how many it has, how many are wanted."""
    was_finished: Callable[[], None] = lambda: None
    """Told that nothing is left to be done."""


def run(
    families: Sequence[Family],
    options: BuildOptions,
    folder: Path,
    executor: Executor | None = None,
    watcher: Watcher | None = None,
) -> Summary:
    """Build into the folder, or go on with the build that is there: with the same files as one that was never stopped.

    Raises UsageError where the folder holds something else or is in use, SpecificationError (UNC704) where the store in
    it is damaged, InfrastructureError where the machine fails: then the same call goes on when the cause is gone.
    """
    options.require_groups()
    if len({family.name for family in families}) != len(families):
        raise UsageError("two of the specifications have one name")
    decides = identity(families, options.instantiate, options.prove)
    with claimed(folder), opened(folder, decides) as store:
        return _Run(tuple(families), options, folder, store).go(executor or SerialExecutor(), watcher or Watcher())


class _Run:
    def __init__(self, families: tuple[Family, ...], options: BuildOptions, folder: Path, store: Store) -> None:
        self.families = families
        self.options = options
        self.folder = folder
        self.store = store

    def go(self, executor: Executor, watcher: Watcher) -> Summary:
        """Whatever is not done yet; each chunk is kept before anybody is told of it."""
        standings = self.store.standings(len(self.families))
        if self._finished():
            watcher.was_finished()
            return summarize(self._source())
        self._require_writable()
        proved = prove_families(self.families, self.options.prove, executor)
        self.store.set_settled([each.settled for each in proved])
        drawn = (self.options.instantiate, self.options.prove)
        shares = Shares(self.families, self.options.groups, drawn, standings, [each.proof for each in proved])
        watcher.began(self._there(shares), self.options.groups)
        for share, records in shares.done_by(executor, run_to_records, is_retained, was_drawn):
            self.store.add(share.family, share.start, records)
            name = self.families[share.family].name
            watcher.progress(name, self._there(shares)[name], self.options.groups)
        written = partial(self.store.set_head, self.options.groups)
        return export(self._source(proved), self.folder, written)

    def _source(self, proved: Sequence[ProvedFamily] = ()) -> Source:
        files = tuple(file for each in proved for file in each.files)
        groups, options = self.options.groups, self.options.stored
        return Source(self.families, self.store.records, groups, options, self.store.settled, files)

    def _finished(self) -> bool:
        """Whether all that is asked for was exported; UsageError where more was, even if it was to grow since."""
        head = self.store.head
        if self.options.groups < head.groups:
            raise UsageError(
                f"{self.folder} holds a finished run with --groups {head.groups}; ask for as many or more, "
                "or choose another folder with --out"
            )
        return self.options.groups == head.groups and stands(self.folder, head.manifest)

    def _require_writable(self) -> None:
        """Before anything is made, what would keep it from being written."""
        if may_only_be_read(self.folder):
            raise InfrastructureError(f"{self.folder}: the run in it is not finished, and nothing can be written there")
        require_no_others(self.folder)

    def _there(self, shares: Shares) -> dict[str, int]:
        """How many groups of those wanted each specification has."""
        pairs = zip(self.families, shares.standings, strict=True)
        return {family.name: min(standing.retained, self.options.groups) for family, standing in pairs}
