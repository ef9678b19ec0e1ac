"""Which candidate groups are worked on next, and which of them count: by their order alone, whatever runs them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from unco.compiler.executor import Executor
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.pipeline import Chunk
from unco.compiler.prove import ProveOptions
from unco.specs.family import Family
from unco.specs.family_proof import FamilyProof

Outcome = TypeVar("Outcome")
LARGEST = 10
TRIES = 10
SPARE = 10
"""At most TRIES candidate groups are tried for each that is wanted, and SPARE more. Where none of the first SPARE could
be drawn, the plan cannot be met, and no more are tried."""


def chunk_size(start: int) -> int:
    """How many indices the chunk that begins here has. It depends on nothing else, so that a run can be continued with
    more groups; it is at most a quarter of what lies before, so that little is made that nobody asked for.
    """
    return max(1, min(LARGEST, start // 4))


def limit(groups: int) -> int:
    """The first index that is not tried."""
    return groups * TRIES + SPARE


def counting(outcomes: Iterable[Outcome], retained: Callable[[Outcome], bool], groups: int) -> Iterator[Outcome]:
    """Of all outcomes of a family in order: those up to the last group that is wanted."""
    missing = groups
    for index, outcome in enumerate(outcomes):
        if not missing or index >= limit(groups):
            return
        missing -= retained(outcome)
        yield outcome


@dataclass
class Standing:
    """How far a family is: where its next chunk begins, how many groups are retained, how many are under way."""

    start: int = 0
    retained: int = 0
    under_way: int = 0
    drawn: bool = False
    """Whether some candidate group was drawn, retained or not."""

    def wants(self, groups: int) -> bool:
        """Whether a chunk is needed as far as is known: beyond the first SPARE, one that was drawn is waited for."""
        may = self.start < limit(groups) and (self.start < SPARE or self.drawn)
        return may and self.retained + self.under_way < groups


@dataclass(frozen=True)
class Share:
    """A chunk and the place of its family in the order that was asked for."""

    family: int
    chunk: Chunk

    @property
    def start(self) -> int:
        return self.chunk.indices[0]


class Shares:
    """Gives out the chunks that are needed if all groups under way are retained, the first families first."""

    def __init__(
        self,
        families: Sequence[Family],
        groups: int,
        options: tuple[InstantiateOptions, ProveOptions],
        standings: Sequence[Standing] | None = None,
        proofs: Sequence[FamilyProof | None] | None = None,
    ) -> None:
        """`standings` is where a run that is continued stands, by family; `proofs` are the families' own."""
        self.families = families
        self.groups = groups
        self.options = options
        self.standings = list(standings or (Standing() for _ in families))
        self.proofs: list[FamilyProof | None] = list(proofs or [None] * len(families))
        self.waiting: set[int] = set()
        """Families whose proof is not there yet: no share of theirs is given out."""

    def take(self) -> Share | None:
        """The next share, or None where none is needed as far as is known."""
        for number, standing in enumerate(self.standings):
            if number not in self.waiting and standing.wants(self.groups):
                return self._share(number, standing)
        return None

    def is_done(self, number: int) -> bool:
        """Whether no share of a family is needed or under way."""
        standing = self.standings[number]
        return not standing.under_way and not standing.wants(self.groups)

    def _share(self, number: int, standing: Standing) -> Share:
        size = chunk_size(standing.start)
        indices = tuple(range(standing.start, standing.start + size))
        standing.start += size
        standing.under_way += size
        return Share(number, Chunk(self.families[number], indices, *self.options, self.proofs[number]))

    def back(self, share: Share, retained: int, *, drawn: bool) -> None:
        """Take in that a share is done, and whether some of its groups were drawn."""
        standing = self.standings[share.family]
        standing.under_way -= len(share.chunk.indices)
        standing.retained += retained
        standing.drawn |= drawn

    def done_by(
        self,
        executor: Executor,
        work: Callable[[Chunk], Sequence[Outcome]],
        retained: Callable[[Outcome], bool],
        drawn: Callable[[Outcome], bool] = lambda outcome: True,
    ) -> Iterator[tuple[Share, Sequence[Outcome]]]:
        """Every share with its outcomes, in the order in which they were given out."""
        given: deque[Share] = deque()

        def take() -> Chunk | None:
            share = self.take()
            if share is None:
                return None
            given.append(share)
            return share.chunk

        for outcomes in executor.feed(work, take):
            share = given.popleft()
            self.back(share, sum(map(retained, outcomes)), drawn=any(map(drawn, outcomes)))
            yield share, outcomes
