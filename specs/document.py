"""The specification as its author writes it: frozen data, one class a section. Numbers stay exact.

`Specification` is what YAML and JSON files hold and what Python code constructs; its JSON Schema is the language's.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from unco.specs.scalars import Expr, Id, Kind, LongText, Number, Operation, RoundingMode, Scalar, Share, Text, Weight


def _version(value: object) -> object:
    return 1 if value == "1" else value


class Section(BaseModel):
    """Frozen, closed (an unknown field is an error), without silent conversion."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, use_attribute_docstrings=True)


class DecisionSection(Section):
    """The labels of the two decisions."""

    positive: Text
    """Said when one candidate is eligible, e.g. `Appoint`."""
    negative: Text
    """Said when none is, e.g. `Do not appoint`."""


class CandidatesSection(Section):
    """The candidates: how many, what they are called, and a pool of names to draw from."""

    count: Annotated[int, Field(ge=2, le=8)] = 3
    noun: Text = "candidate"
    plural: Text | None = None
    names: Annotated[tuple[Text, ...], Field(min_length=2, max_length=500)]
    """A pool of at least `count` distinct names."""


class UnitSection(Section):
    """A counting unit of the author's own, such as a term or a bed."""

    plural: Text | None = None


class RoleSection(Section):
    """A colleague: what is public about them."""

    name: Text
    description: Text
    """What the role holds, in public words; never a fact."""
    dispensable: bool = False
    """A distractor: its evidence need not be necessary."""
    necessary: Literal["computed", "with_winner", "always"] = "computed"
    """Where a group is rejected because the role is not necessary: nowhere, where somebody wins, or everywhere."""


class GroupSection(Section):
    """Numbered members 1..n of each candidate, such as the members of a household."""

    label: Text
    size: Id | Annotated[int, Field(ge=1, le=12)]
    """A count attribute that gives n, or a fixed number."""
    maximum: Annotated[int, Field(ge=1, le=12)] | None = None
    """The greatest n; needed where `size` is an attribute."""


class DomainFields(Section):
    """What a value may be; which fields are needed depends on the type."""

    unit: Text | None = None
    """A unit or currency: `years`, `AUD`, `USD per month`."""
    range: tuple[Scalar, Scalar] | None = None
    """Lowest and highest value, both included: numbers in the unit, or dates."""
    step: Number | None = None
    """The distance of neighbouring values. Default: 1, or the last of the `places`."""
    places: Annotated[int, Field(ge=0, le=9)] | None = None
    """Decimal places, in place of `step`."""
    values: Annotated[tuple[Text, ...], Field(min_length=2, max_length=60)] | None = None
    """The names of a category."""


class OffContext(DomainFields):
    """Another evidence context: its name, and what differs in its domain."""

    name: Text


class ContextSection(Section):
    """What a value is about: the context that the task requires, and others in which the attribute is also recorded."""

    kind: Text
    """What sort of context: `period`, `site`, `edition`, `currency`."""
    required: Text
    others: Annotated[tuple[Text | OffContext, ...], Field(max_length=4)] = ()


class AttributeSection(DomainFields):
    """A typed quantity of every candidate, owned by one role."""

    label: Text
    owner: Id
    type: Kind
    words: tuple[Text, Text] | None = None
    """A Boolean's words for true and for false, e.g. `[passed, failed]`."""
    context: ContextSection | None = None
    per: Id | None = None
    """The group whose every member has this attribute."""
    distractor: bool = False
    """Shown, but used by no rule."""


class ParameterSection(DomainFields):
    """A threshold: open within its domain, or fixed by `value`."""

    label: Text
    type: Kind
    value: Scalar | None = None


class TableRow(Section):
    """One row: a single key (`is`), or bounds; `from` and `to` are included, `above` and `below` are not."""

    model_config = ConfigDict(populate_by_name=True)

    is_: Annotated[Scalar | None, Field(alias="is")] = None
    from_: Annotated[Scalar | None, Field(alias="from")] = None
    above: Scalar | None = None
    to: Scalar | None = None
    below: Scalar | None = None
    value: Scalar


class ValueSection(Section):
    """The type of a table's keys or values."""

    type: Kind
    unit: Text | None = None
    values: tuple[Text, ...] | None = None


