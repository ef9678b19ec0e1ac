"""Requests at even distances, so many a minute."""

from __future__ import annotations

import asyncio
import time


class Pace:
    """Turns, so many a minute; 0 for no limit."""

    def __init__(self, per_minute: int = 0) -> None:
        self._apart = 0.0
        self._next = 0.0
        self.hold_to(per_minute)

    def hold_to(self, per_minute: int) -> None:
        """Keep to this limit too: of several the strictest counts."""
        if per_minute:
            self._apart = max(self._apart, 60 / per_minute)

    async def turn(self) -> None:
        now = time.monotonic()
        mine = max(now, self._next)
        self._next = mine + self._apart
        if mine > now:
            await asyncio.sleep(mine - now)
