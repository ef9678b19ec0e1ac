"""Every diagnostic code has an input in `specs_bad/` and its exact text. `UNCO_ACCEPT=1 pytest ...` writes the texts anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from unco.compiler.check import CheckOptions, check
from unco.specs.codes import CODES
from unco.specs.diagnostics import render_text
from unco.specs.errors import SpecificationError
from unco.specs.read import read_specification
from unco.specs.source import Source

FOLDER = Path(__file__).parent / "specs_bad"
INPUTS = sorted(FOLDER.glob("*.yaml"))
RLIMIT = {"UNC412": 20_000}


def printed(path: Path) -> str:
    """What `unco check` prints about a file, with the folder left out."""
    try:
        checked = check(read_specification(path), CheckOptions(rlimit=RLIMIT.get(path.stem, 20_000_000)))
        text = render_text(checked.diagnostics, checked.source)
    except SpecificationError as error:
        text = render_text(error.diagnostics, Source(str(path), error.text))
    return text.replace(f"{path.parent}/", "")


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_a_bad_specification_is_told_in_exactly_these_words(path: Path) -> None:
    expected = path.with_suffix(".txt")
    found = printed(path)
    if os.environ.get("UNCO_ACCEPT"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")
    assert path.stem.split("_")[0] in found
