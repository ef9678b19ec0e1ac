"""A line on standard error that says how far a build is; nothing where that is no terminal."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Mapping
from types import TracebackType

WIDTH = 24
STRETCH = 20.0
"""The rate is the one of about so many last seconds."""


class Bar:
    """`name  [#####     ]  12/100  38.2 groups/s  2 s left`, over all specifications together."""

    def __init__(self, specifications: int, things: str = "groups") -> None:
        self.specifications = specifications
        self.things = things
        self.shown = sys.stderr.isatty()
        self.finished: dict[str, int] = {}
        self.seen = deque([(time.monotonic(), 0)])
        """Moments, and how many groups were made by then."""

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def begin(self, there: Mapping[str, int]) -> None:
        """Take in that work begins, and what each specification has already: that tells nothing of the rate."""
        self.finished = dict(there)
        self.seen = deque([(time.monotonic(), sum(there.values()))])

    def __call__(self, name: str, done: int, wanted: int) -> None:
        """Take in that a specification has so many groups of those wanted."""
        self.finished[name] = done
        if self.shown:
            made = sum(self.finished.values())
            line = progress_line(name, made, wanted * self.specifications, self._rate(made), self.things)
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def note(self, words: str) -> None:
        """Say what else was done; the next line is written over it."""
        if self.shown:
            print(f"\r\x1b[K{words[:70]}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave the line empty."""
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _rate(self, made: int) -> float:
        """Groups a second over the last stretch."""
        now = time.monotonic()
        self.seen.append((now, made))
        while len(self.seen) > 2 and now - self.seen[1][0] > STRETCH:
            self.seen.popleft()
        since, before = self.seen[0]
        return (made - before) / (now - since) if now > since else 0.0


def progress_line(name: str, done: int, wanted: int, rate: float, things: str = "groups") -> str:
    """How far, how fast, how long still."""
    full = WIDTH * done // wanted
    left = f"{(wanted - done) / rate:,.0f} s left" if rate > 0 else "?"
    return f"{name[:30]}  [{'#' * full}{' ' * (WIDTH - full)}]  {done}/{wanted}  {rate:,.1f} {things}/s  {left}"
