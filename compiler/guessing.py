"""guessing: how well answers can be guessed without the defective fact, by setting; and what gives them away.

The *guess ceiling* of a setting is the best score of who has everything but the defective fact. `observe` looks at one
group, in whatever process; `Guessing` adds up observations, in any order.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from unco.compiler.guesses.ceiling import Ceiling
from unco.compiler.guesses.guessers import Guess, guesses, likeliest, priors
from unco.compiler.guesses.outlook import Onlooker, Outlook
from unco.compiler.guesses.picture import picture
from unco.compiler.guesses.sight import Sight, sights
from unco.compiler.guesses.tells import Tells, tells
from unco.specs.evidence import Exact
from unco.specs.family import Family
from unco.specs.group import CandidateGroup, Setting

__all__ = ["Guessing", "Observation", "observe", "picture"]

Observation: TypeAlias = dict[str, Any]
"""What one group adds: plain JSON of texts, whole numbers, lists and mappings."""


def observe(family: Family, group: CandidateGroup) -> Observation:
    """What every guesser gets right in every setting of the group, and what a reviewer would count."""
    onlooker = Onlooker(family, group.instance, f"{family.digest}/{group.index}")
    seen = {setting.value: _seen(onlooker, group, sight) for setting, sight in sights(family, group)}
    return {
        "specification": family.name,
        "fold": (int(family.digest, 16) + group.index) % 2,
        "settings": {Setting.RELIABLE.value: _blind(family, group)} | {name: each for name, (each, _) in seen.items()},
        "tells": tells(family, group, {name: outlooks for name, (_, outlooks) in seen.items()}),
    }


def _blind(family: Family, group: CandidateGroup) -> dict[str, Any]:
    """Reliable has no defect: its row is what an agent scores that asks nobody."""
    return {"features": [], "guesses": _graded(priors(family.candidates), group)}


def _seen(onlooker: Onlooker, group: CandidateGroup, sight: Sight) -> tuple[dict[str, Any], list[Outlook]]:
    numbers = range(onlooker.family.candidates)
    outlooks = [onlooker.outlook(sight.evidence, number) for number in numbers]
    misled = None
    if sight.face:
        believed = sight.evidence.with_knowledge({cell: Exact(value) for cell, value in sight.face.items()})
        misled = [onlooker.outlook(believed, number) for number in numbers]
    features = _features(onlooker.family, sight, outlooks, misled)
    return {"features": features, "guesses": _graded(guesses(outlooks, misled), group)}, outlooks


def _graded(made: dict[str, Guess], group: CandidateGroup) -> dict[str, int]:
    """By guesser: 0 for a wrong decision, 1 for the right decision and candidate, 2 for the right result too."""
    return {name: guess.decides(group.outcome) + guess.answers(group.outcome) for name, guess in made.items()}


def _features(family: Family, sight: Sight, outlooks: list[Outlook], misled: list[Outlook] | None) -> list[str]:
    """What tells groups apart that a guesser looks at, from the coarsest to the finest."""
    possible = [each for each in outlooks if each.possible]
    certain = sum(each.chance == 1 for each in outlooks)
    known = all(each.determined for each in possible)
    return [
        f"{len(possible)} possible, {certain} certain, result {'known' if known else 'open'}",
        f"aimed at {sight.decides}",
        f"{_in_words(likeliest(misled), outlooks)} at face value" if misled else "nothing misleads",
        f"{_in_words(likeliest(outlooks), outlooks)} is likeliest",
        f"{sum(each.failed == 1 for each in outlooks)} fail one known condition",
        family.name,
        sight.target,
    ]


def _in_words(guess: Guess, outlooks: list[Outlook]) -> str:
    """Who a guess names, by the place among those that are possible."""
    if guess.candidate is None:
        return "none"
    possible = [number for number, each in enumerate(outlooks) if each.possible]
    return f"possible {possible.index(guess.candidate) + 1}" if guess.candidate in possible else "another"


class Guessing:
    """Observations added up: memory does not grow with their number."""

    def __init__(self) -> None:
        self.ceiling = Ceiling()
        self.tells = Tells()

    def add(self, observation: Observation) -> None:
        """Take one group in."""
        self.ceiling.add(observation["specification"], observation["fold"], observation["settings"])
        self.tells.add(observation["tells"])

    def report(self) -> dict[str, Any]:
        """The ceilings by setting and by specification, and the tells; counts and decimal texts, no float."""
        return {**self.ceiling.report(), "tells": self.tells.report()}
