"""What a text is held against: one family and one instance, and the readers that know their words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from unco.compiler.reading.leaks import Giveaways
from unco.compiler.reading.rules import RuleReader
from unco.compiler.reading.vocabulary import Vocabulary
from unco.specs.family import Family
from unco.specs.instance import Instance


@dataclass(frozen=True)
class Matter:
    """A family and an instance of it."""

    family: Family
    instance: Instance
    words: Vocabulary
    rules: RuleReader
    giveaways: Giveaways

    @classmethod
    def of(cls, family: Family, instance: Instance) -> Matter:
        """The matter of one group; what depends on the family alone is kept."""
        words, rules = _readers(family)
        return cls(family, instance, words, rules, Giveaways(instance.names))


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
