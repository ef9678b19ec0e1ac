"""Stocks: fillings that a chunk draws lazily, up to a fixed number, and then takes from again."""

from __future__ import annotations

from collections.abc import Sequence

from unco.compiler.facts.proposals import Bits
from unco.compiler.facts.recipes import Recipe

STOCK = 256
"""A chunk draws at most so many fillings of a part for each thing that is wanted of it; then it takes from these."""


class Unmet(Exception):  # noqa: N818 -- a state of the input, not an error of the program
    """No values of these places are found for what is wanted."""

    def __init__(self, places: tuple[int, ...]) -> None:
        self.places = places
        super().__init__(f"no values for the places {places}")


class Stock:
    """Fillings of one part that a chunk has drawn so far: places of each stretch of its cells, and the same as text."""

    def __init__(self, recipe: Recipe, parameters: tuple[int, ...], bits: Bits) -> None:
        self.recipe = recipe
        self.parameters = parameters
        self.bits = bits
        self.places: list[list[tuple[int, ...]]] = [[] for _ in recipe.part.runs]
        self.texts: list[list[str]] = [[] for _ in recipe.part.runs]

    def at(self, number: int) -> int:
        """The number of a filling: this one, or one that is drawn anew where there are not so many yet.

        Raises Unmet where there is none.
        """
        if number < len(self.texts[0]):
            return number
        filling = self.recipe.draw(self.parameters, self.bits)
        if filling is None:
            raise Unmet(self.recipe.part.places)
        for run, (first, last) in enumerate(self.recipe.part.runs):
            self.places[run].append(filling[first:last])
            self.texts[run].append(",".join(map(str, filling[first:last])))
        return len(self.texts[0]) - 1


class Stocks:
    """The stocks of a plan of a candidate, part by part; and stretch by stretch, in the order of the cells."""

    def __init__(self, stocks: Sequence[Stock], order: Sequence[tuple[int, int]]) -> None:
        self.stocks = stocks
        self.places = [stocks[part].places[run] for part, run in order]
        self.texts = [stocks[part].texts[run] for part, run in order]
