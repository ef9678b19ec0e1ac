"""One attempt to ask an OpenAI-compatible server, by the package openai. Retries, storage and budget lie elsewhere.

The package takes more than a second to import: import this file where a client is made.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime

import httpx2
import openai

from unco.llm.endpoint import SHORTEST_SECRET, Endpoint, Structure
from unco.llm.pace import Pace
from unco.llm.protocol import Fault, Kind, Outcome, Reply, Request, Usage
from unco.llm.reading import SHOWN, read, shown
from unco.llm.structure import fields

LARGEST_ANSWER = 16 << 20
"""Bytes of an answer; more is not read."""
TALKATIVE = ("openai", "httpx2", "httpcore2")
"""They log status lines and headers that a server sends: it may send the key."""
LADDER = tuple(Structure)
OF_REQUEST = (400, 413, 422)
"""With these a server may refuse one request for what stands in it: too long, or filtered."""
UNSUITED = {Kind.NOT_JSON, Kind.OTHER_SCHEMA}
"""What a server sends that does not keep to the schema."""


class OpenAI:
    """A client of one endpoint. It must be used in one event loop, and closed there."""

    def __init__(self, endpoint: Endpoint, pace: Pace, known: Mapping[str, tuple[str, bool]] | None = None) -> None:
        """`pace` is for calls beyond the one that was asked for. `known` is what earlier processes found out: of a
        schema, how it was asked for at last, and whether the server kept to it.
        """
        self._endpoint = endpoint
        key = endpoint.key()
        self._secret = key if len(key) >= SHORTEST_SECRET else ""
        self._client = _connected(endpoint, key)
        self._pace = pace
        found = {name: (Structure(way), kept_to) for name, (way, kept_to) in (known or {}).items() if way in LADDER}
        self._kept_to = {name: way for name, (way, kept_to) in found.items() if kept_to}
        self._ways = {name: way if kept_to else _below(way) for name, (way, kept_to) in found.items()}
        self._proven: set[str] = set()

    async def close(self) -> None:
        await self._client.close()

    async def ask(self, request: Request) -> Outcome:
        """One attempt; more calls only where the server refuses a way to ask for an object, which costs nothing."""
        name = request.schema.name
        strictest = self._endpoint.structure
        begin = max(LADDER.index(each) for each in (strictest, self._ways.get(name, strictest)))
        way, *others = LADDER[begin:]
        outcome = refused = await self._ask(request, way)
        while _is(outcome, {Kind.REFUSED_REQUEST}) and others and name not in self._proven:
            way = others.pop(0)
            await self._pace.turn()
            outcome = await self._ask(request, way)
        if _is(outcome, {Kind.REFUSED_REQUEST}):
            return refused
        self._learn(name, way, outcome)
        return outcome

    def _learn(self, name: str, way: Structure, outcome: Outcome) -> None:
        """Keep the way that brings a reply to a schema; leave one that the server takes and does not keep to."""
        if name in self._proven:
            return
        if isinstance(outcome, Reply):
            self._proven.add(name)
        elif _is(outcome, UNSUITED) and self._kept_to.get(name) is not way:
            way = _below(way)
        self._ways[name] = way

    async def _ask(self, request: Request, way: Structure) -> Outcome:
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._endpoint.total_seconds):
                outcome = await self._call(request, way)
        except TimeoutError:
            outcome = self._timed_out()
        taken = round((time.monotonic() - started) * 1000)
        return replace(self._without_key(outcome), milliseconds=taken, way=way.value)

    async def _call(self, request: Request, way: Structure) -> Outcome:
        """The outcome of one HTTP request. No exception of the package leaves: it may hold headers."""
        content = fields(request, way, self._endpoint.limit_field)
        try:
            answer = await self._client.chat.completions.with_raw_response.create(**content)
        except openai.APITimeoutError as error:
            return self._timed_out(connected=not isinstance(error.__cause__, httpx2.ConnectTimeout))
        except openai.APIStatusError as error:
            return self._refused(error)
        except openai.APIConnectionError as error:
            return self._broken(error.__cause__)
        except httpx2.HTTPError as error:
            return self._broken(error)
        body = answer.http_response.content
        if self._secret and self._secret.encode() in body:
            return self._leak(None)
        return read(body, request.schema, fenced=way is Structure.TEXT)

    def _timed_out(self, *, connected: bool = True) -> Fault:
        place, seconds = self._endpoint.place, self._endpoint.total_seconds
        if connected:
            return Fault(Kind.TIMED_OUT, f"{place} gives no answer within {seconds:g} s", usage=None)
        seconds = self._endpoint.connect_seconds
        return Fault(Kind.TIMED_OUT, f"{place} takes no connection within {seconds:g} s; is the server up?")

    def _broken(self, cause: BaseException | None) -> Fault:
        words = f"{type(cause).__name__}: {self._masked(str(cause))[:SHOWN]}"
        if isinstance(cause, httpx2.ConnectError):
            return Fault(Kind.DROPPED, f"no connection to {self._endpoint.place}: {words}; is the server up?")
        if isinstance(cause, httpx2.DecodingError):
            return Fault(Kind.GARBLED, f"the answer of {self._endpoint.place} cannot be read: {words}", usage=None)
        return Fault(Kind.DROPPED, f"the connection to {self._endpoint.place} broke: {words}", usage=None)

    def _refused(self, error: openai.APIStatusError) -> Fault:
        """What a status other than 2xx means."""
        status = error.status_code
        found = f"HTTP {status}, {shown(self._masked(_said(error)))}"
        kind, words = _meaning(status, self._endpoint)
        if kind is Kind.REFUSED_REQUEST and "max_completion_tokens" in found:
            found += "; see limit_field, which may be max_completion_tokens"
        after = _seconds(error.response.headers)
        detail = f"{self._endpoint.place} {words}: {found}"
        return Fault(kind, detail, retry_after=after, of_request=status in OF_REQUEST)

    def _masked(self, text: str) -> str:
        return text.replace(self._secret, "[key]") if self._secret else text

    def _without_key(self, outcome: Outcome) -> Outcome:
        """Nothing of an answer is kept that holds the key."""
        if not self._secret:
            return outcome
        content = json.dumps(outcome.content, ensure_ascii=False, default=str) if isinstance(outcome, Reply) else ""
        detail = outcome.detail if isinstance(outcome, Fault) else ""
        if self._secret not in "\n".join((outcome.text, outcome.model, outcome.finish, detail, content)):
            return outcome
        return self._leak(outcome.usage)

    def _leak(self, usage: Usage | None) -> Fault:
        detail = f"{self._endpoint.place} sends back the key that it was given; nothing of that answer is kept"
        return Fault(Kind.GARBLED, detail, usage=usage)


def _is(outcome: Outcome, kinds: set[Kind]) -> bool:
    return isinstance(outcome, Fault) and outcome.kind in kinds


def _meaning(status: int, endpoint: Endpoint) -> tuple[Kind, str]:
    if status in (401, 403):
        variable = endpoint.key_variable
        where = f"see the environment variable {variable}" if variable else "name one in key_variable"
        return Kind.AUTHENTICATION, f"refuses the key ({where})"
    if status == 404:
        return Kind.NOT_FOUND, f"has no such path or no LLM {endpoint.model} (see base_url and model)"
    if status == 429:
        return Kind.RATE_LIMITED, "is asked too often (see per_minute)"
    if status in (408, 409) or (status >= 500 and status != 501):
        return Kind.SERVER_ERROR, "fails"
    return Kind.REFUSED_REQUEST, "refuses the request"


def _said(error: openai.APIStatusError) -> str:
    """The message of the server, or all that it sent."""
    message = error.body.get("message") if isinstance(error.body, dict) else None
    return " ".join((message if isinstance(message, str) else error.response.text).split())


def _seconds(headers: httpx2.Headers) -> float | None:
    """What the server asks to wait: seconds, or until a date."""
    asked = headers.get("retry-after", "")
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _below(way: Structure) -> Structure:
    """The next way to ask for an object; the last has none."""
    return LADDER[min(LADDER.index(way) + 1, len(LADDER) - 1)]


def _connected(endpoint: Endpoint, key: str) -> openai.AsyncOpenAI:
    """The package's client. It retries nothing, follows no redirection with the key, and reads no endless answer."""
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    http = openai.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"response": [_bound]})
    return openai.AsyncOpenAI(
        api_key=key,
        base_url=endpoint.base_url,
        timeout=openai.Timeout(endpoint.total_seconds, connect=endpoint.connect_seconds),
        max_retries=0,
        default_headers={"Accept-Encoding": "identity"},
        http_client=http,
    )


async def _bound(response: httpx2.Response) -> None:
    """Let no more of an answer be read than `LARGEST_ANSWER`, and nothing packed: it may unpack without end."""
    packed = response.headers.get("content-encoding", "identity")
    if packed != "identity":
        raise httpx2.DecodingError(f"packed as {shown(packed)}, which was not asked for")
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = LARGEST_ANSWER
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise httpx2.DecodingError(f"more than {LARGEST_ANSWER} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
