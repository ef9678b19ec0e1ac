"""decode: a line of places to an instance in the units that are shown, its outcome and its witnesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from unco.solver.closures.parts import Frame
from unco.specs.domains import exact
from unco.specs.family import Cell, Family
from unco.specs.instance import Instance, NoWinner, Winner
from unco.specs.values import Value


@dataclass(frozen=True)
class Fact:
    """A certified instance: its answer, and for each role that is shown to be necessary the changed cells of another
    legal instance that agrees with all other roles' cells and has another answer.
    """

    id: str
    specification: str
    index: int
    instance: Instance
    outcome: Winner | NoWinner
    necessary: Mapping[str, Mapping[Cell, Value]]


@dataclass(frozen=True)
class Legend:
    """What the places of a line are of."""

    specification: str
    frame: Frame
    names: tuple[str, ...]

    @classmethod
    def of(cls, family: Family) -> Legend:
        """The legend of a family's lines."""
        return cls(family.name, Frame.of(family), family.candidate_names)


def decode(legend: Legend, data: Mapping[str, Any]) -> Fact:
    """The fact that a line holds."""
    frame = legend.frame
    cells = {
        Cell(candidate, *slot): domain.value(place)
        for candidate, places in enumerate(data["cells"])
        for slot, domain, place in zip(frame.slots, frame.domains, places, strict=False)
    }
    thresholds = zip(frame.parameters, frame.domains[frame.cells :], data["parameters"], strict=True)
    parameters = {name: domain.value(place) for name, domain, place in thresholds}
    names = tuple(legend.names[number] for number in data["names"])
    winner, result = data["winner"], data["result"]
    necessary = {
        role: {
            Cell(candidate, *frame.slots[position]): frame.domains[position].value(place) for position, place in changes
        }
        for role, (candidate, changes) in data["necessary"].items()
    }
    outcome = NoWinner() if winner is None else Winner(winner, exact(Fraction(result)))
    return Fact(data["id"], legend.specification, data["index"], Instance(cells, parameters, names), outcome, necessary)
