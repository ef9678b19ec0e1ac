"""What `unco prove --family` prints of a family proof."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from unco.cli.exits import Exit
from unco.cli.output import table
from unco.compiler.family_files import store_counterexample, verdict_name

if TYPE_CHECKING:
    from unco.compiler.prove_family import FamilyReport
    from unco.solver.stability import Steadiness
    from unco.specs.family import Family
    from unco.specs.family_proof import FamilyClaim, FamilyVerdict

LEFT = "harmless, smallest sufficient cells"
"""The claims that are about one group alone."""


def family_lines(family: Family, report: FamilyReport, *, everything: bool) -> Iterator[str]:
    """The report for a terminal: the table, then claim by claim what shows it."""
    from unco.compiler.prove_family import rejection

    proof = report.proof
    open_names = [each.label for each in family.parameters if each.value is None]
    thresholds = f", for every value of {', '.join(open_names)}" if open_names else ""
    yield f"{family.name}: every claim, for every group that it can generate{thresholds}"
    yield ""
    yield table(HEAD, (_row(family, claim) for claim in proof.claims))
    for name, scope in dict.fromkeys((claim.name, claim.scope) for claim in proof.claims):
        claims = [claim for claim in proof.claims if (claim.name, claim.scope) == (name, scope)]
        yield from _section(family, report, claims, everything=everything)
    yield ""
    yield from _build_lines(report)
    yield from _stability_lines(family, report)
    found = rejection(family, proof)
    yield f"{family.name}: " + ("ACCEPTED" if found is None else f"REJECTED {found.code}: {found.detail}")


HEAD = ("claim", "subject", "form", "groups", "verdict", "how", "logic", "resources")


def _row(family: Family, claim: FamilyClaim) -> tuple[str, ...]:
    told = verdict_name(claim.verdict) + ("" if claim.required or claim.settled else " (not required)")
    how = _method(claim.verdict)
    return (
        claim.name.value, _subject(family, claim), claim.form, claim.scope.value, told, how, claim.logic,
        f"{claim.verdict.rlimit:,}",
    )  # fmt: skip


def _subject(family: Family, claim: FamilyClaim) -> str:
    return {role.id: role.name for role in family.roles}.get(claim.subject, claim.subject)


def _method(verdict: FamilyVerdict) -> str:
    from unco.specs.family_proof import FamilyProved, FamilyRefuted

    return verdict.method.value if isinstance(verdict, FamilyProved | FamilyRefuted) else ""


def _section(family: Family, report: FamilyReport, claims: list[FamilyClaim], *, everything: bool) -> Iterator[str]:
    """Claims of one name and scope, each with what shows it."""
    from unco.solver.families.claim_words import assumed, claim_lines

    shown = [claim for claim in claims if everything or _is_telling(claim)]
    if not shown:
        return
    first = shown[0]
    resting = assumed(family, first)
    yield ""
    yield f"{first.name.value}, {first.scope.value}" + (f" (assumed: {'; '.join(resting)})" if resting else "")
    lines = [(claim, tuple(claim_lines(family, claim)), tuple(_advice_lines(report, claim))) for claim in shown]
    for (_, shown_by, advised), together in groupby(lines, key=lambda line: (type(line[0].verdict), *line[1:])):
        yield from (f"- {claim.statement}: {verdict_name(claim.verdict)}" for claim, _, _ in together)
        yield from (f"    {line}" for line in (*shown_by, *advised))


def _is_telling(claim: FamilyClaim) -> bool:
    """Whether a claim is shown unasked: not where it only follows from another, or fails as it mostly must."""
    from unco.specs.family_proof import FamilyClaimName, Scope

    implied = (FamilyClaimName.MISSED, FamilyClaimName.NO_ORACLE)
    return claim.required or (claim.scope is not Scope.NO_WINNER and claim.name not in implied)


def _advice_lines(report: FamilyReport, claim: FamilyClaim) -> Iterator[str]:
    for advice in report.advice:
        if advice.claim == claim.key:
            yield f"it can be proved; {advice.says}:"
            yield from (f"  {line}" for line in advice.yaml.split("\n"))


def _build_lines(report: FamilyReport) -> Iterator[str]:
    claims = report.proof.claims
    settled = sum(claim.settled for claim in claims)
    yield f"For a build: {settled} of {len(claims)} claims hold in every group and need not be decided again;"
    yield f"the others are decided in each group, as are {LEFT}."
    yield "That no condition is impossible, always true or shadowed, and no operand idle, is what unco check finds."


def _stability_lines(family: Family, report: FamilyReport) -> Iterator[str]:
    if report.stability is None:
        return
    steady = report.stability
    rows = [_steadiness_row(family, each) for each in steady.claims if each.most]
    yield ""
    yield f"Resources over {steady.runs + 1} runs with other seeds and other orders of facts and rules"
    yield table(("claim", "subject", "form", "groups", "verdict", "least", "median", "most"), rows)
    yield f"{len(steady.changed)} verdicts changed" if steady.changed else "No verdict changed"
    yield ""


def _steadiness_row(family: Family, each: Steadiness) -> tuple[str, ...]:
    claim, used = each.claim, (each.least, each.median, each.most)
    verdicts = ", ".join(map(_plain_name, each.verdicts))
    spent = (f"{units:,}" for units in used)
    return claim.name.value, _subject(family, claim), claim.form, claim.scope.value, verdicts, *spent


def _plain_name(name: str) -> str:
    return name.removeprefix("Family")


def family_exit(report: FamilyReport) -> Exit:
    """Rejected before Unknown, Unknown before well; a verdict that changes with the seed is Unknown."""
    from unco.specs.family_proof import FamilyUnknown

    failed = [claim for claim in report.proof.claims if not claim.stands]
    if any(not isinstance(claim.verdict, FamilyUnknown) for claim in failed):
        return Exit.REJECTED
    changed = report.stability is not None and bool(report.stability.changed)
    return Exit.UNKNOWN if failed or changed else Exit.OK


# As JSON -------------------------------------------------------------------------------------------------------------


def plain_family(family: Family, report: FamilyReport) -> dict[str, Any]:
    """The report as plain data. Times are not part of it: the same specification gives the same bytes."""
    from unco.compiler.prove_family import rejection

    found = rejection(family, report.proof)
    steady = report.stability
    return {
        "specification": family.name,
        "digest": family.digest,
        "accepted": report.proof.accepted,
        "rejection": None if found is None else {"code": found.code, "detail": found.detail},
        "claims": [_plain_claim(family, claim) for claim in report.proof.claims],
        "advice": [
            {
                "claim": list(each.claim), "remedy": each.remedy.value, "says": each.says, "yaml": each.yaml,
                "changes": each.changes,
            }
            for each in report.advice
        ],
        "stability": None if steady is None else {
            "runs": steady.runs,
            "claims": [
                {
                    "claim": list(each.claim.key), "verdicts": list(map(_plain_name, each.verdicts)),
                    "least": each.least, "median": each.median, "most": each.most,
                }
                for each in steady.claims
            ],
        },
    }  # fmt: skip


def _plain_claim(family: Family, claim: FamilyClaim) -> dict[str, Any]:
    from unco.solver.families.claim_words import assumed, claim_lines, follows

    return {
        "claim": claim.name.value,
        "subject": claim.subject,
        "form": claim.form,
        "groups": claim.scope.value,
        "statement": claim.statement,
        "required": claim.required,
        "verdict": verdict_name(claim.verdict),
        "how": _method(claim.verdict),
        "logic": claim.logic,
        "assumed": list(assumed(family, claim)),
        "resources": claim.verdict.rlimit,
        "shown_by": list(claim_lines(family, claim)),
        "counterexample": store_counterexample(claim.verdict),
        "pairs": [list(pair) for pair in claim.pairs],
        "follows": follows(claim),
    }
