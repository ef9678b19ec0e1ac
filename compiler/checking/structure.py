"""The structure of a family: how roles, conditions and operands are spread, what is used, what can be confused."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from unco.compiler.checking.confusable import confusions
from unco.compiler.checking.forms import form_words, has_form, outermost
from unco.compiler.checking.report import Report
from unco.specs.answer import why_unwritable
from unco.specs.document import Specification
from unco.specs.expression import Apply, Expression, children, references, walk
from unco.specs.family import Attribute, Family


def check_structure(specification: Specification, family: Family, report: Report) -> None:
    """Hold a family to its limits; what does not stand goes into the report."""
    _counts(specification, report)
    _spread(specification, family, report)
    _use(family, report)
    _calculation(specification, family, report)
    _names(specification, report)
    _targets(specification, family, report)
    _weights(specification, report)


def owners(family: Family, expressions: Iterable[Expression]) -> tuple[str, ...]:
    """The roles that own an attribute in the expressions, in order of appearance."""
    return tuple(
        dict.fromkeys(
            family.attribute_by_id[reference.attribute].owner
            for expression in expressions
            for reference in references(expression)
        )
    )


def _counts(specification: Specification, report: Report) -> None:
    limits = specification.limits
    for code, name, number, (least, most) in (
        ("UNC301", "roles", len(specification.roles), limits.roles),
        ("UNC302", "conditions", len(specification.conditions), limits.conditions),
    ):
        if least > most or least < 1:
            report.add("UNC313", ("limits", name), "the limit cannot be met", found=f"{least} to {most}")
        elif not least <= number <= most:
            report.add(
                code,
                (name,),
                f"the number of {name} is outside the limits",
                found=str(number),
                expected=f"{least} to {most}",
                hint=f"add or merge {name}, or set `limits: {{{name}: [low, high]}}`",
            )


def _spread(specification: Specification, family: Family, report: Report) -> None:
    limits = specification.limits
    for code, path, what, found, least, setting in (
        (
            "UNC303",
            ("conditions",),
            "conditions",
            owners(family, [rule.expression for rule in family.conditions]),
            limits.condition_owners,
            "condition_owners",
        ),
        (
            "UNC304",
            ("calculation", "formula"),
            "operands",
            owners(family, [family.calculation.expression]),
            limits.operand_roles,
            "operand_roles",
        ),
    ):
        if len(found) < least:
            report.add(
                code,
                path,
                f"the {what} are spread over too few roles",
                found=f"{len(found)}: {', '.join(found)}",
                expected=f"at least {least} roles",
                hint=f"give an attribute of the {what} to another role, or set `limits: {{{setting}: ...}}`",
            )


def _use(family: Family, report: Report) -> None:
    used = used_attributes(family)
    for attribute in family.attributes:
        path = ("attributes", attribute.id)
        if attribute.id in used and attribute.distractor:
            report.add(
                "UNC315",
                (*path, "distractor"),
                f"`{attribute.id}` is a distractor, but a rule uses it",
                hint="remove `distractor`, or the use",
            )
        if attribute.id not in used and not attribute.distractor:
            report.add(
                "UNC309",
                path,
                f"`{attribute.id}` is used by no rule",
                hint="use it, remove it, or mark it with `distractor: true`",
            )
    for role in family.roles:
        if not family.owned(role.id):
            report.add(
                "UNC306",
                ("roles", role.id),
                f"the role `{role.id}` owns no attribute",
                hint="give it an attribute, or remove it",
            )


def used_attributes(family: Family) -> frozenset[str]:
    """Every attribute that a condition, a consistency rule, the calculation or a group reads."""
    rules = [rule.expression for rule in (*family.conditions, *family.consistency)]
    read = {reference.attribute for rule in (*rules, family.calculation.expression) for reference in references(rule)}
    return frozenset(read | {group.size_attribute for group in family.groups if group.size_attribute})


def _calculation(specification: Specification, family: Family, report: Report) -> None:
    calculation, path = family.calculation, ("calculation", "formula")
    if not has_form(calculation.operation, calculation.expression):
        report.add(
            "UNC307",
            path,
            f"the formula does not have the form of the operation `{calculation.operation}`",
            found=outermost(calculation.expression),
            expected=form_words(calculation.operation),
            hint="change the formula, or `operation`",
            related=(("the operation", ("calculation", "operation")),),
        )
    for part in walk(calculation.expression):
        if isinstance(part, Apply) and part.operator == "round":
            report.add(
                "UNC308",
                path,
                "the result is rounded once, at the end",
                span=part.span,
                hint="remove `round` from the formula and set `rounding: {places: ..., mode: ...}`",
            )
    most = specification.difficulty.depth
    if most is not None and depth(calculation.expression) > most:
        report.add(
            "UNC314",
            path,
            "the calculation is deeper than the difficulty allows",
            found=str(depth(calculation.expression)),
            expected=f"at most {most}",
            related=(("the setting", ("difficulty", "depth")),),
        )


def depth(expression: Expression) -> int:
    """How many operators stand on the longest way from the top to an operand."""
    below = max((depth(child) for child in children(expression)), default=-1)
    return below + 1


def _names(specification: Specification, report: Report) -> None:
    names = specification.candidates.names
    if len(set(names)) < specification.candidates.count:
        report.add(
            "UNC311",
            ("candidates", "names"),
            "there are too few candidate names",
            found=str(len(set(names))),
            expected=f"at least {specification.candidates.count} different names",
        )
    named = [(("candidates", "names", number), name) for number, name in enumerate(names)]
    roles = [(("roles", id_, "name"), role.name) for id_, role in specification.roles.items()]
    labels = [(("attributes", id_, "label"), section.label) for id_, section in specification.attributes.items()]
    tables = [(("tables", id_, "label"), section.label) for id_, section in specification.tables.items()]
    thresholds = [(("parameters", id_, "label"), section.label) for id_, section in specification.parameters.items()]
    for group in (named, roles, labels, tables + thresholds):
        for path, name, reason, other in confusions(group):
            report.add(
                "UNC310",
                path,
                f"this name {reason}",
                found=name,
                hint="use names that a reader can tell apart",
                related=(("the other", other),) if other else (),
            )
    decision = specification.decision
    answers = [(("decision", name), getattr(decision, name)) for name in ("positive", "negative")]
    for path, label in (*named, *answers):
        unwritable = why_unwritable(label)
        if unwritable is not None:
            report.add(
                "UNC310", path, f"this name {unwritable}", found=label, hint="use a name that an answer can hold"
            )
    if decision.positive.casefold() == decision.negative.casefold():
        report.add("UNC310", ("decision", "negative"), "both decisions have the same label", found=decision.negative)


def _targets(specification: Specification, family: Family, report: Report) -> None:
    chosen = specification.perturbations
    usable = aims(family)
    known = {*specification.attributes, *specification.roles}
    for name in ("misaligned", "incomplete", "missed"):
        targets = getattr(chosen, name) or ()
        for number, target in enumerate(targets):
            if target in targets[:number]:
                path = ("perturbations", name, number)
                report.add("UNC210", path, "a target is named twice", found=target, hint="remove one of the two")
            elif target not in usable[name]:
                report.add(
                    "UNC312",
                    ("perturbations", name, number),
                    f"{name} cannot aim at `{target}`",
                    found=target,
                    expected=", ".join(usable[name]) or "nothing in this specification",
                    hint=(None if target in known else _near(target, usable[name])) or _AIM_HINT[name],
                )


def _near(target: str, usable: tuple[str, ...]) -> str | None:
    close = get_close_matches(target, usable, n=1, cutoff=0.75)
    return f"did you mean {close[0]}?" if close else None


_AIM_HINT = {
    "misaligned": "a target is an attribute that a rule uses, with a context beside the required one",
    "incomplete": "a target is an attribute that a rule uses, other than the size of a group",
    "missed": "a target is a role that owns an attribute that a rule uses, and is not dispensable",
}


def aims(family: Family) -> dict[str, tuple[str, ...]]:
    """Every attribute or role that each defect can aim at."""
    used = used_attributes(family)
    sizes = {group.size_attribute for group in family.groups}

    def usable(attribute: Attribute) -> bool:
        return attribute.id in used and attribute.id not in sizes

    roles = {role.id for role in family.roles if not role.dispensable}
    return {
        "misaligned": tuple(each.id for each in family.attributes if usable(each) and len(each.contexts) > 1),
        "incomplete": tuple(each.id for each in family.attributes if usable(each)),
        "missed": tuple(
            dict.fromkeys(each.owner for each in family.attributes if each.id in used and each.owner in roles)
        ),
    }


def _weights(specification: Specification, report: Report) -> None:
    plan, difficulty = specification.plan, specification.difficulty
    margins = plan.margins
    if not margins.edge + margins.near + margins.far:
        report.add("UNC313", ("plan", "margins"), "all weights are zero")
    if plan.failed_conditions is not None and not sum(plan.failed_conditions.values()):
        report.add("UNC313", ("plan", "failed_conditions"), "all weights are zero")
    for number in plan.failed_conditions or ():
        if number > len(specification.conditions):
            report.add(
                "UNC313",
                ("plan", "failed_conditions"),
                "more failed conditions than there are conditions",
                found=str(number),
                expected=f"at most {len(specification.conditions)}",
            )
    if difficulty.distance is not None and difficulty.distance[0] > difficulty.distance[1]:
        report.add("UNC313", ("difficulty", "distance"), "the range is empty")
    shown = sum(section.distractor for section in specification.attributes.values())
    if difficulty.distractors is not None and difficulty.distractors > shown:
        report.add(
            "UNC313",
            ("difficulty", "distractors"),
            "more distractors than the specification declares",
            found=str(difficulty.distractors),
            expected=f"at most {shown}",
        )
