"""schedule: which chunks of which family are made next; they count in their order, whatever runs them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from unco.compiler.executor import Executor
from unco.compiler.facts.chunk import CHUNK, SPARE, Asked, FactsChunk, Made, run_facts_chunk
from unco.compiler.facts.folder import chunk_path, holds, put
from unco.compiler.facts.ledger import Entry, Ledger
from unco.compiler.running.shares import limit
from unco.specs.errors import InconsistencyError


@dataclass
class Standing:
    """How far a family is: the next index, how many are retained, how many at most are under way."""

    asked: Asked
    start: int = 0
    retained: int = 0
    under_way: int = 0
    given_up: bool = False

    def take(self, wanted: int) -> FactsChunk | None:
        """The next chunk, if all that is under way is retained; None where none is needed as far as is known."""
        most, stop = wanted - self.retained - self.under_way, min(self.start + CHUNK, limit(wanted))
        if most <= 0 or self.start >= stop or self.given_up:
            return None
        chunk = FactsChunk(self.asked, self.start, stop, most)
        self.start = stop
        self.under_way += min(most, stop - chunk.start)
        return chunk

    def back(self, chunk: FactsChunk, made: Made) -> None:
        """Take in what a chunk came to."""
        self.under_way -= min(chunk.most, chunk.stop - chunk.start)
        self.retained += made.retained
        self.given_up = chunk.start == 0 and made.size >= SPARE and not made.retained


class Schedule:
    """Chunks of all families of a run."""

    def __init__(self, families: Sequence[Asked], wanted: int, folder: Path, ledger: Ledger) -> None:
        self.wanted = wanted
        self.folder = folder
        self.ledger = ledger
        self.standings = [Standing(asked) for asked in families]

    def resume(self, executor: Executor) -> None:
        """Take in what is finished; files that are gone or changed are made again."""
        damaged = []
        for number, standing in enumerate(self.standings):
            for entry in self._usable(number):
                chunk = FactsChunk(
                    standing.asked, entry.start, entry.start + entry.size, self.wanted - standing.retained
                )
                if not holds(self.folder, chunk_path(standing.asked.family, entry.start), entry.sha256):
                    damaged.append((chunk, entry))
                standing.start, standing.retained = entry.start + entry.size, standing.retained + entry.retained
                standing.given_up = _gave_up(entry)
        again = executor.map(run_facts_chunk, [chunk for chunk, _ in damaged]) if damaged else iter(())
        for (chunk, entry), made in zip(damaged, again, strict=True):
            if made.sha256 != entry.sha256:
                raise InconsistencyError(f"instances from {entry.start} on: another draw gave other lines")
            put(self.folder, chunk_path(chunk.asked.family, entry.start), made.text)

    def _usable(self, number: int) -> Iterator[Entry]:
        """The entries that a run for so many instances has too: whole chunks, and the one in which it ends."""
        start = retained = 0
        for entry in self.ledger.entries(number):
            retained += entry.retained
            ends = retained == self.wanted or entry.start + entry.size == limit(self.wanted) or _gave_up(entry)
            if entry.start != start or not (entry.is_whole or ends):
                return
            yield entry
            start += entry.size

    def made(self, executor: Executor) -> Iterator[Standing]:
        """Make what is missing; each family's standing after each of its chunks, whose file and entry are kept then."""
        given: deque[tuple[int, FactsChunk]] = deque()

        def take() -> FactsChunk | None:
            for number, standing in enumerate(self.standings):
                chunk = standing.take(self.wanted)
                if chunk is not None:
                    given.append((number, chunk))
                    return chunk
            return None

        for made in executor.feed(run_facts_chunk, take):
            number, chunk = given.popleft()
            standing = self.standings[number]
            if not standing.given_up:
                self._keep(number, chunk, self._exact(standing, chunk, made))
                yield standing

    def _exact(self, standing: Standing, chunk: FactsChunk, made: Made) -> Made:
        """The chunk as it is where what came before is known: made again if more of it is needed than was thought."""
        most = self.wanted - standing.retained
        if made.retained == chunk.most < most and made.size < chunk.stop - chunk.start:
            return run_facts_chunk(FactsChunk(chunk.asked, chunk.start, chunk.stop, most))
        return made

    def _keep(self, number: int, chunk: FactsChunk, made: Made) -> None:
        put(self.folder, chunk_path(chunk.asked.family, chunk.start), made.text)
        self.standings[number].back(chunk, made)
        counts = dict(made.counts)
        self.ledger.add(number, Entry(chunk.start, made.size, made.retained, counts, made.example, made.sha256))


def _gave_up(entry: Entry) -> bool:
    return entry.start == 0 and entry.size >= SPARE and not entry.retained
