"""How many calls of LLMs a retained group takes, with a server by script whose every reply is right."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.llm.faulty_server import served
from tests.scripted_llm import asked_run, options, replies
from unco.llm.desk import opened

GROUPS = 10


class Calls(NamedTuple):
    """Of one run: its LLMs, and what was asked of them."""

    llms: str
    retained: int
    calls: Mapping[str, int]
    """By task."""


def measure(groups: int) -> list[Calls]:
    """Two small families, with a validator, with a renderer, and with both."""
    return [_measured(groups, *each) for each in ((False, True), (True, False), (True, True))]


def _measured(groups: int, renderer: bool, validator: bool) -> Calls:
    names = [name for name, used in (("renderer", renderer), ("validator", validator)) if used]
    with tempfile.TemporaryDirectory() as place, served(then=replies()) as server:
        chosen = options(server.url, groups=groups, renderer=renderer, validator=validator)
        summary = asked_run(Path(place) / "out", chosen)
        with opened(Path(place) / "out", replay=True) as desk:
            calls = {each.task: each.calls for each in desk.accounts()}
    return Calls(" and ".join(names), summary.retained, calls)


def told(found: list[Calls]) -> list[dict[str, Any]]:
    """As plain data."""
    return [each._asdict() for each in found]


def show(found: list[Calls]) -> None:
    """A line a run."""
    for each in found:
        counts = ", ".join(f"{task} {calls / each.retained:.2f}" for task, calls in each.calls.items())
        print(f"{each.llms}: {each.retained} groups retained; calls a retained group: {counts}")
