"""Mixed for a whole family, against looking at every completion in every state of single groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from families import in_space_of_mixed, shipped
from small_families import family as family_of
from small_families import specification

from unco.solver.claims import STATES
from unco.solver.families.mixed import Mixing, Part
from unco.solver.family import prove_claims
from unco.solver.judge import candidate_violations, failed_conditions, result
from unco.specs.domains import values
from unco.specs.family import Cell, Family, Slot
from unco.specs.family_proof import (
    FamilyClaim,
    FamilyClaimName,
    FamilyProof,
    FamilyRefuted,
    Scope,
    Vacuous,
)
from unco.specs.instance import Instance, NoWinner, Outcome, Winner

Cells = tuple[Any, ...]
"""The values of one candidate, in the order of the slots."""
Told = tuple[int, Any] | None
"""Who wins, with the result; None where nobody does."""
SECTIONS = specification().dump()
THREE = {"candidates": SECTIONS["candidates"] | {"count": 3}}
SCORE = SECTIONS["attributes"] | {"score": SECTIONS["attributes"]["score"] | {"range": [0, 2]}}
RULES: Mapping[str, dict[str, Any]] = {
    "one condition a role": {"conditions": {"good": "score >= 1", "licensed": "licence", "cheap": "fee <= 2"}},
    "conditions that span roles": {
        "conditions": {"good": "score >= 1", "licensed": "licence", "cheap": "fee <= 2 or score == 2"}
    },
    "a rule of consistency": {
        "conditions": {"good": "score >= 1", "licensed": "licence", "cheap": "fee <= 2"},
        "consistency": {"close": "fee <= score + 2"},
    },
    "a planned winner": {
        "conditions": {"good": "score >= 1", "licensed": "licence", "cheap": "fee <= 2"},
        "plan": {"winner": {"just_good": "score == 1"}},
    },
    "what is not read": {
        "conditions": {"good": "score >= 1", "licensed": "licence"},
        "calculation": SECTIONS["calculation"] | {"formula": "fee + fee"},
    },
}
NARROW: Mapping[str, dict[str, Any]] = {
    "a plan that makes a role necessary": {
        "conditions": {"good": "score >= 1 or licence", "licensed": "licence or score == 2", "cheap": "fee <= 2"},
        "plan": {"winner": {"licensed_alone": "licence and score <= 1"}},
    },
    "a score that lifts nobody from a high fee": {
        "conditions": {"good": "score >= 1 and fee <= 2", "licensed": "licence"}
    },
    "a licence that is seldom read": {
        "conditions": {"good": "score >= 1", "licensed": "licence or score >= 1"},
        "calculation": SECTIONS["calculation"] | {"formula": "fee + fee"},
    },
}
"""Families of which nothing is proved, since one part is not."""
MANY = 400


@cache
def made(name: str) -> Family:
    return family_of(specification(**{**THREE, "attributes": SCORE, **(RULES | NARROW)[name]}))


@cache
def proof(name: str) -> FamilyProof:
    return prove_claims(made(name))


@cache
def scholarship() -> FamilyProof:
    return prove_claims(shipped("graduate-scholarship"))


def mixed_claims(proof: FamilyProof) -> list[FamilyClaim]:
    return [claim for claim in proof.claims if claim.name is FamilyClaimName.MIXED]


# Looking at every completion: no solver, no code of the claims ------------------------------------------------------


class Looking:
    """The eight states of a group, over every value of the withheld cells of all candidates."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.place = {slot: number for number, slot in enumerate(family.slots)}
        self._one: dict[Cells, tuple[bool, bool, Any]] = {}

    def one(self, cells: Cells) -> tuple[bool, bool, Any]:
        """Whether a candidate is legal, and eligible, and with which result."""
        if cells not in self._one:
            at = dict(zip(self.family.slots, cells, strict=True))
            legal = not candidate_violations(self.family, 0, at, {})
            eligible = legal and not failed_conditions(self.family, at, {})
            self._one[cells] = legal, eligible, result(self.family, at, {}) if eligible else None
        return self._one[cells]

    def everybody(self) -> list[Cells]:
        every = product(*(values(self.family.domains[slot]) for slot in self.family.slots))
        return [cells for cells in every if self.one(cells)[0]]

    def told(self, group: tuple[Cells, ...]) -> tuple[bool, Told]:
        """Whether the group is legal and keeps the promise, and its answer."""
        found = [self.one(cells) for cells in group]
        eligible = [number for number, (_, eligible, _) in enumerate(found) if eligible]
        if len(eligible) > 1 or not all(legal for legal, _, _ in found):
            return False, None
        return True, (eligible[0], found[eligible[0]][2]) if eligible else None

    def changed(self, cells: Cells, changes: Mapping[Slot, Any]) -> Cells:
        return tuple(changes.get(slot, value) for slot, value in zip(self.family.slots, cells, strict=True))

    def at_face_value(self, cells: Cells, attribute: str, context: str) -> Cells:
        required = self.family.attribute_by_id[attribute].required
        return self.changed(cells, {Slot(attribute, 0, required): cells[self.place[Slot(attribute, 0, context)]]})

    def stands(self, group: tuple[Cells, ...], attribute: str, context: str, omitted: str, silent: str) -> bool:
        """Whether no state short of full repair determines gold, and in each every open defect still matters."""
        owned = {each.id for each in self.family.owned(silent)}
        free = {
            "omitted": [
                slot for slot in self.family.slots if slot.attribute == omitted and slot.context in ("", "this")
            ],
            "missed": [slot for slot in self.family.slots if slot.attribute in owned],
        }
        face = tuple(self.at_face_value(cells, attribute, context) for cells in group)
        gold = self.told(group)[1]
        return all(
            self._state(group, face if "misaligned" in state else group, free, state, gold) for state in STATES if state
        )

    def _state(
        self, group: tuple[Cells, ...], base: tuple[Cells, ...], free: Mapping[str, list[Slot]], state: frozenset[str],
        gold: Told,
    ) -> bool:  # fmt: skip
        hidden = [slot for name in sorted(state - {"misaligned"}) for slot in free[name]]
        wanted = set(state) if len(state) > 1 else set()
        another = False
        for completion in self.completions(base, hidden):
            keeps, answer = self.told(completion)
            if not keeps:
                continue
            another = another or answer != gold
            for name in tuple(wanted):
                repaired = self.repaired(
                    completion, group, free[name] if name != "misaligned" else [Slot("fee", 0, "this")]
                )
                fine, after = self.told(repaired)
                if fine and after != answer:
                    wanted.discard(name)
            if another and not wanted:
                return True
        return False

    def completions(self, base: tuple[Cells, ...], hidden: list[Slot]) -> Iterator[tuple[Cells, ...]]:
        chosen = list(product(*(values(self.family.domains[slot]) for slot in hidden)))
        each = [[self.changed(cells, dict(zip(hidden, found, strict=True))) for found in chosen] for cells in base]
        yield from product(*each)

    def repaired(self, completion: tuple[Cells, ...], group: tuple[Cells, ...], slots: list[Slot]) -> tuple[Cells, ...]:
        return tuple(
            self.changed(cells, {slot: true[self.place[slot]] for slot in slots})
            for cells, true in zip(completion, group, strict=True)
        )


