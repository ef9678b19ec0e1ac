"""Mixed for a whole family: what may be omitted and who may be silent beside a misaligned reply, and nothing is masked.

Three defects on three roles stand in all eight states if and only if each of them alone leaves the answer open, and at
face value the omitted value, and the silent role, still do. At face value somebody wins or nobody does.

- *Somebody wins* there, a legal eligible candidate, though perhaps not as planned: hidden cells must be able to change
  his eligibility or his result.
- *Nobody wins* there: hidden cells must be able to lift somebody. Whoever they lift fails nothing but conditions that
  they enter. So there must be such a candidate, in the group as it reads at face value; and it is enough that there is
  one, where every such candidate can be lifted.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from unco.solver.families.asked import Asked
from unco.solver.families.question import Question
from unco.solver.families.replies import is_read, omitted
from unco.solver.families.search import Covered
from unco.specs.expression import Expression, references
from unco.specs.family import Attribute, Family, Slot
from unco.specs.family_proof import Scope

Pair = tuple[str, str]
"""An attribute whose value is omitted, and a role that is silent."""


class Part(Enum):
    """Whose answer hidden cells can change."""

    PLANNED = "a winner as planned"
    ANYBODY = "anybody who is eligible"
    LIFTED = "anybody who fails only what the cells enter"


def lifting(family: Family, hidden: tuple[Slot, ...]) -> Question:
    """Whether whoever fails nothing but conditions that the hidden cells enter can become eligible by them, as far as a
    condition or a consistency rule reads them.
    """
    cells = {(slot.attribute, slot.context) for slot in hidden}
    apart = tuple(rule.expression for rule in family.conditions if cells.isdisjoint(_read(rule.expression)))
    rules = [rule.expression for rule in (*family.conditions, *family.consistency)]
    entering = {cell for rule in rules for cell in _read(rule)}
    moved = tuple(slot for slot in hidden if slot.member or (slot.attribute, slot.context) in entering)
    return Question(family, False, moved, apart)


def _read(rule: Expression) -> set[tuple[str, str]]:
    """The attributes that a rule reads, each with its context."""
    return {(each.attribute, each.context) for each in references(rule)}


class Mixing:
    """What stands beside misaligned replies; each part is asked once."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.family = asked.family
        self._stands: dict[tuple[str, Part], bool] = {}

    def pairs(self, attribute: Attribute, scope: Scope) -> tuple[Pair, ...]:
        """What may be omitted and who may be silent beside a misaligned reply about the attribute, so that the eight
        states stand; that the misaligned reply is valid alone is another claim.
        """
        names, roles = self.each(attribute, scope)
        owner = {each.id: each.owner for each in self.family.attributes}
        found = ((name, role) for name in names for role in roles)
        return tuple(pair for pair in found if len({attribute.owner, owner[pair[0]], pair[1]}) == 3)

    def each(self, attribute: Attribute, scope: Scope) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What may be omitted, and who may be silent, beside it, whoever owns what."""
        parts, targets = self._parts(attribute, scope), self.family.perturbations
        hidden = {name: omitted(self.family, self.family.attribute_by_id[name]) for name in targets.incomplete}
        silent = {role: self.asked.hidden_with(role) for role in targets.missed}
        return (
            tuple(name for name in hidden if all(self._stand(f"{name} omitted", hidden[name], part) for part in parts)),
            tuple(role for role in silent if all(self._stand(role, silent[role], part) for part in parts)),
        )

    def _parts(self, attribute: Attribute, scope: Scope) -> tuple[Part, ...]:
        """What each state comes down to, of the pair alone and at face value."""
        if scope is Scope.NO_WINNER:
            return (Part.LIFTED, Part.ANYBODY)
        if is_read(self.family, attribute.id):
            return (Part.ANYBODY, Part.LIFTED)
        planned = any(attribute.id == name for rule in self.family.plan.winner for name, _ in _read(rule.expression))
        return (Part.ANYBODY,) if planned else (Part.PLANNED,)

    def _stand(self, subject: str, hidden: tuple[Slot, ...], part: Part) -> bool:
        if (subject, part) not in self._stands:
            self._stands[subject, part] = isinstance(self.asked.decide(self._question(hidden, part)), Covered)
        return self._stands[subject, part]

    def _question(self, hidden: tuple[Slot, ...], part: Part) -> Question:
        match part:
            case Part.PLANNED:
                return self.asked.question(hidden, winner=True)
            case Part.ANYBODY:
                return replace(self.asked.question(hidden, winner=True), assumed=())
            case Part.LIFTED:
                return lifting(self.family, hidden)
