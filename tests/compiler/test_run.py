"""run: whatever stops it, the same call goes on and comes to the same files; nothing is mixed, nothing is lost."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.runs import (
    OPTIONS,
    OURS,
    QUICK,
    StoppedError,
    dataset,
    families,
    family,
    in_child,
    kill_myself,
    made_before,
    needs_fork,
    rejected_all,
    run_again,
    stop,
)
from unco.compiler import export as exporting
from unco.compiler import run as running
from unco.compiler.build import BuildOptions, build, write
from unco.compiler.executor import ProcessExecutor
from unco.compiler.pipeline import Chunk
from unco.compiler.run import Watcher, run
from unco.compiler.running.identity import identity
from unco.compiler.running.record import Record
from unco.compiler.store import Store
from unco.specs.errors import UsageError


def chunks_of(folder: Path) -> list[tuple[int, int]]:
    with sqlite3.connect(folder / "run.sqlite") as connection:
        return connection.execute("SELECT family, start FROM chunks ORDER BY family, start").fetchall()


# The dataset ---------------------------------------------------------------------------------------------------------


def test_a_run_and_a_build_in_memory_make_the_same_files(tmp_path: Path) -> None:
    run(families(), OPTIONS, tmp_path / "run")
    write(build(families(), OPTIONS), tmp_path / "written", OPTIONS)
    assert dataset(tmp_path / "run") == dataset(tmp_path / "written")
    assert set(dataset(tmp_path / "run")) > {"groups.jsonl", "tasks.jsonl", "rejections.jsonl", "manifest.json"}


def test_the_manifest_tells_of_every_family_and_phase_and_option(undisturbed: dict[str, bytes]) -> None:
    manifest = json.loads(undisturbed["manifest.json"])
    assert (manifest["seed"], manifest["sufficient"], manifest["rlimit"]) == (0, False, QUICK.rlimit)
    assert manifest["pins"] is None
    decides = identity(families(), OPTIONS.instantiate, OPTIONS.prove)
    assert [manifest[name] for name in ("unco", "python", "z3")] == [decides[name] for name in ("unco", "python", "z3")]
    told = manifest["specifications"]
    assert [told[each.name]["digest"] for each in families()] == [each.digest for each in families()]
    assert [told[each.name]["retained"] for each in families()] == [6, 6]
    assert told["second-crane"]["phases"][1] == {"phase": "prove", "candidates": 9, "rejected": 3, "retained": 6}
    assert manifest["phases"][1] == {"phase": "prove", "candidates": 15, "rejected": 3, "retained": 12}


def test_a_family_without_a_retained_group_stands_in_the_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "run_to_records", rejected_all)
    summary = run([family()], BuildOptions(1, prove=QUICK), tmp_path / "out")
    assert summary.missing == {"crane-hire": 1}
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())["specifications"]["crane-hire"]
    assert (told["retained"], told["phases"][1]["rejected"]) == (0, 20)


def test_a_summary_shows_itself_in_a_notebook(quick: None, tmp_path: Path) -> None:
    shown = run(families(), OPTIONS, tmp_path / "out")._repr_html_()
    assert "<td>prove</td><td>15</td><td>3</td><td>12</td>" in shown


def test_two_families_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one name"):
        run([family(), family()], OPTIONS, tmp_path / "out")
    assert not (tmp_path / "out").exists()


# Continuing ----------------------------------------------------------------------------------------------------------


def test_a_finished_run_is_left_as_it_is(undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    folder, told = tmp_path / "undisturbed", []
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.name not in OURS}
    summary = run(families(), OPTIONS, folder, watcher=Watcher(was_finished=lambda: told.append("finished")))
    assert told == ["finished"]
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.name not in OURS} == before
    assert summary == run(families(), OPTIONS, tmp_path / "other")


@pytest.mark.parametrize("kept", [False, True])
def test_a_run_that_stops_at_any_chunk_goes_on(
    undisturbed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    """Just before a chunk is kept, or just after."""
    chunks = len(chunks_of(tmp_path / "undisturbed"))
    add = Store.add

    def stopping(self: Store, *arguments: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0 and not kept:
            raise StoppedError
        add(self, *arguments)
        if left < 0:
            raise StoppedError

    monkeypatch.setattr(Store, "add", stopping)
    for left in range(chunks):
        at, folder = left, tmp_path / f"stopped at {left}"
        with pytest.raises(StoppedError):
            run_again(folder)
        assert len(chunks_of(folder)) == at + kept
        left = chunks
        assert run_again(folder) == undisturbed
        assert chunks - left == chunks_of(folder).__len__() - at - kept


def test_what_is_kept_is_not_made_again(
    undisturbed: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[tuple[str, int]] = []

    def stopping(chunk: Chunk) -> tuple[Record, ...]:
        if len(made) == 4:
            made.append(("", 0))
            raise StoppedError
        made.append((chunk.family.name, chunk.indices[0]))
        return made_before(chunk)

    monkeypatch.setattr(running, "run_to_records", stopping)
    with pytest.raises(StoppedError):
        run_again(tmp_path / "out")
    assert run_again(tmp_path / "out") == undisturbed
    assert len(made) == len(set(made)) == len(chunks_of(tmp_path / "out")) + 1


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_an_export_that_stops_anywhere_is_made_anew(
    undisturbed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    original: Callable[..., Any] = getattr(os, call)

    def stopping(*arguments: Any, **named: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            raise StoppedError
        return original(*arguments, **named)

    monkeypatch.setattr(exporting.os, call, stopping)
    left, at, folder = 1 << 30, 0, tmp_path / "out"
    run_again(folder)
    calls = (1 << 30) - left
    assert calls
    for at in range(1, calls + 1, 1 + calls // 8):
        folder = tmp_path / f"stopped at {at}"
        left = at
        with pytest.raises(StoppedError):
            run_again(folder)
        left = 1 << 30
        assert run_again(folder) == undisturbed


def test_while_a_finished_run_grows_no_manifest_stands_beside_files_that_it_does_not_tell_of(
    undisturbed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_file = os.replace
    for at in range(1, 7):
        folder, moved = tmp_path / str(at), []
        run_again(folder, replace(OPTIONS, groups=2))

        def stopping(*names: Path, at: int = at, moved: list[Path] = moved) -> None:
            if len(moved) == at - 1:
                raise StoppedError
            moved.append(names[1])
            replace_file(*names)

        with monkeypatch.context() as failing:
            failing.setattr(exporting.os, "replace", stopping)
            with pytest.raises(StoppedError):
                run_again(folder)
        assert not (folder / "manifest.json").exists()
        assert run_again(folder) == undisturbed


def test_a_file_of_a_finished_run_that_is_gone_or_changed_is_written_again(
    undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "undisturbed"
    for name in sorted(undisturbed)[-7:]:
        (folder / name).unlink()
        assert run_again(folder) == undisturbed
        (folder / name).write_bytes(undisturbed[name] + b"\n")
        assert run_again(folder) == undisturbed


@needs_fork
def test_a_run_that_is_killed_at_random_moments_comes_to_the_same_files(
    undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    assert killed_runs(undisturbed, tmp_path, Random(7), 12) > 0


@needs_fork
@pytest.mark.laws
@pytest.mark.parametrize("seed", range(20))
def test_a_run_that_is_killed_at_many_moments_comes_to_the_same_files(
    undisturbed: dict[str, bytes], tmp_path: Path, seed: int
) -> None:
    killed_runs(undisturbed, tmp_path, Random(seed), 60)


def killed_runs(undisturbed: dict[str, bytes], tmp_path: Path, rng: Random, times: int) -> int:
    """Kill runs after a drawn time, again and again until one comes through; how many were killed."""
    started = time.monotonic()
    run_again(tmp_path / "timed")
    takes, killed, number = time.monotonic() - started, 0, 0
    folder = tmp_path / "killed 0"
    for _ in range(times):
        pause = rng.uniform(0, takes)

        def go_until_killed(pause: float = pause, folder: Path = folder) -> None:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            timer = threading.Timer(pause, kill_myself)
            timer.daemon = True
            timer.start()
            run_again(folder)

        if in_child(go_until_killed) == signal.SIGKILL:
            killed += 1
            continue
        assert dataset(folder) == undisturbed
        number += 1
        folder = tmp_path / f"killed {number}"
    assert run_again(folder) == undisturbed
    return killed


@needs_fork
@pytest.mark.parametrize("at", ["BEGIN", "INSERT INTO chunks", "INSERT INTO outcomes", "COMMIT", "UPDATE", "CREATE"])
def test_a_run_that_is_killed_within_a_transaction_goes_on(
    undisturbed: dict[str, bytes], tmp_path: Path, at: str
) -> None:
    """At each of its statements in turn, so that the store is killed half made, half written and half finished."""
    for number in range(1, 8):
        folder = tmp_path / str(number)

        def go_until(number: int = number, folder: Path = folder) -> None:
            seen = 0

            def traced(statement: str) -> None:
                nonlocal seen
                seen += statement.lstrip().startswith(at)
                if seen == number:
                    kill_myself()

            connect = sqlite3.connect

            def tracing(*arguments: Any, **named: Any) -> sqlite3.Connection:
                connection = connect(*arguments, **named)
                connection.set_trace_callback(traced)
                return connection

            sqlite3.connect = tracing  # type: ignore[assignment]
            run_again(folder)

        ended = in_child(go_until)
        assert ended in (0, signal.SIGKILL)
        assert number > 1 or ended == signal.SIGKILL
        assert run_again(folder) == undisturbed


def test_more_groups_may_be_asked_for_later(undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    run_again(tmp_path / "out", replace(OPTIONS, groups=2))
    kept = chunks_of(tmp_path / "out")
    assert run_again(tmp_path / "out") == undisturbed
    assert set(kept) < set(chunks_of(tmp_path / "out"))


def test_fewer_groups_are_refused_once_a_run_is_finished(undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--groups 6"):
        run_again(tmp_path / "undisturbed", replace(OPTIONS, groups=2))
    assert dataset(tmp_path / "undisturbed") == undisturbed


def test_fewer_groups_may_be_asked_for_while_a_run_is_not_finished(
    quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as failing:
        failing.setattr(running, "export", stop)
        with pytest.raises(StoppedError):
            run_again(tmp_path / "out")
    fewer = replace(OPTIONS, groups=2)
    assert run_again(tmp_path / "out", fewer) == run_again(tmp_path / "fewer", fewer)


@needs_fork
@pytest.mark.parametrize("place", ["unco.compiler.store.Store.add", "unco.compiler.run.export", "os.replace"])
def test_a_growth_that_is_killed_does_not_shrink_what_was_finished(
    undisturbed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Before a chunk is kept, before the export, and while the files of the export are put in place."""
    folder, fewer = tmp_path / "out", replace(OPTIONS, groups=2)
    run_again(folder, fewer)
    with monkeypatch.context() as failing:
        failing.setattr(place, lambda *_: kill_myself())
        assert in_child(lambda: run_again(folder)) == signal.SIGKILL
    before = dataset(folder)
    with pytest.raises(UsageError, match=f"--groups {6 if place == 'os.replace' else 2};"):
        run_again(folder, replace(OPTIONS, groups=1))
    assert dataset(folder) == before
    assert run_again(folder) == undisturbed


