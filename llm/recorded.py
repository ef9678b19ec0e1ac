"""A wrapper around any client: what was answered is stored, and not asked again; what is asked is within the budget.

Every attempt is stored, each reply before it is reported. Only a reply that reads back as it was is given again.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from unco.llm.budget import Budget, Meter, Price, most
from unco.llm.pace import Pace
from unco.llm.protocol import Client, Fault, Kind, Outcome, Request
from unco.llm.replies import Purpose, Replies


@dataclass
class Call:
    """One attempt at a request, for all who wait for it. It is not given up once it is sent: it may be paid for."""

    task: asyncio.Task[Outcome] | None = None
    waiting: int = 0
    sent: bool = False


@dataclass
class Record:
    """What all clients of a run share. It belongs to one event loop."""

    replies: Replies
    meter: Meter
    under_way: dict[str, Call] = field(default_factory=dict)

    @classmethod
    def of(cls, replies: Replies, budget: Budget) -> Record:
        """The record of a store, with what its calls have cost."""
        accounts = replies.accounts()
        money = sum((each.money for each in accounts if each.currency == budget.currency), start=Meter(budget).money)
        return cls(replies, Meter(budget, sum(each.tokens for each in accounts), money))


class Recorded:
    """A client that asks what is not stored, once at a time; without one inside it replays only."""

    def __init__(self, client: Client | None, record: Record, purpose: Purpose, price: Price, pace: Pace) -> None:
        self._client = client
        self._record = record
        self._purpose = purpose
        self._price = price
        self._pace = pace

    def useless(self, request: Request) -> list[Fault]:
        """The replies of no use that came so far, in this process and before; none where a good one is stored."""
        return self._record.replies.useless(request)

    async def answered_alike(self, request: Request) -> bool:
        """Whether this LLM gave a good reply to a request with the same sampling; calls under way are waited for."""
        while not self._record.replies.answered_alike(request):
            calls = [each.task for each in self._record.under_way.values() if each.task is not None]
            if not calls:
                return False
            await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        return True

    async def ask(self, request: Request) -> Outcome:
        """The stored reply, or the outcome of one attempt. Raises LlmError (UNC815), InfrastructureError."""
        stored = self._record.replies.reply(request)
        if stored is not None:
            return stored
        if self._client is None:
            return Fault(Kind.NOT_STORED, f"no reply to the request {request.key} is stored, and none may be asked for")
        call = self._record.under_way.get(request.key) or self._begin(self._client, request)
        assert call.task is not None
        call.waiting += 1
        try:
            return await asyncio.shield(call.task)
        finally:
            call.waiting -= 1
            if not call.waiting and not call.sent:
                call.task.cancel()
                self._forget(request.key, call)

    def _begin(self, client: Client, request: Request) -> Call:
        call = self._record.under_way[request.key] = Call()
        call.task = asyncio.ensure_future(self._attempt(client, request, call))
        call.task.add_done_callback(lambda _: self._forget(request.key, call))
        call.task.add_done_callback(_heard)
        return call

    def _forget(self, key: str, call: Call) -> None:
        if self._record.under_way.get(key) is call:
            del self._record.under_way[key]

    async def _attempt(self, client: Client, request: Request, call: Call) -> Outcome:
        """One call: set aside, noted down, made, stored."""
        replies, meter, aside = self._record.replies, self._record.meter, most(request)
        await self._pace.turn()
        await meter.set_aside(aside, self._price)
        used = None
        call.sent = True
        try:
            number = replies.begin(request, self._purpose, self._price, aside)
            outcome = await client.ask(request)
            used = outcome.usage
            replies.end(number, request, outcome)
        finally:
            await meter.settle(aside, used, self._price)
        return outcome


def _heard(attempt: asyncio.Task[Outcome]) -> None:
    """Whoever waits has the outcome; an error that nobody waits for any more is no news to asyncio."""
    if not attempt.cancelled():
        attempt.exception()
