"""Witnesses and counterexamples of claims, in the author's own terms."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from unco.solver.judge import failed_conditions
from unco.specs.expression import Expression, references
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Instance, NoWinner, Outcome, SeveralEligible, Winner
from unco.specs.verdict import Claim, ClaimName, Refuted, Unknown
from unco.specs.wording import amount_text, attribute_text, listing_text, value_text


def outcome_text(family: Family, outcome: Outcome, names: tuple[str, ...]) -> str:
    """An outcome in the words of the task: `Appoint, Marcus Vance, 60,000 AUD`."""
    match outcome:
        case Winner(candidate, result):
            amount = amount_text(Fraction(result), family.calculation.unit, family.calculation.places)
            return f"{family.decision.positive}, {names[candidate]}, {amount}"
        case NoWinner():
            return family.decision.negative
        case SeveralEligible(candidates):
            return f"{listing_text([names[number] for number in candidates])} are all eligible"


def example(family: Family, group: CandidateGroup, claim: Claim) -> str:
    """What shows that the claim holds, or fails; empty where there is nothing to show."""
    verdict = claim.verdict
    if isinstance(verdict, Unknown):
        return verdict.reason
    if isinstance(verdict, Refuted) and claim.name is ClaimName.NECESSARY:
        return _unnecessary(family, group, claim.subject)
    if verdict.witness is None:
        return verdict.because
    changes = listing_text(
        [
            _change(family, group.instance, cell, value_text(value, family.domains[cell.slot]))
            for cell, value in verdict.witness.changes.items()
        ]
    )
    return f"with {changes}: {outcome_text(family, verdict.witness.outcome, group.instance.names)}"


def _change(family: Family, instance: Instance, cell: Cell, value: str) -> str:
    old = value_text(instance.cells[cell], family.domains[cell.slot])
    return f"{_fact(family, instance, cell)} {value} in place of {old}"


def _fact(family: Family, instance: Instance, cell: Cell) -> str:
    attribute = family.attribute_by_id[cell.attribute]
    member = f" {cell.member}" if cell.member else ""
    return f"{instance.names[cell.candidate]}'s {attribute_text(attribute, cell.context)}{member}"


def _unnecessary(family: Family, group: CandidateGroup, role: str) -> str:
    """The answer that stays, and the facts of other roles that settle the rules which the role's facts enter."""
    name = next(each.name for each in family.roles if each.id == role)
    answer = outcome_text(family, group.outcome, group.instance.names)
    lines = [f"the evidence of {name} is not necessary here: whatever it says, the answer is {answer}"]
    return "\n".join([*lines, *_settled(family, group, role)])


def _settled(family: Family, group: CandidateGroup, role: str) -> Iterator[str]:
    owned = {attribute.id for attribute in family.owned(role)}
    for rule in family.conditions:
        if owned & _names(rule.expression):
            yield from _facts_beside(family, group, rule.id, rule.expression, owned)
    if owned & _names(family.calculation.expression):
        if isinstance(group.outcome, NoWinner):
            yield f"{family.calculation.label}: nobody is eligible, so there is no result"
        else:
            yield from _facts_beside(family, group, family.calculation.label, family.calculation.expression, owned)


def _facts_beside(
    family: Family, group: CandidateGroup, rule: str, expression: Expression, owned: set[str]
) -> Iterator[str]:
    """What else enters the rule, candidate by candidate, and which other conditions fail."""
    others = [reference for reference in references(expression) if reference.attribute not in owned]
    candidates = range(family.candidates) if not isinstance(group.outcome, Winner) else [group.outcome.candidate]
    for number in candidates:
        values = group.instance.candidate(number)
        facts = [
            f"{attribute_text(family.attribute_by_id[cell.attribute], cell.context)} "
            + value_text(group.instance.cells[cell], family.domains[cell.slot])
            for cell in group.instance.cells
            if cell.candidate == number
            and (cell.attribute, cell.context) in {(each.attribute, each.context) for each in others}
        ]
        failed = [name for name in failed_conditions(family, values, group.instance.parameters) if name != rule]
        if failed:
            facts = [f"fails {listing_text(failed)} anyhow"]
        yield f"{rule}: {group.instance.names[number]}: {listing_text(facts) if facts else 'nothing else enters it'}"


def _names(expression: Expression) -> set[str]:
    return {reference.attribute for reference in references(expression)}
