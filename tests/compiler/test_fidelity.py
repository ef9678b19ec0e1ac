"""The fidelity gate accepts every rendered text, and rejects each text in which one fact or one rule is changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rendered_groups import FACTS, GRANT, SUPERINTENDENT, candidate_group, family_of, renamed, tasks_of
from specification_strategies import family_of as generated_family
from specification_strategies import specifications
from text_mutations import FACT_MUTATIONS, RULE_MUTATIONS, Said, with_instructions, with_records, with_reply

from unco.compiler.fidelity import Discrepancy, fidelity
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.perturb import perturb
from unco.compiler.planning.pins import load_pins
from unco.compiler.render import RenderOptions, render
from unco.solver import phrase
from unco.specs import wording
from unco.specs.document import Specification
from unco.specs.domains import DateDomain, Domain, NumberDomain
from unco.specs.evidence import NOTHING, Between, Knowledge, OneOf
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup, Incomplete, Misaligned, Missed, Mixed
from unco.specs.instance import Instance, NoWinner
from unco.specs.shipped import shipped_specifications
from unco.specs.task import RenderedGroup

PATHS = (*shipped_specifications().values(), GRANT)
CASES = [(path, 0) for path in PATHS]
SHORT = (SUPERINTENDENT, GRANT, shipped_specifications()["graduate-scholarship"])
"""The specifications whose texts are mutated; all of them under `make laws`."""
MOST = 5
"""Mutations of one kind that are tried on one text; all of them under `make laws`."""


@cache
def text_of(path: Path, index: int = 0) -> str:
    return tasks_of(path, index).tasks[0].public.instructions


def gate(path: Path, changed: RenderedGroup, index: int = 0) -> tuple[Discrepancy, ...]:
    return fidelity(family_of(path), candidate_group(path, index), changed)


def some(items: Iterator[str], original: str, most: int) -> list[str]:
    """A few of the texts that differ from the original, always the same ones."""
    found = [each for each in dict.fromkeys(items) if each != original]
    return found if len(found) <= most else Random(len(original)).sample(found, most)


# Acceptance ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "index"), CASES)
def test_every_shipped_text_is_accepted(path: Path, index: int) -> None:
    assert gate(path, tasks_of(path, index), index) == ()


def test_texts_without_the_author_s_words_are_accepted() -> None:
    family, group = family_of(GRANT), candidate_group(GRANT, 0)
    bare = perturb(family, group, render(family, group, RenderOptions(author_words=False)))
    assert fidelity(family, group, bare) == ()


@settings(max_examples=25)
@given(specification=specifications(), seed=st.integers(0, 2**32))
def test_every_generated_text_is_accepted(specification: Specification, seed: int) -> None:
    family, rng = generated_family(specification), Random(seed)
    group = drawn_group(family, rng)
    assert fidelity(family, group, perturb(family, group, render(family, group))) == ()


@settings(max_examples=5)
@given(specification=specifications("tiny", "small", plannable=True), seed=st.integers(0, 2**32))
def test_every_planned_group_is_accepted(specification: Specification, seed: int) -> None:
    family = generated_family(specification)
    group = instantiate(family, 0, InstantiateOptions(seed=seed))
    assume(isinstance(group, CandidateGroup))
    assert isinstance(group, CandidateGroup)
    assert fidelity(family, group, perturb(family, group, render(family, group))) == ()


def drawn_group(family: Family, rng: Random) -> CandidateGroup:
    """Any values, and defects with any true or untrue knowledge: the gate compares texts, it does not judge plans."""
    cells = {
        cell: family.domains[cell.slot].value(rng.randrange(family.domains[cell.slot].size)) for cell in family.cells
    }
    parameters = {each.id: each.domain.value(rng.randrange(each.domain.size)) for each in family.parameters}
    instance = Instance(cells, parameters, family.candidate_names[: family.candidates])
    shown = [each for each in family.attributes if not each.distractor]
    vague, owner = rng.choice(shown), rng.choice(shown).owner
    coarse = {
        cell: drawn_knowledge(family.domains[cell.slot], rng)
        for cell in family.cells
        if (cell.attribute, cell.context) == (vague.id, vague.required)
    }
    off = [
        (each.id, context) for each in shown for context, domain in each.contexts[1:] if domain == each.contexts[0][1]
    ]
    misaligned = Misaligned(*rng.choice(off)) if off else None
    mixed = Mixed(misaligned, vague.id, owner) if misaligned else None
    return CandidateGroup(0, instance, NoWinner(), misaligned, Incomplete(vague.id, coarse), Missed(owner), mixed)


def drawn_knowledge(domain: Domain, rng: Random) -> Knowledge:
    """An interval, a set, or nothing."""
    indices = sorted(rng.sample(range(domain.size), min(domain.size, rng.randint(2, 4))))
    if len(indices) < 2 or domain.size == 2 or rng.randrange(4) == 0:
        return NOTHING
    values = [domain.value(index) for index in indices]
    if isinstance(domain, NumberDomain | DateDomain) and rng.randrange(2):
        return Between(values[0], values[-1])
    return OneOf(tuple(values))


def test_hostile_names_are_accepted_as_names() -> None:
    family = family_of(SUPERINTENDENT)
    group = renamed(candidate_group(SUPERINTENDENT, 0), "{{ 7*7 }}", "Ann's and Bo, or Cy", "3 May 2026")
    assert fidelity(family, group, perturb(family, group, render(family, group))) == ()


# One fact ------------------------------------------------------------------------------------------------------------


def records_with(path: Path, kind: str) -> Iterator[tuple[int, Cell, str, str]]:
    """Each record of the first task changed in one way: its role's number, its cell, its sentence before and after."""
    family, group = family_of(path), candidate_group(path, 0)
    names = group.instance.names
    for place, records in enumerate(tasks_of(path, 0).tasks[0].private.records):
        for entry in records.entries:
            cell = Cell(names.index(entry.candidate), entry.attribute, entry.member, entry.context)
            for new in FACT_MUTATIONS[kind](Said(entry.text, cell, family, names)):
                yield place, cell, entry.text, new


