"""A question that was answered UNSAT, as it is stored: its text, and a model of its assumptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unco.specs.family import Slot
from unco.specs.values import Value


@dataclass(frozen=True)
class StoredQuery:
    """One UNSAT claim as SMT-LIB; and values for which its assumptions hold, so that it is not a claim about nothing:
    of the cells of one candidate, and of the parameters with the ends of a reply.
    """

    text: str
    cells: Mapping[Slot, Value]
    parameters: Mapping[str, Value]
