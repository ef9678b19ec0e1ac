"""What a reviewer would count in the finished tasks: who wins, names and titles that return, texts alike, results."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from unco.compiler.drafting.near import Print
from unco.compiler.guesses.interval import decimal
from unco.compiler.read_build import lines
from unco.compiler.summarizing.likeness import Nearest, median_and_most, nearest
from unco.specs.group import Setting

NOBODY = "nobody"
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Wording:
    """Of the groups of a run, by their Reliable tasks."""

    winners: dict[str, int]
    """Groups by the place of the winner, counted from 1, or `nobody`."""
    titles_again: int
    """Groups whose title an earlier one has."""
    names: int
    """Names of candidates."""
    names_again: int
    """Of these, names that an earlier group has."""
    nearest: tuple[Nearest, ...]
    """For each task, the other one that shares most words with its instructions."""
    digits: dict[int, int]
    """Results by the digits before the point; 0 where that is 0."""
    negative: int
    """Results below zero."""

    def as_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        median, most = median_and_most(self.nearest)
        return {
            "winners": self.winners,
            "titles_again": self.titles_again,
            "names": self.names,
            "names_again": self.names_again,
            "nearest_text": {"median": decimal(median), "most": decimal(most)},
            "result_digits": {str(digits): many for digits, many in self.digits.items()},
            "negative_results": self.negative,
        }


def wording(path: Path) -> Wording:
    """Of a file of tasks: one task a group is read."""
    mark = f'"setting": {json.dumps(Setting.RELIABLE.value)}'
    tasks = [data for data, _ in lines(path, mark) if data is not None]
    names = [name for task in tasks for name in set(task["public"]["candidates"])]
    results = [Fraction(text) for task in tasks if (text := task["gold"]["answer"]["result"]) is not None]
    return Wording(
        winners=dict(sorted(Counter(map(_winner, tasks)).items())),
        titles_again=_again(task["public"]["title"] for task in tasks),
        names=len(names),
        names_again=_again(names),
        nearest=nearest([Print(task["id"], _words(task["public"]["instructions"]), ()) for task in tasks]),
        digits=dict(sorted(Counter(map(_digits, results)).items())),
        negative=sum(result < 0 for result in results),
    )


def _winner(task: Any) -> str:
    winner = task["gold"]["answer"]["candidate"]
    return NOBODY if winner is None else str(task["public"]["candidates"].index(winner) + 1)


def _again(texts: Iterable[str]) -> int:
    return sum(many - 1 for many in Counter(texts).values())


def _words(text: str) -> Counter[str]:
    return Counter(word.casefold() for word in _WORD.findall(text))


def _digits(result: Fraction) -> int:
    whole = int(abs(result))
    return len(str(whole)) if whole else 0