def swapped(text: str, old: str, new: str) -> str:
    """The text with one whole line's sentence replaced."""
    return re.sub(rf"(?m)(?<=\] ){re.escape(old)}$", lambda _: new, text, count=1)


def assert_facts_rejected(kind: str, paths: tuple[Path, ...], most: int) -> None:
    tried = 0
    for path in paths:
        group = tasks_of(path, 0)
        cases = [case for case in records_with(path, kind) if case[2] != case[3]]
        for place, cell, old, new in cases if len(cases) <= most else Random(7).sample(cases, most):
            tried += 1
            text = group.tasks[0].private.records[place].text
            found = gate(path, with_records(group, place, swapped(text, old, new)))
            assert found, f"{path.stem}: {old} -> {new}"
            label = family_of(path).attribute_by_id[cell.attribute].label
            assert any(label in each.subject and each.where.startswith("records of ") for each in found), found
    assert tried > 2, kind


@pytest.mark.parametrize("kind", FACT_MUTATIONS)
def test_a_record_with_one_fact_changed_is_rejected(kind: str) -> None:
    assert_facts_rejected(kind, SHORT, MOST)


@pytest.mark.laws
@pytest.mark.parametrize("kind", FACT_MUTATIONS)
def test_every_record_with_one_fact_changed_is_rejected(kind: str) -> None:
    assert_facts_rejected(kind, PATHS, 10_000)


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_a_record_left_out_or_doubled_is_rejected(path: Path) -> None:
    group = tasks_of(path, 0)
    for place, records in enumerate(group.tasks[0].private.records):
        lines = records.text.split("\n")
        number = 1 + place % (len(lines) - 1)
        without = gate(path, with_records(group, place, "\n".join([*lines[:number], *lines[number + 1 :]])))
        assert "missing" in {each.kind for each in without}
        twice = gate(path, with_records(group, place, "\n".join([*lines[: number + 1], *lines[number:]])))
        assert "added" in {each.kind for each in twice}


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_another_role_s_fact_among_the_records_is_rejected(path: Path) -> None:
    group = tasks_of(path, 0)
    first, second = group.tasks[0].private.records[:2]
    found = gate(path, with_records(group, 0, f"{first.text}\n[X-1] {second.entries[-1].text}"))
    assert "added" in {each.kind for each in found}


def replies(path: Path) -> Iterator[tuple[int, int, str, str]]:
    for task, told in enumerate(tasks_of(path, 0).tasks):
        for place, defect in enumerate(told.private.defects):
            for field in ("first_reply", "recovery_reply"):
                yield task, place, field, getattr(defect, field)


