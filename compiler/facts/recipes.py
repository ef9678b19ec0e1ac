"""Recipes: the cells of a candidate fall into parts that no rule ties together; each is drawn as is wanted of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

from unco.compiler.facts.blocks import TRIES, Guard
from unco.compiler.facts.demands import Rules, demanded
from unco.compiler.facts.layout import Layout
from unco.compiler.facts.marks import marks_of
from unco.compiler.facts.proposals import BITS, ENTRIES, Bits, Proposals, Proposer
from unco.compiler.planning.contexts import with_likeness
from unco.compiler.planning.draw import Goal, draw_candidate
from unco.compiler.planning.margins import with_margins
from unco.solver.closures.parts import Frame, Truth
from unco.specs.domains import Domain
from unco.specs.family import Family
from unco.specs.values import Value

TRIALS = 24
"""So many fillings are drawn before a recipe is used. Where fewer than half of them come out, the planner draws all."""
POOL = 48
"""So many fillings the planner draws for a recipe and values of the thresholds."""

MOST_POOLS = 256
"""So many pools of a recipe are held in memory: each can be drawn again."""


@dataclass(frozen=True)
class Part:
    """Cells of a candidate that rules tie together; the numbers of the conditions and of the thresholds read there."""

    places: tuple[int, ...]
    conditions: frozenset[int]
    planned: bool
    """Whether the plan of the winner reads one of its cells."""
    parameters: tuple[int, ...]

    @cached_property
    def runs(self) -> tuple[tuple[int, int], ...]:
        """Where its places follow each other: stretches of them, by number."""
        starts = [at for at, place in enumerate(self.places) if not at or self.places[at - 1] != place - 1]
        return tuple(zip(starts, [*starts[1:], len(self.places)], strict=True))


class Kitchen:
    """What the recipes of a family share."""

    def __init__(self, family: Family, seed: int) -> None:
        self.family = family
        self.seed = seed
        self.frame = Frame.of(family)
        self.rules = Rules.of(family, self.frame)
        self.guards = _guards(family, self.frame)
        cells = range(self.frame.cells)
        self.of_thresholds = [truth for truth in self.rules.consistency if truth.reads.isdisjoint(cells)]
        self.proposer = Proposer(family, self.frame, marks_of(self.rules.reading.compared, self.frame))
        self.thresholds = [_threshold(self, number) for number in range(len(family.parameters))]
        self.parts = tuple(_parts(self))
        self._recipes: dict[tuple[int, frozenset[int], bool], Recipe] = {}

    def drawn_parameters(self, bits: Bits) -> tuple[int, ...]:
        """Natural values of open thresholds, the fixed ones as they are; rules about them alone hold, if they can."""
        for _ in range(TRIES):
            drawn = self._parameters(bits)
            if all(truth.read([*[0] * self.frame.cells, *drawn]) for truth in self.of_thresholds):
                break
        return drawn

    def _parameters(self, bits: Bits) -> tuple[int, ...]:
        drawn = []
        for proposals in self.thresholds:
            entry = proposals.entries[bits(BITS)]
            drawn.append(entry if entry >= 0 else proposals.specials[~entry]((), bits))
        return tuple(drawn)

    def recipe(self, number: int, failing: frozenset[int], *, winner: bool) -> Recipe:
        """How a part is drawn of a candidate who fails these conditions, by number."""
        part = self.parts[number]
        key = (number, failing & part.conditions, winner and part.planned)
        if key not in self._recipes:
            self._recipes[key] = Recipe(self, part, *key[1:])
        return self._recipes[key]


class Recipe:
    """Draws fillings of one part: places of its cells, in order."""

    def __init__(self, kitchen: Kitchen, part: Part, failing: frozenset[int], winner: bool) -> None:
        self.kitchen = kitchen
        self.part = part
        self.failing = failing
        self.winner = winner
        layout = Layout(kitchen.proposer, kitchen.frame, kitchen.guards, part.places, self._demands())
        self.fast, self.blocks = layout.fast, layout.blocks
        self._pools: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        self.rare = not layout.possible or self._is_rare()

    def draw(self, parameters: tuple[int, ...], bits: Bits) -> tuple[int, ...] | None:
        """A filling; None where none is found for these thresholds."""
        filling = None if self.rare else self._filled(parameters, bits)
        if filling is not None:
            return filling
        pool = self._pool(parameters)
        return pool[bits(32) * len(pool) >> 32] if pool else None

    def _filled(self, parameters: tuple[int, ...], bits: Bits) -> tuple[int, ...] | None:
        row = [*[0] * self.kitchen.frame.cells, *parameters]
        for place, entries in self.fast:
            row[place] = entries[bits(BITS)]
        for block in self.blocks:
            if not block.fill(row, bits):
                return None
        return tuple([row[place] for place in self.part.places])

    def _demands(self) -> Iterator[Truth]:
        """What must hold of the part."""
        rules, here = self.kitchen.rules, set(self.part.places)
        wanted = [(truth, True) for truth in (*rules.consistency, *rules.distances)]
        wanted += [(truth, number not in self.failing) for number, truth in enumerate(rules.conditions)]
        wanted += [(truth, True) for truth in rules.plan] if self.winner else []
        for truth, hold in wanted:
            if not truth.reads.isdisjoint(here):
                yield from demanded(truth, hold)

    def _is_rare(self) -> bool:
        name = f"{self.kitchen.family.digest}/facts/{self.part.places}/{sorted(self.failing)}/{self.winner}"
        bits = Random(name).getrandbits
        made = sum(self._filled(self.kitchen.drawn_parameters(bits), bits) is not None for _ in range(TRIALS))
        return 2 * made < TRIALS

    def _pool(self, parameters: tuple[int, ...]) -> list[tuple[int, ...]]:
        if parameters not in self._pools:
            if len(self._pools) >= MOST_POOLS:
                self._pools.clear()
            self._pools[parameters] = list(self._planned(parameters))
        return self._pools[parameters]

    def _planned(self, parameters: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Fillings by the planner, which mends what it draws: none where its search finds none."""
        family, frame, seed = self.kitchen.family, self.kitchen.frame, self.kitchen.seed
        plan = f"{self.part.places}/{sorted(self.failing)}/{self.winner}/{parameters}"
        rng, domains = Random(f"{family.digest}/{seed}/facts/{plan}"), frame.domains[frame.cells :]
        values = {name: domains[number].value(parameters[number]) for number, name in enumerate(frame.parameters)}
        ids = frozenset(family.conditions[number].id for number in self.failing)
        goal = Goal(family, values, ids, self.winner)
        for _ in range(POOL):
            drawn = draw_candidate(goal, rng)
            if drawn is None:
                return
            cells = with_likeness(goal, with_margins(goal, drawn, rng), rng)
            row = [index(frame.domains[place], cells[slot]) for place, slot in enumerate(frame.slots)]
            if all(truth.read([*row, *parameters]) for truth in self.kitchen.rules.distances):
                yield tuple(row[place] for place in self.part.places)


