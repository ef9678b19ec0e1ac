"""A specification text that uses every section of the language, and specifications at random."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from unco.specs.document import Specification

SAMPLE = """\
unco: 1
name: underground-superintendent
title: Underground superintendent
domain: mining
task: >
  Decide who is appointed.
  Say why.
decision: {positive: Appoint, negative: Do not appoint}
candidates:
  names: [Marcus Vance, 日本 Ko, "A, B"]
units:
  bed: {plural: beds}
roles:
  hr:
    name: HR   # a comment
    description: Keeps the files
    dispensable: yes
groups:
  household: {label: household, size: 3}
parameters:
  least: {label: least years, type: duration, unit: years, range: [10, 14], value: 12}
tables:
  fees:
    label: fees
    key: {type: money, unit: AUD}
    gives: {type: percentage}
    rows:
      - {from: 0, below: 30000, value: 0.05}
      - from: 30_000
        value: 0.10000000000000000000001
attributes:
  hardrock:
    label: hardrock years
    owner: hr
    type: duration
    unit: years
    range: [0, 40]
    step: 0.10000000000000000000001
    context: {kind: period, required: 2026, others: [2025, {name: 2024, range: [0, 30]}]}
  start: {label: start, owner: hr, type: date, range: [2026-01-01, 2026-12-31]}
consistency:
  grown: hardrock <= 30 years
conditions:
  experience: hardrock >= least
  start:
    rule: >-
      start <= 2026-08-01
      and true
    text: Available in time.
calculation:
  operation: sum
  label: package
  formula: hardrock + 3 years
  rounding: {places: 2, mode: half_up}
perturbations: {misaligned: [hardrock]}
plan:
  none_eligible: 1/3
  failed_conditions: {1: 3, 2: 0.5}
difficulty: {distance: [0, 3]}
limits: {roles: [1, 7]}
notes:
"""

ALPHABET = "ab zAZ09-_.,:;#'\"\\/{}[]()<>|&*!%@`~?=+$^é日Ж\u00a0\u0301\u200c\u200d\ufe0f😀"
TEXTS = st.text(ALPHABET, max_size=12)
LINES = TEXTS.map(str.strip).filter(bool) | st.sampled_from(
    [
        "null",
        "~",
        "yes",
        "12",
        "2026-01-01",
        "- a",
        "a: b",
        "a #b",
        "'",
        "\\",
        "{{ 7*7 }}",
        "*a",
        "&a",
        "!a",
        "<<",
        "👩‍👩‍👧",
    ]
)
LONG = st.lists(TEXTS | st.just("  x"), min_size=1, max_size=4).map("\n".join).filter(bool)
IDS = st.sampled_from(["yes", "null", "on", "name", "label", "a", "a_1", "z" * 40])
NUMBERS = st.fractions(-(10**12), 10**12, max_denominator=1000) | st.integers(-(10**9), 10**9).map(
    lambda units: Fraction(units, 10_000)
)
SCALARS: st.SearchStrategy[Any] = st.one_of(
    LINES, st.integers(-(10**30), 10**30), st.booleans(), st.dates(date(1900, 1, 1)), NUMBERS
)
EXPRESSIONS = LINES | LONG
RULES = EXPRESSIONS | st.fixed_dictionaries({"rule": EXPRESSIONS}, optional={"text": LINES})


def _maps(values: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(IDS, values, min_size=least, max_size=2)


def _lists(values: st.SearchStrategy[Any], least: int, most: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(values, min_size=least, max_size=most)


DOMAIN: dict[str, st.SearchStrategy[Any]] = {
    "unit": LINES,
    "range": st.tuples(SCALARS, SCALARS),
    "step": NUMBERS,
    "places": st.integers(0, 9),
    "values": _lists(LINES, 2, 4),
}
KINDS = st.sampled_from(["boolean", "category", "count", "money", "date", "duration"])
OFF_CONTEXTS = LINES | st.fixed_dictionaries({"name": LINES}, optional=DOMAIN)
CONTEXTS = st.fixed_dictionaries({"kind": LINES, "required": LINES}, optional={"others": _lists(OFF_CONTEXTS, 0, 4)})
ATTRIBUTES = st.fixed_dictionaries(
    {"label": LINES, "owner": IDS, "type": KINDS},
    optional={**DOMAIN, "words": st.tuples(LINES, LINES), "context": CONTEXTS, "per": IDS, "distractor": st.booleans()},
)
TYPES = st.fixed_dictionaries({"type": KINDS}, optional={"unit": LINES, "values": _lists(LINES, 2, 3)})
ROWS = st.fixed_dictionaries(
    {"value": SCALARS}, optional={"is": SCALARS, "from": SCALARS, "above": SCALARS, "to": SCALARS, "below": SCALARS}
)
SPECIFICATIONS: st.SearchStrategy[Specification] = st.fixed_dictionaries(
    {
        "unco": st.just(1),
        "name": st.sampled_from(["a", "0", "12", "null", "a-b-9", "1e5", "z" * 60]),
        "title": LINES,
        "domain": LINES,
        "task": LONG,
        "decision": st.fixed_dictionaries({"positive": LINES, "negative": LINES}),
        "candidates": st.fixed_dictionaries({"names": _lists(LINES, 2, 5)}, optional={"count": st.integers(2, 8)}),
        "roles": _maps(
            st.fixed_dictionaries({"name": LINES, "description": LINES}, optional={"dispensable": st.booleans()})
        ),
        "attributes": _maps(ATTRIBUTES),
        "conditions": _maps(RULES),
        "calculation": st.fixed_dictionaries(
            {"operation": st.sampled_from(["sum", "capped"]), "label": LINES, "formula": EXPRESSIONS},
            optional={"unit": LINES, "rounding": st.fixed_dictionaries({"places": st.integers(0, 9)})},
        ),
    },
    optional={
        "units": _maps(st.fixed_dictionaries({}, optional={"plural": LINES})),
        "groups": _maps(st.fixed_dictionaries({"label": LINES, "size": IDS | st.integers(1, 12)})),
        "parameters": _maps(
            st.fixed_dictionaries({"label": LINES, "type": KINDS}, optional={**DOMAIN, "value": SCALARS})
        ),
        "tables": _maps(
            st.fixed_dictionaries({"label": LINES, "key": TYPES, "gives": TYPES, "rows": _lists(ROWS, 1, 3)})
        ),
        "consistency": _maps(RULES),
        "perturbations": st.fixed_dictionaries({}, optional={"misaligned": _lists(IDS, 0, 2)}),
        "plan": st.fixed_dictionaries(
            {},
            optional={
                "none_eligible": st.fractions(0, 1, max_denominator=100),
                "winner": _maps(RULES),
                "failed_conditions": st.dictionaries(st.integers(1, 40), st.fractions(0, 9, max_denominator=9)),
            },
        ),
        "difficulty": st.fixed_dictionaries({}, optional={"distance": st.tuples(st.integers(0, 9), st.integers(0, 9))}),
        "limits": st.fixed_dictionaries({}, optional={"roles": st.tuples(st.integers(1, 9), st.integers(1, 9))}),
        "notes": LONG,
    },
).map(Specification.model_validate)
