"""What an LLM is asked in order to draft a specification, and to mend one that does not stand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from unco.compiler.checking.forms import FORMS
from unco.compiler.drafting.as_reply import reply_of
from unco.compiler.drafting.ledger import Recent
from unco.compiler.drafting.reply_schema import SCHEMA
from unco.llm.protocol import Message, Request, Sampling
from unco.specs.document import Specification
from unco.specs.read import read_specification
from unco.specs.shipped import shipped_specifications
from unco.templates.loader import fill

EXAMPLE = "underground-superintendent"
"""The shipped specification that shows the form."""
OF_EXAMPLE = {
    "idea": "A mine appoints one person. Each office keeps one kind of record and cannot see those of the others.",
    "people": "yes",
    "names": [],
}
"""What it shows besides: fields that a specification does not have."""
REFERENCES = (
    "cheese-milk-tanker", "community-battery-site", "flood-pump-unit", "graduate-scholarship", "image-service-move",
    "reduced-fare", "trial-first-dose", "urgent-moulding-order",
)  # fmt: skip
"""The eight reference scenarios: inspiration, neither a list of what is allowed nor a quota."""


@dataclass(frozen=True)
class Wish:
    """What one request is about: a domain and an operation, or the text of an author."""

    number: int
    domain: str = ""
    operation: str = ""
    source: str = ""


def request(wish: Wish, recent: Iterable[Recent], sampling: Sampling) -> Request:
    """The request for one draft. Its number makes it another request than one that asks the same."""
    told = fill(
        "draft/request.txt.j2",
        wish=wish,
        fence=_fence(wish.source),
        form=_form(wish.operation),
        references=_references(wish.number),
        recent=tuple(recent),
    )
    messages = (Message("system", _system()), Message("user", told))
    return Request(messages, SCHEMA, sampling, wish.number)


def repair(first: Request, reply: str, diagnostics: str, form: str, wish: Wish) -> Request:
    """The request to mend a draft, with what the check found; `form`: what the diagnostics show, YAML or JSON."""
    told = fill(
        "repair/specification.txt.j2",
        diagnostics=diagnostics,
        shown=form,
        wish=wish,
        form=_form(wish.operation),
    )
    messages = (*first.messages, Message("assistant", reply), Message("user", told))
    return Request(messages, first.schema, first.sampling, first.repetition)


@cache
def _system() -> str:
    example = json.dumps({**reply_of(_shipped(EXAMPLE)), **OF_EXAMPLE}, ensure_ascii=False)
    return fill("draft/system.txt.j2", forms={name: form for name, (_, form) in FORMS.items()}, example=example)


@cache
def _shipped(name: str) -> Specification:
    return read_specification(shipped_specifications()[name]).specification


def _references(number: int) -> list[Specification]:
    """One or two of the reference scenarios, in turn."""
    shown = REFERENCES[number % len(REFERENCES) :][: 1 + number % 2]
    return [_shipped(name) for name in shown]


def _form(operation: str) -> str:
    return FORMS[operation][1] if operation else ""


def _fence(source: str) -> str:
    """A line that the text of an author does not hold."""
    return f"----- {hashlib.sha256(source.encode()).hexdigest()[:16]} -----"
