"""A line on standard error that says how far a build is; nothing where that is no terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType

WIDTH = 24


class Bar:
    """`name  [#####     ]  12/100  38.2 groups/s  2 s left`, over all specifications together."""

    def __init__(self, specifications: int) -> None:
        self.specifications = specifications
        self.shown = sys.stderr.isatty()
        self.started = time.monotonic()
        self.finished: dict[str, int] = {}

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def __call__(self, name: str, done: int, wanted: int) -> None:
        """Take in that a specification has so many groups of those wanted."""
        self.finished[name] = done
        if self.shown:
            line = progress_line(
                name, sum(self.finished.values()), wanted * self.specifications, time.monotonic() - self.started
            )
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def progress_line(name: str, done: int, wanted: int, seconds: float) -> str:
    """How far, how fast, how long still."""
    full = WIDTH * done // wanted
    rate = done / seconds if seconds > 0 else 0.0
    left = f"{(wanted - done) / rate:,.0f} s left" if rate else "?"
    return f"{name[:30]}  [{'#' * full}{' ' * (WIDTH - full)}]  {done}/{wanted}  {rate:,.1f} groups/s  {left}"
