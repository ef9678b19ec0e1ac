"""The settings file of `--llm`: which LLM does which task. And `--budget`: what all of them may use together.

A fault has its line and column, but no line of the file is shown: somebody may have written a key into it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, NoReturn

from pydantic import TypeAdapter, ValidationError

from unco.llm.budget import Budget, Price
from unco.llm.credentials import credential_in
from unco.llm.endpoint import Endpoint, Patience
from unco.specs.errors import Diagnostic, SpecificationError, UsageError
from unco.specs.located import Data, FieldPath
from unco.specs.source import Source, parse_source, path_text, read_source

DEFAULTS = "defaults"
GROUPS: Mapping[str, type] = {"patience": Patience, "price": Price}
"""The fields that hold fields of their own."""
EXAMPLE = "settings such as `drafter: {base_url: ..., model: ...}`"
EXTRA = """JSON text in quotes, as in `extra: '{"cache_prompt": false}'`"""
EXPECTED = (
    ("decimal", "a decimal, as in 0.7"),
    ("finite", "a decimal, as in 0.7"),
    ("int", "a whole number, as in 4096"),
    ("float", "a number, as in 30"),
)
"""By the beginning of what pydantic calls a fault."""
VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
"""Names of environment variables are in capitals here, so that a key put in place of a name is refused."""
_TOKENS = re.compile(r"[0-9]{1,18}(_[0-9]{1,18})*")
_MONEY = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?) ?([A-Z]{3})")


@dataclass(frozen=True)
class Served:
    """An LLM for one task, and how many requests to it may be under way."""

    endpoint: Endpoint
    at_once: int = 16

    def __post_init__(self) -> None:
        if not 1 <= self.at_once <= 1024:
            raise UsageError(f"at_once of an LLM: expected 1 to 1024, found {self.at_once}")


@dataclass(frozen=True)
class Settings:
    """The LLM of each task; None: the embedded default does it."""

    drafter: Served | None = None
    renderer: Served | None = None
    validator: Served | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """The tasks for which there is an LLM."""
        return tuple(name for name in TASKS if getattr(self, name) is not None)


TASKS = tuple(field.name for field in fields(Settings))
NAMES = tuple(field.name for cls in (Endpoint, Served) for field in fields(cls) if field.name != "endpoint")
"""What can be said of an LLM."""
REQUIRED = tuple(field.name for field in fields(Endpoint) if field.default is field.default_factory is MISSING)


def read_settings(path: str | os.PathLike[str]) -> Settings:
    """The settings in a YAML or JSON file. Raises SpecificationError with the first fault (UNC1xx)."""
    return _settings(read_source(path, EXAMPLE))


def parse_settings(text: str, file: str = "<text>") -> Settings:
    """The settings in a text. Raises SpecificationError with the first fault (UNC1xx)."""
    return _settings(parse_source(text, file, EXAMPLE))


def require_prices(path: str | os.PathLike[str], settings: Settings, tasks: Sequence[str], budget: Budget) -> None:
    """Raises UsageError where the LLM of one of these tasks has no price in the currency of the budget."""
    for task in tasks:
        served: Served | None = getattr(settings, task)
        if budget.money is not None and served is not None and served.endpoint.price.currency != budget.currency:
            found = served.endpoint.price.currency
            stands = f"is in {found}" if found else "is not set"
            raise UsageError(
                f"{os.fspath(path)}: the budget is in {budget.currency}, and the `price` of the {task} "
                f"({served.endpoint.model}) {stands}; write `price: {{prompt: 1.25, completion: 10, currency: "
                f"{budget.currency}}}`, of a million tokens, under `{task}` or `{DEFAULTS}`"
            )


def words_of(tasks: tuple[str, ...]) -> str:
    """The names of tasks, as a message has them."""
    return " and ".join(f"`{name}`" for name in tasks)


def budget_of(text: str) -> Budget:
    """`2000000` or `2_000_000` tokens, or money as in `5 USD`. Raises UsageError."""
    bare = text.strip()
    if _TOKENS.fullmatch(bare):
        return Budget(tokens=int(bare))
    if money := _MONEY.fullmatch(bare):
        return Budget(money=Decimal(money[1]), currency=money[2])
    raise UsageError(f"the budget {text[:40]!r}: expected tokens, as in 2000000, or money, as in '5 USD'")


def _settings(source: Source) -> Settings:
    sections = _mapping(source, (), (DEFAULTS, *TASKS))
    for name in sections:
        _mapping(source, (name,), NAMES)
    served = {name: _served(source, name) for name in TASKS if name in sections}
    if not served:
        _refuse(source, "UNC108", (), "no LLM is named for any task", None, f"at least one of {', '.join(TASKS)}")
    return Settings(**served)


def _mapping(source: Source, path: FieldPath, known: tuple[str, ...]) -> dict[str, Data]:
    """The fields at a path, all of them known."""
    value = source.value(path)
    if not isinstance(value, dict):
        where = f"`{path_text(path)}`" if path else "the settings of LLMs"
        _refuse(source, "UNC109", path, f"{where} are no fields", None, f"fields such as `{known[0]}: ...`")
    for name, part in value.items():
        if name not in known:
            near = get_close_matches(name[:60], known, n=1)
            hint = f"did you mean `{near[0]}`?" if near else "a key stands in the environment alone, never in a file"
            expected = f"one of {', '.join(known)}"
            _refuse(source, "UNC107", (*path, name), "a field is not one of these settings", None, expected, hint)
        if path and name in GROUPS:
            _mapping(source, (*path, name), tuple(field.name for field in fields(GROUPS[name])))
        elif path and not isinstance(part, str):
            expected = EXTRA if name == "extra" else "one value"
            _refuse(source, "UNC109", (*path, name), f"`{name}` has a value of the wrong kind", None, expected)
    return value


def _served(source: Source, task: str) -> Served:
    """The LLM of a task: what stands there, and what stands in the defaults where nothing does."""
    defaults, own = (_fields(source, name) for name in (DEFAULTS, task))
    data: dict[str, Any] = {**defaults, **own}
    for name in REQUIRED:
        if name not in data:
            _refuse(source, "UNC108", (task,), f"the {task} has no `{name}`", None, f"`{name}` here or in `{DEFAULTS}`")
    if not VARIABLE.fullmatch(data.get("key_variable", "_")):
        path = _origin(own, task, ("key_variable",))
        expected = "the name of an environment variable in capitals, as in OPENAI_API_KEY"
        _refuse(source, "UNC109", path, "`key_variable` is not the name of a variable", None, expected)
    _refuse_secret(source, task, own, data)
    try:
        rest = {"at_once": data.pop("at_once")} if "at_once" in data else {}
        return TypeAdapter(Served).validate_python({"endpoint": data, **rest})
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        steps = tuple(step for step in first["loc"] if step != "endpoint")
        found, message = f"`{str(first['input'])[:60]}`", f"`{path_text(steps)}` has a value of the wrong kind"
        _refuse(source, "UNC109", _origin(own, task, steps), message, found, _expected(first["type"], first["msg"]))
    except UsageError as error:
        _refuse(source, "UNC109", (task,), f"the {task} cannot be reached like this", None, str(error))


def _expected(kind: str, words: str) -> str:
    """What should stand there, in our words for the commonest."""
    plain = words.removeprefix("Input should be ")
    return next((told for begins, told in EXPECTED if kind.startswith(begins)), plain)


def _refuse_secret(source: Source, task: str, own: Mapping[str, Data], data: Mapping[str, Any]) -> None:
    """What stands in `extra` is part of each request, and so of the store and of the identity of a run."""
    name = credential_in(_object(data.get("extra", "{}")))
    if name is not None:
        path, message = _origin(own, task, ("extra",)), "`extra` holds what looks like a credential"
        hint = "put it into an environment variable, and name that as `key_variable`; it is then sent as the key"
        _refuse(source, "UNC109", path, message, f"`{name[:60]}`", "no secret: it is stored with each request", hint)


def _object(text: str) -> Any:
    """The data in a text; None where it is no JSON, which is told later."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _fields(source: Source, section: str) -> dict[str, Any]:
    found = source.value((section,))
    return dict(found) if isinstance(found, dict) else {}


def _origin(own: Mapping[str, Data], task: str, steps: FieldPath) -> FieldPath:
    """Where a field of a task was read from."""
    return (task if steps[0] in own else DEFAULTS, *steps)


def _refuse(
    source: Source,
    code: str,
    path: FieldPath,
    message: str,
    found: str | None,
    expected: str,
    hint: str | None = None,
) -> NoReturn:
    """Raise what is wrong, without the text of the file."""
    span = source.key_span(path) if code != "UNC109" else source.span(path)
    raise SpecificationError([Diagnostic(code, message, span, path_text(path), found, expected, hint)])
