"""The scenario grammar: every skeleton gives specifications that stand, for each operation that it offers."""

from __future__ import annotations

from random import Random

import pytest

from unco.compiler.check import CheckOptions, check
from unco.compiler.draft import draft
from unco.compiler.drafting.by_grammar import GrammarDrafter
from unco.compiler.drafting.candidate import Candidate
from unco.compiler.drafting.compose import compose
from unco.compiler.drafting.ledger import Ledger
from unco.compiler.drafting.names import PEOPLE, names
from unco.compiler.drafting.near import likeness, near_duplicate, print_of
from unco.compiler.drafting.options import DraftOptions
from unco.compiler.drafting.skeleton import DOMAINS, OPERATIONS, Skeleton, skeletons
from unco.specs.errors import UsageError

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
    for operation in Random(skeleton.name).sample(skeleton.operations, 2):
        specification = compose(skeleton, operation, drawn(skeleton, operation, 3))
        found = check(specification).diagnostics
        assert not [each for each in found if each.code != "UNC412"], "only what the solver came to no end of may stay"


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


def test_a_specification_is_wholly_like_itself_and_less_like_another():
    one, other = (compose(each, each.operations[0], Random(1)) for each in skeletons()[:2])
    assert likeness(print_of(one), print_of(one)) == 1
    assert likeness(print_of(one), print_of(other)) < 1


# Drafting ------------------------------------------------------------------------------------------------------------


def drafted(count: int, ledger: Ledger | None = None, **options: object) -> list[Candidate]:
    """What the grammar drafts, checked quickly."""
    drafter = GrammarDrafter(DraftOptions(check=QUICK, **options))
    return [each for made in draft(count, drafter, ledger or Ledger()) for each in made]


def test_drafts_stand_and_are_no_copies_of_each_other():
    kept = [each.specification for each in drafted(6) if each.kept]
    assert len(kept) == 6
    prints = [print_of(each) for each in kept]
    assert all(near_duplicate(made, prints[:number]) is None for number, made in enumerate(prints))


def test_every_cell_is_drafted_once_before_one_is_drafted_twice():
    domains = DOMAINS[:2]
    found = drafted(len(domains) * len(OPERATIONS), domains=domains)
    cells = [(each.domain, each.operation) for each in found if each.kept]
    assert len(cells) == len(set(cells)) == len(domains) * len(OPERATIONS)


def test_no_title_is_taken_twice_where_the_skeletons_offer_others():
    found = drafted(72, domains=("education",), operations=("sum", "ratio"))
    titles = [each.specification.title for each in found if each.kept]
    assert len(titles) == len(set(titles)) == 72


def test_a_draft_that_was_made_before_is_rejected_as_a_copy_and_another_cell_comes_next(monkeypatch):
    first = drafted(1)[0].specification
    assert first is not None
    monkeypatch.setattr("unco.compiler.drafting.by_grammar.TITLES", 0)
    ledger = Ledger()
    ledger.remember(first)
    copied, *others = drafted(1, ledger)
    assert (copied.rejection.code, copied.rejection.phase) == ("UNC316", "draft")
    assert [each.kept for each in others] == [True]
    assert (others[0].domain, others[0].operation) != (copied.domain, copied.operation)


def test_earlier_specifications_count_for_what_is_due():
    first = drafted(1)[0].specification
    ledger = Ledger()
    ledger.count_earlier(first)
    (second,) = drafted(1, ledger)
    assert second.domain != first.domain
    assert second.operation != first.calculation.operation


def test_only_the_domains_and_operations_that_are_asked_for_are_drafted():
    found = drafted(3, domains=("energy",), operations=("ratio", "sum"))
    assert {each.domain for each in found} == {"energy"}
    assert {each.operation for each in found} == {"ratio", "sum"}


def test_what_does_not_stand_is_rejected_by_the_check_and_counts_for_nothing(monkeypatch):
    spoilt = []

    def spoil(skeleton, operation, rng):
        made = compose(skeleton, operation, rng)
        if spoilt:
            return made
        spoilt.append((skeleton.domain, operation))
        return made.model_copy(update={"roles": dict(list(made.roles.items())[1:])})

    monkeypatch.setattr("unco.compiler.drafting.by_grammar.compose", spoil)
    ledger = Ledger()
    bad, good = drafted(1, ledger)
    assert (bad.domain, bad.operation) == spoilt[0]
    assert bad.rejection.phase == "check"
    assert bad.rejection.code.startswith("UNC")
    assert bad.told
    assert +ledger.coverage.cells == {(good.domain, good.operation): 1}
    assert [each.name for each in ledger.prints] == [good.specification.name]


def test_a_drafter_that_has_nothing_new_is_given_up(monkeypatch):
    made = drafted(1)[0].specification
    monkeypatch.setattr("unco.compiler.drafting.by_grammar.compose", lambda *_: made)
    found = drafted(2)
    assert len(found) == 2 * GrammarDrafter.tries + GrammarDrafter.spare
    assert [each.kept for each in found] == [True] + [False] * (len(found) - 1)
    assert {each.rejection.code for each in found if each.rejection} == {"UNC316"}


def test_an_unknown_domain_or_operation_is_refused_with_those_that_there_are():
    with pytest.raises(UsageError, match=r"healthcare.*alchemy"):
        GrammarDrafter(DraftOptions(domains=("alchemy",)))
    with pytest.raises(UsageError, match=r"percentage_change.*modulo"):
        DraftOptions(operations=("modulo",))
