"""The claims about one instance, each decided by the cheapest engine that can: evaluation, a move, the solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from unco.solver.closed import closed, untouched
from unco.solver.decide import Prover, Sat, Undecided, Unsat
from unco.solver.judge import exists, judge, violations
from unco.solver.queries import a_difference, another_answer
from unco.solver.sufficient import smallest_sufficient
from unco.solver.witness import first_move, flip_between, pair_from
from unco.specs.domains import BooleanDomain, DateDomain, NumberDomain, indices_between
from unco.specs.evidence import NOTHING, Between, Evidence, Exact, Knowledge, Nothing, OneOf, agrees, full
from unco.specs.family import Cell, Family, Parameter
from unco.specs.group import Incomplete, Misaligned, Mixed
from unco.specs.instance import Instance, Outcome, SeveralEligible
from unco.specs.values import Value
from unco.specs.verdict import Engine, Proved, Refuted, Unknown, Verdict, WitnessPair

SAME_ANSWER = "every completion has the same answer"


def legality(family: Family, instance: Instance) -> Verdict:
    """The full evidence has a completion: the instance itself is legal, with a value for every cell and parameter."""
    if set(instance.cells) != set(family.cells):
        return Refuted(Engine.EVALUATION, because="its cells are not those of the specification")
    outside = next((each for each in family.parameters if not _has_value(each, instance)), None)
    if outside is not None:
        value = instance.parameters.get(outside.id)
        return Refuted(Engine.EVALUATION, because=f"{outside.id}: {value!r} is outside the domain")
    found = violations(family, instance)
    if found:
        first = found[0]
        return Refuted(Engine.EVALUATION, because=f"{first.subject}: {first.reason}")
    return Proved(Engine.EVALUATION)


def _has_value(parameter: Parameter, instance: Instance) -> bool:
    value = instance.parameters.get(parameter.id)
    return value is not None and parameter.domain.index(value) is not None


def uniqueness(family: Family, instance: Instance, outcome: Outcome) -> Verdict:
    """Full evidence has one completion, of this outcome, with at most one eligible candidate; no promise is assumed."""
    found = judge(family, instance)
    if isinstance(found, SeveralEligible):
        names = " and ".join(instance.names[number] for number in found.candidates)
        return Refuted(Engine.EVALUATION, because=f"{names} are all eligible")
    if found != outcome:
        return Refuted(Engine.EVALUATION, because="the answer of the group is not what the rules give")
    return Proved(Engine.EVALUATION)


def openness(prover: Prover, instance: Instance, evidence: Evidence, outcome: Outcome) -> Verdict:
    """Proved iff the evidence leaves the answer open, by completions that keep the promise; with the witness pair."""
    if untouched(prover.family, instance, evidence, outcome):
        return Refuted(Engine.EVALUATION, because=SAME_ANSWER)
    pair = first_move(prover.family, instance, evidence, outcome)
    if pair is not None:
        return Proved(Engine.MOVE, witness=pair)
    if closed(prover.family, instance, evidence, outcome):
        return Refuted(Engine.EVALUATION, because=SAME_ANSWER)
    return openness_by_solver(prover, instance, evidence, outcome)


def openness_by_solver(prover: Prover, instance: Instance, evidence: Evidence, outcome: Outcome) -> Verdict:
    """The same by the solver alone."""
    decision = prover.decide(another_answer(prover.family, evidence, outcome, promise=True), instance.names)
    match decision:
        case Sat(completion, used):
            found = judge(prover.family, completion)
            return Proved(Engine.SOLVER, used, pair_from(prover.family, instance, completion, outcome, found))
        case Unsat(used):
            return Refuted(Engine.SOLVER, used, because=SAME_ANSWER)
        case Undecided(reason, used):
            return Unknown(reason, used)


def necessity(prover: Prover, instance: Instance, outcome: Outcome, role: str) -> Verdict:
    """Hiding all cells of the role, in every context, leaves the answer open."""
    return openness(prover, instance, full(instance).hiding(prover.family.cells_of(role)), outcome)


def implied_no_oracle(role: str, necessary: Mapping[str, Verdict]) -> Proved | None:
    """Proved where another role is necessary, whose cells are hidden then; None where none is."""
    for other, verdict in necessary.items():
        if other != role and isinstance(verdict, Proved):
            return Proved(Engine.IMPLIED, witness=verdict.witness, because=f"{other} is necessary")
    return None


def no_oracle(
    prover: Prover, instance: Instance, outcome: Outcome, role: str, necessary: Mapping[str, Verdict]
) -> Verdict:
    """The role's cells alone leave the answer open: implied by another necessary role."""
    implied = implied_no_oracle(role, necessary)
    return implied or openness(prover, instance, full(instance).only(prover.family.cells_of(role)), outcome)


