"""The executor: results in order, and what hangs, dies or needs too much memory ends as an InfrastructureError."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from unco.compiler.executor import Executor, ProcessExecutor, SerialExecutor, call
from unco.solver.decide import why_unknown
from unco.specs.errors import InfrastructureError, UsageError

MEBIBYTE = 1 << 20


def square(number: int) -> int:
    return number * number


def late_when_early(number: int) -> int:
    time.sleep(0.2 if number == 0 else 0)
    return number


def hang(number: int) -> int:
    time.sleep(1_000)
    return number


def take_memory(number: int) -> int:
    return len(bytearray(1_000 * MEBIBYTE))


def die_at_one(number: int) -> int:
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_once(work: tuple[str, int]) -> int:
    """Kills its worker where nobody has done so for this number."""
    folder, number = work
    try:
        os.mkdir(os.path.join(folder, str(number)))
    except FileExistsError:
        return number
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def tell_and_hang(path: str) -> int:
    Path(path).write_text(str(os.getpid()))
    time.sleep(1_000)
    return 0


def refuse(number: int) -> int:
    raise UsageError("no")


@pytest.fixture(autouse=True)
def _no_worker_is_left() -> Iterator[None]:
    yield
    until = time.monotonic() + 10
    while multiprocessing.active_children() and time.monotonic() < until:
        time.sleep(0.05)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("executor", [SerialExecutor(), ProcessExecutor(2)])
def test_results_come_in_the_order_of_the_chunks(executor: Executor) -> None:
    assert list(executor.map(late_when_early, range(5))) == list(range(5))
    assert call(square, 3, executor) == 9


def test_a_hanging_worker_is_killed() -> None:
    started = time.monotonic()
    with pytest.raises(InfrastructureError, match="gave no answer"):
        list(ProcessExecutor(1, seconds=1).map(hang, [0]))
    assert time.monotonic() - started < 30


@dataclass(frozen=True)
class Worded:
    """A chunk with words of its own."""

    words: str


def hang_at(chunk: Worded) -> int:
    return hang(0)


def test_the_error_of_a_hanging_worker_names_what_it_worked_at_and_what_gives_it_more_time() -> None:
    with pytest.raises(
        InfrastructureError, match=r"for \d+ s about vacation-days, candidate group 3 and .* --timeout$"
    ):
        list(ProcessExecutor(1, seconds=1).map(hang_at, [Worded("vacation-days, candidate group 3")]))


def test_a_worker_that_needs_too_much_memory_is_no_verdict() -> None:
    with pytest.raises(InfrastructureError, match=r"more than|ran out of memory"):
        list(ProcessExecutor(1, memory=600 * MEBIBYTE).map(take_memory, [0]))


def test_a_worker_that_dies_while_nobody_waits_for_it_is_an_infrastructure_error() -> None:
    results = ProcessExecutor(1).map(die_at_one, range(6))
    assert next(results) == 0
    time.sleep(1)
    with pytest.raises(InfrastructureError, match="run the command again"):
        list(results)


def test_the_work_of_killed_workers_is_done_again_and_comes_in_order(tmp_path: Path) -> None:
    work = [(str(tmp_path), number) for number in range(3)]
    (tmp_path / "1").mkdir()
    assert list(ProcessExecutor(2).map(die_once, work)) == [0, 1, 2]


def test_a_caller_may_have_more_to_do_once_it_knows_a_result() -> None:
    for executor in (SerialExecutor(), ProcessExecutor(2)):
        due, found = [3], []
        for result in executor.feed(square, lambda due=due: due.pop() if due else None):  # type: ignore[misc]
            found.append(result)
            if len(found) < 3:
                due.append(result % 7)
        assert found == [9, 4, 16]


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "worker"
    code = "from tests.compiler.test_executor import *\n"
    code += f"if __name__ == '__main__': call(tell_and_hang, {str(told)!r}, ProcessExecutor(1))"
    root = Path(__file__).parents[2]
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=root)
    until = time.monotonic() + 60
    while not (told.exists() and told.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    worker = int(told.read_text())
    parent.kill()
    parent.wait()
    while runs(worker) and time.monotonic() < until:
        time.sleep(0.05)
    assert not runs(worker)


def runs(process: int) -> bool:
    """Whether the process is there and has not ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_caller_that_has_enough_ends_the_workers() -> None:
    assert next(iter(ProcessExecutor(2).map(square, range(1_000)))) == 0


def test_errors_of_the_work_itself_come_through() -> None:
    with pytest.raises(UsageError, match="no"):
        call(refuse, 0, ProcessExecutor(1))


class _WithoutMemory:
    """A solver as Z3 behaves at the memory cap: it says unknown, with a reason."""

    def reason_unknown(self) -> str:
        return "out of memory"


def test_a_solver_without_memory_gives_no_verdict() -> None:
    with pytest.raises(InfrastructureError, match="out of memory"):
        why_unknown(_WithoutMemory())
