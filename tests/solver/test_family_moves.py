"""Moves and family queries: both twins see the same, and a fault in either is found out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any, TypeVar

import pytest
from families import all_cases, is_open
from small_families import family as family_of
from small_families import specification

from unco.solver.families import flipping, moving, posing, replies, space
from unco.solver.families.asked import Asked
from unco.solver.families.compiled import Compiled
from unco.solver.families.moves import Moves
from unco.solver.families.posing import Posed, Poser
from unco.solver.families.question import Case, Question
from unco.solver.families.replies import Form, at_face_value
from unco.solver.families.sampling import disagreements
from unco.solver.families.search import Closed, Covered, Nothing, Search
from unco.solver.families.space import FamilySpace
from unco.solver.families.terms import constant, reference, terms_of
from unco.specs.errors import InconsistencyError
from unco.specs.expression import Apply, Expression
from unco.specs.family import Family, Slot
from unco.specs.family_proof import Move
from unco.specs.values import BOOLEAN, NUMBER

SEARCH = Search(3_000_000)
Item = TypeVar("Item")


@cache
def rich() -> Family:
    """A threshold, a consistency rule, a group of members and a second context: each matters to some question below."""
    sections = specification().dump()
    return family_of(
        specification(
            groups={"member": {"label": "member", "size": "size", "maximum": 2}},
            parameters={"pass": {"label": "pass mark", "type": "count", "range": [1, 3]}},
            attributes=sections["attributes"]
            | {
                "size": {"label": "size", "owner": "office", "type": "count", "range": [1, 2]},
                "age": {"label": "age", "owner": "office", "type": "count", "range": [0, 2], "per": "member"},
            },
            consistency={"close": "fee <= score + 1"},
            conditions={
                "good": "score >= pass",
                "licensed": "licence or any(member, age == 1)",
                "cheap": "fee <= 2",
            },
            calculation=sections["calculation"] | {"formula": "fee + size"},
            limits=sections["limits"] | {"conditions": [1, 5]},
        )
    )


def questions(family: Family) -> list[Question]:
    """One of each kind."""
    asked = Asked(family, SEARCH)
    found = [
        asked.question(asked.hidden_with(role.id), winner=winner) for role in family.roles for winner in (True, False)
    ]
    for attribute in family.attributes:
        found += [reply.question for reply in replies.replies(family, attribute)]
        faces = [at_face_value(family, attribute, context) for context, _ in attribute.contexts[1:]]
        found += [face for face in faces if face is not None]
    return found


def moves_of(question: Question, case: Case) -> list[Move]:
    """Moves of one cell, or of all members of a group; odd ones too: off the step, out of the domain, undefined."""
    if question.face is not None:
        return [question.face]
    family = question.family
    found = [move for slot in question.hidden for move in single(question, slot)]
    case = next(iter(all_cases(question)))
    return [
        *found,
        *Moves(question)._few(case),
        *(Move(((slot, odd),)) for slot in question.hidden for odd in strange(family, slot)),
    ]


def single(question: Question, slot: Slot) -> list[Move]:
    return [Move(((slot, term),)) for term in terms_of(question, slot)]


def strange(family: Family, slot: Slot) -> list[Expression]:
    """Terms that have no value in the domain, or none at all."""
    cell = reference(family, slot)
    if not isinstance(cell.type, type(NUMBER)):
        return []
    half = Apply("/", (cell, constant(family, Slot("fee", 0, "this"), 2)), cell.type)
    beyond = Apply("+", (cell, cell), cell.type)
    undefined = Apply("/", (cell, Apply("-", (cell, cell), cell.type)), cell.type)
    return [half, beyond, undefined]


@cache
def samples() -> list[tuple[Question, list[Case], list[Move]]]:
    """Every question, with some of its cases and moves, as they are before anything is broken."""
    asked = questions(rich())
    cases = [spread(list(islice(all_cases(question), 500))) for question in asked]
    return [(question, some, moves_of(question, some[0])) for question, some in zip(asked, cases, strict=True) if some]


def differences() -> int:
    """How many cases and moves the twins see differently, over cases of every question; a raise counts as one."""
    found = 0
    for question, cases, moves in samples():
        try:
            board = FamilySpace(question, Compiled(rich()), SEARCH.rlimit)
            found += sum(len(list(disagreements(board, move, cases))) for move in moves)
        except InconsistencyError:
            found += 1
    return found


def spread(items: list[Item]) -> list[Item]:
    """Some of the items, far apart."""
    return items[:: max(1, len(items) // 5)]


def wrong_verdicts(family: Family) -> int:
    """How many questions are not answered as looking at every case says; a raise counts as one."""
    found = 0
    for question in questions(family):
        if question.face is None:
            try:
                found += is_wrong(question, Asked(family, SEARCH).decide(question))
            except InconsistencyError:
                found += 1
    return found


def is_wrong(question: Question, found: object) -> bool:
    cases = list(all_cases(question))
    match found:
        case Nothing():
            return bool(cases)
        case Covered():
            return not cases or not all(is_open(question, case) for case in cases)
        case Closed(case):
            return is_open(question, case)
        case _:
            return True


# The laws -----------------------------------------------------------------------------------------------------------


def test_both_twins_see_the_same_in_every_move() -> None:
    assert differences() == 0


def test_every_question_is_answered_as_looking_at_every_case_says() -> None:
    assert wrong_verdicts(rich()) == 0


def test_the_questions_are_of_every_kind_and_come_out_both_ways() -> None:
    family = rich()
    found = [type(Asked(family, SEARCH).decide(question)) for question in questions(family)]
    assert {Covered, Closed} <= set(found)
    forms = {reply.form for each in family.attributes for reply in replies.replies(family, each)}
    assert {Form.OMITTED, Form.INTERVAL} <= forms


def test_patterns_serve_every_value_of_the_thresholds() -> None:
    family = rich()
    poser = Poser(family, True, Compiled(family), SEARCH)
    found = poser.posed()
    assert isinstance(found, Posed)
    for value in (1, 2, 3):
        assert poser.candidate(found.patterns, {"pass": value}) is not None


# Mutants: each is seen by a law or by replay ------------------------------------------------------------------------


def always(value: object) -> Callable[..., Any]:
    return lambda *_, **__: value


def without_first(function: Callable[..., Any]) -> Callable[..., Any]:
    """The list that a function gives, without its first item."""
    return lambda *given, **named: list(function(*given, **named))[1:]


MUTANTS: dict[str, tuple[object, str, Callable[..., Any]]] = {
    "terms may leave the domain, for the solver": (space, "within", always(True)),
    "terms may leave the domain, for the interpreter": (moving, "stays_legal", always(True)),
    "members who do not exist may hold anything": (Compiled, "_idle", always(True)),
    "consistency rules are not looked at": (Compiled, "consistency", always([])),
    "the first consistency rule is not looked at": (Compiled, "consistency", without_first(Compiled.consistency)),
    "no condition is touched": (flipping, "_flipped", always(False)),
    "every move flips": (flipping, "_flipped", always(True)),
    "results never differ": (Compiled, "same", always(True)),
    "the interpreter sees no failed condition": (moving, "failed_conditions", always(())),
    "the interpreter sees every result as the same": (moving, "result", always(0)),
    "what is known is not looked at": (moving, "holds", always(True)),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_in_a_move_or_a_query_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, attribute, mutant = MUTANTS[name]
    samples()
    monkeypatch.setattr(place, attribute, mutant)
    assert differences() > 0


def raised(family: Family) -> list[str]:
    """What is raised while the questions of a family are decided."""
    found = []
    for question in questions(family):
        try:
            Asked(family, SEARCH).decide(question)
        except InconsistencyError as error:
            found.append(str(error))
    return found


def test_a_move_that_covers_too_much_is_seen_while_proving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flipping, "_flipped", always(True))
    assert any("does not replay" in each or "disagree" in each for each in raised(rich()))


def test_a_move_that_covers_too_little_is_seen_by_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flipping, "_flipped", always(False))
    assert any("was covered" in each for each in raised(rich()))


def test_a_case_that_is_not_legal_is_seen_by_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Apply("not", (rich().consistency[0].expression,), BOOLEAN)
    question = Question(rich(), False, (), (broken,))
    assert isinstance(Asked(rich(), SEARCH).decide(question), Nothing)
    monkeypatch.setattr(Compiled, "consistency", always([]))
    with pytest.raises(InconsistencyError, match="not legal"):
        Asked(rich(), SEARCH).decide(question)


def test_a_pattern_that_serves_too_little_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    family = rich()
    poser = Poser(family, True, Compiled(family), SEARCH)
    monkeypatch.setattr(posing, "within", always(False))
    with pytest.raises(InconsistencyError, match="served by a pattern"):
        poser.posed()


def test_a_move_that_does_not_change_its_own_case_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(rich(), SEARCH)
    question = asked.question(asked.hidden_with("office"), winner=True)
    monkeypatch.setattr(Moves, "first", always(None))
    monkeypatch.setattr(Moves, "towards", lambda *_: Move(()))
    with pytest.raises(InconsistencyError, match="does not change the answer"):
        asked.decide(question)
