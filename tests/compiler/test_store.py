"""The store and its folder: refused, told or harmless; whatever happens to them, never silently another dataset."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.runs import (
    OPTIONS,
    StoppedError,
    dataset,
    families,
    family,
    in_child,
    kill_myself,
    made_before,
    needs_fork,
    run_again,
    stop,
)
from unco.compiler import run as running
from unco.compiler.build import BuildOptions
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.pipeline import Chunk
from unco.compiler.prove import ProveOptions
from unco.compiler.run import Watcher, run
from unco.compiler.running.disk import claimed
from unco.compiler.running.record import Record
from unco.compiler.store import Store
from unco.specs.errors import InfrastructureError, SpecificationError, UncoError, UsageError

# Whose folder it is --------------------------------------------------------------------------------------------------


def test_two_builds_in_one_folder_are_refused_and_the_holder_is_named(quick: None, tmp_path: Path) -> None:
    with claimed(tmp_path / "out"), pytest.raises(UsageError, match=rf"process {os.getpid()}\b"):
        run_again(tmp_path / "out")
    assert run_again(tmp_path / "out")


def test_a_folder_of_somebody_else_is_left_alone(quick: None, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not an empty folder"):
        run_again(tmp_path)
    with pytest.raises(UsageError, match="not an empty folder"):
        run_again(tmp_path / "mine.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
@pytest.mark.parametrize("beside", ["notes.txt", ""])
def test_a_database_of_another_program_is_left_alone(quick: None, tmp_path: Path, mode: str, beside: str) -> None:
    theirs = sqlite3.connect(tmp_path / "run.sqlite")
    theirs.execute(f"PRAGMA journal_mode = {mode}")
    theirs.execute("CREATE TABLE run (distance INTEGER)")
    theirs.close()
    if beside:
        (tmp_path / beside).write_text("mine")
    before = dataset(tmp_path, ours=())
    with pytest.raises(UsageError, match="another program"):
        run_again(tmp_path)
    assert dataset(tmp_path, ours=()) == before


@pytest.mark.parametrize("content", [b"", b"kilometres", b"SQLite format 3\0" + bytes(90)])
def test_a_file_of_another_program_under_the_name_of_the_store_is_left_alone(
    quick: None, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "run.sqlite").write_bytes(content)
    with pytest.raises(UsageError, match="another program"):
        run_again(tmp_path)
    assert dataset(tmp_path, ours=()) == {"run.sqlite": content}


@pytest.mark.parametrize(
    "name", ["certificates/mine.txt", "specifications/mine/notes.txt", "certificates/group-1.json"]
)
def test_no_file_of_a_user_is_deleted_when_a_dataset_is_written_again(
    undisturbed: dict[str, bytes], tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "undisturbed"
    mine = folder / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    (folder / "tasks.jsonl").write_text("edited")
    before = dataset(folder)
    with pytest.raises(UsageError, match="/".join(name.split("/")[:2])):
        run_again(folder)
    assert dataset(folder) == before
    mine.rename(folder / "mine.txt")
    shutil.rmtree(folder / "specifications" / "mine", ignore_errors=True)
    assert run_again(folder) == {**undisturbed, "mine.txt": b"mine"}


OTHERS: dict[str, tuple[Callable[[], Any], BuildOptions]] = {
    "seed: found 0, expected 1": (families, replace(OPTIONS, instantiate=InstantiateOptions(seed=1))),
    "rlimit: found ": (families, replace(OPTIONS, prove=ProveOptions(5, False))),
    "sufficient: found false, expected true": (families, replace(OPTIONS, prove=ProveOptions())),
    'order: found ["crane-hire", "second-crane"], expected ["second-crane", "crane-hire"]': (
        lambda: families()[::-1],
        OPTIONS,
    ),
    "specifications second-crane: found ": (lambda: [family()], OPTIONS),
    "specifications crane-hire: found ": (lambda: [replace(family(), digest="0" * 64), families()[1]], OPTIONS),
}


@pytest.mark.parametrize("told", OTHERS)
def test_another_run_in_the_folder_is_refused_with_what_differs(
    undisturbed: dict[str, bytes], tmp_path: Path, told: str
) -> None:
    asked, options = OTHERS[told]
    with pytest.raises(UsageError) as caught:
        run(asked(), options, tmp_path / "undisturbed")
    assert told in str(caught.value)
    assert run_again(tmp_path / "undisturbed") == undisturbed


def test_another_version_is_refused(
    undisturbed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unco.compiler.running.identity.VERSION", "99")
    with pytest.raises(UsageError, match=r'unco: found "[^"]+", expected "99"'):
        run_again(tmp_path / "undisturbed")


# Faults --------------------------------------------------------------------------------------------------------------


def damage(data: bytes, rng: Random) -> bytes:
    """The bytes with one changed, a stretch overwritten, or the end cut off."""
    at = rng.randrange(len(data))
    match rng.randrange(4):
        case 0:
            return data[:at]
        case 1:
            stretch = rng.randbytes(rng.randrange(1, 600))
            return (data[:at] + stretch + data[at + len(stretch) :])[: len(data)]
        case _:
            return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


STATES = ("finished", "stopped", "killed")


def in_every_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """A run that is finished, one that stopped before its export, and one that was killed there; the right dataset."""
    right = run_again(tmp_path / "finished")
    with monkeypatch.context() as failing:
        failing.setattr(running, "export", stop)
        with pytest.raises(StoppedError):
            run_again(tmp_path / "stopped")
    with monkeypatch.context() as failing:
        failing.setattr(running, "export", lambda *_: kill_myself())
        assert in_child(lambda: run_again(tmp_path / "killed")) == signal.SIGKILL
    assert (tmp_path / "killed" / "run.sqlite-wal").stat().st_size
    return right


def ended(folder: Path) -> str:
    """The code of what stopped a run in the folder; nothing where it came through."""
    try:
        run_again(folder)
    except SpecificationError as error:
        return error.diagnostics[0].code
    return ""


def damaged_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: Random, times: int) -> Iterator[str]:
    """Runs on a damaged store, finished or not: each ends in a coded error or in the right bytes."""
    right = in_every_state(tmp_path, monkeypatch)
    for number in range(times):
        folder = tmp_path / f"damaged {number}"
        shutil.copytree(tmp_path / rng.choice(STATES), folder)
        store = rng.choice([path for path in sorted(folder.glob("run.sqlite*")) if path.stat().st_size])
        store.write_bytes(damage(store.read_bytes(), rng))
        before = dataset(folder)
        told = ended(folder)
        assert dataset(folder) == (before if told else right)
        yield told
        shutil.rmtree(folder)


@needs_fork
def test_a_damaged_store_is_told_or_harmless(quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(damaged_runs(tmp_path, monkeypatch, Random(3), 50)) == {"UNC704", ""}


@needs_fork
@pytest.mark.laws
def test_a_store_damaged_in_many_ways_is_told_or_harmless(
    quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(damaged_runs(tmp_path, monkeypatch, Random(), 1_500)) == {"UNC704", ""}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE outcomes SET retained = 1 - retained WHERE number = 2 AND family = 0",
        "UPDATE outcomes SET record = (SELECT record FROM outcomes WHERE family = 0 AND number = 0) WHERE number = 1",
        "DELETE FROM outcomes WHERE number = 1",
        "DELETE FROM chunks WHERE start = 1",
        "UPDATE chunks SET size = 2 WHERE start = 1",
        "UPDATE run SET identity = replace(identity, '\"seed\": 0', '\"seed\": 1')",
        "UPDATE run SET groups = 1",
        "DELETE FROM run",
        "DROP TABLE outcomes",
        "PRAGMA application_id = 1",
        "PRAGMA user_version = 99",
    ],
)
def test_a_store_that_was_edited_is_told(undisturbed: dict[str, bytes], tmp_path: Path, statement: str) -> None:
    folder = tmp_path / "undisturbed"
    with sqlite3.connect(folder / "run.sqlite") as connection:
        connection.execute(statement)
    connection.close()
    with pytest.raises(UncoError, match="UNC704"):
        run_again(folder)
    assert dataset(folder) == undisturbed


@pytest.mark.parametrize("content", [b"", b"not a database at all, but long enough to be read as one" * 40])
def test_a_file_in_place_of_the_store_is_told(undisturbed: dict[str, bytes], tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "undisturbed"
    (folder / "run.sqlite").write_bytes(content)
    with pytest.raises(UncoError, match="UNC704"):
        run_again(folder)
    assert dataset(folder) == undisturbed
    assert (folder / "run.sqlite").read_bytes() == content


@needs_fork
def test_a_run_on_a_full_disk_goes_on_when_there_is_room(undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    """No file may grow past a limit, from one that stops the store at once to one that the tasks alone pass."""
    largest = max(map(len, undisturbed.values()))
    for size in (0, 100, 5_000, 20_000, 50_000, 90_000, largest - 1):
        folder = tmp_path / str(size)
        folder.mkdir()
        message = tmp_path / f"{size}.txt"
        descriptor = os.open(message, os.O_CREAT | os.O_RDWR)
        os.pwrite(descriptor, b" " * 400, 0)

        def go_into_the_limit(size: int = size, folder: Path = folder, descriptor: int = descriptor) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            try:
                run_again(folder)
            except InfrastructureError as error:
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                os.write(descriptor, str(error).encode()[: max(size, 0)])

        assert in_child(go_into_the_limit) == 0, size
        os.close(descriptor)
        if size >= 400:
            assert str(folder) in message.read_text(), size
            assert not (folder / "manifest.json").exists()
        assert run_again(folder) == undisturbed


def test_a_store_that_may_not_grow_is_an_infrastructure_error(
    undisturbed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, add = tmp_path / "out", Store.add

    def in_little_room(self: Store, *arguments: Any) -> None:
        self.connection.execute("PRAGMA max_page_count = 12")
        add(self, *arguments)

    with monkeypatch.context() as small:
        small.setattr(Store, "add", in_little_room)
        with pytest.raises(InfrastructureError, match=r"run\.sqlite: .*full"):
            run_again(folder)
    assert run_again(folder) == undisturbed


def as_nobody(folder: Path, act: Callable[[], str]) -> str:
    """What this comes to in a child that may only read the folder, whoever runs the tests."""
    os.chmod(folder.parent, 0o755)
    os.chmod(folder, 0o555)
    told, tell = os.pipe()

    def go() -> None:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setuid(65534)
        os.write(tell, act().encode())

    assert in_child(go) == 0
    os.close(tell)
    os.chmod(folder, 0o755)
    with os.fdopen(told) as messages:
        return messages.read()


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Path]:
    """A folder that other users may reach."""
    with tempfile.TemporaryDirectory() as found:
        yield Path(found)


@needs_fork
@pytest.mark.parametrize("gone", ["manifest.json", "run.lock"])
def test_a_folder_that_may_only_be_read_is_an_infrastructure_error(
    undisturbed: dict[str, bytes], tmp_path: Path, shared: Path, gone: str
) -> None:
    folder = shared / "out"
    shutil.copytree(tmp_path / "undisturbed", folder)
    (folder / gone).unlink()

    def act() -> str:
        lines = []
        for target, options in ((folder, replace(OPTIONS, groups=7)), (folder / "new", OPTIONS)):
            try:
                run_again(target, options)
            except InfrastructureError as error:
                lines.append(f"{error}\n")
        return "".join(lines)

    lines = as_nobody(folder, act).splitlines()
    assert len(lines) == 2
    assert all(line.startswith(str(folder)) for line in lines)
    assert run_again(folder) == undisturbed


@needs_fork
@pytest.mark.parametrize("gone", ["", "run.lock"])
def test_a_finished_run_is_summed_up_where_it_may_only_be_read(
    undisturbed: dict[str, bytes], tmp_path: Path, shared: Path, gone: str
) -> None:
    folder, told = shared / "out", []
    shutil.copytree(tmp_path / "undisturbed", folder)
    (folder / gone).unlink() if gone else None

    def act() -> str:
        summary = run(families(), OPTIONS, folder, watcher=Watcher(was_finished=lambda: told.append("finished")))
        return f"{told} {summary.retained}"

    assert as_nobody(folder, act) == "['finished'] 12"
    assert dataset(folder) == undisturbed


# Size ----------------------------------------------------------------------------------------------------------------


def peak(groups: int, folder: Path) -> int:
    """Bytes that Python holds at most while a run of so many groups goes on."""
    tracemalloc.start()
    try:
        run([family()], replace(OPTIONS, groups=groups), folder)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_hardly_grows_with_the_number_of_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the name and the hash of a certificate in the manifest; a group's text is twenty times as long, at least."""
    (made,) = made_before(Chunk(family(), (0,), OPTIONS.instantiate, OPTIONS.prove))

    def numbered(chunk: Chunk) -> tuple[Record, ...]:
        names = (f"group-{index:032x}" for index in chunk.indices)
        return tuple(Record.of(True, (line.replace(made.id, name) for line in made.lines)) for name in names)

    monkeypatch.setattr(running, "run_to_records", numbered)
    peak(20, tmp_path / "warm")
    few, many = peak(50, tmp_path / "few"), peak(250, tmp_path / "many")
    assert (many - few) / 200 < 1_500 < sum(map(len, made.lines)) / 20
