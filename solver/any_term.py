"""Terms of any type: equality and choice; categories are compared by name."""

from __future__ import annotations

from types import ModuleType

from unco.solver.day_terms import choose_day, same_day
from unco.solver.number_terms import aligned, same_number
from unco.solver.terms import (
    Choice,
    Day,
    Num,
    Term,
    Truth,
    Whole,
    choose_whole,
    conjunction,
    disjunction,
    negation,
    same_truth,
)


def same_choice(z3: ModuleType, left: Choice, right: Choice) -> Truth:
    """Whether both have the same name."""
    if left.names == right.names:
        return left.index == right.index
    return disjunction(
        z3,
        (
            conjunction(z3, (left.index == position, right.index == right.names.index(name)))
            for position, name in enumerate(left.names)
            if name in right.names
        ),
    )


def renamed(z3: ModuleType, choice: Choice, names: tuple[str, ...]) -> Choice:
    """The same name as an index into other names, which hold all of its own."""
    if choice.names == names:
        return choice
    positions = [names.index(name) for name in choice.names]
    if isinstance(choice.index, int):
        return Choice(positions[choice.index], names)
    index: Whole = positions[-1]
    for old, new in enumerate(positions[:-1]):
        index = choose_whole(z3, choice.index == old, new, index)
    return Choice(index, names)


def same(z3: ModuleType, left: Term, right: Term) -> Truth:
    """Whether two terms of one type are equal."""
    match left, right:
        case Num(), Num():
            return same_number(left, right)
        case Day(), Day():
            return same_day(z3, left, right)
        case Choice(), Choice():
            return same_choice(z3, left, right)
        case (Num() | Day() | Choice(), _) | (_, Num() | Day() | Choice()):
            raise TypeError(f"terms of two types: {left!r} and {right!r}")
        case _:
            return same_truth(z3, left, right)


def choose(z3: ModuleType, condition: Truth, then: Term, otherwise: Term) -> Term:
    """One of two terms of one type."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    match then, otherwise:
        case Num(), Num():
            return _choose_number(z3, condition, then, otherwise)
        case Day(), Day():
            return choose_day(z3, condition, then, otherwise)
        case Choice(), Choice():
            return _choose_choice(z3, condition, then, otherwise)
        case (Num() | Day() | Choice(), _) | (_, Num() | Day() | Choice()):
            raise TypeError(f"terms of two types: {then!r} and {otherwise!r}")
        case _:
            return _choose_truth(z3, condition, then, otherwise)


def _choose_number(z3: ModuleType, condition: Truth, then: Num, otherwise: Num) -> Num:
    if isinstance(then.denominator, int) and isinstance(otherwise.denominator, int):
        a, b, denominator = aligned(then, otherwise)
        return Num(choose_whole(z3, condition, a, b), denominator)
    return Num(
        choose_whole(z3, condition, then.numerator, otherwise.numerator),
        choose_whole(z3, condition, then.denominator, otherwise.denominator),
    )


def _choose_choice(z3: ModuleType, condition: Truth, then: Choice, otherwise: Choice) -> Choice:
    names = then.names + tuple(name for name in otherwise.names if name not in then.names)
    a, b = renamed(z3, then, names), renamed(z3, otherwise, names)
    return Choice(choose_whole(z3, condition, a.index, b.index), names)


def _choose_truth(z3: ModuleType, condition: Truth, then: Truth, otherwise: Truth) -> Truth:
    if isinstance(then, bool):
        kept = condition if then else negation(z3, condition)
        return disjunction(z3, (kept, otherwise)) if then else conjunction(z3, (kept, otherwise))
    if isinstance(otherwise, bool):
        kept = negation(z3, condition) if otherwise else condition
        return disjunction(z3, (kept, then)) if otherwise else conjunction(z3, (kept, then))
    return z3.If(condition, then, otherwise)
