"""`python -m benchmarks [NAME ...]`: every benchmark, or those that are named, as tables or as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import (
    build_memory,
    build_rate,
    checking,
    drafting,
    executors,
    family_proofs,
    growth,
    instance_proofs,
    llm_calls,
    llm_concurrency,
    reader,
    rivals,
    start_up,
)
from benchmarks.usage import machine
from unco.specs.shipped import shipped_specifications

SHIPPED = shipped_specifications()
ONE = SHIPPED["underground-superintendent"]
"""The specification that is taken where one is enough."""


class Benchmark(NamedTuple):
    """A benchmark: what it measures, how many groups it takes by itself, and how it measures, tells and shows."""

    about: str
    groups: int | None
    measure: Callable[[list[Path], int], Any]
    told: Callable[[Any], Any]
    show: Callable[[Any], None]


BENCHMARKS: Mapping[str, Benchmark] = {
    "family_proofs": Benchmark(
        "proofs for every instance at once",
        None,
        lambda paths, _: list(family_proofs.measure(paths)),
        family_proofs.told,
        family_proofs.show,
    ),
    "rivals": Benchmark(
        "certified instances a second against Z3, cvc5, CP-SAT and clingo",
        rivals.GROUPS,
        lambda paths, groups: list(rivals.measure(paths, groups)),
        rivals.told,
        rivals.show,
    ),
    "checking": Benchmark(
        "the checker that ships with a dataset, on facts alone and on texts",
        checking.GROUPS,
        checking.measure,
        checking.told,
        checking.show,
    ),
    "growth": Benchmark(
        "more instances, roles, conditions and candidates",
        growth.GROUPS,
        lambda _, groups: growth.measure(groups),
        growth.told,
        growth.show,
    ),
    "instance_proofs": Benchmark(
        "proofs of one group after the other against a script",
        instance_proofs.GROUPS,
        lambda paths, groups: list(instance_proofs.measure(paths, groups)),
        instance_proofs.told,
        instance_proofs.show,
    ),
    "start_up": Benchmark(
        "how long commands take to start",
        None,
        lambda *_: start_up.measure(),
        start_up.told,
        start_up.show,
    ),
    "build_rate": Benchmark(
        "groups built a second, with texts",
        build_rate.GROUPS,
        build_rate.measure,
        build_rate.told,
        build_rate.show,
    ),
    "build_memory": Benchmark(
        "memory of a build of many groups",
        build_memory.GROUPS,
        lambda _, groups: build_memory.measure(ONE, groups),
        build_memory.told,
        build_memory.show,
    ),
    "executors": Benchmark(
        "local processes and Ray, and facts by two processes against one",
        executors.GROUPS,
        lambda _, groups: executors.measure(ONE, groups),
        executors.told,
        executors.show,
    ),
    "drafting": Benchmark(
        "specifications drafted a minute by the grammar, with their checks",
        drafting.SPECIFICATIONS,
        lambda _, specifications: drafting.measure(specifications),
        drafting.told,
        drafting.show,
    ),
    "llm_calls": Benchmark(
        "calls of LLMs a retained group",
        llm_calls.GROUPS,
        lambda _, groups: llm_calls.measure(groups),
        llm_calls.told,
        llm_calls.show,
    ),
    "reader": Benchmark(
        "tasks solved by the reader from their texts alone",
        reader.TASKS,
        reader.measure,
        reader.told,
        reader.show,
    ),
    "llm_concurrency": Benchmark(
        "many calls to an LLM at once, against the ideal",
        None,
        lambda *_: llm_concurrency.measure(),
        llm_concurrency.told,
        llm_concurrency.show,
    ),
}


def main(given: Sequence[str] | None = None) -> None:
    """Measure and print."""
    arguments = _arguments(given)
    paths = [path for name, path in SHIPPED.items() if name in (arguments.of or SHIPPED)]
    data: dict[str, Any] = {"machine": machine()}
    if not arguments.json:
        print(f"{data['machine']}\n")
    for name in arguments.names or BENCHMARKS:
        benchmark = BENCHMARKS[name]
        found = benchmark.measure(paths, arguments.groups or benchmark.groups or 0)
        data[name] = benchmark.told(found)
        if name == "growth" and arguments.picture is not None:
            arguments.picture.write_text(growth.picture(found), encoding="utf-8")
        if not arguments.json:
            benchmark.show(found)
            print(flush=True)
    if arguments.json:
        print(json.dumps({**data, "load_at_the_end": machine()["load"]}, indent=2))


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    listed = "\n".join(f"  {name:<18}{each.about}{_by_itself(each)}" for name, each in BENCHMARKS.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"Measure on this machine.\n\nbenchmarks:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="which benchmarks; without one, all")
    parser.add_argument("--groups", type=int, help="how many groups or instances, in place of the number above")
    parser.add_argument(
        "--of", action="append", metavar="SPEC", choices=SHIPPED, help="this shipped specification; may be repeated"
    )
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw `growth` as SVG into this file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args(given)
    unknown = [name for name in arguments.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark is named {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    if arguments.groups is not None and arguments.groups < 2:
        parser.error(f"--groups {arguments.groups}: a rate needs two groups at least")
    return arguments


def _by_itself(benchmark: Benchmark) -> str:
    return f" ({benchmark.groups:,})" if benchmark.groups else ""


if __name__ == "__main__":
    main()
