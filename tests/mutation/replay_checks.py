"""Checks of replay: where the solver would be wrong, it is told so. The solver's word is made up, right and wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import product

import z3

from tests.mutation.bare import bare
from tests.mutation.family_checks import SEARCH, spread, strange
from tests.mutation.fate import Check
from tests.mutation.query_families import families, plain
from tests.mutation.rule_checks import QUOTIENTS, parameters, quotient
from tests.mutation.settled_checks import refused
from unco.solver.encode import declare
from unco.solver.families.asked import Asked
from unco.solver.families.compiled import Compiled
from unco.solver.families.operands import _name, _require_replay, _slots, changes_result, operands
from unco.solver.families.posing import Poser
from unco.solver.families.question import Case, Question
from unco.solver.families.sampling import as_case
from unco.solver.families.search import Search
from unco.solver.families.space import GaveUp
from unco.solver.families.terms import constant
from unco.solver.families.values_everywhere import _fault
from unco.solver.interpret import Undefined
from unco.solver.judge import candidate_violations, failed_conditions, result
from unco.specs.domains import values
from unco.specs.expression import Apply, Constant
from unco.specs.family import Family, Parameter
from unco.specs.family_proof import Move


@cache
def candidates(name: str) -> tuple[Case, ...]:
    """Candidates of a family, legal or not, with values of its parameters."""
    return _candidates(families()[name])


def _candidates(family: Family) -> tuple[Case, ...]:
    rows = spread(tuple(product(*(values(family.domains[slot]) for slot in family.slots))), 60)
    given = spread(tuple(parameters(family)), 4)
    return tuple(Case(dict(zip(family.slots, row, strict=True)), each, None) for each in given for row in rows)


@cache
def planned_or_not(name: str, winner: bool) -> tuple[bool, ...]:
    """Which of the candidates are as asked."""
    family = families()[name]
    question = Question(family, winner, (), tuple(rule.expression for rule in family.plan.winner) if winner else ())
    return tuple(as_case(question, case) is not None for case in candidates(name))


def as_planned(name: str, winner: bool) -> None:
    """A candidate to pose is legal, as eligible as asked, and as planned."""
    poser = Poser(families()[name], winner, Compiled(families()[name]), SEARCH)
    found = tuple(poser._is_as_planned(case.cells, case.parameters) for case in candidates(name))
    assert found == planned_or_not(name, winner)


def serving(name: str) -> None:
    """A pattern serves, as terms, exactly the values of the parameters for which it is a candidate as planned."""
    family = families()[name]
    for winner in (True, False):
        poser = Poser(family, winner, Compiled(family), SEARCH)
        found = list(getattr(poser.posed(), "patterns", ()))
        for pattern in found[:2]:
            for place, (slot, _) in enumerate(pattern.changes):
                for odd in strange(family, slot)[-1:] if not slot.member else ():
                    nought = Apply("/", (constant(family, slot, 2), Constant(0, odd.type)), odd.type)
                    found.append(Move((*pattern.changes[:place], (slot, nought), *pattern.changes[place + 1 :])))
        for pattern, given in product(found, spread(tuple(parameters(family)), 4)):
            free = [each for each in family.parameters if each.value is None]
            pairs = [pair for each in free for pair in poser.compiled.parameter(each).substitution(given[each.id])]
            told = z3.is_true(z3.simplify(z3.substitute(poser.serves(pattern), *pairs)))
            assert told == (poser.candidate([pattern], given) is not None)


def gives_up(name: str) -> object:
    """Where a search for a candidate gives up, or finds none, the posing says so, within its own budget."""
    family, found = families()[name], []
    for search, answer in product((SEARCH, Search(1)), (GaveUp("its reason"), None)):
        poser = Poser(family, True, Compiled(family), search)
        found.append(bare(poser.search_candidate(next(parameters(family)))))
        poser.search_candidate = lambda values, answer=answer: answer  # type: ignore[method-assign, misc]
        found.append(bare(poser.posed()))
    return found


def two_winners(name: str) -> object:
    """Two winners as planned with two results are taken; anything else the solver may say is refused."""
    asked, found = Asked(families()[name], SEARCH), [_misled()]
    cells, context = asked.compiled.cells, asked.compiled.context
    for attribute, where in operands(asked):
        slots = _slots(asked, attribute, where)
        other = {slot: declare(z3, asked.family.domains[slot], _name(slot), context) for slot in slots}
        for case in spread(candidates(name), 30):
            for change in values(asked.family.domains[slots[0]]):
                solver = z3.Solver(ctx=context)
                solver.add(*(asked.compiled.variable(slot).is_value(case.cells[slot]) for slot in cells))
                solver.add(
                    *(asked.compiled.parameter(each).is_value(case.parameters[each.id]) for each in _open(asked))
                )
                solver.add(*(each.is_value(case.cells[slot]) for slot, each in other.items() if slot != slots[0]))
                solver.add(other[slots[0]].is_value(change))
                solver.check()
                found.append(refused(partial(_require_replay, asked, solver.model(), other)))
    return found


def _misled() -> bool:
    """Whether a solver that takes all results for different is found out."""
    asked = Asked(plain(), SEARCH)
    asked.compiled.same = lambda left, right: False  # type: ignore[method-assign]
    return refused(partial(changes_result, asked, "licence", ""))


def _open(asked: Asked) -> list[Parameter]:
    return [each for each in asked.family.parameters if each.value is None]


def faults(place: int) -> object:
    """What has no value in a case, by the interpreter; a case that is not legal is refused."""
    asked, found = Asked(quotient(place), SEARCH), []
    for case in _candidates(asked.family):
        legal = not candidate_violations(asked.family, 0, case.cells, case.parameters)
        assert refused(partial(_fault, asked, case)) is not legal
        if legal:
            told = _fault(asked, case)
            assert (told is not None) == _lacks(asked.family, case)
            found.append(told)
    return found


def _lacks(family: Family, case: Case) -> bool:
    try:
        if not failed_conditions(family, case.cells, case.parameters):
            result(family, case.cells, case.parameters)
    except Undefined:
        return True
    return False


def replay_checks() -> list[Check]:
    """The checks of replay."""
    found: list[tuple[str, Callable[[], object]]] = []
    found += [(f"faults {place}", partial(faults, place)) for place in range(len(QUOTIENTS))]
    for name in families():
        found += [(f"planned {name} {winner}", partial(as_planned, name, winner)) for winner in (True, False)]
        found += [(f"gives up {name}", partial(gives_up, name)), (f"serving {name}", partial(serving, name))]
        found += [(f"two winners {name}", partial(two_winners, name))]
    return [Check(name, answer) for name, answer in found]
