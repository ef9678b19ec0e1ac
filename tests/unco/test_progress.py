"""How far a build is, and nothing at all where nobody watches."""

from __future__ import annotations

import sys

import pytest

from unco.cli.progress import Bar, progress_line


def test_the_line_says_how_far_how_fast_and_how_long_still() -> None:
    assert progress_line("name", 12, 48, 3.0) == f"name  [{'#' * 6}{' ' * 18}]  12/48  3.0 groups/s  12 s left"
    assert progress_line("name", 48, 48, 12.0).endswith(f"[{'#' * 24}]  48/48  12.0 groups/s  0 s left")
    assert progress_line("name", 0, 48, 0.0).endswith("0/48  0.0 groups/s  ?")


def clock_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Standard error is a terminal from now on; the one entry is its time."""
    now = [100.0]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("unco.cli.progress.time.monotonic", lambda: now[0])
    return now


def test_several_specifications_are_counted_together(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock_of_a_terminal(monkeypatch)
    with Bar(2) as bar:
        bar("first", 3, 3)
        bar("second", 1, 3)
    shown = capsys.readouterr().err
    assert "  3/6  " in shown
    assert "  4/6  " in shown
    assert shown.endswith("\r\x1b[K")


def test_what_is_there_already_counts_as_done_and_not_as_fast(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = clock_of_a_terminal(monkeypatch)
    bar = Bar(2)
    clock[0] += 50
    bar.begin({"first": 40, "second": 0})
    clock[0] += 2
    bar("second", 4, 100)
    assert "  44/200  2.0 groups/s  78 s left" in capsys.readouterr().err


def test_the_rate_is_the_one_of_the_last_stretch(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = clock_of_a_terminal(monkeypatch)
    bar = Bar(1)
    for done in range(1, 101):
        clock[0] += 10
        bar("first", done, 200)
    for done in range(101, 151):
        clock[0] += 1
        bar("first", done, 200)
    assert "  150/200  1.0 groups/s  50 s left" in capsys.readouterr().err.splitlines()[-1][-60:]


def test_nothing_is_shown_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar(1) as bar:
        bar("first", 1, 2)
    assert capsys.readouterr().err == ""
