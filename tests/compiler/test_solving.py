"""The reader: it solves what is rendered, and texts of no renderer; it refuses what can be read in no way or in two."""

from __future__ import annotations

import ast
import sys
import time
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from families import shipped
from rendered_groups import GRANT, family_of

from benchmarks import reader
from unco.compiler.render import render
from unco.compiler.solving import solve as module
from unco.compiler.solving.rounding import read_rounding
from unco.compiler.solving.solve import read_facts, solve
from unco.compiler.solving.unreadable import Unreadable
from unco.specs.shipped import shipped_specifications

FOLDER = Path(module.__file__).parent
LEFT_OPEN = "what is told leaves open who is eligible"
FACTS = (
    "age", "income (year: 2026)", "grade (exam: final)", "permit", "day of birth", "load (bridge: new)", "kind of shop"
)  # fmt: skip


def task(
    *conditions: str,
    formula: str = "2 × income (year: 2026)",
    result: str = "a whole number of EUR",
    way: str = "halves rounded away from zero",
    facts: tuple[str, ...] = FACTS,
    sections: str = "",
) -> str:
    """A task about Ana Gil and Bo Lee in words of this test."""
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(conditions, 1))
    listed = "\n".join(f"- {fact}" for fact in facts)
    kind, places = ("to a whole number", "as ") if result.startswith("a whole") else ("to 1 decimal place", "")
    return f"""Somebody has to be chosen.

Conditions
A person is eligible if and only if all of these conditions hold:
{numbered}

At most one person is eligible; possibly none is.
{sections}
Calculation
If a person is eligible, work out the sum for that person:
the sum = {formula}
Do not round intermediate values. Round the final result {kind} ({way}).

Facts to gather
{listed}

Decision
End with one line of this form: `ANSWER: DECISION | CANDIDATE | RESULT`. DECISION is `Yes` or `No`. \
CANDIDATE is `Ana Gil` or `Bo Lee`. With `No`, CANDIDATE and RESULT are both `none`. \
Give the result {places}{result} ({way}), in the form 1.
"""


def told(*values: str, name: str = "Ana Gil", form: str = "For {name}, the {fact} is {value}.") -> list[str]:
    """Records of the first facts of a person."""
    return [form.format(name=name, fact=fact, value=value) for fact, value in zip(FACTS, values, strict=False)]


BO_VALUES = ("20 years", "5,000 EUR", "poor", "not granted", "1 May 2000", "900 kg", "bakery")
BO = told(*BO_VALUES, name="Bo Lee")
ANA = ("40 years", "30,000 EUR", "good", "granted", "29 February 1988", "2 tonnes", "bakery")


def answer(condition: str, *values: str, **changed: str) -> str:
    """The answer where Ana has these values in place of the first of ANA, and Bo is out by his income."""
    text = task(condition, "The income (year: 2026) is more than 5,000 EUR.", **changed)
    return solve(text, [*told(*values, *ANA[len(values) :]), *BO])


def test_it_imports_nothing_of_the_project_but_itself():
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                own = name == "unco.compiler.solving" or name.startswith("unco.compiler.solving.")
                assert own or name.partition(".")[0] in sys.stdlib_module_names, f"{path.name} imports {name}"


@pytest.mark.parametrize("name", sorted(shipped_specifications()))
def test_it_solves_groups_of_every_shipped_specification_and_follows_a_changed_fact(name):
    family = shipped(name)
    outcomes = set()
    for group in reader.groups(family, 2):
        found = reader.read(render(family, group), group.index)
        assert found.right or found.said == LEFT_OPEN
        changed = reader.mutated(family, group, Random(group.index))
        assert changed is not None
        assert reader.read(render(family, changed), group.index).right
        outcomes |= {str(group.outcome), str(changed.outcome)}
    assert len(outcomes) > 1


def test_it_solves_the_family_that_holds_all_that_wording_has_to_cope_with():
    family = family_of(GRANT)
    for group in reader.groups(family, 6):
        assert reader.read(render(family, group), group.index).right


