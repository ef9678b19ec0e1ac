"""The words that may stand around the slots of a fact's sentence: a closed list, so that none can change the fact.

Whatever is not listed is refused: a denial, a doubt, a comparison, a condition, a time, a number, a name, a verdict. Of
what is listed, some words would shift the meaning beside a slot; where they may stand is limited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

CANDIDATE, MEMBER, FACT, VALUE, NAMED = "\ue001", "\ue002", "\ue003", "\ue004", "\ue005"
MARKS = frozenset((CANDIDATE, MEMBER, FACT, VALUE))
"""Characters that stand for slots; NAMED for a phrase that may stand around them, such as the role's name."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SERVANTS = _words("a an the of for in on to as at by from with that is are has")
"""Words that say nothing on their own, so that a slot may hold them as well."""
WORDS = SERVANTS | _words(
    """
    this these our my we i it its their there here please
    under about concerning regarding according per
    have hold holds keep keeps reads show shows say says state states give gives list lists carry carries contain
    contains find finds describe describes report reports document documents indicate indicates specify specifies
    stands appears recorded listed entered noted shown stated given kept held filed found set registered reported
    documented marked logged indicated specified described
    record records file files entry entries register registers case data details information note notes log book books
    sheet database system documentation paperwork archive archives
    regard regards respect relation reference connection terms matter relating pertaining belonging
    value fact facts item line column field name following
    """
)
_BEFORE_VALUE = frozenset({"is", "are", "as", "reads", ":"})
"""No dash: before a number it is a minus."""
_AFTER_VALUE = frozenset({".", ",", ";", "–", "—", "-", "for", "in", "on", "according", "per"})
_OBJECT = _words("for of about on concerning regarding under")
"""What the candidate is spoken of with: a candidate after `by` or `according to` would be who says it."""
_OBJECT_TO = _words("regard regards respect relation reference connection relating pertaining belonging as")
_STARTS = frozenset({"", ",", ":", ";", "–", "—", "-", "that"})
_SOURCES = _words("in from per to by")
"""What may stand before `X's file`."""
_HOLDING = _words("list lists show shows have has hold holds carry carries give gives")
"""What may have a candidate with a fact in it."""
_APPOSED = frozenset({NAMED, "name", "the", "our", CANDIDATE, "'s"})
"""What belongs to a candidate or member that it stands before: `our applicant X`, `X's member`."""
_AFTER_SUBJECT = frozenset({"'s", ",", ":", ";", "–", "—", "-", ".", "is", "are", "has", "stands", "appears", "under"})
_AWRY = frozenset(
    {
        ("is", "to"), ("are", "to"), ("has", "to"), ("have", "to"), ("set", "to"), ("as", "of"), ("as", "in"),
        ("as", "with"), ("as", "at"), ("as", "from"), ("as", "by"), ("as", "on"), ("as", "if"),
        ("in", "case"), ("terms", "that"), ("'s", NAMED), (NAMED, "of"), (NAMED, "for"),
        ("has", "it"), ("have", "it"), ("a", "report"), ("are", "reports"), ("find", "for"), ("finds", "for"),
        ("case", "for"), ("given", "that"), ("in", "name"), ("my", "book"), ("our", "book"), ("that", "of"),
        (CANDIDATE, "to"), (MEMBER, "to"), ("'s", "terms"), ("line", "under"),
        ("it", "appears"), ("appears", "to"), ("hold", "that"), ("", "is"), ("", "are"), ("", "has"),
    }
)  # fmt: skip
"""Neighbours that oblige, compare, date, ask, doubt, judge, make a condition, or lead from the candidate to another."""
_ORDERS = _words("record list note show say state give hold keep set file find report document describe log carry have")
"""Verbs that before a slot, at the beginning, would tell somebody to do something."""
_ONLY_VERBS = _words("have hold keep set find give say state show carry describe")
"""Those that at the beginning are no noun, so that they tell somebody to do something whatever follows."""
_PREPOSITIONS = _words("of for in on to as at by from with under about concerning regarding per")
_TWO = frozenset({("as", "for"), ("as", "to"), ("as", "per")})
"""The prepositions that may follow each other."""
_PAUSES = frozenset({",", ":", ";", "–", "—", "-"})
_BEARERS = _words("our the this these my its their")
"""What a record begins with: `per our records`, where `per item` would be another unit."""
_FILED = _words("filed entered listed recorded kept held registered stands appears")
_AFTER: Mapping[str, Set[str]] = {
    "per": _BEARERS | {CANDIDATE},
    "with": _words("regard regards respect relation reference") | {FACT, CANDIDATE},
    "please": _words("note find"),
}
"""What alone may follow these words."""
_BEFORE: Mapping[str, Set[str]] = {
    "by": _PAUSES | {""},
    "at": _PAUSES | {""},
    "from": _PAUSES | {""},
    "following": frozenset({"the"}),
    "relation": frozenset({"in", "with"}),
    "connection": frozenset({"in"}),
}
"""What alone may stand before these: a file `with`, `by` or `following` another is not that of the candidate."""
_NO_HOLD = _BEARERS | _PREPOSITIONS | {"a", "an"}
"""Before `hold` these make a noun of it: `on hold`."""
_PLACED = _BEARERS | _words("record records file files") | {CANDIDATE, MEMBER, FACT, NAMED}
"""What may follow `for`, `in` and `on` after a value: `5 on file`, where `5 in name` or `5 for a line` limits it."""
_TOKEN = re.compile(rf"[{''.join(sorted(MARKS))}{NAMED}]|['’]s\b|[^\W\d_]+(?:-[^\W\d_]+)*|\S")
_SIGNS = frozenset({".", ",", ":", ";", "–", "—", "-", "'s", NAMED})
_LONGEST = 24
_TOUCHING = re.compile(rf"\S[{''.join(sorted(MARKS))}]|[{''.join(sorted(MARKS))}][^\s,.;:'’]")