class TableSection(Section):
    """A table for `lookup(table, key)`, or the tiers for `tiered(table, amount)`."""

    label: Text
    key: ValueSection
    gives: ValueSection
    rows: Annotated[tuple[TableRow, ...], Field(min_length=1, max_length=60)]


class RuleSection(Section):
    """A Boolean expression with an optional wording of the author's own."""

    rule: Expr
    text: Text | None = None


class RoundingSection(Section):
    """How the result is rounded, once, at the end."""

    places: Annotated[int, Field(ge=0, le=9)] = 0
    mode: RoundingMode = "half_up"


class CalculationSection(Section):
    """The numerical rule."""

    operation: Operation
    label: Text
    """What the result is, e.g. `relocation package`."""
    formula: Expr
    unit: Text | None = None
    """The unit of the answer: a currency, `%`, a unit, or none."""
    rounding: RoundingSection = RoundingSection()
    text: Text | None = None


class PerturbationsSection(Section):
    """Targets of the defects; what is left out is every attribute or role that the defect can aim at."""

    misaligned: tuple[Id, ...] | None = None
    incomplete: tuple[Id, ...] | None = None
    missed: tuple[Id, ...] | None = None


class MarginsSection(Section):
    """Weights of how far a drawn value lies from a threshold."""

    edge: Weight = Fraction(1)
    """At the threshold or one step off."""
    near: Weight = Fraction(2)
    """Within a tenth of the domain."""
    far: Weight = Fraction(2)


class PlanSection(Section):
    """What the generator draws; it binds the generator only, never a completion."""

    none_eligible: Share = Fraction(1, 3)
    """The share of groups in which no candidate is eligible."""
    winner: dict[Id, Expr | RuleSection] = {}
    """Rules that the planned winner obeys besides the conditions."""
    margins: MarginsSection = MarginsSection()
    failed_conditions: dict[Annotated[int, Field(ge=1, le=40)], Weight] = {
        1: Fraction(3),
        2: Fraction(2),
        3: Fraction(1),
    }
    """Weights of the number of conditions that a loser fails."""


class DifficultySection(Section):
    """How hard the instances are to decide."""

    distance: tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]] | None = None
    """Least and greatest distance, in steps, of a drawn value from a threshold it is compared with."""
    distractors: Annotated[int, Field(ge=0)] | None = None
    """How many of the distractor attributes are shown; all, where it is left out."""
    depth: Annotated[int, Field(ge=1, le=40)] | None = None
    """The greatest depth of the calculation's expression."""


class LimitsSection(Section):
    """What the structure is held to; the defaults are the paper's."""

    roles: tuple[int, int] = (5, 7)
    conditions: tuple[int, int] = (5, 7)
    condition_owners: int = 4
    """At least this many roles own an attribute of a condition."""
    operand_roles: int = 2
    """At least this many roles own an operand of the calculation."""


class Specification(Section):
    """A decision task: candidates, private evidence spread over roles, eligibility conditions, a numerical rule."""

    unco: Annotated[Literal[1], BeforeValidator(_version)]
    """The version of the language."""
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
    title: Text
    domain: Text
    """The application domain, e.g. `mining`."""
    task: LongText
    """What the main agent is asked to decide, in plain words, without rules or facts."""
    decision: DecisionSection
    candidates: CandidatesSection
    units: dict[Id, UnitSection] = {}
    roles: dict[Id, RoleSection]
    groups: dict[Id, GroupSection] = {}
    parameters: dict[Id, ParameterSection] = {}
    tables: dict[Id, TableSection] = {}
    attributes: dict[Id, AttributeSection]
    consistency: dict[Id, Expr | RuleSection] = {}
    """Rules across roles that every legal instance obeys."""
    conditions: dict[Id, Expr | RuleSection]
    """A candidate is eligible if and only if all hold."""
    calculation: CalculationSection
    perturbations: PerturbationsSection = PerturbationsSection()
    plan: PlanSection = PlanSection()
    difficulty: DifficultySection = DifficultySection()
    limits: LimitsSection = LimitsSection()
    notes: LongText | None = None
    """For an author who starts from this specification; no agent sees it."""

    def dump(self) -> dict[str, Any]:
        """The specification as plain data, as a JSON file would hold it."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude_none=True)