@pytest.mark.parametrize(
    ("condition", "age", "is_eligible"),
    [
        ("The age is at least 40 years.", "40 years", True),
        ("The age is at least 40 years.", "39 years", False),
        ("The age is more than 40 years.", "40 years", False),
        ("The age is at most 480 months and the income (year: 2026) is more than 5,000 EUR.", "40 years", True),
        ("The age is less than 480 months and the permit is granted.", "40 years", False),
        ("The age is between 30 and 40 years, both included.", "30 years", True),
        ("The age is between 30 and 39 years, both included.", "40 years", False),
        ("The age is not 20 years.", "40 years", True),
        ("The age + 1 year is at least 41 years.", "40 years", True),
        ("2 × (the age − 1 year) is at least the least age (78 years).", "40 years", True),
        ("The age is at least the least age (41 years).", "40 years", False),
        ("The grade (exam: final) is one of fair, good or very good.", "40 years", True),
        ("The grade (exam: final) is either poor or fair.", "40 years", False),
        ("The grade (exam: final) is not poor.", "40 years", True),
        ("The permit is granted and the kind of shop is bakery.", "40 years", True),
        ("The permit is granted and the kind of shop is food and drink.", "40 years", False),
        ("The permit is not granted.", "40 years", False),
        ("It is not the case that (the permit is granted or the age is 10 years (or both)).", "4 years", False),
        ("The load (bridge: new) is more than 1,999 kg.", "40 years", True),
        ("The load (bridge: new) is more than 2,000 kg.", "40 years", False),
        ("The time from the day of birth to 28 February 2028 in completed years is at least 40 years.",
         "4 years", False),
        ("The time from the day of birth to 29 February 2028 in completed years is at least 40 years.",
         "4 years", True),
        ("The time from the day of birth to 10 March 1988 is at most 10 days.", "4 years", True),
        ("The last day of the first month after the month of the day of birth is before 1 April 1988.",
         "4 years", True),
        ("The day 12 months after the day of birth (or the last day of that month if it has no such day) is before"
         " 1 March 1989.", "4 years", True),
        ("The age is at least 30 years if the permit is granted, otherwise the age is at least 90 years.",
         "40 years", True),
    ],
)  # fmt: skip
def test_a_condition_holds_at_its_bound_and_not_beyond(condition, age, is_eligible):
    found = answer(condition, age)
    assert found == ("ANSWER: Yes | Ana Gil | 60,000 EUR" if is_eligible else "ANSWER: No | none | none")


@pytest.mark.parametrize(
    ("way", "ties"),
    [
        ("halves rounded away from zero", (-3, -2, 2, 3)),
        ("halves rounded towards zero", (-2, -1, 1, 2)),
        ("halves rounded to the even neighbour", (-2, -2, 2, 2)),
        ("rounded away from zero", (-3, -2, 2, 3)),
        ("rounded towards zero", (-2, -1, 1, 2)),
        ("rounded down", (-3, -2, 1, 2)),
        ("rounded up", (-2, -1, 2, 3)),
    ],
)
def test_a_tie_is_rounded_as_the_words_say(way, ties):
    _, rounding = read_rounding(f"to a whole number ({way})")
    assert tuple(rounding(Fraction(number, 2)) for number in (-5, -3, 3, 5)) == ties
    incomes = ("-2.5 EUR", "-1.5 EUR", "1.5 EUR", "2.5 EUR")
    text = task("The age is 40 years.", formula="income (year: 2026)", way=way)
    for income, tie in zip(incomes, ties, strict=True):
        records = [*told("40 years", income), *told("20 years", "1 EUR", name="Bo Lee")]
        assert solve(text, records) == f"ANSWER: Yes | Ana Gil | {tie} EUR"


