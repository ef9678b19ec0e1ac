"""Checks of what evaluation, a proof or one solver settles: rules throughout, closed evidence, ground ones, Mixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import islice, product
from random import Random

import z3

from tests.families import changes, parameter_values, some_loser
from tests.mutation.bare import bare
from tests.mutation.claim_checks import _replies
from tests.mutation.family_checks import SEARCH, cases, questions, spread
from tests.mutation.fate import Check
from tests.mutation.instance_checks import WHOLE, chosen, evidences, near, outcomes
from tests.mutation.query_families import beside, crowded, divided, families, ruled
from tests.small_families import instance_of
from unco.solver.closed import closed, untouched
from unco.solver.families.asked import Asked
from unco.solver.families.compiled import Compiled
from unco.solver.families.mixed import Mixing, Part, lifting
from unco.solver.families.moves import Moves
from unco.solver.families.moving import as_planned, changes_answer, flips, holds
from unco.solver.families.question import Case, Question
from unco.solver.families.sampling import as_case
from unco.solver.families.space import FamilySpace
from unco.solver.families.terms import constant
from unco.solver.family import FamilyOptions, prove_claims
from unco.solver.from_proof import FromProof
from unco.solver.ground import Ground
from unco.solver.harmless import Telling
from unco.solver.interpret import interpret
from unco.solver.judge import judge, violations
from unco.solver.throughout import MOST_VALUES, Throughout, indices
from unco.specs.domains import values
from unco.specs.errors import InconsistencyError, UsageError
from unco.specs.evidence import NOTHING, Between, Evidence, Exact, OneOf, agrees, full
from unco.specs.expression import references
from unco.specs.family import Cell, Slot
from unco.specs.family_proof import FamilyProof, Move, Scope
from unco.specs.group import Incomplete
from unco.specs.instance import Instance, NoWinner, Outcome, SeveralEligible, Winner
from unco.specs.values import Value
from unco.specs.verdict import Proved

# Throughout ----------------------------------------------------------------------------------------------------------


@cache
def drawn(number: int) -> tuple[tuple[dict[Slot, Value], dict[Slot, Sequence[int]], frozenset[Value]], ...]:
    """Cells, coarse knowledge of those that a rule reads, and the values that the rule takes, by looking at each."""
    family, rng, found = ruled(), Random(f"throughout {number}"), []
    rule = family.conditions[number].expression
    read = list(dict.fromkeys(Slot(each.attribute, each.member, each.context) for each in references(rule)))
    for most in (MOST_VALUES, MOST_VALUES + 1, *[None] * 10):
        cells = {slot: domain.value(rng.randrange(domain.size)) for slot, domain in family.domains.items()}
        sizes = {slot: family.domains[slot].size for slot in read}
        if most is None:
            places = {slot: _some(size, rng) for slot, size in sizes.items() if rng.random() < 0.8}
        else:
            places = {slot: range(most) for slot, size in sizes.items() if size > most}
        every = product(*([(slot, place) for place in some] for slot, some in places.items()))
        taken = frozenset(
            interpret(rule, {**cells, **{slot: family.domains[slot].value(place) for slot, place in row}}, {})
            for row in islice(every, 2_000)
        )
        found.append((cells, places, taken))
    return tuple(found)


def _some(size: int, rng: Random) -> Sequence[int]:
    first = rng.randrange(size)
    return rng.choice((range(size), range(size), range(first, size), range(first, first + 1), range(min(2, size))))


def throughout(number: int) -> object:
    """A rule that is said to have one value throughout has no other."""
    family, found = ruled(), []
    for cells, places, taken in drawn(number):
        value = Throughout(family, cells, {}, places).value(family.conditions[number].expression)
        assert value is None or taken == {value}
        found.append((value, Throughout(family, cells, {}, places).result()))
    return found


def agreeing() -> None:
    """The indices of what is known are those of the values that agree with it."""
    for name in families():
        for domain in families()[name].domains.values():
            every = list(values(domain))
            forms = [
                NOTHING,
                Exact("nothing"),
                Exact(every[0]),
                OneOf((every[-1], every[0])),
                OneOf((every[0], "nothing")),
            ]
            if not isinstance(every[0], str | bool):
                forms += [Between(every[0], every[-1]), Between(every[1], every[-1])]
            for known in forms:
                assert list(indices(domain, known)) == [n for n, each in enumerate(every) if agrees(known, each)]


# Closed --------------------------------------------------------------------------------------------------------------


@cache
def hidden_once(name: str) -> tuple[tuple[Instance, Outcome, Evidence, bool | None], ...]:
    """Evidence without one attribute, or without the cells of one candidate too; whether it is open, by looking at all
    completions.
    """
    family, found = families()[name], []
    for instance, outcome in chosen(name):
        for slot in family.slots:
            for number in (None, 0, 1):
                gone = [c for c in family.cells if c.slot == slot and number in (None, c.candidate)]
                found.append((instance, outcome, full(instance).hiding(gone)))
    found += list(evidences(name))
    return tuple((*each, _is_open(name, *each[1:]) if name in WHOLE else None) for each in found)


def _is_open(name: str, outcome: Outcome, evidence: Evidence) -> bool:
    return any(
        other != outcome
        and not isinstance(other, SeveralEligible)
        and all(each.parameters[known] == value for known, value in evidence.parameters.items())
        and all(agrees(known, each.cells[cell]) for cell, known in evidence.known.items())
        for each, other in outcomes(name)
    )


def shut(name: str) -> object:
    """What evaluation calls closed is not open."""
    family, found = families()[name], []
    for instance, outcome, evidence, opens in hidden_once(name):
        told = untouched(family, instance, evidence, outcome), closed(family, instance, evidence, outcome)
        assert not (opens and any(told))
        found.append(told)
    return found


def without_a_value() -> object:
    """Where a rule has no value at some coarse one, nothing is claimed: the fee by the score, which may be zero."""
    family, found = divided(formula="fee + fee", condition="fee / score >= 0 EUR per month", operation="sum"), []
    for row in ((1, True, 1), (2, False, 3)):
        instance = instance_of(family, row, (*row[:2], 2), **{"pass": 1, "least": 1})
        for known in (NOTHING, Between(0, 2), Between(1, 2)):
            coarse = {slot: known for slot in family.slots if slot.attribute == "score"}
            told = Telling(family, instance, 0).same_throughout(coarse)
            evidence = full(instance).with_knowledge({Cell(n, *slot): known for n in (0, 1) for slot in coarse})
            shown = [closed(family, instance, evidence, each) for each in (Winner(0, 2), Winner(0, 6), NoWinner())]
            assert not told or known == Between(1, 2)
            nobody = {slot: family.domains[slot].value(0) for slot in family.slots}
            assert not holds(family.conditions[0].expression, nobody, instance.parameters)
            found.append((told, shown))
    return found


def ground(name: str) -> object:
    """The encoding of a whole instance is true of its outcome alone, and of a change exactly where looking finds it."""
    family, found = families()[name], []
    evaluated = Ground(family)
    for instance, outcome in chosen(name):
        known = evaluated.at(instance)
        several = isinstance(outcome, SeveralEligible)
        assert known.has(outcome) is not several
        assert not any(known.has(other) for other in near(outcome) if other != outcome)
        for cell in family.cells:
            for place in range(family.domains[cell.slot].size):
                changes = {cell: family.domains[cell.slot].value(place)}
                other = instance.changed(changes)
                stands = not violations(family, other) and not isinstance(judge(family, other), SeveralEligible)
                assert known.has_another(changes, outcome) is (stands and judge(family, other) != outcome)
        assert known.has(outcome) is not several
        found.append(several)
    return found


# The proof of the family ---------------------------------------------------------------------------------------------


@cache
def proof(name: str) -> FamilyProof:
    return prove_claims(families()[name], FamilyOptions(SEARCH.rlimit))


def proved_before(name: str) -> object:
    """What the proof settles of single groups; each witness is another answer."""
    family, found = families()[name], []
    several = [each for each in outcomes(name)[:40] if isinstance(each[1], Winner)]
    for instance, outcome in (*chosen(name), *several):
        if isinstance(outcome, SeveralEligible):
            continue
        shown = FromProof(family, proof(name), instance, outcome)
        found.append(shown.outside)
        verdicts = [claim(role.id) for role in family.roles for claim in (shown.necessity, shown.no_oracle)]
        for attribute in family.attributes:
            cells = [c for c in family.cells if c.attribute == attribute.id and c.context == attribute.required]
            verdicts += [shown.incomplete(Incomplete(attribute.id, each)) for each in _replies(family, instance, cells)]
        for verdict in filter(None, verdicts):
            assert _is_witness(name, instance, outcome, verdict)
        found.append(bare(verdicts))
        moved = Instance(instance.cells, {each.id: each.domain.value(0) for each in family.parameters}, instance.names)
        found.append(FromProof(family, proof(name), moved, outcome).outside)
    return found


def _is_witness(name: str, instance: Instance, outcome: Outcome, verdict: Proved) -> bool:
    if verdict.witness is None:
        return False
    after = instance.changed(verdict.witness.changes)
    return not violations(families()[name], after) and judge(families()[name], after) not in (outcome,)


def of_another() -> str:
    """The proof of another family is refused."""
    instance, outcome = chosen("plain")[0]
    try:
        return str(FromProof(families()["plain"], proof("planned"), instance, outcome))
    except UsageError as error:
        return str(error)


# Mixed and moves -----------------------------------------------------------------------------------------------------


def mixing(name: str) -> object:
    """What may be omitted and who may be silent beside a misaligned reply, and whom hidden cells can lift."""
    family, found = families()[name], []
    mixed = Mixing(Asked(family, SEARCH))
    for attribute, scope in product(family.attributes, Scope):
        found.append((mixed.each(attribute, scope), mixed.pairs(attribute, scope), mixed._parts(attribute, scope)))
    for role, part in product(family.roles, Part):
        question = mixed._question(mixed.asked.hidden_with(role.id), part)
        found.append(bare((question.winner, question.hidden, question.assumed)))
        found.append(bare(lifting(family, mixed.asked.hidden_with(role.id)).assumed))
    return found


@cache
def assignments(name: str, number: int) -> tuple[tuple[Case, bool], ...]:
    """Assignments of what a question is about, far apart; whether each is a case of it, by the interpreter."""
    question = questions(name)[number]
    slots, spaces = question.slots, [list(values(question.family.domains[slot])) for slot in question.slots]
    rows = spread(tuple(product(*spaces)), 25)
    lowest = {slot: domain.value(0) for slot, domain in question.family.domains.items()}
    found = []
    for given in spread(tuple(parameter_values(question.family)), 12):
        other = (some_loser(question.family, given) or lowest) if question.beside else None
        some = [Case({**lowest, **changes(slots, row)}, given, None, other) for row in rows]
        found += [(case, as_case(question, case) is not None) for case in some]
    return tuple(found)


def in_space(name: str, number: int) -> None:
    """An assignment is in the space, as terms, exactly where it is a case of the question; replay says the same."""
    question, compiled = questions(name)[number], Compiled(questions(name)[number].family)
    space = FamilySpace(question, compiled, SEARCH.rlimit)
    cases_of = z3.And(*space.cases)
    free = [each for each in question.family.parameters if each.value is None]
    for case, is_case in assignments(name, number):
        pairs = [pair for slot in question.slots for pair in compiled.variable(slot).substitution(case.cells[slot])]
        pairs += [pair for each in free for pair in compiled.parameter(each).substitution(case.parameters[each.id])]
        if case.other is not None:
            pairs += [pair for slot, each in compiled.loser.items() for pair in each.substitution(case.other[slot])]
        assert z3.is_true(z3.simplify(z3.substitute(cases_of, *pairs))) == is_case
        assert refused(partial(space._replayed, case)) is not is_case


def refused(replay: Callable[[], object]) -> bool:
    """Whether replay says that the solver is wrong."""
    try:
        replay()
    except InconsistencyError:
        return True
    return False


def several_faces() -> None:
    """A face value of two cells that no condition reads is as planned where one of them differs."""
    family = beside()
    one, other = (Slot("bonus", 0, context) for context in ("this", "last"))
    face = Move(((one, constant(family, one, 1)), (other, constant(family, other, 1))))
    question = Question(family, True, (), face=face)
    lowest = {slot: domain.value(0) for slot, domain in family.domains.items()}
    for first, second in product((0, 1, 2), (1, 2)):
        case = Case({**lowest, one: first, other: second}, {"pass": 0}, None)
        assert as_planned(question, case) == ((first, second) != (1, 1))


def lifted() -> object:
    """Whom hidden cells can lift, where members have cells that no rule reads."""
    asked = Asked(crowded(), SEARCH)
    return [bare(lifting(crowded(), asked.hidden_with(role.id)).hidden) for role in crowded().roles]


@cache
def completions(name: str, number: int) -> tuple[tuple[Case, tuple[dict[Slot, Value], ...]], ...]:
    """Some cases of a question, each with its first and last completion with another answer, by looking at many."""
    question, found = questions(name)[number], []
    spaces = [list(values(question.family.domains[slot])) for slot in question.hidden]
    for case in spread(cases(question), 4):
        every = (dict(changes(question.hidden, row)) for row in islice(product(*spaces), 2_000))
        other = [each for each in every if flips(question, case, each)]
        found.append((case, tuple(other[:1] + other[-1:])))
    return tuple(found)


def found_moves(name: str, number: int) -> object:
    """The first move of a case, and those towards a completion: each gives the case another answer."""
    question, found = questions(name)[number], []
    moves = Moves(question)
    for case, some in completions(name, number):
        first = moves.first(case)
        assert first is None or changes_answer(question, case, first)
        found.append(bare(first))
        for completion in some:
            for move in (moves.towards(case, completion), moves._one_by_one(case, completion)):
                assert changes_answer(question, case, move)
                found.append(bare(move))
    return found


def settled_checks() -> list[Check]:
    """The checks of what is settled without the search."""
    found: list[tuple[str, Callable[[], object]]] = [("agreeing", agreeing), ("another proof", of_another)]
    found += [("without a value", without_a_value), ("several faces", several_faces), ("lifted", lifted)]
    found += [(f"throughout {n}", partial(throughout, n)) for n in range(len(ruled().conditions))]
    for name in families():
        found += [(f"shut {name}", partial(shut, name)), (f"ground {name}", partial(ground, name))]
        found += [(f"proved {name}", partial(proved_before, name)), (f"mixing {name}", partial(mixing, name))]
        for number, question in enumerate(questions(name)):
            found.append((f"in space {name} {number}", partial(in_space, name, number)))
            if question.face is None:
                found.append((f"moves {name} {number}", partial(found_moves, name, number)))
    return [Check(name, answer) for name, answer in found]
