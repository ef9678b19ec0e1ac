"""A shipped specification with one slip of an author: one diagnostic, at the line of the slip, with a way out."""

from __future__ import annotations

import pytest

from unco.compiler.check import CheckOptions, check
from unco.specs.diagnostics import render_text
from unco.specs.errors import Diagnostic, SpecificationError
from unco.specs.read import parse_specification
from unco.specs.shipped import shipped_specifications

SCHOLARSHIP, FARE = "graduate-scholarship", "reduced-fare"
SUPERINTENDENT, VACATION = "underground-superintendent", "vacation-days"

SLIPS: tuple[tuple[str, str, str, str, str, str], ...] = (
    # YAML: the reference, what is replaced, by what, the code, a part of the line pointed at, a part of what is told
    (SUPERINTENDENT, "  experience: hard", "  experience hard", "UNC103", "experience hard", "`experience: ...`"),
    (SUPERINTENDENT, "  medical: cl", "  medical:cl", "UNC103", "medical:cl", "write `medical: clearance`"),
    (SUPERINTENDENT, "conditions:\n", "conditions\n", "UNC103", "conditions", "`key: value`"),
    (SUPERINTENDENT, "  medical: cl", "    medical: cl", "UNC103", "medical: cl", "indented below a line"),
    (SUPERINTENDENT, "  medical: cl", " medical: cl", "UNC103", " medical: cl", "an indentation of 1 space"),
    (SUPERINTENDENT, "  medical: cl", "  - medical: cl", "UNC103", "- medical: cl", "a part of a list among keys"),
    (SUPERINTENDENT, "  medical: cl", "\u00a0 medical: cl", "UNC103", "medical: cl", "an unusual space"),
    (SUPERINTENDENT, "  medical: cl", "\tmedical: cl", "UNC103", "medical: cl", "indent with spaces"),
    (SUPERINTENDENT, "Keeps the site", "Keeps: the site", "UNC103", "Keeps: the site", "a second `: `"),
    (SUPERINTENDENT, "Keeps the site allowances.", "'The site's.'", "UNC103", "'The site's.'", "in single quotes"),
    (SUPERINTENDENT, "February 2026]}", "February 2026]", "UNC103", "available_from:", "close the brace"),
    (VACATION, "title: Summer", 'title: "Summer', "UNC103", 'title: "Summer', "close the quote"),
    (VACATION, "    - Bilal", "    -Bilal", "UNC103", "-Bilal", "write `- Bilal Karimi`"),
    # Fields and values
    (SUPERINTENDENT, "conditions:\n", "condition:\n", "UNC107", "condition:", "did you mean `conditions`?"),
    (SUPERINTENDENT, "{kind: month", "{kind:month", "UNC107", "{kind:month", "write `: ` after `kind`"),
    (SUPERINTENDENT, "range: [0, 40]", "range: 0..40", "UNC109", "range: 0..40", "`[first, second]`"),
    (SUPERINTENDENT, "[25000, 65000]", "[25,000, 65,000]", "UNC109", "[25,000, 65,000]", "holds no comma"),
    (SUPERINTENDENT, "range: [0, 40]", "range: [40, 0]", "UNC208", "range: [40, 0]", "`range: [0, 40]`"),
    (SUPERINTENDENT, "operation: sum", "operation: add", "UNC109", "operation: add", "did you mean `sum`?"),
    (VACATION, "range: [16, 66]", "range: [16 years, 66]", "UNC209", "16 years", "stands under `unit:`"),
    (SCHOLARSHIP, "value: 146500}", "value: 146,500}", "UNC107", "146,500", "write `146_500`"),
    (
        SCHOLARSHIP,
        "notes: >-",
        "plan: {winner: {over: household_income > lookup(income_limit, household_size)}}\nnotes: >-",
        "UNC109",
        "plan: {winner",
        "quote an expression that holds a comma inside braces",
    ),
    # Expressions
    (SUPERINTENDENT, "<= 2026-08-01", "<= 1 August 2026", "UNC110", "1 August 2026", "year-month-day"),
    (SUPERINTENDENT, '["first class", "se', '[first class, "se', "UNC110", "[first class", '`"first class"`'),
    (SUPERINTENDENT, "start: available", "start: \u0430vailable", "UNC110", "start: ", "CYRILLIC"),
    (FARE, "apple_health or basic", "apple_health, basic", "UNC110", "apple_health,", "join conditions"),
    (FARE, "19 years and 64", "19 years to 64", "UNC110", "19 years to 64", "`x between a and b`"),
    (SCHOLARSHIP, "> 30000 USD", "> 30 000 USD", "UNC113", "30 000", "as in `25_000`"),
    (SCHOLARSHIP, "> 30000 USD", "> USD 30000", "UNC110", "USD 30000", "`500 USD`"),
    (VACATION, "else if age >=", "elif age >=", "UNC110", "elif", "write `else if`"),
    (VACATION, "stand_ins >= 2", "stand_ins >= 2,5", "UNC110", "2,5", "as in `2.5`"),
    # Names, types and units
    (SUPERINTENDENT, '"second class"]', '"secnd class"]', "UNC206", "secnd", 'did you mean "second class"?'),
    (SUPERINTENDENT, "<= 2026-08-01", '<= "2026-08-01"', "UNC203", '"2026-08-01"', "without quotes"),
    (SUPERINTENDENT, "  unit: AUD\n  round", "  round", "UNC204", "formula:", "add `unit: AUD`"),
    (
        SUPERINTENDENT,
        "type: duration\n    unit: hours",
        "type: quantity\n    unit: mg per kg",
        "UNC204",
        "unit: mg per kg",
        "the type decimal",
    ),
    (SUPERINTENDENT, "hardrock_years >= 12 years", "hardrock_years >= 12", "UNC204", "experience:", "write the unit"),
    (SCHOLARSHIP, "6250 USD per term", "6250 USD/term", "UNC201", "USD/term", "`12 USD per term`"),
    (
        VACATION,
        "consent: consent",
        "consent: consent == favourable",
        "UNC201",
        "favourable",
        "`consent` or `not consent`",
    ),
    (VACATION, "stand_ins >= 2", "stand_ins >= 2 and untouched", "UNC201", "and untouched", "is a rule, not a value"),
    (FARE, "any(household,", "any(houshold,", "UNC211", "any(houshold,", "did you mean household?"),
    (FARE, "card_expiry <= 2026-07-15", "card_expiry <= today()", "UNC202", "today()", "no rule knows"),
    # Structure
    (VACATION, "misaligned: [contract", "misaligned: [contrakt", "UNC312", "contrakt", "did you mean contract?"),
    (VACATION, "[contract, service", "[contract, contract, service", "UNC210", "contract, contract", "named twice"),
    (SUPERINTENDENT, "owner: operations", "owner: operation", "UNC305", "owner: operation", "did you mean operations?"),
    # Findings of the solver
    (SUPERINTENDENT, ">= 12 years", ">= 45 years", "UNC402", ">= 45 years", "from 0 years to 40 years"),
    (SUPERINTENDENT, "<= 2026-08-01", "<= 2027-08-01", "UNC403", "2027-08-01", "31 December 2026"),
    (SCHOLARSHIP, "residency: resident\n", "residency: resident or not resident\n", "UNC403", "or not", "remove it"),
    (VACATION, ">= 14 years", ">= 140 years", "UNC401", ">= 140", "with `age_is_of_birth_date`"),
    (SCHOLARSHIP, "      - {is: 3, value: 146500}\n", "", "UNC408", "income_limit", "household_size = 3"),
)


@pytest.mark.parametrize(
    ("reference", "old", "new", "code", "line", "told"), SLIPS, ids=[f"{row[3]}-{row[2].strip()[:24]}" for row in SLIPS]
)
def test_one_slip_is_one_diagnostic_at_its_line_with_a_way_out(
    reference: str, old: str, new: str, code: str, line: str, told: str
) -> None:
    text = shipped_specifications()[reference].read_text(encoding="utf-8")
    assert old in text
    broken = text.replace(old, new, 1)
    (found,) = diagnostics(broken, findings=code.startswith("UNC4"))
    assert found.code == code
    assert found.span is not None
    assert line in broken.splitlines()[found.span.line - 1]
    assert told in render_text([found])


def diagnostics(text: str, findings: bool) -> tuple[Diagnostic, ...]:
    try:
        loaded = parse_specification(text, "broken.yaml")
    except SpecificationError as error:
        return error.diagnostics
    return check(loaded, CheckOptions(findings=findings, values=findings)).diagnostics
