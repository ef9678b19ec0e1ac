"""A server that speaks as OpenAI's does, on a real socket, and does by script what servers should not do."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

Body: TypeAlias = dict[str, Any]
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


@dataclass
class Server:
    """What a test sees of it: where it is, and what it was sent."""

    url: str = ""
    bodies: list[Body] = field(default_factory=list)
    hung: set[str | None] = field(default_factory=set)
    """The calls that will never be answered, by their header `X-Call`."""
    closing: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    under_way: int = 0
    most_at_once: int = 0

    @property
    def questions(self) -> list[str]:
        return [body["messages"][-1]["content"] for body in self.bodies]


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    script: Callable[[int], Step]
    state: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.state.lock:
            number = len(self.state.bodies)
            self.state.bodies.append(body)
            self.state.under_way += 1
            self.state.most_at_once = max(self.state.most_at_once, self.state.under_way)
        try:
            with suppress(ConnectionError):
                self.script(number)(self, body)
        finally:
            with self.state.lock:
                self.state.under_way -= 1

    def send(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def hang_up(self) -> None:
        """Close the connection now."""
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


Step: TypeAlias = Callable[[Handler, Body], None]


def completion(text: str | None, finish: str | None = "stop", **message: Any) -> Body:
    """A chat completion with this text."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "small-1", "choices": [choice],
        "usage": USAGE,
    }  # fmt: skip


def good(handler: Handler, body: Body) -> None:
    """The question, in the object that is asked for."""
    question = body["messages"][-1]["content"].partition("\n")[0]
    sends(completion(json.dumps({"answer": question})))(handler, body)


def says(text: str | None, finish: str | None = "stop", **message: Any) -> Step:
    """A completion with this text."""
    return sends(completion(text, finish, **message))


def sends(content: Any, status: int = 200, **headers: str) -> Step:
    """This, as JSON."""
    return lambda handler, _: handler.send(status, json.dumps(content).encode(), **headers)


def sends_bytes(content: bytes, status: int = 200) -> Step:
    return lambda handler, _: handler.send(status, content)


def refuses(status: int, message: str = "no", **headers: str) -> Step:
    """An error as OpenAI words it."""
    return sends({"error": {"message": message, "type": "error", "param": None, "code": None}}, status, **headers)


def hangs(handler: Handler, body: Body) -> None:
    """Nothing, ever."""
    handler.state.hung.add(handler.headers["X-Call"])
    handler.state.closing.wait()
    handler.hang_up()


def trickles(handler: Handler, body: Body) -> None:
    """A byte at a time, without end."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    while not handler.state.closing.wait(0.05):
        handler.wfile.write(b" ")


def trickles_headers(handler: Handler, body: Body) -> None:
    """Headers without end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.state.closing.wait(0.05):
        handler.wfile.write(b"X: y\r\n")


def drops(handler: Handler, body: Body) -> None:
    """The connection ends before a word."""
    handler.hang_up()


def drops_midway(handler: Handler, body: Body) -> None:
    """The connection ends in the middle of the answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.hang_up()


def speaks_no_http(handler: Handler, body: Body) -> None:
    """Bytes that are no HTTP."""
    handler.wfile.write(b"\x00\xff\x16\x03" * 100)
    handler.hang_up()


def sends_for_ever(handler: Handler, body: Body) -> None:
    """An answer without end, as fast as it is taken."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(1 << 40))
    handler.end_headers()
    with suppress(OSError):
        while not handler.state.closing.is_set():
            handler.wfile.write(b" " * (1 << 16))


def shows_key(handler: Handler, body: Body) -> None:
    """The key that came, in a reply that fits otherwise."""
    sends(completion(json.dumps({"answer": handler.headers["Authorization"]})))(handler, body)


def refuses_with_key(handler: Handler, body: Body) -> None:
    """The key that came, in an error."""
    refuses(401, f"Incorrect key: {handler.headers['Authorization']}")(handler, body)


def shows_key_late(handler: Handler, body: Body) -> None:
    """The key where a message would be cut in the middle of it."""
    content = b"x" * 280 + handler.headers["Authorization"].encode()
    sends_bytes(content)(handler, body)


def refuses_with_key_late(handler: Handler, body: Body) -> None:
    refuses(401, "x" * 280 + handler.headers["Authorization"])(handler, body)


def shows_key_escaped(handler: Handler, body: Body) -> None:
    """The key in a reply, each character as an escape inside an escape."""
    key = "".join(f"\\u{ord(character):04x}" for character in handler.headers["Authorization"])
    sends(completion(f'{{"answer": "{key}"}}'))(handler, body)


def shows_key_in_headers(handler: Handler, body: Body) -> None:
    """The key in the status line and in headers."""
    key = handler.headers["Authorization"]
    handler.send_response(500, key)
    for name in ("X-Request-Id", "Server", "Retry-After"):
        handler.send_header(name, key)
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def speaks_the_key_alone(handler: Handler, body: Body) -> None:
    """The key where a status line belongs."""
    handler.wfile.write(handler.headers["Authorization"].encode() + b"\r\n\r\n")
    handler.hang_up()


def slowly(step: Step, seconds: float) -> Step:
    def late(handler: Handler, body: Body) -> None:
        handler.state.closing.wait(seconds)
        step(handler, body)

    return late


def gathers(number: int, step: Step = good) -> Step:
    """An answer, once so many have asked at the same time."""
    complete = threading.Event()

    def waits(handler: Handler, body: Body) -> None:
        if handler.state.most_at_once >= number:
            complete.set()
        complete.wait(60)
        step(handler, body)

    return waits


def takes_only(way: str | None, status: int = 400) -> Step:
    """A server that knows one response_format; None: none at all."""

    def judges(handler: Handler, body: Body) -> None:
        asked = body.get("response_format", {}).get("type")
        (good if asked == way else refuses(status, f"response_format {asked} is not supported"))(handler, body)

    return judges


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no error."""


@contextmanager
def served(*steps: Step, then: Step = good) -> Iterator[Server]:
    """The server while it runs: it does the steps in turn, and the last one for ever."""
    state = Server()
    made: dict[str, Any] = {
        "state": state,
        "script": staticmethod(lambda number: steps[number] if number < len(steps) else then),
    }
    listener = _Listener(("127.0.0.1", 0), type("Scripted", (Handler,), made))
    state.url = f"http://127.0.0.1:{listener.server_port}/v1"
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.closing.set()
        listener.shutdown()
        listener.server_close()
        thread.join()