def groups(looking: Looking, scope: Scope, rng: Random) -> Iterator[tuple[Cells, ...]]:
    """Groups of three with a winner as planned, or with none."""
    everybody = looking.everybody()
    losers = [cells for cells in everybody if not looking.one(cells)[1]]
    winners = [cells for cells in everybody if looking.one(cells)[1]]
    for _ in range(MANY):
        first = rng.choice(winners if scope is Scope.WINNER else losers)
        yield (first, rng.choice(losers), rng.choice(losers))


def as_instance(family: Family, group: tuple[Cells, ...]) -> Instance:
    cells = {
        Cell(number, *slot): value
        for number, one in enumerate(group)
        for slot, value in zip(family.slots, one, strict=True)
    }
    return Instance(cells, {}, ("Ash", "Birch", "Cedar"))


def outcome_of(told: Told) -> Outcome:
    return NoWinner() if told is None else Winner(*told)


@pytest.mark.parametrize("name", RULES)
def test_a_group_in_the_space_of_a_proved_claim_stands_in_all_eight_states(name: str) -> None:
    family, looking, rng, seen = made(name), Looking(made(name)), Random(5), 0
    for claim in mixed_claims(proof(name)):
        for group in groups(looking, claim.scope, rng):
            instance, outcome = as_instance(family, group), outcome_of(looking.told(group)[1])
            for pair in claim.pairs:
                if in_space_of_mixed(family, instance, outcome, claim, pair):
                    seen += 1
                    assert looking.stands(group, claim.subject, claim.form, *pair), (group, pair)
    assert seen > 20


