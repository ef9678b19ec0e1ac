"""count any all total over the members of a group.

`apply` is handed the bodies of the members that exist, `encode` the number of members and the bodies of all possible
ones. The signature is asked of (size, body). Bodies of members that do not exist need not be defined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from types import ModuleType
from typing import Any

from unco.solver.any_term import choose
from unco.solver.number_terms import at_most, total
from unco.solver.operators import fitting
from unco.solver.operators.operator import Example, Mismatch, Operator, Options, Phrase, Terms, Types, canonical
from unco.solver.operators.wording import said
from unco.solver.terms import Num, Term, Truth, choose_whole, conjunction, disjunction, implication, plus
from unco.specs.values import BOOLEAN, PLAIN, NumberType, Type


def _size(types: Types, options: Options) -> None:
    fitting.no_options(options)
    fitting.count(types, 2)
    size = fitting.number(types, 0)
    if size.unit.dimension != () or fitting.is_percent(size.unit):
        raise Mismatch(0, "UNC211", fitting.describe(size), "a plain number of members")


def _count_signature(types: Types, options: Options) -> Type:
    _size(types, options)
    fitting.boolean((BOOLEAN, types[1]))
    return NumberType(PLAIN)


def _truth_signature(types: Types, options: Options) -> Type:
    _size(types, options)
    fitting.boolean((BOOLEAN, types[1]))
    return BOOLEAN


def _total_signature(types: Types, options: Options) -> Type:
    _size(types, options)
    return fitting.number(types, 1)


def _members(terms: Terms) -> list[tuple[Truth, Any]]:
    """Whether each member exists, and its body."""
    size, *bodies = terms
    return [(at_most(Num(member), size), body) for member, body in enumerate(bodies, 1)]


def _count_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    ones = (choose_whole(z3, conjunction(z3, member), 1, 0) for member in _members(terms))
    return Num(reduce(plus, ones, 0))


def _any_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return disjunction(z3, (conjunction(z3, member) for member in _members(terms)))


def _all_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return conjunction(z3, (implication(z3, exists, body) for exists, body in _members(terms)))


def _total_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    parts: Iterable[Any] = (choose(z3, exists, body, Num(0)) for exists, body in _members(terms))
    return reduce(total, parts, Num(0))


def _phrase(words: str) -> Phrase:
    """The first argument is the wording of the group's members, the second that of the body."""

    def phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
        return words.format(members=arguments[0], body=said(arguments[1]))

    return phrase


def _count_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    """Things are counted for which something holds, unless the wording of the members says for whom."""
    members = arguments[0] if arguments[0].endswith(" for whom") else f"{arguments[0]} for which"
    return f"the number of {members} {said(arguments[1])}"


ROWS = (
    Operator(
        name="count",
        signature=_count_signature,
        apply=lambda values, options: sum(values),
        encode=_count_term,
        phrase=_count_phrase,
        examples=(Example((), 0), Example((True, False, True), 2)),
    ),
    Operator(
        name="any",
        signature=_truth_signature,
        apply=lambda values, options: any(values),
        encode=_any_term,
        phrase=_phrase("for at least one of {members}: {body}"),
        examples=(Example((), False), Example((False, True), True), Example((False, False), False)),
    ),
    Operator(
        name="all",
        signature=_truth_signature,
        apply=lambda values, options: all(values),
        encode=_all_term,
        phrase=_phrase("for each of {members}: {body}"),
        examples=(Example((), True), Example((True, False), False), Example((True, True), True)),
    ),
    Operator(
        name="total",
        signature=_total_signature,
        apply=lambda values, options: canonical(sum(values)),
        encode=_total_term,
        phrase=_phrase("the total over {members} of {body}"),
        examples=(Example((), 0), Example((1, 2, -3), 0)),
    ),
)
