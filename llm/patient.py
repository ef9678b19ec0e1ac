"""Asks again where another attempt may go better, within a stated budget of attempts and seconds."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from random import Random

from unco.llm.endpoint import Endpoint
from unco.llm.protocol import Client, Fault, Outcome, Reply, Request
from unco.specs.errors import UsageError


class Patient:
    """A client that tries again. Waits double, and are drawn so that many do not come back at once.

    The draws decide when something is asked, never what: nothing of them reaches an artifact.
    """

    def __init__(self, client: Client, endpoint: Endpoint) -> None:
        self._client = client
        self._endpoint = endpoint
        self._random = Random()

    async def ask(self, request: Request) -> Outcome:
        """The first reply, or the last fault with the number of attempts. UsageError where another LLM is meant."""
        if request.sampling.model != self._endpoint.model:
            raise UsageError(
                f"a request to {request.sampling.model} was given to {self._endpoint.place}, "
                f"where {self._endpoint.model} is used"
            )
        patience, longest = self._endpoint.patience, self._endpoint.total_seconds
        ends = time.monotonic() + patience.seconds
        attempt = 1
        while True:
            outcome = await self._client.ask(request)
            if isinstance(outcome, Reply) or not outcome.passes:
                return outcome
            wait = self._wait(attempt, outcome)
            if attempt == patience.attempts or time.monotonic() + wait + longest > ends:
                return replace(outcome, detail=f"{outcome.detail} (attempts: {attempt})")
            await asyncio.sleep(wait)
            attempt += 1

    def _wait(self, attempt: int, fault: Fault) -> float:
        """Seconds until the next attempt: never less than the server asks for."""
        patience = self._endpoint.patience
        doubled = min(patience.longest_wait, patience.first_wait * 2.0 ** min(attempt - 1, 30))
        return max(doubled * self._random.uniform(0.5, 1), fault.retry_after or 0)
