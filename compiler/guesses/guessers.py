"""The guessers: each gives an answer to what is seen, by one fixed rule, and knows nothing more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from unco.compiler.guesses.outlook import Number, Outlook
from unco.specs.instance import Outcome, Winner


@dataclass(frozen=True)
class Guess:
    """A candidate and a result, both None for the negative decision; a result of None beside a candidate is none."""

    candidate: int | None = None
    result: Number | None = None

    def decides(self, gold: Outcome) -> bool:
        """Whether the decision, and its candidate, are right."""
        return self.candidate == (gold.candidate if isinstance(gold, Winner) else None)

    def answers(self, gold: Outcome) -> bool:
        """Whether the whole answer is right."""
        return self.decides(gold) and (not isinstance(gold, Winner) or self.result == gold.result)


NONE = Guess()
WARNED = "anything but face value"
"""The guesser that knows that an answer at face value is never right."""


def priors(candidates: int) -> dict[str, Guess]:
    """Those that look at nothing: no candidate, or always the one at the same position."""
    return {"none": NONE} | {f"position {number + 1}": Guess(number) for number in range(candidates)}


def guesses(outlooks: Sequence[Outlook], misled: Sequence[Outlook] | None) -> dict[str, Guess]:
    """What each guesser says. `misled` are the outlooks of who reads a misaligned reply as if it were meant."""
    made = priors(len(outlooks))
    made |= {name: _at(outlooks, part) for part, name in enumerate(("lowest", "middle", "highest"))}
    made |= {"open conditions fail": _certain(outlooks), **dict(_possible(outlooks))}
    if misled is not None:
        face = likeliest(misled)
        made |= {"face value": face, WARNED: likeliest(outlooks, face)}
    return made | {"likeliest": likeliest(outlooks)}


def _named(number: int, outlooks: Sequence[Outlook]) -> Guess:
    """The candidate with its most common result."""
    return Guess(number, next(iter(outlooks[number].results), None))


def _at(outlooks: Sequence[Outlook], part: int) -> Guess:
    """All unknown cells at one end, or in the middle: the first that is eligible."""
    found = ((number, each.at[part]) for number, each in enumerate(outlooks))
    return next((Guess(number, result) for number, result in found if result is not None), NONE)


def _certain(outlooks: Sequence[Outlook]) -> Guess:
    """The first candidate that no open condition can bring down."""
    certain = (number for number, each in enumerate(outlooks) if each.chance == 1)
    return next((_named(number, outlooks) for number in certain), NONE)


def _possible(outlooks: Sequence[Outlook]) -> Iterator[tuple[str, Guess]]:
    """Every open condition holds: the first candidate that can be eligible, the second, and so on."""
    numbers = [number for number, each in enumerate(outlooks) if each.possible]
    for place in range(len(outlooks)):
        number = numbers[place] if place < len(numbers) else None
        yield f"possible {place + 1}", NONE if number is None else _named(number, outlooks)
        yield f"possible {place + 1}, middle", NONE if number is None else Guess(number, outlooks[number].middle)


def likeliest(outlooks: Sequence[Outlook], but: Guess | None = None) -> Guess:
    """The answer of most completions that keep the promise; not the answer `but`, where one is given."""
    chances = [each.chance for each in outlooks]
    options = [(_weight(number, chances), -number, guess) for number, guess in _options(outlooks, but)]
    return max(options, key=lambda option: option[:2], default=(0, 0, NONE))[2]


def _weight(winner: int, chances: Sequence[Fraction]) -> Fraction:
    """The weight of the completions in which this candidate alone is eligible; -1 stands for none."""
    return prod(
        (chance if number == winner else 1 - chance for number, chance in enumerate(chances)), start=Fraction(1)
    )


def _options(outlooks: Sequence[Outlook], but: Guess | None) -> Iterator[tuple[int, Guess]]:
    """Each possible answer, with the most common result."""
    if but != NONE:
        yield -1, NONE
    for number, each in enumerate(outlooks):
        results = [result for result in each.results if but != Guess(number, result)]
        if results:
            yield number, Guess(number, results[0])
