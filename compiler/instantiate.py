"""instantiate: a family to a candidate group, by construction and from a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from unco.compiler.checking.structure import owners
from unco.compiler.planning.coarse import coarsen
from unco.compiler.planning.draw import Goal, draw, draw_candidate, settled, weighted
from unco.compiler.planning.margins import outside_distance, with_margins
from unco.solver.claims import incomplete, misaligned, mixed, necessity
from unco.solver.decide import Prover
from unco.solver.judge import failed_conditions, judge, violations
from unco.solver.landmarks import Parameters, landmarks
from unco.specs.evidence import NOTHING
from unco.specs.facts import Pins
from unco.specs.family import Cell, Family, Slot
from unco.specs.group import CandidateGroup, Incomplete, Misaligned, Missed, Mixed
from unco.specs.instance import Instance, NoWinner, Outcome, SeveralEligible
from unco.specs.rejection import Rejection
from unco.specs.values import Value
from unco.specs.verdict import Proved

Item = TypeVar("Item")
ATTEMPTS = 60
MIXED_TRIES = 24
DECOY_TRIES = 60


@dataclass(frozen=True)
class InstantiateOptions:
    """The seed of the run, and facts that an author pins (what is left out is drawn)."""

    seed: int = 0
    pins: Pins | None = None


def instantiate(family: Family, index: int, options: InstantiateOptions) -> CandidateGroup | Rejection:
    """The group with this index: the same for the same family, seed and index, whatever was drawn before."""
    drawer = _Drawer(
        family, Random(f"{family.digest}/{options.seed}/{index}"), options.pins or Pins(), Prover(family, asks=False)
    )
    for attempt in range(ATTEMPTS):
        group = drawer.group(index, several=attempt < ATTEMPTS // 2)
        if group is not None:
            return group
    return Rejection("instantiate", "UNC413", drawer.blame or "no plan was met", family.name, index)


class _Drawer:
    def __init__(self, family: Family, rng: Random, pins: Pins, prover: Prover) -> None:
        self.family = family
        self.rng = rng
        self.pins = pins
        self.prover = prover
        self.blame = ""
        self.all_pinned = self._all_pinned()
        self.planned = self._planned_winner()
        self.hopeless: set[tuple[frozenset[str], bool, Parameters]] = set()
        """Plans of a candidate for which the search found no cells: it is long where there are none."""

    def group(self, index: int, *, several: bool) -> CandidateGroup | None:
        """One attempt; None where it does not come to a group. `several`: at least two roles are to be necessary."""
        if self.pins.candidates:
            self.planned = self._planned_winner()
        instance = self._instance()
        if instance is None:
            return None
        outcome = judge(self.family, instance)
        if isinstance(outcome, SeveralEligible):
            self.blame = "the pinned facts make several candidates eligible"
            return CandidateGroup(index, instance, outcome, None, None, None, None) if self.all_pinned else None
        if not self.all_pinned and isinstance(outcome, NoWinner) and self._lone_oracle(instance):
            self.blame = "one role alone shows that nobody is eligible"
            return None
        instance, decoy = self._misaligned(instance, outcome)
        coarse = self._incomplete(instance, outcome)
        necessary = self._necessary(instance, outcome)
        silent = self._missed(necessary)
        if not self.all_pinned and not self._complete(decoy, coarse, silent):
            return None
        if several and not self.all_pinned and not self._needs_several(necessary):
            self.blame = "fewer than two roles are necessary"
            return None
        return CandidateGroup(
            index, instance, outcome, decoy, coarse, silent, self._mixed(instance, outcome, necessary)
        )

    def _all_pinned(self) -> bool:
        """Every fact that decides is pinned: another draw would help little, and `prove` says what does not stand."""
        facts, deciding = self.pins.candidates, [slot for slot in self.family.read_slots if not slot.member]
        return len(facts) == self.family.candidates and all(
            slot in each for each in facts.values() for slot in deciding
        )

    def _lone_oracle(self, instance: Instance) -> bool:
        """Whether one role owns a failed condition of every candidate."""
        owner = {rule.id: owners(self.family, [rule.expression]) for rule in self.family.conditions}
        failing = [
            {owner[name][0] for name in failed if len(owner[name]) == 1}
            for failed in (
                failed_conditions(self.family, instance.candidate(number), instance.parameters)
                for number in range(self.family.candidates)
            )
        ]
        return bool(set.intersection(*failing))

    def _complete(self, decoy: Misaligned | None, coarse: Incomplete | None, silent: Missed | None) -> bool:
        targets = self.family.perturbations
        for name, defect, offered in (
            ("misaligned", decoy, targets.misaligned),
            ("incomplete", coarse, targets.incomplete),
            ("missed", silent, targets.missed),
        ):
            if offered and defect is None:
                self.blame = f"no target of {name} changes the answer"
                return False
        return True

    def _needs_several(self, necessary: Sequence[str]) -> bool:
        """Whether two roles are necessary, where as many may be: with one alone there is little to gather."""
        return len(self.family.perturbations.missed) < 2 or len(necessary) > 1

    def _instance(self) -> Instance | None:
        names = self._names()
        parameters = {
            parameter.id: draw(parameter.domain, self.rng) if parameter.value is None else parameter.value
            for parameter in self.family.parameters
        } | dict(self.pins.parameters)
        cells: dict[Cell, Value] = {}
        single = self.rng.sample(range(self.family.candidates), 2) if self.planned is None else []
        for candidate in range(self.family.candidates):
            pinned = self.pins.candidates.get(names[candidate], {})
            values = self._candidate(parameters, candidate == self.planned, candidate in single)
            if values is None:
                self.blame = self.blame or f"no cells make a {'winner' if candidate == self.planned else 'loser'}"
                return None
            values = settled(self.family, {**values, **pinned})
            cells |= {Cell(candidate, *slot): values[slot] for slot in self.family.slots}
        return Instance(cells, parameters, names)

    def _names(self) -> tuple[str, ...]:
        """The pinned names in their order, then others from the pool; all drawn where none is pinned."""
        pinned = tuple(self.pins.candidates)
        others = [name for name in self.family.candidate_names if name not in pinned]
        return pinned + tuple(self.rng.sample(others, self.family.candidates - len(pinned)))

    def _planned_winner(self) -> int | None:
        """Drawn once a group, so that plans which are harder to meet are not drawn less often."""
        share = self.family.plan.none_eligible
        none = self.rng.randrange(share.denominator) < share.numerator
        return None if none else self.rng.randrange(self.family.candidates)

    def _candidate(self, parameters: Mapping[str, Value], winner: bool, single: bool) -> dict[Slot, Value] | None:
        """Cells of a winner, or of a loser that fails one condition (`single`) or a drawn number of them."""
        failing = frozenset[str]()
        if not winner:
            drawn_number = weighted(self.family.plan.failed_conditions, self.rng)
            number = 1 if single else min(drawn_number, len(self.family.conditions))
            failing = frozenset(self.rng.sample([rule.id for rule in self.family.conditions], number))
        plan = (failing, winner, tuple(sorted(parameters.items())))
        if plan in self.hopeless:
            return None
        goal = Goal(self.family, parameters, failing, winner)
        drawn = draw_candidate(goal, self.rng)
        if drawn is None:
            self.hopeless.add(plan)
            return None
        values = with_margins(goal, drawn, self.rng)
        outside = outside_distance(self.family, values, tuple(sorted(parameters.items())))
        if outside is not None:
            self.blame = f"no value of `{outside.attribute}` lies at the distance that `difficulty.distance` asks for"
            return None
        return values

    def _misaligned(self, instance: Instance, outcome: Outcome) -> tuple[Instance, Misaligned | None]:
        if self.pins.misaligned is not None:
            return instance, self.pins.misaligned
        for attribute, context in self._shuffled(self._decoys()):
            defect = Misaligned(attribute, context)
            for _ in range(DECOY_TRIES):
                if isinstance(misaligned(self.family, instance, outcome, defect), Proved):
                    return instance, defect
                changed = self._redrawn(instance, outcome, defect)
                if changed is None:
                    break
                instance = changed
        return instance, None

    def _decoys(self) -> list[tuple[str, str]]:
        return [
            (name, context)
            for name in self.family.perturbations.misaligned
            for context, _ in self.family.attribute_by_id[name].contexts[1:]
        ]

    def _redrawn(self, instance: Instance, outcome: Outcome, defect: Misaligned) -> Instance | None:
        """The instance with other off-context values of one candidate, unless they are pinned.

        As it was where the new ones are not legal, or a rule that reads them gives another outcome.
        """
        candidate = self.rng.randrange(self.family.candidates)
        pinned = self.pins.candidates.get(instance.names[candidate], {})
        changes = {
            cell: draw(self.family.domains[cell.slot], self.rng)
            for cell in self.family.cells
            if (cell.candidate, cell.attribute, cell.context) == (candidate, defect.attribute, defect.context)
            and cell.slot not in pinned
        }
        if not changes:
            return None
        changed = instance.changed(changes)
        stands = not violations(self.family, changed) and judge(self.family, changed) == outcome
        return changed if stands else instance

    def _incomplete(self, instance: Instance, outcome: Outcome) -> Incomplete | None:
        if self.pins.incomplete is not None:
            drawn = self._coarse(instance, self.pins.incomplete)
            return Incomplete(drawn.attribute, self.pins.known(drawn.coarse, instance.names))
        for attribute in self._shuffled(self.family.perturbations.incomplete):
            for _ in range(4):
                defect = self._coarse(instance, attribute)
                if isinstance(incomplete(self.prover, instance, outcome, defect), Proved):
                    return defect
        return None

    def _coarse(self, instance: Instance, attribute: str) -> Incomplete:
        required = self.family.attribute_by_id[attribute].required
        omit = self.rng.randrange(6) == 0
        coarse = {}
        for cell in self.family.cells:
            if (cell.attribute, cell.context) == (attribute, required):
                domain = self.family.domains[cell.slot]
                marks = landmarks(self.family, cell.slot, tuple(sorted(instance.parameters.items())))[2:]
                coarse[cell] = coarsen(domain, instance.cells[cell], marks, self.rng)
        return Incomplete(attribute, dict.fromkeys(coarse, NOTHING) if omit else coarse)

    def _missed(self, necessary: Sequence[str]) -> Missed | None:
        if self.pins.missed is not None:
            return self.pins.missed
        drawn = (role for role in self._shuffled(self.family.perturbations.missed) if role in necessary)
        return next((Missed(role) for role in drawn), None)

    def _mixed(self, instance: Instance, outcome: Outcome, necessary: Sequence[str]) -> Mixed | None:
        """The first of several drawn triples whose eight states all stand; None where all are masked."""
        if self.pins.mixed is not None:
            return self.pins.mixed
        for defect in self._triples(instance, outcome, necessary):
            if all(isinstance(verdict, Proved) for _, verdict in mixed(self.prover, instance, outcome, defect)):
                return defect
        return None

    def _triples(self, instance: Instance, outcome: Outcome, necessary: Sequence[str]) -> list[Mixed]:
        """Some triples of defects on three roles, each of which is valid alone, in a drawn order."""
        targets, owner = self.family.perturbations, {each.id: each.owner for each in self.family.attributes}
        decoys = [Misaligned(*each) for each in self._decoys()]
        flipping = [each for each in decoys if isinstance(misaligned(self.family, instance, outcome, each), Proved)]
        if not flipping:
            return []
        omitted = [name for name in targets.incomplete if self._open_without(instance, outcome, name)]
        triples = [
            Mixed(first, second, third)
            for first in flipping
            for second in omitted
            for third in necessary
            if len({owner[first.attribute], owner[second], third}) == 3
        ]
        return self._shuffled(triples)[:MIXED_TRIES]

    def _open_without(self, instance: Instance, outcome: Outcome, attribute: str) -> bool:
        """Whether leaving the attribute out for every candidate leaves the answer open."""
        omission = Incomplete(attribute, dict.fromkeys(self._coarse(instance, attribute).coarse, NOTHING))
        return isinstance(incomplete(self.prover, instance, outcome, omission), Proved)

    def _necessary(self, instance: Instance, outcome: Outcome) -> tuple[str, ...]:
        """The roles that a defect may silence and whose evidence a move shows to be necessary."""
        return tuple(
            role
            for role in self.family.perturbations.missed
            if isinstance(necessity(self.prover, instance, outcome, role), Proved)
        )

    def _shuffled(self, items: Sequence[Item]) -> list[Item]:
        return self.rng.sample(list(items), len(items))
