"""The public part of a task, apart from its instructions: title, roles, candidates, attributes, form of the answer."""

from __future__ import annotations

from collections.abc import Iterator

from unco.compiler.reading.answer_sentences import answer_sentences
from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.numerals import signed
from unco.compiler.reading.subject_matter import Matter, shown
from unco.specs.family import Family
from unco.specs.task import PublicPart, PublicRole

WHERE = "public part"


def public_discrepancies(public: PublicPart, matter: Matter) -> Iterator[Discrepancy]:
    """Everything in the directory of a task that is not as the family and the instance have it."""
    family = matter.family
    yield from matter.giveaways.free(WHERE, "the title", public.title, family.title)
    yield from _roles(public.roles, matter)
    if public.candidates != matter.instance.names:
        told, expected = ", ".join(public.candidates), ", ".join(matter.instance.names)
        yield Discrepancy("altered", WHERE, "the candidates", told, expected)
    yield from _attributes(public, family)
    yield from answer_sentences(public.answer_format, WHERE, matter)
    yield from _answer(public, matter)
    if public.answer_format not in public.instructions:
        yield Discrepancy("altered", WHERE, "the form of the answer", "another than in the instructions", "the same")


def _roles(roles: tuple[PublicRole, ...], matter: Matter) -> Iterator[Discrepancy]:
    family = matter.family
    owners = {family.attribute_by_id[name].owner for name in shown(family)}
    expected = {role.id: role for role in family.roles if role.id in owners}
    for told in roles:
        role = expected.pop(told.id, None)
        if role is None:
            yield Discrepancy("added", WHERE, f"role {told.id}", told.name, "no such role, or it once")
            continue
        yield from matter.giveaways.free(WHERE, f"the name of role {role.id}", told.name, role.name)
        yield from matter.framing(WHERE, f"the description of role {role.id}", told.description, role.description)
    yield from (Discrepancy("missing", WHERE, f"role {name}", expected=role.name) for name, role in expected.items())


def _attributes(public: PublicPart, family: Family) -> Iterator[Discrepancy]:
    told = [(key.id, key.label, key.kind, key.context) for key in public.attributes]
    attributes = [family.attribute_by_id[name] for name in shown(family)]
    expected = [(each.id, each.label, each.context_kind, each.required) for each in attributes]
    for key in told:
        if key not in expected:
            yield Discrepancy("altered", WHERE, f"attribute {key[0]}", f"{key[1:]}", "as the family has it")
    for key in expected:
        if told.count(key) != 1:
            kind = "missing" if key not in told else "added"
            yield Discrepancy(
                "missing" if kind == "missing" else "added", WHERE, f"attribute {key[0]}", expected=f"{key[1:]}"
            )


def _answer(public: PublicPart, matter: Matter) -> Iterator[Discrepancy]:
    """The form of the answer as the scorer has it."""
    family, form = matter.family, public.answer
    calculation = family.calculation
    told = (form.positive, form.negative, form.candidates, form.number.unit, form.number.places, form.number.mode)
    decision, unit = family.decision, signed(calculation.unit.symbol)
    expected = (
        decision.positive, decision.negative, matter.instance.names, unit, calculation.places, calculation.mode,
    )  # fmt: skip
    if told != expected:
        yield Discrepancy("altered", WHERE, "the answer as it is scored", f"{told}", f"{expected}")
