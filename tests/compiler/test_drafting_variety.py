"""What a reader of many drafted tasks would see: how they ask, how they calculate, which contexts they set beside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from string import Formatter

import pytest

from benchmarks.reader import groups
from unco.compiler.check import CheckOptions, check
from unco.compiler.drafting.asking import FORMS, asked
from unco.compiler.drafting.compose import compose
from unco.compiler.drafting.near import shape
from unco.compiler.drafting.skeleton import OPERATIONS, Skeleton, skeletons, words_of
from unco.solver.judge import result

QUICK = CheckOptions(findings=False, values=False)
every_skeleton = pytest.mark.parametrize("skeleton", skeletons(), ids=lambda each: each.name)
MAY_BE_NONE = re.compile(r"if any|or none|if there is one|should there be one|None of|will do|none does|Is one of")


def test_no_way_of_asking_takes_more_than_a_tenth_of_the_tasks():
    blanks = {"who": "WHO", "among": "AMONG", "to": "TO", "figure": "FIGURE"}
    drawn = (asked(blanks, Random(f"{each.name}/{seed}")) for each in skeletons() for seed in range(5))
    many = Counter(drawn)
    assert max(many.values()) <= many.total() / 10
    assert len(many) == len(FORMS)


@pytest.mark.parametrize("form", FORMS)
def test_each_way_of_asking_names_all_parts_once_and_leaves_open_whether_there_is_one(form):
    parts = sorted(name.casefold() for _, name, _, _ in Formatter().parse(form) if name)
    assert parts == ["among", "figure", "to", "who"]
    assert MAY_BE_NONE.search(form)


@every_skeleton
def test_what_is_asked_reads_in_every_form(skeleton):
    ask = skeleton.data["ask"]
    assert set(ask) == {"who", "among", "to", "figure"}
    assert re.match(r"(the|its|their|<what_for>)\b|<what_for>", ask["figure"])
    assert re.match(r"(the|its|their) ", ask["who"])
    assert re.match(r"(the|its) ", ask["among"])
    assert not re.match(r"(the|a|to) ", ask["to"])
    assert not any(part.endswith((".", ",", " ")) for part in ask.values())
    assert not re.search(r"\bmust decide\b|, if any,", skeleton.data["task"])


def shares(operation: str) -> Counter[str]:
    """The share of each shape of formulas, where every skeleton and each of its calculations is drawn as often."""
    found: Counter[str] = Counter()
    offering = [each for each in skeletons() if operation in each.operations]
    for skeleton in offering:
        calculations = skeleton.filled(Random(0))["calculations"]
        formulas = [each["formula"] for each in calculations if each["operation"] == operation]
        for formula in formulas:
            found[shape(formula)] += Fraction(1, len(formulas) * len(offering))
    return found


@pytest.mark.parametrize("operation", OPERATIONS)
def test_formulas_of_an_operation_have_many_shapes_and_none_is_in_most(operation):
    found = shares(operation)
    assert len(found) >= 10
    assert max(found.values()) <= Fraction(2, 5)
    assert "" not in found


def test_a_percentage_change_is_a_rise_or_a_saving_over_one_part_or_several():
    found = set(shares("percentage_change"))
    assert found >= {
        "percent_change(Name,+(Name,Name))",
        "percent_change(+(Name,Name),Name)",
        "/(-(Name,Name),Name)",
        "-(/(Name,Name),NumberLiteral)",
        "-(NumberLiteral,/(Name,+(Name,Name)))",
    }


def rules_of(skeleton: Skeleton) -> dict[str, str]:
    rules = skeleton.data.get("consistency", {})
    return {name: str(rule["rule"] if isinstance(rule, dict) else rule) for name, rule in rules.items()}


@every_skeleton
def test_whatever_facts_are_shown_the_rules_about_them_are_told(skeleton):
    for seed, operation in enumerate(skeleton.operations):
        made = compose(skeleton, operation, Random(f"{skeleton.name}/{seed}"))
        shown = set(made.attributes)
        told = {
            name
            for name, rule in rules_of(skeleton).items()
            if words_of(rule) & set(skeleton.data["attributes"]) <= shown
        }
        assert set(made.consistency) == told


NUMBERS = {"": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "nine": 9, "ten": 10, "twelve": 12}
MONTHS = {"month": 1, "quarter": 3, "half-year": 6, "season": 6, "year": 12}
SPAN = re.compile(rf"(?:in|over|past|last|first|the| |test|whole|a)* ?({'|'.join(NUMBERS)}) ?({'|'.join(MONTHS)})s?")
PACES = ("thousand", "in a month", "mean ")
"""A number for each so many is no larger for a longer time."""


def months_of(context: str) -> int | None:
    """How many months a context such as `in two years` lasts; None where it is no span of time."""
    found = SPAN.fullmatch(context)
    return NUMBERS[found[1]] * MONTHS[found[2]] if found else None


@every_skeleton
def test_a_longer_time_never_counts_fewer(skeleton):
    rules = " ".join(rules_of(skeleton).values())
    for name, attribute in skeleton.data["attributes"].items():
        if attribute["type"] != "count" or any(pace in attribute["label"] for pace in PACES):
            continue
        context = attribute.get("context", {"required": "", "others": []})
        for other in context["others"]:
            spans = months_of(context["required"]), months_of(other if isinstance(other, str) else other["name"])
            if None not in spans and spans[0] != spans[1]:
                assert f'{name}["' in rules, (name, context)


@pytest.mark.parametrize(
    ("formula", "is_change"),
    [
        ("percent_change(bond, cleaning)", True),
        ("(cleaning - bond) / bond", True),
        ("(bond - cleaning) / bond", True),
        ("cleaning / bond - 1", True),
        ("1 - cleaning / bond", True),
        ("(cleaning - bond) / (500 m2 * rate)", False),
        ("cleaning / bond - 2", False),
        ("cleaning / bond", False),
    ],
)
def test_a_percentage_change_is_over_one_of_the_two_that_it_compares(formula, is_change):
    found = next(each for each in skeletons() if each.name == "asbestos-firm")
    calculation = {"operation": "percentage_change", "label": "change", "formula": formula, "unit": "%"}
    skeleton = Skeleton(found.name, found.domain, {**found.data, "calculations": [calculation]})
    codes = {each.code for each in check(compose(skeleton, "percentage_change", Random(0)), QUICK).diagnostics}
    assert codes == (set() if is_change else {"UNC307"})


@pytest.mark.laws
def test_an_amount_that_stands_in_a_rule_is_seldom_the_result():
    shares = [most_common_share(results(each)) for each in skeletons() if "capped" in each.operations]
    assert sum(shares) / len(shares) <= Fraction(2, 5)
    assert sum(each > Fraction(3, 4) for each in shares) <= len(shares) / 20


def most_common_share(found: Sequence[Fraction]) -> Fraction:
    return Fraction(max(Counter(found).values()), len(found))


def results(skeleton: Skeleton) -> list[Fraction]:
    """What a capped calculation comes to, for each candidate of some groups."""
    family = check(compose(skeleton, "capped", Random(f"{skeleton.name}/capped")), QUICK).require()
    return [
        Fraction(result(family, group.instance.candidate(each), group.instance.parameters))
        for group in groups(family, 6)
        for each in range(family.candidates)
    ]
