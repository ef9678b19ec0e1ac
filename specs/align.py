"""Where each character of a scalar's value stands in the file: through quotes, escapes, indentation and folding."""

from __future__ import annotations

from unco.specs.events import Style

_BLANKS = " \t\r\n"
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


def offsets(value: str, raw: str, style: Style) -> list[tuple[int, int]] | None:
    """For each character of `value`, start and end in `raw`, the scalar as written; None where they do not match.

    Exact for every character that is no blank; a blank that folding made stands at the line end it came from.
    """
    place = _begin(raw, style)
    result: list[tuple[int, int]] = []
    for character in value:
        if character not in _BLANKS:
            place = _skipped(raw, place, style)
        length = _length(raw, place, character, style)
        if length is None:
            return None
        result.append((place, place + length))
        place += length
    return result


def _begin(raw: str, style: Style) -> int:
    """Behind the opening quote or the header line of a block."""
    match style:
        case "plain":
            return 0
        case "single" | "double":
            return 1
        case "block":
            return raw.find("\n") + 1 or len(raw)


def _skipped(raw: str, place: int, style: Style) -> int:
    """The next place that is no blank and no escaped line end."""
    while place < len(raw):
        if style == "double" and raw[place] == "\\" and raw[place + 1 : place + 2] in ("\n", "\r"):
            place += 1
        elif raw[place] not in _BLANKS:
            break
        else:
            place += 1
    return place


def _length(raw: str, place: int, character: str, style: Style) -> int | None:
    """How many characters of `raw` make the one; 0 for a blank that has no place of its own; None for a mismatch."""
    here = raw[place : place + 1]
    if style == "double" and here == "\\" and raw[place + 1 : place + 2] not in ("\n", "\r"):
        return _escape_length(raw, place)
    if style == "single" and raw[place : place + 2] == "''":
        return 2 if character == "'" else None
    if here == character or (character == " " and here and here in "\r\n"):
        return 1
    return 0 if character in _BLANKS else None


def _escape_length(raw: str, place: int) -> int:
    """The length of an escape; two for the halves of a JSON pair count as one."""
    length = 2 + _HEX_DIGITS.get(raw[place + 1 : place + 2], 0)
    high = raw[place + 1 : place + 4].lower() in ("ud8", "ud9", "uda", "udb")
    return length * 2 if high and raw[place + length : place + length + 2] == "\\u" else length
