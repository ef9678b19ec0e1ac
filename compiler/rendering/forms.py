"""Forms of the sentences that state a fact, with named slots, and how the slots are filled.

A form such as `For {candidate}, {fact} is {value}.` is data: its slots are found and filled here, nothing in it is run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from unco.specs.wording import definite

SLOT = re.compile(r"\{([a-z]+)\}")
_OWNED = re.compile(r"(?:['’]s|\b(?:the|this|our|their|its)) \{fact\}", re.IGNORECASE)
FORMS = (
    "For {holder}, {fact} {verb} {value}.",
    "{holder}: {fact} {verb} {value}.",
    "As for {holder}, {fact} {verb} {value}.",
    "About {holder}: {fact} {verb} {value}.",
    "{holder} – {fact}: {value}.",
    "On record for {holder}: {fact} {verb} {value}.",
    "In the case of {holder}, {fact} {verb} {value}.",
    "With regard to {holder}, {fact} {verb} {value}.",
    "The entry for {holder} reads: {fact} {verb} {value}.",
    "Our files say for {holder}: {fact} {verb} {value}.",
)
"""The program's own forms. A holder is a candidate or a member of a candidate's group; the value stands last."""
PLAIN_FORMS = (
    "{fact} for {holder} {verb} {value}.",
    "{fact} of {holder} {verb} {value}.",
    "{fact} for {holder}: {value}.",
    "{holder}'s {fact} {verb} {value}.",
    "{fact} on record for {holder} {verb} {value}.",
    "{fact} recorded for {holder} {verb} {value}.",
    "{fact} entered for {holder} {verb} {value}.",
    "Our records show that {fact} for {holder} {verb} {value}.",
)
"""Forms for labels that are a plain noun: after `the day on which the crane leaves the yard`, `of Heron` is lost."""
OPENINGS = ("{plural} are {names}.", "These are {plural}: {names}.", "{plural} in question are {names}.")
"""How the candidates are introduced."""
HOLDERS = (
    "Your colleagues hold the facts.",
    "The facts are held by your colleagues.",
    "You can ask your colleagues for the facts.",
)
"""Who has the facts."""
NEEDS = (
    "The conditions and the calculation use these facts of every {noun}:",
    "These facts of every {noun} enter into the conditions and the calculation:",
    "Of every {noun}, the conditions and the calculation use these facts:",
)
"""What stands before the list of the facts that are needed."""


def slots(form: str) -> tuple[str, ...]:
    """The names of the slots of a form, in order."""
    return tuple(SLOT.findall(form))


def filled(form: str, values: Mapping[str, str]) -> str:
    """The form with a value in each slot that has one, what is filled in left as it is; other slots stay."""
    return SLOT.sub(lambda found: values.get(found[1], found[0]), form)


def stated(form: str, *, candidate: str, fact: str, member: str, value: str) -> str:
    """The sentence of a fact: its name has an article unless something owns it, and a capital where it begins."""
    owned = _OWNED.search(form) is not None
    named = fact if owned else definite(fact)
    values = {"candidate": candidate, "fact": named, "member": member, "value": value}
    first = SLOT.match(form)
    if first and first[1] != "candidate":
        values[first[1]] = opened(values[first[1]])
    return filled(form, values)


def opened(text: str) -> str:
    """The text with a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"
