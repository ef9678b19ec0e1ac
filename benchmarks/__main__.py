"""`python -m benchmarks [NAME ...]`: every benchmark, or those that are named, as tables or as JSON."""

from __future__ import annotations

import argparse
import dataclasses
import json
import resource
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchmarks import build_memory, build_rate, executors, family_proofs, instance_proofs, start_up

AIM = 5
"""`prove` should be at least this many times faster than the script with fresh solvers."""
FAMILY_AIM = 1
"""Seconds that all claims of a family may take."""
MEMORY_OF = "underground_superintendent"
"""The specification whose groups are counted where memory is measured."""


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    folder = Path(str(files("unco.specs") / "references"))
    paths = sorted(path for path in folder.glob("*.yaml") if not path.name.endswith(".facts.yaml"))
    data: dict[str, Any] = {}
    for name in arguments.names or BENCHMARKS:
        found, show = BENCHMARKS[name](paths, arguments.groups)
        data |= found
        if not arguments.json:
            show()
            print(flush=True)
    if arguments.json:
        print(json.dumps(data, indent=2))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure on this machine.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(BENCHMARKS)}; without one, all")
    parser.add_argument("--groups", type=int, help="how many groups, in place of the number a benchmark has by itself")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark is named {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    if arguments.groups is not None and arguments.groups < 2:
        parser.error(f"--groups {arguments.groups}: a rate needs two groups at least")
    return arguments


Measured = tuple[Mapping[str, Any], Callable[[], None]]
"""What was found, by its name in the JSON, and what prints it as a table."""


def _families(paths: list[Path], groups: int | None) -> Measured:
    rows = list(family_proofs.measure(paths))
    return {"family_proofs": [dataclasses.asdict(row) for row in rows]}, lambda: _print_families(rows)


def _proofs(paths: list[Path], groups: int | None) -> Measured:
    rows = list(instance_proofs.measure(paths, groups or instance_proofs.GROUPS))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told = [{**dataclasses.asdict(row), "ratio": row.ratio} for row in rows]
    return {"instance_proofs": told, "peak_mib": peak}, lambda: _print_proofs(rows, peak)


def _starts(paths: list[Path], groups: int | None) -> Measured:
    rows = start_up.measure()
    return {"start_up": [dataclasses.asdict(row) for row in rows]}, lambda: _print_starts(rows)


def _rate(paths: list[Path], groups: int | None) -> Measured:
    found = build_rate.measure(paths, groups or build_rate.GROUPS)
    told = {
        **dataclasses.asdict(found),
        "rows": [{**dataclasses.asdict(row), "ratio": row.ratio} for row in found.rows],
        "store_cost": found.store_cost,
    }
    return {"build_rate": told}, lambda: _print_rate(found)


def _memory(paths: list[Path], groups: int | None) -> Measured:
    (path,) = (each for each in paths if each.stem == MEMORY_OF)
    found = build_memory.measure(path, groups or build_memory.GROUPS)
    told = {**dataclasses.asdict(found), "growth": found.growth, "late_growth": found.late_growth, "flat": found.flat}
    return {"build_memory": told}, lambda: _print_memory(found)


def _executors(paths: list[Path], groups: int | None) -> Measured:
    (path,) = (each for each in paths if each.stem == MEMORY_OF)
    rows = executors.measure(path, groups or executors.GROUPS)
    return {"executors": [dataclasses.asdict(row) for row in rows]}, lambda: _print_executors(rows)


BENCHMARKS: Mapping[str, Callable[[list[Path], int | None], Measured]] = {
    "family_proofs": _families,
    "instance_proofs": _proofs,
    "start_up": _starts,
    "build_rate": _rate,
    "build_memory": _memory,
    "executors": _executors,
}


def _print_families(rows: list[family_proofs.Row]) -> None:
    print("Family proofs: every claim for every group at once, seconds of the processor")
    print(f"{'specification':<32}{'claims':>8}{'proved':>8}{'refuted':>9}{'unknown':>9}{'vacuous':>9}{'seconds':>9}")
    for row in rows:
        counts = f"{row.claims:>8}{row.proved:>8}{row.refuted:>9}{row.unknown:>9}{row.vacuous:>9}"
        print(f"{row.specification:<32}{counts}{row.seconds:>9.2f}")
    print(f"Aim: at most {FAMILY_AIM} second a family")


def _print_proofs(rows: list[instance_proofs.Row], peak: float) -> None:
    print("Instance proofs: the same questions on the same groups, seconds")
    print(f"{'specification':<32}{'groups':>7}{'questions':>11}{'prove':>9}{'fresh':>9}{'times faster':>14}")
    for row in rows:
        times = f"{row.ours:>9.2f}{row.fresh:>9.2f}{row.ratio:>14.1f}"
        print(f"{row.specification:<32}{row.groups:>7}{row.questions:>11}{times}")
    print(f"Aim: at least {AIM} times. Peak memory of this process: {peak:.0f} MiB")


def _print_starts(rows: list[start_up.StartUp]) -> None:
    print(f"{'start-up, median of ' + str(start_up.RUNS):<40}{'seconds':>9}{'MiB':>8}")
    for row in rows:
        print(f"{row.command:<40}{row.seconds:>9.3f}{row.memory:>8.0f}")


def _print_rate(found: build_rate.BuildRate) -> None:
    print("Build rate: groups a second; proved is facts and proofs alone, built is the whole way into a folder")
    workers = f"{'one':>9}{'two':>9}"
    print(f"{'':<40}{'proved, workers':>18}{'built, workers':>18}")
    print(f"{'specification':<32}{'groups':>8}{workers}{workers}{'two to one':>12}")
    for row in found.rows:
        proved, built = f"{row.proved_by_one:>9.2f}{row.proved_by_two:>9.2f}", (row.built_by_one, row.built_by_two)
        print(f"{row.specification:<32}{row.groups:>8}{proved}{built[0]:>9.2f}{built[1]:>9.2f}{row.ratio:>12.2f}")
    print(f"In memory, one worker: {found.in_memory:.2f}, {found.store_cost:.2f} times the rate with a store")
    print(f"Store: {found.store_bytes:,.0f} bytes a group; dataset: {found.dataset_bytes:,.0f} bytes a group\n")
    print(f"{'candidate groups by phase':<32}{'phase':<12}{'candidates':>12}{'rejected':>10}{'accepted':>10}")
    for phase in found.phases:
        if phase.rejected or phase.specification == build_rate.ALL:
            counts = f"{phase.candidates:>12}{phase.rejected:>10}{phase.accepted:>10.1%}"
            print(f"{phase.specification:<32}{phase.phase:<12}{counts}")


def _print_memory(found: build_memory.Row) -> None:
    named = f"{found.groups:,} groups of {found.specification}, {found.seconds:,.0f} s"
    print(f"Memory of one run with {build_memory.WORKERS} workers: {named}; resident MiB, now and at most")
    print(f"{'groups':<24}{'leader':>9}{'at most':>9}{'worker':>9}{'at most':>9}")
    for reading in found.readings:
        _print_reading(f"{reading.groups:,}", reading)
    _print_reading("files written", found.exported)
    told = "flat" if found.flat else "not flat"
    print(
        f"With all groups: {found.growth:.2f} times the first reading, {found.late_growth:.2f} times the second: {told}"
    )


def _print_executors(rows: list[executors.Row]) -> None:
    print(f"Executors with {executors.WORKERS} workers: seconds until the first result, a chunk, a build")
    print(f"{'executor':<24}{'start':>9}{'chunk':>11}{'build':>9}")
    for row in rows:
        print(f"{row.executor:<24}{row.start:>9.2f}{row.chunk:>11.5f}{row.build:>9.2f}")
    if len(rows) < len(executors.EXECUTORS):
        print("Ray is not installed, and left out")


def _print_reading(name: str, reading: build_memory.Reading) -> None:
    leader, workers = (reading.leader, reading.leader_peak), (reading.workers, reading.workers_peak)
    print(f"{name:<24}" + "".join(f"{size:>9.0f}" for size in (*leader, *workers)))


if __name__ == "__main__":
    main()
