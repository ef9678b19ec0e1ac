"""Who drafted a specification: its file tells, as long as it stands in the folder of its draft and is as it was."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from unco.compiler.drafting.begun import begun_of
from unco.compiler.drafting.folder import SPECS
from unco.compiler.drafting.lines import BEGUN, LINES, hash_of, read_lines
from unco.compiler.running.disk import disk

AUTHOR = "author"
"""Who wrote a specification that no drafter did, or that was edited since."""


def drafters_of(files: Mapping[Path, str]) -> dict[str, str]:
    """Who drafted each named file that stands in the folder of a draft: `grammar`, `llm`, or `author` where it is not
    as it was drafted. Files elsewhere are left out. Raises SpecificationError (UNC704) where the lines are damaged.
    """
    found: dict[str, str] = {}
    drafted: dict[Path, dict[str, str]] = {}
    for file, name in files.items():
        specs = file.resolve().parent
        if specs.name == SPECS and all((specs.parent / each).is_file() for each in (LINES, BEGUN)):
            if specs not in drafted:
                drafted[specs] = _drafted(specs.parent)
            found[name] = drafted[specs].get(hash_of(file.read_bytes()), AUTHOR)
    return found


def _drafted(folder: Path) -> dict[str, str]:
    """The drafter of each specification that was kept, by the hash of its file."""
    with disk(folder):
        begun_of(folder)
        return {line["sha256"]: line["by"] for line in read_lines(folder / LINES) if line["kept"]}
