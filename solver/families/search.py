"""The counterexample-guided search: cases that no move covers, and for each the first move that does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from unco.solver.families.compiled import Compiled
from unco.solver.families.completion import Completion, complete
from unco.solver.families.moves import Moves
from unco.solver.families.moving import changes_answer, values_of
from unco.solver.families.question import Case, Question
from unco.solver.families.sampling import as_case, require_agreement
from unco.solver.families.space import FamilySpace, GaveUp
from unco.specs.errors import InconsistencyError
from unco.specs.family_proof import Move

MOST_MOVES = 60
"""How many moves a proof may have."""


@dataclass(frozen=True)
class Search:
    """How a question is decided: Z3 resource units for each call, the solver's seed, the most moves."""

    rlimit: int
    seed: int = 0
    most_moves: int = MOST_MOVES


@dataclass(frozen=True)
class Covered:
    """Every case has another answer after one of the moves."""

    moves: tuple[Move, ...]
    rlimit: int
    logic: str


@dataclass(frozen=True)
class Closed:
    """A case of which every completion has the same answer."""

    case: Case
    rlimit: int
    logic: str


@dataclass(frozen=True)
class Nothing:
    """There is no case at all."""

    rlimit: int
    logic: str


@dataclass(frozen=True)
class Undecided:
    """Not decided: what the search has seen before it gave up."""

    reason: str
    decides: str
    rlimit: int
    logic: str


Found: TypeAlias = Covered | Closed | Nothing | Undecided
MORE_BUDGET = "a larger budget (--rlimit)"


def decide(question: Question, compiled: Compiled, search: Search, known: Case | None = None) -> Found:
    """Covered iff every case of the question has a completion with another answer; Closed with one that has none.

    A case that is known is looked at first, if it is one of the question's: no solver is asked for it.
    """
    space, moves = FamilySpace(question, compiled, search.rlimit, search.seed), Moves(question)
    used = 0
    seen: list[Case] = []
    left = None if known is None else as_case(question, known)
    while True:
        case = left or space.next_case()
        match case:
            case None if space.moves:
                require_agreement(space, seen)
                return Covered(tuple(space.moves), used + space.used, space.logic())
            case None:
                return Nothing(space.used, space.logic())
            case GaveUp(reason):
                return Undecided(reason, MORE_BUDGET, used + space.used, space.logic())
        if len(space.moves) == search.most_moves:
            reason = f"no end after {search.most_moves} moves"
            return Undecided(reason, "each instance by itself, or a narrower plan", used + space.used, space.logic())
        move = _first(question, moves, case)
        if move is None and question.face is None:
            found, spent = complete(question, case, compiled, search.rlimit, search.seed)
            used += spent
            if isinstance(found, GaveUp):
                return Undecided(found.reason, MORE_BUDGET, used + space.used, space.logic())
            move = None if found is None else _towards(question, moves, case, found)
        if move is None:
            return Closed(case, used + space.used, space.logic())
        seen.append(case)
        space.refuse(move)
        left = _left(space, case, move)


def _left(space: FamilySpace, case: Case, move: Move) -> Case | None:
    """What the move makes of the case, where that is a case which no move so far covers: no solver is asked for it."""
    changes = values_of(space.family, case, move)
    after = None if changes is None else as_case(space.question, replace(case, cells={**case.cells, **changes}))
    if after is None or any(changes_answer(space.question, after, each) for each in space.moves):
        return None
    return after


def _first(question: Question, moves: Moves, case: Case) -> Move | None:
    """The first move that covers the case; at face value, the one that there is."""
    if question.face is None:
        return moves.first(case)
    return question.face if changes_answer(question, case, question.face) else None


def _towards(question: Question, moves: Moves, case: Case, found: Completion) -> Move:
    move = moves.towards(case, found.cells)
    if not changes_answer(question, case, move):
        raise InconsistencyError(f"the move does not change the answer of the case that it was made for: {move}")
    return move
