"""A small LLM on this machine for tests: `unco serve-local` in a process of its own, on real weights."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from tests.llm.asking import SCHEMA
from tests.local.fetch import FOLDER, MODELS
from unco.llm.endpoint import Endpoint, Patience
from unco.llm.protocol import Message, Request

THREADS = os.environ.get("UNCO_TEST_THREADS", "0")
"""That the engine computes with; 0: it chooses."""
SERVE = ("-m", "unco", "serve-local", "--json", "--port", "0", "--alias", "small", "--threads", THREADS)

PATIENCE = Patience(attempts=3, seconds=200, first_wait=0.01, longest_wait=0.02)


@dataclass(frozen=True)
class Serving:
    """The process, and what it told."""

    process: Popen[str]
    base_url: str
    settings: str

    def endpoint(self, **chosen: Any) -> Endpoint:
        """With times that suit one slow thread."""
        terms = {"temperature": Decimal(0), "max_tokens": 200, "extra": '{"cache_prompt": false}', "patience": PATIENCE}
        times = {"connect_seconds": 5, "total_seconds": 60}
        return Endpoint(self.base_url, "small", **{**terms, **times, **chosen})


def weights() -> Path:
    path = MODELS[os.environ.get("UNCO_TEST_MODEL", "0.5b")].path(FOLDER)
    if not path.is_file():
        pytest.fail(f"{path} is missing: make local-model")
    return path


@contextmanager
def serving(*options: str) -> Iterator[Serving]:
    """The server while it runs. It is nice to whoever else works on this machine."""
    command = ("nice", "-n", "10", sys.executable, *SERVE, "--weights", str(weights()), *options)
    with Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            assert told["model"] == "small"
            yield Serving(process, told["base_url"], told["settings"])
        finally:
            process.kill()


def asks(text: str, endpoint: Endpoint, repetition: int = 0) -> Request:
    """A question whose reply is an object with one text."""
    return Request((Message("user", text),), SCHEMA, endpoint.sampling(), repetition)
