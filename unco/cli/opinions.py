"""The second opinion of another solver, for `unco verify --solver`: asked, and told as a table."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from unco.cli.output import counted, say, table, tell

if TYPE_CHECKING:
    from pathlib import Path

    from unco.compiler.executor import Executor
    from unco.compiler.second_opinion import Answered, Options

WIDTH = 24


def ask_another(folder: Path, options: Options, executor: Executor) -> Mapping[str, Any]:
    """The opinion on every UNSAT claim of a dataset, as plain data; faults are told at once."""
    from unco.compiler.second_opinion import second_opinion, summary

    answered = second_opinion(folder, options, executor, _show)
    _clear()
    for each in answered:
        if each.is_fault:
            tell(f"{each.asked.specification}: {each.asked.claim}: {each.opinion.outcome.value}, {each.opinion.why}")
    return {**summary(answered, options), "by_specification": _by_specification(answered)}


def _by_specification(answered: Iterable[Answered]) -> Mapping[str, Mapping[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for each in answered:
        count = counts.setdefault(each.asked.specification, Counter())
        count.update({each.opinion.outcome.value: 1, "steps": each.opinion.steps, "trusted": each.opinion.trusted})
    return {name: dict(count) for name, count in counts.items()}


def tell_opinions(found: Mapping[str, Any]) -> None:
    """The table, what was not re-proved, and what it comes to."""
    outcomes: Mapping[str, int] = found["outcomes"]
    head = ("specification", *outcomes, "proof steps", "trusted")
    say(table(head, _rows(found["by_specification"], tuple(outcomes))))
    left = [each for each in found["answers"] if each["outcome"] != "re-proved"]
    for each in left:
        say(f"{each['specification']}: {each['claim']}: {each['outcome']}, {each['why']}")
    share = f", {found['trusted'] * 100 / found['steps']:.1f}% of their steps trusted" if found["steps"] else ""
    questions = counted(found["questions"], "UNSAT claim")
    say(f"{found['solver']} {found['version']}: {questions}, {outcomes['re-proved']:,} re-proved{share}")


def _rows(counts: Mapping[str, Mapping[str, int]], outcomes: Sequence[str]) -> Iterator[Sequence[str]]:
    for name, count in counts.items():
        yield name, *(f"{count.get(column, 0):,}" for column in (*outcomes, "steps", "trusted"))


def _show(done: int, wanted: int) -> None:
    """A line on standard error that says how far it is; nothing where that is no terminal."""
    if sys.stderr.isatty():
        drawn = "#" * (done * WIDTH // max(1, wanted))
        print(f"\r\x1b[K[{drawn:<{WIDTH}}]  {done}/{wanted} UNSAT claims", end="", file=sys.stderr, flush=True)


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
