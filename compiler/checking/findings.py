"""The solver's findings and the faults of tables as diagnostics, with examples in the author's terms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from unco.compiler.checking.report import Report
from unco.solver.findings import Finding, findings, missing_values
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain
from unco.specs.errors import Severity
from unco.specs.expression import references
from unco.specs.family import Family
from unco.specs.instance import Instance
from unco.specs.located import FieldPath
from unco.specs.wording import value_text

HINTS = {
    "UNC401": "relax one of the rules under `consistency`, or widen a domain",
    "UNC402": "no value of the domain satisfies it: change the condition or the domain",
    "UNC403": "every value of the domain satisfies it: change the condition or the domain, or remove it",
    "UNC404": "remove it, or change it so that it can fail where the others hold",
    "UNC405": "remove the part, or change it so that it decides for some candidate",
    "UNC406": "remove the operand, or change the formula or the conditions so that it counts",
    "UNC407": "exclude the case by the domain or a condition, or guard it: `x != 0 and ...`",
    "UNC408": "add a row for this case, or exclude it by the domain or a condition",
    "UNC409": "let exactly one row apply",
    "UNC410": "change one of the conditions that cannot hold together",
    "UNC411": "remove it, or change the domains or conditions so that it can apply",
    "UNC412": "raise the budget with --rlimit, or simplify the rule",
    "UNC413": "relax the clause, or what it cannot hold together with",
}


def check_findings(family: Family, report: Report, rlimit: int) -> None:
    """Ask the solver for all findings; each becomes a diagnostic."""
    _add(findings(family, rlimit), family, report)


def check_values(family: Family, report: Report, rlimit: int) -> None:
    """Ask the solver whether every rule has a value wherever it is looked at; each that has none is a diagnostic."""
    _add(missing_values(family, rlimit), family, report)


def _add(found: Iterable[Finding], family: Family, report: Report) -> None:
    for finding in found:
        report.add(
            finding.code,
            _path(finding, report),
            _message(finding),
            found=_domains(family, finding),
            hint=HINTS[finding.code],
            example=_example(family, finding),
            related=_related(finding),
            severity=Severity.WARNING if finding.stands else Severity.ERROR,
            span=finding.span,
        )


def _related(finding: Finding) -> tuple[tuple[str, FieldPath], ...]:
    """The other rules that are to blame, and where they stand."""
    section = "consistency" if finding.section == "consistency" else "conditions"
    rules: list[tuple[str, FieldPath]] = [(other, (section, other)) for other in finding.others]
    rules += [(other, ("plan", "winner", other)) for other in finding.clauses]
    return tuple((f"with `{other}`", path) for other, path in rules)


MOST_DOMAINS = 4
"""Domains told with a finding; with more, a reader looks at the attributes."""


def _domains(family: Family, finding: Finding) -> str | None:
    """What the attributes of an impossible condition or clause, or of one that is always true, can be."""
    rules = family.plan.winner if finding.section == "plan.winner" else family.conditions
    rule = next((rule for rule in rules if rule.id == finding.id), None)
    if finding.code not in ("UNC402", "UNC403", "UNC413") or rule is None:
        return None
    read = dict.fromkeys((each.attribute, each.context) for each in references(rule.expression))
    told = [
        f"`{attribute}` is {words}"
        for attribute, context in read
        if (words := _domain_words(dict(family.attribute_by_id[attribute].contexts)[context])) is not None
    ]
    return "; ".join(told) if 0 < len(told) <= MOST_DOMAINS else None


def _domain_words(domain: Domain) -> str | None:
    match domain:
        case NumberDomain() | DateDomain():
            return f"from {value_text(domain.value(0), domain)} to {value_text(domain.value(domain.size - 1), domain)}"
        case CategoryDomain(_, values):
            return f"one of {', '.join(values)}" if len(values) <= MOST_DOMAINS * 2 else None
        case BooleanDomain():
            return None
        case _:
            assert_never(domain)


def _path(finding: Finding, report: Report) -> FieldPath:
    path = tuple(part for part in (*finding.section.split("."), finding.id) if part)
    return (*path, "rule") if isinstance(report.source.value((*path, "rule")), str) else path


def _message(finding: Finding) -> str:
    name = f"`{finding.id}`: " if finding.id and finding.section != "calculation" else ""
    reason = f" ({finding.reason})" if finding.code == "UNC412" else ""
    others = ", ".join(f"`{other}`" for other in (*finding.others, *finding.clauses))
    blame = {"UNC404": f": {others}", "UNC410": f": {others} cannot hold together"}.get(finding.code, "")
    blame = f" together with {others}" if finding.code == "UNC413" and others else blame
    return f"{name}{finding.message}{blame}{reason}"


def _example(family: Family, finding: Finding) -> str | None:
    return None if finding.example is None else in_words(family, finding.example, finding.attributes)


def in_words(family: Family, example: Instance, attributes: tuple[str, ...]) -> str:
    """The example's cells of some attributes, and its parameters, in the author's terms."""
    cells = [
        f"{slot.attribute}{f'[{slot.member}]' if slot.member else ''} = {value_text(value, family.domains[slot])}"
        for slot, value in example.candidate(0).items()
        if slot.attribute in attributes and slot.context == family.attribute_by_id[slot.attribute].required
    ]
    domains = {parameter.id: parameter.domain for parameter in family.parameters}
    parameters = [f"{name} = {value_text(value, domains[name])}" for name, value in example.parameters.items()]
    return ", ".join(cells + parameters)
