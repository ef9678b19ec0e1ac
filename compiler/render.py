"""render: a candidate group in words, as the Reliable setting has it: instructions, records, gold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pydantic import ValidationError

from unco.compiler.rendering.instructions import instructions
from unco.compiler.rendering.records import role_records, shown_roles
from unco.compiler.rendering.wording import Wording, drawn_wording
from unco.specs.answer import AnswerFormat, NumberFormat
from unco.specs.errors import Diagnostic, SpecificationError
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import NoWinner, Outcome, SeveralEligible, Winner
from unco.specs.scalars import number_text
from unco.specs.task import AttributeKey, GoldAnswer, GoldPart, PublicPart, PublicRole, Rendered
from unco.specs.wording import unit_text


@dataclass(frozen=True)
class RenderOptions:
    """Whether the author's own wording of a rule is shown below the program's."""

    author_words: bool = True


def render(
    family: Family, group: CandidateGroup, options: RenderOptions | None = None, wording: Wording | None = None
) -> Rendered:
    """The instance in words, in the program's own wording unless another is given.

    Raises SpecificationError (UNC601, UNC602) where a text cannot be written.
    """
    options = options or RenderOptions()
    wording = wording or drawn_wording(family, group.index)
    form = answer_format(family, group.instance.names)
    gold = gold_answer(family, group.outcome, group.instance.names)
    return Rendered(
        public=_public(family, group, wording, form, options),
        records=tuple(role_records(family, group, role, wording) for role in shown_roles(family)),
        gold=GoldPart(answer=gold),
    )


def answer_format(family: Family, names: tuple[str, ...]) -> AnswerFormat:
    """What an answer may be; raises SpecificationError (UNC602) where a label or a name cannot stand in one."""
    calculation = family.calculation
    unit = unit_text(calculation.unit) or calculation.unit.symbol
    forms = (unit_text(calculation.unit, one=True), calculation.unit.symbol)
    also = tuple(each for each in forms if each not in ("", unit))
    try:
        number = NumberFormat.model_validate(
            {"unit": unit, "places": calculation.places, "mode": calculation.mode, "also": also}
        )
        return AnswerFormat(
            positive=family.decision.positive, negative=family.decision.negative, candidates=names, number=number
        )
    except ValidationError as error:
        reason = "; ".join(str(each["msg"]).removeprefix("Value error, ") for each in error.errors())
        raise SpecificationError([Diagnostic("UNC602", f"no answer can be written: {reason}")]) from error


def gold_answer(family: Family, outcome: Outcome, names: tuple[str, ...]) -> GoldAnswer:
    """The outcome in the words of the task."""
    match outcome:
        case Winner(candidate, result):
            return GoldAnswer(
                decision=family.decision.positive, candidate=names[candidate], result=_result_text(result)
            )
        case NoWinner():
            return GoldAnswer(decision=family.decision.negative)
        case SeveralEligible(candidates):
            raise ValueError(f"{len(candidates)} candidates are eligible: the group has no answer")


def _result_text(result: int | Fraction) -> str:
    try:
        return number_text(result)
    except ValueError as error:
        raise SpecificationError([Diagnostic("UNC602", f"the result cannot be written: {error}")]) from error


def _public(
    family: Family, group: CandidateGroup, wording: Wording, form: AnswerFormat, options: RenderOptions
) -> PublicPart:
    described = form.describe()
    return PublicPart(
        title=family.title,
        instructions=instructions(family, group.instance, wording, described, author_words=options.author_words),
        roles=tuple(
            PublicRole(id=role.id, name=role.name, description=wording.descriptions[role.id])
            for role in shown_roles(family)
        ),
        candidates=group.instance.names,
        attributes=_keys(family),
        answer_format=described,
        answer=form,
    )


def _keys(family: Family) -> tuple[AttributeKey, ...]:
    return tuple(
        AttributeKey(id=each.id, label=each.label, kind=each.context_kind, context=each.required)
        for each in family.shown_attributes
    )
