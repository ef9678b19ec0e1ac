"""What a user reads about each fault of an LLM, from a real server."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.llm.asking import asked, endpoint, question
from tests.llm.faulty_server import Step, drops, hangs, refuses, says, sends_bytes, served
from unco.llm.budget import Budget
from unco.llm.endpoint import Patience
from unco.llm.protocol import Fault, LlmError

SERVERS: dict[str, Step] = {
    "UNC801": refuses(401, "Incorrect API key provided"),
    "UNC802": refuses(404, "The model `small` does not exist"),
    "UNC803": refuses(429, "Rate limit reached", Retry_After="3600"),
    "UNC804": refuses(500, "The server had an error"),
    "UNC805": hangs,
    "UNC806": drops,
    "UNC807": refuses(400, "Unsupported parameter: seed"),
    "UNC808": sends_bytes(b"<html>Bad gateway</html>"),
    "UNC809": says(""),
    "UNC810": says('{"answer": "The permit of Oak Sto', "length"),
    "UNC811": says('{"answer": "Oak Street",}'),
    "UNC812": says('{"answer": 7}'),
    "UNC813": says(None, refusal="I cannot help with that."),
    "UNC814": says('{"answer": "Oak Street"}'),
}
QUICK = Patience(attempts=2, seconds=30, first_wait=0.01, longest_wait=0.01)


def told(code: str, folder: Path) -> str:
    """The one line about this fault; the port is left out."""
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", OTHERS.get(code, lambda place: _from_server(code, place))(folder))


def _from_server(code: str, folder: Path) -> str:
    times = {"total_seconds": 0.3, "connect_seconds": 0.3} if code == "UNC805" else {}
    with served(then=SERVERS[code]) as server, asked(folder, endpoint(server.url, patience=QUICK, **times)) as line:
        *_, (_, outcome) = line.ask_all([question("one"), question("two")], at_once=1, seen=set())
    assert isinstance(outcome, Fault)
    return str(outcome.error())


def _over_budget(folder: Path) -> str:
    try:
        with asked(folder, endpoint("http://localhost:1/v1"), Budget(tokens=600)) as line:
            line.ask(question())
    except LlmError as error:
        return str(error)
    raise AssertionError("a call was made")


def _not_stored(folder: Path) -> str:
    with asked(folder, endpoint("http://localhost:1/v1"), replay=True) as line:
        outcome = line.ask(question())
    assert isinstance(outcome, Fault)
    return str(outcome.error())


OTHERS: dict[str, Callable[[Path], str]] = {"UNC815": _over_budget, "UNC816": _not_stored}
CODES = sorted({*SERVERS, *OTHERS})