@pytest.mark.parametrize(
    ("formula", "result", "expected"),
    [
        ("income (year: 2026) − 1,000 EUR × 3", "a whole number of EUR", "27,000 EUR"),
        ("(income (year: 2026) − 1,000 EUR) × 3", "a whole number of EUR", "87,000 EUR"),
        ("income (year: 2026) ÷ age", "EUR per month with 1 decimal place", "62.5 EUR per month"),
        ("income (year: 2026) ÷ load (bridge: new)", "EUR per kg with 1 decimal place", "15.0 EUR per kg"),
        ("load (bridge: new) ÷ 4 tonnes", "a percentage with 1 decimal place", "50.0%"),
        ("the percentage change from income (year: 2026) to 33,000 EUR", "a percentage with 1 decimal place", "10.0%"),
        ("income (year: 2026) × (2 if the permit is granted, otherwise 3)", "a whole number of EUR", "60,000 EUR"),
        ("the mean of income (year: 2026) (weighted by 3) and 10,000 EUR (weighted by 1)", "a whole number of EUR",
         "25,000 EUR"),
        ("the smaller of income (year: 2026) and 7 EUR", "a whole number of EUR", "7 EUR"),
        ("the sum of these amounts:\n  - 1 EUR\n  - the first of these that applies:\n    - 5 EUR if the age is more"
         " than 40 years\n    - 6 EUR if the grade (exam: final) is good\n    - otherwise 7 EUR",
         "a whole number of EUR", "7 EUR"),
        ("the weighted mean of these amounts:\n  - 10 EUR, weighted by the age\n  - 20 EUR, weighted by 40 years",
         "a whole number of EUR", "15 EUR"),
        ('income (year: 2026) × (the value in the table "share" for age)', "a whole number of EUR", "3,000 EUR"),
        ('the total for income (year: 2026) by the tiers of "rates" (the part of it within each tier × the rate of that'
         " tier, added up)", "a whole number of EUR", "5,000 EUR"),
    ],
)  # fmt: skip
def test_a_formula_is_worked_out_in_its_order_and_its_unit(formula, result, expected):
    tables = """
Table "share" by age
- less than 40 years: 50%
- from 40 to 59 years, both included: 10%
- at least 60 years: 5%

Table "rates"
- from 0 to 10,000 EUR, both included: 10%
- more than 10,000 EUR: 20%
"""
    found = answer("The age is 40 years.", formula=formula, result=result, sections=tables)
    assert found == f"ANSWER: Yes | Ana Gil | {expected}"


MEMBERS = """
Numbering
- The children of each person are numbered from 1; the age says how many there are.

Conversions
- 1 year is 12 months.
- 1 crate is 24 bottles.
"""


@pytest.mark.parametrize(
    ("condition", "formula", "expected"),
    [
        ("The weight of each child is at least 10 kg.", "income (year: 2026)", "9 EUR"),
        ("The weight of each child is at least 11 kg.", "income (year: 2026)", None),
        ("The weight of at least one child is more than 19 kg.", "income (year: 2026)", "9 EUR"),
        ("For each of the children: (the weight is 10 kg or the weight is more than 19 kg (or both)).",
         "income (year: 2026)", "9 EUR"),
        ("The age is 2.", "1 EUR per kg × (the total over the children of the weight)", "30 EUR"),
        ("The age is 2.", "1 EUR × (the number of children for whom the weight is less than 20 kg)", "1 EUR"),
        ("The stock is more than 47 bottles.", "1 EUR per bottle × the stock", "48 EUR"),
    ],
)  # fmt: skip
def test_members_are_counted_and_units_of_the_text_are_converted(condition, formula, expected):
    facts = ("age", "income (year: 2026)", "weight, for each child", "stock")
    text = task(condition, "The age is more than 1.", formula=formula, facts=facts, sections=MEMBERS)
    records = [*told("2", "9 EUR"), *told("1", "9 EUR", name="Bo Lee")]
    weights = ["Ana Gil's child 1 is 10 kg", "Ana Gil's child 2 is 20 kg", "Bo Lee's child 1 is 30 kg"]
    records += [f"The weight of {each}." for each in weights[1:]]
    records += ["Our file on child 1 of Ana Gil gives the weight as 10 kg."]
    records += [f"The stock of {name} is 2 crates." for name in ("Ana Gil", "Bo Lee")]
    assert solve(text, records) == (f"ANSWER: Yes | Ana Gil | {expected}" if expected else "ANSWER: No | none | none")