def reply_mutations(path: Path, text: str) -> Iterator[str]:
    """Each line changed in each way, left out, doubled, or joined by another candidate's fact."""
    lines, family, names = text.split("\n"), family_of(path), candidate_group(path, 0).instance.names
    records = [entry for each in tasks_of(path, 0).tasks[0].private.records for entry in each.entries]
    for number, line in enumerate(lines):
        before, after = lines[:number], lines[number + 1 :]
        yield "\n".join([*before, *after])
        yield "\n".join([*before, line, line, *after])
        for entry in records:
            cell = Cell(names.index(entry.candidate), entry.attribute, entry.member, entry.context)
            said = Said(entry.text, cell, family, names)
            if line.startswith(entry.text[: said.divide]):
                for change in FACT_MUTATIONS.values():
                    yield from ("\n".join([*before, new, *after]) for new in change(Said(line, cell, family, names)))
    yield from ("\n".join([*lines, entry.text]) for entry in records)


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_a_reply_with_one_fact_changed_is_rejected(path: Path) -> None:
    group, tried = tasks_of(path, 0), 0
    for task, place, field, text in replies(path):
        for new in some(reply_mutations(path, text), text, 2 * MOST):
            if sorted(new.split("\n")) == sorted(text.split("\n")):
                continue
            tried += 1
            found = gate(path, with_reply(group, task, place, field, new))
            assert any("reply of" in each.where for each in found), new
    assert tried > 20


def test_an_interval_s_end_one_step_off_is_rejected_with_both_ends() -> None:
    family, group = family_of(SUPERINTENDENT), candidate_group(SUPERINTENDENT, 0)
    cells = [cell for cell in family.cells if cell.attribute == "hardrock_years"]
    vague = Incomplete("hardrock_years", {cell: Between(5, 30) for cell in cells})
    group = replace(group, incomplete=vague)
    told = perturb(family, group, render(family, group))
    task = next(place for place, each in enumerate(told.tasks) if each.setting == "Incomplete")
    text = told.tasks[task].private.defects[0].first_reply
    changed = with_reply(told, task, 0, "first_reply", text.replace("between 5 and 30", "between 5 and 31", 1))
    (found,) = fidelity(family, group, changed)
    assert (found.kind, found.found, found.expected) == (
        "altered",
        "from 5 years to 31 years",
        "from 5 years to 30 years",
    )


def test_a_day_that_the_text_gets_wrong_is_named_with_found_and_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    """S17: the object holds 2026-05-22, the finished text says 12 May."""
    family = family_of(SUPERINTENDENT)
    group = instantiate(family, 0, InstantiateOptions(seed=1, pins=load_pins(family, FACTS)))
    assert isinstance(group, CandidateGroup)
    cell = next(cell for cell in family.cells if isinstance(family.domains[cell.slot], DateDomain))
    group = replace(group, instance=group.instance.changed({cell: date(2026, 5, 22)}))
    right = wording.date_text
    monkeypatch.setattr(
        wording, "date_text", lambda day: right(day.replace(day=12) if day == date(2026, 5, 22) else day)
    )
    found = fidelity(family, group, perturb(family, group, render(family, group)))
    first = found[0]
    assert (first.kind, first.found, first.expected) == ("altered", "12 May 2026", "22 May 2026")
    assert first.subject == f"earliest start date of {group.instance.names[0]}"
    assert group.instance.names[0] in first.words
    assert first.words.endswith(" 12 May 2026.")
    assert first.where.startswith("records of ")


