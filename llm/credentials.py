"""Whether settings hold what looks like a credential: it would be part of each request, and so be stored and hashed."""

from __future__ import annotations

import re
from itertools import pairwise

from unco.llm.protocol import Json

NAMES = (
    "accesskey accesstoken apikey auth authentication authorisation authorization authtoken bearer cookie credential "
    "credentials jwt passphrase passwd password privatekey pwd secret secretkey secrets"
)
WORDS = frozenset(NAMES.split())
"""A field whose name has one of these words holds a secret, ..."""
ALONE = frozenset({("key",), ("token",)})
"""... and one with this name, ..."""
OWNERS = "access api auth id private refresh session"
PAIRS = frozenset((owner, what) for owner in OWNERS.split() for what in ("key", "token"))
"""... and one whose name has two of these in a row: `x-api-key`, `accessToken`."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_VALUE = re.compile(r"(?i:bearer|basic) +\S{8,}|sk-[A-Za-z0-9_-]{8,}")
"""What is sent as a header of authorization, and how keys begin that servers of this protocol give out."""


def credential_in(data: Json) -> str | None:
    """The name of a field that looks like a credential, at any depth; None where there is none."""
    parts = [data]
    while parts:
        part = parts.pop()
        if isinstance(part, list):
            parts += part
        elif isinstance(part, dict):
            parts += part.values()
            for name, value in part.items():
                if _is_named(name) or _is_one(value):
                    return str(name)
    return None


def _is_named(name: str) -> bool:
    words = tuple(word.casefold() for word in _WORD.findall(name))
    return words in ALONE or not WORDS.isdisjoint(words) or not PAIRS.isdisjoint(pairwise(words))


def _is_one(value: Json) -> bool:
    return isinstance(value, str) and _VALUE.fullmatch(value.strip()) is not None
