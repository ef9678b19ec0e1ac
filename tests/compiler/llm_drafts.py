"""An LLM that drafts, on a real socket: it composes what it is asked for from the grammar, in the form of a reply."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from tests.llm.asking import endpoint
from tests.llm.faulty_server import Body, Handler, Step, completion, says, sends, served
from unco.compiler.check import CheckOptions
from unco.compiler.draft import RoundError, draft
from unco.compiler.drafting.as_reply import reply_of
from unco.compiler.drafting.begun import how_of
from unco.compiler.drafting.candidate import Candidate
from unco.compiler.drafting.compose import compose
from unco.compiler.drafting.folder import opened
from unco.compiler.drafting.makers import drafter_of
from unco.compiler.drafting.options import DraftOptions
from unco.compiler.drafting.skeleton import OPERATIONS, skeletons
from unco.compiler.executor import SerialExecutor
from unco.llm.budget import Budget
from unco.llm.endpoint import Patience
from unco.llm.settings import Served

QUICK = DraftOptions(check=CheckOptions(findings=False, values=False))
ASKED = re.compile(r"^Domain: (.+)\nOperation of the calculation: (\w+) \(", re.MULTILINE)
MAX_TOKENS = 8_000
PATIENCE = Patience(attempts=3, seconds=600, first_wait=0.01, longest_wait=0.02)


def asked_for(body: Body) -> tuple[str, str]:
    """The domain and the operation of a request; some of the grammar's, where an author's text is asked about."""
    found = ASKED.search(body["messages"][1]["content"])
    return (found[1], found[2]) if found else ("energy", "sum")


def reply_to(body: Body, **changes: Any) -> dict[str, Any]:
    """A reply that stands, with these fields changed."""
    domain, operation = asked_for(body)
    able = [
        each for each in skeletons()
        if each.domain == domain and operation in each.operations and "groups" not in each.data
    ]  # fmt: skip
    skeleton = able[OPERATIONS.index(operation) % len(able)]
    specification = compose(skeleton, operation, Random(f"{domain}/{operation}"))
    return {**reply_of(specification), "idea": "A text.", **changes}


def drafts(handler: Handler, body: Body) -> None:
    """What is asked for."""
    sends(completion(json.dumps(reply_to(body))))(handler, body)


def changed(**changes: Any) -> Step:
    """What is asked for, with some fields in another way."""
    return lambda handler, body: says(json.dumps(reply_to(body, **changes)))(handler, body)


def broken(body: Body) -> dict[str, Any]:
    """A reply whose first condition names an attribute that is not there."""
    reply = reply_to(body)
    first, *others = reply["conditions"]
    return {**reply, "conditions": [{**first, "rule": "no_such_attribute >= 3"}, *others]}


def drafts_what_fails(handler: Handler, body: Body) -> None:
    """A draft that does not stand; after the diagnostics, another that does not stand either."""
    mended = len(body["messages"]) > 2
    sends(completion(json.dumps({**broken(body), "idea": f"mended: {mended}"})))(handler, body)


def drafts_on_second_thought(handler: Handler, body: Body) -> None:
    """A draft that does not stand, and one that does once it has the diagnostics."""
    found = reply_to(body) if len(body["messages"]) > 2 else broken(body)
    sends(completion(json.dumps(found)))(handler, body)


def drafted(
    folder: Path,
    url: str,
    count: int = 3,
    budget: Budget | None = None,
    source: str = "",
    at_once: int = 3,
    options: DraftOptions = QUICK,
    **settings: Any,
) -> list[Candidate]:
    """The command: all candidates of this call."""
    served_there = Served(
        endpoint(url, **{"max_tokens": MAX_TOKENS, "total_seconds": 60, "patience": PATIENCE, **settings}), at_once
    )
    found: list[Candidate] = []
    with (
        opened(folder, 0, source, how_of(options, served_there)) as opening,
        drafter_of(folder, options, SerialExecutor(), served_there, budget, source) as drafter,
    ):
        try:
            for made in draft(count, drafter, opening.ledger()):
                opening.record(made)
                found += made
        except RoundError as ended:
            opening.record(ended.made, whole=False)
            raise
    return found


@contextmanager
def server(*steps: Step, then: Step = drafts) -> Iterator[Any]:
    """The server while it runs; the grammar is read before anybody waits for it."""
    skeletons()
    with served(*steps, then=then) as found:
        yield found
