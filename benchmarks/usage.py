"""What work takes: seconds by the clock and of the processor, and memory; in this process or in one of its own.

Memory is read from `/proc`, which Linux has. Standard library alone, so that a process of its own starts small.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Usage:
    """Seconds by the clock and of the processor, and the most resident MiB of the process until then."""

    wall: float
    cpu: float
    peak: float


class Resident(NamedTuple):
    """Resident MiB of a process, now and at most."""

    now: float
    peak: float


def measured(work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> tuple[Result, Usage]:
    """What the work gives and takes, here; the processor's seconds are those of this process alone."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work(*given, **named)
    return result, Usage(time.perf_counter() - wall, time.process_time() - cpu, resident(os.getpid()).peak)


def alone(work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
    """The same in a process of its own, so that the memory of other work does not count."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *given, **named).result()


def resident(process: int) -> Resident:
    """What a process holds."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace").splitlines()
    entries = dict(line.split(":", 1) for line in lines if ":" in line)
    now, peak = (int(entries.get(name, "0 kB").split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
    return Resident(now, peak)


def machine() -> dict[str, Any]:
    """Where and under what load figures are taken."""
    return {
        "cores": len(os.sched_getaffinity(0)),
        "load": [round(each, 2) for each in os.getloadavg()],
        "python": platform.python_version(),
        "z3": version("z3-solver"),
        "time": time.strftime("%Y-%m-%d %H:%M"),
    }
