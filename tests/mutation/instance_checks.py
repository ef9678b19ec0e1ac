"""Checks of the queries and claims about one instance, held against looking at every completion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import product
from random import Random
from typing import Any

import z3

from tests.mutation.fate import Check
from tests.mutation.query_families import families, opened, parameter_values, plain
from tests.small_families import instance_of
from unco.solver import claims
from unco.solver.decide import Prover, Query, Sat, Unsat
from unco.solver.judge import exists, failed_conditions, judge, member_count, stays_legal, violations
from unco.solver.queries import a_difference, another_answer
from unco.solver.space import Space, in_unit
from unco.solver.terms import Num
from unco.specs.domains import BooleanDomain, CategoryDomain, NumberDomain, values
from unco.specs.evidence import NOTHING, Between, Evidence, Exact, Knowledge, OneOf, agrees, full
from unco.specs.family import Cell, Family, Slot
from unco.specs.instance import Instance, NoWinner, Outcome, SeveralEligible, Winner
from unco.specs.values import Unit, Value

WHOLE = ("plain", "planned")
"""Families of which every instance is looked at."""

# Every instance ------------------------------------------------------------------------------------------------------


@cache
def everything(name: str) -> tuple[Instance, ...]:
    """Instances of a family in a fixed mixed order: legal ones, with every value of the parameters."""
    family, found = families()[name], []
    spaces = [list(values(family.domains[slot])) for slot in family.slots]
    for parameters in parameter_values(family):
        rows = [row for row in product(*spaces) if not violations(family, _whole(family, (row,) * 2, parameters))]
        some = rows if name in WHOLE else Random(name).sample(rows, 12)
        found += [_whole(family, pair, parameters) for pair in product(some, repeat=2)]
    return tuple(Random(f"{name} {len(found)}").sample(found, len(found)))


def _whole(family: Family, rows: tuple[tuple[Value, ...], ...], parameters: Mapping[str, Value]) -> Instance:
    return instance_of(family, *rows, **parameters)


@cache
def outcomes(name: str) -> tuple[tuple[Instance, Outcome], ...]:
    """Each instance with its outcome, while nothing is broken."""
    family = families()[name]
    return tuple((each, judge(family, each)) for each in everything(name))


@cache
def chosen(name: str) -> tuple[tuple[Instance, Outcome], ...]:
    """Some instances of each kind of outcome."""
    found: dict[str, list[tuple[Instance, Outcome]]] = {}
    for each, outcome in outcomes(name):
        kind = type(outcome).__name__ + str(getattr(outcome, "candidate", ""))
        found.setdefault(kind, []).append((each, outcome))
    return tuple(each for kind in sorted(found) for each in found[kind][:1])


# Judging -------------------------------------------------------------------------------------------------------------


def judged(name: str) -> object:
    """Outcomes and failed conditions."""
    family = families()[name]
    some = everything(name)[:60]
    return [
        (judge(family, each), failed_conditions(family, each.candidate(0), each.parameters), violations(family, each))
        for each in some
    ]


def broken(name: str) -> object:
    """What is wrong with instances that are not legal: a cell outside its domain, missing, or against a rule."""
    family, found = families()[name], []
    for instance, _ in chosen(name):
        for cell in family.cells:
            for value in (99, None, "x", *values(family.domains[cell.slot])):
                changed = instance.changed({cell: value})  # type: ignore[dict-item]
                found += [_faults(family, changed), str(claims.legality(family, changed))]
                one = {cell.slot: changed.cells[cell]}
                if family.domains[cell.slot].index(changed.cells[cell]) is not None:
                    found.append(str(stays_legal(family, changed.candidate(0), one, changed.parameters)))
        found += [_stays_outside(family, instance, slot) for slot in family.slots[1:]]
        fewer = {cell: value for cell, value in instance.cells.items() if cell.slot != family.slots[0]}
        found.append(_faults(family, Instance(fewer, instance.parameters, instance.names)))
        found += [str(claims.legality(family, each)) for each in _odd(family, instance)]
    return found


def _stays_outside(family: Family, instance: Instance, slot: Slot) -> bool:
    """Whether two cells are said to stay legal of which one has the last but one value, or lies outside its domain."""
    domain = family.domains[slot]
    value = 9 if isinstance(domain, NumberDomain) else domain.value(0)
    both = {slot: value, family.slots[0]: family.domains[family.slots[0]].value(0)}
    found = stays_legal(family, {**instance.candidate(0), **both}, both, instance.parameters)
    assert not (found and isinstance(domain, NumberDomain))
    return found


def _faults(family: Family, instance: Instance) -> str:
    return str([(each.candidate, each.subject, each.reason) for each in violations(family, instance)])


def _odd(family: Family, instance: Instance) -> Iterator[Instance]:
    yield instance
    yield Instance(dict(list(instance.cells.items())[1:]), instance.parameters, instance.names)
    yield Instance({**instance.cells, Cell(9, *family.slots[0]): 1}, instance.parameters, instance.names)
    for value in (None, 0, 1, 4):
        told = {each.id: value for each in family.parameters}
        yield Instance(instance.cells, told, instance.names)  # type: ignore[arg-type]
    yield Instance(instance.cells, {}, instance.names)


def members() -> object:
    """How many members exist, and which cells are those of members who exist."""
    family = opened()
    return [
        (
            member_count(family, family.groups[0], each.candidate(1)),
            [exists(family, each, cell) for cell in family.cells],
        )
        for each in everything("opened")[:20]
    ]


# Queries -------------------------------------------------------------------------------------------------------------


def evidences(name: str) -> Iterator[tuple[Instance, Outcome, Evidence]]:
    """Evidence of every form about some instances."""
    family, rng = families()[name], Random(name)
    for instance, outcome in chosen(name):
        for share in (0.2, 0.5, 0.8):
            known = full(instance).hiding(cell for cell in family.cells if rng.random() < share)
            yield instance, outcome, known
        coarse = {cell: coarse_of(family, cell, instance, rng) for cell in family.cells if rng.random() < 0.5}
        yield instance, outcome, full(instance).with_knowledge(coarse)
        yield instance, outcome, Evidence({}, {})


def coarse_of(family: Family, cell: Cell, instance: Instance, rng: Random) -> Knowledge:
    domain, value = family.domains[cell.slot], instance.cells[cell]
    place = domain.index(value)
    assert place is not None
    other = domain.value(rng.randrange(domain.size))
    if isinstance(domain, BooleanDomain):
        return NOTHING
    if isinstance(domain, CategoryDomain) or rng.random() < 0.3:
        return OneOf((value, other))
    return Between(domain.value(max(0, place - 1)), domain.value(min(domain.size - 1, place + rng.randrange(2))))


def _completes(evidence: Evidence, instance: Instance) -> bool:
    """Whether an instance agrees with evidence, parameters included."""
    return all(instance.parameters[name] == value for name, value in evidence.parameters.items()) and all(
        agrees(evidence.of(cell), value) for cell, value in instance.cells.items()
    )


@cache
def asked(name: str) -> tuple[tuple[Evidence, Outcome, bool, tuple[bool, ...]], ...]:
    """Questions for another answer, and which of all instances answer them, by looking at each."""
    found = []
    for _, outcome, evidence in evidences(name):
        for promise in (True, False):
            fits = tuple(
                other != outcome and _completes(evidence, each) and not (promise and isinstance(other, SeveralEligible))
                for each, other in outcomes(name)
            )
            found.append((evidence, outcome, promise, fits))
    return tuple(found)


def other_answers(name: str, part: int) -> None:
    """The solver finds another answer exactly where looking at every instance does; replay sees the same."""
    family = families()[name]
    prover = Prover(family)
    for evidence, outcome, promise, fits in asked(name)[part::4]:
        query = another_answer(family, evidence, outcome, promise=promise)
        _as_enumerated(prover, query, name, fits)


def _as_enumerated(prover: Prover, query: Query, name: str, fits: tuple[bool, ...]) -> None:
    instances = everything(name)
    decision = prover.decide_warm(query)
    assert isinstance(decision, Sat | Unsat)
    if name in WHOLE:
        assert isinstance(decision, Sat) == any(fits)
    elif any(fits):
        assert isinstance(decision, Sat)
    yes = [place for place, fit in enumerate(fits) if fit][:12]
    no = [place for place, fit in enumerate(fits) if not fit][:60]
    assert all(query.replay(instances[place]) for place in yes)
    assert not any(query.replay(instances[place]) for place in no)


@cache
def repairs(name: str) -> tuple[tuple[Evidence, dict[Cell, Value], tuple[bool, ...]], ...]:
    """Repairs of some cells, and the completions in which they matter, by looking at each."""
    family, rng, found = families()[name], Random(f"repairs {name}"), []
    kinds = {
        (frozenset(each.cells.items()), tuple(sorted(each.parameters.items()))): out for each, out in outcomes(name)
    }
    for instance, _, evidence in evidences(name):
        cells = [cell for cell in family.cells if cell not in evidence.known or rng.random() < 0.3]
        repaired = {cell: instance.cells[cell] for cell in rng.sample(cells, min(len(cells), 3))}
        freed = Evidence({c: k for c, k in evidence.known.items() if c not in repaired}, evidence.parameters)
        fits = []
        for each, before in outcomes(name):
            after = each.changed(repaired)
            key = frozenset(after.cells.items()), tuple(sorted(after.parameters.items()))
            there = kinds.get(key)
            if there is None and not violations(family, after):
                there = judge(family, after)
            both = not isinstance(before, SeveralEligible) and not isinstance(there, SeveralEligible)
            fits.append(_completes(freed, each) and there is not None and both and there != before)
        found.append((freed, repaired, tuple(fits)))
    return tuple(found)


def differences(name: str, part: int) -> None:
    """The solver finds a completion in which a repair matters exactly where looking at every one does."""
    family = families()[name]
    prover = Prover(family)
    for evidence, repaired, fits in repairs(name)[part::4]:
        _as_enumerated(prover, a_difference(family, evidence, repaired), name, fits)


def kept_by_query(name: str) -> object:
    """Replay refuses completions that are not legal after the repair."""
    family, found = families()[name], []
    for instance, _, evidence in list(evidences(name))[::3]:
        for cell in family.cells[:4]:
            for value in values(family.domains[cell.slot]):
                query = a_difference(family, evidence, {cell: value})
                found.append([query.replay(each) for each in everything(name)[:8]] + [query.replay(instance)])
    return found


# The space -----------------------------------------------------------------------------------------------------------


def space_of(name: str) -> None:
    """Eligibility, outcome, promise, legality and results as terms, at the values of every kind of instance."""
    family = families()[name]
    space = Space(family)
    illegal = [
        each.changed({cell: values_of(family, cell)[-1]}) for each, _ in chosen(name)[::4] for cell in family.cells
    ]
    for instance in [*(each for each, _ in chosen(name)), *illegal]:
        pairs = [pair for cell in family.cells for pair in space.substitution(cell, instance.cells[cell])]
        for each, value in instance.parameters.items():
            pairs += space.parameters[each].substitution(value)

        def holds(term: Any, pairs: list[Any] = pairs) -> bool:
            return z3.is_true(z3.simplify(z3.substitute(term, *pairs)))

        legal = not violations(family, instance)
        assert all(map(holds, space.legal())) == legal
        assert all(map(holds, space.consistent())) == legal
        assert all(map(holds, space.domains()))
        outcome = judge(family, instance)
        assert all(map(holds, space.promise())) == (not isinstance(outcome, SeveralEligible))
        for other in near(outcome):
            assert holds(space.has_outcome(other)) == (other == outcome)
        losers = [failed_conditions(family, instance.candidate(number), instance.parameters) for number in (0, 1)]
        eligible = tuple(number for number in (0, 1) if not losers[number])
        for group in ((), (0,), (1,), (0, 1)):
            assert holds(space.has_outcome(SeveralEligible(group))) == (group == eligible)
        for number, failed in enumerate(losers):
            assert holds(space.candidates[number].eligible) == (not failed)
            for rule in family.conditions:
                assert holds(space.holds(number, rule.expression)) == (rule.id not in failed)
        at = space.at(instance.cells, space.candidates[0].eligible)
        assert holds(at) == holds(space.candidates[0].eligible)
        assert all(map(holds, space.fixes(instance.parameters)))


def near(outcome: Outcome) -> Iterator[Outcome]:
    yield outcome
    yield from (NoWinner(), SeveralEligible((0, 1)))
    for candidate, result in product((0, 1), range(1, 7)):
        yield Winner(candidate, result)
    if isinstance(outcome, Winner):
        yield Winner(1 - outcome.candidate, outcome.result)
        yield Winner(outcome.candidate, outcome.result + 1)


def values_of(family: Family, cell: Cell) -> list[Value]:
    return list(values(family.domains[cell.slot]))


def known_by_space(name: str) -> None:
    """What evidence says of a cell, as terms, is what it says."""
    family = families()[name]
    space = Space(family)
    for cell in family.cells:
        domain = family.domains[cell.slot]
        first, last = domain.value(0), domain.value(domain.size - 1)
        forms: list[Knowledge] = [NOTHING, Exact(first), Exact(last), OneOf((first, last)), OneOf((last,))]
        if not isinstance(domain, BooleanDomain | CategoryDomain):
            forms += [Between(first, last), Between(domain.value(1), last), Between(first, domain.value(1))]
        for known, value in product(forms, values(domain)):
            term = space.knows(space.variable(cell), known)
            told = z3.simplify(z3.substitute(term, *space.substitution(cell, value)))
            assert z3.is_true(told) == agrees(known, value)
    assert len(space.agrees(Evidence({}, {}))) == 0


def of_one_candidate() -> object:
    """A space of one candidate, and its promise."""
    space = Space(plain(), 1)
    return [
        len(space.candidates),
        len(space.promise()),
        len(Space(plain(), 3).promise()),
        str(Space(plain(), 0).promise()),
        str(space.conjunction()),
    ]


def in_units() -> None:
    """A number in a unit, of units larger and smaller than the base."""
    for scale, value in product((Fraction(1), Fraction(12), Fraction(1, 12), Fraction(2, 3)), (0, 3, Fraction(3, 2))):
        term = in_unit(Num(value.numerator, value.denominator), Unit((("pair", 1),), scale, "pairs"))
        assert Fraction(term.numerator, term.denominator) == value / scale


# All of them ---------------------------------------------------------------------------------------------------------


def instance_checks() -> list[Check]:
    """The checks about single instances."""
    found: list[tuple[str, Callable[[], object]]] = [("members", members), ("one candidate", of_one_candidate)]
    found.append(("in units", in_units))
    for name in families():
        found += [(f"judged {name}", partial(judged, name)), (f"broken {name}", partial(broken, name))]
        found += [(f"space {name}", partial(space_of, name)), (f"known {name}", partial(known_by_space, name))]
        found += [(f"other answers {name} {n}", partial(other_answers, name, n)) for n in range(4)]
        found += [(f"differences {name} {n}", partial(differences, name, n)) for n in range(4)]
        found.append((f"kept {name}", partial(kept_by_query, name)))
    return [Check(name, answer) for name, answer in found]
