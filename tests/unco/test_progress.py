"""How far a build is, and nothing at all where nobody watches."""

from __future__ import annotations

import sys

import pytest

from unco.cli.progress import Bar, progress_line


def test_the_line_says_how_far_how_fast_and_how_long_still() -> None:
    assert progress_line("name", 12, 48, 4.0) == f"name  [{'#' * 6}{' ' * 18}]  12/48  3.0 groups/s  12 s left"
    assert progress_line("name", 48, 48, 4.0).endswith(f"[{'#' * 24}]  48/48  12.0 groups/s  0 s left")
    assert progress_line("name", 0, 48, 0.0).endswith("0/48  0.0 groups/s  ?")


def test_several_specifications_are_counted_together(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with Bar(2) as bar:
        bar("first", 3, 3)
        bar("second", 1, 3)
    shown = capsys.readouterr().err
    assert "  3/6  " in shown
    assert "  4/6  " in shown
    assert shown.endswith("\r\x1b[K")


def test_nothing_is_shown_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar(1) as bar:
        bar("first", 1, 2)
    assert capsys.readouterr().err == ""