def faults(sentence: str, phrases: Sequence[str] = (), barred: Set[str] = frozenset()) -> Iterator[str]:
    """What is wrong with a sentence that has marks in place of its slots; nothing where it is harmless.

    `phrases` may stand there as a whole: the role's name, the noun of a candidate. `barred` words belong in a slot.
    """
    tokens = tokens_of(_with_phrases(sentence, phrases, barred))
    if tokens[-1:] != ["."] or "." in tokens[:-1]:
        yield "it is not one sentence with one full stop, at its end"
    if len(tokens) > _LONGEST:
        yield f"it is longer than {_LONGEST} words and slots"
    if _TOUCHING.search(sentence):
        yield "something touches a slot: expected a blank before it, and a blank, a sign or 's after it"
    for token in dict.fromkeys(tokens):
        if token in barred - SERVANTS:
            yield f'"{token}" belongs in a slot: it is a word of the fact itself'
        elif token not in WORDS | MARKS | _SIGNS:
            yield f'"{token}" is not among the words that may stand around the slots'
    yield from _misplaced(tokens)


def _with_phrases(sentence: str, phrases: Sequence[str], barred: Set[str]) -> str:
    for phrase in phrases:
        if barred.isdisjoint(set(tokens_of(phrase)) - SERVANTS):
            sentence = re.sub(rf"(?<!\w){re.escape(phrase)}(?!\w)", NAMED, sentence, flags=re.IGNORECASE)
    return sentence


def tokens_of(sentence: str) -> list[str]:
    """Words in small letters, slots and signs, in order; an article before a fact is part of the fact."""
    found = ["'s" if token in ("'s", "’s") else token.lower() for token in _TOKEN.findall(sentence)]
    return [
        token for place, token in enumerate(found) if not (token == "the" and found[place + 1 : place + 2] == [FACT])
    ]


