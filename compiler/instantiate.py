"""instantiate: a family to a candidate group, by construction and from a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from unco.compiler.checking.structure import owners
from unco.compiler.planning.aiming import Aiming
from unco.compiler.planning.contexts import with_likeness
from unco.compiler.planning.draw import Goal, draw_candidate, settled
from unco.compiler.planning.flips import Standings, hiding_attribute
from unco.compiler.planning.harmless import with_harmless
from unco.compiler.planning.idle_targets import idle_targets
from unco.compiler.planning.margins import distance_miss, outside_distance, with_margins
from unco.compiler.planning.misses import miss
from unco.compiler.planning.natural import draw
from unco.compiler.planning.needs import wanting
from unco.compiler.planning.sketch import Sketch, failing_sets, offered, reshuffled, sketched, turned
from unco.solver.decide import Prover
from unco.solver.judge import failed_conditions, judge
from unco.solver.landmarks import Parameters
from unco.specs.facts import Pins
from unco.specs.family import Cell, Family, Slot
from unco.specs.group import CandidateGroup, Incomplete, Misaligned
from unco.specs.instance import Instance, NoWinner, Outcome, SeveralEligible, Winner
from unco.specs.rejection import Rejection
from unco.specs.values import Value

ATTEMPTS = 60
MIXING = 8
"""In so many first attempts a planned Mixed must stand, with the flip that the sketch says; after that, it is tried."""
IN_VAIN = 12
"""So many attempts in a row that find no target for one defect are enough: the family is to blame, not the draw."""
STRICT = 6
"""In so many first attempts each defect must flip the answer as the sketch says; after that, in any way."""
REDRAWS = 6
"""How often candidates on whom an aim depends, and who do not serve it, are drawn again."""
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
        group = drawer.group(index, several=attempt < ATTEMPTS // 2, strict=attempt < STRICT, mixing=attempt < MIXING)
        if group is not None:
            return with_harmless(family, group, drawer.pins, Random(f"{family.digest}/{options.seed}/{index}/harmless"))
        if drawer.in_vain >= IN_VAIN and not drawer.pins.candidates:
            break
    return Rejection("instantiate", "UNC413", drawer.why(), family.name, index, planned=drawer.planned)


class _Drawer:
    def __init__(self, family: Family, rng: Random, pins: Pins, prover: Prover) -> None:
        self.family = family
        self.rng = rng
        self.pins = pins
        self.prover = prover
        self.blame = "no cells were found"
        self.lacking = ""
        self.in_vain = 0
        """How many attempts in a row found no target for the defect `lacking`."""
        self.missed_goal: Goal | None = None
        self.all_pinned = self._all_pinned()
        self.sketch = sketched(family, self._planned_winner(), rng)
        self.hopeless: dict[tuple[frozenset[str], bool, Parameters], Goal] = {}
        """Plans of a candidate for which the search found no cells: it is long where there are none."""

    def group(self, index: int, *, several: bool, strict: bool, mixing: bool) -> CandidateGroup | None:
        """One attempt; None where it does not come to a group. `several`: at least two roles are to be necessary;
        `strict`: every defect is to flip the answer as the sketch says; `mixing`: a planned Mixed is to stand.
        """
        if self.pins.candidates:
            self.sketch = sketched(self.family, self._planned_winner(), self.rng)
        sets, sketch = failing_sets(self.family, self.sketch, self.rng)
        instance = self._instance(sets, sketch)
        if instance is None:
            again = reshuffled(self.sketch, self.rng) if several else None
            self.sketch = again or sketched(self.family, self.sketch.winner, self.rng)
            return None
        outcome = judge(self.family, instance)
        if isinstance(outcome, SeveralEligible):
            self._blame("the pinned facts make several candidates eligible")
            return CandidateGroup(index, instance, outcome, None, None, None, None) if self.all_pinned else None
        if not self.all_pinned and isinstance(outcome, NoWinner) and self._lone_oracle(instance):
            self._blame("one role alone shows that nobody is eligible")
            return None
        strict, mixing = strict and not self.pins.candidates, mixing and not self.pins.candidates and sketch.mixed
        instance, decoy = self._misaligned(Standings(self.family, instance, outcome), sketch, strict=strict)
        second = self._aiming(Standings(self.family, instance, outcome), sketch).second(decoy, DECOY_TRIES)
        instance, planned = second if second is not None else (instance, None)
        if mixing and planned is None:
            return None
        aiming = self._aiming(Standings(self.family, instance, outcome), sketch)
        coarse = self._incomplete(aiming, strict=strict)
        silent = self.pins.missed or aiming.missed(strict=strict)
        lacking = self._lacking({"misaligned": decoy, "incomplete": coarse, "missed": silent})
        self.in_vain = self.in_vain + 1 if lacking and lacking == self.lacking else int(bool(lacking))
        self.lacking = lacking
        if lacking and not self.all_pinned:
            where = f"{_where(instance, outcome)}{idle_targets(self.family, instance, lacking)}"
            self._blame(f"no target in `perturbations.{lacking}` changes the answer, {where}")
            self.sketch = turned(self.sketch, lacking, sketch)
            return None
        necessary = aiming.necessary()
        if several and not self.all_pinned and not self._needs_several(necessary):
            self._blame(f"fewer than two roles in `perturbations.missed` are necessary, {_where(instance, outcome)}")
            return None
        wanted = sketch.mixed or self.pins.candidates
        mixed = self.pins.mixed or (aiming.mixed(necessary, planned, MIXED_TRIES) if wanted else None)
        if mixing and mixed is None:
            return None
        return CandidateGroup(index, instance, outcome, decoy, coarse, silent, mixed)

    @property
    def planned(self) -> str:
        """The kind of group that is planned; empty where pinned facts decide it."""
        if self.pins.candidates:
            return ""
        return "nobody" if self.sketch.winner is None else "winner"

    def why(self) -> str:
        """Why the last attempt came to no group: the entry to blame, with an example."""
        return (miss(self.missed_goal, self.rng) if self.missed_goal is not None else "") or self.blame

    def _blame(self, text: str) -> None:
        self.blame, self.missed_goal = text, None

    def _aiming(self, standings: Standings, sketch: Sketch) -> Aiming:
        return Aiming(standings, sketch, self.pins, self.prover, self.rng)

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

    def _lacking(self, made: Mapping[str, object]) -> str:
        """The first defect for which targets are offered and none was found; empty where there is none such."""
        return next((name for name, targets in offered(self.family).items() if targets and made[name] is None), "")

    def _needs_several(self, necessary: Sequence[str]) -> bool:
        """Whether two roles are necessary, where as many may be: with one alone there is little to gather."""
        return len(self.family.perturbations.missed) < 2 or len(necessary) > 1

    def _instance(self, sets: Sequence[frozenset[str]], sketch: Sketch) -> Instance | None:
        """Cells by the sketch; candidates on whom an aim depends are drawn again until they serve it."""
        names = self._names()
        parameters = {
            parameter.id: draw(parameter.domain, self.rng) if parameter.value is None else parameter.value
            for parameter in self.family.parameters
        } | dict(self.pins.parameters)
        cells: dict[Cell, Value] = {}
        wanted: Sequence[int] = range(self.family.candidates)
        for _ in range(REDRAWS):
            for candidate in wanted:
                pinned = self.pins.candidates.get(names[candidate], {})
                values = self._candidate(parameters, candidate == sketch.winner, sets[candidate])
                if values is None:
                    return None
                values = settled(self.family, {**values, **pinned})
                cells |= {Cell(candidate, *slot): values[slot] for slot in self.family.slots}
            instance = Instance(cells, parameters, names)
            wanted = [] if self.pins.candidates else wanting(self.family, instance, sets, sketch)
            if not wanted:
                break
        return instance

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

    def _candidate(
        self, parameters: Mapping[str, Value], winner: bool, failing: frozenset[str]
    ) -> dict[Slot, Value] | None:
        """Cells of a candidate who fails these conditions and no others."""
        plan = (failing, winner, tuple(sorted(parameters.items())))
        goal = self.hopeless.get(plan) or Goal(self.family, parameters, failing, winner)
        drawn = draw_candidate(goal, self.rng) if plan not in self.hopeless else None
        if drawn is None:
            self.hopeless[plan] = self.missed_goal = goal
            return None
        values = with_likeness(goal, with_margins(goal, drawn, self.rng), self.rng)
        fixed = tuple(sorted(parameters.items()))
        outside = outside_distance(self.family, values, fixed)
        if outside is not None:
            self._blame(distance_miss(self.family, outside, values[outside], fixed))
            return None
        return values

    def _misaligned(self, standings: Standings, sketch: Sketch, *, strict: bool) -> tuple[Instance, Misaligned | None]:
        if self.pins.misaligned is not None:
            return standings.instance, self.pins.misaligned
        found = self._aiming(standings, sketch).misaligned(DECOY_TRIES, strict=strict)
        return found if found is not None else (standings.instance, None)

    def _incomplete(self, aiming: Aiming, *, strict: bool) -> Incomplete | None:
        if self.pins.incomplete is None:
            return aiming.incomplete(strict=strict)
        name = self.pins.incomplete
        drawn = aiming.coarse(name, omit=False) or Incomplete(name, hiding_attribute(self.family, name))
        return Incomplete(name, self.pins.known(drawn.coarse, aiming.standings.instance.names))


def _where(instance: Instance, outcome: Outcome) -> str:
    """An outcome as an example."""
    who = instance.names[outcome.candidate] if isinstance(outcome, Winner) else "nobody"
    return f"for example where {who} is eligible"
