"""YAML text as events, by PyYAML's parser alone: nothing is composed, resolved or constructed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from unco.specs.events import Close, Event, Leaf, Open, Problem, Style

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_STYLES: dict[str | None, Style] = {"'": "single", '"': "double", "|": "block", ">": "block"}


def yaml_events(text: str) -> Iterator[Event]:
    """The events of a YAML text, one at a time; ends after a Problem where the syntax is wrong."""
    documents = 0
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    yield _second_document(event)
                    return
            yield from _events(event, text)
    except yaml.MarkedYAMLError as error:
        yield _syntax(error, text)
    except yaml.YAMLError:
        yield Problem("UNC103", "the YAML syntax is wrong", 0, 0, "characters that YAML does not allow")


def _events(event: Any, text: str) -> Iterator[Event]:
    """One event of PyYAML as ours. What stands for a refused part is a leaf, so that reading can go on."""
    start, end = event.start_mark.index, event.end_mark.index
    yield from _refused(event, text)
    match event:
        case yaml.ScalarEvent():
            yield _leaf(event, text)
        case yaml.AliasEvent():
            yield Leaf("", start, end, "plain")
        case yaml.MappingStartEvent():
            yield Open("mapping", start, block=not event.flow_style)
        case yaml.SequenceStartEvent():
            yield Open("list", start, block=not event.flow_style)
        case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
            yield Close(end)


def _leaf(event: Any, text: str) -> Leaf:
    start, style, value = event.start_mark.index, _STYLES.get(event.style, "plain"), event.value
    end = start + len(text[start : event.end_mark.index].rstrip())
    if style == "plain" and value in _NULLS:
        return Leaf(None, start, end, style)
    if style == "block" and "+" not in text[start:end].partition("\n")[0].partition("#")[0]:
        value = value.removesuffix("\n")
    return Leaf(value, start, end, style)


def _refused(event: Any, text: str) -> Iterator[Problem]:
    """Anchors, aliases and tags: they make a file mean something else than it shows."""
    anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
    kind = "alias" if isinstance(event, yaml.AliasEvent) else "anchor" if anchor else "tag" if tag else None
    if kind is None:
        return
    start = event.start_mark.index
    end = start + len((text[start : start + 80].split() or [""])[0])
    hint = "write the value out" if kind == "alias" else f"leave the {kind} out"
    yield Problem(
        "UNC105",
        f"{'an' if kind[0] == 'a' else 'a'} {kind} is not part of the language",
        start,
        end,
        f"`{text[start:end]}`",
        hint=f"{hint}; where it is meant as text, put it in quotes",
    )


def _second_document(event: Any) -> Problem:
    start, end = event.start_mark.index, event.end_mark.index
    message = "a second document is not part of the language"
    return Problem("UNC105", message, start, end, "`---`", "one specification in a file", "use a file for each")


class _Words(NamedTuple):
    """What a problem of the YAML parser means for an author."""

    found: str
    expected: str | None = None
    hint: str | None = None


_PARTS = {"mapping": "mapping", "sequence": "list", "collection": "list", "quoted": "text", "simple key": "line"}
_QUOTE = "put the text in quotes, or in a block that begins with `>-`"
_WORDS: tuple[tuple[str, _Words], ...] = (
    ("mapping values are not allowed", _Words("a `:` where no key can stand", hint=f"check the indentation; {_QUOTE}")),
    ("could not find expected ':'", _Words("a line that is neither a key nor a part of one", "`:` after a key")),
    ("did not find expected key", _Words("something else than a key", "a key", "check the indentation and the quotes")),
    ("expected <block end>", _Words("something else than a key", "a key", "check the indentation and the quotes")),
    ("did not find expected '-'", _Words("a line that is no part of the list", "`-`", "check the indentation")),
    ("expected ',' or ']'", _Words("a list that is not closed", "`,` or `]`")),
    ("expected ',' or '}'", _Words("a mapping that is not closed", "`,` or `}`")),
    ("unexpected end of stream", _Words("a quoted text that is not closed", "a closing quote")),
    (
        "unknown escape character",
        _Words("an escape that YAML does not know", hint="use single quotes, or write `\\\\`"),
    ),
    ("block sequence entries are not allowed", _Words("a `-` where no list can stand", hint=_QUOTE)),
    ("block mapping keys", _Words("a `?` where no key can stand", hint=_QUOTE)),
    ("expected hexdecimal number", _Words("an escape that is cut short", "hexadecimal digits")),
    ("expected hexadecimal number", _Words("an escape that is cut short", "hexadecimal digits")),
    ("did not find expected <document start>", _Words("more text after the end of the value", "one mapping")),
    ("expected '<document start>'", _Words("more text after the end of the value", "one mapping")),
    ("did not find expected node content", _Words("a mark where a value should stand", "a value", _QUOTE)),
    ("expected the node content", _Words("a mark where a value should stand", "a value", _QUOTE)),
)


def _syntax(error: yaml.MarkedYAMLError, text: str) -> Problem:
    """A syntax error in an author's words."""
    mark: Any = error.problem_mark or error.context_mark
    place = min(mark.index, len(text.rstrip())) if mark is not None else 0
    problem = str(error.problem or error.context or "")
    if "invalid Unicode character escape code" in problem:
        message = "a text holds a character that cannot be shown"
        return Problem("UNC112", message, place, place + 1, "an escape of half a character (a surrogate)")
    if "maximum nesting" in problem:
        return Problem("UNC106", "the file is nested too deeply", place, place + 1)
    words = _words(problem, text[place : place + 1])
    return Problem("UNC103", "the YAML syntax is wrong", place, place + 1, *words, _beginning(error, place))


def _beginning(error: yaml.MarkedYAMLError, place: int) -> tuple[str, int, int] | None:
    """Where the part begins that is wrong further on."""
    mark: Any = error.context_mark
    if mark is None or mark.index >= place:
        return None
    part = next((word for key, word in _PARTS.items() if key in str(error.context)), "part")
    return f"the {part} begins here", mark.index, mark.index + 1


def _words(problem: str, character: str) -> _Words:
    if "cannot start any token" in problem:
        if character == "\t":
            return _Words("a tab", "spaces", "indent with spaces")
        return _Words(f"`{character}` at the beginning of a text", hint=_QUOTE)
    return next((words for key, words in _WORDS if key in problem), _Words(problem))
