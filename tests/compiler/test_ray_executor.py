"""Work on Ray: the same as in this process, whoever is killed; an engine that is not there is an error with a code."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.compiler.test_executor import die_at_one, die_once, hang, late_when_early, refuse, runs, square
from tests.runs import OPTIONS, dataset, families
from unco.cli import application
from unco.cli.exits import Exit
from unco.compiler import ray_executor
from unco.compiler.build_facts import FactsOptions, build_facts
from unco.compiler.executor import SerialExecutor, call
from unco.compiler.pipeline import Chunk
from unco.compiler.ray_executor import RayExecutor
from unco.compiler.run import run
from unco.compiler.running.jobs import Unproved
from unco.specs.errors import InfrastructureError, UsageError

UNCO = (sys.executable, "-m", "unco")
BUILD = ("build", "reduced-fare", "underground-superintendent", "--groups", "6", "--no-sufficient")
SOON = 30.0
"""Seconds that processes of a busy machine may take to end."""
AGENTS = 120.0
"""Ray's own agents look for a killed parent so long at most."""


# Processes -----------------------------------------------------------------------------------------------------------


def command_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def engine_processes(mark: str = "") -> list[int]:
    """All processes of Ray that say so and live."""
    found = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal()]
    ours = ("ray::", "raylet", "gcs_server")
    return [each for each in found if any(mine in command_of(each) for mine in ours) and mark in command_of(each)]


