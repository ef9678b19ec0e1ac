"""What a text is held against: one family and one group, and the readers that know their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.leaks import Giveaways
from unco.compiler.reading.rules import RuleReader
from unco.compiler.reading.vocabulary import Vocabulary
from unco.specs.evidence import Exact, Knowledge
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Instance


@dataclass(frozen=True)
class Matter:
    """A family, an instance of it, and the cells that are recorded coarsely."""

    family: Family
    instance: Instance
    coarse: Mapping[Cell, Knowledge]
    words: Vocabulary
    rules: RuleReader
    giveaways: Giveaways
    reworded: bool = False
    """Whether the task and the descriptions may be in other words than the author's."""

    @classmethod
    def of(cls, family: Family, group: CandidateGroup, *, reworded: bool = False) -> Matter:
        """The matter of one group; what depends on the family alone is kept."""
        words, rules = _readers(family)
        return cls(
            family, group.instance, group.harmless.cells, words, rules, Giveaways(group.instance.names), reworded
        )

    def framing(self, where: str, subject: str, found: str, author: str) -> Iterator[Discrepancy]:
        """A text of the author's that frames the task: as written, or in other words where those are allowed."""
        told = self.giveaways.paraphrased if self.reworded else self.giveaways.free
        return told(where, subject, found, author)

    def recorded(self, cells: Iterable[Cell]) -> dict[Cell, Knowledge]:
        """What the records state of cells: the value, or what is known in its place."""
        return {cell: self.coarse.get(cell, Exact(self.instance.cells[cell])) for cell in cells}


@lru_cache(maxsize=64)
def _readers(family: Family) -> tuple[Vocabulary, RuleReader]:
    words = Vocabulary(family)
    return words, RuleReader(words)


def shown(family: Family) -> tuple[str, ...]:
    """The attributes that a task shows: those that rules read, and the distractors that the difficulty asks for."""
    distractors = [attribute.id for attribute in family.attributes if attribute.distractor]
    most = family.difficulty.distractors
    hidden = set() if most is None else set(distractors[most:])
    return tuple(attribute.id for attribute in family.attributes if attribute.id not in hidden)
