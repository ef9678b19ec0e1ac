"""Units of measurement: their text, their exact scale, their conversion and their display.

A unit text is `NAME`, `NAME per NAME` or `NAME/NAME`; the names are those of units.txt, `%`, and the author's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from unco.specs.values import PERCENT, Dimension, Unit

if TYPE_CHECKING:
    import pint

LONGEST_UNIT = 100
"""Characters in a unit text."""

NO_UNITS: Mapping[str, str | None] = MappingProxyType({})
_UNIT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*|%)(?:(?:[ ]+per[ ]+|[ ]*/[ ]*)([A-Za-z_][A-Za-z0-9_]*))?")
_IRREGULAR = MappingProxyType({"inch": "inches", "foot": "feet"})
_SIGNS = MappingProxyType(
    {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "m²": "m2", "m³": "m3", "km²": "km2", "°C": "celsius"}
)


class UnknownUnit(ValueError):  # noqa: N818
    """A unit text that names no unit: `name` is the part that is not known, `matches` are names close to it."""

    def __init__(self, text: str, name: str, matches: tuple[str, ...] = ()) -> None:
        self.text, self.name, self.matches = text, name, matches
        near = (
            f"did you mean {' or '.join(matches)}?"
            if matches
            else "a unit is a text such as `years` or `USD per month`"
        )
        super().__init__(f"{name[:60]!r} is not a unit; {near}")


def parse_unit(text: str, author_units: Mapping[str, str | None] = NO_UNITS) -> Unit:
    """The unit that a text such as `years`, `USD per month`, `kg/m3` or `%` names; UnknownUnit otherwise.

    `author_units` maps each counting unit of the author's to its plural (None: with an `s`).
    Its symbol is the text in one form: `USD per month`, the first word in the plural, the second in the singular.
    """
    match = _UNIT.fullmatch(text.strip(" ")) if len(text) <= LONGEST_UNIT else None
    if match is None:
        raise UnknownUnit(text, text, _near(text, author_units))
    head, tail = match.groups()
    above = _single(text, head, author_units)
    if tail is None:
        return above
    below = _single(text, tail, author_units)
    symbol = f"{above.symbol} per {_singular(tail, author_units)}"
    return Unit(_quotient(above.dimension, below.dimension), above.scale / below.scale, symbol)


def convert(value: Fraction, from_: Unit, to: Unit) -> Fraction:
    """The value, given in one unit, in another of the same dimension; ValueError where the dimensions differ."""
    if from_.dimension != to.dimension:
        raise ValueError(f"{from_.symbol or 'a plain number'} cannot become {to.symbol or 'a plain number'}")
    return value * from_.scale / to.scale


def unit_name(symbol: str, count: Fraction | int, author_units: Mapping[str, str | None] = NO_UNITS) -> str:
    """The symbol as it stands after a number: `1 year`, `12 years`, `1 term per year`, `12 USD`, `12 kWh`."""
    head, per, tail = symbol.partition(" per ")
    word = _singular(head, author_units) if abs(count) == 1 else _plural(head, author_units)
    return f"{word}{per}{tail}"


def unit_names() -> tuple[str, ...]:
    """Every name that a unit of the language has, the author's own apart, in alphabetical order."""
    return tuple(sorted({*_registry_names(), "percent"}))


def _single(text: str, name: str, author_units: Mapping[str, str | None]) -> Unit:
    own = _singular(name, author_units)
    if own in author_units:
        return Unit(((f"unit:{own}", 1),), Fraction(1), _plural(own, author_units))
    if name in ("%", "percent"):
        return PERCENT
    if name not in _registry_names():
        raise UnknownUnit(text, name, _near(name, author_units))
    dimension, scale = _measure(name)
    return Unit(dimension, scale, _plural(name, author_units))


def _quotient(above: Dimension, below: Dimension) -> Dimension:
    exponents = dict(above)
    for name, exponent in below:
        exponents[name] = exponents.get(name, 0) - exponent
    return tuple(sorted((name, exponent) for name, exponent in exponents.items() if exponent))


def _singular(word: str, author_units: Mapping[str, str | None]) -> str:
    for name, plural in author_units.items():
        if word in (name, plural or f"{name}s"):
            return name
    return _word_singulars().get(word, word)


def _plural(word: str, author_units: Mapping[str, str | None]) -> str:
    name = _singular(word, author_units)
    if name in author_units:
        return author_units[name] or f"{name}s"
    return _word_plurals().get(word, word)


def _near(name: str, author_units: Mapping[str, str | None]) -> tuple[str, ...]:
    """Up to three known names like this one; the same letters in another case come first."""
    if len(name) > LONGEST_UNIT:
        return ()
    for sign, code in _SIGNS.items():
        if sign in name:
            return (code,)
    known = [*author_units, *_registry_names(), "percent"]
    same = [other for other in known if other.lower() == name.lower()]
    return tuple(dict.fromkeys([*same, *get_close_matches(name, known, n=3)]))[:3]


@cache
def _registry() -> pint.UnitRegistry[Fraction]:
    """pint's reading of units.txt: about a third of a second, once a process."""
    import pint

    with resources.as_file(resources.files("unco.specs") / "units.txt") as path:
        return pint.UnitRegistry(path, non_int_type=Fraction, cache_folder=None, on_redefinition="raise")


@cache
def _registry_names() -> frozenset[str]:
    return frozenset(_registry())


@cache
def _measure(name: str) -> tuple[Dimension, Fraction]:
    """The dimension of a name of units.txt and its exact scale in base units. Ask only for names that are listed."""
    registry: Any = _registry()
    scale, _ = registry.get_root_units(registry.UnitsContainer({name: 1}))
    powers = registry.get_dimensionality(registry.UnitsContainer({name: 1}))
    dimension = tuple(sorted((base.strip("[]"), int(power)) for base, power in powers.items()))
    return dimension, Fraction(scale)


@cache
def _word_plurals() -> Mapping[str, str]:
    """Singular words of units.txt with their plurals; a name without a listed plural is a symbol and is not here."""
    names = _registry_names()
    plurals = {name: _IRREGULAR.get(name, f"{name}s") for name in names}
    return MappingProxyType({name: plural for name, plural in sorted(plurals.items()) if plural in names})


@cache
def _word_singulars() -> Mapping[str, str]:
    return MappingProxyType({plural: name for name, plural in _word_plurals().items()})