FORMS = (
    "[HEALTH-12] For {name}, the {fact} is {value}.",
    "{name}: the {fact} is {value}.",
    "{name} – the {fact}: {value}.",
    "The {fact} of {name} is {value}.",
    "{name}'s {fact} is {value}.",
    "Our records show that the {fact} for {name} is recorded as {value}.",
    "As to {name}, we have the {fact} as {value}.",
    "For {name} the {fact} stands at {value}, according to our files.",
    "The entry for {name} reads: the {fact} is {value} in our files.",
    "The {fact} is {value} for {name}.",
    "Our files list the {fact} as {value} in the case of {name}.",
    "In the register, the {fact} reads {value} – for {name}, please note.",
    "The {fact} in our records is {value} with regard to {name}, according to the office.",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("permit", "grade"), [("granted", "good"), ("not granted", "good"), ("granted", "not good")])
def test_a_record_is_read_in_whatever_order_it_tells_its_parts(form, permit, grade):
    text = task("The permit is granted.", "The grade (exam: final) is good.", "The age is at least 30 years.")
    records = [
        *told("40 years", "30,000 EUR", grade, permit, form=form),
        *told("20 years", "5,000 EUR", "poor", "granted", name="Bo Lee", form=form),
    ]
    records += [form.format(name=name, fact="grade (exam: first)", value="bad") for name in ("Ana Gil", "Bo Lee")]
    is_eligible = (permit, grade) == ("granted", "good")
    expected = "ANSWER: Yes | Ana Gil | 60,000 EUR" if is_eligible else "ANSWER: No | none | none"
    for _ in range(3):
        Random(len(form)).shuffle(records)
        assert solve(text, records) == expected


@pytest.mark.parametrize(
    ("condition", "value", "expected"),
    [
        ("The age is at least 30 years.", "between 30 and 45 years", True),
        ("The age is at least 30 years.", "29 or 30 years", None),
        ("The age is at least 30 years.", "between 20 and 29 years", False),
        ("The age is at least 30 years.", "not stated", None),
        ("The age is at least 30 years or the permit is granted (or both).", "not stated", True),
        ("The age is either 30 years or 31 years.", "either 31 or 30 years", True),
        ("The age is either 30 years or 31 years.", "between 30 and 31 years", None),
        ("The age is either 30 years or 32 years.", "one of 30 years, 31 years or 32 years", None),
        ("The age is either 30 years or 31 years.", "one of 32 years, 33 years or 34 years", False),
        ("The age + 1 year is at most the age + 2 years.", "between 30 and 45 years", True),
        ("The age + 2 years is at most the age + 1 year.", "between 30 and 45 years", False),
    ],
)
def test_a_coarse_value_matters_only_where_the_answer_depends_on_it(condition, value, expected):
    if expected is None:
        with pytest.raises(Unreadable, match="leaves open"):
            answer(condition, value)
    else:
        assert ("Ana Gil" in answer(condition, value)) is expected


@pytest.mark.parametrize(
    ("grade", "expected"),
    [("one of 5, 4-5 or 4", True), ("either 3-4 or 4", None), ("either 3-4 or 3", False), ("4-5", True), ("4", True)],
)
def test_grades_may_be_numbers_and_words_in_one(grade, expected):
    text = task("The kind of shop is one of 4, 4-5 or 5.", "The income (year: 2026) is more than 5,000 EUR.")
    records = [*told(*ANA[:-1], grade), *told(*BO_VALUES[:-1], "3", name="Bo Lee")]
    if expected is None:
        with pytest.raises(Unreadable, match="leaves open"):
            solve(text, records)
    else:
        assert ("Ana Gil" in solve(text, records)) is expected