def test_what_was_finished_stands_while_a_growth_is_stopped(
    undisturbed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, fewer, told = tmp_path / "out", replace(OPTIONS, groups=2), []
    first = run_again(folder, fewer)
    with monkeypatch.context() as failing:
        failing.setattr(running, "export", stop)
        with pytest.raises(StoppedError):
            run_again(folder)
    run(families(), fewer, folder, watcher=Watcher(was_finished=lambda: told.append("finished")))
    assert (told, dataset(folder)) == (["finished"], first)


# Workers -------------------------------------------------------------------------------------------------------------


def test_worker_counts_leave_no_trace_in_dataset_or_store(tmp_path: Path) -> None:
    for name, executor in (("none", None), ("three", ProcessExecutor(3))):
        run(families(), OPTIONS, tmp_path / name, executor)
    assert dataset(tmp_path / "none") == dataset(tmp_path / "three")
    assert chunks_of(tmp_path / "none") == chunks_of(tmp_path / "three")


def test_a_run_goes_on_when_its_workers_are_killed(tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_one(name: str, done: int, wanted: int) -> None:
        workers = multiprocessing.active_children()
        if workers and done in (1, 3) and len(killed) < 2:
            killed.append(workers[0].pid or 0)
            workers[0].kill()

    run(families(), OPTIONS, tmp_path / "killed", ProcessExecutor(2), Watcher(progress=kill_one))
    run(families(), OPTIONS, tmp_path / "calm")
    assert len(killed) == 2
    assert dataset(tmp_path / "killed") == dataset(tmp_path / "calm")


def test_s11_eight_threads_build_what_one_does(tmp_path: Path) -> None:
    options = replace(OPTIONS, groups=2)
    folders = [tmp_path / str(number) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda folder: run(families(), options, folder), folders))
    run(families(), options, tmp_path / "alone")
    assert all(dataset(folder) == dataset(tmp_path / "alone") for folder in folders)


@pytest.mark.parametrize("groups", [0, -1])
def test_fewer_than_one_group_is_a_usage_error(tmp_path: Path, groups: int) -> None:
    with pytest.raises(UsageError, match="at least one"):
        run_again(tmp_path / "out", replace(OPTIONS, groups=groups))
    assert not (tmp_path / "out").exists()
