"""Lines: an instance and its witnesses as one line of JSON, and its id."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from unco.compiler.facts.witnesses import Changes
from unco.specs.task import canonical_json


class Drawn(NamedTuple):
    """An instance as places; `whole` is the result times 10 to the number of places."""

    number: int
    parameters: tuple[int, ...]
    cells: list[str]
    """Of each candidate: the places of its cells, with commas between."""
    names: list[int]
    winner: int | None
    whole: int | None


Witnessed = Mapping[str, tuple[int, Changes]]
"""By role: a candidate, and the changed places of its cells."""


class Writer:
    """Writes the lines of one family. Members stand in one order, without blanks: a line has one form."""

    def __init__(self, digest: str, roles: Sequence[str], places: int) -> None:
        self.base = hashlib.sha256(f"{digest}\n".encode())
        self.roles = [(role, json.dumps(role)) for role in roles]
        self.unit = 10 ** abs(places)
        self.places = places
        self._results: dict[int, str] = {}

    def line(self, drawn: Drawn, necessary: Witnessed) -> str:
        """The line, with its end."""
        shown = ",".join([
            f"{text}:[{necessary[role][0]},{_lists(necessary[role][1])}]" for role, text in self.roles
            if role in necessary
        ])  # fmt: skip
        index, parameters, cells, names, winner, whole = drawn
        text = (
            f'{{"index":{index},"parameters":{list(parameters)},"cells":[[{"],[".join(cells)}]],"names":{names},'
            f'"winner":{"null" if winner is None else winner},"result":{self._result(whole)},"necessary":{{{shown}}}'
        ).replace(" ", "")
        base = self.base.copy()
        base.update(f"{text}}}".encode())
        return f'{text},"id":"instance-{base.hexdigest()[:32]}"}}\n'

    def _result(self, whole: int | None) -> str:
        if whole is None:
            return "null"
        if self.places == 0:
            return f'"{whole}"'
        return f'"{exact_result(whole, self.places)}"'


def exact_result(whole: int, places: int) -> Fraction:
    """The number that is `whole` times 10 to the minus `places`."""
    return Fraction(whole, 10**places) if places >= 0 else Fraction(whole * 10**-places)


def _lists(changes: Changes) -> str:
    return f"[{','.join([f'[{position},{place}]' for position, place in changes])}]"


def rejected_line(index: int, code: str, phase: str, detail: str) -> str:
    """The line of an index for which there is no instance."""
    told = json.dumps(detail)
    return f'{{"index":{index},"code":"{code}","phase":"{phase}","detail":{told}}}\n'


def header_line(header: Mapping[str, Any]) -> str:
    """The line that says what the places of a family's lines are of."""
    return f"{canonical_json(header)}\n"
