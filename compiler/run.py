"""run: checked families to a folder of verified groups, resumable: what is there is not made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from unco.compiler.build import BuildOptions, Progress
from unco.compiler.executor import Executor, SerialExecutor
from unco.compiler.export import Source, export, require_no_others, stands, summarize
from unco.compiler.pipeline import Accepted, accept_chunk
from unco.compiler.prove_families import ProvedFamily, prove_families
from unco.compiler.running.conversation import Conversation, talking
from unco.compiler.running.disk import claimed, may_only_be_read
from unco.compiler.running.identity import identity, stored_llms
from unco.compiler.running.jobs import Jobs, Unproved, Work
from unco.compiler.running.record import Record, is_retained, record, run_to_records, was_drawn
from unco.compiler.running.shares import Share, Shares
from unco.compiler.running.tally import Summary
from unco.compiler.store import Store, opened
from unco.specs.errors import InfrastructureError, UsageError
from unco.specs.family import Family
from unco.specs.rejection import Rejection


@dataclass(frozen=True)
class Watcher:
    """Who is told how a run goes on."""

    began: Callable[[Mapping[str, int], int], None] = lambda there, wanted: None
    """Told once how many groups each specification has already, and how many are wanted of each."""
    progress: Progress = lambda name, done, wanted: None
    """Told when groups are kept: the specification, how many it has, how many are wanted."""
    was_finished: Callable[[], None] = lambda: None
    """Told that nothing is left to be done."""
    proved: Callable[[str], None] = lambda name: None
    """Told when the proof of a specification is made."""


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
    decides = {**identity(families, options.instantiate, options.prove), **stored_llms(options.llms), **options.origins}
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
        drawn = (self.options.instantiate, self.options.prove)
        shares = Shares(self.families, self.options.groups, drawn, standings)
        there = {family.name: self._there(shares, number) for number, family in enumerate(self.families)}
        watcher.began(there, self.options.groups)
        with talking(self.folder, self.options.llms) as conversation:
            self._make(Jobs(shares, self._unproved(shares), self.options.prove), conversation, executor, watcher)
        return export(self._source(), self.folder, partial(self.store.set_head, self.options.groups))

    def _unproved(self, shares: Shares) -> list[int]:
        """The families of which groups are wanted, and those that were never proved."""
        numbers = range(len(self.families))
        return [number for number in numbers if not shares.is_done(number) or self.store.settled(number) is None]

    def _make(self, jobs: Jobs, conversation: Conversation | None, executor: Executor, watcher: Watcher) -> None:
        """Prove and make until no more is due. Where LLMs are asked, a wave of groups waits until it is worth it."""
        wave: list[tuple[Share, Sequence[Accepted | Rejection]]] = []
        while True:
            for job, made in jobs.done_by(executor, _to_records if conversation is None else _to_accepted):
                if isinstance(job, Unproved):
                    self.store.settle(job.number, made.settled, made.files)
                    jobs.proved(job, made)
                    watcher.proved(job.family.name)
                elif conversation is None:
                    self._keep(jobs, job, made, watcher)
                else:
                    wave.append((job, made))
                    if sum(len(share.chunk.indices) for share, _ in wave) >= conversation.wave:
                        self._ask(jobs, conversation, wave, watcher)
            if conversation is None or not wave:
                return
            self._ask(jobs, conversation, wave, watcher)

    def _ask(
        self,
        jobs: Jobs,
        conversation: Conversation,
        wave: list[tuple[Share, Sequence[Accepted | Rejection]]],
        watcher: Watcher,
    ) -> None:
        """Finish the groups of a wave, and empty it."""
        asked = [(share.chunk, each) for share, made in wave for each in made if isinstance(each, Accepted)]
        finished = iter(conversation.finished(asked))
        for share, made in wave:
            outcomes = [each if isinstance(each, Rejection) else next(finished) for each in made]
            self._keep(jobs, share, [record(share.chunk.family, each) for each in outcomes], watcher)
        wave.clear()

    def _keep(self, jobs: Jobs, share: Share, records: Sequence[Record], watcher: Watcher) -> None:
        """Keep a chunk before anybody is told of it."""
        jobs.back(share, sum(map(is_retained, records)), drawn=any(map(was_drawn, records)))
        self.store.add(share.family, share.start, records)
        watcher.progress(share.chunk.family.name, self._there(jobs.shares, share.family), self.options.groups)

    def _source(self) -> Source:
        settled = tuple(self.store.settled(number) or {} for number in range(len(self.families)))
        groups, options = self.options.groups, self.options.stored
        return Source(self.families, self.store.records, groups, options, settled, self.store.files)

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

    def _there(self, shares: Shares, number: int) -> int:
        """How many groups of those wanted a specification has."""
        return min(shares.standings[number].retained, self.options.groups)


def _to_records(work: Work) -> Any:
    """The proof of a family, or the groups of a chunk as they are stored."""
    return _proved(work) if isinstance(work, Unproved) else run_to_records(work)


def _to_accepted(work: Work) -> Any:
    """The proof of a family, or the groups of a chunk as far as no LLM is needed."""
    return _proved(work) if isinstance(work, Unproved) else accept_chunk(work)


def _proved(work: Unproved) -> ProvedFamily:
    return prove_families([work.family], work.prove, SerialExecutor())[0]
