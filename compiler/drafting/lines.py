"""The files that tell of a draft: `draft.json`, how it was begun, and `drafts.jsonl`, a line for each candidate."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NoReturn

from unco.compiler.drafting.candidate import Candidate
from unco.specs.errors import Diagnostic, Span, SpecificationError
from unco.specs.write import to_yaml

BEGUN, LINES = "draft.json", "drafts.jsonl"
FORMAT = 2
"""Of the lines; `draft.json` names it."""


def line_of(candidate: Candidate) -> dict[str, Any]:
    """What is kept of a candidate; the hash tells whether its file is still what was drafted."""
    found = candidate.specification
    return {**candidate.line, "sha256": "" if found is None or not candidate.kept else hash_of(to_yaml(found).encode())}


FIELDS = {name: type(value) for name, value in line_of(Candidate(0, "grammar", "", "")).items()}
"""The fields of a line, with their types."""


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The lines; SpecificationError (UNC704) where they are not what was written."""
    lines: list[dict[str, Any]] = []
    try:
        for text in path.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            if not isinstance(line, dict) or {name: type(value) for name, value in line.items()} != FIELDS:
                raise ValueError("other fields than those of a line of a draft")
            if line["number"] != len(lines):
                raise ValueError(f"number {line['number']}, where {len(lines)} is next")
            lines.append(line)
    except (ValueError, RecursionError) as error:
        damaged_draft(path, len(lines) + 1, str(error))
    return lines


def damaged_draft(path: Path, line: int, found: str) -> NoReturn:
    """Raise what the file of a draft is called that does not read back."""
    raise SpecificationError(
        [
            Diagnostic(
                "UNC704",
                f"the draft in {path.parent} cannot be read",
                Span(str(path), line, 1, line, 2),
                found=found,
                expected="what `unco draft` wrote there",
                hint=f"nothing was changed; put back a copy of {path.name}, or draft into another folder with --out; "
                "what stands in specs/ can be moved out and built as given",
            )
        ]
    )


def hash_of(content: bytes) -> str:
    """SHA-256 of the file of a specification."""
    return hashlib.sha256(content).hexdigest()
