"""Work on Ray: in processes of an engine, here or on other machines. The same results in the same order as anywhere.

Workers keep nothing. What a killed one had in hand, Ray gives to another, so many times. A chunk has a deadline, and no
more chunks are under way than keep every worker busy.
"""

from __future__ import annotations

import platform
import resource
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from typing import Any, Generic

from unco.compiler.executor import GIBIBYTE, KILLED, REDONE, Chunk, Result, limit_memory, no_answer
from unco.compiler.ray_engine import LOCAL, engine
from unco.specs.errors import InfrastructureError
from unco.specs.version import VERSION

DIED = ("WorkerCrashedError", "NodeDiedError", "LocalRayletDiedError", "OutOfMemoryError", "OwnerDiedError")
"""Ray's errors about work whose worker was killed as often as it may be."""


@dataclass(frozen=True)
class RayExecutor:
    """On a Ray engine: `local`, started for the work and ended with it, or one that is joined at HOST:PORT, from one of
    its machines. `workers` chunks run at a time; each may take `seconds`, its worker `memory` bytes of data; the
    address has `reach` seconds to answer.
    """

    address: str = LOCAL
    workers: int = 1
    seconds: float = 300.0
    memory: int = 8 * GIBIBYTE
    reach: float = 30.0

    @contextmanager
    def connected(self) -> Iterator[RayExecutor]:
        """Keep the engine for several calls: starting one takes seconds. Without this, each call starts its own."""
        with engine(self.address, self.workers, self.reach):
            yield self

    def feed(self, function: Callable[[Chunk], Result], take: Callable[[], Chunk | None]) -> Iterator[Result]:
        with engine(self.address, self.workers, self.reach) as ray:
            crew = _Crew(self, ray, function)
            while crew.fill(take):
                yield crew.next_result()

    def map(self, function: Callable[[Chunk], Result], chunks: Iterable[Chunk]) -> Iterator[Result]:
        return self.feed(function, partial(next, iter(chunks), None))


class _Crew(Generic[Chunk, Result]):
    """What is under way on an engine, in order."""

    def __init__(self, settings: RayExecutor, ray: Any, function: Callable[[Chunk], Result]) -> None:
        self.settings = settings
        self.ray = ray
        remote = ray.remote(num_cpus=1, max_retries=REDONE, retry_exceptions=False)(_work)
        self.submit = partial(remote.remote, _versions(), settings.memory, function)
        self.under_way: deque[Any] = deque()
        self.chunks: deque[Chunk] = deque()

    def fill(self, take: Callable[[], Chunk | None]) -> bool:
        """Give out chunks, one to wait beside those that run; whether any is under way."""
        while len(self.under_way) <= self.settings.workers and (chunk := take()) is not None:
            with self._told():
                self.under_way.append(self.submit(chunk))
            self.chunks.append(chunk)
        return bool(self.under_way)

    def next_result(self) -> Result:
        """The result of the oldest chunk."""
        with self._told():
            result: Result = self.ray.get(self.under_way[0], timeout=self.settings.seconds)
        self.under_way.popleft()
        self.chunks.popleft()
        return result

    def _kill(self) -> None:
        """Kill the workers that still have something in hand. Ray can abort this process where finished work is
        cancelled, so that is left alone.
        """
        _, unfinished = self.ray.wait(list(self.under_way), num_returns=len(self.under_way), timeout=0)
        for reference in unfinished:
            self.ray.cancel(reference, force=True)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of the work come through as they are; those of the engine are errors of the machine."""
        errors = self.ray.exceptions
        try:
            yield
        except errors.GetTimeoutError as error:
            self._kill()
            raise no_answer(self.chunks[0], self.settings.seconds) from error
        except errors.RayTaskError as error:
            raise self._cause(error) from error
        except (errors.RayError, ConnectionError) as error:
            died = type(error).__name__ in DIED
            raise InfrastructureError(KILLED if died else f"the Ray engine failed: {_first_line(error)}") from error

    def _cause(self, error: Any) -> Exception:
        match error.cause:
            case MemoryError():
                return InfrastructureError(f"a worker needed more than {self.settings.memory // GIBIBYTE} GiB")
            case Exception() as cause if not isinstance(cause, self.ray.exceptions.RayError):
                return cause
            case cause:
                return InfrastructureError(f"a worker of the Ray engine failed: {_first_line(cause or error)}")


def _work(expected: dict[str, str], memory: int, function: Callable[[Chunk], Result], chunk: Chunk) -> Result:
    """What a worker does with a chunk. A worker of another version would make other bytes, so it refuses."""
    if (found := _versions()) != expected:
        raise InfrastructureError(
            f"a worker of the Ray engine has {_words(found)}; this process has {_words(expected)}"
        )
    limit_memory(memory, resource.RLIMIT_DATA)
    return function(chunk)


@cache
def _versions() -> dict[str, str]:
    """What has to be the same wherever the work is done."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"unco": VERSION, "Python": python, "Z3": version("z3-solver")}


def _words(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in versions.items())


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
