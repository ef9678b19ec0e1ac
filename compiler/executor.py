"""Where work runs: in this process, or in local processes that can be killed. Work goes out in fixed chunks.

A worker that outlives its deadline, or its memory, is killed: an InfrastructureError, never a verdict. What a killed
worker had in hand is done again by others. Z3 objects live and die inside one chunk of one process.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import wait
from threading import Thread
from typing import Generic, Protocol, TypeVar

from unco.specs.errors import InfrastructureError

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
GIBIBYTE = 1 << 30
REDONE = 2
"""So many times in a row the work of killed workers is done again; then it is given up."""
KILLED = f"a worker was killed, or ran out of memory, {REDONE + 1} times in a row; run the command again"


class Executor(Protocol):
    """Runs a function over chunks; results come back in the order of the chunks, whatever finishes first."""

    def feed(self, function: Callable[[Chunk], Result], take: Callable[[], Chunk | None]) -> Iterator[Result]:
        """The results, lazily. `take` gives the next chunk, or None where none is due; it is asked again after each
        result, until none is under way.
        """
        ...

    def map(self, function: Callable[[Chunk], Result], chunks: Iterable[Chunk]) -> Iterator[Result]:
        """The results of these chunks, lazily: a caller that has enough stops asking."""
        ...


@dataclass(frozen=True)
class SerialExecutor:
    """In this process and thread, one chunk after the other. There is no kill behind the budget."""

    def feed(self, function: Callable[[Chunk], Result], take: Callable[[], Chunk | None]) -> Iterator[Result]:
        while (chunk := take()) is not None:
            yield function(chunk)

    def map(self, function: Callable[[Chunk], Result], chunks: Iterable[Chunk]) -> Iterator[Result]:
        return map(function, chunks)


@dataclass(frozen=True)
class ProcessExecutor:
    """In local processes: `seconds` a chunk may take, `memory` bytes of address space a worker may use."""

    workers: int = 1
    seconds: float = 300.0
    memory: int = 8 * GIBIBYTE

    def feed(self, function: Callable[[Chunk], Result], take: Callable[[], Chunk | None]) -> Iterator[Result]:
        crew = _Crew(self, function)
        try:
            while crew.fill(take):
                yield crew.next_result()
        finally:
            crew.end()

    def map(self, function: Callable[[Chunk], Result], chunks: Iterable[Chunk]) -> Iterator[Result]:
        return self.feed(function, partial(next, iter(chunks), None))


class _Crew(Generic[Chunk, Result]):
    """Workers and what they have in hand, in order."""

    def __init__(self, settings: ProcessExecutor, function: Callable[[Chunk], Result]) -> None:
        self.settings = settings
        self.function = function
        self.pool = _start(settings)
        self.under_way: deque[tuple[Chunk, Future[Result] | None]] = deque()
        """Without a future where the workers died before they could take the chunk."""
        self.lost = 0

    def fill(self, take: Callable[[], Chunk | None]) -> bool:
        """Give out chunks, one to wait for each that runs, so that no worker idles; whether any is under way."""
        while len(self.under_way) < 2 * self.settings.workers and (chunk := take()) is not None:
            self.under_way.append((chunk, self._submit(chunk)))
        return bool(self.under_way)

    def next_result(self) -> Result:
        """The result of the oldest chunk, done again where its worker was killed."""
        while True:
            chunk, future = self.under_way[0]
            try:
                if future is None:
                    raise BrokenProcessPool
                result = self._wait(chunk, future)
            except BrokenProcessPool as error:
                self._redo(error)
                continue
            self.under_way.popleft()
            self.lost = 0
            return result

    def end(self) -> None:
        """End the workers at once, the hanging ones too."""
        processes = list((self.pool._processes or {}).values())
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        for process in processes:
            process.join()

    def _wait(self, chunk: Chunk, future: Future[Result]) -> Result:
        started = time.monotonic()
        try:
            return future.result(timeout=self.settings.seconds)
        except FutureTimeoutError as error:
            raise no_answer(chunk, time.monotonic() - started) from error
        except MemoryError as error:
            raise InfrastructureError(f"a worker needed more than {self.settings.memory // GIBIBYTE} GiB") from error

    def _redo(self, error: BrokenProcessPool) -> None:
        """Start other workers, and give them what the dead ones did not finish."""
        self.lost += 1
        if self.lost > REDONE:
            raise InfrastructureError(KILLED) from error
        self.end()
        self.pool = _start(self.settings)
        self.under_way = deque(
            (chunk, future if _finished(future) else self._submit(chunk)) for chunk, future in self.under_way
        )

    def _submit(self, chunk: Chunk) -> Future[Result] | None:
        """Send a chunk out. Workers start here with Ctrl-C blocked: it ends this process, which ends them."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return self.pool.submit(self.function, chunk)
        except BrokenProcessPool:
            return None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def no_answer(chunk: object, seconds: float) -> InfrastructureError:
    """What a hanging worker is called. A chunk may have `words` for what it is about."""
    words = getattr(chunk, "words", "")
    return InfrastructureError(
        f"a worker gave no answer for {seconds:.0f} s{words and f' about {words}'} and was killed; "
        "run the command again, with more time by --timeout"
    )


def _finished(future: Future[Result] | None) -> bool:
    """Whether the work was done, well or not, before its worker could die."""
    return (
        future is not None
        and future.done()
        and not future.cancelled()
        and not isinstance(future.exception(), BrokenProcessPool)
    )


def _start(settings: ProcessExecutor) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(settings.workers, context, _prepare, (settings.memory,))


def _prepare(memory: int) -> None:
    """What a worker does first: it takes its limit, and ends when its parent does, even if that is killed."""
    limit_memory(memory)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def limit_memory(limit: int, kind: int = resource.RLIMIT_AS) -> None:
    """Hold this process to the limit of this kind, or to a lower one that already stands."""
    standing = [each for each in resource.getrlimit(kind) if each != resource.RLIM_INFINITY]
    lowest = min([limit, *standing])
    resource.setrlimit(kind, (lowest, lowest))


def call(function: Callable[[Chunk], Result], argument: Chunk, executor: Executor) -> Result:
    """One call of a function through an executor."""
    return next(iter(executor.map(function, [argument])))
