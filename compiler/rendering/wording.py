"""The wording of one group: the form of each attribute's sentences, and the sentences that frame the task."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from random import Random

from unco.compiler.rendering.forms import FORMS, HOLDERS, NEEDS, OPENINGS, PLAIN_FORMS, SLOT, filled
from unco.specs.domains import BooleanDomain, CategoryDomain, Domain
from unco.specs.family import Attribute, Family
from unco.specs.wording import is_plain, verb

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Wording:
    """Drawn for the group, or given by an LLM: by attribute, never by candidate, context, value or setting."""

    forms: Mapping[str, str]
    """By attribute: its form, with the slots candidate, fact, value, and member where it belongs to a group."""
    opening: str
    holders: str
    needs: str
    task: str
    """The author's task, or how an LLM puts it."""
    descriptions: Mapping[str, str]
    """By role: its description, or how an LLM puts it."""


def drawn_wording(family: Family, index: int) -> Wording:
    """The program's own wording of a group: it depends on the family and the index alone."""
    rng = Random(f"{family.digest}/{index}/wording")
    return Wording(
        forms=_drawn_forms(family, rng),
        opening=rng.choice(OPENINGS),
        holders=rng.choice(HOLDERS),
        needs=rng.choice(NEEDS),
        task=family.task.strip(),
        descriptions={role.id: role.description for role in family.roles},
    )


def _drawn_forms(family: Family, rng: Random) -> dict[str, str]:
    """Each form serves again only after all others that suit have served."""
    waiting = [*FORMS, *PLAIN_FORMS]
    rng.shuffle(waiting)
    contexts = words_of(" ".join(_context_texts(family)))
    found = {}
    for attribute in family.shown_attributes:
        form = next(each for each in waiting if _suits(each, attribute, contexts))
        waiting.remove(form)
        waiting.append(form)
        found[attribute.id] = _own(form, attribute, family)
    return found


def _context_texts(family: Family) -> Iterator[str]:
    for attribute in family.attributes:
        yield attribute.context_kind
        yield from (context for context, _ in attribute.contexts)


def _suits(form: str, attribute: Attribute, contexts: Set[str]) -> bool:
    """Whether no word of the form could be taken for one of a fact or context, and the label is plain if it must be."""
    if form in PLAIN_FORMS and not is_plain(attribute.label):
        return False
    domains = (domain for _, domain in attribute.contexts)
    own = words_of(" ".join((attribute.label, *(word for each in domains for word in _value_words(each)))))
    return words_of(form).isdisjoint((contexts | own) - _SERVANTS)


_SERVANTS = frozenset({"a", "the", "of", "for", "in", "on", "to", "as", "with", "that", "is", "are"})
"""Words that may stand in both: they mean nothing on their own."""


def _value_words(domain: Domain) -> tuple[str, ...]:
    match domain:
        case BooleanDomain(words):
            return words
        case CategoryDomain():
            return tuple(domain.values)
        case _:
            return ()


def words_of(text: str) -> frozenset[str]:
    """The words of a text or form, slots left out, in small letters."""
    return frozenset(word.lower() for word in _WORD.findall(SLOT.sub(" ", text)))


def _own(form: str, attribute: Attribute, family: Family) -> str:
    """The form with the holder and the verb of an attribute."""
    holder = "{candidate}" if attribute.group is None else "{candidate}'s {member}"
    return filled(form, {"holder": holder, "verb": verb(attribute.label)})
