"""A wrong move in a proof is caught: the proof falls, or the twins are found to disagree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from tests.families import is_open
from tests.mutation.family_checks import SEARCH, cases, questions
from tests.mutation.query_families import families
from unco.solver.families.asked import Asked
from unco.solver.families.compiled import Compiled
from unco.solver.families.moving import changes_answer
from unco.solver.families.question import Question
from unco.solver.families.search import Covered
from unco.solver.families.space import FamilySpace
from unco.solver.families.terms import terms_of
from unco.specs.domains import NumberDomain
from unco.specs.errors import InconsistencyError
from unco.specs.expression import Apply, Constant, Expression
from unco.specs.family import Slot
from unco.specs.family_proof import Move
from unco.specs.values import NumberType

NAMES = ("plain", "measured")


@cache
def proofs(name: str) -> tuple[tuple[Question, tuple[Move, ...]], ...]:
    """The questions of a family that moves prove, and the moves."""
    asked = Asked(families()[name], SEARCH)
    found = [(each, asked.decide(each)) for each in questions(name)]
    return tuple((each, verdict.moves) for each, verdict in found if isinstance(verdict, Covered))


def wrong(question: Question, move: Move) -> Iterator[Move]:
    """The move with another term, one step more or less, another slot of the same domain, or a change left out."""
    for place, (slot, term) in enumerate(move.changes):
        before, after = move.changes[:place], move.changes[place + 1 :]
        for other in (*terms_of(question, slot)[:4], *_steps(question, slot, term)):
            if other != term:
                yield Move((*before, (slot, other), *after))
        domains = question.family.domains
        for beside in question.family.slots:
            if beside != slot and domains[beside] == domains[slot]:
                yield Move((*before, (beside, term), *after))
        yield Move((*before, *after))


def _steps(question: Question, slot: Slot, term: Expression) -> Iterator[Expression]:
    domain = question.family.domains[slot]
    if isinstance(domain, NumberDomain):
        step = Constant(domain.step * domain.unit.scale, NumberType(domain.unit))
        yield from (Apply(sign, (term, step), domain.type) for sign in ("+", "-"))


@pytest.mark.parametrize("name", NAMES)
def test_a_proof_with_a_wrong_move_falls_unless_its_moves_still_cover_every_case(name: str) -> None:
    fallen = 0
    for question, moves in proofs(name):
        compiled = Compiled(question.family)
        for place, move in enumerate(moves):
            for other in wrong(question, move):
                changed = (*moves[:place], other, *moves[place + 1 :])
                space = FamilySpace(question, compiled, SEARCH.rlimit)
                for each in changed:
                    space.refuse(each)
                covered = all(any(changes_answer(question, case, each) for each in changed) for case in cases(question))
                assert (space.next_case() is None) == covered
                fallen += not covered
    assert fallen > 20


@pytest.mark.parametrize("name", NAMES)
def test_a_move_that_the_solver_takes_for_another_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver is asked about another move than that of the proof: seen, or the verdict is right all the same."""
    seen = 0
    for question, moves in proofs(name):
        if question.face is not None:
            continue
        open_throughout = all(is_open(question, case) for case in cases(question))
        for other in wrong(question, moves[0]):
            taken = {moves[0]: other}
            with monkeypatch.context() as patch:
                covers = FamilySpace._covers
                patch.setattr(FamilySpace, "_covers", lambda space, move: covers(space, taken.get(move, move)))  # noqa: B023
                try:
                    found = Asked(families()[name], SEARCH).decide(question)
                except InconsistencyError:
                    seen += 1
                    continue
            assert isinstance(found, Covered) == open_throughout
    assert seen > 10