def face_values(family: Family, instance: Instance, defect: Misaligned) -> dict[Cell, Value]:
    """The required cells of the attribute, with the magnitudes of the other context; of members that exist."""
    required = family.attribute_by_id[defect.attribute].required
    return {
        cell: instance.cells[cell._replace(context=defect.context)]
        for cell in family.cells
        if cell.attribute == defect.attribute and cell.context == required and exists(family, instance, cell)
    }


def misaligned(family: Family, instance: Instance, outcome: Outcome, defect: Misaligned) -> Verdict:
    """At face value the reply is a legal completion that keeps the promise and has another answer."""
    face = face_values(family, instance, defect)
    changes = {cell: value for cell, value in face.items() if value != instance.cells[cell]}
    read = instance.changed(changes)
    found = violations(family, read)
    if found:
        return Refuted(Engine.EVALUATION, because=f"at face value, {found[0].subject}: {found[0].reason}")
    after = judge(family, read)
    pair = WitnessPair(changes, after, flip_between(outcome, after))
    if after == outcome:
        return Refuted(Engine.EVALUATION, because="at face value the answer stays the same")
    if isinstance(after, SeveralEligible):
        return Refuted(Engine.EVALUATION, witness=pair, because="at face value several candidates are eligible")
    return Proved(Engine.EVALUATION, witness=pair)


def incomplete(prover: Prover, instance: Instance, outcome: Outcome, defect: Incomplete) -> Verdict:
    """The coarse reply is true, strictly coarser, for all candidates, and leaves the answer open."""
    because = untrue(prover.family, instance, defect)
    if because:
        return Refuted(Engine.EVALUATION, because=because)
    return openness(prover, instance, coarse_evidence(prover.family, instance, defect), outcome)


def coarse_evidence(family: Family, instance: Instance, defect: Incomplete) -> Evidence:
    """What is known where the coarse reply stands in place of the exact one."""
    said = {cell: known for cell, known in defect.coarse.items() if exists(family, instance, cell)}
    return full(instance).with_knowledge(said)


def untrue(family: Family, instance: Instance, vague: Incomplete) -> str:
    """Why coarse knowledge is not true, strictly coarser and about all candidates; empty where it is."""
    attribute = family.attribute_by_id[vague.attribute]
    asked = {cell for cell in family.cells if cell.attribute == attribute.id and cell.context == attribute.required}
    if asked != set(vague.coarse):
        return "the reply does not cover the attribute for all candidates"
    for cell, knowledge in vague.coarse.items():
        if exists(family, instance, cell) and not agrees(knowledge, instance.cells[cell]):
            return f"the reply is not true of {instance.names[cell.candidate]}"
        if exists(family, instance, cell) and not _coarser(family, cell, knowledge):
            return f"the reply is exact for {instance.names[cell.candidate]}"
    return ""


def _coarser(family: Family, cell: Cell, knowledge: Knowledge) -> bool:
    """Whether at least two values of the domain agree with what is known; a Boolean can only be omitted."""
    domain = family.domains[cell.slot]
    match knowledge:
        case Exact():
            return False
        case Nothing():
            return True
        case OneOf(values):
            known = {value for value in values if domain.index(value) is not None}
            return len(known) > 1 and not isinstance(domain, BooleanDomain)
        case Between(low, high):
            if isinstance(domain, NumberDomain | DateDomain):
                return len(indices_between(domain, low, high)) > 1
            return False


def mixed_evidence(family: Family, instance: Instance, defect: Mixed, unrepaired: frozenset[str]) -> Evidence:
    """What is known, at face value, while some of the three defects are unrepaired."""
    evidence = full(instance)
    if "misaligned" in unrepaired:
        face = face_values(family, instance, defect.misaligned)
        evidence = evidence.with_knowledge({cell: Exact(value) for cell, value in face.items()})
    for name in ("omitted", "missed"):
        if name in unrepaired:
            evidence = evidence.with_knowledge(dict.fromkeys(defect_cells(family, defect, name), NOTHING))
    return evidence


def defect_cells(family: Family, defect: Mixed, name: str) -> tuple[Cell, ...]:
    """The cells that one of the three defects touches."""
    if name == "missed":
        owned = family.cells_of(defect.missed)
        return tuple(cell for cell in family.cells if cell in owned)
    attribute = family.attribute_by_id[defect.omitted if name == "omitted" else defect.misaligned.attribute]
    return tuple(cell for cell in family.cells if cell.attribute == attribute.id and cell.context == attribute.required)