MEAN = "the weighted mean of these amounts:\n  - 10 EUR, weighted by the age\n  - 20 EUR, weighted by 40 years"
RISE = "the percentage change from income (year: 2026) to (income (year: 2026) + 300 EUR)"
PERCENT = "a percentage with 1 decimal place"


@pytest.mark.parametrize(
    ("formula", "result", "values", "expected"),
    [
        (MEAN, "a whole number of EUR", ("between 39 and 41 years",), "15 EUR"),
        (MEAN, "a whole number of EUR", ("between 20 and 41 years",), None),
        (MEAN, "a whole number of EUR", ("not stated",), None),
        (RISE, PERCENT, ("40 years", "between 29,900 and 30,100 EUR"), "1.0%"),
        (RISE, PERCENT, ("40 years", "between 28,000 and 30,100 EUR"), None),
        (RISE, PERCENT, ("40 years", "either 29,000 or 30,000 EUR"), "1.0%"),
        (RISE, PERCENT, ("40 years", "either 20,000 or 30,000 EUR"), None),
    ],
)
def test_a_coarse_operand_matters_only_where_the_rounded_result_depends_on_it(formula, result, values, expected):
    if expected is None:
        with pytest.raises(Unreadable, match="leaves the result open"):
            answer("The permit is granted.", *values, formula=formula, result=result)
    else:
        assert answer("The permit is granted.", *values, formula=formula, result=result).endswith(f"| {expected}")


@pytest.mark.parametrize(
    ("records", "words"),
    [
        (told(*ANA[:-1]), "no record tells a fact"),
        ([*told(*ANA), "For Ana Gil, the age is 41 years."], "two records tell a fact in two ways"),
        ([*told(*ANA), "For Ana Gil and Bo Lee, the age is 41 years."], "several candidates in one record"),
        ([*told(*ANA), "For Ana Gil, the age and the permit is granted."], "several facts in one record"),
        (told("40 EUR", *ANA[1:]), "different measures"),
        (told("40 years", "30,000 EUR", "good", "granted", "30 February 1988", *ANA[5:]), "no such day"),
        (told("between 50 and 40 years", *ANA[1:]), "a lower and an upper end"),
        (told(*ANA[:2], "either", *ANA[3:]), ""),
    ],
)
def test_what_can_be_read_in_no_way_or_in_two_is_refused(records, words):
    text = task(
        "The age is at least 30 years and the kind of shop is bakery.", "The income (year: 2026) is 30,000 EUR."
    )
    if not words:
        assert "Ana Gil" in solve(text, [*records, *BO])
    else:
        with pytest.raises(Unreadable, match=words):
            solve(text, [*records, *BO])


@pytest.mark.parametrize(
    "form",
    [
        "It is untrue that for {name}, the {fact} is {value}.", "Formerly, for {name} the {fact} was {value}.",
        "For {name}, the {fact} was {value}.", "For {name}, the {fact} is {value}, if confirmed.",
        "For {name}, the {fact} is {value}; this is void.", "For {name}, the {fact} is {value} at least.",
        "For {name}, the {fact} is {value} – cancelled.", "Nobody denies that for {name}, the {fact} is {value}.",
        "For {name}, the {fact} is {value}, according to rumours.", "For {name}, the {fact} is {value} – a guess.",
    ],
)  # fmt: skip
def test_words_that_may_turn_a_record_round_are_refused(form):
    text = task("The age is at least 18 years.", "The income (year: 2026) is more than 5,000 EUR.")
    assert solve(text, [*told(*ANA), *BO]).endswith("ANSWER: Yes | Ana Gil | 60,000 EUR")
    for others in (BO, told(*BO_VALUES, form=form, name="Bo Lee")):
        with pytest.raises(Unreadable):
            solve(text, [*told(*ANA, form=form), *others])


