"""What decides every byte of a run: two runs with the same identity make the same groups."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from importlib.metadata import version
from typing import Any

from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.prove import ProveOptions
from unco.compiler.running.conversation import LlmOptions
from unco.llm.settings import Served
from unco.specs.facts import Pins
from unco.specs.family import Family
from unco.specs.group import Misaligned
from unco.specs.stored import store_knowledge, stored_value
from unco.specs.version import VERSION
from unco.templates.loader import text_hash


def identity(families: Sequence[Family], instantiate: InstantiateOptions, prove: ProveOptions) -> dict[str, Any]:
    """Versions, specifications in order and every option, as plain data. The number of groups is no part of it: the
    first groups of a larger run are those of a smaller one.
    """
    return {
        **versions(),
        "specifications": {family.name: family.digest for family in families},
        "order": [family.name for family in families],
        **stored_options(instantiate),
        **stored_options(prove),
    }


def versions() -> dict[str, str]:
    """Of unco, Python (minor) and Z3: another one of these may make other bytes."""
    return {
        "unco": VERSION,
        "python": ".".join(platform.python_version_tuple()[:2]),
        "z3": version("z3-solver"),
    }


def stored_options(options: InstantiateOptions | ProveOptions) -> dict[str, Any]:
    """Every option by its name; what is pinned in full."""
    return {each.name: _stored(getattr(options, each.name)) for each in fields(options)}


def stored_llms(options: LlmOptions) -> dict[str, Any]:
    """What of the LLMs decides a byte: which they are, how they draw, and what they are told. Neither where they are
    reached nor what they may use is part of it: a run may move to another server of the same LLM.
    """
    settings = options.settings
    return {
        "renderer": _llm(settings.renderer, "reword"),
        "validator": _llm(settings.validator, "validate"),
        "on_unfaithful": None if settings.renderer is None else options.on_unfaithful,
    }


def _llm(served: Served | None, prompts: str) -> dict[str, Any] | None:
    if served is None:
        return None
    sampling = served.endpoint.sampling()
    drawn = None if sampling.temperature is None else format(sampling.temperature.normalize(), "f")
    return {**vars(sampling), "temperature": drawn, "extra": json.loads(sampling.extra), "prompts": text_hash(prompts)}


def _stored(option: object) -> Any:
    match option:
        case None | bool() | int() | str():
            return option
        case Pins():
            return store_pins(option)
        case _:
            raise TypeError(f"an option of the type {type(option).__name__} has no stored form")


def store_pins(pins: Pins) -> dict[str, Any]:
    """Pinned facts as plain data: candidates in their order, all else in one order of its own."""
    return {
        "candidates": [
            [name, sorted([*slot, stored_value(value)] for slot, value in facts.items())]
            for name, facts in pins.candidates.items()
        ],
        "parameters": {name: stored_value(value) for name, value in sorted(pins.parameters.items())},
        "misaligned": _decoy(pins.misaligned),
        "incomplete": pins.incomplete,
        "coarse": sorted([*place, store_knowledge(known)] for place, known in pins.coarse.items()),
        "missed": None if pins.missed is None else pins.missed.role,
        "mixed": None if pins.mixed is None else [_decoy(pins.mixed.misaligned), pins.mixed.omitted, pins.mixed.missed],
    }


def _decoy(defect: Misaligned | None) -> list[str] | None:
    return None if defect is None else [defect.attribute, defect.context]


def differences(
    found: Mapping[str, Any], expected: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, Any, Any]]:
    """Each entry that differs: its path, what was found and what was expected."""
    for name in sorted({*found, *expected}):
        here, there = found.get(name), expected.get(name)
        if isinstance(here, dict) and isinstance(there, dict):
            yield from differences(here, there, f"{path}{name} ")
        elif here != there:
            yield f"{path}{name}", here, there
