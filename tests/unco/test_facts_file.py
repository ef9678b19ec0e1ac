"""A facts file is read as a specification is: with its places, every error of a run, in its own words."""

from __future__ import annotations

from pathlib import Path

import pytest

import unco
from unco.specs.read import read_facts
from unco.specs.shipped import shipped_facts


def diagnostics(path: Path, text: str) -> list[tuple[str, int, str]]:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(unco.SpecificationError) as caught:
        read_facts(path)
    return [(each.code, each.span.line if each.span else 0, each.expected or "") for each in caught.value.diagnostics]


def test_every_shipped_facts_file_is_read() -> None:
    assert shipped_facts()
    for path in shipped_facts().values():
        assert read_facts(path).document.candidates


def test_every_error_has_its_place_and_says_what_was_expected(tmp_path: Path) -> None:
    text = "unco_facts: 2\ncandidates: []\ndefects:\n  misalinged: {}\n  mixed: {omitted: a}\n"
    found = diagnostics(tmp_path / "facts.yaml", text)
    assert [(code, line) for code, line, _ in found] == [
        ("UNC109", 1),
        ("UNC109", 2),
        ("UNC107", 4),
        ("UNC108", 5),
        ("UNC108", 5),
    ]
    assert "`misaligned`" in found[2][2]
    assert found[0][2] == "`1`"


@pytest.mark.parametrize("text", ["", "[]", "facts"])
def test_what_is_no_mapping_is_told(tmp_path: Path, text: str) -> None:
    ((code, _, expected),) = diagnostics(tmp_path / "facts.yaml", text)
    assert code in ("UNC109", "UNC103")
    assert "unco_facts" in expected or code == "UNC103"


def test_a_specification_error_survives_the_way_from_a_worker() -> None:
    import pickle

    error = unco.SpecificationError([unco.Diagnostic("UNC101", "gone")], "text")
    again = pickle.loads(pickle.dumps(error))
    assert (again.diagnostics, again.text, str(again)) == (error.diagnostics, "text", str(error))
