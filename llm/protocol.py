"""What an LLM is asked, and what comes of it: frozen data, apart from whoever carries it.

Every boundary has its faults: the connection, the server, the reply. Each has a code of its own.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias

from unco.specs.errors import InfrastructureError, UsageError
from unco.specs.task import canonical_json

Json: TypeAlias = Any
SCHEMA_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Message:
    """One turn of the conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True)
class Schema:
    """The JSON Schema (2020-12) of a reply. Its text keeps the order of fields: an LLM fills them in that order."""

    name: str
    text: str

    @classmethod
    def of(cls, name: str, content: Mapping[str, Json]) -> Schema:
        """The schema with this content. Raises UsageError for a name that servers refuse."""
        if not SCHEMA_NAME.fullmatch(name):
            raise UsageError(f"the schema name {name!r}: expected 1 to 64 of the characters A-Z a-z 0-9 _ -")
        return cls(name, json.dumps(content))

    @property
    def content(self) -> dict[str, Json]:
        found: dict[str, Json] = json.loads(self.text)
        return found


@dataclass(frozen=True)
class Sampling:
    """Which LLM, and how it draws. What is None is left to the server."""

    model: str
    temperature: Decimal | None = None
    seed: int | None = None
    max_tokens: int = 4096
    extra: str = "{}"
    """Other fields of the request, as a JSON object: `{"cache_prompt": false}`."""


@dataclass(frozen=True)
class Request:
    """One question. The same question asked again on purpose has another repetition, and so another key."""

    messages: tuple[Message, ...]
    schema: Schema
    sampling: Sampling
    repetition: int = 0

    def __post_init__(self) -> None:
        if not self.messages or self.messages[-1].role != "user":
            raise UsageError("a request to an LLM must end with a message of the user")

    @cached_property
    def text(self) -> str:
        """The whole request as canonical JSON. No secret is part of a request."""
        temperature = self.sampling.temperature
        return canonical_json(
            {
                "messages": [[each.role, each.text] for each in self.messages],
                "schema": [self.schema.name, self.schema.text],
                "model": self.sampling.model,
                "temperature": None if temperature is None else format(temperature.normalize(), "f"),
                "seed": self.sampling.seed,
                "max_tokens": self.sampling.max_tokens,
                "extra": json.loads(self.sampling.extra),
                "repetition": self.repetition,
            }
        )

    @cached_property
    def key(self) -> str:
        """SHA-256 of the whole request."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class Usage:
    """Tokens that were paid for."""

    prompt: int = 0
    completion: int = 0


@dataclass(frozen=True)
class Reply:
    """An answer that is one JSON object of the schema that was asked for. Numbers in it are int or Decimal."""

    content: dict[str, Json]
    text: str
    usage: Usage | None
    """None where the server does not say."""
    finish: str
    model: str
    """As the server reports it."""
    milliseconds: int = 0
    way: str = ""
    """How the object was asked for, where the client has several ways."""


class Kind(StrEnum):
    """What went wrong, by its code."""

    AUTHENTICATION = "UNC801"
    NOT_FOUND = "UNC802"
    RATE_LIMITED = "UNC803"
    SERVER_ERROR = "UNC804"
    TIMED_OUT = "UNC805"
    DROPPED = "UNC806"
    REFUSED_REQUEST = "UNC807"
    GARBLED = "UNC808"
    EMPTY = "UNC809"
    TRUNCATED = "UNC810"
    NOT_JSON = "UNC811"
    OTHER_SCHEMA = "UNC812"
    REFUSAL = "UNC813"
    REPEATED = "UNC814"
    OVER_BUDGET = "UNC815"
    NOT_STORED = "UNC816"


OF_REPLY = {Kind.EMPTY, Kind.TRUNCATED, Kind.NOT_JSON, Kind.OTHER_SCHEMA, Kind.REFUSAL, Kind.REPEATED}
"""The LLM answered, and the answer is no use."""
PASSING = {Kind.RATE_LIMITED, Kind.SERVER_ERROR, Kind.TIMED_OUT, Kind.DROPPED, Kind.GARBLED}
"""The server or the connection failed, and may do better soon."""
OF_SETTINGS = {Kind.AUTHENTICATION, Kind.NOT_FOUND, Kind.REFUSED_REQUEST}
"""Where these end a run, the same command fares no better: the settings are wrong."""
UNPAID = Usage()


@dataclass(frozen=True)
class Fault:
    """Why there is no reply: a stable code, and in words what was found, what was expected, what to do."""

    kind: Kind
    detail: str
    text: str = ""
    """What the LLM wrote, where it wrote something."""
    usage: Usage | None = UNPAID
    """None where something may have been paid, and nobody says how much."""
    finish: str = ""
    model: str = ""
    retry_after: float | None = None
    """Seconds that the server asks to wait."""
    milliseconds: int = 0
    way: str = ""
    """How the object was asked for, where the client has several ways."""
    of_request: bool = False
    """Whether the server refused what stands in this request, and not all requests."""
    alone: bool = False
    """Whether that is so: others that were asked alike brought a reply."""

    @property
    def code(self) -> str:
        return self.kind.value

    @property
    def passes(self) -> bool:
        """Whether the server may do better soon."""
        return self.kind in PASSING

    @property
    def ends_run(self) -> bool:
        """Whether others would fare alike: then raise `error()`. Else it is a reason to reject this one candidate."""
        return self.kind not in OF_REPLY and not self.alone

    def error(self) -> LlmError:
        return LlmError(self.code, self.detail, by_settings=self.kind in OF_SETTINGS)


Outcome: TypeAlias = Reply | Fault


class LlmError(InfrastructureError):
    """No LLM can be asked any more. What was answered is kept; the same command goes on."""

    def __init__(self, code: str, words: str, *, by_settings: bool = False) -> None:
        super().__init__(code, words)
        self.code = code
        self.words = words
        self.by_settings = by_settings
        """Whether the command or the settings must change first: it does not pass by itself."""

    def __str__(self) -> str:
        return f"{self.code}: {self.words}"


class Client(Protocol):
    """Whoever carries a request to an LLM. A fault is an outcome, not an exception."""

    async def ask(self, request: Request) -> Outcome: ...
