"""and, or, not, if.

`and` stops at the first false part, `or` at the first true one, and `if` takes one branch: the parts that are not
reached need not be defined. The twins see to that; the rows here are handed parts that are defined.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from unco.solver.any_term import choose
from unco.solver.operators import fitting
from unco.solver.operators.operator import Example, Operator, Options, Terms, Types, Values
from unco.solver.operators.wording import clause, condition, listing
from unco.solver.terms import Term, conjunction, disjunction, negation
from unco.specs.values import BOOLEAN, Type, Value


def _junction_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 2, -1, "part")
    fitting.boolean(types)
    return BOOLEAN


def _not_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 1, each="part")
    fitting.boolean(types)
    return BOOLEAN


def _if_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 3, each="part")
    fitting.boolean(types[:1])
    return fitting.alike_branches(types[1], types[2], 2)


def _if_apply(values: Values, options: Options) -> Value:
    chosen: Value = values[1] if values[0] else values[2]
    return chosen


def _if_encode(z3: ModuleType, terms: Terms, options: Options) -> Term:
    condition, then, otherwise = terms
    return choose(z3, condition, then, otherwise)


def _and_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    if len(arguments) == 2:
        return f"{clause(arguments[0])} and {clause(arguments[1])}"
    return f"all of these hold: {listing(arguments, 'and')}"


def _or_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    if len(arguments) == 2:
        return f"{clause(arguments[0])} or {clause(arguments[1])} (or both)"
    return f"at least one of these holds: {listing(arguments, 'or')}"


def _if_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    return f"{clause(arguments[1])} if {condition(arguments[0])}, otherwise {clause(arguments[2])}"


ROWS = (
    Operator(
        name="and",
        signature=_junction_signature,
        apply=lambda values, options: all(values),
        encode=lambda z3, terms, options: conjunction(z3, terms),
        phrase=_and_phrase,
        examples=(Example((True, True), True), Example((True, True, False), False)),
    ),
    Operator(
        name="or",
        signature=_junction_signature,
        apply=lambda values, options: any(values),
        encode=lambda z3, terms, options: disjunction(z3, terms),
        phrase=_or_phrase,
        examples=(Example((False, False), False), Example((False, False, True), True)),
    ),
    Operator(
        name="not",
        signature=_not_signature,
        apply=lambda values, options: not values[0],
        encode=lambda z3, terms, options: negation(z3, terms[0]),
        phrase=lambda arguments, options=(), types=(): f"it is not the case that {clause(arguments[0])}",
        examples=(Example((True,), False), Example((False,), True)),
    ),
    Operator(
        name="if",
        signature=_if_signature,
        apply=_if_apply,
        encode=_if_encode,
        phrase=_if_phrase,
        examples=(Example((True, 1, 2), 1), Example((False, 1, 2), 2), Example((False, "A", "B"), "B")),
    ),
)
