"""chunk: the lines of some indices of a family: the unit of work, which depends on neither workers nor resumption."""

from __future__ import annotations

import gc
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from operator import getitem, itemgetter
from random import Random
from struct import unpack

from unco.compiler.audit import is_audited
from unco.compiler.facts.audits import audit_fact
from unco.compiler.facts.claimed import claimed_roles, decided, one_by_one
from unco.compiler.facts.decode import Legend, decode
from unco.compiler.facts.lines import Drawn, Writer, rejected_line
from unco.compiler.facts.outlines import Outlines
from unco.compiler.facts.recipes import Kitchen, Recipe
from unco.compiler.facts.stocks import STOCK, Stock, Stocks, Unmet
from unco.compiler.facts.witnesses import Changes, Witnesses
from unco.solver.decide import Prover
from unco.solver.ground import Ground
from unco.solver.operators.operator import Undefined
from unco.specs.errors import InconsistencyError
from unco.specs.family import Family
from unco.specs.family_proof import FamilyProof

CHUNK = 10_000
"""So many indices stand in a file; their draws follow from the seed and the first index."""
ATTEMPTS = 60
"""So often a group is drawn before its index is given up."""
SPARE = 10
"""Where none of the first so many indices of a family is retained, its others are not tried."""


BATCH = 4_096
"""So many random numbers are made at once."""


@dataclass(frozen=True)
class Asked:
    """What decides every byte of a family's lines. `shown_by` is the hash of the proof, by which it is known."""

    family: Family
    proof: FamilyProof = field(compare=False)
    shown_by: str
    seed: int
    audit: int
    rlimit: int


@dataclass(frozen=True)
class FactsChunk:
    """Indices from `start` on, up to `stop`, until so many are retained."""

    asked: Asked
    start: int
    stop: int
    most: int

    @property
    def words(self) -> str:
        """The chunk in words, for errors."""
        return f"{self.asked.family.name}, instances {self.start:,} to {self.stop - 1:,}"


@dataclass
class Made:
    """The lines of a chunk, and what they come to."""

    size: int = 0
    retained: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    """winners, nobody, rejected, audited; and `necessary ROLE` for each role."""
    example: str = ""
    """Why the first index was rejected."""
    text: bytes = b""
    sha256: str = ""


class Plant:
    """What is made once for a family in a process."""

    def __init__(self, asked: Asked) -> None:
        family = asked.family
        self.family = family
        self.kitchen = Kitchen(family, asked.seed)
        self.legend = Legend(family.name, self.kitchen.frame, family.candidate_names)
        self.witnesses = Witnesses(self.kitchen, asked.proof)
        self.outlines = Outlines(family)
        self.writer = Writer(family.digest, [role.id for role in family.roles], family.calculation.places)
        self.claimed = claimed_roles(family, asked.proof)
        self.open_with_winner = one_by_one(family, asked.proof, winner=True)
        self.open_without = one_by_one(family, asked.proof, winner=False)
        runs = [(part.places[first], number, run) for number, part in enumerate(self.kitchen.parts)
                for run, (first, _) in enumerate(part.runs)]  # fmt: skip
        self.order = [(number, run) for _, number, run in sorted(runs)]
        """Each stretch of cells, by the number of its part, in the order of the cells."""
        self.spread: Callable[[list[int]], tuple[int, ...]] = itemgetter(*(number for number, _ in self.order), 0)
        """For each stretch the item of its part; and one more, so that there are at least two."""

    @cached_property
    def ground(self) -> Ground:
        """What the audit asks. It keeps nothing from one instance to the next, so that chunks may share it."""
        return Ground(self.family)


@lru_cache(8)
def plant(asked: Asked) -> Plant:
    """The plant of a family, kept for the chunks that follow."""
    return Plant(asked)


def run_facts_chunk(chunk: FactsChunk) -> Made:
    """The lines of a chunk. Raises InconsistencyError where a proof does not hold, or an audit disagrees."""
    with _without_collection():
        return _Shift(chunk, plant(chunk.asked)).run()


