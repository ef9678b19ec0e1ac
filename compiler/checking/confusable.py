"""Names that a reader cannot tell apart: letters of several scripts in one word, or look-alikes of another name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from unco.specs.located import FieldPath

LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁԛԝһкмтвнгпАВЕКМНОРСТХУІЈЅαορυνικτχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijsdqwhkmtbhrnABEKMHOPCTXYIJSaopuviktxABEZHIKMNOPTYX",
)
"""Cyrillic and Greek letters, and the Latin letters that they look like."""
SCRIPTS = (
    "LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "HEBREW", "ARABIC", "CHEROKEE", "COPTIC", "GEORGIAN", "LISU",
)  # fmt: skip


def confusions(named: Sequence[tuple[FieldPath, str]]) -> Iterator[tuple[FieldPath, str, str, FieldPath | None]]:
    """Each name that mixes scripts in a word or looks like an earlier one: path, name, reason, the other's path."""
    seen: dict[str, tuple[FieldPath, str]] = {}
    for path, name in named:
        key = skeleton(name)
        if mixed_scripts(name):
            yield path, name, "mixes letters of several scripts in one word", None
        elif key in seen:
            other, known = seen[key]
            yield path, name, "is given twice" if known == name else f"looks like {known!r}", other
        seen.setdefault(key, (path, name))


def mixed_scripts(name: str) -> bool:
    """Whether a word of the name holds letters of more than one of the scripts that look alike."""
    return any(len({script for letter in word if (script := _script(letter))}) > 1 for word in name.split())


def _script(letter: str) -> str | None:
    if not letter.isalpha():
        return None
    name = unicodedata.name(letter, "")
    return next((script for script in SCRIPTS if name.startswith(script)), None)


def skeleton(name: str) -> str:
    """The name as a quick reader sees it: look-alikes, case, width and spaces made equal."""
    plain = unicodedata.normalize("NFKC", name).translate(LOOK_ALIKES)
    return " ".join(plain.casefold().split())
