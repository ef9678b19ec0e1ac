"""The UNSAT claims of a family proof as SMT-LIB, each built again from the claim and its moves.

What is implied by other claims has no question of its own (no lone oracle where another role is necessary, Missed,
Mixed); that an operand matters was shown by two winners, not by UNSAT.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3

from unco.solver.decide import DEFAULT_RLIMIT
from unco.solver.encode import truth
from unco.solver.families.asked import Asked
from unco.solver.families.mixed import lifting
from unco.solver.families.posing import Poser
from unco.solver.families.question import Case, Question
from unco.solver.families.replies import at_face_value, omitted, replies
from unco.solver.families.search import Search
from unco.solver.families.space import FamilySpace, GaveUp
from unco.solver.families.values_everywhere import undefined_somewhere
from unco.solver.smtlib.parts import case_parts, legal_parts
from unco.solver.smtlib.stored_query import StoredQuery
from unco.solver.smtlib.text import Terms, script, symbol
from unco.specs.errors import InconsistencyError, InfrastructureError
from unco.specs.family import Family
from unco.specs.family_proof import FamilyClaim, FamilyClaimName, FamilyProof, FamilyProved, Method, Move, Scope

BY_MOVES = frozenset({
    FamilyClaimName.NECESSARY, FamilyClaimName.NO_ORACLE, FamilyClaimName.INCOMPLETE, FamilyClaimName.MISALIGNED,
    FamilyClaimName.LIFTS,
})  # fmt: skip
SYMBOLS = (
    "|attribute.member.context| is a cell, |parameter.name| a threshold or an end of a reply: a number or a category",
    "by its place in its domain, from 0; a date by year, month and day.",
)


def family_queries(
    family: Family, proof: FamilyProof, rlimit: int = DEFAULT_RLIMIT
) -> Iterator[tuple[FamilyClaim, StoredQuery]]:
    """Each Proved claim that rests on UNSAT, in order, with its question. Equal proofs give equal bytes.

    Raises InfrastructureError where the budget is too small to find a model of the assumptions.
    """
    texts = _Texts(Asked(family, Search(rlimit)))
    for claim in proof.claims:
        if isinstance(claim.verdict, FamilyProved):
            query = texts.of(claim, claim.verdict)
            if query is not None:
                yield claim, query


def question_of(asked: Asked, claim: FamilyClaim) -> Question:
    """The question that was asked for a claim which moves prove."""
    family, winner = asked.family, claim.scope is Scope.WINNER
    match claim.name:
        case FamilyClaimName.NECESSARY | FamilyClaimName.NO_ORACLE:
            alone = claim.name is FamilyClaimName.NO_ORACLE
            return asked.question(asked.hidden_with(claim.subject, alone=alone), winner=winner)
        case FamilyClaimName.LIFTS:
            attribute = family.attribute_by_id.get(claim.subject) if claim.form else None
            hidden = asked.hidden_with(claim.subject) if attribute is None else omitted(family, attribute)
            return lifting(family, hidden)
        case FamilyClaimName.INCOMPLETE:
            forms = replies(family, family.attribute_by_id[claim.subject])
            return asked.in_a_group(next(reply.question for reply in forms if reply.form.value == claim.form))
        case FamilyClaimName.MISALIGNED:
            question = at_face_value(family, family.attribute_by_id[claim.subject], claim.form)
            if question is not None:
                return asked.in_a_group(question)
    raise InconsistencyError(f"no question about cases decides {claim.key}")


@dataclass(frozen=True)
class _Parts:
    """A question before it is written: what is assumed and what is denied, each part with its kind, both in words, and
    a model of the first.
    """

    assumptions: Iterable[tuple[str, Any]]
    goal: Sequence[Any]
    """What is denied, each pattern or move by itself: the negated goal is all of it."""
    assumed: str
    denied: str
    model: Case


class _Texts:
    """Writes the questions about one family, whose rules are encoded once."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.family = asked.family
        self.compiled = asked.compiled
        self.terms = Terms()

    def of(self, claim: FamilyClaim, verdict: FamilyProved) -> StoredQuery | None:
        """The question of a claim; None where it rests on no UNSAT."""
        parts = self._parts(claim, verdict)
        if parts is None:
            return None
        assumed = [(kind, self._truth(part)) for kind, part in parts.assumptions]
        assumed = [(kind, part) for kind, part in assumed if kind != "domain" or not z3.is_true(part)]
        text = script(self.terms, _told(claim, parts), [*assumed, *(("goal", part) for part in parts.goal)])
        return StoredQuery(text, parts.model.cells, parts.model.parameters)

    def _parts(self, claim: FamilyClaim, verdict: FamilyProved) -> _Parts | None:
        if verdict.method is Method.IMPLIED:
            return None
        if claim.name is FamilyClaimName.WELL_POSED:
            return self._posed(claim, verdict.moves)
        if claim.name is FamilyClaimName.UNIQUE:
            return self._one_outcome()
        return self._by_moves(claim, verdict.moves) if claim.name in BY_MOVES else None

    def _posed(self, claim: FamilyClaim, patterns: Sequence[Move]) -> _Parts:
        """UNSAT iff, for every value of the open parameters, a pattern is a candidate as asked."""
        winner = claim.scope is Scope.WINNER
        poser = Poser(self.family, winner, self.compiled, self.asked.search)
        known = {each.id: each.value for each in self.family.parameters if each.value is not None}
        values = {**known, **{each.id: each.domain.value(0) for each in poser.open}}
        kind = "wins, as planned" if winner else "is not eligible"
        return _Parts(
            [("domain", self.compiled.parameter(each).constraint) for each in poser.open],
            [z3.Not(poser.serves(pattern)) for pattern in patterns], "values of the thresholds",
            f"no candidate is legal and {kind}, of {len(patterns)} that are written over the thresholds, one goal each",
            Case({}, values, None),
        )  # fmt: skip

    def _one_outcome(self) -> _Parts:
        """UNSAT iff every rule has a value wherever it is looked at."""
        legal = Question(self.family, True, ())
        model = self._model(legal) or self._model(replace(legal, winner=False)) or _nothing(self.family)
        return _Parts(
            legal_parts(self.family, legal.slots, self.compiled),
            [self._truth(undefined_somewhere(self.asked))], "a legal candidate",
            "a condition, or the calculation of a candidate who meets all, has no value", model,
        )  # fmt: skip

    def _by_moves(self, claim: FamilyClaim, moves: Sequence[Move]) -> _Parts:
        """UNSAT iff every case of the question has another answer after one of the moves."""
        question = question_of(self.asked, claim)
        space = FamilySpace(question, self.compiled, self.asked.search.rlimit)
        change = "makes a condition fail or the result another" if question.winner else "makes every condition hold"
        kind = "is eligible" if question.winner else "is not eligible"
        return _Parts(
            case_parts(question, self.compiled), [z3.Not(space.covered(move)) for move in moves],
            f"a legal candidate who {kind}, as the named parts say",
            f"no move is legal, agrees with what is known, and {change}, of {len(moves)}, one goal each",
            self._model(question) or _nothing(self.family),
        )  # fmt: skip

    def _model(self, question: Question) -> Case | None:
        """A case of the question, as the interpreter sees it too; None where there is none."""
        case = FamilySpace(question, self.compiled, self.asked.search.rlimit).next_case()
        if isinstance(case, GaveUp):
            raise InfrastructureError(f"no model of the assumptions was found: {case.reason}; a larger budget would do")
        return case and replace(case, cells={slot: case.cells[slot] for slot in question.slots})

    def _truth(self, part: Any) -> Any:
        return truth(z3, part, self.compiled.context)


def _nothing(family: Family) -> Case:
    raise InconsistencyError(f"a claim about {family.name} is proved, and is about nothing")


def _told(claim: FamilyClaim, parts: _Parts) -> Sequence[str]:
    """What the question is, in plain words."""
    about = [part for part in (claim.subject, claim.form and symbol(claim.form)) if part]
    return (
        f"claim about a family: {', '.join([claim.name.value, *about])}, {claim.scope.value}",
        f"assumptions, all assertions but the goals: {parts.assumed}",
        f"negated goal, the assertions that are named goal: {parts.denied}",
        "UNSAT means: wherever the assumptions hold, some part of the negated goal fails, so the claim is true.",
        "A claim about nothing would be UNSAT too: values for which the assumptions hold are stored beside it.",
        *SYMBOLS,
    )
