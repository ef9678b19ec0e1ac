"""The solver's findings and the faults of tables as diagnostics, with examples in the author's terms."""

from __future__ import annotations

from unco.specs.wording import value_text

from unco.compiler.checking.report import Report
from unco.solver.findings import Finding, findings
from unco.specs.errors import Severity
from unco.specs.family import Family
from unco.specs.instance import Instance
from unco.specs.located import FieldPath

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
    "UNC413": "relax `plan.winner`",
}


def check_findings(family: Family, report: Report, rlimit: int) -> None:
    """Ask the solver for findings; each becomes a diagnostic."""
    for finding in findings(family, rlimit):
        report.add(
            finding.code,
            _path(finding, report),
            _message(finding),
            hint=HINTS[finding.code],
            example=_example(family, finding),
            related=tuple((f"with `{other}`", ("conditions", other)) for other in finding.others),
            severity=Severity.WARNING if finding.code == "UNC412" else Severity.ERROR,
            span=finding.span,
        )


def _path(finding: Finding, report: Report) -> FieldPath:
    path = tuple(part for part in (*finding.section.split("."), finding.id) if part)
    return (*path, "rule") if isinstance(report.source.value((*path, "rule")), str) else path


def _message(finding: Finding) -> str:
    name = f"`{finding.id}`: " if finding.id and finding.section != "calculation" else ""
    reason = f" ({finding.reason})" if finding.code == "UNC412" else ""
    others = ", ".join(f"`{other}`" for other in finding.others)
    blame = {"UNC404": f": {others}", "UNC410": f": {others} cannot hold together"}.get(finding.code, "")
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
