"""The guess ceiling by setting: what the best guesser of each kind of group gets right.

Groups that look alike to a guesser are a class. In hindsight, each class has the guesser that is right most often in
it. That is too good, since the choice has seen the answers: with many small classes, chance alone makes some guesser
look clever. Across two folds, the choice is made on one half of the groups and scored on the other, and the other way
round. The groups of a family alternate between the folds, and half of all families begin with each: so there are two
folds where each family has one group, too. Classes are told apart at several levels of detail; the ceiling is that of
the best level.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from unco.compiler.guesses.guessers import WARNED
from unco.compiler.guesses.interval import decimal, wilson
from unco.specs.group import Setting

ASPECTS = ("decision", "answer")
"""The decision with its candidate, and decision and result both."""
DETAIL = (7, 5, 4, 3, 2, 1, 0)
"""How many of a class's features tell groups apart, by level: from everything seen to one class for all groups."""
SHOWN = 3
"""The level of detail at which the classes themselves are reported."""
MOST = 12
"""So many classes are reported of each setting, those with the most right guesses."""
PRIOR = ("none", "position")
"""The guessers that look at nothing, by the first word of their names."""
FACE = 2
"""The feature that says what a misaligned reply comes to at face value."""
Feature: TypeAlias = tuple[str, ...]
Score: TypeAlias = dict[str, Any]
Kinds: TypeAlias = dict[tuple[int, Feature], Counter[str]]
"""By fold and features: how often each guesser is right."""


class Class(NamedTuple):
    """Groups that look alike in a setting; one fold of them. Features stand from the coarsest to the finest."""

    setting: str
    specification: str
    features: Feature
    fold: int


class Ceiling:
    """Counts of many groups: memory grows with the classes, not with the groups."""

    def __init__(self) -> None:
        self.groups: Counter[Class] = Counter()
        self.asked: Counter[tuple[str, str]] = Counter()
        """By setting and guesser: of how many groups it said something."""
        self.right: defaultdict[Class, tuple[Counter[str], Counter[str]]] = defaultdict(lambda: (Counter(), Counter()))
        """By guesser: how often the decision, and how often the whole answer, was right; none that never was."""

    def add(self, specification: str, fold: int, settings: Mapping[str, Any]) -> None:
        """Take one group in: by setting, its features, and for each guesser 0, 1 (decision right) or 2 (all right)."""
        for setting, seen in settings.items():
            each = Class(setting, specification, tuple(seen["features"]), fold)
            self.groups[each] += 1
            self.asked.update((setting, name) for name in seen["guesses"])
            for aspect, counts in enumerate(self.right[each]):
                counts.update(name for name, grade in seen["guesses"].items() if grade > aspect)

    def report(self) -> dict[str, Any]:
        """The ceilings of all groups together and of each specification, by setting."""
        names = sorted({each.specification for each in self.groups})
        return {
            "settings": self._settings(self.groups, whole=True),
            "specifications": {
                name: self._settings([each for each in self.groups if each.specification == name], whole=False)
                for name in names
            },
        }

    def _settings(self, seen: Iterable[Class], *, whole: bool) -> dict[str, Any]:
        rows, every = {}, sorted(seen)
        for setting in Setting:
            classes = [each for each in every if each.setting == setting]
            if classes:
                rows[setting.value] = self._row(classes, whole)
        return rows

    def _row(self, classes: list[Class], whole: bool) -> dict[str, Any]:
        groups = sum(self.groups[each] for each in classes)
        row: dict[str, Any] = {"groups": groups}
        for aspect, name in enumerate(ASPECTS):
            right = self._totals(classes, aspect)
            totals = {guesser: right[guesser] for of, guesser in sorted(self.asked) if of == classes[0].setting}
            prior = max(number for guesser, number in totals.items() if guesser.split()[0] in PRIOR)
            row[name] = {
                "without_evidence": _score(prior, groups),
                "best_guesser": _score(max(totals.values()), groups),
                "in_hindsight": _score(self._hindsight(classes, aspect), groups),
                "two_fold": _score(self._two_fold(classes, aspect), groups),
                "unwarned": _score(self._two_fold(classes, aspect, warned=False), groups),
            }
            if whole:
                row[name]["guessers"] = totals
        return row | ({"patterns": self._patterns(classes)} if whole else {})

    def _totals(self, classes: Iterable[Class], aspect: int) -> Counter[str]:
        """How often each guesser is right."""
        totals: Counter[str] = Counter()
        for each in classes:
            totals.update(self.right[each][aspect])
        return totals

    def _hindsight(self, classes: list[Class], aspect: int) -> int:
        """Each class at its finest with the guesser that is right most often in it."""
        finest: dict[tuple[str, Feature], list[Class]] = {}
        for each in classes:
            finest.setdefault((each.specification, each.features), []).append(each)
        return sum(max(self._totals(kind, aspect).values(), default=0) for kind in finest.values())

    def _two_fold(self, classes: list[Class], aspect: int, *, warned: bool = True) -> int:
        """Guessers chosen on one fold and scored on the other, at the level of detail at which this does best, or
        nobody named at all, which needs no choice. `warned` is who knows that an answer at face value is never right.
        """
        counts: Kinds = {}
        for each in classes:
            seen = each.features if warned else each.features[:FACE] + each.features[FACE + 1 :]
            counts.setdefault((each.fold, seen), Counter()).update(self.right[each][aspect])
        most = sum(self.right[each][aspect]["none"] for each in classes)
        for detail in DETAIL:
            counts = _coarser(counts, detail)
            most = max(most, _scored(counts, warned))
        return most

    def _patterns(self, classes: list[Class]) -> list[dict[str, Any]]:
        """The kinds of groups in which most guesses are right, with the guesser that is."""
        rows = []
        kinds: dict[Feature, list[Class]] = {}
        for each in classes:
            kinds.setdefault(each.features[:SHOWN], []).append(each)
        for features, kind in kinds.items():
            totals = self._totals(kind, ASPECTS.index("answer"))
            best = _best(totals)
            rows.append((totals[best], features, best, sum(self.groups[each] for each in kind)))
        most = sorted(rows, key=lambda row: (-row[0], row[1]))[:MOST]
        return [
            {"pattern": list(features), "guesser": best, "right": right, "of": groups}
            for right, features, best, groups in most
        ]


def _coarser(counts: Kinds, detail: int) -> Kinds:
    """The counts of kinds that share their first features taken together."""
    merged: Kinds = {}
    for (fold, features), right in counts.items():
        merged.setdefault((fold, features[:detail]), Counter()).update(right)
    return merged


def _scored(counts: Kinds, warned: bool) -> int:
    """The groups of each fold with the choice of the other; where that has not seen a kind, with its best overall."""
    overall = [Counter[str](), Counter[str]()]
    for (fold, _), right in counts.items():
        overall[fold].update(right)
    usual = [_best(totals, warned) for totals in overall]
    return sum(
        right[_best(learnt, warned) if (learnt := counts.get((1 - fold, features))) else usual[1 - fold]]
        for (fold, features), right in counts.items()
    )


def _best(totals: Mapping[str, int], warned: bool = True) -> str:
    """The guesser that is right most often, the first by name of equals; `none` where nothing was counted."""
    names = [name for name in totals if warned or name != WARNED]
    return min(names, key=lambda name: (-totals[name], name), default=PRIOR[0])


def _score(right: int, groups: int) -> Score:
    low, high = wilson(right, groups)
    return {"right": right, "of": groups, "share": decimal(Fraction(right, groups)), "interval": [low, high]}
