"""Serves an LLM from a GGUF file in this process, as OpenAI's API does: the engine is llama.cpp (package xllamacpp).

with served(Local(Path("small.gguf"), port=0)) as base_url:
    ...
"""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, NoReturn

import yaml

from unco.specs.errors import UsageError

MAGIC = b"GGUF"
MISSING = "the engine is not installed here; install it with: python -m pip install 'unco[local]'"
REPEATABLE = json.dumps({"cache_prompt": False})
"""With prompts in its cache the engine computes in another order: temperature 0 does not repeat itself then."""
ERRORS_ALONE = 1
"""What the engine tells on standard error."""


@dataclass(frozen=True)
class Local:
    """What is served, and where."""

    weights: Path
    host: str = "127.0.0.1"
    port: int = 8080
    """0 for any that is free."""
    context: int = 8192
    """Tokens of prompt and reply together."""
    alias: str = ""
    """The name of the LLM; the name of the file where it is empty."""
    threads: int = 0
    """0 for what the engine chooses."""

    @property
    def model(self) -> str:
        return self.alias or self.weights.stem

    def settings(self, base_url: str) -> str:
        """A settings file for `--llm`, where the server stands at this address."""
        shared = {
            "base_url": base_url,
            "model": self.model,
            "temperature": 0,
            "max_tokens": self.context // 4,
            "extra": REPEATABLE,
            "total_seconds": 600,
            "at_once": 1,
        }
        return yaml.safe_dump({"defaults": shared, "drafter": {}, "renderer": {}}, sort_keys=False)


def serve(local: Local, tell: Callable[[str], None]) -> NoReturn:
    """Serve, tell the base URL, and end the process at Ctrl-C or SIGTERM, with 0.

    Raises UsageError where the engine, the file or the port cannot be used.
    """
    engine = _engine()
    _require_weights(local.weights)
    _require_port(local.host, local.port)
    try:
        server = engine.Server(_parameters(engine, local))
    except RuntimeError:
        size = local.weights.stat().st_size
        raise UsageError(
            f"the engine cannot serve {local.weights} ({size} bytes): expected a whole GGUF file of an LLM that fits "
            f"into memory with a context of {local.context}; compare its size and SHA-256 with its publisher's"
        ) from None
    told = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: told.set())
    tell(f"{server.listening_address}/v1")
    told.wait()
    os._exit(0)  # The engine hangs where it is taken down in the middle of a reply.


def _engine() -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise UsageError(MISSING) from error
    return xllamacpp


def _require_weights(path: Path) -> None:
    """Say what is wrong with a file before the engine says less."""
    try:
        with path.open("rb") as file:
            found = file.read(len(MAGIC))
    except OSError as error:
        raise UsageError(f"the weights {path}: {error.strerror or error}; expected a GGUF file") from None
    if found != MAGIC:
        raise UsageError(f"the weights {path}: found a file that begins with {found!r}, expected a GGUF file")


def _require_port(host: str, port: int) -> None:
    """Raise UsageError where nobody may listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise UsageError(
            f"{host}, port {port}: {error.strerror or error}; choose another with --host and --port, 0 for a free one"
        ) from None


def _parameters(engine: Any, local: Local) -> Any:
    """How the engine serves: one request at a time, nothing kept of the one before, so that it repeats itself."""
    chosen = engine.CommonParams()
    chosen.model.path = str(local.weights)
    chosen.model_alias = {local.model}
    chosen.hostnames = [local.host]
    chosen.port = local.port
    chosen.n_ctx = local.context
    chosen.fit_params = False
    chosen.n_parallel = 1
    chosen.cache_prompt = False
    chosen.ui = chosen.endpoint_slots = False
    chosen.verbosity = ERRORS_ALONE
    if local.threads:
        chosen.cpuparams.n_threads = chosen.cpuparams_batch.n_threads = local.threads
    return chosen
