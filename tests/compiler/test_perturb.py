"""The settings of a group differ in what is replied first, in nothing else, and every reply has one form."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError
from rendered_groups import (
    CASES,
    GRANT,
    SUPERINTENDENT,
    candidate_group,
    family_of,
    papers_case,
    rendered,
    tasks_of,
)
from text_mutations import Said

from unco.compiler.perturb import perturb
from unco.solver.judge import judge
from unco.specs.evidence import agrees
from unco.specs.family import Cell
from unco.specs.group import Setting
from unco.specs.task import DefectPart, RecordEntry, RenderedGroup, Task


def defects(path: Path, index: int, setting: Setting) -> tuple[DefectPart, ...]:
    task = tasks_of(path, index).task(setting)
    return () if task is None else task.private.defects


def records(path: Path, index: int, role: str) -> tuple[RecordEntry, ...]:
    return next(each.entries for each in rendered(path, index).records if each.role == role)


@pytest.mark.parametrize(("path", "index"), CASES)
def test_all_settings_share_the_public_part_the_records_and_gold(path: Path, index: int) -> None:
    tasks = tasks_of(path, index).tasks
    assert {task.public for task in tasks} == {rendered(path, index).public}
    assert {task.private.records for task in tasks} == {rendered(path, index).records}
    assert {task.gold.answer for task in tasks} == {rendered(path, index).gold.answer}


@pytest.mark.parametrize(("path", "index"), CASES)
def test_a_setting_stands_where_the_group_has_its_defect(path: Path, index: int) -> None:
    group = candidate_group(path, index)
    planned = {
        Setting.RELIABLE: True,
        Setting.MISALIGNED: group.misaligned is not None,
        Setting.INCOMPLETE: group.incomplete is not None,
        Setting.MISSED: group.missed is not None,
        Setting.MIXED: group.mixed is not None,
    }
    assert [task.setting for task in tasks_of(path, index).tasks] == [name for name, there in planned.items() if there]


def test_no_defect_leaves_the_reliable_setting_alone() -> None:
    group = replace(candidate_group(GRANT, 0), misaligned=None, incomplete=None, missed=None, mixed=None)
    tasks = perturb(family_of(GRANT), group, rendered(GRANT, 0)).tasks
    assert [(task.setting, task.private.defects) for task in tasks] == [(Setting.RELIABLE, ())]


@pytest.mark.parametrize(("path", "index"), CASES)
def test_misaligned_gives_the_records_of_the_other_context_and_recovers_those_of_the_required(
    path: Path, index: int
) -> None:
    (defect,) = defects(path, index, Setting.MISALIGNED)
    own = [each for each in records(path, index, defect.role) if each.attribute == defect.attribute]
    assert defect.context != defect.required
    assert defect.first == tuple(each for each in own if each.context == defect.context)
    assert defect.recovery == tuple(each for each in own if each.context == defect.required)
    for entry in defect.first:
        assert f"{defect.context})" in entry.text


@pytest.mark.parametrize(("path", "index"), CASES)
def test_incomplete_is_coarse_for_every_candidate_true_and_recovers_the_records(path: Path, index: int) -> None:
    group = candidate_group(path, index)
    (defect,) = defects(path, index, Setting.INCOMPLETE)
    exact = records(path, index, defect.role)
    assert all(entry in exact for entry in defect.recovery)
    assert [each.key for each in defect.first] == [each.key for each in defect.recovery]
    assert not {each.text for each in defect.first} & {each.text for each in exact}
    assert {each.candidate for each in defect.first} == set(group.instance.names)
    assert group.incomplete is not None
    for cell, known in group.incomplete.coarse.items():
        assert agrees(known, group.instance.cells[cell])


@pytest.mark.parametrize(("path", "index"), CASES)
def test_missed_is_silent_and_recovers_all_that_the_role_holds(path: Path, index: int) -> None:
    (defect,) = defects(path, index, Setting.MISSED)
    role = next(each.name for each in family_of(path).roles if each.id == defect.role)
    assert (defect.first, defect.first_reply) == ((), f"No response from the {role}.")
    assert defect.recovery == records(path, index, defect.role)


def test_mixed_has_three_defects_on_three_roles() -> None:
    kinds = [defects(path, index, Setting.MIXED) for path, index in CASES]
    found = [each for each in kinds if each]
    assert found
    for three in found:
        assert [defect.kind for defect in three] == ["misaligned", "omitted", "missed"]
        assert len({defect.role for defect in three}) == 3
        assert all(entry.text.endswith(" not stated.") for entry in three[1].first)


@pytest.mark.parametrize(("path", "index"), CASES)
def test_every_reply_has_the_form_of_a_record(path: Path, index: int) -> None:
    """Without its context and its value, the sentence of a defective reply is that of the record it stands for."""

    family, names = family_of(path), candidate_group(path, index).instance.names

    def form(entry: RecordEntry) -> str:
        cell = Cell(names.index(entry.candidate), entry.attribute, entry.member, entry.context)
        said = Said(entry.text, cell, family, names)
        opening = said.text[: said.divide]
        return opening.replace(f"{entry.context})", "CONTEXT)") if entry.context else opening

    for task in tasks_of(path, index).tasks:
        for defect in task.private.defects:
            for first, second in zip(defect.first, defect.recovery, strict=bool(defect.first)):
                assert form(first) == form(second)
            for entries, reply in ((defect.first, defect.first_reply), (defect.recovery, defect.recovery_reply)):
                assert not entries or reply.splitlines() == [entry.text for entry in entries]


@pytest.mark.parametrize(("path", "index"), CASES)
def test_the_face_value_is_the_answer_to_the_misaligned_reply(path: Path, index: int) -> None:
    family, group = family_of(path), candidate_group(path, index)
    task = tasks_of(path, index).task(Setting.MISALIGNED)
    assert task is not None
    assert group.misaligned is not None
    attribute = family.attribute_by_id[group.misaligned.attribute]
    shifted = {
        cell: group.instance.cells[cell._replace(context=group.misaligned.context)]
        for cell in family.cells
        if (cell.attribute, cell.context) == (attribute.id, attribute.required)
    }
    outcome = judge(family, group.instance.changed(shifted))
    found = task.gold.face_value
    assert found is not None
    assert found != task.gold.answer
    winner = getattr(outcome, "candidate", None)
    assert found.candidate == (None if winner is None else group.instance.names[winner])


def test_the_paper_s_case_is_told_as_the_paper_tells_it() -> None:
    group = papers_case()
    misaligned, incomplete = group.task(Setting.MISALIGNED), group.task(Setting.INCOMPLETE)
    assert misaligned is not None
    assert incomplete is not None
    gold, face = misaligned.gold.answer, misaligned.gold.face_value
    assert (gold.decision, gold.candidate, gold.result) == ("Appoint", "Marcus Vance", "60000")
    assert face is not None
    assert (face.decision, face.candidate, face.result) == ("Do not appoint", None, None)
    (wrong,), (vague,) = misaligned.private.defects, incomplete.private.defects
    for reply, fact, value in (
        (wrong.first_reply, "medical clearance (month: April 2026)", "failed"),
        (wrong.recovery_reply, "medical clearance (month: March 2026)", "passed"),
        (vague.first_reply, "length of underground hardrock experience", "between 5 and 30 years"),
        (vague.recovery_reply, "length of underground hardrock experience", "17 years"),
    ):
        (line,) = (line for line in reply.splitlines() if "Marcus Vance" in line)
        assert fact in line
        assert line.endswith(f" {value}.")


@pytest.mark.parametrize(("path", "index"), CASES)
def test_a_group_reads_back_equal(path: Path, index: int) -> None:
    group = tasks_of(path, index)
    assert RenderedGroup.model_validate_json(group.model_dump_json()) == group


def test_the_same_group_has_the_same_ids_and_another_has_others() -> None:
    path, index = SUPERINTENDENT, 0
    again = perturb(family_of(path), candidate_group(path, index), rendered(path, index))
    assert again == tasks_of(path, index)
    assert again.model_dump_json() == tasks_of(path, index).model_dump_json()
    ids = [each.id for path, index in CASES for each in (tasks_of(path, index), *tasks_of(path, index).tasks)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("field", ["group", "setting", "gold", "public"])
def test_a_task_whose_content_was_changed_is_refused(field: str) -> None:
    first, second = tasks_of(SUPERINTENDENT, 0), tasks_of(SUPERINTENDENT, 1)
    changed = json.loads(first.tasks[0].model_dump_json())
    other = json.loads(second.tasks[1].model_dump_json())
    assert Task.model_validate_json(json.dumps(changed)) == first.tasks[0]
    with pytest.raises(ValidationError, match="hash of its content"):
        Task.model_validate_json(json.dumps({**changed, field: other[field]}))


def test_a_coarse_reply_covers_the_members_that_exist() -> None:
    family, group = family_of(GRANT), candidate_group(GRANT, 0)
    cells = [cell for cell in family.cells if cell.attribute == "age"]
    assert group.incomplete is not None
    coarse = replace(group.incomplete, attribute="age", coarse={})
    told = perturb(family, replace(group, incomplete=coarse), rendered(GRANT, 0)).task(Setting.INCOMPLETE)
    assert told is not None
    (defect,) = told.private.defects
    sizes = {
        name: group.instance.cells[Cell(number, "household_size", 0, "")]
        for number, name in enumerate(group.instance.names)
    }
    assert len(defect.first) == sum(int(str(size)) for size in sizes.values()) < len(cells)