def test_a_task_that_asks_for_any_of_its_conditions_is_refused():
    text = task("The age is at least 18 years.", "The income (year: 2026) is more than 5,000 EUR.")
    assert "all of these conditions" in text
    with pytest.raises(Unreadable, match="all of the conditions"):
        solve(text.replace("all of these conditions", "any of these conditions"), [*told(*ANA), *BO])


def test_is_not_is_a_denial_or_a_word_as_the_records_say_and_is_refused_where_they_do_not_say():
    text = task("The permit is not found.", "The age is 40 years.")
    others = [*told("40 years", "1 EUR"), *told("20 years", "1 EUR", name="Bo Lee"), "The permit of Bo Lee is on file."]
    assert "Ana Gil" in solve(text, [*others, "The permit of Ana Gil is not found."])
    with pytest.raises(Unreadable, match="may deny a word or be part of one"):
        solve(text, [*others, "The permit of Ana Gil is on file."])
    assert "none" in solve(text, [*others, "The permit of Ana Gil is found."])


def test_is_not_is_a_denial_where_a_table_lists_the_words_of_the_fact():
    table = '\nTable "fee" by permit\n- on file: 1 EUR\n- lost: 2 EUR\n'
    text = task("The permit is not found.", formula='the value in the table "fee" for permit', sections=table)
    records = ["The permit of Ana Gil is on file.", "The permit of Bo Lee is on file."]
    with pytest.raises(Unreadable, match="several candidates are eligible"):
        solve(text, records)


def test_the_facts_read_are_comparable_whatever_the_unit_and_the_form():
    text = task("The age is 40 years.")
    one, other = (
        read_facts(text, [record]) for record in ("Ana Gil: the age is 40 years.", "The age of Ana Gil: 480 months.")
    )
    assert one == other
    assert (one[0].candidate, one[0].fact, one[0].member) == ("Ana Gil", "age", 0)
    assert read_facts(text, ["Ana Gil: the age is 41 years."]) != one


HOSTILE = (
    "",
    "Conditions\nCalculation\nFacts to gather\nDecision",
    task(f"The age is at least {'(' * 400}1 year{')' * 400}."),
    task(f"The age is {'at least ' * 400}1 year."),
    task("The age is " + " and the age is ".join(["at least 1 year"] * 60) + "."),
    task(f"The age is at least {'9' * 3_000} years."),
    task(f"The age is at least {'1 year + ' * 300}1 year."),
    task("The age is at least 1 year ÷ 0."),
    task("The age is {{ 7 * 7 }}; import os."),
    task("The age is at least 30 years.") + "\nConditions\n1. The age is at most 3 years.",
    task("The age is at least 30 years.", sections="\nConversions\n- one year is as good as another\n"),
    task("The age is at least 30 years.\n" + "".join(f"{' ' * (3 + depth)}- x\n" for depth in range(40))),
    "x" * 300_000,
    task("The age is at least 30 years.", facts=("a" * 5_000, *FACTS)),
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_text_is_refused_in_little_time(text):
    started = time.process_time()
    with suppress(Unreadable):
        assert solve(text, [*told(*ANA), *BO]).startswith("ANSWER: ")
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "record", ["For Ana Gil, " * 200, "the age " * 200, "(" * 1_900, "« » «»", "Ana Gil" * 270, "\x00", "x" * 9_000]
)
def test_a_hostile_record_is_refused_or_passed_over_in_little_time(record):
    started = time.process_time()
    with suppress(Unreadable):
        assert "Ana Gil" in solve(task("The age is 40 years."), [*told(*ANA), *BO, record])
    assert time.process_time() - started < 2


def test_a_line_with_two_readings_is_refused():
    with pytest.raises(Unreadable, match="several readings"):
        answer("The kind of shop is food and 40 is 40.")
