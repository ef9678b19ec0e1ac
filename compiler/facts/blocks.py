"""Blocks: cells that rules tie together, drawn step by step until each rule is as it should be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from unco.compiler.facts.proposals import BITS, Bits, Proposals
from unco.solver.closures.parts import Row
from unco.solver.operators.operator import Undefined

TRIES = 60
"""So often the cells of a step are drawn before its block begins anew."""
RESTARTS = 12

Check = Callable[[Row], Any]
Guard = tuple[int, int, int]
"""The place of a member, that of the size of the group, and the least place there with which the member exists."""


@dataclass(frozen=True)
class Step:
    """Cells that are drawn together, and what must hold then. Members who do not exist hold place 0."""

    draws: tuple[tuple[int, Proposals], ...]
    guards: tuple[Guard, ...]
    checks: tuple[Check, ...]

    @property
    def is_plain(self) -> bool:
        """Whether its cells come from tables alone, and nothing is asked of them."""
        return not (self.guards or self.checks or any(proposals.specials for _, proposals in self.draws))


class Block:
    """Steps in order."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = [
            (
                [(place, each.entries, each.specials, each.last, each.plain) for place, each in step.draws],
                step.guards,
                step.checks,
            )
            for step in steps
        ]
        self.restarts = RESTARTS if len(steps) > 1 else 1

    def fill(self, row: list[int], bits: Bits) -> bool:
        """Fill the places of the block; false where the tries are used up."""
        for _ in range(self.restarts):
            for draws, guards, checks in self.steps:
                for _ in range(TRIES):
                    for place, entries, specials, last, plain in draws:
                        drawn = entries[bits(BITS)]
                        if drawn < 0:
                            drawn = specials[~drawn](row, bits)
                            if not 0 <= drawn <= last:
                                drawn = plain[bits(BITS) * len(plain) >> BITS] if plain else 0
                        row[place] = drawn
                    for place, size, least in guards:
                        if row[size] < least:
                            row[place] = 0
                    if _all_hold(checks, row):
                        break
                else:
                    break
            else:
                return True
        return False


def _all_hold(checks: Sequence[Check], row: Row) -> bool:
    try:
        for check in checks:
            if not check(row):
                return False
    except Undefined:
        return False
    return True
