"""Checks of the queries and moves about whole families, held against looking at every case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import islice, product
from typing import Any

from tests.families import all_cases, is_open
from tests.mutation.bare import bare
from tests.mutation.fate import Check
from tests.mutation.query_families import families
from unco.solver.families.asked import Asked
from unco.solver.families.compiled import Compiled
from unco.solver.families.completion import complete
from unco.solver.families.moves import Moves
from unco.solver.families.moving import (
    as_planned,
    changes_answer,
    face_fault,
    flips,
    holds,
    loses_beside,
    touched_conditions,
    value_of,
    values_of,
)
from unco.solver.families.question import Case, Question
from unco.solver.families.replies import Reply, at_face_value, replies
from unco.solver.families.sampling import as_case, disagreements, sampled
from unco.solver.families.search import Closed, Covered, Nothing, Search
from unco.solver.families.space import FamilySpace
from unco.solver.families.terms import constant, reference, terms_of
from unco.solver.families.values_everywhere import one_outcome
from unco.solver.judge import candidate_violations, failed_conditions
from unco.specs.domains import NumberDomain, values
from unco.specs.expression import Apply, Constant, Expression
from unco.specs.family import Family, Slot
from unco.specs.family_proof import Move

SEARCH = Search(3_000_000)

# Questions -----------------------------------------------------------------------------------------------------------


@cache
def told(name: str) -> tuple[Reply, ...]:
    """The coarse replies about a family."""
    family = families()[name]
    return tuple(reply for each in family.attributes for reply in replies(family, each))


@cache
def questions(name: str) -> tuple[Question, ...]:
    """One of each kind, while nothing is broken."""
    family = families()[name]
    asked = Asked(family, SEARCH)
    found = [
        asked.question(asked.hidden_with(role.id), winner=winner) for role in family.roles for winner in (True, False)
    ]
    found += [reply.question for reply in told(name)]
    for attribute in family.attributes:
        faces = [at_face_value(family, attribute, context) for context, _ in attribute.contexts[1:]]
        found += [face for face in faces if face is not None]
    found.append(asked.question((), winner=True))
    return tuple(found)


@cache
def cases(question: Question) -> tuple[Case, ...]:
    """All cases of a question, or the first many."""
    return tuple(islice(all_cases(question), 400))


@cache
def openness(question: Question) -> tuple[bool, ...]:
    """Of some cases, whether they have another answer, by looking at every completion."""
    return tuple(is_open(question, case) for case in spread(cases(question), 8))


def spread(items: tuple[Any, ...], most: int) -> tuple[Any, ...]:
    """Some of the items, far apart."""
    return items[:: max(1, len(items) // most)]


@cache
def verdicts(question: Question) -> object:
    """What looking at every case says of a question: None where that would take too long."""
    every = cases(question)
    if len(every) == 400 or question.face is not None:
        return None
    if not every:
        return Nothing
    return Covered if all(is_open(question, case) for case in every) else Closed


def decided(name: str, number: int) -> object:
    """The question is answered as looking at every case says."""
    question = questions(name)[number]
    found = Asked(families()[name], SEARCH).decide(question)
    expected = verdicts(question)
    assert expected is None or type(found) is expected
    return bare(found)


def completed(name: str, number: int) -> None:
    """One case is open exactly where some completion has another answer."""
    question = questions(name)[number]
    compiled = Compiled(families()[name])
    for case, is_so in zip(spread(cases(question), 8), openness(question), strict=True):
        found, _ = complete(question, case, compiled, SEARCH.rlimit)
        assert (found is not None) == is_so


def without_asking(name: str) -> object:
    """One case of which evaluation alone shows that it is closed is so without the solver, which has its budget."""
    found, compiled = [], Compiled(families()[name])
    for question in questions(name):
        if question.face is None:
            told = [complete(question, case, compiled, SEARCH.rlimit) for case in spread(cases(question), 4)]
            few = [complete(question, case, compiled, 1)[0] for case in spread(cases(question), 4)]
            found.append([(used == 0, type(given).__name__) for (_, used), given in zip(told, few, strict=True)])
    return found


def other_beside(name: str) -> None:
    """A candidate beside counts where the question has one: he is legal, and not eligible."""
    family = families()[name]
    for case in (each for question in questions(name)[:2] for each in cases(question)[:3]):
        slots = family.slots[:4]
        spaces = [[*values(family.domains[slot]), 99][-3:] for slot in slots]
        for chosen in product(*spaces):
            other = {**case.cells, **dict(zip(slots, chosen, strict=True))}
            legal = not candidate_violations(family, 0, other, case.parameters)
            loses = legal and bool(failed_conditions(family, other, case.parameters))
            for asks, there in product((True, False), (other, None)):
                question = Question(family, True, (), beside=asks)
                expected = (loses if there else False) if asks else True
                assert loses_beside(question, replace(case, other=there)) == (expected or not asks)


def moved(name: str, number: int) -> object:
    """What moves do to cases, by the interpreter; the solver sees the same."""
    question = questions(name)[number]
    some = spread(cases(question), 6)
    space = FamilySpace(question, Compiled(question.family), SEARCH.rlimit)
    found: list[object] = []
    for move in moves_of(question):
        found.append([changes_answer(question, case, move) for case in some])
        assert not list(disagreements(space, move, some))
        assert touched_conditions(question.family, move) is not None
        found.append(bare([values_of(question.family, case, move) for case in some[:3]]))
        found.append(touched_conditions(question.family, move))
    return found


@cache
def moves_of(question: Question) -> tuple[Move, ...]:
    """Moves of one cell, or of all members of a group; odd ones too: off the step, out of the domain, undefined."""
    if question.face is not None:
        return (question.face,)
    found = [Move(((slot, term),)) for slot in question.hidden for term in terms_of(question, slot)]
    some = cases(question)
    found += islice(Moves(question)._few(some[0]), 40) if some else []
    found += [Move(((slot, odd),)) for slot in question.hidden for odd in strange(question.family, slot)]
    return tuple(dict.fromkeys(found))


def strange(family: Family, slot: Slot) -> list[Expression]:
    """Terms that have no value in the domain, or none at all."""
    cell, domain = reference(family, slot), family.domains[slot]
    if not isinstance(domain, NumberDomain):
        return []
    zero = Apply("-", (cell, cell), cell.type)
    half = Apply("/", (cell, constant(family, Slot("fee", 0, "this"), 2)), cell.type)
    nought = Apply("/", (cell, Constant(0, cell.type)), cell.type)
    return [half, Apply("+", (cell, cell), cell.type), zero, Apply("/", (cell, zero), cell.type), nought]


def seen(name: str, number: int) -> object:
    """Cases and changes of them, by the interpreter: in the space or not, as planned or not, another answer or not."""
    question = questions(name)[number]
    family, found = question.family, []
    for case in spread(cases(question), 3):
        found.append(bare((as_planned(question, case), face_fault(question, case), as_case(question, case))))
        found.append(bare(list(sampled(question, [case]))))
        for slot in question.slots:
            for value in values(family.domains[slot]):
                other = Case({**case.cells, slot: value}, case.parameters, case.result)
                found.append(bare(as_case(question, other)))
                found.append(as_planned(question, other))
                if slot in question.hidden:
                    found.append(flips(question, case, {slot: value}))
        found.append([holds(rule, case.cells, case.parameters) for rule in (*question.assumed, *question.known)])
    return found


def off_space(name: str) -> object:
    """Cases whose cells are out of the domain or have no value, and their faults."""
    family, found = families()[name], []
    for question in questions(name):
        for case in cases(question)[:1]:
            for slot in question.slots[:3]:
                for value in (99, -1):
                    if not isinstance(family.domains[slot], NumberDomain):
                        continue
                    other = Case({**case.cells, slot: value}, case.parameters, case.result)
                    found.append(bare((as_case(question, other), face_fault(question, other))))
                    found.append(flips(question, case, {slot: value}))
    return found


def taken(name: str) -> object:
    """The value of a term as a cell holds it."""
    family, found = families()[name], []
    question = questions(name)[0]
    for case in cases(question)[:2]:
        for slot in family.slots:
            for term in (*terms_of(Question(family, True, (slot,)), slot), *strange(family, slot)):
                found.append(value_of(family, slot, term, case))
    return found


def next_cases(name: str, number: int) -> object:
    """Cases that the moves so far do not cover, until there are none; each is one that was not covered."""
    question = questions(name)[number]
    space, found = FamilySpace(question, Compiled(question.family), SEARCH.rlimit), []
    every = [bare(case.cells) for case in cases(question)]
    for move in (*moves_of(question)[:4], None):
        case = space.next_case()
        if case is None:
            found.append("none")
            break
        assert isinstance(case, Case)
        assert bare(case.cells) in every or len(every) == 400
        found.append(bare(case))
        if move is not None:
            space.refuse(move)
    left = [c for c in cases(question) if not any(changes_answer(question, c, move) for move in space.moves)]
    assert (space.next_case() is None) == (not left) or len(every) == 400
    return found, space.logic()


def without_budget(name: str) -> object:
    """Nothing is claimed where the solver gives up."""
    found: list[object] = []
    for question in questions(name)[::3]:
        found.append(bare(Asked(families()[name], Search(1)).decide(question)))
        found.append(bare(Asked(families()[name], Search(SEARCH.rlimit, 0, 1)).decide(question)))
    asked = Asked(families()[name], Search(1))
    return found, bare(asked.winners.posed()), bare(asked.losers.posed()), bare(one_outcome(asked))


# All of them ---------------------------------------------------------------------------------------------------------


def family_checks() -> list[Check]:
    """The checks about questions and moves."""
    found: list[tuple[str, Callable[[], object]]] = []
    for name in families():
        found += [(f"taken {name}", partial(taken, name)), (f"off space {name}", partial(off_space, name))]
        for number, question in enumerate(questions(name)):
            found += [(f"seen {name} {number}", partial(seen, name, number))]
            found += [(f"moved {name} {number}", partial(moved, name, number))]
            if question.face is None:
                found += [(f"completed {name} {number}", partial(completed, name, number))]
            found += [(f"next {name} {number}", partial(next_cases, name, number))]
            found += [(f"decided {name} {number}", partial(decided, name, number))]
        found.append((f"no budget {name}", partial(without_budget, name)))
        found.append((f"no asking {name}", partial(without_asking, name)))
        found.append((f"beside {name}", partial(other_beside, name)))
    return [Check(name, answer) for name, answer in found]
