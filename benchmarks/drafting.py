"""Drafting by the scenario grammar: specifications a minute on one core with their checks, and what is kept of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from unco.compiler.draft import draft
from unco.compiler.drafting.by_grammar import GrammarDrafter
from unco.compiler.drafting.candidate import Candidate
from unco.compiler.drafting.ledger import Ledger
from unco.compiler.executor import Chunk, Result, SerialExecutor

SPECIFICATIONS = 100
SHOWN = 8


@dataclass(frozen=True)
class Timed(SerialExecutor):
    """One check after the other, each with its seconds of the processor and its verdict."""

    checks: list[tuple[Any, float, Any]] = field(default_factory=list)

    def map(self, function: Callable[[Chunk], Result], chunks: Iterable[Chunk]) -> Iterator[Result]:
        for chunk in chunks:
            started = time.process_time()
            result = function(chunk)
            self.checks.append((chunk, time.process_time() - started, result))
            yield result


@dataclass(frozen=True)
class Drafting:
    """Seconds are of the processor."""

    wanted: int
    candidates: tuple[Candidate, ...]
    seconds: float
    checking: float
    slowest: tuple[tuple[str, float], ...]
    """Of the checks, by specification."""
    findings: tuple[tuple[str, str], ...]
    """Of the checks, errors and warnings: the specification and the code."""

    @property
    def kept(self) -> int:
        return sum(each.kept for each in self.candidates)

    @property
    def a_minute(self) -> float:
        return 60 * self.kept / self.seconds


def measure(specifications: int = SPECIFICATIONS) -> Drafting:
    """The reading of the skeletons lies within."""
    executor = Timed()
    started = time.process_time()
    made = [each for batch in draft(specifications, GrammarDrafter(executor=executor), Ledger()) for each in batch]
    seconds = time.process_time() - started
    by_time = sorted(((each.name, taken) for each, taken, _ in executor.checks), key=lambda row: (-row[1], row[0]))
    findings = [(each.name, found.code) for each, _, verdict in executor.checks for found in verdict.diagnostics]
    checking = sum(taken for _, taken, _ in executor.checks)
    return Drafting(specifications, tuple(made), seconds, checking, tuple(by_time[:SHOWN]), tuple(sorted(findings)))


def told(found: Drafting) -> dict[str, Any]:
    return {
        "wanted": found.wanted,
        "kept": found.kept,
        "candidates": len(found.candidates),
        "cells": len({(each.domain, each.operation) for each in found.candidates if each.kept}),
        "rejected": dict(Counter(each.rejection.code for each in found.candidates if each.rejection)),
        "seconds": found.seconds,
        "checking": found.checking,
        "a_minute": found.a_minute,
        "slowest": dict(found.slowest),
        "findings": [list(each) for each in found.findings],
    }


def show(found: Drafting) -> None:
    rejected = Counter(each.rejection.code for each in found.candidates if each.rejection)
    codes = ", ".join(f"{code} {many}" for code, many in sorted(rejected.items())) or "none"
    print(f"Drafting: {found.kept} of {len(found.candidates)} specifications kept; rejected: {codes}")
    print(f"{'a minute, on one core':<32}{found.a_minute:>10.0f}")
    print(f"{'share of the checks':<32}{100 * found.checking / found.seconds:>9.0f}%")
    for name, seconds in found.slowest:
        print(f"  slow to check: {name:<32}{seconds:>8.2f} s")
    for name, code in found.findings:
        print(f"  found: {code} in {name}")
