"""The published rule sets as shipped: their tables, edges and outcomes, through the interpreter and the claims."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest

from unco.compiler.check import CheckOptions, check
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.planning.draw import Goal, draw_candidate
from unco.compiler.planning.pins import load_pins
from unco.solver.claims import face_values, incomplete, misaligned, necessity
from unco.solver.decide import Prover
from unco.solver.judge import candidate_violations, failed_conditions, judge, result, violations
from unco.specs.evidence import Between
from unco.specs.family import Cell, Family, Slot
from unco.specs.group import CandidateGroup, Misaligned
from unco.specs.instance import Instance, NoWinner, Winner
from unco.specs.read import parse_specification, read_specification
from unco.specs.shipped import shipped_facts, shipped_specifications
from unco.specs.values import Value
from unco.specs.verdict import Flip, Proved, Refuted, Verdict

Facts = Mapping[str, Value | tuple[Value, ...]]


@cache
def family_of(name: str) -> Family:
    return check(read_specification(shipped_specifications()[name]), CheckOptions(findings=False)).require()


def family_with(name: str, old: str, new: str) -> Family:
    """The family of a shipped specification with one place of its text changed."""
    text = shipped_specifications()[name].read_text(encoding="utf-8")
    assert text.count(old) == 1
    return check(parse_specification(text.replace(old, new)), CheckOptions(findings=False)).require()


def candidate(family: Family, facts: Facts) -> dict[Slot, Value]:
    """The cells of a candidate: facts by attribute, which stand in its other contexts too, or by `attribute@context`.

    Where no fact is given, or none that the context can hold, the cell has its lowest value.
    """
    cells = {slot: domain.value(0) for slot, domain in family.domains.items()}
    for key, given in {**in_other_contexts(family, facts), **facts}.items():
        name, _, context = key.partition("@")
        attribute = family.attribute_by_id[name]
        values = given if isinstance(given, tuple) else (given,)
        for member, value in zip(family.members(attribute), values, strict=False):
            cells[Slot(name, member, context or attribute.required)] = value
    assert candidate_violations(family, 0, cells, {}) == ()
    return cells


def in_other_contexts(family: Family, facts: Facts) -> dict[str, Value | tuple[Value, ...]]:
    """The facts of the required contexts, told of each other context that can hold them."""
    return {
        f"{name}@{context}": given
        for name, given in facts.items()
        if "@" not in name
        for context, domain in family.attribute_by_id[name].contexts[1:]
        if all(domain.index(value) is not None for value in (given if isinstance(given, tuple) else (given,)))
    }


def instance(family: Family, *candidates: Facts) -> Instance:
    cells = {
        Cell(number, *slot): value
        for number, facts in enumerate(candidates)
        for slot, value in candidate(family, facts).items()
    }
    return Instance(cells, {}, family.candidate_names[: len(candidates)])


def failed(family: Family, facts: Facts) -> tuple[str, ...]:
    return failed_conditions(family, candidate(family, facts), {})


def amount(family: Family, facts: Facts) -> Fraction | int:
    return result(family, candidate(family, facts), {})


def necessary(family: Family, given: Instance, role: str) -> Verdict:
    return necessity(Prover(family), given, judge(family, given), role)


# R1: the paper's own example -----------------------------------------------------------------------------------------


@cache
def paper_group() -> CandidateGroup:
    family = family_of("underground-superintendent")
    pins = load_pins(family, shipped_facts()["underground-superintendent"])
    group = instantiate(family, 0, InstantiateOptions(pins=pins))
    assert isinstance(group, CandidateGroup)
    return group


def test_the_papers_facts_appoint_marcus_vance_with_60000() -> None:
    group = paper_group()
    assert group.instance.names[0] == "Marcus Vance"
    assert group.outcome == Winner(0, 60_000)
    assert violations(family_of("underground-superintendent"), group.instance) == ()


def test_the_clearance_of_april_appoints_nobody_at_face_value() -> None:
    family, group = family_of("underground-superintendent"), paper_group()
    assert group.misaligned == Misaligned("clearance", "April 2026")
    assert judge(family, group.instance.changed(face_values(family, group.instance, group.misaligned))) == NoWinner()
    verdict = misaligned(family, group.instance, group.outcome, group.misaligned)
    assert isinstance(verdict, Proved)
    assert verdict.witness is not None
    assert verdict.witness.flip == Flip.TO_NONE


def test_5_to_30_years_is_true_and_leaves_the_12_year_rule_open() -> None:
    family, group = family_of("underground-superintendent"), paper_group()
    assert group.incomplete is not None
    assert group.incomplete.coarse[Cell(0, "hardrock_years", 0, "")] == Between(5, 30)
    assert isinstance(incomplete(Prover(family), group.instance, group.outcome, group.incomplete), Proved)


# R2: graduate scholarship --------------------------------------------------------------------------------------------

STUDENT: Facts = {
    "resident": True, "household_income": 60_000, "household_size": 1, "degree": "DNP", "specialty": "FNP",
    "program_listed": True, "study_load": "full time", "good_standing": True, "semesters_done": 1,
    "clinical_hours_required": 1_000, "clinical_hours_to_do": 750, "intended_practice": 24, "remaining_terms": 4,
}  # fmt: skip
LIMITS = {
    1: (90_500, 112_500), 2: (118_000, 146_500), 3: (146_500, 181_500),
    4: (174_500, 216_000), 5: (202_000, 250_500), 6: (230_000, 285_000),
}  # fmt: skip
HARDSHIPS: dict[str, Facts] = {
    "debt": {"student_debt": 30_001},
    "programme": {"income_program_used": True},
    "hardship": {"significant_hardship": True},
}


def student(**facts: Value) -> Facts:
    return {**STUDENT, **facts}


def scholarship() -> Family:
    return family_of("graduate-scholarship")


@pytest.mark.parametrize("size", LIMITS)
def test_an_income_exactly_at_the_first_limit_is_eligible_and_a_dollar_more_is_not(size: int) -> None:
    first, _ = LIMITS[size]
    assert failed(scholarship(), student(household_size=size, household_income=first)) == ()
    assert failed(scholarship(), student(household_size=size, household_income=first + 1)) == ("income",)


@pytest.mark.parametrize("size", LIMITS)
@pytest.mark.parametrize("hardship", HARDSHIPS)
def test_each_hardship_alone_lifts_the_limit_to_the_second_and_no_further(size: int, hardship: str) -> None:
    _, second = LIMITS[size]
    facts = {**student(household_size=size, household_income=second), **HARDSHIPS[hardship]}
    assert failed(scholarship(), facts) == ()
    assert failed(scholarship(), {**facts, "household_income": second + 1}) == ("income",)


def test_a_debt_of_exactly_30000_is_no_hardship() -> None:
    assert failed(scholarship(), student(household_income=100_000, student_debt=30_000)) == ("income",)


@pytest.mark.parametrize(
    ("facts", "fails"),
    [
        ({"semesters_done": 0}, ("progress",)),
        ({"semesters_done": 0, "quarters_done": 1}, ("progress",)),
        ({"semesters_done": 0, "quarters_done": 2}, ()),
        ({"clinical_hours_to_do": 745}, ("clinical",)),
        ({"intended_practice": 23}, ("practice",)),
        ({"study_load": "part time"}, ("enrolment",)),
        ({"degree": "MSN"}, ("enrolment",)),
        ({"degree": "MSN", "study_load": "part time"}, ()),
        ({"good_standing": False}, ("enrolment",)),
        ({"specialty": "CRNA"}, ("program",)),
        ({"specialty": "AGNP"}, ()),
        ({"specialty": "PMHNP"}, ()),
        ({"specialty": "PNP"}, ()),
        ({"program_listed": False}, ("program",)),
        ({"resident": False}, ("residency",)),
    ],
)
def test_the_other_conditions_of_the_scholarship_hold_at_their_edges(facts: Facts, fails: tuple[str, ...]) -> None:
    assert failed(scholarship(), {**STUDENT, **facts}) == fails


@pytest.mark.parametrize(
    ("terms", "remote", "award"),
    [(1, 0, 6_250), (1, 1, 6_750), (3, 0, 18_750), (3, 3, 20_250), (4, 0, 25_000), (5, 0, 25_000), (8, 4, 27_000)],
)
def test_the_award_is_capped_before_the_remote_terms_are_added(terms: int, remote: int, award: int) -> None:
    assert amount(scholarship(), student(remaining_terms=terms, remote_terms=remote)) == award


def test_hardship_evidence_is_unnecessary_for_a_winner_within_the_first_limit() -> None:
    family, rejected = scholarship(), student(resident=False, student_debt=50_000)
    within = instance(family, student(household_income=90_500, student_debt=50_000), rejected, rejected)
    between = instance(family, student(household_income=90_501, student_debt=50_000), rejected, rejected)
    assert judge(family, within) == judge(family, between) == Winner(0, 25_000)
    assert isinstance(necessary(family, within, "hardship"), Refuted)
    assert isinstance(necessary(family, between, "hardship"), Proved)


def test_the_plan_of_the_notes_lets_hardship_be_necessary_wherever_somebody_wins() -> None:
    notes = read_specification(shipped_specifications()["graduate-scholarship"]).specification.notes or ""
    (plan,) = re.findall(r"`(plan: .*?)`", notes, re.DOTALL)
    family = family_with("graduate-scholarship", "\nnotes:", f"\n{plan}\n\nnotes:")
    cells = draw_candidate(Goal(family, {}, frozenset(), winner=True), Random("between the limits"))
    assert cells is not None
    assert failed_conditions(family, {**cells, **without_hardship()}, {}) == ("income",)


def without_hardship() -> dict[Slot, Value]:
    return {
        Slot("student_debt", 0, "balance of June 2026"): 0,
        Slot("income_program_used", 0, ""): False,
        Slot("significant_hardship", 0, ""): False,
    }


def test_a_monthly_statement_read_as_a_year_lets_a_rich_applicant_win() -> None:
    family = scholarship()
    monthly = {"household_income": 140_000, "household_income@latest monthly statement": 4_000}
    rejected = student(resident=False)
    given = instance(family, student(**monthly), rejected, rejected)
    assert judge(family, given) == NoWinner()
    verdict = misaligned(family, given, NoWinner(), Misaligned("household_income", "latest monthly statement"))
    assert isinstance(verdict, Proved)
    assert verdict.witness is not None
    assert verdict.witness.outcome == Winner(0, 25_000)


@pytest.mark.parametrize(("monthly", "fails"), [(4_000, ()), (7_541, ()), (7_542, ("income",))])
def test_a_rule_on_the_monthly_statement_compares_12_times_its_amount(monthly: int, fails: tuple[str, ...]) -> None:
    name = "household_income <= lookup(income_limit, household_size)\n"
    family = family_with("graduate-scholarship", name, name.replace(" <=", '["latest monthly statement"] <='))
    facts = {"household_income": 300_000, "household_income@latest monthly statement": monthly}
    assert failed(family, student(**facts)) == fails


# R3: reduced fare ----------------------------------------------------------------------------------------------------

RIDER: Facts = {
    "household_size": 1, "member_age": (40, 0), "resident": True, "identity_document": "passport",
    "gross_income": 1_000, "regular_pass": 108,
}  # fmt: skip
ENROLMENTS = ("apple_health", "basic_food", "wic", "opportunity_grant")


def rider(**facts: Value | tuple[Value, ...]) -> Facts:
    return {**RIDER, **facts}


def fare() -> Family:
    return family_of("reduced-fare")


@pytest.mark.parametrize(("age", "fails"), [(18, True), (19, False), (64, False), (65, True)])
def test_ages_19_and_64_are_both_included(age: int, fails: bool) -> None:
    assert failed(fare(), rider(member_age=(age, 0))) == (("working_age",) if fails else ())


@pytest.mark.parametrize(("age", "fails"), [(18, True), (19, False), (64, False), (65, True)])
def test_one_member_of_the_age_is_enough(age: int, fails: bool) -> None:
    assert failed(fare(), rider(household_size=2, member_age=(80, age))) == (("working_age",) if fails else ())


@pytest.mark.parametrize(("size", "limit"), [(1, Fraction("2660.00")), (2, Fraction("3606.67"))])
def test_an_income_at_the_limit_is_eligible_and_a_cent_more_is_not(size: int, limit: Fraction) -> None:
    facts = rider(household_size=size, member_age=(40, 5 if size == 2 else 0))
    assert failed(fare(), {**facts, "gross_income": limit}) == ()
    assert failed(fare(), {**facts, "gross_income": limit + Fraction("0.01")}) == ("low_income",)


@pytest.mark.parametrize("enrolment", ENROLMENTS)
def test_each_enrolment_makes_the_income_evidence_unnecessary(enrolment: str) -> None:
    family = fare()
    rich = {"gross_income": 9_000}
    rejected = rider(resident=False)
    given = instance(family, rider(**rich, **{enrolment: True}), rejected, rejected)
    assert failed(family, rider(**rich)) == ("low_income",)
    assert judge(family, given) == Winner(0, 864)
    assert isinstance(necessary(family, given, "income"), Refuted)


def test_the_income_evidence_is_necessary_where_nothing_else_shows_low_income() -> None:
    given = instance(fare(), rider(), rider(resident=False), rider(resident=False))
    assert isinstance(necessary(fare(), given, "income"), Proved)


@pytest.mark.parametrize(
    ("ages", "saving"), [((19,), 864), ((64, 18), 864), ((65, 64), 864), ((19, 64), 1_728), ((40, 41), 1_728)]
)
def test_the_published_prices_save_864_a_year_for_each_member_of_the_age(ages: tuple[int, ...], saving: int) -> None:
    assert amount(fare(), rider(household_size=len(ages), member_age=ages)) == saving


def test_the_result_is_in_dollars_although_prices_are_by_the_month() -> None:
    assert fare().calculation.unit.symbol == "USD"


# R4: vacation days ---------------------------------------------------------------------------------------------------

WORKER: Facts = {
    "contract": "permanent employment", "block_start": date(2026, 7, 1), "stand_ins": 2, "days_taken": 3,
    "consent": True, "instruction_until": date(2026, 9, 30),
}  # fmt: skip
PUBLISHED = [(16, 1, 27), (25, 5, 22), (25, 20, 24), (44, 30, 30), (50, 20, 24), (50, 30, 30), (60, 20, 30)]


def vacation() -> Family:
    return family_of("vacation-days")


def worker(age: int, service: int, **facts: Value) -> Facts:
    return {**WORKER, "age": age, "birth_date": date(2026 - age, 6, 15), "service": service, **facts}


def published_days(age: int, service: int) -> int:
    """The published rule in its own words: the five and the two do not add."""
    five = 5 if age < 18 or age >= 60 or service >= 30 else 0
    two = 2 if 15 <= service < 30 or age >= 45 else 0
    three = 3 if age >= 60 or service >= 30 else 0
    return 22 + max(five, two) + three


def vacation_days(age: int, service: int) -> Fraction | int:
    """The calculation alone: the published 25 years of age with 20 of service is no legal instance."""
    family = vacation()
    ages, services = (Slot(name, 0, family.attribute_by_id[name].required) for name in ("age", "service"))
    return result(family, {**candidate(family, worker(16, 0)), ages: age, services: service}, {})


@pytest.mark.parametrize(("age", "service", "days"), PUBLISHED)
def test_the_published_outcomes_come_out(age: int, service: int, days: int) -> None:
    assert vacation_days(age, service) == days == published_days(age, service)


def test_the_calculation_is_the_published_rule_for_every_age_and_service() -> None:
    pairs = product(range(16, 67), range(41))
    assert [pair for pair in pairs if vacation_days(*pair) != published_days(*pair)] == []


@pytest.mark.parametrize(
    ("facts", "fails"),
    [
        ({}, ()),
        ({"contract": "apprenticeship"}, ()),
        ({"contract": "agency work"}, ("contract",)),
        ({"service": 0}, ("waiting_time",)),
        ({"block_start": date(2026, 6, 30)}, ("season",)),
        ({"block_start": date(2026, 8, 31)}, ()),
        ({"block_start": date(2026, 9, 1)}, ("season",)),
        ({"stand_ins": 1}, ("cover",)),
        ({"days_taken": 4}, ("untouched",)),
        ({"consent": False}, ("consent",)),
        ({"instruction_until": date(2026, 9, 29)}, ("instruction",)),
    ],
)
def test_the_conditions_of_the_leave_block_hold_at_their_edges(facts: Facts, fails: tuple[str, ...]) -> None:
    assert failed(vacation(), {**worker(30, 1), **facts}) == fails


@pytest.mark.parametrize(
    ("age", "born", "legal"),
    [
        (64, date(1985, 6, 15), False),
        (41, date(1985, 6, 15), True),
        (40, date(1985, 6, 15), False),
        (40, date(1985, 6, 16), True),
        (41, date(1985, 6, 16), False),
    ],
)
def test_an_age_that_another_roles_date_of_birth_contradicts_is_not_legal(age: int, born: date, legal: bool) -> None:
    family = vacation()
    cells = {**candidate(family, worker(40, 5)), Slot("age", 0, ""): age, Slot("birth_date", 0, ""): born}
    broken = [each.subject for each in candidate_violations(family, 0, cells, {})]
    assert broken == ([] if legal else ["age_is_of_birth_date"])


@pytest.mark.parametrize(
    ("company", "trade", "broken"),
    [
        (30, 30, []),
        (29, 30, []),
        (30, 29, ["trade_holds_company"]),
        (30, 31, ["started_at_14_or_later"]),
        (31, 31, ["started_at_14_or_later"]),
    ],
)
def test_nobody_served_longer_here_than_in_the_trade_or_started_before_the_age_of_14(
    company: int, trade: int, broken: list[str]
) -> None:
    family = vacation()
    here, anywhere = (Slot("service", 0, context) for context, _ in family.attribute_by_id["service"].contexts)
    cells = {**candidate(family, worker(44, 30)), here: company, anywhere: trade}
    assert [each.subject for each in candidate_violations(family, 0, cells, {})] == broken


def test_both_roles_that_tell_the_age_are_necessary_for_a_winner() -> None:
    family = vacation()
    given = instance(family, worker(45, 5), worker(30, 0), worker(30, 0))
    assert judge(family, given) == Winner(0, 24)
    assert all(isinstance(necessary(family, given, role), Proved) for role in ("personnel", "pension"))
