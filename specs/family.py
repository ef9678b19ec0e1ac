"""A family: a checked specification, resolved and typed, with open domains and thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from unco.specs.domains import Domain
from unco.specs.errors import Span
from unco.specs.expression import NO_MEMBER, Expression, references
from unco.specs.values import Unit, Value


class Slot(NamedTuple):
    """What a role can be asked about one candidate: an attribute, of one group member or none (0), in a context."""

    attribute: str
    member: int
    context: str


class Cell(NamedTuple):
    """A slot of one candidate, numbered from 0."""

    candidate: int
    attribute: str
    member: int
    context: str

    @property
    def slot(self) -> Slot:
        return Slot(self.attribute, self.member, self.context)


@dataclass(frozen=True)
class Role:
    """A colleague who privately owns attributes; a dispensable one is a distractor and need not be necessary."""

    id: str
    name: str
    description: str
    dispensable: bool = False
    necessary: str = "computed"
    """Whether it must be necessary: `computed` (as it falls), `with_winner` or `always`."""


@dataclass(frozen=True)
class Group:
    """Numbered members 1..n of a candidate; n is an attribute (of the owner of all member attributes) or fixed."""

    id: str
    label: str
    size_attribute: str | None
    maximum: int


@dataclass(frozen=True)
class Attribute:
    """A typed, owned quantity of every candidate; `contexts` holds each context with its domain, required first."""

    id: str
    label: str
    owner: str
    kind: str
    contexts: tuple[tuple[str, Domain], ...]
    context_kind: str = ""
    group: str | None = None
    distractor: bool = False
    span: Span | None = None

    @property
    def required(self) -> str:
        return self.contexts[0][0]

    @property
    def domain(self) -> Domain:
        """The domain in the required context."""
        return self.contexts[0][1]


@dataclass(frozen=True)
class Parameter:
    """A threshold with a domain; `value` is its default, used where an instance draws none."""

    id: str
    label: str
    domain: Domain
    value: Value | None = None


@dataclass(frozen=True)
class Rule:
    """A named Boolean expression about one candidate: a condition, a consistency rule, or a clause of the plan."""

    id: str
    expression: Expression
    text: str | None = None
    """The author's own wording, if any."""
    source: str = ""
    span: Span | None = None


@dataclass(frozen=True)
class Calculation:
    """The numerical rule: one of eight operations, rounded once, at the end, in the unit of the answer."""

    operation: str
    expression: Expression
    label: str
    unit: Unit
    places: int
    mode: str
    text: str | None = None
    source: str = ""
    span: Span | None = None


@dataclass(frozen=True)
class Decision:
    """The labels of a positive and a negative decision."""

    positive: str
    negative: str


@dataclass(frozen=True)
class Perturbations:
    """Which attributes and roles the defects may aim at."""

    misaligned: tuple[str, ...]
    incomplete: tuple[str, ...]
    missed: tuple[str, ...]


FAILED_CONDITIONS = ((1, Fraction(3)), (2, Fraction(2)), (3, Fraction(1)))
"""The weights of `Plan.failed_conditions` where the author gives none."""


@dataclass(frozen=True)
class Plan:
    """What the generator draws, and from which weights; it binds the generator only, never a completion."""

    none_eligible: Fraction
    winner: tuple[Rule, ...]
    """Further rules that the planned winner obeys."""
    margins: tuple[tuple[str, Fraction], ...]
    """Weights of `edge` (at the threshold or one natural step off), `near` (within a tenth of the domain) and `far`."""
    failed_conditions: tuple[tuple[int, Fraction], ...]
    """Weights of the number of conditions that a loser fails."""
    every_loser: bool = False
    """Whether the author gave these weights: then every loser draws from them, else those alone who are not to fail one
    condition, so that the defects can change the answer."""


@dataclass(frozen=True)
class Difficulty:
    """How hard the instances are: decision distance in steps, number of distractor attributes shown."""

    distance: tuple[int, int] | None
    distractors: int | None


@dataclass(frozen=True)
class Family:
    """Everything that the twins, the prover, the generator and the renderer read of a specification."""

    name: str
    title: str
    domain: str
    task: str
    decision: Decision
    noun: str
    noun_plural: str
    candidates: int
    candidate_names: tuple[str, ...]
    roles: tuple[Role, ...]
    groups: tuple[Group, ...]
    parameters: tuple[Parameter, ...]
    attributes: tuple[Attribute, ...]
    consistency: tuple[Rule, ...]
    conditions: tuple[Rule, ...]
    calculation: Calculation
    perturbations: Perturbations
    plan: Plan
    difficulty: Difficulty
    digest: str
    """Hash of the canonical specification; a family is known by it."""

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def attribute_by_id(self) -> dict[str, Attribute]:
        return {attribute.id: attribute for attribute in self.attributes}

    @cached_property
    def group_by_id(self) -> dict[str, Group]:
        return {group.id: group for group in self.groups}

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Every slot of one candidate, in the author's order."""
        return tuple(
            Slot(attribute.id, member, context)
            for attribute in self.attributes
            for context, _ in attribute.contexts
            for member in self.members(attribute)
        )

    @cached_property
    def domains(self) -> dict[Slot, Domain]:
        """The domain of every slot."""
        return {
            Slot(attribute.id, member, context): domain
            for attribute in self.attributes
            for context, domain in attribute.contexts
            for member in self.members(attribute)
        }

    @cached_property
    def shown_attributes(self) -> tuple[Attribute, ...]:
        """Those that a rule uses, and as many distractors, in the author's order, as the difficulty asks for."""
        distractors = [attribute.id for attribute in self.attributes if attribute.distractor]
        hidden = set(distractors[self.difficulty.distractors :] if self.difficulty.distractors is not None else ())
        return tuple(attribute for attribute in self.attributes if attribute.id not in hidden)

    @cached_property
    def condition_reads(self) -> tuple[frozenset[str], ...]:
        """The attributes that each condition reads."""
        return tuple(frozenset(each.attribute for each in references(rule.expression)) for rule in self.conditions)

    @cached_property
    def read_slots(self) -> tuple[Slot, ...]:
        """The slots that some rule reads: no other can change the outcome or the legality."""
        rules = [rule.expression for rule in (*self.conditions, *self.consistency)]
        every = (*rules, self.calculation.expression)
        read = {(each.attribute, each.context) for rule in every for each in references(rule)}
        return tuple(slot for slot in self.slots if (slot.attribute, slot.context) in read)

    @cached_property
    def member_slots(self) -> tuple[tuple[str, Slot], ...]:
        """The slots of group members, each with its group."""
        groups = {attribute.id: attribute.group for attribute in self.attributes}
        return tuple((group, slot) for slot in self.slots if (group := groups[slot.attribute]) is not None)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, candidate by candidate."""
        return tuple(Cell(candidate, *slot) for candidate in range(self.candidates) for slot in self.slots)

    def members(self, attribute: Attribute) -> range:
        """The member numbers of an attribute: 1 to the group's maximum, or 0 alone."""
        if attribute.group is None:
            return range(NO_MEMBER, NO_MEMBER + 1)
        return range(1, self.group_by_id[attribute.group].maximum + 1)

    def owned(self, role: str) -> tuple[Attribute, ...]:
        """The attributes that a role owns."""
        return tuple(attribute for attribute in self.attributes if attribute.owner == role)

    def cells_of(self, role: str) -> frozenset[Cell]:
        """All cells of a role: every candidate, member and context."""
        owned = {attribute.id for attribute in self.owned(role)}
        return frozenset(cell for cell in self.cells if cell.attribute in owned)
