"""Asks again where another attempt may go better, within a stated budget of attempts and seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from unco.llm.endpoint import Endpoint
from unco.llm.protocol import Fault, Outcome, Reply, Request
from unco.llm.recorded import Recorded
from unco.specs.errors import UsageError


class Patient:
    """A client that tries again: what comes of a request depends on its replies alone, whatever interrupts them.

    A reply of no use was paid for: so many attempts are made in all, those of earlier processes among them. A server at
    fault costs none of them. Waits double, and are drawn so that many do not come back at once: nothing of them reaches
    an artifact.
    """

    def __init__(self, client: Recorded, endpoint: Endpoint) -> None:
        self._client = client
        self._endpoint = endpoint
        self._random = Random()

    async def ask(self, request: Request) -> Outcome:
        """The first good reply, or the last fault with its attempts. UsageError where another LLM is meant."""
        if request.sampling.model != self._endpoint.model:
            raise UsageError(
                f"a request to {request.sampling.model} was given to {self._endpoint.place}, "
                f"where {self._endpoint.model} is used"
            )
        attempts = self._endpoint.patience.attempts
        while len(useless := self._client.useless(request)) < attempts and not _repeated(useless):
            outcome = await self._answer(request)
            if isinstance(outcome, Fault) and outcome.of_request and await self._client.answered_alike(request):
                return replace(outcome, alone=True)
            if isinstance(outcome, Reply) or outcome.ends_run:
                return outcome
            if len(useless) + 1 < attempts:
                await asyncio.sleep(self._wait(len(useless) + 1, outcome))
        return _after(useless[-1], len(useless), ", the last two alike" if len(useless) < attempts else "")

    async def _answer(self, request: Request) -> Outcome:
        """What the LLM answers, good or not; or the last fault of its server. Calls and the waits after them take time;
        what waits for its turn (`per_minute`) or for the budget does not.
        """
        patience, taken = self._endpoint.patience, 0.0
        attempt = 1
        while True:
            outcome = await self._client.ask(request)
            if isinstance(outcome, Reply) or not outcome.passes:
                return outcome
            wait = self._wait(attempt, outcome)
            taken += outcome.milliseconds / 1_000 + wait
            if attempt == patience.attempts or taken + self._endpoint.total_seconds > patience.seconds:
                return _after(outcome, attempt)
            await asyncio.sleep(wait)
            attempt += 1

    def _wait(self, attempt: int, fault: Fault) -> float:
        """Seconds until the next attempt: never less than the server asks for."""
        patience = self._endpoint.patience
        doubled = min(patience.longest_wait, patience.first_wait * 2.0 ** min(attempt - 1, 30))
        return max(doubled * self._random.uniform(0.5, 1), fault.retry_after or 0)


def _repeated(useless: Sequence[Fault]) -> bool:
    """Whether the last two replies are the same, asked for in the same way: the next would be too."""
    return len(useless) > 1 and len({(each.text, each.finish, each.way) for each in useless[-2:]}) == 1


def _after(fault: Fault, attempts: int, more: str = "") -> Fault:
    return replace(fault, detail=f"{fault.detail} (attempts: {attempts}{more})")
