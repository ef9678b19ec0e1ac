"""The one way in: a desk is a run's access to LLMs, with its store and its budget; a line asks one of them.

    with opened(folder, Budget(tokens=2_000_000)) as desk:
        drafter = desk.line("draft", "drafter", endpoint)
        for request, outcome in drafter.ask_all(requests, at_once=16):
            ...

Callers are synchronous. Calls run in one event loop in a thread of its own, which also owns the store.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import deque
from collections.abc import Coroutine, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from unco.llm.budget import Account, Budget
from unco.llm.endpoint import Endpoint
from unco.llm.pace import Pace
from unco.llm.patient import Patient
from unco.llm.protocol import Client, Fault, Kind, Outcome, Reply, Request
from unco.llm.recorded import Record, Recorded
from unco.llm.replies import Purpose, Replies
from unco.llm.store_file import FILE
from unco.specs.errors import UsageError

Result = TypeVar("Result")


class Desk:
    """A run's access to LLMs. Made by `opened`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, record: Record, replay: bool) -> None:
        self._loop = loop
        self._record = record
        self._replay = replay
        self._paces: dict[tuple[str, str], Pace] = {}
        """By what a server counts: its address, and the key."""
        self._clients: dict[Endpoint, Any] = {}
        self._waiting: set[asyncio.Task[Any]] = set()

    def line(self, phase: str, task: str, endpoint: Endpoint, client: Client | None = None) -> Line:
        """Access to one LLM for one task. Raises UsageError where the key is missing or the price does not fit.

        `client` carries the requests in place of one made for the endpoint. Where the desk replays, nobody does.
        """
        self._record.meter.budget.accept(endpoint.price)
        pace = self._paces.setdefault((endpoint.base_url.rstrip("/"), endpoint.key_variable), Pace())
        pace.hold_to(endpoint.per_minute)
        asked = None if self._replay else client or self._connected(endpoint, pace)
        recorded = Recorded(asked, self._record, Purpose(phase, task), endpoint.price, pace)
        return Line(self._loop, Patient(recorded, endpoint), self._record.replies, self._waiting)

    def _connected(self, endpoint: Endpoint, pace: Pace) -> Client:
        """The client of an endpoint: one, so that lines share its connections and what it knows of the server."""
        from unco.llm.openai import OpenAI

        async def known() -> dict[str, tuple[str, bool]]:
            return self._record.replies.ways(endpoint.model)

        if endpoint not in self._clients:
            self._clients[endpoint] = OpenAI(endpoint, pace, _run(self._loop, known()))
        client: Client = self._clients[endpoint]
        return client

    def accounts(self) -> list[Account]:
        """What was used so far, in this process and before."""

        async def read() -> list[Account]:
            return self._record.replies.accounts()

        return _run(self._loop, read())

    async def close(self, wait: bool) -> None:
        """Nobody waits any more. Calls that are sent are waited for, as they are paid for, or ended."""
        calls = {call.task for call in self._record.under_way.values() if call.task is not None}
        await _cancel(set(self._waiting))
        if not wait:
            await _cancel(calls)
        await asyncio.gather(*calls, return_exceptions=True)
        for client in self._clients.values():
            await client.close()
        self._record.replies.close()


class Line:
    """Access to one LLM for one task."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, client: Client, replies: Replies, waiting: set[asyncio.Task[Any]]
    ) -> None:
        self._loop = loop
        self._client = client
        self._replies = replies
        self._waiting = waiting
        """Whoever waits for an outcome, on all lines of the desk. Calls are no part of it: they may be paid for."""

    def ask(self, request: Request) -> Outcome:
        """The reply, or why there is none. Raises LlmError (UNC815) where the budget does not allow a call."""
        return _run(self._loop, self._gated(asyncio.Semaphore(), request))

    def ask_all(
        self, requests: Iterable[Request], at_once: int, seen: set[str] | None = None
    ) -> Iterator[tuple[Request, Outcome]]:
        """The outcome of each request, in order, lazily: at most `2 * at_once - 1` are taken before they are wanted.

        With `seen`, a reply that equals an earlier one in it is a fault (UNC814), and others are added to it. A caller
        that has enough stops asking: calls under way are stored when the desk closes.
        """
        if at_once < 1:
            raise UsageError(f"{at_once} requests at once: expected at least one")
        gate = asyncio.Semaphore(at_once)
        waiting: deque[tuple[Request, Future[Outcome]]] = deque()
        coming = iter(requests)
        try:
            while True:
                for request in islice(coming, 2 * at_once - 1 - len(waiting)):
                    waiting.append((request, asyncio.run_coroutine_threadsafe(self._gated(gate, request), self._loop)))
                if not waiting:
                    return
                request, outcome = waiting[0][0], waiting[0][1].result()
                waiting.popleft()
                yield request, outcome if seen is None else self._told_apart(request, outcome, seen)
        finally:
            for _, future in waiting:
                future.cancel()

    async def _gated(self, gate: asyncio.Semaphore, request: Request) -> Outcome:
        waiting = asyncio.current_task()
        assert waiting is not None
        self._waiting.add(waiting)
        try:
            async with gate:
                return await self._client.ask(request)
        finally:
            self._waiting.discard(waiting)

    def _told_apart(self, request: Request, outcome: Outcome, seen: set[str]) -> Outcome:
        """The outcome, or a fault where the same object came before; that is noted, so that accounts tell it."""
        if not isinstance(outcome, Reply):
            return outcome
        text = json.dumps(outcome.content, sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest not in seen:
            seen.add(digest)
            return outcome

        async def note() -> None:
            self._replies.repeats(request)

        _run(self._loop, note())
        detail = "the reply repeats an earlier one; raise the temperature, or ask something else"
        return Fault(Kind.REPEATED, detail, outcome.text, outcome.usage, outcome.finish, outcome.model)


@contextmanager
def opened(folder: Path, budget: Budget = Budget(), *, replay: bool = False) -> Iterator[Desk]:  # noqa: B008
    """The desk of a run folder, its store made if need be. `replay`: nothing is asked, what is stored is given.

    Raises InfrastructureError where the disk fails, SpecificationError (UNC704) where the store is damaged.
    """
    replies = Replies(folder / FILE)
    try:
        record = Record.of(replies, budget)
    except BaseException:
        replies.close()
        raise
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, name="llm", daemon=True)
    thread.start()
    desk = Desk(loop, record, replay)
    wait = True
    try:
        yield desk
    except BaseException as error:
        wait = isinstance(error, Exception)
        raise
    finally:
        _run(loop, desk.close(wait))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _cancel(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _run(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run_coroutine_threadsafe(work, loop).result()
