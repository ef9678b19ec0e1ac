"""JSON text as events. YAML reads most JSON, but neither its surrogate pairs nor its long keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from unco.specs.characters import shortened
from unco.specs.events import Close, Event, Leaf, Open, Problem

_TOKEN = re.compile(
    r"""(?P<mark>[{}\[\],:])
    |(?P<text>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")
    |(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)(?![0-9A-Za-z_.])
    |(?P<word>true|false)\b
    |(?P<null>null)\b
    |(?P<end>\Z)""",
    re.VERBOSE,
)
_BLANK = re.compile(r"[ \t\r\n]*+")
_VALUES = ("text", "number", "word", "null")


class _Token(NamedTuple):
    kind: str
    """A mark itself, `text`, `number`, `word`, `null` or `end`."""
    raw: str
    start: int
    end: int


class _JsonError(Exception):
    """The syntax is wrong at a place."""

    def __init__(self, start: int, end: int, found: str, expected: str) -> None:
        super().__init__(found)
        self.problem = Problem("UNC103", "the JSON syntax is wrong", start, end, found, expected)


def json_events(text: str) -> Iterator[Event]:
    """The events of a JSON text, without recursion; ends after a Problem where the syntax is wrong."""
    try:
        yield from _document(_tokens(text))
    except _JsonError as wrong:
        yield wrong.problem


def _tokens(text: str) -> Iterator[_Token]:
    place = 0
    while True:
        place = _BLANK.match(text, place).end()  # type: ignore[union-attr]
        match = _TOKEN.match(text, place)
        if match is None:
            raise _JsonError(
                place, place + 1, f"`{shortened(text[place : place + 20])}`", "a JSON value, a key or a mark"
            )
        kind = match.group() if match.lastgroup == "mark" else str(match.lastgroup)
        place = match.end()
        yield _Token(kind, match.group(), match.start(), place)


def _document(tokens: Iterator[_Token]) -> Iterator[Event]:
    """One value, then the end. The stack holds the closing mark of each list and object that is open."""
    stack: list[str] = []
    state = "value"
    for token in tokens:
        if stack and token.kind == stack[-1] and state in ("first value", "first key", "after"):
            stack.pop()
            state = "after"
            yield Close(token.end)
            continue
        match state:
            case "value" | "first value" if token.kind in ("{", "["):
                stack.append("}" if token.kind == "{" else "]")
                state = "first key" if token.kind == "{" else "first value"
                yield Open("mapping" if token.kind == "{" else "list", token.start, block=False)
            case "value" | "first value":
                state = "after"
                yield _leaf(token)
            case "key" | "first key":
                state = "colon"
                yield _leaf(_expected(token, "text", "a key in double quotes"))
            case "colon":
                _expected(token, ":", "`:` after the key")
                state = "value"
            case _ if stack:
                _expected(token, ",", f"`,` or `{stack[-1]}`")
                state = "key" if stack[-1] == "}" else "value"
            case _:
                _expected(token, "end", "the end of the file")
                return


def _leaf(token: _Token) -> Leaf:
    match token.kind:
        case "text":
            return Leaf(str(json.loads(token.raw)), token.start, token.end, "double")
        case "null":
            return Leaf(None, token.start, token.end, "plain")
        case "number" | "word":
            return Leaf(token.raw, token.start, token.end, "plain")
        case _:
            raise _unexpected(token, "a value")


def _expected(token: _Token, kind: str, words: str) -> _Token:
    if token.kind != kind:
        raise _unexpected(token, words)
    return token


def _unexpected(token: _Token, expected: str) -> _JsonError:
    found = "the end of the file" if token.kind == "end" else f"`{shortened(token.raw)}`"
    return _JsonError(token.start, token.end, found, expected)
