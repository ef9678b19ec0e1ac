"""== != < <= > >= between in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from types import ModuleType

from unco.solver.any_term import same
from unco.solver.day_terms import before, not_after
from unco.solver.number_terms import at_most, below
from unco.solver.operators import fitting
from unco.solver.operators.operator import Example, Mismatch, Operator, Options, Phrase, Terms, Types
from unco.solver.operators.wording import about_dates, grouped, listing, side
from unco.solver.terms import Day, Truth, conjunction, disjunction, negation
from unco.specs.values import BOOLEAN, BooleanType, CategoryType, Type


def _equality_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 2, each="side")
    fitting.alike(types[0], types[1], 1)
    return BOOLEAN


def _ordered(types: Types) -> None:
    if isinstance(types[0], BooleanType | CategoryType):
        hint = "use == or in" if isinstance(types[0], CategoryType) else "write `x` or `not x`"
        raise Mismatch(0, "UNC203", fitting.describe(types[0]), "a number or a date", hint)
    for index in range(1, len(types)):
        fitting.alike(types[0], types[index], index)


def _order_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 2, each="side")
    _ordered(types)
    return BOOLEAN


def _between_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 3)
    _ordered(types)
    fitting.alike(types[1], types[2], 2)
    return BOOLEAN


def _in_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 2, -1)
    for index in range(1, len(types)):
        fitting.alike(types[0], types[index], index)
    return BOOLEAN


def _not_more(z3: ModuleType, left: object, right: object) -> Truth:
    if isinstance(left, Day):
        return not_after(z3, left, right)  # type: ignore[arg-type]
    return at_most(left, right)  # type: ignore[arg-type]


def _less(z3: ModuleType, left: object, right: object) -> Truth:
    if isinstance(left, Day):
        return before(z3, left, right)  # type: ignore[arg-type]
    return below(left, right)  # type: ignore[arg-type]


def _phrase(of_numbers: str, of_dates: str) -> Phrase:
    def phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
        left, right = (side(argument) for argument in arguments)
        return f"{left} is {of_dates if about_dates(types) else of_numbers}{right}"

    return phrase


def _between_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    value, low, high = side(arguments[0]), grouped(arguments[1]), grouped(arguments[2])
    return f"{value} is between {low} and {high}, both included"


def _in_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    value = side(arguments[0])
    if len(arguments) == 2:
        return f"{value} is {side(arguments[1])}"
    return f"{value} is {'either' if len(arguments) == 3 else 'one of'} {listing(arguments[1:], 'or')}"


def _comparison(
    sign: str,
    apply: Callable[[tuple[object, ...], Options], bool],
    encode: Callable[[ModuleType, Terms, Options], Truth],
    phrase: Phrase,
    signature: Callable[[Types, Options], Type],
    outcomes: tuple[bool, bool, bool],
) -> Operator:
    """A row with the outcomes for a smaller, an equal and a greater left side."""
    smaller, equal, greater = outcomes
    early, late = date(2026, 7, 31), date(2026, 8, 1)
    examples = (
        Example((-1, 0), smaller),
        Example((12, 12), equal),
        Example((13, 12), greater),
        Example((10**30, 10**30 + 1), smaller),
        Example((early, late), smaller),
        Example((late, late), equal),
        Example((late, early), greater),
    )
    return Operator(sign, signature, apply, encode, phrase, examples)


ROWS = (
    _comparison(
        "==",
        lambda values, options: values[0] == values[1],
        lambda z3, terms, options: same(z3, terms[0], terms[1]),
        _phrase("", ""),
        _equality_signature,
        (False, True, False),
    ),
    _comparison(
        "!=",
        lambda values, options: values[0] != values[1],
        lambda z3, terms, options: negation(z3, same(z3, terms[0], terms[1])),
        _phrase("not ", "not "),
        _equality_signature,
        (True, False, True),
    ),
    _comparison(
        "<",
        lambda values, options: values[0] < values[1],  # type: ignore[operator]
        lambda z3, terms, options: _less(z3, terms[0], terms[1]),
        _phrase("less than ", "before "),
        _order_signature,
        (True, False, False),
    ),
    _comparison(
        "<=",
        lambda values, options: values[0] <= values[1],  # type: ignore[operator]
        lambda z3, terms, options: _not_more(z3, terms[0], terms[1]),
        _phrase("at most ", "on or before "),
        _order_signature,
        (True, True, False),
    ),
    _comparison(
        ">",
        lambda values, options: values[0] > values[1],  # type: ignore[operator]
        lambda z3, terms, options: _less(z3, terms[1], terms[0]),
        _phrase("more than ", "after "),
        _order_signature,
        (False, False, True),
    ),
    _comparison(
        ">=",
        lambda values, options: values[0] >= values[1],  # type: ignore[operator]
        lambda z3, terms, options: _not_more(z3, terms[1], terms[0]),
        _phrase("at least ", "on or after "),
        _order_signature,
        (False, True, True),
    ),
    Operator(
        name="between",
        signature=_between_signature,
        apply=lambda values, options: values[1] <= values[0] <= values[2],
        encode=lambda z3, terms, options: conjunction(
            z3, (_not_more(z3, terms[1], terms[0]), _not_more(z3, terms[0], terms[2]))
        ),
        phrase=_between_phrase,
        examples=(
            Example((19, 19, 64), True),
            Example((64, 19, 64), True),
            Example((65, 19, 64), False),
            Example((18, 19, 64), False),
            Example((20, 64, 19), False),
        ),
    ),
    Operator(
        name="in",
        signature=_in_signature,
        apply=lambda values, options: values[0] in values[1:],
        encode=lambda z3, terms, options: disjunction(z3, (same(z3, terms[0], other) for other in terms[1:])),
        phrase=_in_phrase,
        examples=(
            Example(("DNP", "DNP", "MSN"), True),
            Example(("PNP", "DNP", "MSN"), False),
            Example((0, 1, 0), True),
            Example((date(2024, 2, 29), date(2024, 2, 29)), True),
        ),
    ),
)
