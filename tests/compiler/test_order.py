"""The place of a record says nothing: neither which context is needed nor which attribute matters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest
from rendered_groups import GRANT, SUPERINTENDENT, candidate_group, family_of

from unco.compiler.perturb import perturb
from unco.compiler.render import render
from unco.compiler.rendering.records import role_records, shown_roles
from unco.compiler.rendering.wording import drawn_wording
from unco.specs.shipped import shipped_specifications
from unco.specs.task import RecordEntry

GROUPS = 60
PATHS = (SUPERINTENDENT, GRANT, shipped_specifications()["graduate-scholarship"])


def told(path: Path, index: int) -> Iterator[tuple[RecordEntry, ...]]:
    """The records of each role, had the group another number."""
    family, group = family_of(path), replace(candidate_group(path, 0), index=index)
    for role in shown_roles(family):
        yield role_records(family, group, role, drawn_wording(family, group.index)).entries


def orders(path: Path, index: int) -> list[list[tuple[str, str]]]:
    """The attributes with their contexts as each role tells them of the first candidate."""
    return [
        list(
            dict.fromkeys((each.attribute, each.context) for each in entries if each.candidate == entries[0].candidate)
        )
        for entries in told(path, index)
    ]


def assert_fair(first: int, shares: list[float]) -> None:
    """As often as by chance, within four standard deviations."""
    spread = sqrt(sum(share * (1 - share) for share in shares))
    assert len(shares) > 300
    assert abs(first - sum(shares)) < 4 * spread, (first, sum(shares))


def test_the_needed_context_stands_first_about_as_often_as_any_other() -> None:
    first, shares = 0, []
    for path in PATHS:
        several = [each for each in family_of(path).attributes if len(each.contexts) > 1]
        for index in range(GROUPS):
            slots = [slot for order in orders(path, index) for slot in order]
            for attribute in several:
                contexts = [context for name, context in slots if name == attribute.id]
                first += contexts[0] == attribute.required
                shares.append(1 / len(contexts))
    assert_fair(first, shares)


def test_the_first_attribute_of_the_author_stands_first_about_as_often_as_any_other() -> None:
    first, shares = 0, []
    for path in PATHS:
        family = family_of(path)
        ranks = {each.id: place for place, each in enumerate(family.shown_attributes)}
        for index in range(GROUPS):
            for order in orders(path, index):
                names = list(dict.fromkeys(name for name, _ in order))
                if len(names) > 1:
                    first += names[0] == min(names, key=ranks.__getitem__)
                    shares.append(1 / len(names))
    assert_fair(first, shares)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_candidate_is_told_in_the_same_order_member_by_member(path: Path) -> None:
    for entries in told(path, 3):
        names = list(dict.fromkeys(each.candidate for each in entries))
        rows = [[each for each in entries if each.candidate == name] for name in names]
        assert [each for row in rows for each in row] == list(entries)
        slots = [[(each.attribute, each.context) for each in row if each.member <= 1] for row in rows]
        assert all(row == slots[0] for row in slots)
        for row in rows:
            members = [each.member for each in row if (each.attribute, each.context) == slots[0][0]]
            assert members == sorted(members)


def test_a_role_that_is_asked_again_answers_in_the_order_of_its_records() -> None:
    family, group = family_of(SUPERINTENDENT), candidate_group(SUPERINTENDENT, 0)
    made = perturb(family, group, render(family, group))
    (missed,) = next(task for task in made.tasks if task.setting == "Missed").private.defects
    (records,) = (each for each in made.tasks[0].private.records if each.role == missed.role)
    assert missed.recovery == records.entries


def test_another_group_has_another_order_whatever_its_values() -> None:
    path = PATHS[2]
    assert len({str(orders(path, index)) for index in range(10)}) == 10
    family, group = family_of(GRANT), candidate_group(GRANT, 0)
    other = replace(candidate_group(GRANT, 1), index=group.index)
    for role in shown_roles(family):
        both = [role_records(family, each, role, drawn_wording(family, 0)).entries for each in (group, other)]
        slots = [list(dict.fromkeys((each.attribute, each.context) for each in entries)) for entries in both]
        assert slots[0] == slots[1]
