"""Characters that a specification may not hold: what cannot be seen, or turns the text around it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_UNSHOWABLE = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, but for tab and line ends
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"  # invisible marks, direction marks
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\uffa0\ufff0-\ufffb"  # line separators, bidi controls, fillers
    "\ud800-\udfff\ue000-\uf8ff\ufeff\ufdd0-\ufdef\ufffe\uffff"  # surrogates, private use, byte order mark
    "\U0001d173-\U0001d17a\U000e0000-\U0010ffff"  # tags, variation selectors, private planes
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0xE0000, 0x10000))
    + "]"
)
_NAMES = {"\x00": "NUL", "\x1b": "ESCAPE", "\x07": "BELL", "\x08": "BACKSPACE", "\x7f": "DELETE", "\x85": "NEXT LINE"}


def unshowable(text: str) -> Iterator[int]:
    """The places of characters that cannot be shown, in order. Joiners, which emoji and scripts need, can."""
    return (match.start() for match in _UNSHOWABLE.finditer(text))


def code_point(character: str) -> str:
    """`U+202E RIGHT-TO-LEFT OVERRIDE`."""
    name = "BYTE ORDER MARK" if character == "\ufeff" else _NAMES.get(character) or unicodedata.name(character, "")
    return f"U+{ord(character):04X} {name}".rstrip()


def escaped(text: str) -> str:
    """The text on one line, with `<U+001B>` in place of what cannot be shown."""
    bare = text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return _UNSHOWABLE.sub(lambda match: f"<U+{ord(match.group()):04X}>", bare)


def shortened(text: str, limit: int = 60) -> str:
    """The text, escaped, cut with an ellipsis where it is longer than `limit`."""
    return escaped(text if len(text) <= limit else text[: limit - 1] + "…")
