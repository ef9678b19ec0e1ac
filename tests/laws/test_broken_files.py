"""Files that are broken in their bytes or their structure end in a family or in diagnostics, and in nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from generated_laws import deeply, law, seeds
from specification_strategies import specifications

from unco.compiler.check import CheckOptions, check
from unco.specs.codes import CODES
from unco.specs.diagnostics import render_text, to_json, to_sarif
from unco.specs.document import Specification
from unco.specs.errors import SpecificationError
from unco.specs.read import parse_specification, to_yaml

ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10**40,
    10**4000,
    "",
    "NaN",
    "1e9",
    ".inf",
    "2024-02-30",
    "a" * 5000,
    [],
    [[]],
    {},
    {"": 1},
    "{{ 7*7 }}",
    "\u202e",
    "x\x00y",
    "if",
    "1 / 0",
    "((((",
    "lookup(",
    "true",
    "0.1",
    [1, 2, 3],
    "-",
    "years",
    "%",
)


def broken(data: Any, rng: Random) -> Any:
    """The data with one place changed: a key deleted, renamed or doubled, a value swapped or replaced."""
    places = list(_places(data))
    holder, key = rng.choice(places)
    other_holder, other_key = rng.choice(places)
    match rng.randrange(5):
        case 0:
            del holder[key]
        case 1:
            holder[key] = rng.choice(ODD)
        case 2:
            one, other = (json.loads(json.dumps(each)) for each in (holder[key], other_holder[other_key]))
            holder[key], other_holder[other_key] = other, one
        case 3 if isinstance(holder, dict):
            holder[rng.choice(("zz", "Rule", "", "is", "value", "1"))] = holder.pop(key)
        case 3:
            holder.append(holder[key])
        case _:
            holder[key] = json.loads(json.dumps(other_holder[other_key]))
    return data


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in the data, as its holder and its key there."""
    for key, value in list(data.items()) if isinstance(data, dict) else list(enumerate(data)):
        yield data, key
        if isinstance(value, dict | list):
            yield from _places(value)


def expect_family_or_diagnostics(text: str | bytes, *, findings: bool = False) -> None:
    """Reading and checking a text ends in a family, or in diagnostics with known codes that can be shown."""
    try:
        checked = check(parse_specification(text), CheckOptions(findings=findings, rlimit=100_000))
        diagnostics, source = checked.diagnostics, checked.source.text
        assert checked.family is not None or diagnostics
    except SpecificationError as error:
        diagnostics, source = error.diagnostics, error.text or ""
        assert diagnostics
    for diagnostic in diagnostics:
        assert diagnostic.code in CODES
    assert render_text(diagnostics, source) or not diagnostics
    assert json.dumps(to_json(diagnostics))
    assert json.dumps(to_sarif(diagnostics))


@law(60, 3_000, specification=specifications(), seed=seeds)
def test_a_file_of_broken_structure_ends_in_diagnostics(specification: Specification, seed: int) -> None:
    rng = Random(seed)
    data = specification.dump()
    for _ in range(rng.randint(1, 3)):
        data = broken(data, rng)
    expect_family_or_diagnostics(json.dumps(data))


@law(60, 3_000, specification=specifications(), seed=seeds)
def test_a_file_of_broken_bytes_ends_in_diagnostics(specification: Specification, seed: int) -> None:
    rng = Random(seed)
    text = bytearray((to_yaml(specification) if rng.randrange(2) else json.dumps(specification.dump())).encode())
    for _ in range(rng.randint(1, 4)):
        start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        end = min(end, start + rng.choice((0, 1, 3, 40)))
        piece = rng.choice(
            (b"", b"\xff", b"\x00", b"\n", b"  ", b"-", b"[", b"}", b": ", b"&a ", b"*a", b"9" * 60, b'"', text[:30])
        )
        text[start:end] = piece
    if rng.randrange(6) == 0:
        del text[rng.randrange(len(text) + 1) :]
    expect_family_or_diagnostics(bytes(text))


@law(10, 300, specification=specifications("tiny", "small"), seed=seeds)
def test_findings_of_the_solver_are_diagnostics_too(specification: Specification, seed: int) -> None:
    data = specification.dump()
    if seed % 2:
        data = broken(data, Random(seed))
    expect_family_or_diagnostics(json.dumps(data), findings=True)


test_deeply = deeply(__name__)
