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
    """How many candidates an instance has."""
    noun: Text = "candidate"
    """What one candidate is called in the task, e.g. `applicant`."""
    plural: Text | None = None
    """The plural of the noun, where it is not regular."""
    names: Annotated[tuple[Text, ...], Field(min_length=2, max_length=500)]
    """A pool of at least `count` distinct names."""


class UnitSection(Section):
    """A counting unit of the author's own, such as a term or a bed."""

    plural: Text | None = None
    """The plural of the name, where it is not regular."""


class RoleSection(Section):
    """A colleague: what is public about them."""

    name: Text
    """What the colleague is called."""
    description: Text
    """What the role holds, in public words; never a fact."""
    dispensable: bool = False
    """A distractor: its evidence need not be necessary."""
    necessary: Literal["computed", "with_winner", "always"] = "computed"
    """Where a group is rejected because the role is not necessary: nowhere, where somebody wins, or everywhere."""


class GroupSection(Section):
    """Numbered members 1..n of each candidate, such as the members of a household."""

    label: Text
    """What one member is called, e.g. `household member`."""
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
    """The other period, site, edition..., e.g. `April 2026`."""


class ContextSection(Section):
    """What a value is about: the context that the task requires, and others in which the attribute is also recorded."""

    kind: Text
    """What sort of context: `period`, `site`, `currency`; texts leave it out where the name of a context holds it."""
    required: Text
    """The context that the task needs."""
    others: Annotated[tuple[Text | OffContext, ...], Field(max_length=4)] = ()
    """The contexts that are also recorded, and may be confused with it."""


class AttributeSection(DomainFields):
    """A typed quantity of every candidate, owned by one role."""

    label: Text
    """What the attribute is called in sentences: a noun phrase without an article, such as `student debt`."""
    owner: Id
    """The role that holds it."""
    type: Kind
    """The type of the value, e.g. `money` or `date`."""
    words: tuple[Text, Text] | None = None
    """A Boolean's words for true and for false, e.g. `[passed, failed]`."""
    context: ContextSection | None = None
    """Left out where a value can be about one thing only."""
    per: Id | None = None
    """The group whose every member has this attribute."""
    distractor: bool = False
    """Shown, but used by no rule."""


class ParameterSection(DomainFields):
    """A threshold: open within its domain, or fixed by `value`."""

    label: Text
    """What the threshold is called in sentences."""
    type: Kind
    """The type of the value, e.g. `money` or `date`."""
    value: Scalar | None = None
    """The fixed value; drawn from the domain where it is left out."""


class TableRow(Section):
    """One row: a single key (`is`), or bounds; `from` and `to` are included, `above` and `below` are not."""

    model_config = ConfigDict(populate_by_name=True)

    is_: Annotated[Scalar | None, Field(alias="is")] = None
    """The only key of the row."""
    from_: Annotated[Scalar | None, Field(alias="from")] = None
    """The lowest key, included."""
    above: Scalar | None = None
    """The lower bound, not included."""
    to: Scalar | None = None
    """The highest key, included."""
    below: Scalar | None = None
    """The upper bound, not included."""
    value: Scalar
    """What the table gives in this row."""


class ValueSection(Section):
    """The type of a table's keys or values."""

    type: Kind
    """The type of the value, e.g. `money` or `date`."""
    unit: Text | None = None
    """A unit or currency."""
    values: tuple[Text, ...] | None = None
    """The names of a category."""


class TableSection(Section):
    """A table for `lookup(table, key)`, or the tiers for `tiered(table, amount)`."""

    label: Text
    """What the table is called in sentences."""
    key: ValueSection
    """What is looked up."""
    gives: ValueSection
    """What is found."""
    rows: Annotated[tuple[TableRow, ...], Field(min_length=1, max_length=60)]
    """The rows; together they cover every key once."""


class RuleSection(Section):
    """A Boolean expression with an optional wording of the author's own."""

    rule: Expr
    text: Text | None = None
    """The author's own wording, shown in the task after the program's."""


class RoundingSection(Section):
    """How the result is rounded, once, at the end."""

    places: Annotated[int, Field(ge=0, le=9)] = 0
    """Decimal places in the unit of the answer."""
    mode: RoundingMode = "half_up"
    """What happens to what lies between; the name says it."""


