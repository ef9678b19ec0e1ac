"""The scenario grammar: every skeleton gives specifications that stand, for each operation that it offers."""

from __future__ import annotations

from random import Random

import pytest

from unco.compiler.check import CheckOptions, check
from unco.compiler.draft import Drafted, DraftOptions, draft
from unco.compiler.drafting.compose import compose
from unco.compiler.drafting.names import PEOPLE, names
from unco.compiler.drafting.near import likeness, near_duplicate, print_of
from unco.compiler.drafting.skeleton import DOMAINS, OPERATIONS, Skeleton, skeletons
from unco.specs.errors import UsageError
from unco.specs.rejection import Rejection

QUICK = CheckOptions(findings=False, values=False)
every_skeleton = pytest.mark.parametrize("skeleton", skeletons(), ids=lambda each: each.name)


def drawn(skeleton: Skeleton, operation: str, seed: int) -> Random:
    return Random(f"{skeleton.name}/{operation}/{seed}")


@every_skeleton
def test_a_skeleton_offers_several_operations_and_belongs_to_a_domain(skeleton):
    assert skeleton.domain in DOMAINS
    assert len(skeleton.operations) >= 4
    assert len(skeleton.data["conditions"]) >= 9


@every_skeleton
def test_each_operation_of_a_skeleton_gives_a_specification_that_is_well_formed(skeleton):
    for operation in skeleton.operations:
        specification = compose(skeleton, operation, drawn(skeleton, operation, 0))
        checked = check(specification, QUICK)
        assert checked.family is not None, checked.diagnostics
        assert specification.calculation.operation == operation
        assert "<" not in specification.title + specification.task


@pytest.mark.laws
@every_skeleton
def test_the_solver_finds_nothing_against_what_is_composed(skeleton):
    for operation in skeleton.operations:
        for seed in range(4):
            specification = compose(skeleton, operation, drawn(skeleton, operation, seed))
            assert not check(specification).diagnostics


def test_every_domain_offers_every_operation():
    offered = {(each.domain, operation) for each in skeletons() for operation in each.operations}
    assert offered == {(domain, operation) for domain in DOMAINS for operation in OPERATIONS}


def test_the_same_seed_composes_the_same_specification():
    skeleton = skeletons()[0]
    operation = skeleton.operations[0]
    once, again = (compose(skeleton, operation, drawn(skeleton, operation, 7)) for _ in range(2))
    assert once == again
    assert once != compose(skeleton, operation, drawn(skeleton, operation, 8))


def test_an_operation_that_a_skeleton_does_not_offer_is_refused():
    skeleton = next(each for each in skeletons() if len(each.operations) < len(OPERATIONS))
    operation = next(each for each in OPERATIONS if each not in skeleton.operations)
    with pytest.raises(UsageError, match=operation):
        compose(skeleton, operation, Random(0))


def test_people_share_neither_given_nor_family_name():
    people = names(PEOPLE, 14, Random(0))
    words = [word for person in people for word in person.split()]
    assert len(people) == 14
    assert len(words) == len(set(words))


# Drafting ------------------------------------------------------------------------------------------------------------


def test_drafts_stand_and_are_no_copies_of_each_other():
    outcomes = list(draft(DraftOptions(6, check=QUICK)))
    kept = [each.specification for each in outcomes if isinstance(each, Drafted)]
    assert len(kept) == 6
    prints = [print_of(each) for each in kept]
    assert all(near_duplicate(made, prints[:number]) is None for number, made in enumerate(prints))


def test_a_draft_that_was_made_before_is_rejected_as_a_copy():
    first = [each for each in draft(DraftOptions(3, check=QUICK)) if isinstance(each, Drafted)]
    again = list(draft(DraftOptions(3, check=QUICK), [each.specification for each in first]))
    copied = [each for each in again if isinstance(each, Rejection)]
    known = {each.specification.name for each in first}
    assert {each.code for each in copied} <= {"UNC316"}
    assert not known & {each.specification.name for each in again if isinstance(each, Drafted)}


def test_a_specification_is_wholly_like_itself_and_less_like_another():
    one, other = (compose(each, each.operations[0], Random(1)) for each in skeletons()[:2])
    assert likeness(print_of(one), print_of(one)) == 1
    assert likeness(print_of(one), print_of(other)) < 1


def test_an_unknown_domain_is_refused_with_those_that_there_are():
    with pytest.raises(UsageError, match=r"healthcare.*alchemy"):
        next(iter(draft(DraftOptions(1, domains=("alchemy",)))))
