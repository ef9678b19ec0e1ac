"""A rendered group says every fact and every rule of its instance, in English, and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from rendered_groups import CASES, GRANT, SUPERINTENDENT, candidate_group, family_of, renamed, rendered
from specification_strategies import family_of as generated_family
from specification_strategies import specifications

from unco.compiler.fidelity import fidelity
from unco.compiler.perturb import perturb
from unco.compiler.render import RenderOptions, render
from unco.compiler.show import show
from unco.solver.judge import member_count
from unco.specs.document import Specification
from unco.specs.errors import SpecificationError
from unco.specs.family import Cell
from unco.specs.group import CandidateGroup, Missed
from unco.specs.instance import Instance, NoWinner
from unco.specs.number_format import WrongUnit, parse_number
from unco.specs.task import GoldPart, PrivatePart, PublicPart, RecordEntry, Rendered
from unco.specs.units import parse_unit
from unco.specs.wording import knowledge_text

SLIP = re.compile(r"\bNone\b|\S  \S|[ \t]$|\n\n\n|[\ue000-\uf8ff]|\.\.|\bthe the\b|\ba [aeio]|\bis are\b", re.MULTILINE)
"""What a template leaves behind when it goes wrong: blanks, private characters, articles."""
HOSTILE = ("{{ 7*7 }}", "<script>alert(1)</script>", "{% include 'x' %}")
GRANT_RULES = """\
1. The age of at least one household member is between 19 and 64 years, both included.
2. At least one of these holds:
   - the enrolment in food aid is current
   - all of these hold:
     - the gross household income (month: May 2026) is at most the value in the table "Monthly income limits by \
household size" for the household size
     - the student debt is more than the debt limit (20,000 USD)
   (In other words: The household is in need.)
3. The state residency is confirmed and the time from the date of moving in to 30 June 2026 in completed years is at \
least 1 year.
4. The type of tenancy is either private or social.
5. The share of rent covered is less than 80%.

At most one household is eligible; possibly none is.

What holds for every household
- The type of tenancy is not none or the rent is 0 USD per month (or both).
  (In other words: Who has no tenancy pays no rent.)

Table "Monthly income limits by household size"
- 1: 2,660.00 USD per month
- 2: 3,606.67 USD per month
- at least 3: 4,553.50 USD per month

Numbering
- The household members of each household are numbered from 1; the household size says how many there are.

Conversions
Values in different units are converted exactly before they are compared or combined.
- 1 year is 12 months.

Calculation
If a household is eligible, work out the yearly grant for that household, in USD per year:
yearly grant = the sum of these amounts:
  - the smaller of these amounts:
    - 6,000 USD per year
    - rent × (100% − share of rent covered)
  - 120 USD per year × (the number of household members for whom the age is less than 19 years)