@contextmanager
def _without_collection() -> Iterator[None]:
    """Lines make no cycles, and a search for them costs a fifth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _Shift:
    def __init__(self, chunk: FactsChunk, plant_: Plant) -> None:
        self.chunk = chunk
        self.plant = plant_
        self.family = chunk.asked.family
        self.kitchen = plant_.kitchen
        rng = Random(f"{self.family.digest}/{chunk.asked.seed}/facts/{chunk.start}")
        self.bits, self.random_bytes = rng.getrandbits, rng.randbytes
        self.numbers: list[int] = []
        """Numbers below STOCK that wait for their use."""
        self.prover = Prover(self.family, chunk.asked.rlimit)
        self.stocks: dict[tuple[Recipe, tuple[int, ...]], Stock] = {}
        self.plans: dict[tuple[frozenset[int], bool, tuple[int, ...]], Stocks] = {}
        self.names = list(range(len(self.family.candidate_names)))
        self.made = Made()
        self.kinds: Counter[tuple[bool, tuple[str, ...]]] = Counter()
        """How often somebody, or nobody, wins and just these roles are shown."""
        self.blame = ("UNC413", "instantiate", "")

    def run(self) -> Made:
        """Every index of the chunk, until enough are retained."""
        lines, made, asked = [], self.made, self.chunk.asked
        for number in range(self.chunk.start, self.chunk.stop):
            line = self._line(number)
            made.size += 1
            made.retained += line is not None
            if line is None:
                made.counts["rejected"] += 1
                made.example = made.example or f"{self.blame[0]}: {self.blame[2]}"
                line = rejected_line(number, *self.blame)
            elif is_audited(self.family.digest, asked.seed, number, asked.audit):
                self._audit(line)
            lines.append(line)
            if made.retained == self.chunk.most or (number + 1 == SPARE and not made.retained):
                break
        self._count()
        made.text = "".join(lines).encode()
        made.sha256 = hashlib.sha256(made.text).hexdigest()
        return made

    def _count(self) -> None:
        counts = self.made.counts
        for (wins, roles), many in self.kinds.items():
            counts["winners" if wins else "nobody"] += many
            counts.update({f"necessary {role}": many for role in roles})

    def _line(self, number: int) -> str | None:
        """One index: who wins is drawn once, so that plans which are harder to meet are not met less often."""
        bits, plant_ = self.bits, self.plant
        winner = plant_.outlines.winner(bits)
        names = self._names()
        for _ in range(ATTEMPTS):
            parameters = self.kitchen.drawn_parameters(bits)
            failing = plant_.outlines.failing(winner, bits)
            made = self._candidates(parameters, failing, winner)
            if made is None:
                continue
            rows, cells = made
            try:
                whole = None if winner is None else plant_.witnesses.result(rows[winner])
                shown = self._shown(rows, failing, winner, whole)
            except Undefined as undefined:
                self.blame = ("UNC502", "prove", f"a rule has no value: {undefined.reason}")
                return None
            drawn = Drawn(number, parameters, cells, names, winner, whole)
            missing = plant_.open_without if winner is None else plant_.open_with_winner
            if missing and not self._decide(drawn, shown, missing):
                return None
            if len(shown) < min(2, len(self.family.roles)) and self._is_wanting(shown, winner):
                continue
            self.kinds[winner is not None, tuple(shown)] += 1
            return plant_.writer.line(drawn, shown)
        return None

    def _candidates(
        self, parameters: tuple[int, ...], failing: Sequence[frozenset[int]], winner: int | None
    ) -> tuple[dict[int, list[int]], list[str]] | None:
        """The rows of the candidates on whom the answer turns, and the cells of each as text; None where a plan cannot
        be had.
        """
        rows: dict[int, list[int]] = {}
        cells, spread = [], self.plant.spread
        try:
            for candidate, each in enumerate(failing):
                stocks = self._stocks(each, candidate == winner, parameters)
                drawn = self._numbers(len(stocks.stocks))
                try:
                    text = ",".join(map(getitem, stocks.texts, spread(drawn)))
                except IndexError:
                    drawn = [stock.at(number) for stock, number in zip(stocks.stocks, drawn, strict=True)]
                    text = ",".join(map(getitem, stocks.texts, spread(drawn)))
                cells.append(text)
                if winner is None or candidate == winner:
                    rows[candidate] = list(chain.from_iterable(map(getitem, stocks.places, spread(drawn))))
                    rows[candidate] += parameters
        except Unmet as unmet:
            self.blame = ("UNC413", "instantiate", self._unmet(failing, unmet))
            return None
        return rows, cells

    def _numbers(self, many: int) -> list[int]:
        """So many numbers below STOCK, each as likely."""
        if len(self.numbers) < many:
            self.numbers = [number % STOCK for number in unpack(f"<{BATCH}H", self.random_bytes(2 * BATCH))]
        drawn = self.numbers[-many:]
        del self.numbers[-many:]
        return drawn

    def _stocks(self, failing: frozenset[int], wins: bool, parameters: tuple[int, ...]) -> Stocks:
        key = (failing, wins, parameters)
        found = self.plans.get(key)
        if found is None:
            parts = range(len(self.kitchen.parts))
            stocks = [self._stock(self.kitchen.recipe(part, failing, winner=wins), parameters) for part in parts]
            found = self.plans[key] = Stocks(stocks, self.plant.order)
        return found

    def _stock(self, recipe: Recipe, parameters: tuple[int, ...]) -> Stock:
        """The stock of a recipe and of the thresholds that its rules read."""
        key = (recipe, tuple([parameters[number] for number in recipe.part.parameters]))
        if key not in self.stocks:
            self.stocks[key] = Stock(recipe, parameters, self.bits)
        return self.stocks[key]

    def _unmet(self, failing: Sequence[frozenset[int]], unmet: Unmet) -> str:
        ids = [self.family.conditions[each].id for each in sorted(frozenset[int]().union(*failing))]
        cells = dict.fromkeys(self.kitchen.frame.slots[place].attribute for place in unmet.places)
        return f"no values of {', '.join(cells)} were found for losers who fail {', '.join(ids)} and nothing else"

    def _shown(
        self, rows: dict[int, list[int]], failing: Sequence[frozenset[int]], winner: int | None, whole: int | None
    ) -> dict[str, tuple[int, Changes]]:
        """The witness of each role that a move shows to be necessary."""
        witnesses = self.plant.witnesses
        if winner is None:
            found: dict[str, tuple[int, Changes]] = {}
            for candidate, each in enumerate(failing):
                for role, changes in witnesses.of_loser(rows[candidate], each, found):
                    found[role] = (candidate, changes)
            return found
        shown = {}
        for role in self.plant.claimed:
            moved = witnesses.of_winner(rows[winner], whole or 0, role)
            if moved is None:
                raise InconsistencyError(
                    f"{self.family.name}: the family proof shows {role} necessary, but none of its moves changes the "
                    f"answer of a winner with the places {rows[winner]}"
                )
            shown[role] = (winner, moved)
        return shown

    def _decide(self, drawn: Drawn, shown: dict[str, tuple[int, Changes]], roles: Sequence[str]) -> bool:
        """Decide what the family proof leaves open of one instance; false where a required role is not necessary."""
        fact = decode(self.plant.legend, json.loads(self.plant.writer.line(drawn, {})))
        for role in roles:
            found = decided(self.prover, fact.instance, fact.outcome, role, self.kitchen.frame)
            if isinstance(found, str):
                self.blame = ("UNC503", "prove", found)
                return False
            shown[role] = found
        return True

    def _is_wanting(self, shown: dict[str, tuple[int, Changes]], winner: int | None) -> bool:
        """Whether fewer than two roles are shown where another draw may show more."""
        if winner is None:
            self.blame = ("UNC413", "instantiate", "fewer than two roles are necessary where nobody wins")
        return winner is None

    def _names(self) -> list[int]:
        """Some of the names, each as likely."""
        names, many = self.names, len(self.names)
        for place in range(self.family.candidates):
            other = place + (self.bits(32) * (many - place) >> 32)
            names[place], names[other] = names[other], names[place]
        return names[: self.family.candidates]

    def _audit(self, line: str) -> None:
        audit_fact(self.plant.ground, decode(self.plant.legend, json.loads(line)))
        self.made.counts["audited"] += 1
