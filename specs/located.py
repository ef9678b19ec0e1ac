"""Events to plain data with a side table of places; every problem is noted, and reading stops early at the limits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from unco.specs.characters import code_point, shortened, unshowable
from unco.specs.events import Close, Event, Leaf, Open, Problem, Style

Data: TypeAlias = "dict[str, Data] | list[Data] | str | None"
"""What a file holds: mappings, lists and texts; null is None."""

FieldPath: TypeAlias = tuple[str | int, ...]
"""Keys and indices (from 0) that lead to a value: `("conditions", "experience", "rule")`."""

MAXIMUM_DEPTH = 30
MAXIMUM_VALUES = 50_000
MAXIMUM_TEXT = 4_000
MAXIMUM_PROBLEMS = 100


@dataclass(frozen=True, slots=True)
class Place:
    """Offsets of a value and of its key (of itself, where it has none); the end is excluded."""

    start: int
    end: int
    key_start: int
    key_end: int
    style: Style | None = None
    """How a scalar is written; None for a mapping or a list."""


@dataclass(slots=True)
class Located:
    """Plain data under construction, with the place of every value."""

    data: Data = None
    places: dict[FieldPath, Place] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class _Frame:
    """A mapping or a list that is open."""

    opened: Open
    container: dict[str, Data] | list[Data]
    path: FieldPath
    key: Leaf | None
    """The key under which it stands."""
    end: int
    is_key: bool = False
    pending: Leaf | None = None
    """A key of this mapping that waits for its value."""
    keys: dict[str, Leaf] = field(default_factory=dict)


class _LimitError(Exception):
    """Reading any further serves nobody."""


def located(events: Iterable[Event]) -> Located:
    """The data that the events describe. Where `problems` is not empty, the data is of no use."""
    result = Located()
    stack: list[_Frame] = []
    try:
        for event in events:
            _take(event, stack, result)
            _check_limits(event, stack, result)
    except _LimitError:
        pass
    return result


def _take(event: Event, stack: list[_Frame], result: Located) -> None:
    match event:
        case Problem():
            result.problems.append(event)
        case Open():
            _open(event, stack, result)
        case Close():
            _close(event, stack, result)
        case Leaf():
            _leaf(event, stack, result)


def _check_limits(event: Event, stack: list[_Frame], result: Located) -> None:
    if isinstance(event, Open) and len(stack) > MAXIMUM_DEPTH:
        _too_large(event.start, "the file is nested too deeply", f"at most {MAXIMUM_DEPTH} levels", result)
    if len(result.places) > MAXIMUM_VALUES and not isinstance(event, Problem | Close):
        _too_large(event.start, "the file holds too many values", f"at most {MAXIMUM_VALUES:,} values", result)
    if len(result.problems) >= MAXIMUM_PROBLEMS:
        raise _LimitError


def _too_large(start: int, message: str, expected: str, result: Located) -> None:
    result.problems.append(Problem("UNC106", message, start, start + 1, expected=expected))
    raise _LimitError


def _open(event: Open, stack: list[_Frame], result: Located) -> None:
    container: dict[str, Data] | list[Data] = {} if event.kind == "mapping" else []
    parent = stack[-1] if stack else None
    is_key = parent is not None and isinstance(parent.container, dict) and parent.pending is None
    if is_key:
        result.problems.append(
            Problem("UNC109", f"a {event.kind} cannot be a key", event.start, event.start + 1, expected="a text")
        )
        path: FieldPath = ("?",)
    else:
        path = _attach(container, parent, result)
    stack.append(_Frame(event, container, path, parent.pending if parent else None, event.start + 1, is_key))


def _close(event: Close, stack: list[_Frame], result: Located) -> None:
    frame = stack.pop()
    end = frame.end if frame.opened.block else event.end
    if stack:
        stack[-1].end = end
    if frame.is_key:
        stack[-1].pending = Leaf(f"?{frame.opened.start}", frame.opened.start, end, "plain")
        return
    result.places[frame.path] = _place(frame.opened.start, end, frame.key, None)
    if stack:
        stack[-1].pending = None


def _leaf(leaf: Leaf, stack: list[_Frame], result: Located) -> None:
    _check_text(leaf, result)
    parent = stack[-1] if stack else None
    if parent is not None:
        parent.end = max(parent.end, leaf.end)
        if isinstance(parent.container, dict) and parent.pending is None:
            parent.pending = _checked_key(leaf, parent, result)
            return
    path = _attach(leaf.text, parent, result)
    result.places[path] = _place(leaf.start, leaf.end, parent.pending if parent else None, leaf.style)
    if parent is not None:
        parent.pending = None


def _attach(value: Data, parent: _Frame | None, result: Located) -> FieldPath:
    """The value in its place in the data, and its path; the first of two equal keys keeps its value."""
    if parent is None:
        result.data = value
        return ()
    if isinstance(parent.container, list):
        parent.container.append(value)
        return (*parent.path, len(parent.container) - 1)
    key = (parent.pending.text if parent.pending else None) or ""
    parent.container.setdefault(key, value)
    return (*parent.path, key)


def _place(start: int, end: int, key: Leaf | None, style: Style | None) -> Place:
    return Place(start, end, key.start, key.end, style) if key else Place(start, end, start, end, style)


def _checked_key(leaf: Leaf, frame: _Frame, result: Located) -> Leaf:
    """The key, once it is seen to be a text of its own."""
    if leaf.text is None:
        result.problems.append(
            Problem("UNC109", "a key is empty", leaf.start, leaf.end, "nothing or null", "a text", "put it in quotes")
        )
        return Leaf(f"?{leaf.start}", leaf.start, leaf.end, "plain")
    if leaf.text == "<<" and leaf.style == "plain":
        message = "a merge key is not part of the language"
        result.problems.append(Problem("UNC105", message, leaf.start, leaf.end, "`<<`", hint="write the fields out"))
    first = frame.keys.setdefault(leaf.text, leaf)
    if first is not leaf:
        result.problems.append(
            Problem(
                "UNC104",
                f"the key `{shortened(leaf.text)}` is given twice",
                leaf.start,
                leaf.end,
                hint="remove one of the two",
                related=("the key is first given here", first.start, first.end),
            )
        )
    return leaf


def _check_text(leaf: Leaf, result: Located) -> None:
    text = leaf.text or ""
    if len(text) > MAXIMUM_TEXT:
        found, expected = f"{len(text):,} characters", f"at most {MAXIMUM_TEXT:,} characters"
        result.problems.append(Problem("UNC106", "a text is too long", leaf.start, leaf.end, found, expected))
        return
    for place in list(unshowable(text))[:1]:
        result.problems.append(
            Problem(
                "UNC112",
                "a text holds a character that cannot be shown",
                leaf.start,
                leaf.end,
                f"{code_point(text[place])}, character {place + 1} of the text",
                hint="remove it, or write in words what it stands for",
            )
        )