@pytest.mark.parametrize("name", ["one condition a role", "conditions that span roles"])
def test_a_group_whose_face_value_misleads_but_lies_outside_the_space_is_masked(name: str) -> None:
    family, looking, rng, seen = made(name), Looking(made(name)), Random(6), 0
    (claim,) = (each for each in mixed_claims(proof(name)) if each.scope is Scope.WINNER)
    for group in groups(looking, Scope.WINNER, rng):
        instance, outcome = as_instance(family, group), outcome_of(looking.told(group)[1])
        face = tuple(looking.at_face_value(cells, claim.subject, claim.form) for cells in group)
        keeps, answer = looking.told(face)
        if keeps and answer is None:
            for pair in claim.pairs:
                if not in_space_of_mixed(family, instance, outcome, claim, pair):
                    seen += 1
                    assert not looking.stands(group, claim.subject, claim.form, *pair), (group, pair)
    assert seen > 20


# What is proved, and what is not ------------------------------------------------------------------------------------


def pairs(name: str, scope: Scope = Scope.WINNER) -> set[tuple[str, str]]:
    return {pair for claim in mixed_claims(proof(name)) if claim.scope is scope for pair in claim.pairs}


def test_three_defects_are_on_three_roles() -> None:
    assert pairs("one condition a role") == {("score", "office"), ("licence", "marks")}
    assert pairs("one condition a role", Scope.NO_WINNER) == pairs("one condition a role")


def test_who_wins_at_face_value_need_not_be_as_planned() -> None:
    """As planned a licence decides; whoever wins at face value with a score of two does not need it."""
    proved = proof("a plan that makes a role necessary")
    necessary = proved.of(FamilyClaimName.NECESSARY, "office")
    assert necessary is not None
    assert necessary.settled
    assert [claim.pairs for claim in mixed_claims(proved)] == [(), ()]


def test_what_no_condition_reads_leaves_the_winner_where_he_is() -> None:
    found = mixed_claims(proof("what is not read"))
    assert [claim.scope for claim in found] == [Scope.WINNER]
    assert pairs("what is not read") == {("score", "office"), ("licence", "marks")}


def test_a_role_that_can_lift_nobody_goes_with_no_misaligned_reply() -> None:
    family, proved = shipped("graduate-scholarship"), scholarship()
    lifts = proved.of(FamilyClaimName.LIFTS, "hardship", Scope.ALL)
    assert lifts is not None
    assert isinstance(lifts.verdict, FamilyRefuted)
    assert lifts.verdict.counterexample is not None
    failed = {
        each
        for number in range(family.candidates)
        for each in failed_conditions(family, lifts.verdict.counterexample.instance.candidate(number), {})
    }
    assert failed == {"income"}
    assert all("hardship" not in pair for claim in mixed_claims(proved) for pair in claim.pairs)


def test_mixed_falls_with_the_misaligned_reply() -> None:
    proved = scholarship()
    alone = {
        (each.subject, each.form): each.verdict for each in proved.claims if each.name is FamilyClaimName.MISALIGNED
    }
    fallen = [each for each in mixed_claims(proved) if each.scope is Scope.WINNER and not each.settled]
    assert {type(each.verdict) for each in fallen} >= {FamilyRefuted, Vacuous}
    assert all(each.verdict == alone[each.subject, each.form] and not each.pairs for each in fallen)


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("a plan that makes a role necessary", (Part.PLANNED, Part.LIFTED)),
        ("a score that lifts nobody from a high fee", (Part.PLANNED, Part.ANYBODY)),
        ("a licence that is seldom read", ()),
    ],
)
def test_without_one_of_its_parts_the_proof_would_be_wrong(
    name: str, left: tuple[Part, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {claim.pairs for claim in mixed_claims(proof(name))} == {()}
    monkeypatch.setattr(Mixing, "_parts", lambda *_: left)
    family, looking, rng, wrong = made(name), Looking(made(name)), Random(7), 0
    for claim in mixed_claims(prove_claims(family)):
        for group in groups(looking, claim.scope, rng):
            instance, outcome = as_instance(family, group), outcome_of(looking.told(group)[1])
            inside = [pair for pair in claim.pairs if in_space_of_mixed(family, instance, outcome, claim, pair)]
            wrong += sum(not looking.stands(group, claim.subject, claim.form, *pair) for pair in inside)
    assert wrong > 0