class CalculationSection(Section):
    """The numerical rule."""

    operation: Operation
    """The form of the formula."""
    label: Text
    """What the result is, e.g. `relocation package`."""
    formula: Expr
    """The expression that is worked out for the eligible candidate."""
    unit: Text | None = None
    """The unit of the answer: a currency, `%`, a unit, or none."""
    rounding: RoundingSection = RoundingSection()
    """How the result is rounded."""
    text: Text | None = None
    """The author's own wording, shown in the task after the program's."""


class PerturbationsSection(Section):
    """Targets of the defects; what is left out is every attribute or role that the defect can aim at."""

    misaligned: tuple[Id, ...] | None = None
    """Attributes whose owner may reply from another context."""
    incomplete: tuple[Id, ...] | None = None
    """Attributes whose owner may reply coarsely."""
    missed: tuple[Id, ...] | None = None
    """Roles that may overlook a request."""


class MarginsSection(Section):
    """Weights of how far a drawn value lies from a threshold."""

    edge: Weight = Fraction(1)
    """At the threshold or one step that people use off it."""
    near: Weight = Fraction(2)
    """Within a tenth of the domain."""
    far: Weight = Fraction(2)
    """Anywhere farther off."""


class PlanSection(Section):
    """What the generator draws; it binds the generator only, never a completion."""

    none_eligible: Share = Fraction(1, 3)
    """The share of groups in which no candidate is eligible."""
    winner: dict[Id, Expr | RuleSection] = {}
    """Rules that the planned winner obeys besides the conditions."""
    margins: MarginsSection = MarginsSection()
    """How far drawn values lie from the thresholds they are compared with."""
    failed_conditions: dict[Annotated[int, Field(ge=1, le=40)], Weight] | None = None
    """Weights of the number of conditions that a loser fails, for every loser alike; a group in which a defect then
    changes nothing is rejected. Where it is left out, two or three candidates fail one, so that every defect can."""


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
    """The least and the greatest number of roles."""
    conditions: tuple[int, int] = (5, 7)
    """The least and the greatest number of conditions."""
    condition_owners: int = 4
    """At least this many roles own an attribute of a condition."""
    operand_roles: int = 2
    """At least this many roles own an operand of the calculation."""


class Specification(Section):
    """A decision task: candidates, private evidence spread over roles, eligibility conditions, a numerical rule."""

    unco: Annotated[Literal[1], BeforeValidator(_version)]
    """The version of the language."""
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
    """A short name: `a-z`, digits and hyphens."""
    title: Text
    """What the task is called."""
    domain: Text
    """The application domain, e.g. `mining`."""
    task: LongText
    """What the main agent is asked to decide, in plain words, without rules or facts."""
    decision: DecisionSection
    """The labels of the two decisions."""
    candidates: CandidatesSection
    """The candidates and a pool of their names."""
    units: dict[Id, UnitSection] = {}
    """Counting units of the author's own, by name."""
    roles: dict[Id, RoleSection]
    """The colleagues, by name for expressions and owners."""
    groups: dict[Id, GroupSection] = {}
    """Numbered members of each candidate, such as a household, by name."""
    parameters: dict[Id, ParameterSection] = {}
    """Thresholds by name."""
    tables: dict[Id, TableSection] = {}
    """Tables for lookups and tiers, by name."""
    attributes: dict[Id, AttributeSection]
    """The facts, by name."""
    consistency: dict[Id, Expr | RuleSection] = {}
    """Rules across roles that every legal instance obeys."""
    conditions: dict[Id, Expr | RuleSection]
    """A candidate is eligible if and only if all hold."""
    calculation: CalculationSection
    """The number to work out for the eligible candidate."""
    perturbations: PerturbationsSection = PerturbationsSection()
    """What the defects may aim at."""
    plan: PlanSection = PlanSection()
    """What the generator draws."""
    difficulty: DifficultySection = DifficultySection()
    """How hard the instances are."""
    limits: LimitsSection = LimitsSection()
    """What the structure is held to."""
    notes: LongText | None = None
    """For an author who starts from this specification; no agent sees it."""

    def dump(self) -> dict[str, Any]:
        """The specification as plain data, as a JSON file would hold it."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude_none=True)
