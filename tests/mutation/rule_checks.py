"""Checks of what is asked beside moves: candidates to pose, values everywhere, operands, replies, domains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from functools import cache, partial
from itertools import product

import z3

from tests.mutation.bare import bare
from tests.mutation.family_checks import SEARCH, cases, spread, told
from tests.mutation.fate import Check
from tests.mutation.query_families import divided, families, opened, passing
from unco.solver.encode import stored
from unco.solver.families.asked import Asked
from unco.solver.families.compiled import Compiled
from unco.solver.families.operands import _slots, changes_result, operands
from unco.solver.families.posing import Poser
from unco.solver.families.replies import at_face_value, end_of, is_read, placed, replies
from unco.solver.families.search import Search
from unco.solver.families.terms import constant
from unco.solver.families.values_everywhere import one_outcome
from unco.solver.families.within import within
from unco.solver.interpret import Undefined
from unco.solver.judge import candidate_violations, failed_conditions, result
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain, values
from unco.specs.family import Family, Slot
from unco.specs.family_proof import FamilyRefuted
from unco.specs.values import MONTHS, NUMBER, YEARS, CategoryType, Value

# Posing --------------------------------------------------------------------------------------------------------------


def posed(name: str, winner: bool) -> object:
    """Patterns of a candidate, and the candidate for each value of the parameters."""
    family = families()[name]
    poser = Poser(family, winner, Compiled(family), SEARCH)
    found = poser.posed()
    patterns = getattr(found, "patterns", ())
    served = [poser.candidate(patterns, values_) for values_ in parameters(family)]
    alone = [poser.search_candidate(values_) for values_ in parameters(family)]
    few = Poser(family, winner, Compiled(family), Search(SEARCH.rlimit, 0, 1)).posed()
    none = [poser.candidate((), values_) for values_ in parameters(family)]
    return bare((found, served, alone, few, none, _after_others(poser)))


def _after_others(poser: Poser) -> object:
    """The candidates where patterns of the other kind come first: none of those is taken."""
    others = Poser(poser.family, not poser.winner, poser.compiled, SEARCH)
    patterns = (*getattr(others.posed(), "patterns", ()), *poser.patterns)
    found = [poser.candidate(patterns, values_) for values_ in parameters(poser.family)]
    for cells, values_ in zip(found, parameters(poser.family), strict=True):
        assert cells is None or poser.winner is not bool(failed_conditions(poser.family, cells, values_))
    return found


def parameters(family: Family) -> Iterator[dict[str, Value]]:
    choices = [values(each.domain) if each.value is None else [each.value] for each in family.parameters]
    return (dict(zip((each.id for each in family.parameters), row, strict=True)) for row in product(*choices))


def unposed() -> object:
    """Families in which nobody can win, or nobody can fail, for some value of a threshold."""
    found: list[object] = []
    other = "score + (if licence then 1 else 0) >= pass + 1"
    for rule in ("score > pass + 1", "score >= 0", "score > 9", other):
        family = passing(rule)
        for winner in (True, False):
            found.append(bare(Poser(family, winner, Compiled(family), SEARCH).posed()))
    return found


# Values everywhere ---------------------------------------------------------------------------------------------------

TWICE = {"formula": "fee + fee", "operation": "sum"}
QUOTIENTS: tuple[dict[str, str], ...] = (
    {},
    {"rule": "score >= 1"},
    {"condition": "score >= 1"},
    {"condition": "fee / score >= 1 EUR per month", **TWICE},
    {"rule": "score >= 1", "condition": "fee / (score - 1) >= 1 EUR per month", **TWICE},
    {"rule": "score >= 2", "condition": "fee / (score - 1) >= 1 EUR per month", **TWICE},
    {"condition": "score == 0"},
    {"condition": "fee / fee >= 1", **TWICE},
    {"condition": "fee / pass >= 0 EUR per month", **TWICE},
    {"condition": "fee / (pass - 1) >= 0 EUR per month", **TWICE},
    {"condition": "fee / least >= 0 EUR per month", **TWICE},
    TWICE,
)


def quotients(place: int) -> object:
    """Whether every rule has a value; a case in which one has none."""
    found = one_outcome(Asked(quotient(place), SEARCH))
    assert isinstance(found, FamilyRefuted) == undefined_somewhere(place)
    return bare(found)


@cache
def quotient(place: int) -> Family:
    return divided(**QUOTIENTS[place])


@cache
def undefined_somewhere(place: int) -> bool:
    """Whether a rule has no value somewhere, by looking at every candidate."""
    family = quotient(place)
    rows = product(*(values(family.domains[slot]) for slot in family.slots))
    for given, row in product(parameters(family), rows):
        cells = dict(zip(family.slots, row, strict=True))
        if candidate_violations(family, 0, cells, given):
            continue
        try:
            if not failed_conditions(family, cells, given):
                result(family, cells, given)
        except Undefined:
            return True
    return False


# Operands ------------------------------------------------------------------------------------------------------------


def mattering(name: str) -> object:
    """Which operands can change the result of a winner as planned."""
    asked = Asked(families()[name], SEARCH)
    few = Asked(families()[name], Search(1))
    found = [bare(changes_result(asked, *each)) for each in operands(asked)]
    idle = changes_result(asked, "licence", "") if name == "plain" else None
    found += [_slots(asked, *each) for each in operands(asked)]
    return found, operands(asked), [bare(changes_result(few, *each)) for each in operands(asked)], bare(idle)


# Replies -------------------------------------------------------------------------------------------------------------


def reply_forms(name: str) -> object:
    """The forms of replies, what they assume, and what each tells in some cases."""
    family, found = families()[name], []
    for attribute in family.attributes:
        for reply in replies(family, attribute):
            question = reply.question
            found.append(bare((reply.form, reply.slot, question.hidden, question.assumed, question.known)))
            found.append(bare((question.first, question.winner)))
            found.append([(each.id, bare(each.domain)) for each in question.family.parameters])
        for context, _ in attribute.contexts[1:]:
            face = at_face_value(family, attribute, context)
            found.append(None if face is None else bare((face.face, face.assumed, face.hidden, face.winner)))
        found.append(is_read(family, attribute.id))
    for reply in told(name):
        found += [bare(reply.told(case)) for case in spread(cases(reply.question), 8)]
        found.append(end_of(reply.slot, "end"))
    return found


def true_replies(name: str) -> None:
    """A reply tells the true value and one at which a condition fails, or two values; all such replies are cases."""
    from unco.specs.evidence import agrees

    for reply in told(name):
        every = cases(reply.question)
        assert every or name == "planned"
        for case in spread(every, 20):
            for slot, known in reply.told(case).items():
                assert agrees(known, case.cells[slot])


def placing() -> object:
    """Rules with a term in place of a cell."""
    family = opened()
    term = constant(family, Slot("score", 0, ""), 2)
    rules = [rule.expression for rule in (*family.conditions, *family.consistency)]
    slots = (Slot("score", 0, ""), Slot("fee", 0, "this"), Slot("fee", 0, "last"), Slot("size", 0, ""))
    return [bare(placed(rule, slot, term)) for rule in rules for slot in slots]


# Within --------------------------------------------------------------------------------------------------------------

DOMAINS: tuple[Domain, ...] = (
    NumberDomain(Fraction(-1, 2), Fraction(5, 2), Fraction(3, 4), NUMBER.unit),
    NumberDomain(Fraction(1), Fraction(3), Fraction(1, 2), YEARS.unit),
    NumberDomain(Fraction(0), Fraction(0), Fraction(1), MONTHS.unit),
    DateDomain(date(2024, 2, 28), date(2024, 3, 1)),
    BooleanDomain(),
    CategoryDomain(CategoryType(("a", "b", "c")), ("a", "b", "c")),
    CategoryDomain(CategoryType(("a", "b", "c")), ("c", "a")),
)
NEAR: tuple[Value, ...] = (
    *(Fraction(eighths, 8) for eighths in range(-8, 32)),
    *(date(2024, 2, day) for day in (27, 28, 29)),
    *(date(2024, 3, day) for day in (1, 2)),
    *(True, False, "a", "b", "c", "d"),
)


def inside() -> None:
    """A term has a value of a domain exactly where the domain has the value."""
    for domain in DOMAINS:
        for value in NEAR:
            if _is_of(domain, value):
                term = stored(z3, value, domain.type)
                found = within(z3, domain, term)
                found = found if isinstance(found, bool) else z3.is_true(z3.simplify(found))
                assert found == (domain.index(value) is not None)


def _is_of(domain: Domain, value: Value) -> bool:
    match domain:
        case NumberDomain():
            return isinstance(value, Fraction)
        case DateDomain():
            return isinstance(value, date)
        case BooleanDomain():
            return isinstance(value, bool)
        case CategoryDomain():
            return isinstance(value, str)


# All of them ---------------------------------------------------------------------------------------------------------


def rule_checks() -> list[Check]:
    """The checks of what is asked beside moves."""
    found: list[tuple[str, Callable[[], object]]] = [("within", inside), ("placing", placing), ("unposed", unposed)]
    found += [(f"quotient {place}", partial(quotients, place)) for place in range(len(QUOTIENTS))]
    for name in families():
        found += [(f"replies {name}", partial(reply_forms, name)), (f"true {name}", partial(true_replies, name))]
        found += [(f"posed {name} {winner}", partial(posed, name, winner)) for winner in (True, False)]
        found.append((f"operands {name}", partial(mattering, name)))
    return [Check(name, answer) for name, answer in found]
