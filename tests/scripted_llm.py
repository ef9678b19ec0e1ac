"""LLMs by script on a real socket: a validator that solves tasks as the reader does, a renderer that rewords forms."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from tests.llm.asking import endpoint
from tests.llm.faulty_server import Body, Handler, Step, completion, sends
from tests.runs import QUICK, families
from unco.compiler.build import BuildOptions
from unco.compiler.run import run
from unco.compiler.running.conversation import LlmOptions, Unfaithful
from unco.compiler.running.tally import Summary
from unco.compiler.solving.solve import solve
from unco.llm.budget import Budget
from unco.llm.endpoint import Patience
from unco.llm.settings import Served, Settings

Said: TypeAlias = dict[str, Any]
PARTS = re.compile(r"----- TASK (\w+) -----\n(.*)\n----- RECORDS \1 -----\n(.*)\n----- END \1 -----\n", re.DOTALL)
PATIENCE = Patience(attempts=3, seconds=600, first_wait=0.01, longest_wait=0.02)
FORM = "The file on {candidate} lists {fact} as {value}."
LLM_OURS = ("run.sqlite", "run.sqlite-wal", "run.sqlite-shm", "run.lock")
LLM_OURS += ("replies.sqlite", "replies.sqlite-wal", "replies.sqlite-shm")


def replies(change: Callable[[Said], object] = lambda said: None, tokens: int = 10) -> Step:
    """The right reply to whatever is asked, changed by the test, at this price."""

    def step(handler: Handler, body: Body) -> None:
        said = right(body)
        change(said)
        usage = {"prompt_tokens": tokens, "completion_tokens": 0, "total_tokens": tokens}
        sends({**completion(json.dumps(said)), "usage": usage})(handler, body)

    return step


def right(body: Body) -> Said:
    """The right reply."""
    question = body["messages"][-1]["content"]
    if is_validation(body):
        return solved(question)
    if len(body["messages"]) > 2:
        said: Said = json.loads(body["messages"][-2]["content"])
        return said
    data = json.loads(question.partition("<data>\n")[2].partition("\n</data>")[0])
    if "task" in data:
        return {"task": data["task"]}
    forms = {name: FORM if "member" not in each else each["form"] for name, each in data["sentences"].items()}
    return {"description": data["description"], "sentences": forms}


def solved(question: str) -> Said:
    """The answer of the reader, as an LLM gives it."""
    found = PARTS.search(question)
    assert found is not None
    line = solve(found[2], found[3].split("\n")).rpartition("ANSWER:")[2]
    decision, candidate, result = (part.strip() for part in line.split("|"))
    return {"facts": [], "working": "", "decision": decision, "candidate": candidate, "result": result}


def is_validation(body: Body) -> bool:
    """Whether the validator is asked."""
    return bool(body["messages"][0]["content"].startswith("You solve a decision task"))


def options(
    url: str,
    *,
    groups: int = 2,
    renderer: bool = False,
    validator: bool = True,
    budget: Budget = Budget(),  # noqa: B008 -- frozen
    on_unfaithful: Unfaithful = "template",
    **settings: Any,
) -> BuildOptions:
    """Groups of two small families, with an LLM at this address for these tasks."""
    served = Served(endpoint(url, **{"total_seconds": 60, "patience": PATIENCE, **settings}), 4)
    chosen = Settings(renderer=served if renderer else None, validator=served if validator else None)
    return BuildOptions(groups, prove=QUICK, llms=LlmOptions(chosen, budget, on_unfaithful))


def asked_run(folder: Path, chosen: BuildOptions) -> Summary:
    """A run of both families."""
    return run(families(), chosen, folder)


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    """A file of lines."""
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