def ends(processes: list[int], seconds: float = SOON) -> bool:
    """Whether they all come to an end."""
    until = time.monotonic() + seconds
    while any(map(runs, processes)) and time.monotonic() < until:
        time.sleep(0.1)
    return not any(map(runs, processes))


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder for temporary files with a short name: the names of Ray's sockets are long."""
    folder = Path(tempfile.mkdtemp(prefix="u-", dir="/tmp"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def nothing_is_left(short: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """After the test there is no process of an engine that was not there before, and no file of one."""
    before = set(engine_processes())
    monkeypatch.setattr(tempfile, "tempdir", str(short))
    yield short
    assert ends([each for each in engine_processes() if each not in before])
    assert list(short.glob("unco-ray-*")) == []


# Without an engine ---------------------------------------------------------------------------------------------------


def test_without_the_extra_the_command_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    done = CliRunner().invoke(application(), [*BUILD, "--out", str(tmp_path / "out"), "--ray", "local"])
    assert done.exit_code == Exit.USAGE
    assert "error UNC703: Ray is not installed" in done.stderr
    assert "pip install 'unco[ray]'" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("address", ["", "auto", "host", "host:", "host:0", "host:x", "host:99999", "ray://host:1",
                                     "me@host:1", "host:1/path", ":6379"])  # fmt: skip
def test_what_is_no_address_is_a_usage_error(address: str) -> None:
    with pytest.raises(UsageError, match="HOST:PORT"):
        call(square, 3, RayExecutor(address))


# With one ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ray() -> Iterator[RayExecutor]:
    """One local engine for the tests that leave it whole."""
    with RayExecutor(workers=2).connected() as executor:
        yield executor


@pytest.mark.extras
def test_results_come_in_the_order_of_the_chunks(ray: RayExecutor) -> None:
    assert list(ray.map(late_when_early, range(5))) == list(range(5))
    assert call(square, 3, ray) == 9


@pytest.mark.extras
def test_a_caller_may_have_more_to_do_once_it_knows_a_result(ray: RayExecutor) -> None:
    due, found = [3], []
    for result in ray.feed(square, lambda: due.pop() if due else None):
        found.append(result)
        if len(found) < 3:
            due.append(result % 7)
    assert found == [9, 4, 16]


@pytest.mark.extras
def test_no_more_chunks_are_under_way_than_one_beside_those_that_run(ray: RayExecutor) -> None:
    taken, most, done = 0, 0, 0

    def take() -> int | None:
        nonlocal taken, most
        taken += 1
        most = max(most, taken - done)
        return taken if taken <= 12 else None

    for _ in ray.feed(square, take):
        done += 1
    assert (done, most) == (12, ray.workers + 1)


@pytest.mark.extras
def test_errors_of_the_work_itself_come_through(ray: RayExecutor) -> None:
    with pytest.raises(UsageError, match=r"^no$"):
        call(refuse, 0, ray)


def too_much(number: int) -> int:
    return len(bytearray(number))


@pytest.mark.extras
def test_a_worker_that_needs_too_much_memory_is_no_verdict() -> None:
    with pytest.raises(InfrastructureError, match="more than 1 GiB"):
        call(too_much, 2 << 30, RayExecutor(memory=1 << 30))


@pytest.mark.extras
def test_the_work_of_killed_workers_is_done_again_and_comes_in_order(ray: RayExecutor, tmp_path: Path) -> None:
    work = [(str(tmp_path), number) for number in range(3)]
    (tmp_path / "1").mkdir()
    assert list(ray.map(die_once, work)) == [0, 1, 2]


@pytest.mark.extras
def test_work_that_kills_every_worker_is_given_up(ray: RayExecutor) -> None:
    results = ray.map(die_at_one, range(3))
    assert next(results) == 0
    with pytest.raises(InfrastructureError, match="run the command again"):
        list(results)


@pytest.mark.extras
def test_a_hanging_worker_is_killed_and_the_engine_goes_on(ray: RayExecutor) -> None:
    impatient = RayExecutor(workers=2, seconds=2)
    with pytest.raises(InfrastructureError, match="gave no answer for 2 s"):
        list(impatient.map(hang, [0, 1, 2]))
    assert list(ray.map(square, range(4))) == [0, 1, 4, 9]
    assert ends(engine_processes("ray::_work"))


@pytest.mark.extras
def test_a_worker_of_another_version_refuses(ray: RayExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {**ray_executor._versions(), "Z3": "0.0"}
    monkeypatch.setattr(ray_executor, "_versions", lambda: versions)
    with pytest.raises(InfrastructureError, match=r"a worker of the Ray engine has .*; this process has .*Z3 0\.0"):
        call(square, 3, ray)


# Runs ----------------------------------------------------------------------------------------------------------------


def hang_at_first(folder: str, function: Callable[[Any], object], work: Chunk | Unproved) -> object:
    """The proof of a family, or the work of a chunk; who is the first to get a proof, or the first or third chunk,
    tells its process, and hangs.
    """
    start = "proof" if isinstance(work, Unproved) else work.indices[0]
    told = Path(folder) / f"{work.family.name}-{start}"
    if start not in ("proof", 0, 2) or told.exists():
        return function(work)
    half = told.with_suffix(".half")
    half.write_text(str(os.getpid()))
    half.replace(told)
    return time.sleep(1_000)


@dataclass(frozen=True)
class Endangered:
    """An executor whose workers hang at times, until somebody kills them."""

    executor: RayExecutor
    folder: str

    def feed(self, function: Callable[[Any], Any], take: Callable[[], Any]) -> Iterator[Any]:
        return self.executor.feed(partial(hang_at_first, self.folder, function), take)

    def map(self, function: Callable[[Any], Any], chunks: Iterable[Any]) -> Iterator[Any]:
        return self.executor.map(partial(hang_at_first, self.folder, function), chunks)


def kill_who_hangs(folder: Path, killed: dict[str, int], done: Event) -> None:
    """Kill every worker that told that it hangs."""
    while not done.wait(0.05):
        for told in folder.iterdir():
            if told.suffix != ".half" and told.name not in killed:
                killed[told.name] = int(told.read_text())
                os.kill(killed[told.name], signal.SIGKILL)


@pytest.mark.extras
def test_a_run_on_ray_makes_the_same_bytes_though_workers_are_killed(
    ray: RayExecutor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    hanging, killed, done = tmp_path / "hanging", dict[str, int](), Event()
    hanging.mkdir()
    killer = Thread(target=kill_who_hangs, args=(hanging, killed, done))
    killer.start()
    try:
        run(families(), OPTIONS, tmp_path / "killed", Endangered(ray, str(hanging)))
    finally:
        done.set()
        killer.join()
    run(families(), OPTIONS, tmp_path / "calm", ray)
    run(families(), OPTIONS, tmp_path / "serial", SerialExecutor())
    assert sorted(killed) == [f"{family.name}-{start}" for family in families() for start in (0, 2, "proof")]
    assert ends(list(killed.values()))
    assert dataset(tmp_path / "killed") == dataset(tmp_path / "calm") == dataset(tmp_path / "serial")
    time.sleep(1)
    assert capfd.readouterr() == ("", "")


@pytest.mark.extras
def test_facts_alone_on_ray_have_the_same_bytes(ray: RayExecutor, tmp_path: Path) -> None:
    for executor, name in ((ray, "ray"), (SerialExecutor(), "serial")):
        assert not build_facts(families(), FactsOptions(30), tmp_path / name, executor).missing
    assert dataset(tmp_path / "ray") == dataset(tmp_path / "serial")


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the command builds in local processes."""
    out = tmp_path_factory.mktemp("serial") / "out"
    assert unco(out).returncode == 0
    return dataset(out)


def unco(out: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = (*UNCO, *BUILD, "--out", str(out), *options)
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


@pytest.mark.extras
def test_the_command_starts_an_engine_of_its_own_and_leaves_nothing(
    serial: dict[str, bytes], nothing_is_left: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    done = unco(tmp_path / "out", "--ray", "local", "--workers", "2", TMPDIR=str(nothing_is_left), HOME=str(home))
    assert (done.returncode, done.stderr) == (0, "")
    assert dataset(tmp_path / "out") == serial
    assert list(home.iterdir()) == []


@pytest.mark.extras
def test_proofs_on_ray_say_what_others_say(ray: RayExecutor) -> None:
    for options in (("--groups", "3", "--no-sufficient"), ("--family", "--no-advice")):
        command = ["prove", "underground-superintendent", *options, "--json"]
        said = [CliRunner().invoke(application(), [*command, *where]) for where in ((), ("--ray", "local"))]
        assert [done.exit_code for done in said] == [said[0].exit_code] * 2
        assert said[0].stdout == said[1].stdout


@contextmanager
def engine_of_others(folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """An engine that somebody else has started, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = (sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--num-cpus=2",
               f"--port={port}", "--node-ip-address=127.0.0.1", "--include-dashboard=false", "--disable-usage-stats",
               f"--temp-dir={folder}", f"--object-store-memory={100 << 20}")  # fmt: skip
    told = folder / "told"
    with told.open("w") as sink:
        head = subprocess.Popen(command, env=environment, stdout=sink, stderr=sink, start_new_session=True)
    try:
        until = time.monotonic() + 60
        while "Ray runtime started" not in told.read_text() and time.monotonic() < until and head.poll() is None:
            time.sleep(0.1)
        assert head.poll() is None, told.read_text()
        yield f"127.0.0.1:{port}"
    finally:
        head.terminate()
        try:
            head.wait(SOON)
        except subprocess.TimeoutExpired:
            os.killpg(head.pid, signal.SIGKILL)
            raise


@pytest.mark.extras
def test_the_command_joins_an_engine_and_leaves_it_standing(
    serial: dict[str, bytes], nothing_is_left: Path, tmp_path: Path
) -> None:
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    with engine_of_others(nothing_is_left, {**os.environ, **token}) as address:
        for name in ("first", "second"):
            done = unco(tmp_path / name, "--ray", address, "--workers", "2", **token)
            assert (done.returncode, done.stderr) == (0, "")
            assert dataset(tmp_path / name) == serial
        with long_build(tmp_path / "long", nothing_is_left, address, **token) as started:
            os.killpg(started.pid, signal.SIGINT)
            started.communicate(timeout=60)
        assert started.returncode == Exit.INTERRUPTED
        assert ends(engine_processes("ray::_work"))
        other = {**token, "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        refused = unco(tmp_path / "third", "--ray", address, **other)
        assert refused.returncode == Exit.MACHINE
        assert refused.stderr.startswith(f"unco: error UNC901: no Ray engine could be joined at {address}: ")
        assert refused.stderr.count("\n") == 1


@pytest.mark.extras
def test_an_address_where_nobody_listens_is_told_at_once(tmp_path: Path) -> None:
    started = time.monotonic()
    done = unco(tmp_path / "out", "--ray", "127.0.0.1:1")
    assert done.returncode == Exit.MACHINE
    assert "error UNC901: no Ray engine could be joined at 127.0.0.1:1: Connection refused" in done.stderr
    assert time.monotonic() - started < 20
    assert not (tmp_path / "out").exists()


@pytest.mark.extras
def test_an_address_that_does_not_answer_is_given_up(nothing_is_left: Path) -> None:
    script = "import sys; from unco.compiler.ray_executor import *; from unco.compiler.executor import call\n"
    script += "call(abs, -1, RayExecutor(sys.argv[1], reach=5))"
    started = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        done = subprocess.run((sys.executable, "-c", script, address), capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(f"could be joined at {address}: it gave no answer for 5 s")
    assert time.monotonic() - started < 30


# Ends ----------------------------------------------------------------------------------------------------------------


@contextmanager
def long_build(out: Path, folder: Path, address: str = "local", **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A build that would take hours, once its store has something."""
    command = (*UNCO, "build", "underground-superintendent", "--groups", "100000", "--out", str(out), "--ray", address)
    environment = {**os.environ, "TMPDIR": str(folder), **environment}
    started = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until = time.monotonic() + 60
    while not (out / "run.sqlite").exists() and time.monotonic() < until and started.poll() is None:
        time.sleep(0.1)
    time.sleep(1)
    yield started
    if started.poll() is None:
        started.kill()
        started.wait()


@pytest.mark.extras
def test_an_interrupt_ends_the_engine_too(nothing_is_left: Path, tmp_path: Path) -> None:
    with long_build(tmp_path / "out", nothing_is_left) as started:
        os.killpg(started.pid, signal.SIGINT)
        said, told = started.communicate(timeout=60)
    assert (started.returncode, said, told) == (Exit.INTERRUPTED, "", "interrupted; the same command continues\n")


@pytest.mark.extras
def test_the_engine_of_a_killed_build_ends_and_the_next_one_clears_away_its_files(
    nothing_is_left: Path, tmp_path: Path
) -> None:
    before = set(engine_processes())
    with long_build(tmp_path / "out", nothing_is_left) as started:
        engine = [each for each in engine_processes() if each not in before]
        assert engine
        os.kill(started.pid, signal.SIGKILL)
        started.communicate(timeout=60)
    assert ends([each for each in engine if "Agent" not in command_of(each)])
    assert ends(engine, AGENTS)
    (left,) = nothing_is_left.glob("unco-ray-*")
    code = "import sys; from unco.compiler.ray_executor import *; from unco.compiler.executor import call\n"
    code += "print(call(abs, -1, RayExecutor()))"
    environment = {**os.environ, "TMPDIR": str(nothing_is_left)}
    done = subprocess.run((sys.executable, "-c", code), env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "1\n", done.stderr
    assert not left.exists()
