"""A clock for tests of servers that hang: a call is timed out when the server hangs on it, however slow the machine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from typing import Any

import pytest

from tests.llm.faulty_server import Server
from unco.llm import openai
from unco.llm.endpoint import Structure
from unco.llm.openai import OpenAI
from unco.llm.protocol import Outcome, Request

CALL: ContextVar[str] = ContextVar("CALL")


@contextmanager
def timed_out_by(server: Server) -> Iterator[None]:
    """Calls are numbered, and one ends as timed out as soon as the server says that it will never answer it."""
    called, fields, numbers = OpenAI._call, openai.fields, count()

    def numbered(*arguments: Any) -> dict[str, Any]:
        return {**fields(*arguments), "extra_headers": {"X-Call": CALL.get()}}

    async def call(self: OpenAI, request: Request, way: Structure) -> Outcome:
        loop, number = asyncio.get_running_loop(), str(next(numbers))
        CALL.set(number)
        async with asyncio.timeout(None) as clock:

            def look() -> None:
                nonlocal later
                if number in server.hung:
                    clock.reschedule(loop.time())
                else:
                    later = loop.call_later(0.01, look)

            later = loop.call_soon(look)
            try:
                return await called(self, request, way)
            finally:
                later.cancel()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openai, "fields", numbered)
        patch.setattr(OpenAI, "_call", call)
        yield
