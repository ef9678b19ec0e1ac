"""What becomes of a mutant: the checks that its function takes part in, run until one sees it."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from time import process_time
from types import FrameType

from tests.mutation.mutants import Mutant, Target, mutated, watched
from unco.solver.landmarks import landmarks
from unco.specs.errors import InconsistencyError

SECONDS = 5
"""CPU time that a check may take: many times what it takes of the code as it is."""


class Fate(StrEnum):
    """How a mutant was seen, if it was."""

    ANSWER = "another answer"
    REPLAY = "an inconsistency"
    CRASH = "an error"
    LOOP = "no end"
    SURVIVES = "not seen"


class TooLong(BaseException):
    """The time is up. No `except Exception` may hold it up."""


@dataclass(frozen=True)
class Check:
    """Something with an answer: data whose `repr` says all."""

    name: str
    answer: Callable[[], object]
    reaches: frozenset[object] | None = None
    """The functions that take part, where they are known beforehand: the check then only asserts, and answers None."""


class Battery:
    """Checks, their answers by the code as it is, and which of the functions to be mutated take part in each."""

    def __init__(self, checks: Sequence[Check], targets: Sequence[Target]) -> None:
        self.checks = checks
        self.targets = targets
        self.cost: dict[str, float] = {}
        self.kills: Counter[tuple[object, str]] = Counter()
        """How often a check has seen a mutant of a function."""

    @cached_property
    def known(self) -> Mapping[str, tuple[str, frozenset[object]]]:
        """The answer and the functions of each check, while nothing is broken."""
        with watched(self.targets) as called:
            return {check.name: self._looked_at(check, called) for check in self.checks}

    def _looked_at(self, check: Check, called: set[object]) -> tuple[str, frozenset[object]]:
        if check.reaches is not None:
            return repr(None), check.reaches
        called.clear()
        landmarks.cache_clear()
        start = process_time()
        answer = repr(check.answer())
        self.cost[check.name] = process_time() - start
        return answer, frozenset(called)

    def fate(self, mutant: Mutant) -> tuple[Fate, str]:
        """How the mutant was seen, and by which check."""
        key = mutant.target.key
        checks = [check for check in self.checks if key in self.known[check.name][1]]
        checks.sort(key=lambda check: (-self.kills[key, check.name], self.cost.get(check.name, 0)))
        with mutated(mutant):
            try:
                fate, name = self._first(checks)
            finally:
                landmarks.cache_clear()
        self.kills[key, name] += 1
        return fate, name

    def _first(self, checks: Sequence[Check]) -> tuple[Fate, str]:
        for check in checks:
            fate = self._seen(check)
            if fate is not None:
                return fate, check.name
        return Fate.SURVIVES, ""

    def _seen(self, check: Check) -> Fate | None:
        landmarks.cache_clear()
        try:
            with _seconds(SECONDS):
                return None if repr(check.answer()) == self.known[check.name][0] else Fate.ANSWER
        except TooLong:
            return Fate.LOOP
        except InconsistencyError:
            return Fate.REPLAY
        except AssertionError:
            return Fate.ANSWER
        except Exception:
            return Fate.CRASH


@contextmanager
def _seconds(limit: float) -> Iterator[None]:
    """Raise TooLong after so much CPU time of this process, and again where that was lost in a destructor: the load of
    the machine does not matter.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
