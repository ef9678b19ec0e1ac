"""The program's own wording: many forms, all of them read back, none of which tells more than which attribute it is."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from rendered_groups import GRANT, SUPERINTENDENT, family_of

from unco.compiler.reading.facts import FactReader
from unco.compiler.reading.vocabulary import Vocabulary
from unco.compiler.rendering.forms import FORMS, PLAIN_FORMS, filled, slots, stated
from unco.compiler.rendering.wording import drawn_wording
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge, OneOf
from unco.specs.family import Cell, Family
from unco.specs.shipped import shipped_specifications
from unco.specs.wording import attribute_text, knowledge_text, verb

PATHS = (*shipped_specifications().values(), GRANT)
NAMES = ("Ana Ruiz", "Ben's", "Cy")
KNOWN = {
    "household_size": (Exact(2), Between(1, 2), Between(1, 3), OneOf((1, 3)), NOTHING),
    "tenancy": (Exact("private"), OneOf(("private", "social")), NOTHING),
    "age": (Exact(18), OneOf((1, 2, 3)), Between(18, 64), NOTHING),
}


def sentence(family: Family, form: str, cell: Cell, known: Knowledge) -> str:
    attribute = family.attribute_by_id[cell.attribute]
    holder = "{candidate}'s {member}" if attribute.group else "{candidate}"
    return stated(
        filled(form, {"holder": holder, "verb": verb(attribute.label)}),
        candidate=NAMES[cell.candidate],
        fact=attribute_text(attribute, cell.context),
        member=f"{family.group_by_id[attribute.group].label} {cell.member}" if attribute.group else "",
        value=knowledge_text(known, family.domains[cell.slot]),
    )


@pytest.mark.parametrize("form", [*FORMS, *PLAIN_FORMS])
def test_every_form_is_read_back_whatever_is_known(form: str) -> None:
    family = family_of(GRANT)
    reader = FactReader(Vocabulary(family), NAMES)
    for name, known in KNOWN.items():
        for candidate in range(3):
            for each in known:
                cell = Cell(candidate, name, 2 if name == "age" else 0, "")
                text = sentence(family, form, cell, each)
                assert [(said.cell, said.known) for said in reader.read(text)] == [(cell, each)], text


@pytest.mark.parametrize("form", [*FORMS, *PLAIN_FORMS])
def test_the_value_stands_last_and_each_slot_once(form: str) -> None:
    assert form.endswith("{value}.")
    assert sorted(set(slots(form)) - {"verb"}) == ["fact", "holder", "value"]
    assert len(set(slots(form))) == len(slots(form))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_attributes_of_a_group_do_not_read_alike(path: Path) -> None:
    family = family_of(path)
    for index in range(20):
        forms = [
            form.replace("'s {member}", "").replace(" are ", " is ")
            for form in drawn_wording(family, index).forms.values()
        ]
        assert len(set(forms)) >= min(len(forms), 8) - 1


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_candidate_follows_the_label_only_where_the_label_is_a_plain_noun(path: Path) -> None:
    """`The day on which the crane leaves the yard of Heron` would be about Heron's yard."""
    family = family_of(path)
    for index in range(20):
        for name, form in drawn_wording(family, index).forms.items():
            if form.index("{fact}") < form.index("{candidate}") or "'s {fact}" in form:
                assert not re.search(r"\b(of|at|in|on|which|that|from|by)\b", family.attribute_by_id[name].label)


def test_every_form_serves_about_as_often_as_any_other_that_suits() -> None:
    found: Counter[str] = Counter()
    for path in PATHS:
        family = family_of(path)
        for index in range(30):
            found.update(
                form.replace("'s {member}", "").replace(" are ", " is ")
                for form in drawn_wording(family, index).forms.values()
            )
    assert len(found) == len(FORMS) + len(PLAIN_FORMS)
    assert max(found.values()) < 4 * min(found.values())


def test_another_group_has_another_wording_and_the_same_group_the_same() -> None:
    family = family_of(SUPERINTENDENT)
    assert len({str(drawn_wording(family, index)) for index in range(10)}) == 10
    assert drawn_wording(family, 3) == drawn_wording(replace(family), 3)


def test_what_is_filled_in_is_left_as_it_is() -> None:
    assert filled("{candidate}: {value}.", {"candidate": "{value}", "value": "{{ 7*7 }}"}) == "{value}: {{ 7*7 }}."
    said = stated("{fact} of {candidate} is {value}.", candidate="{fact}", fact="any claim", member="", value="none")
    assert said == "Any claim of {fact} is none."
    assert stated("{candidate}'s {fact}: {value}.", candidate="Cy", fact="age", member="", value="3") == "Cy's age: 3."
