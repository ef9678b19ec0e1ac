"""Many calls at once: wall time against a server of fixed latency, beside the ideal. The server is another process."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from unco.llm.desk import opened
from unco.llm.endpoint import Endpoint
from unco.llm.protocol import Message, Reply, Request, Schema

AT_ONCE = 64
ROUNDS = 10
LATENCY = 1.0
AIM = 1.15
ANSWER = Schema.of("answer", {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]})
COMPLETION = {
    "model": "fixed",
    "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": '{"answer": "a"}'}}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
}


@dataclass(frozen=True)
class Concurrency:
    """Seconds for so many calls with so many under way; `again` is the same from the store."""

    calls: int
    at_once: int
    latency: float
    seconds: float
    again: float

    @property
    def ideal(self) -> float:
        return -(-self.calls // self.at_once) * self.latency

    @property
    def ratio(self) -> float:
        return self.seconds / self.ideal


def measure(calls: int = AT_ONCE * ROUNDS, at_once: int = AT_ONCE, latency: float = LATENCY) -> Concurrency:
    """Every call is stored and committed; the import of the package openai lies before."""
    with _server(latency) as url, TemporaryDirectory() as folder, opened(Path(folder)) as desk:
        endpoint = Endpoint(url, "fixed")
        line = desk.line("draft", "drafter", endpoint)
        seconds = []
        for _ in range(2):
            started = time.perf_counter()
            outcomes = [outcome for _, outcome in line.ask_all(_requests(endpoint, calls), at_once)]
            seconds.append(time.perf_counter() - started)
            assert len(outcomes) == calls
            assert all(isinstance(outcome, Reply) for outcome in outcomes), outcomes[0]
    return Concurrency(calls, at_once, latency, *seconds)


def told(found: Concurrency) -> dict[str, Any]:
    return {**dataclasses.asdict(found), "ideal": found.ideal, "ratio": found.ratio}


def show(found: Concurrency) -> None:
    print(f"LLM calls: {found.calls} with {found.at_once} at once, each answered after {found.latency:g} s")
    print(f"{'asked':<24}{found.seconds:>8.2f} s{found.ratio:>8.2f} times the ideal of {found.ideal:g} s")
    print(f"{'again, from the store':<24}{found.again:>8.2f} s")
    print(f"Aim: at most {AIM} times the ideal")


def _requests(endpoint: Endpoint, calls: int) -> Iterator[Request]:
    for number in range(calls):
        yield Request((Message("user", f"question {number}"),), ANSWER, endpoint.sampling())


@contextmanager
def _server(latency: float) -> Iterator[str]:
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(there, latency), daemon=True)
    process.start()
    there.close()
    try:
        yield f"http://127.0.0.1:{here.recv()}/v1"
    finally:
        process.terminate()
        process.join()


def _serve(told: Connection, latency: float) -> None:
    asyncio.run(_listen(told, latency))


async def _listen(told: Connection, latency: float) -> None:
    body = json.dumps(COMPLETION).encode()
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, kept open: each request is answered after the latency."""
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                (length,) = (
                    int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
                )
                await reader.readexactly(length)
                await asyncio.sleep(latency)
                writer.write(answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=256)
    told.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()