def _misplaced(tokens: Sequence[str]) -> Iterator[str]:
    around = ["", *tokens, "", ""]
    for place, token in enumerate(tokens, 1):
        before, after, then = around[place - 1], around[place + 1], around[place + 2]
        if (
            _is_awry(before, token)
            or _leads_astray(before, token, after)
            or (before == VALUE and token in ("for", "in", "on") and after not in _PLACED)
            or (token in ("about", "under") and not _has_object(token, before, after))
        ):
            yield f'"{before} {token}" could change what is said'
        if _is_order(tokens, place - 1):
            yield f'"{token}" tells somebody to do something'
        if before == FACT and token in ("of", "for") and not _is_next(tokens[place:]):
            yield "the fact is that of something else than the candidate"
        if token == VALUE and before not in _BEFORE_VALUE:
            yield f'"{before}" stands before the value: expected "is", "are", "as", "reads" or a colon'
        if token == VALUE and after not in _AFTER_VALUE:
            yield f'"{after}" stands after the value: expected the end, a comma, "for", "in", "on" or "per"'
        if token in (CANDIDATE, MEMBER) and not _is_spoken_of(tokens[: place - 1], after, then):
            yield "the sentence is not plainly about the candidate"
        if token == FACT and (before in ("by", "from", "as") or (before == "to" and not _leads(tokens[: place - 1]))):
            yield f'"{before}" stands before the fact'


def _is_next(tokens: Sequence[str]) -> bool:
    """Whether a candidate or member comes next, after the noun that it may have."""
    rest = (token for token in tokens if token not in (NAMED, "name", "the", "our"))
    return next(rest, "") in (CANDIDATE, MEMBER)


def _is_awry(before: str, token: str) -> bool:
    """Whether two neighbours may change what is said."""
    prepositions = before in _PREPOSITIONS and token in _PREPOSITIONS
    return (before, token) in _AWRY or (prepositions and (before, token) not in _TWO)


def _leads_astray(before: str, token: str, after: str) -> bool:
    """Whether a word stands where it says more than that something is on record."""
    return (
        (token in _PREPOSITIONS and after in _PAUSES | {"."} and token != "as")
        or (token in _AFTER and after not in _AFTER[token])
        or (token in _BEFORE and before not in _BEFORE[token])
        or (token == "hold" and before in _NO_HOLD)
        or (token == "under" and after in ("the", "our") and before not in _FILED | _PAUSES | {""})
    )


def _is_order(tokens: Sequence[str], place: int) -> bool:
    """Whether a verb stands where it tells somebody to do something."""
    token, before, after = tokens[place], tokens[:place], tokens[place + 1 : place + 2]
    begins = before in ([], ["please"]) or before[-1] in _PAUSES | {"please"}
    return (token in _ORDERS and begins and not MARKS.isdisjoint(after)) or (token in _ONLY_VERBS and not before)


def _has_object(token: str, before: str, after: str) -> bool:
    """Whether `about` or `under` leads to a candidate or a record, so that it limits no number."""
    if after == FACT:
        return token == "under" and before in (CANDIDATE, MEMBER)
    return before not in MARKS and after in (CANDIDATE, MEMBER, NAMED, "the", "our")


def _is_spoken_of(before: Sequence[str], after: str, then: str) -> bool:
    """Whether a candidate or member is what the sentence is about, and not who says it: `for X`, `applicant X has`."""
    words = list(before)
    while words and words[-1] in _APPOSED:
        words.pop()
    last = words[-1] if words else ""
    filed = after == "'s" and then not in MARKS and last in _SOURCES
    listed = after == "with" and last in _HOLDING
    return filed or listed or last in _OBJECT or _leads(words) or (last in _STARTS and after in _AFTER_SUBJECT)


def _leads(before: Sequence[str]) -> bool:
    """Whether the words end with `with regard to` or the like."""
    return len(before) > 1 and before[-1] == "to" and before[-2] in _OBJECT_TO
