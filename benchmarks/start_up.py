"""Start-up of commands: seconds by the clock and of the processor, each the median of several runs, and memory.

Standard library alone, so that the process which starts a command adds no memory of its own.
"""

from __future__ import annotations

import dataclasses
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.usage import alone

RUNS = 7
COMMANDS = (
    ("python -c pass", ["-c", "pass"]),
    ("import unco", ["-c", "import unco"]),
    ("unco --help", ["-m", "unco", "--help"]),
    ("unco build --help", ["-m", "unco", "build", "--help"]),
    ("unco check (one specification)", ["-m", "unco", "check", "underground-superintendent"]),
)


@dataclass(frozen=True)
class StartUp:
    """Median seconds by the clock and of the processor, and the most MiB of any run."""

    command: str
    wall: float
    cpu: float
    memory: float


def measure(runs: int = RUNS) -> list[StartUp]:
    """One row a command."""
    return [alone(_measure, name, arguments, runs) for name, arguments in COMMANDS]


def _measure(name: str, arguments: list[str], runs: int) -> StartUp:
    times = [_timed(arguments) for _ in range(runs)]
    wall, cpu = (statistics.median(kind) for kind in zip(*times, strict=True))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return StartUp(name, wall, cpu, memory)


def _timed(arguments: list[str]) -> tuple[float, float]:
    """Seconds of a command by the clock and of the processor."""
    started, before = time.perf_counter(), _processor()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - started, _processor() - before


def _processor() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def told(rows: Sequence[StartUp]) -> list[dict[str, Any]]:
    """The rows as plain data."""
    return [dataclasses.asdict(row) for row in rows]


def show(rows: Sequence[StartUp]) -> None:
    """A line a command."""
    print(f"{'start-up, median of ' + str(RUNS):<40}{'wall s':>9}{'cpu s':>9}{'MiB':>8}")
    for row in rows:
        print(f"{row.command:<40}{row.wall:>9.3f}{row.cpu:>9.3f}{row.memory:>8.0f}")
