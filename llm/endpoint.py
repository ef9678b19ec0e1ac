"""Where an LLM is reached, and on which terms: settings, one set a task. The key stands in the environment alone."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from unco.llm.budget import Price
from unco.llm.credentials import credential_in
from unco.llm.protocol import Sampling
from unco.specs.errors import UsageError

SHORTEST_SECRET = 8
"""Shorter keys are words such as `none` or `EMPTY`, for servers that check none."""
NO_KEY = "none"
"""Sent where the endpoint wants no key: the package insists on one."""


class Structure(StrEnum):
    """How a server is told which object to answer with, the strictest way first."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    TEXT = "text"


@dataclass(frozen=True)
class Patience:
    """How many useless replies to a request are paid for, and how a server at fault is borne. Times are in seconds."""

    attempts: int = 5
    """Replies to a request, in all; and for each of them, calls until the server answers."""
    seconds: float = 900
    """For one reply: its calls and the waits between them, without waiting for a turn. Another call is begun only if
    its time-out lies within."""
    first_wait: float = 1
    longest_wait: float = 60

    def __post_init__(self) -> None:
        if self.attempts < 1 or not 0 < self.first_wait <= self.longest_wait:
            raise UsageError(f"{self}: expected at least one attempt, and 0 < first_wait <= longest_wait")


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible server and the LLM to use there. Times are in seconds. No field is a secret."""

    base_url: str
    """Up to the version, as in `http://localhost:8080/v1`."""
    model: str
    key_variable: str = ""
    """The environment variable with the key; empty where the server wants none."""
    temperature: Decimal | None = None
    max_tokens: int = 4096
    extra: str = "{}"
    """Other fields of every request, as a JSON object; llama.cpp repeats itself only with `{"cache_prompt": false}`."""
    connect_seconds: float = 10
    total_seconds: float = 300
    """For one call as a whole, however slowly the answer trickles."""
    per_minute: int = 0
    """The most requests a minute; 0 for no limit of ours."""
    structure: Structure = Structure.SCHEMA
    """Where to begin. A server that refuses it, or does not keep to it, is asked in the next way."""
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What the server calls the limit of tokens."""
    patience: Patience = field(default_factory=Patience)
    price: Price = field(default_factory=Price)

    def __post_init__(self) -> None:
        url = urlsplit(self.base_url)
        if url.scheme not in ("http", "https") or not url.hostname or not _has_port(url):
            raise UsageError("the base_url of an LLM endpoint: expected http://HOST/... or https://HOST/...")
        if url.username is not None or url.password is not None or url.query or url.fragment:
            raise UsageError(
                "the base_url of an LLM endpoint holds a user, a password or a query; "
                "put the key into an environment variable and name that in key_variable"
            )
        if not self.model or self.max_tokens < 1 or self.per_minute < 0:
            raise UsageError("an LLM endpoint: expected a model, max_tokens of at least 1, per_minute of at least 0")
        if not _is_object(self.extra):
            raise UsageError("the extra fields of an LLM endpoint: expected a JSON object as text")
        if (name := credential_in(json.loads(self.extra))) is not None:
            raise UsageError(
                f"the extra fields of an LLM endpoint hold what looks like a credential ({name[:60]!r}), and would be "
                "stored with each request; put it into an environment variable and name that in key_variable"
            )
        if not 0 < self.connect_seconds <= self.total_seconds <= self.patience.seconds:
            raise UsageError(
                "an LLM endpoint: expected 0 < connect_seconds <= total_seconds <= patience.seconds, "
                f"found {self.connect_seconds}, {self.total_seconds}, {self.patience.seconds}"
            )

    @property
    def place(self) -> str:
        """Host and port, for messages."""
        return urlsplit(self.base_url).netloc

    def sampling(self, seed: int | None = None) -> Sampling:
        """What a request to this endpoint says of the LLM."""
        return Sampling(self.model, self.temperature, seed, self.max_tokens, self.extra)

    def key(self) -> str:
        """The key, from the environment. Raises UsageError, which never shows it."""
        if not self.key_variable:
            return NO_KEY
        key = os.environ.get(self.key_variable, "").strip()
        if not key:
            raise UsageError(f"the key for {self.place} is missing; set the environment variable {self.key_variable}")
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise UsageError(f"the environment variable {self.key_variable} holds no key: expected printable ASCII")
        if len(key) >= SHORTEST_SECRET and key in self.extra:
            raise UsageError(f"the key in {self.key_variable} stands in the extra fields too; take it out of them")
        return key


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _has_port(url: SplitResult) -> bool:
    """Whether the port, if one is named, can be one."""
    try:
        return url.port != 0
    except ValueError:
        return False
