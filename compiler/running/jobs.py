"""What a run does next: make a chunk of groups that is due, or else prove the next family."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, cast

from unco.compiler.executor import Executor
from unco.compiler.pipeline import Chunk
from unco.compiler.prove import ProveOptions
from unco.compiler.prove_families import ProvedFamily
from unco.compiler.running.shares import Share, Shares
from unco.specs.family import Family

Result = TypeVar("Result")


@dataclass(frozen=True)
class Unproved:
    """A family that is to be proved before its groups are made."""

    number: int
    family: Family
    prove: ProveOptions

    @property
    def words(self) -> str:
        """What is worked on."""
        return f"the proof of {self.family.name}"


Job: TypeAlias = Share | Unproved
Work: TypeAlias = Chunk | Unproved


class Jobs:
    """Chunks of proved families come first, so that groups are kept soon and few proofs are held at a time."""

    def __init__(self, shares: Shares, unproved: Iterable[int], prove: ProveOptions) -> None:
        self.shares = shares
        self.prove = prove
        self.unproved = deque(unproved)
        self.given: deque[Job] = deque()
        shares.waiting.update(self.unproved)

    def done_by(self, executor: Executor, work: Callable[[Work], Result]) -> Iterator[tuple[Job, Result]]:
        """Every job with its result, in the order in which they were given out."""
        feed = cast("Callable[[Callable[[Work], Result], Callable[[], Work | None]], Iterator[Result]]", executor.feed)
        for result in feed(work, self._take):
            yield self.given.popleft(), result

    def proved(self, job: Unproved, family: ProvedFamily) -> None:
        """Take in the proof of a family: its chunks are due."""
        self.shares.proofs[job.number] = family.proof
        self.shares.waiting.discard(job.number)

    def back(self, share: Share, retained: int, *, drawn: bool) -> None:
        """Take in that a share is done; a family that needs no more gives up its proof."""
        self.shares.back(share, retained, drawn=drawn)
        if self.shares.is_done(share.family):
            self.shares.proofs[share.family] = None

    def _take(self) -> Work | None:
        share = self.shares.take()
        if share is not None:
            self.given.append(share)
            return share.chunk
        if not self.unproved:
            return None
        number = self.unproved.popleft()
        job = Unproved(number, self.shares.families[number], self.prove)
        self.given.append(job)
        return job
