"""What work takes is told for the work alone."""

from __future__ import annotations

import os
import time

from benchmarks.usage import alone, machine, measured, resident


def test_waiting_takes_time_and_no_processor() -> None:
    _, usage = measured(time.sleep, 0.2)
    assert usage.wall >= 0.2
    assert usage.cpu < 0.1


def test_work_alone_runs_in_another_process_that_is_small() -> None:
    held = bytearray(200 << 20)
    number, usage = alone(measured, os.getpid)
    assert number != os.getpid()
    assert usage.peak < 100 < len(held) >> 20 < resident(os.getpid()).peak


def test_the_machine_is_told() -> None:
    assert {"cores", "load", "python", "z3"} <= set(machine())
