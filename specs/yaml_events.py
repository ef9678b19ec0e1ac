"""YAML text as events, by PyYAML's parser alone: nothing is composed, resolved or constructed."""

from __future__ import annotations

import re
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
    last: Any = None
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    yield _second_document(event)
                    return
            yield from _events(event, text)
            last = event
    except yaml.MarkedYAMLError as error:
        yield _open_quote(last, text) or _syntax(error, text)
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
    ("expected ',' or ']'", _Words("a list that is not closed", "`,` or `]`", "close the bracket that is opened")),
    (
        "expected ',' or '}'",
        _Words("a mapping that is not closed", "`,` or `}`", "close the brace; quote values that hold `,`, `[` or `{`"),
    ),
    ("tab character", _Words("a tab", "spaces", "indent with spaces")),
    ("unexpected end of stream", _Words("a quoted text that is not closed", "a closing quote")),
    ("expected comment or line break", _Words("text after `>` or `|`", "`>-` or `|`, and the text in the lines below")),
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
    if (plain := _misplaced(error, problem, place, _with_plain_line_ends(text))) is not None:
        return plain
    words = _words(problem, text[place : place + 1])
    return Problem("UNC103", "the YAML syntax is wrong", place, place + 1, *words, _beginning(error, place))


def _open_quote(last: Any, text: str) -> Problem | None:
    """A quoted text over several lines with more text behind it: most likely a quote is missing in its first line."""
    if not isinstance(last, yaml.ScalarEvent) or last.style not in ("'", '"'):
        return None
    event: Any = last
    start, end = event.start_mark.index, event.end_mark.index
    if "\n" not in text[start:end] or not text[end:].partition("\n")[0].strip(" ,]}:"):
        return None
    line = text[start:].partition("\n")[0].rstrip()
    related = ("it goes on to here", end - 1, end)
    hint = "close the quote where the text ends"
    found = "a quoted text that goes on over several lines, with more text behind it"
    message = "the YAML syntax is wrong"
    return Problem("UNC103", message, start, start + len(line), found, "a closing quote", hint, related)


def _with_plain_line_ends(text: str) -> str:
    """The text with `\\n` at the end of each line; every character keeps its place."""
    return text.replace("\r\n", " \n").replace("\r", "\n")


def _misplaced(error: yaml.MarkedYAMLError, problem: str, place: int, text: str) -> Problem | None:
    """The commonest slips, told from the lines around: indentation, a missing colon, text after a quoted text."""
    message = "the YAML syntax is wrong"
    start = text.rfind("\n", 0, place) + 1
    line = text[start:].partition("\n")[0]
    above, above_start = _line_above(text, start)
    if (odd := _unusual_indent(text, start, above_start)) is not None:
        return Problem("UNC103", message, odd, odd + 1, "an unusual space in the indentation", "plain spaces")
    mark: Any = error.context_mark
    if "could not find expected ':'" in problem and mark is not None:
        return _without_colon(text, mark.index)
    before = line[: place - start]
    if "mapping values are not allowed" in problem and above and ": " not in before:
        return _below_a_value(text, start, line, above, above_start)
    if "mapping values are not allowed" in problem and ": " in before:
        words = "a second `: ` in one line"
        return Problem("UNC103", message, place, place + 1, words, hint=f"where it is part of the text, {_QUOTE}")
    if "did not find expected key" not in problem and "expected <block end>" not in problem:
        return None
    if before.strip():
        words = "more text after the end of a quoted text or a list"
        hint = "put the whole value in single quotes, `'...'`, with each `'` inside written twice, or in a `>-` block"
        return Problem("UNC103", message, place, place + 1, words, "the end of the line", hint)
    if line[place - start :].startswith("- "):
        hint = "leave the `- ` out, or write all of them as a list"
        return Problem("UNC103", message, place, place + 1, "a part of a list among keys", "`key: value`", hint)
    spaces = place - start
    found = f"an indentation of {spaces} space{'' if spaces == 1 else 's'}, which fits no line above"
    hint = "indent the line like those beside it; a line of a `>-` block, a comment too, is indented below its key"
    return Problem("UNC103", message, place, place + 1, found, "the indentation of the lines beside it", hint)


def _line_above(text: str, start: int) -> tuple[str, int]:
    """The last line before `start` that is neither blank nor a comment, and where it starts."""
    end = start
    while end > 0:
        begin = text.rfind("\n", 0, end - 1) + 1
        line = text[begin : end - 1]
        if line.strip() and not line.strip().startswith("#"):
            return line, begin
        end = begin
    return "", 0


def _unusual_indent(text: str, *starts: int) -> int | None:
    """Where the indentation of a line holds a space that is none for YAML."""
    for start in starts:
        line = text[start:].partition("\n")[0]
        indent = line[: len(line) - len(line.lstrip())]
        place = next((number for number, character in enumerate(indent) if character not in " \t"), None)
        if place is not None:
            return start + place
    return None


def _without_colon(text: str, start: int) -> Problem:
    """A line that is not closed by a colon: the fault lies where it begins."""
    line = text[start:].partition("\n")[0].rstrip()
    glued = re.match(r"[a-z0-9_]+(:)\S", line)
    hint = f"write `{line[: glued.end(1)]} {line[glued.end(1) :]}`"[:120] if glued else None
    if re.match(r"-\S", line):
        hint = f"write `- {line[1:]}`"[:120]
    hint = hint or "write `key: value`, or indent the line where it belongs to the text above"
    found, expected = "a line that is neither a key nor a part of one", "a key, `: ` and a value"
    return Problem("UNC103", "the YAML syntax is wrong", start, start + len(line), found, expected, hint)


def _below_a_value(text: str, start: int, line: str, above: str, above_start: int) -> Problem:
    """A key where none can stand: the line above lacks its colon, or has its value already."""
    message = "the YAML syntax is wrong"
    bare = above.strip()
    if ":" not in bare.rstrip(":") and not bare.endswith(":") and not bare.startswith("- "):
        begin = above_start + len(above) - len(above.lstrip())
        found, hint = "a line without `: `", f"write `: ` after the key, as in `{bare.split()[0]}: ...`"
        return Problem("UNC103", message, begin, begin + len(bare), found, "a key, `: ` and a value", hint)
    begin = start + len(line) - len(line.lstrip())
    hint = "indent the line like those beside it"
    found = "a key that is indented below a line which has its value already"
    beginning = ("the line above", above_start + len(above) - len(above.lstrip()), above_start + len(above))
    return Problem(
        "UNC103", message, begin, start + len(line), found, "the indentation of a line above", hint, beginning
    )


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
