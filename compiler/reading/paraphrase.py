"""Whether a text says what the author's text says, in other words: the same words of meaning, other words of form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Set


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FORM = _words(
    """
    a an the this that these those of for in on at by with to and as is are be been being has have having it its they
    their them who whom whose which there here must need needs needed required responsible
    keep keeps kept keeping hold holds held holding maintain maintains maintained maintaining manage manages managing
    track tracks tracking oversee oversees
    """
)
"""Words of form, and words for having something in one's care: they may come and go."""
STRICT = _words(
    """
    no not none nobody nothing never neither nor without except only unless until if but than least most more less fewer
    before after above below over under between either or both from
    """
)
"""Where the author has one of these, all words of meaning keep their order."""
DIRECTED = _words("by to with as at on in")
"""Words of form that say who does what to whom, where or how: each stays before its word of meaning."""
_CARE = re.compile(r"(?:answers|keeps|holds|maintains|manages|tracks|oversees|responsible)\b", re.IGNORECASE)
"""How a text begins that lists what somebody has in care: in a list, the order says nothing."""
_SPOKEN = re.compile(
    r"\bin charge of\b|(?<=\bneeds )to\b|(?<=\bneed )to\b|(?<=\bhas )to\b|(?<=\bhave )to\b", re.IGNORECASE
)
"""Words of form of more than one word: having in charge, and having to."""
_TOKEN = re.compile(r"(?:(?<!\w)[-–])?\d[\d,.:/-]*\d|(?:(?<!\w)[-–])?\d|[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+")
_SIGN = re.compile(r"[^\w\s.,;:'’–—-]")
_SPARE = frozenset('()[]"“”„«»!?')
"""Signs that may be left out; others belong to a number or a unit."""
_LONGEST = 2
"""So many times the length of the author's text."""


def changes(found: str, author: str) -> Iterator[str]:
    """What a text adds to the author's or leaves out; nothing where it says the same."""
    wanted, told = content(author), content(found)
    added = Counter(told) - Counter(wanted)
    lost = set(wanted) - set(told)
    if added:
        yield f"it adds {_listed(found, set(added))}"
    if lost:
        yield f"it leaves out {_listed(author, lost)}"
    if not added and not lost:
        yield from _turned(found, author)
    if Counter(_SIGN.findall(found)) - Counter(_SIGN.findall(author)):
        yield "it has signs that the author's text does not have"
    if set(_SIGN.findall(author)) - set(_SIGN.findall(found)) - _SPARE:
        yield "it leaves out signs of the author's text"
    if "\n" in found or not found.strip() or found != found.strip():
        yield "it is not one paragraph"
    if len(found) > _LONGEST * len(author) + 40:
        yield "it is much longer"


def content(text: str) -> tuple[str, ...]:
    """The words of meaning by their stem, numbers as they stand, in order."""
    return tuple(map(stem, _meaning(text)))


def _meaning(text: str) -> list[str]:
    return [word for word in _all(text) if word not in FORM]


def _all(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in _TOKEN.findall(_SPOKEN.sub("", text))]


def _turned(found: str, author: str) -> Iterator[str]:
    """What is wrong with how the same words are put together; nothing where it can say nothing else."""
    told, wanted = _sentences(found), _sentences(author)
    moved = Counter(_phrases(found)) - Counter(_phrases(author))
    if moved:
        yield f"it puts another small word before {_listed(found, {phrase.split()[-1] for phrase in moved})}"
    elif _is_free(author):
        return
    elif len(told) != len(wanted):
        yield f"it has {len(told)} sentences in place of {len(wanted)}"
    elif any(sum(said, ()) not in _orders(sentence) for said, sentence in zip(told, wanted, strict=True)):
        yield "it puts the words of meaning in another order"


def _is_free(author: str) -> bool:
    """Whether its words say the same in any order: a plain list of what somebody keeps."""
    return _CARE.match(author) is not None and STRICT.isdisjoint(content(author))


def _sentences(text: str) -> list[list[tuple[str, ...]]]:
    """The phrases of each clause of each sentence."""
    return [[_phrases(clause) for clause in each.split(", ")] for each in _SENTENCE.split(text)]


def _phrases(text: str) -> tuple[str, ...]:
    """The words of meaning by their stem, each with the directed words that stand before it."""
    phrases, before = [], ""
    for word in _all(text):
        if word in DIRECTED:
            before += f"{word} "
        elif word not in FORM:
            phrases.append(before + stem(word))
            before = ""
    return tuple(phrases + [before] * bool(before))


def _orders(sentence: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The phrases as they stand, and with an end of a clause put first that begins with a directed word."""
    phrases, end = sum(sentence, ()), 0
    yield phrases
    for clause in sentence:
        end += len(clause)
        for start in range(end - len(clause), end):
            if " " in phrases[start]:
                yield (*phrases[start:end], *phrases[:start], *phrases[end:])


def stem(word: str) -> str:
    """The word without the ending of number, person or participle: `fares` and `fare` are one."""
    if word in STRICT or not word[0].isalpha():
        return word
    word = re.sub(r"'s?$", "", word)
    word = re.sub(r"(?<=\w\w)(?:ies|ied|ying)$", "y", word)
    return re.sub(r"(?<=\w\w\w)(?:ings?|ed|es|s|e)$", "", word)


def _listed(text: str, stems: Set[str]) -> str:
    """The words of a text that have these stems."""
    return ", ".join(f'"{word}"' for word in dict.fromkeys(_meaning(text)) if stem(word) in stems)
