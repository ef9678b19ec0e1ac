"""Claims about a family in the author's words: what shows them, what they rest on, and what follows for a build."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unco.solver.families.move_words import cell_text, move_text, pattern_text
from unco.solver.judge import failed_conditions
from unco.specs.domains import Domain
from unco.specs.evidence import Between, Exact, Knowledge, Nothing, OneOf
from unco.specs.family import Cell, Family, Slot
from unco.specs.family_proof import (
    Counterexample,
    FamilyClaim,
    FamilyClaimName,
    FamilyProved,
    FamilyRefuted,
    FamilyUnknown,
    Scope,
    Vacuous,
)
from unco.specs.values import Value
from unco.specs.wording import attribute_text, listing_text, value_text

MOST_NAMED = 6
"""More attributes than these are counted, not named."""


def claim_lines(family: Family, claim: FamilyClaim) -> Iterator[str]:
    """What shows the claim: its moves, the counterexample, or why it is open."""
    match claim.verdict:
        case FamilyProved(_, moves, _, because):
            told = [_pattern_or_move(family, claim, move) for move in moves]
            yield from dict.fromkeys(told)
            yield from [because] if because else []
        case FamilyRefuted(_, example, _, because):
            yield from [because] if because else []
            yield from () if example is None else _example(family, claim, example)
        case FamilyUnknown(reason, decides):
            yield f"{reason}; what would decide it: {decides}"
        case Vacuous(reason):
            yield f"{reason}: there is nothing to prove"


def _pattern_or_move(family: Family, claim: FamilyClaim, move: object) -> str:
    if claim.name is FamilyClaimName.WELL_POSED:
        return pattern_text(family, move)  # type: ignore[arg-type]
    return move_text(family, move, claim.scope)  # type: ignore[arg-type]


def assumed(family: Family, claim: FamilyClaim) -> tuple[str, ...]:
    """What the space of the claim holds beside domains and consistency rules."""
    found = [f"{each.label} has its value" for each in family.parameters if each.value is not None]
    if claim.planned:
        found.append("the plan of the winner")
    if claim.name in (FamilyClaimName.MISALIGNED, FamilyClaimName.MIXED):
        found.append("at face value all other candidates are legal, and at most one candidate is eligible")
    if claim.name is FamilyClaimName.MIXED and claim.scope is Scope.WINNER:
        found.append(
            "where nobody is eligible at face value, somebody fails there only what the omitted value enters, "
            "and somebody only what the silent role enters"
        )
    if claim.name is FamilyClaimName.MIXED and claim.scope is Scope.NO_WINNER:
        found.append("somebody fails only what the omitted value enters, and somebody only what the silent role enters")
    return tuple(found)


def follows(claim: FamilyClaim) -> str:
    """What follows for a build."""
    match claim.verdict:
        case FamilyProved():
            return "it holds in every group in its scope and need not be decided again"
        case _ if claim.required:
            return "the specification is rejected"
        case Vacuous():
            return "no group has it"
        case _:
            return "it is decided in each group"


def _example(family: Family, claim: FamilyClaim, example: Counterexample) -> Iterator[str]:
    """The facts that show it, one a line: thresholds, cells that enter, the reply, the cells that do not matter."""
    yield from parameter_lines(family, example.instance.parameters)
    there = [slot for slot in example.about if _exists(family, example, slot)]
    for slot in there:
        yield f"{cell_text(family, slot)}: {value_text(example.instance.cells[Cell(0, *slot)], family.domains[slot])}"
    for slot, known in example.reply.items():
        if _exists(family, example, slot):
            yield f"the reply on {cell_text(family, slot)}: {_knowledge_text(known, family.domains[slot])}"
    alike = claim.scope is Scope.NO_WINNER or claim.name is FamilyClaimName.LIFTS
    if alike and example.instance.cells:
        failed = failed_conditions(family, example.instance.candidate(0), example.instance.parameters)
        yield f"every candidate fails {listing_text(list(failed))}"
    if claim.name is not FamilyClaimName.MISALIGNED and not example.reply:
        yield from _stays(family, claim, [slot for slot in example.stays if _exists(family, example, slot)])


def _stays(family: Family, claim: FamilyClaim, slots: list[Slot]) -> Iterator[str]:
    named = dict.fromkeys(attribute_text(family.attribute_by_id[slot.attribute], slot.context) for slot in slots)
    if named:
        told = listing_text(list(named)) if len(named) <= MOST_NAMED else f"the {len(named)} other attributes"
        stays = "the answer stays" if claim.scope is Scope.WINNER else "nobody becomes eligible"
        yield f"whatever is told of {told}, {stays}"


def parameter_lines(family: Family, values: Mapping[str, Value]) -> Iterator[str]:
    """Each open threshold with its value."""
    for each in family.parameters:
        if each.value is None and each.id in values:
            yield f"{each.label}: {value_text(values[each.id], each.domain)}"


def _exists(family: Family, example: Counterexample, slot: Slot) -> bool:
    """Whether the cell is not that of a member whom the candidate does not have."""
    group = family.attribute_by_id[slot.attribute].group
    size = None if group is None else family.group_by_id[group].size_attribute
    if size is None:
        return True
    found = example.instance.cells[Cell(0, size, 0, family.attribute_by_id[size].required)]
    return isinstance(found, int) and slot.member <= found


def _knowledge_text(known: Knowledge, domain: Domain) -> str:
    match known:
        case Exact(value):
            return value_text(value, domain)
        case Between(low, high):
            return f"from {value_text(low, domain)} to {value_text(high, domain)}"
        case OneOf(values):
            return listing_text([value_text(value, domain) for value in values], "or")
        case Nothing():
            return "not stated"
