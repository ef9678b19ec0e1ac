"""Where work runs: in this process, or in local processes that can be killed. Work goes out in fixed chunks.

A worker that outlives its deadline, or its memory, is killed: an InfrastructureError, never a verdict. Z3 objects live
and die inside one chunk of one process.
"""

from __future__ import annotations

import multiprocessing
import resource
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Protocol, TypeVar

from unco.specs.errors import InfrastructureError

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
GIBIBYTE = 1 << 30
KILLED = "a worker was killed, or ran out of memory; run the command again"


class Executor(Protocol):
    """Runs a function over chunks; results come back in the order of the chunks, whatever finishes first."""

    def map(self, function: Callable[[Chunk], Result], chunks: Iterable[Chunk]) -> Iterator[Result]:
        """The results, lazily: a caller that has enough stops asking."""
        ...


@dataclass(frozen=True)
class SerialExecutor:
    """In this process and thread, one chunk after the other. There is no kill behind the budget."""

    def map(self, function: Callable[[Chunk], Result], chunks: Iterable[Chunk]) -> Iterator[Result]:
        return map(function, chunks)


@dataclass(frozen=True)
class ProcessExecutor:
    """In local processes: `seconds` a chunk may take, `memory` bytes of address space a worker may use."""

    workers: int = 1
    seconds: float = 300.0
    memory: int = 8 * GIBIBYTE

    def map(self, function: Callable[[Chunk], Result], chunks: Iterable[Chunk]) -> Iterator[Result]:
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.workers, context, _limit_memory, (self.memory,))
        try:
            yield from self._results(pool, function, iter(chunks))
        finally:
            _end(pool)

    def _results(
        self, pool: ProcessPoolExecutor, function: Callable[[Chunk], Result], chunks: Iterator[Chunk]
    ) -> Iterator[Result]:
        """One chunk waits for each that runs, so that no worker idles and little is thrown away at the end."""
        waiting: deque[Future[Result]] = deque()
        for chunk in chunks:
            waiting.append(_submit(pool, function, chunk))
            if len(waiting) > self.workers:
                yield self._wait(waiting.popleft())
        while waiting:
            yield self._wait(waiting.popleft())

    def _wait(self, future: Future[Result]) -> Result:
        started = time.monotonic()
        try:
            return future.result(timeout=self.seconds)
        except BrokenProcessPool as error:
            raise InfrastructureError(KILLED) from error
        except FutureTimeoutError as error:
            waited = time.monotonic() - started
            raise InfrastructureError(f"a worker gave no answer for {waited:.0f} s and was killed") from error
        except MemoryError as error:
            raise InfrastructureError(f"a worker needed more than {self.memory // GIBIBYTE} GiB") from error


def _submit(pool: ProcessPoolExecutor, function: Callable[[Chunk], Result], chunk: Chunk) -> Future[Result]:
    """Send a chunk out. Workers start here with Ctrl-C blocked: it ends this process, which ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(function, chunk)
    except BrokenProcessPool as error:
        raise InfrastructureError(KILLED) from error
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _limit_memory(limit: int) -> None:
    """Hold this process to the limit, or to a lower one that already stands."""
    standing = [each for each in resource.getrlimit(resource.RLIMIT_AS) if each != resource.RLIM_INFINITY]
    lowest = min([limit, *standing])
    resource.setrlimit(resource.RLIMIT_AS, (lowest, lowest))


def _end(pool: ProcessPoolExecutor) -> None:
    """End the workers at once, the hanging ones too."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()
    for process in processes:
        process.join()


def call(function: Callable[[Chunk], Result], argument: Chunk, executor: Executor) -> Result:
    """One call of a function through an executor."""
    return next(iter(executor.map(function, [argument])))