def index(domain: Domain, value: Value) -> int:
    """The place of a value in its domain."""
    place = domain.index(value)
    if place is None:
        raise ValueError(f"{value!r} is outside its domain")
    return place


def _guards(family: Family, frame: Frame) -> tuple[Guard, ...]:
    """The members of groups whose size is open."""
    found = []
    for group, slot in family.member_slots:
        name = family.group_by_id[group].size_attribute
        if name is not None:
            required = family.attribute_by_id[name].required
            size = next(frame.position[each] for each in family.slots if each == (name, 0, required))
            lowest = frame.domains[size].value(0)
            if not isinstance(lowest, int):
                raise TypeError(f"the size of {group} is {lowest!r}, not a whole number")
            found.append((frame.position[slot], size, slot.member - lowest))
    return tuple(found)


def _threshold(kitchen: Kitchen, number: int) -> Proposals:
    """The table of a threshold; a fixed one has one place."""
    place, value = kitchen.frame.cells + number, kitchen.family.parameters[number].value
    if value is None:
        return kitchen.proposer.natural(place)
    fixed = [index(kitchen.frame.domains[place], value)] * ENTRIES
    return Proposals(fixed, (), fixed[0], fixed)


def _parts(kitchen: Kitchen) -> Iterator[Part]:
    """Cells are tied by a rule, by the size of their group, and to the other contexts of their attribute."""
    frame, rules = kitchen.frame, kitchen.rules
    every = (*rules.conditions, *rules.consistency, *rules.plan, *rules.distances)
    ties = [{place for place in truth.reads if place < frame.cells} for truth in every]
    ties += [{member, size} for member, size, _ in kitchen.guards]
    ties += [{place, required} for place, required in kitchen.proposer.required.items()]
    found = [{place} for place in range(frame.cells)]
    for tie in (tie for tie in ties if tie):
        touching = [each for each in found if not each.isdisjoint(tie)]
        found = [each for each in found if each.isdisjoint(tie)] + [set[int]().union(*touching)]
    for places in sorted(found, key=min):
        reads = {number for number, truth in enumerate(rules.conditions) if not truth.reads.isdisjoint(places)}
        touched = [truth for truth in every if not truth.reads.isdisjoint(places)]
        parameters = sorted({place for truth in touched for place in truth.reads if place >= frame.cells})
        planned = any(not truth.reads.isdisjoint(places) for truth in rules.plan)
        thresholds = tuple(place - frame.cells for place in parameters)
        yield Part(tuple(sorted(places)), frozenset(reads), planned, thresholds)
