"""Aiming: the target of each defect, such that the answer can flip as the sketch says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from random import Random
from typing import TypeVar

from unco.compiler.planning.coarse import coarse_cell
from unco.compiler.planning.decoys import face_flip, with_decoy
from unco.compiler.planning.flips import Hidden, Standings, hiding_attribute, hiding_role
from unco.compiler.planning.sketch import Aim, Sketch
from unco.solver.claims import incomplete, mixed, necessity
from unco.solver.decide import Prover
from unco.specs.facts import Pins
from unco.specs.family import Family
from unco.specs.group import Incomplete, Misaligned, Missed, Mixed
from unco.specs.instance import Instance
from unco.specs.verdict import Flip, Proved

Item = TypeVar("Item")
COARSE_TRIES = 4
"""How many coarse replies are drawn for a target."""
FACE_TRIES = 3
"""How often the off-context values of all candidates are drawn for a target."""
OMITTED = 6
"""One coarse reply in so many omits the value altogether."""


class Aiming:
    """Chooses targets for one instance. `strict`: only such as flip the answer in the planned way."""

    def __init__(self, standings: Standings, sketch: Sketch, pins: Pins, prover: Prover, rng: Random) -> None:
        self.standings = standings
        self.family: Family = standings.family
        self.sketch = sketch
        self.pins = pins
        self.prover = prover
        self.rng = rng

    def misaligned(self, tries: int, *, strict: bool) -> tuple[Instance, Misaligned] | None:
        """A decoy, and the instance with off-context values that make it one."""
        found = self._decoy(self._planned("misaligned"), tries)
        if found is not None or strict:
            return found
        names = self.shuffled(self.family.perturbations.misaligned)
        return (
            self._decoy([(name, flip) for name in names for flip in self.shuffled(list(Flip))], tries) or self._as_is()
        )

    def _planned(self, defect: str) -> list[tuple[str, Flip]]:
        """The targets of a misaligned reply with the flip that is planned."""
        aim = self.sketch.aims.get(defect)
        return [(name, aim.flip) for name in aim.targets] if aim is not None else []

    def second(self, first: Misaligned | None, tries: int) -> tuple[Instance, Misaligned] | None:
        """The misaligned reply of Mixed, as planned, and the instance in which the first one is a decoy as before."""
        family, outcome = self.family, self.standings.outcome
        if first is None:
            return None
        flip = face_flip(family, self.standings.instance, outcome, first)
        for name, planned in self._planned("mixed"):
            if planned is Flip.TO_NONE and not self._pairs(name):
                continue
            if name == first.attribute and planned is flip:
                return self.standings.instance, first
            found = self._decoy([(name, planned)], tries) if name != first.attribute else None
            if found is not None and face_flip(family, found[0], outcome, first) is flip:
                return found
        return None

    def _decoy(self, choices: Sequence[tuple[str, Flip]], tries: int) -> tuple[Instance, Misaligned] | None:
        for name, flip in choices:
            for context in self.shuffled([each for each, _ in self.family.attribute_by_id[name].contexts[1:]]):
                for _ in range(FACE_TRIES):
                    defect = Misaligned(name, context)
                    made = with_decoy(self.standings, defect, flip, self.pins.candidates, self.rng, tries)
                    if made is not None:
                        return made, defect
        return None

    def _as_is(self) -> tuple[Instance, Misaligned] | None:
        """A decoy among the values that are there."""
        instance = self.standings.instance
        found = self.flipping(instance)
        return (instance, found[0]) if found else None

    def flipping(self, instance: Instance) -> list[Misaligned]:
        """The replies of other contexts that change the answer of the instance, in a drawn order."""
        every = [
            Misaligned(name, context)
            for name in self.family.perturbations.misaligned
            for context, _ in self.family.attribute_by_id[name].contexts[1:]
        ]
        outcome = self.standings.outcome
        return self.shuffled([each for each in every if face_flip(self.family, instance, outcome, each) is not None])

    def incomplete(self, *, strict: bool) -> Incomplete | None:
        """A coarse reply that leaves the answer open."""
        aim, omit = self.sketch.aims.get("incomplete"), self.rng.randrange(OMITTED) == 0
        choices: list[tuple[str, Aim | None]] = [(name, aim) for name in aim.targets] if aim is not None else []
        if not strict:
            choices += [(name, None) for name in self.shuffled(self.family.perturbations.incomplete)]
        replies = (self._coarse_reply(name, wanted, omit=omit) for name, wanted in choices)
        return next((each for each in replies if each is not None), None)

    def _coarse_reply(self, name: str, aim: Aim | None, *, omit: bool) -> Incomplete | None:
        if aim is not None and not self._fits(aim, hiding_attribute(self.family, name)):
            return None
        for _ in range(COARSE_TRIES):
            defect = self.coarse(name, omit=omit)
            if defect is not None and (aim is None or self._fits(aim, defect.coarse)) and self._leaves_open(defect):
                return defect
        return None

    def coarse(self, attribute: str, *, omit: bool) -> Incomplete | None:
        """Coarse knowledge of the attribute for every candidate; None where somebody's value leaves room for none."""
        cells = hiding_attribute(self.family, attribute)
        if omit:
            return Incomplete(attribute, cells)
        instance = self.standings.instance
        drawn = {cell: coarse_cell(self.family, instance, cell, self.rng) for cell in cells}
        known = {cell: each for cell, each in drawn.items() if each is not None}
        return Incomplete(attribute, known) if len(known) == len(cells) else None

    def _leaves_open(self, defect: Incomplete) -> bool:
        standings = self.standings
        return isinstance(incomplete(self.prover, standings.instance, standings.outcome, defect), Proved)

    def _fits(self, aim: Aim, hidden: Hidden) -> bool:
        """Whether the hidden cells let the answer flip as planned."""
        if aim.flip is Flip.TO_WINNER:
            return len(self.standings.rivals(hidden)) == aim.rivals
        return aim.flip in self.standings.flips(hidden)

    def missed(self, *, strict: bool) -> Missed | None:
        """A necessary role that is silent."""
        aim = self.sketch.aims.get("missed")
        planned = aim.targets if aim is not None else ()
        choices = [role for role in planned if aim is not None and self._fits(aim, hiding_role(self.family, role))]
        if not strict:
            choices += self.shuffled(self.family.perturbations.missed)
        return next((Missed(role) for role in choices if self._necessary(role)), None)

    def _necessary(self, role: str) -> bool:
        standings = self.standings
        return isinstance(necessity(self.prover, standings.instance, standings.outcome, role), Proved)

    def necessary(self) -> tuple[str, ...]:
        """The roles that a defect may silence and whose evidence a move shows to be necessary."""
        return tuple(role for role in self.family.perturbations.missed if self._necessary(role))

    def mixed(self, necessary: Sequence[str], planned: Misaligned | None, tries: int) -> Mixed | None:
        """The first of several drawn triples whose eight states all stand; None where all are masked. Only those with
        the planned reply are looked at, where one is planned.
        """
        instance, outcome = self.standings.instance, self.standings.outcome
        for defect in self._triples(necessary, planned)[:tries] if tries else ():
            if all(isinstance(verdict, Proved) for _, verdict in mixed(self.prover, instance, outcome, defect)):
                return defect
        return None

    def _pairs(self, misaligned: str) -> set[tuple[str, str]]:
        """What to omit and whom to silence so that either could lift a loser: needed where the reply leaves nobody."""
        owner = {each.id: each.owner for each in self.family.attributes}
        omitted, silent = self._lifting
        pairs = product(omitted, silent)
        return {(name, role) for name, role in pairs if len({owner[misaligned], owner[name], role}) == 3}

    @cached_property
    def _lifting(self) -> tuple[list[str], list[str]]:
        """The attributes and the roles without which some loser could win."""
        family, rivals = self.family, self.standings.rivals
        return (
            [each for each in family.perturbations.incomplete if rivals(hiding_attribute(family, each))],
            [each for each in family.perturbations.missed if rivals(hiding_role(family, each))],
        )

    def _triples(self, necessary: Sequence[str], planned: Misaligned | None) -> list[Mixed]:
        """Triples of defects on three roles, each of which is valid alone, in a drawn order."""
        owner = {each.id: each.owner for each in self.family.attributes}
        masked = planned is not None and self.sketch.aims["mixed"].flip is Flip.TO_NONE
        pairs = self._pairs(planned.attribute) if planned is not None and masked else None
        flipping = [planned] if planned is not None else self.flipping(self.standings.instance)
        omitted = [name for name in self.family.perturbations.incomplete if flipping and self._open_without(name)]
        return self.shuffled(
            [
                Mixed(first, second, third)
                for first in flipping
                for second in omitted
                for third in necessary
                if len({owner[first.attribute], owner[second], third}) == 3
                and (pairs is None or (second, third) in pairs)
            ]
        )

    def _open_without(self, attribute: str) -> bool:
        """Whether leaving the attribute out for every candidate leaves the answer open."""
        return self._leaves_open(Incomplete(attribute, hiding_attribute(self.family, attribute)))

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in a drawn order."""
        return self.rng.sample(list(items), len(items))
