"""Layout: in which order the cells of a part are drawn, from what they are proposed, and when each rule is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from unco.compiler.facts.blocks import Block, Check, Guard, Step
from unco.compiler.facts.proposals import ENTRIES, Proposals, Proposer
from unco.solver.closures.parts import Frame, Truth
from unco.solver.closures.reading import MOST_TABULATED
from unco.solver.operators.operator import Undefined


class Layout:
    """The blocks of a part: cells that what is demanded ties together. `possible` unless no value of a cell will do."""

    def __init__(
        self, proposer: Proposer, frame: Frame, guards: Sequence[Guard], places: Sequence[int], demands: Iterable[Truth]
    ) -> None:
        self.proposer = proposer
        self.frame = frame
        self.guards = [guard for guard in guards if guard[0] in places]
        self.places = places
        self.known = frozenset(range(frame.cells, len(frame.domains)))
        """What is drawn before."""
        self.possible = True
        self.filters: dict[int, list[Truth]] = {}
        """What must hold of one cell alone: its table has no other values."""
        self.ties: list[Truth] = []
        for truth in demands:
            self._sort(truth)
        self.fast: list[tuple[int, Sequence[int]]] = []
        """Cells that are drawn from their tables alone, before all others."""
        self.blocks: list[Block] = []
        for component in self._components():
            steps = self._steps(component)
            if len(steps) == 1 and steps[0].is_plain:
                self.fast += [(place, proposals.entries) for place, proposals in steps[0].draws]
            else:
                self.blocks.append(Block(steps))

    def _sort(self, truth: Truth) -> None:
        members = {member for member, _, _ in self.guards}
        if truth.known is not None:
            self.possible &= truth.known
        elif len(truth.reads) == 1 and truth.reads <= set(self.places) - members:
            self.filters.setdefault(min(truth.reads), []).append(truth)
        else:
            self.ties.append(truth)

    def _components(self) -> list[list[int]]:
        """Cells that are tied together; those of other contexts come last: they can be like the required ones."""
        found = [{place} for place in self.places]
        ties = [set(truth.reads & set(self.places)) for truth in self.ties]
        for tie in (*(tie for tie in ties if tie), *({member, size} for member, size, _ in self.guards)):
            touching = [each for each in found if not each.isdisjoint(tie)]
            found = [each for each in found if each.isdisjoint(tie)] + [set[int]().union(*touching)]
        others = self.proposer.required
        return [sorted(each) for each in sorted(found, key=lambda each: (each <= others.keys(), min(each)))]

    def _steps(self, component: Sequence[int]) -> list[Step]:
        left = [truth for truth in self.ties if not truth.reads.isdisjoint(component)]
        undrawn, steps = list(component), []
        sizes = {size for _, size, _ in self.guards}
        steps += [self._step([size], undrawn, left) for size in component if size in sizes]
        while undrawn:
            wanting = [[place for place in undrawn if place in truth.reads] for truth in left]
            steps.append(self._step(min(wanting, key=len, default=undrawn) or undrawn, undrawn, left))
        return steps

    def _step(self, places: Sequence[int], undrawn: list[int], left: list[Truth]) -> Step:
        """Draw these places, and ask all that can be asked then."""
        draws: list[tuple[int, Proposals]] = []
        checks: list[Check] = []
        for place in sorted(places, key=self._late):
            proposals, own = self._proposals(place)
            draws.append((place, proposals))
            checks += own
            self.known |= {place}
            undrawn.remove(place)
        asked = [truth for truth in left if truth.reads <= self.known]
        for truth in asked:
            left.remove(truth)
        guards = tuple(guard for guard in self.guards if guard[0] in places)
        return Step(tuple(draws), guards, (*checks, *(truth.read for truth in asked)))

    def _late(self, place: int) -> tuple[bool, int, int]:
        """What is compared with more comes later, so that it can be drawn near it."""
        marks = self.proposer.marks.get(place)
        return place in self.proposer.required, len(marks.moving) if marks else 0, place

    def _proposals(self, place: int) -> tuple[Proposals, list[Check]]:
        """The table of a place with what it must meet alone, and what must still be asked of a draw."""
        proposals, truths = self.proposer.table(place, self.known), self.filters.get(place, [])
        if not truths:
            return proposals, []
        holds = _holding(truths, place, len(self.frame.domains))
        kept = proposals.kept(holds)
        if not kept.entries:
            kept = _all_of(holds, proposals.last)
        self.possible &= bool(kept.entries)
        return kept, [truth.read for truth in truths] if kept.specials else []


def _holding(truths: Sequence[Truth], place: int, width: int) -> Callable[[int], bool]:
    row = [0] * width

    def holds(value: int) -> bool:
        row[place] = value
        try:
            return all(truth.read(row) for truth in truths)
        except Undefined:
            return False

    return holds


def _all_of(holds: Callable[[int], bool], last: int) -> Proposals:
    """Every place that holds, where the domain is not too large to look at all."""
    places = [place for place in range(last + 1) if holds(place)] if last < MOST_TABULATED else []
    entries = [places[number * len(places) // ENTRIES] for number in range(ENTRIES)] if places else []
    return Proposals(entries, (), last, entries)