DEFECTS = ("misaligned", "omitted", "missed")
STATES = tuple(frozenset(each) for size in (0, 1, 2, 3) for each in combinations(DEFECTS, size))
"""The eight repair states, by the defects that are not repaired."""


def mixed(
    prover: Prover, instance: Instance, outcome: Outcome, defect: Mixed
) -> Iterator[tuple[frozenset[str], Verdict]]:
    """For each of the eight repair states: full repair determines gold, every other state does not, and in a state
    with two or three open defects each of them still matters; a state that fails is masked.
    """
    owners = {prover.family.attribute_by_id[name].owner for name in (defect.misaligned.attribute, defect.omitted)}
    apart = len(owners | {defect.missed}) == 3
    for state in STATES:
        if apart:
            yield state, _state(prover, instance, outcome, defect, state)
        else:
            yield state, Refuted(Engine.EVALUATION, because="the defects must be on three roles")


def _state(prover: Prover, instance: Instance, outcome: Outcome, defect: Mixed, state: frozenset[str]) -> Verdict:
    if not state:
        return uniqueness(prover.family, instance, outcome)
    if state == {"misaligned"}:
        return misaligned(prover.family, instance, outcome, defect.misaligned)
    evidence = mixed_evidence(prover.family, instance, defect, state)
    base = instance
    if "misaligned" in state:
        base = instance.changed(face_values(prover.family, instance, defect.misaligned))
        if violations(prover.family, base):
            return Refuted(Engine.EVALUATION, because="the face value is not legal")
    verdict = _not_gold(prover, base, evidence, outcome)
    if not isinstance(verdict, Proved) or verdict.witness is None:
        return verdict
    other = pair_from(prover.family, instance, base.changed(verdict.witness.changes), outcome, verdict.witness.outcome)
    found: dict[str, WitnessPair] = {}
    for name in (each for each in DEFECTS if len(state) > 1 and each in state):
        matters = _matters(prover, instance, base, evidence, defect, name)
        if not isinstance(matters, Proved) or matters.witness is None:
            return matters
        found[name] = matters.witness
    return replace(verdict, witness=other, matters=found)


def _not_gold(prover: Prover, base: Instance, evidence: Evidence, outcome: Outcome) -> Verdict:
    """Some completion that keeps the promise has another answer than gold."""
    found = judge(prover.family, base)
    if found != outcome and not isinstance(found, SeveralEligible):
        return Proved(Engine.EVALUATION, witness=WitnessPair({}, found, flip_between(outcome, found)))
    return openness(prover, base, evidence, outcome)


def _matters(
    prover: Prover, instance: Instance, base: Instance, evidence: Evidence, defect: Mixed, name: str
) -> Verdict:
    """Repairing the named defect can change the answer while the others stay as they are; with the completion before
    the repair, as changes of the instance.
    """
    family = prover.family
    cells = defect_cells(family, defect, name)
    repaired = {cell: instance.cells[cell] for cell in cells}
    after = base.changed(repaired)
    here, there = judge(family, base), judge(family, after)
    if here != there and not isinstance(here, SeveralEligible) and not isinstance(there, SeveralEligible):
        return Proved(Engine.EVALUATION, witness=pair_from(family, instance, base, there, here))
    if name != "misaligned" and not isinstance(there, SeveralEligible):
        hidden = full(after).with_knowledge({cell: evidence.of(cell) for cell in cells})
        move = first_move(family, after, hidden, there)
        if move is not None:
            before = after.changed(move.changes)
            return Proved(Engine.MOVE, witness=pair_from(family, instance, before, there, move.outcome))
    decision = prover.decide(a_difference(family, evidence, repaired), instance.names)
    match decision:
        case Sat(before, used):
            answers = judge(family, before.changed(repaired)), judge(family, before)
            return Proved(Engine.SOLVER, used, pair_from(family, instance, before, *answers))
        case Unsat(used):
            return Refuted(Engine.SOLVER, used, because=f"masked: repairing the {name} defect never matters here")
        case Undecided(reason, used):
            return Unknown(reason, used)


def sufficient(
    prover: Prover, instance: Instance, outcome: Outcome, evidence: Evidence | None = None
) -> tuple[tuple[Cell, ...], Verdict]:
    """The smallest sufficient cells of the evidence (all cells, where none is given), and how they were proved."""
    found = smallest_sufficient(prover, instance, outcome, evidence)
    if isinstance(found, Undecided):
        return (), Unknown(found.reason, found.rlimit)
    return found.cells, Proved(Engine.SOLVER, found.rlimit)
