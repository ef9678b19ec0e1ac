"""Start-up times and peak memory of commands, each the median of several runs in a process of its own."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

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
    """Median seconds, and the peak memory in MiB of any run so far."""

    command: str
    seconds: float
    memory: float


def measure(runs: int = RUNS) -> list[StartUp]:
    """One row a command."""
    return [_measure(name, arguments, runs) for name, arguments in COMMANDS]


def _measure(name: str, arguments: list[str], runs: int) -> StartUp:
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return StartUp(name, statistics.median(times), memory)