Do not round intermediate values. Round the final result to 2 decimal places (halves rounded to the even neighbour)."""
SUPERINTENDENT_RULES = """\
1. The length of underground hardrock experience is at least 12 years.
2. The medical clearance (month: March 2026) is passed.
3. The earliest start date is on or before 1 August 2026.
4. The statutory certificate (state register) is either first class or second class.
5. The emergency response training (period: 2025 calendar year) is at least 40 hours."""


def with_debt_limit(limit: int) -> Rendered:
    group = candidate_group(GRANT, 0)
    instance = Instance(group.instance.cells, {"debt_limit": limit}, group.instance.names)
    return render(family_of(GRANT), replace(group, instance=instance))


def entries(case: Rendered) -> list[RecordEntry]:
    return [entry for records in case.records for entry in records.entries]


def texts(case: Rendered) -> list[str]:
    public = case.public
    shown = [public.title, public.instructions, *(role.description for role in public.roles)]
    return [*shown, *(records.text for records in case.records)]


def test_the_rules_read_as_a_careful_person_would_write_them() -> None:
    assert GRANT_RULES in with_debt_limit(20000).public.instructions
    assert SUPERINTENDENT_RULES in rendered(SUPERINTENDENT, 0).public.instructions


def test_a_rule_states_the_threshold_of_its_instance() -> None:
    assert "more than the debt limit (35,000 USD)" in with_debt_limit(35000).public.instructions


def test_the_author_s_words_never_stand_in_place_of_the_program_s() -> None:
    family, group = family_of(GRANT), candidate_group(GRANT, 0)
    bare = render(family, group, RenderOptions(author_words=False)).public.instructions
    full = rendered(GRANT, 0).public.instructions
    assert "in need" in full
    assert "in need" not in bare
    assert [line for line in full.splitlines() if "(In other words" not in line] == bare.splitlines()


@pytest.mark.parametrize(("path", "index"), CASES)
def test_every_existing_cell_has_one_record_and_no_other_has(path: Path, index: int) -> None:
    family, instance = family_of(path), candidate_group(path, index).instance
    told = [
        Cell(instance.names.index(entry.candidate), entry.attribute, entry.member, entry.context)
        for entry in entries(rendered(path, index))
    ]

    def exists(cell: Cell) -> bool:
        group = family.attribute_by_id[cell.attribute].group
        values = instance.candidate(cell.candidate)
        return group is None or cell.member <= member_count(family, family.group_by_id[group], values)

    assert sorted(told) == sorted(cell for cell in family.cells if exists(cell))


@pytest.mark.parametrize(("path", "index"), CASES)
def test_a_record_states_candidate_attribute_context_and_value(path: Path, index: int) -> None:
    family, group = family_of(path), candidate_group(path, index)
    instance = group.instance
    for entry in entries(rendered(path, index)):
        cell = Cell(instance.names.index(entry.candidate), entry.attribute, entry.member, entry.context)
        attribute = family.attribute_by_id[cell.attribute]
        assert entry.candidate in entry.text
        assert attribute.label in entry.text
        assert not cell.context or f"{cell.context})" in entry.text
        assert not cell.member or f"'s {family.group_by_id[str(attribute.group)].label} {cell.member}" in entry.text
        known = knowledge_text(group.evidence.of(cell), family.domains[cell.slot])
        assert entry.text.endswith(f" {known}.")


@pytest.mark.parametrize(("path", "index"), CASES)
def test_a_role_s_text_holds_its_own_records_alone_under_unique_keys(path: Path, index: int) -> None:
    family, case = family_of(path), rendered(path, index)
    keys = [entry.key for entry in entries(case)]
    assert len(set(keys)) == len(keys)
    for records in case.records:
        _, *lines = records.text.splitlines()
        assert lines == [f"[{entry.key}] {entry.text}" for entry in records.entries]
        assert {family.attribute_by_id[entry.attribute].owner for entry in records.entries} == {records.role}


def test_the_public_part_depends_on_names_and_thresholds_alone() -> None:
    family = family_of(GRANT)
    first, second = candidate_group(GRANT, 0), candidate_group(GRANT, 1)
    names, parameters = first.instance.names, first.instance.parameters
    other = replace(second, index=first.index, instance=Instance(second.instance.cells, parameters, names))
    none = replace(other, outcome=NoWinner())
    assert first.instance.cells != second.instance.cells
    assert render(family, first).public == render(family, other).public == render(family, none).public


@pytest.mark.parametrize(("path", "index"), CASES)
def test_candidates_stand_in_the_order_of_the_instance(path: Path, index: int) -> None:
    names = candidate_group(path, index).instance.names
    case = rendered(path, index)
    assert case.public.candidates == names
    for records in case.records:
        order = list(dict.fromkeys(entry.candidate for entry in records.entries))
        assert order == list(names)


@pytest.mark.parametrize(("path", "index"), CASES)
def test_texts_have_no_slips_of_a_template(path: Path, index: int) -> None:
    for text in texts(rendered(path, index)):
        assert not re.search(
            r"None|  \S+  |\S  \S|[ \t]$|\n\n\n|[\ue000-\uf8ff]|\.\.|\ba [aeiou]", text, re.MULTILINE
        ), text


@settings(max_examples=25)
@given(specification=specifications(), seed=st.integers(0, 2**32))
def test_every_generated_specification_can_be_told_without_slips(specification: Specification, seed: int) -> None:
    family, rng = generated_family(specification), Random(seed)
    cells = {
        cell: family.domains[cell.slot].value(rng.randrange(family.domains[cell.slot].size)) for cell in family.cells
    }
    parameters = {each.id: each.domain.value(0) for each in family.parameters}
    instance = Instance(cells, parameters, family.candidate_names[: family.candidates])
    owner = next(each.owner for each in family.attributes if not each.distractor)
    group = CandidateGroup(0, instance, NoWinner(), None, None, Missed(owner), None)
    case = render(family, group)
    for text in (*texts(case), show(perturb(family, group, case))):
        assert not SLIP.search(text), text


def test_hostile_names_come_out_as_they_are() -> None:
    case = render(family_of(SUPERINTENDENT), renamed(candidate_group(SUPERINTENDENT, 0), *HOSTILE))
    for name in HOSTILE:
        assert name in case.public.instructions
        assert all(name in records.text for records in case.records)


def test_a_name_that_cannot_stand_in_an_answer_is_a_diagnostic() -> None:
    with pytest.raises(SpecificationError) as caught:
        render(family_of(SUPERINTENDENT), renamed(candidate_group(SUPERINTENDENT, 0), "A | B", "C", "D"))
    assert [each.code for each in caught.value.diagnostics] == ["UNC602"]


def test_distractors_are_shown_as_far_as_the_difficulty_asks() -> None:
    family, group = family_of(GRANT), candidate_group(GRANT, 0)
    marked = tuple(replace(each, distractor=each.id in ("rent", "debt")) for each in family.attributes)
    difficulty = replace(family.difficulty, distractors=1)
    case = render(replace(family, attributes=marked, difficulty=difficulty), group)
    told = {entry.attribute for entry in entries(case)}
    assert "debt" in told
    assert "rent" not in told
    assert {key.id for key in case.public.attributes} == told


def test_the_parts_of_a_task_cannot_be_mixed_up() -> None:
    case = rendered(GRANT, 0)
    private = PrivatePart(records=case.records)
    for part in (case.public, private, case.gold):
        for kind in (PublicPart, PrivatePart, GoldPart):
            if not isinstance(part, kind):
                with pytest.raises(ValidationError):
                    kind.model_validate(part.model_dump())


def test_nouns_get_the_article_that_they_need_and_no_second_one() -> None:
    family, group = family_of(GRANT), candidate_group(GRANT, 0)
    named = replace(family, digest="nouns", noun="university", noun_plural="the universities")
    case = perturb(named, group, render(named, group))
    text = case.tasks[0].public.instructions
    assert re.search(r"^(The|These are the) universities", text, re.MULTILINE)
    assert "the the" not in text
    assert "\nA university is eligible if and only if" in text
    assert "If a university is eligible, work out the yearly grant for that university" in text
    assert fidelity(named, group, case) == ()


def test_an_answer_s_unit_is_printed_with_its_sign_and_read_with_or_without() -> None:
    family = family_of(SUPERINTENDENT)
    warm = replace(family, digest="warm", calculation=replace(family.calculation, unit=parse_unit("celsius")))
    form = render(warm, candidate_group(SUPERINTENDENT, 0)).public.answer
    assert "as a whole number of °C" in form.describe()
    assert "in the form 1,234 °C" in form.describe()
    for told in ("21", "21 °C", "21°C", "21 celsius"):
        assert parse_number(told, form.number) == 21
    assert isinstance(parse_number("21 °F", form.number), WrongUnit)
