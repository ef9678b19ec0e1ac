"""Stored groups: what was written reads back equal, and what was tampered with is refused, quickly."""

from __future__ import annotations

import copy
import time
from dataclasses import replace
from typing import Any

import pytest

from tests.rendered_groups import GRANT, PATHS, candidate_group, family_of
from unco.specs.errors import SpecificationError
from unco.specs.group import Harmless
from unco.specs.stored import read_group, store_group

FAMILY = family_of(GRANT)
GROUP = candidate_group(GRANT, 0)
DECOY = {"attribute": "nobody", "context": "nowhere"}


def tampered(**changed: Any) -> Any:
    return copy.deepcopy(store_group(GROUP)) | changed


def refuse(data: Any) -> None:
    with pytest.raises(SpecificationError) as caught:
        read_group(FAMILY, data)
    assert [each.code for each in caught.value.diagnostics] == ["UNC702"]


def test_a_group_reads_back_equal() -> None:
    for path in PATHS:
        for index in range(3):
            group = candidate_group(path, index)
            assert read_group(family_of(path), store_group(group)) == group


def test_a_group_that_was_stored_before_anything_was_harmless_reads_back_without() -> None:
    data = tampered()
    del data["harmless"]
    assert GROUP.harmless != Harmless()
    assert read_group(FAMILY, data) == replace(GROUP, harmless=Harmless())


@pytest.mark.parametrize(
    "changed",
    [
        {"index": "0"},
        {"names": "abc"},
        {"names": ["Abara", "Moreau"]},
        {"names": ["Abara", "Abara", "Moreau"]},
        {"names": [1, 2, 3]},
        {"parameters": {}},
        {"parameters": {"debt_limit": 12_345}},
        {"parameters": {"debt_limit": 15_000, "other": 1}},
        {"cells": []},
        {"cells": [5]},
        {"outcome": {"candidate": 3, "result": 1}},
        {"outcome": {"candidate": "Abara", "result": 1}},
        {"outcome": {"candidate": 0, "result": "1e9"}},
        {"outcome": {"eligible": "012"}},
        {"misaligned": DECOY},
        {"misaligned": {"attribute": "gross", "context": "nowhere"}},
        {"incomplete": {"attribute": "nothing", "coarse": []}},
        {"incomplete": {"attribute": "tenancy", "coarse": [[0, "tenancy", 0, "", {"between": ["none", "none"]}]]}},
        {"missed": "nobody"},
        {"missed": ["income"]},
        {"mixed": {"misaligned": DECOY, "omitted": "rent", "missed": "legal"}},
        {"mixed": {"misaligned": {"attribute": "gross", "context": "April 2026"}, "omitted": "rent", "missed": 1}},
        {"harmless": None},
        {"harmless": {"coarse": []}},
        {"harmless": {"coarse": [{"attribute": "nothing", "coarse": []}], "extras": []}},
        {"harmless": {"coarse": [], "extras": [["gross", "nowhere"]]}},
        {"harmless": {"coarse": [], "extras": [["nobody", "nowhere"]]}},
        {"harmless": {"coarse": [], "extras": ["gross"]}},
    ],
    ids=str,
)
def test_what_the_family_does_not_have_is_refused(changed: dict[str, Any]) -> None:
    refuse(tampered(**changed))


@pytest.mark.parametrize("data", [None, [], "group", 5, {}])
def test_what_is_no_group_is_refused(data: Any) -> None:
    refuse(data)


def test_a_cell_that_is_there_twice_is_refused() -> None:
    data = tampered()
    refuse(data | {"cells": [*data["cells"], data["cells"][0]]})


@pytest.mark.parametrize("number", ["1e30000000", "1/0", "1_000", " 1", "9" * 5_000 + "/7", 1.5, "0x10"])
def test_a_number_that_is_not_written_as_we_write_it_is_refused_at_once(number: Any) -> None:
    data, started = tampered(), time.monotonic()
    next(cell for cell in data["cells"] if cell[1] == "gross")[-1] = number
    refuse(data)
    assert time.monotonic() - started < 2
