"""round(x, places, mode): the shown number, rounded. The same rule ends every calculation.

Modes: up is away from zero, down towards zero, floor and ceiling as they say; half_up, half_down and half_even round
to the nearest, and their names say where a tie goes: away from zero, towards zero, to the even neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from types import ModuleType
from typing import Any

from unco.solver.number_terms import product
from unco.solver.operators import fitting
from unco.solver.operators.operator import Example, Mismatch, Number, Operator, Options, Terms, Types, Values, canonical
from unco.solver.operators.wording import grouped
from unco.solver.terms import Num, Term, Truth, Whole, choose_whole, floor_div, floor_mod
from unco.specs.values import PLAIN, NumberType, Type, Unit, Value
from unco.specs.wording import unit_text

DEFAULT_MODE = "half_up"
MOST_PLACES = 9
MODE_WORDS = {
    "half_up": "halves rounded away from zero",
    "half_even": "halves rounded to the even neighbour",
    "half_down": "halves rounded towards zero",
    "up": "rounded away from zero",
    "down": "rounded towards zero",
    "floor": "rounded down",
    "ceiling": "rounded up",
}


def places_and_mode(options: Options) -> tuple[int, str]:
    """The options of `round`: places (0 if left out; -3 rounds to thousands) and mode (half_up if left out)."""
    places: Any = options[0] if options else 0
    mode: Any = options[1] if len(options) > 1 else DEFAULT_MODE
    return places, mode


def _signature(types: Types, options: Options) -> Type:
    fitting.count(types, 1)
    if len(options) > 2:
        raise Mismatch(None, "UNC202", f"{len(options)} options", "places and mode")
    places, mode = places_and_mode(options)
    if not isinstance(places, int) or isinstance(places, bool) or not -MOST_PLACES <= places <= MOST_PLACES:
        expected = f"a whole number from -{MOST_PLACES} to {MOST_PLACES}"
        raise Mismatch(None, "UNC212", f"{places!r} places", expected, "round(x, 2, half_up)")
    fitting.one_of(mode, fitting.MODES, "rounding mode")
    return fitting.number(types, 0)


def round_exact(number: Number, places: int, mode: str) -> Fraction:
    """The number, rounded to a multiple of 10 ** -places."""
    unit = Fraction(10) ** places
    return _whole(number * unit, mode) / unit


def _whole(number: Number, mode: str) -> int:
    """The number rounded to a whole one."""
    low = floor(number)
    if number == low:
        return low
    match mode:
        case "floor":
            return low
        case "ceiling":
            return low + 1
        case "down":
            return low if number > 0 else low + 1
        case "up":
            return ceil(number) if number > 0 else low
    return _nearest(number, low, mode)


def _nearest(number: Number, low: int, mode: str) -> int:
    """The nearest of `low` and the next whole number."""
    twice = 2 * (number - low)
    if twice != 1:
        return low if twice < 1 else low + 1
    if mode == "half_even":
        return low + low % 2
    outwards = low + 1 if number > 0 else low
    inwards = low if number > 0 else low + 1
    return outwards if mode == "half_up" else inwards


def _apply(values: Values, options: Options) -> Value:
    return canonical(round_exact(values[0], *places_and_mode(options)))


def round_term(z3: ModuleType, number: Num, places: int, mode: str) -> Num:
    """The number as a term, rounded to a multiple of 10 ** -places."""
    grain = 10 ** abs(places)
    grown = product(number, Num(grain) if places >= 0 else Num(1, grain))
    whole = Num(_whole_term(z3, grown.numerator, grown.denominator, mode))
    return product(whole, Num(1, grain) if places >= 0 else Num(grain))


def _whole_term(z3: ModuleType, n: Whole, d: Whole, mode: str) -> Whole:
    """n / d rounded to a whole number; d is positive."""
    lower, upper = floor_div(n, d), -floor_div(-n, d)
    nearest_up, nearest_down = floor_div(2 * n + d, 2 * d), -floor_div(d - 2 * n, 2 * d)
    negative: Truth = n < 0
    match mode:
        case "floor":
            return lower
        case "ceiling":
            return upper
        case "down":
            return choose_whole(z3, negative, upper, lower)
        case "up":
            return choose_whole(z3, negative, lower, upper)
        case "half_up":
            return choose_whole(z3, negative, nearest_down, nearest_up)
        case "half_down":
            return choose_whole(z3, negative, nearest_up, nearest_down)
        case "half_even":
            return choose_whole(z3, floor_mod(nearest_down, 2) == 0, nearest_down, nearest_up)
        case _:
            raise ValueError(f"no rounding mode {mode!r}")


def _encode(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return round_term(z3, terms[0], *places_and_mode(options))


def _phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    places, mode = places_and_mode(options)
    unit = types[0].unit if types and isinstance(types[0], NumberType) else PLAIN
    return f"{grouped(arguments[0])} rounded {rounding_words(places, mode, unit)}"


def rounding_words(places: int, mode: str, unit: Unit = PLAIN) -> str:
    """`to 2 decimal places in EUR (halves rounded away from zero)`, `to a whole number of months (rounded down)`."""
    name = "per cent" if unit.symbol == "%" else unit_text(unit)
    if places > 0:
        grain = f"to {places} decimal place{'' if places == 1 else 's'}{name and f' in {name}'}"
    elif places == 0:
        grain = "to a whole percentage" if unit.symbol == "%" else f"to a whole number{name and f' of {name}'}"
    else:
        grain = f"to a multiple of {10**-places:,}{name and f' {name}'}"
    return f"{grain} ({MODE_WORDS[mode]})"


def _examples() -> tuple[Example, ...]:
    """Both sides of zero, on and off a tie, in every mode."""
    tie, eighth = Fraction(5, 2), Fraction(1, 8)
    outcomes = {
        "half_up": (3, -3, "0.13"),
        "half_even": (2, -2, "0.12"),
        "half_down": (2, -2, "0.12"),
        "up": (3, -3, "0.13"),
        "down": (2, -2, "0.12"),
        "floor": (2, -3, "0.12"),
        "ceiling": (3, -2, "0.13"),
    }
    rows = []
    for mode, (positive, negative, cents) in outcomes.items():
        rows.append(Example((tie,), positive, (0, mode)))
        rows.append(Example((-tie,), negative, (0, mode)))
        rows.append(Example((eighth,), canonical(Fraction(cents)), (2, mode)))
        rows.append(Example((-7,), -7, (0, mode)))
    return (*rows, Example((1500,), 2000, (-3, "half_up")), Example((tie,), 3))


ROWS = (
    Operator(
        name="round",
        signature=_signature,
        apply=_apply,
        encode=_encode,
        phrase=_phrase,
        examples=_examples(),
        shown=True,
    ),
)
