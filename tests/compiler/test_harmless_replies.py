"""Harmless vagueness and extras: in every setting alike, drawn as stated, and without effect on any answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from generated_laws import BUDGET, deeply, law, seeds
from hypothesis import assume
from rendered_groups import FACTS, GRANT, SUPERINTENDENT, candidate_group, family_of, tasks_of
from specification_strategies import family_of as generated_family
from specification_strategies import specifications
from text_mutations import FACT_MUTATIONS, Said, with_records

from unco.compiler.fidelity import fidelity
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.planning.flips import Standings, touched
from unco.compiler.planning.harmless import with_harmless
from unco.compiler.planning.pins import load_pins
from unco.compiler.prove import prove
from unco.compiler.recover import recoverable, setting_defects
from unco.solver.claims import sufficient
from unco.solver.decide import Prover, Sat, Unsat
from unco.solver.harmless import harmless
from unco.solver.judge import candidate_violations
from unco.solver.queries import another_answer
from unco.specs.document import Specification
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge, OneOf, agrees
from unco.specs.facts import Pins
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup, Harmless, Incomplete, Setting
from unco.specs.instance import NoWinner, SeveralEligible, Winner
from unco.specs.policy import Defect, Delivery, Request, respond
from unco.specs.shipped import shipped_specifications
from unco.specs.task import RenderedGroup
from unco.specs.verdict import ClaimName, Promise, Proved

SHIPPED = tuple(shipped_specifications().values())
WITH_DISTRACTORS = tuple(
    shipped_specifications()[name] for name in ("relief-cargo-flight", "reduced-fare", "cheese-milk-tanker")
)


@cache
def groups(path: Path, count: int) -> list[CandidateGroup]:
    found = (instantiate(family_of(path), index, InstantiateOptions(seed=11)) for index in range(count))
    return [group for group in found if isinstance(group, CandidateGroup)]


def in_words(group: CandidateGroup) -> list[Incomplete]:
    return [each for each in group.harmless.coarse if NOTHING not in each.coarse.values()]


def unstated(group: CandidateGroup) -> list[Incomplete]:
    return [each for each in group.harmless.coarse if NOTHING in each.coarse.values()]


# As stated -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_group_has_an_attribute_in_coarse_words_and_an_extra(path: Path) -> None:
    family = family_of(path)
    for group in groups(path, 6):
        assert 1 <= len(in_words(group)) <= 2
        assert group.harmless.extras
        assert isinstance(harmless(family, group), Proved)
        for each in group.harmless.coarse:
            assert all(agrees(known, group.instance.cells[cell]) for cell, known in each.coarse.items())
        distractors = [each.id for each in family.attributes if each.distractor]
        free = set(distractors) - {each.attribute for each in in_words(group)}
        assert len(unstated(group)) <= 1
        assert unstated(group) or not free


def test_numbers_and_attributes_of_what_is_harmless_vary() -> None:
    for path in WITH_DISTRACTORS:
        drawn = groups(path, 20)
        assert set(Counter(len(in_words(group)) for group in drawn)) == {1, 2}
        assert len({each.attribute for group in drawn for each in in_words(group)}) > 2
        assert len({name for group in drawn for name, _ in group.harmless.extras}) > 3


def test_half_of_what_has_other_contexts_and_no_defect_is_told_with_another() -> None:
    for path in WITH_DISTRACTORS:
        for group in groups(path, 20):
            several = [each.id for each in family_of(path).attributes if len(each.contexts) > 1]
            free = [name for name in several if name not in group.targets]
            assert len(group.harmless.extras) == (len(free) + 1) // 2
            assert {name for name, _ in group.harmless.extras} <= set(free)


def places() -> Iterator[tuple[float, float]]:
    """The place of the value in each harmless interval, and the share of its domain that the interval spans."""
    for path in WITH_DISTRACTORS:
        domains = family_of(path).domains
        for group in groups(path, 20):
            for cell, known in group.harmless.cells.items():
                if isinstance(known, Between):
                    ends = (known.low, group.instance.cells[cell], known.high)
                    low, value, high = (domains[cell.slot].index(each) for each in ends)
                    assert low is not None
                    assert value is not None
                    assert high is not None
                    yield (value - low) / (high - low), (high - low) / domains[cell.slot].size


def test_neither_the_middle_nor_the_ends_of_an_interval_betray_the_value() -> None:
    found = [place for place, _ in places()]
    assert len(found) > 100
    for low, high in ((0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1.01)):
        assert 0.15 < sum(low <= place < high for place in found) / len(found) < 0.6


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_ends_of_what_is_coarse_are_legal_with_all_other_facts_as_they_are(path: Path) -> None:
    family = family_of(path)
    rules = {rule.id for rule in family.consistency}
    for group in groups(path, 6):
        told = group.harmless.cells | (group.incomplete.coarse if group.incomplete is not None else {})
        for cell, known in told.items():
            ends = (known.low, known.high) if isinstance(known, Between) else ()
            for value in known.values if isinstance(known, OneOf) else ends:
                values = {**group.instance.candidate(cell.candidate), cell.slot: value}
                found = candidate_violations(family, cell.candidate, values, group.instance.parameters)
                assert rules.isdisjoint(each.subject for each in found)


def test_facts_by_which_somebody_fails_are_told_coarsely_nearly_as_often_as_others() -> None:
    failing, told = 0, 0
    for path in SHIPPED:
        family = family_of(path)
        for group in groups(path, 6):
            failed = Standings(family, group.instance, group.outcome).failed
            for each in in_words(group):
                by = touched(family, (each.attribute,))
                told += 3 if by else 0
                failing += sum(not by.isdisjoint(each) for each in failed)
    assert told > 200
    assert 0.08 < failing / told < 0.2


def test_pinned_facts_stay_exact_and_what_has_no_answer_has_nothing_harmless() -> None:
    family = family_of(SUPERINTENDENT)
    pinned = instantiate(family, 0, InstantiateOptions(seed=1, pins=load_pins(family, FACTS)))
    assert isinstance(pinned, CandidateGroup)
    facts = {slot.attribute for values in load_pins(family, FACTS).candidates.values() for slot in values}
    assert facts.isdisjoint(each.attribute for each in pinned.harmless.coarse)
    several = replace(pinned, outcome=SeveralEligible((0, 1)), harmless=Harmless())
    assert with_harmless(family, several, Pins(), Random(0)) == several


def test_the_rest_of_a_group_does_not_depend_on_what_is_harmless() -> None:
    family, group = family_of(GRANT), candidate_group(GRANT, 0)
    other = with_harmless(family, replace(group, harmless=Harmless()), Pins(), Random(7))
    assert other.harmless != group.harmless
    assert replace(other, harmless=group.harmless) == group


# Without effect ------------------------------------------------------------------------------------------------------


def determined(paths: tuple[Path, ...], count: int) -> None:
    """What Reliable records is enough: the solver finds no other answer, without the promise."""
    for path in paths:
        prover = Prover(family_of(path))
        for group in groups(path, count):
            asked = another_answer(family_of(path), group.evidence, group.outcome, promise=False)
            assert isinstance(prover.decide_warm(asked, group.instance.names), Unsat)


def test_what_reliable_records_determines_gold() -> None:
    determined((*WITH_DISTRACTORS, SUPERINTENDENT, GRANT), 3)


@pytest.mark.laws
def test_what_reliable_records_determines_gold_in_every_shipped_specification() -> None:
    determined(SHIPPED, 40)


@law(4, 80, specification=specifications("tiny", "small", plannable=True), seed=seeds)
def test_in_generated_groups_the_solver_finds_no_other_answer_behind_what_is_recorded(
    specification: Specification, seed: int
) -> None:
    family = generated_family(specification)
    group = instantiate(family, 0, InstantiateOptions(seed=seed))
    assume(isinstance(group, CandidateGroup))
    assert isinstance(group, CandidateGroup)
    assert isinstance(harmless(family, group), Proved)
    asked = another_answer(family, group.evidence, group.outcome, promise=False)
    assert not isinstance(Prover(family, BUDGET).decide_warm(asked, group.instance.names), Sat)


def test_the_smallest_sufficient_cells_are_cells_as_they_are_recorded() -> None:
    path = WITH_DISTRACTORS[0]
    prover = Prover(family_of(path))
    for group in groups(path, 3):
        cells, verdict = sufficient(prover, group.instance, group.outcome, group.evidence)
        assert isinstance(verdict, Proved)
        asked = another_answer(family_of(path), group.evidence.only(cells), group.outcome, promise=True)
        assert isinstance(prover.decide_warm(asked, group.instance.names), Unsat)


def test_asking_a_defective_role_again_brings_its_coarse_records_as_they_are() -> None:
    tried = 0
    for path in WITH_DISTRACTORS:
        family = family_of(path)
        owner = {each.id: each.owner for each in family.attributes}
        for group in groups(path, 20):
            roles = {role for defects in setting_defects(family, group).values() for role in defects}
            tried += any(owner[each.attribute] in roles for each in group.harmless.coarse)
            assert isinstance(recoverable(family, group), Proved)
    assert tried > 10


def test_the_claim_is_required_and_assumes_no_promise() -> None:
    claims = prove(family_of(GRANT), candidate_group(GRANT, 0)).claims
    (found,) = (each for each in claims if each.name is ClaimName.HARMLESS)
    assert found.required
    assert found.promise is Promise.NOT_ASSUMED


def test_a_group_whose_coarse_facts_matter_is_rejected() -> None:
    family, group = family_of(SUPERINTENDENT), candidate_group(SUPERINTENDENT, 0)
    name = next(
        each.id
        for each in family.attributes
        if each.id not in group.targets and each.id in ("hardrock_years", "rescue_hours", "available_from")
    )
    required = family.attribute_by_id[name].required
    forged = Incomplete(name, {Cell(number, name, 0, required): NOTHING for number in range(family.candidates)})
    proof = prove(family, replace(group, harmless=Harmless((forged,))))
    assert not proof.accepted
    assert proof.rejection(family.name, 0).code == "UNC511"


# Form ----------------------------------------------------------------------------------------------------------------

FORMS = ("coarse words", "not stated", "another context")


def forms(family: Family, group: CandidateGroup, defects: dict[str, Defect]) -> frozenset[str]:
    """The forms in the first reply of each role to a request for everything; who overlooks it is asked again."""
    found: set[str] = set()
    for role in family.roles:
        memory, defect = Delivery(), defects.get(role.id)
        for action in (1, 2):
            reply, memory = respond(family, group.instance, role.id, defect, memory, Request(action), group.harmless)
            if not reply.silent:
                found.update(form_of(family, cell, known) for cell, known in reply.cells.items())
                break
    return frozenset(found)


def form_of(family: Family, cell: Cell, known: Knowledge) -> str:
    if isinstance(known, Exact):
        required = family.attribute_by_id[cell.attribute].required
        return "exact" if cell.context == required else "another context"
    return "not stated" if known == NOTHING else "coarse words"


def test_every_form_is_seen_as_often_in_reliable_as_in_any_other_setting() -> None:
    for path in WITH_DISTRACTORS:
        family, seen = family_of(path), dict[str, list[frozenset[str]]]()
        for group in groups(path, 20):
            seen.setdefault("Reliable", []).append(forms(family, group, {}))
            for setting, defects in setting_defects(family, group).items():
                seen.setdefault(setting, []).append(forms(family, group, defects))
        assert set(seen) == {each.value for each in Setting}
        for form in FORMS:
            shares = {setting: sum(form in each for each in found) / len(found) for setting, found in seen.items()}
            assert shares["Reliable"] >= 0.9, (path.stem, form, shares)
            assert all(share >= 0.9 for share in shares.values()), (path.stem, form, shares)


def test_both_decisions_have_the_same_share_of_coarse_words() -> None:
    for path in WITH_DISTRACTORS:
        for kind in (Winner, NoWinner):
            assert all(in_words(group) for group in groups(path, 20) if isinstance(group.outcome, kind))


# Texts ---------------------------------------------------------------------------------------------------------------


def coarse_entries(told: RenderedGroup, group: CandidateGroup) -> Iterator[tuple[int, Cell, str]]:
    """The number of the role, the cell and the sentence of each coarse record."""
    for place, records in enumerate(told.tasks[0].private.records):
        for entry in records.entries:
            cell = Cell(group.instance.names.index(entry.candidate), entry.attribute, entry.member, entry.context)
            if cell in group.harmless.cells:
                yield place, cell, entry.text


@pytest.mark.parametrize("path", [SUPERINTENDENT, GRANT])
def test_all_settings_share_the_coarse_records_and_the_extras(path: Path) -> None:
    group, told = candidate_group(path, 0), tasks_of(path, 0)
    assert len(list(coarse_entries(told, group))) == len(group.harmless.cells) > 0
    (extras,) = {task.private.extras for task in told.tasks}
    assert [(each.attribute, each.context) for each in extras] == list(group.harmless.extras)
    assert all(each.role == family_of(path).attribute_by_id[each.attribute].owner for each in extras)


@pytest.mark.parametrize("path", [SUPERINTENDENT, GRANT])
def test_a_coarse_record_with_one_thing_changed_is_rejected(path: Path) -> None:
    family, group, told = family_of(path), candidate_group(path, 0), tasks_of(path, 0)
    tried = 0
    for place, cell, sentence in coarse_entries(told, group):
        said = Said(sentence, cell, family, group.instance.names)
        changed = [new for mutation in FACT_MUTATIONS.values() for new in mutation(said) if new != sentence]
        for new in Random(3).sample(changed, min(6, len(changed))):
            text = told.tasks[0].private.records[place].text.replace(sentence, new, 1)
            assert fidelity(family, group, with_records(told, place, text)), new
            tried += 1
    assert tried > 12


def test_an_exact_record_in_place_of_a_coarse_one_is_rejected() -> None:
    family, group = family_of(GRANT), candidate_group(GRANT, 0)
    found = fidelity(family, replace(group, harmless=replace(group.harmless, coarse=())), tasks_of(GRANT, 0))
    assert {each.kind for each in found} == {"altered"}
    assert fidelity(family, group, tasks_of(GRANT, 0)) == ()


def test_an_extra_too_many_or_too_few_is_rejected() -> None:
    family, group, told = family_of(SUPERINTENDENT), candidate_group(SUPERINTENDENT, 0), tasks_of(SUPERINTENDENT, 0)
    assert group.harmless.extras
    fewer = replace(group, harmless=replace(group.harmless, extras=()))
    assert {each.kind for each in fidelity(family, fewer, told)} == {"added"}
    bare = [task.model_copy(update={"private": task.private.model_copy(update={"extras": ()})}) for task in told.tasks]
    silent = told.model_copy(update={"tasks": tuple(bare)})
    assert {each.kind for each in fidelity(family, group, silent)} == {"missing"}


test_deeply = deeply(__name__)