@pytest.mark.parametrize(
    ("module", "name", "wrong"),
    [
        (wording, "digits_text", lambda number, places: str(number + 1)),
        (wording, "unit_text", lambda unit, one=False: "months"),
        (wording, "name_text", lambda name: "passed"),
        (phrase, "typed_text", lambda value, type_, places=None: "12 years"),
        (phrase, "band_text", lambda band, key: "any value"),
        (phrase, "attribute_text", lambda attribute, context: attribute.label),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_fault_of_the_formatter_does_not_pass(
    module: object, name: str, wrong: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader shares no code with the formatter: what one gets wrong, the other does not."""
    family, group = family_of(GRANT), candidate_group(GRANT, 0)
    monkeypatch.setattr(module, name, wrong)
    assert fidelity(family, group, perturb(family, group, render(family, group)))


# One rule ------------------------------------------------------------------------------------------------------------


def assert_rules_rejected(kind: str, paths: tuple[Path, ...], most: int) -> None:
    tried = 0
    for path in paths:
        text = text_of(path)
        for new in some(RULE_MUTATIONS[kind](text), text, most):
            tried += 1
            found = gate(path, with_instructions(tasks_of(path, 0), new))
            assert any(each.where == "instructions" for each in found), difference(text, new)
    assert tried > 0, kind


def difference(text: str, new: str) -> str:
    old, lines = text.split("\n"), new.split("\n")
    return "\n".join(
        [*(f"- {each}" for each in old if each not in lines), *(f"+ {each}" for each in lines if each not in old)]
    )


@pytest.mark.parametrize("kind", RULE_MUTATIONS)
def test_instructions_with_one_rule_changed_are_rejected(kind: str) -> None:
    assert_rules_rejected(kind, SHORT, MOST)


@pytest.mark.laws
@pytest.mark.parametrize("kind", RULE_MUTATIONS)
def test_all_instructions_with_one_rule_changed_are_rejected(kind: str) -> None:
    assert_rules_rejected(kind, PATHS, 10_000)


@settings(max_examples=20)
@given(specification=specifications(), seed=st.integers(0, 2**32), kind=st.sampled_from(sorted(RULE_MUTATIONS)))
def test_a_generated_rule_that_is_changed_is_rejected(specification: Specification, seed: int, kind: str) -> None:
    family = generated_family(specification)
    group = drawn_group(family, Random(seed))
    told = perturb(family, group, render(family, group))
    text = told.tasks[0].public.instructions
    for new in some(RULE_MUTATIONS[kind](text), text, 3):
        assert fidelity(family, group, with_instructions(told, new)), difference(text, new)


SILENT = {"the", "is", "are", "a", "an"}
"""Words that a sentence may have or not have and say the same."""


@pytest.mark.parametrize("path", [SUPERINTENDENT, GRANT], ids=lambda path: path.stem)
def test_every_word_of_the_instructions_counts(path: Path) -> None:
    text, group = text_of(path), tasks_of(path, 0)
    words = [found for found in re.finditer(r"\S+", text) if found[0].lower() not in SILENT]
    for found in Random(3).sample(words, 40):
        new = text[: found.start()] + text[found.end() :]
        assert gate(path, with_instructions(group, new)), f"{text[found.start() - 40 : found.end() + 20]!r}"


def test_a_condition_is_named_as_its_author_wrote_it() -> None:
    new = text_of(SUPERINTENDENT).replace("is at least 12 years", "is more than 12 years")
    (found,) = gate(SUPERINTENDENT, with_instructions(tasks_of(SUPERINTENDENT, 0), new))
    assert found.kind == "altered"
    assert found.expected == "hardrock_years >= 12 years"
    assert found.words == "The length of underground hardrock experience is more than 12 years."


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: text[::-1],
        lambda text: text[:200],
        lambda text: text.replace("Calculation\n", "Calculation\n\ue0007\n"),
        lambda text: text.replace("1. ", "1. \ue0000"),
        lambda text: text.replace("1. ", "1. " + "(" * 5_000),
    ],
)
def test_a_text_that_is_no_task_at_all_is_rejected(change: Callable[[str], str]) -> None:
    assert gate(SUPERINTENDENT, with_instructions(tasks_of(SUPERINTENDENT, 0), change(text_of(SUPERINTENDENT))))


def test_the_author_s_words_under_another_rule_are_rejected() -> None:
    text = text_of(GRANT)
    line = "\n   (In other words: The household is in need.)"
    moved = text.replace(line, "").replace("both included.", f"both included.{line}", 1)
    assert {each.kind for each in gate(GRANT, with_instructions(tasks_of(GRANT, 0), moved))} == {"altered"}


# Leaks ---------------------------------------------------------------------------------------------------------------

GIVEAWAYS = (
    ("NAME should be approved.", "should be approved"),
    ("NAME is the only suitable one.", "the only suitable one"),
    ("NAME is eligible.", "is eligible"),
    ("The correct answer is NAME.", "correct answer"),
    ("The figure is 60,000.", "60,000"),
    ("Think of NAME.", "NAME"),
)


@pytest.mark.parametrize(("sentence", "words"), GIVEAWAYS)
@pytest.mark.parametrize("place", ["record line", "end of a record", "reply", "silence", "task", "rule", "description"])
def test_words_that_give_the_verdict_away_are_rejected_and_named(sentence: str, words: str, place: str) -> None:
    """S18."""
    name = candidate_group(SUPERINTENDENT, 0).instance.names[1]
    said, words = sentence.replace("NAME", name), words.replace("NAME", name)
    found = gate(SUPERINTENDENT, leaking(tasks_of(SUPERINTENDENT, 0), place, said))
    assert any(each.kind == "leaked" and words in each.found and words in each.words for each in found), found


def leaking(group: RenderedGroup, place: str, said: str) -> RenderedGroup:
    """The group with a sentence where it does not belong."""
    first = group.tasks[0]
    records, text = first.private.records[0].text, first.public.instructions
    match place:
        case "record line":
            return with_records(group, 0, f"{records}\n{said}")
        case "end of a record":
            return with_records(group, 0, f"{records} {said}")
        case "reply":
            return with_reply(group, 1, 0, "first_reply", f"{group.tasks[1].private.defects[0].first_reply}\n{said}")
        case "silence":
            task = next(each for each, task in enumerate(group.tasks) if task.setting == "Missed")
            silence = group.tasks[task].private.defects[0].first_reply
            return with_reply(group, task, 0, "first_reply", f"{silence} {said}")
        case "task":
            return with_instructions(group, text.replace("\n", f" {said}\n", 1))
        case "rule":
            return with_instructions(group, text.replace("at least 12 years.", f"at least 12 years.\n{said}"))
        case _:
            role = first.public.roles[0]
            changed = role.model_copy(update={"description": f"{role.description} {said}"})
            public = first.public.model_copy(update={"roles": (changed, *first.public.roles[1:])})
            return group.model_copy(update={"tasks": (first.model_copy(update={"public": public}), *group.tasks[1:])})


def test_an_author_who_speaks_of_a_candidate_is_rejected() -> None:
    family, group = family_of(SUPERINTENDENT), candidate_group(SUPERINTENDENT, 0)
    talking = replace(family, digest="talking", task=f"{family.task} {group.instance.names[0]} should be chosen.")
    found = fidelity(talking, group, perturb(talking, group, render(talking, group)))
    assert {each.kind for each in found} == {"leaked"}
    assert "should be chosen" in found[0].found


def test_an_author_who_asks_whom_to_choose_is_accepted() -> None:
    family, group = family_of(SUPERINTENDENT), candidate_group(SUPERINTENDENT, 0)
    asking = replace(family, digest="asking", task="Decide who, if anybody, should be chosen by 1 August 2026.")
    assert fidelity(asking, group, perturb(asking, group, render(asking, group))) == ()


# The public part and the replies as a whole --------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["title", "roles", "candidates", "attributes", "answer_format", "answer"])
def test_a_changed_directory_is_rejected(field: str) -> None:
    group = tasks_of(SUPERINTENDENT, 0)
    first = group.tasks[0]
    public = first.public
    changes = {
        "title": f"{public.title}, again",
        "roles": public.roles[1:],
        "candidates": public.candidates[::-1],
        "attributes": (public.attributes[0].model_copy(update={"context": "another"}), *public.attributes[1:]),
        "answer_format": public.answer_format.replace("whole number", "whole lumber"),
        "answer": public.answer.model_copy(update={"positive": "Yes"}),
    }
    changed = first.model_copy(update={"public": public.model_copy(update={field: changes[field]})})
    assert gate(SUPERINTENDENT, group.model_copy(update={"tasks": (changed, *group.tasks[1:])}))


def test_a_sentence_filed_under_another_fact_is_rejected() -> None:
    group = tasks_of(SUPERINTENDENT, 0)
    first = group.tasks[0]
    records = first.private.records[0]
    names = candidate_group(SUPERINTENDENT, 0).instance.names
    entries = (records.entries[0].model_copy(update={"candidate": names[1]}), *records.entries[1:])
    private = first.private.model_copy(
        update={"records": (records.model_copy(update={"entries": entries}), *first.private.records[1:])}
    )
    changed = group.model_copy(update={"tasks": (first.model_copy(update={"private": private}), *group.tasks[1:])})
    assert [each.kind for each in gate(SUPERINTENDENT, changed)] == ["altered"]


def test_the_replies_of_another_setting_are_rejected() -> None:
    group = tasks_of(SUPERINTENDENT, 0)
    first, second = group.tasks[:2]
    changed = first.model_copy(update={"private": second.private})
    swapped_replies = group.model_copy(update={"tasks": (changed, *group.tasks[1:])})
    assert [each.kind for each in gate(SUPERINTENDENT, swapped_replies)] == ["added"]
    emptied = second.model_copy(update={"private": first.private})
    lacking = group.model_copy(update={"tasks": (first, emptied, *group.tasks[2:])})
    assert [each.kind for each in gate(SUPERINTENDENT, lacking)] == ["missing"]
