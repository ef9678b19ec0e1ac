"""Requests and endpoints for tests: one small schema, short waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from unco.llm.budget import Budget
from unco.llm.desk import Line, opened
from unco.llm.endpoint import Endpoint, Patience
from unco.llm.protocol import Message, Request, Sampling, Schema

KEY_VARIABLE = "UNCO_TEST_KEY"
KEY = "sk-test-4f1d77c09be2"
SCHEMA = Schema.of(
    "answer",
    {
        "type": "object",
        "properties": {"answer": {"type": "string"}},
        "required": ["answer"],
        "additionalProperties": False,
    },
)
QUICK = Patience(attempts=3, seconds=30, first_wait=0.01, longest_wait=0.02)


def endpoint(url: str, **settings: Any) -> Endpoint:
    """An endpoint with short times."""
    chosen = {"patience": QUICK, "connect_seconds": 2, "total_seconds": 10, "max_tokens": 100, **settings}
    return Endpoint(url, "small", **chosen)


def question(text: str = "q", repetition: int = 0) -> Request:
    return Request((Message("user", text),), SCHEMA, Sampling("small", max_tokens=100), repetition)


@contextmanager
def asked(folder: Path, place: Endpoint, budget: Budget = Budget(), **options: Any) -> Iterator[Line]:  # noqa: B008
    """A line to the endpoint, in a run of its own or one that goes on."""
    with opened(folder, budget, **options) as desk:
        yield desk.line("draft", "drafter", place)
