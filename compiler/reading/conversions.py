"""The section of conversions, held against the units that the rules of a family let meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.numerals import parts_of, read_amount
from unco.compiler.reading.sections import UNITS, Sections
from unco.compiler.reading.subject_matter import Matter
from unco.specs.expression import Aggregate, Apply, Expression, Table
from unco.specs.values import Dimension, NumberType, Type, Unit

WHERE = "instructions"
_EXACT_RULE = "Values in different units are converted exactly before they are compared or combined."
_MEASURED = {"days_between": ("clock", 86_400), "years_between": ("calendar", 12), "months_between": ("calendar", 1)}
_UNITLESS = frozenset({"//", "percent_change", "count", "add_months", "month_start", "month_end"})

Measure = tuple[Dimension, Fraction]
"""What a unit measures, and how many base units it is."""
Factors = tuple[tuple[Measure, int], ...]
"""The units that a number is stated in, each with its exponent, in order, none with 0."""
Need = tuple[Measure, Measure]


def units(found: Sections, matter: Matter) -> Iterator[Discrepancy]:
    """Conversions: each is true, and they lead from each unit to every other that the rules let it meet."""
    needs = sorted(set(_needs(matter)), key=repr)
    lines = list(found.of(UNITS))
    if not needs and not lines:
        return
    if _EXACT_RULE in lines:
        lines.remove(_EXACT_RULE)
    else:
        yield Discrepancy("missing", WHERE, "the rule of conversion", expected=_EXACT_RULE)
    links: list[set[Measure]] = []
    for line in lines:
        sides = [
            read_amount(side, matter.words.units) for side in line.removeprefix("- ").removesuffix(".").split(" is ")
        ]
        match sides:
            case [(left, Unit() as one), (right, Unit() as other)]:
                if one.dimension != other.dimension or left * one.scale != right * other.scale:
                    yield Discrepancy("altered", WHERE, "a conversion of units", line, "a true conversion", line)
                links = _linked(links, {(one.dimension, one.scale), (other.dimension, other.scale)})
            case _:
                yield matter.giveaways.stray(WHERE, line)
    for need in needs:
        if not any(link.issuperset(need) for link in links):
            yield Discrepancy("missing", WHERE, "a conversion of units", expected=" to ".join(_told(need, matter)))
    doubled = [line for line, times in Counter(lines).items() if times > 1]
    yield from (Discrepancy("added", WHERE, "a conversion of units", "it twice", "it once", line) for line in doubled)


def _linked(links: list[set[Measure]], new: set[Measure]) -> list[set[Measure]]:
    joined = new.union(*(link for link in links if link & new))
    return [*(link for link in links if not link & new), joined]


def _told(need: Need, matter: Matter) -> Iterator[str]:
    for measure in need:
        names = [word for word, unit in matter.words.units.items() if (unit.dimension, unit.scale) == measure]
        yield min(names, default=f"{measure}")


def _needs(matter: Matter) -> Iterator[Need]:
    """Each two units of one dimension that stay beside each other when a rule is worked out."""
    family = matter.family
    for rule in (*family.conditions, *family.consistency):
        yield from _inside(rule.expression)
    yield from _inside(family.calculation.expression)
    yield from _between(_factors(family.calculation.expression), _stated(NumberType(family.calculation.unit)))


def _inside(expression: Expression) -> Iterator[Need]:
    parts = _parts(expression)
    for part in parts:
        yield from _inside(part)
    for group in _meeting(expression, parts):
        yield from (need for place in range(1, len(group)) for need in _between(group[place - 1], group[place]))


def _parts(expression: Expression) -> tuple[Expression, ...]:
    if isinstance(expression, Aggregate):
        return (expression.body,)
    return expression.arguments if isinstance(expression, Apply) else ()


def _meeting(expression: Expression, parts: Sequence[Expression]) -> Iterable[list[Factors]]:
    """Groups of numbers that have to be in the same units."""
    if not isinstance(expression, Apply):
        return []
    told = [_factors(part) for part in parts]
    tables = [option for option in expression.options if isinstance(option, Table)]
    if tables:
        return [[told[0], _stated(tables[0].key)]]
    if expression.operator == "weighted_mean":
        return [told[::2], told[1::2]]
    if expression.operator == "if":
        return [told[1:]]
    return [] if expression.operator in ("*", "/", *_MEASURED, "add_months") else [told]


def _factors(expression: Expression) -> Factors:
    """The units that a number is in once like units are cancelled."""
    parts = _parts(expression)
    if isinstance(expression, Aggregate):
        return () if expression.operator == "count" else _factors(parts[0])
    if not isinstance(expression, Apply) or not isinstance(expression.type, NumberType):
        return _stated(expression.type) if not isinstance(expression, Apply) else ()
    name = expression.operator
    tables = [option for option in expression.options if isinstance(option, Table)]
    if name in _MEASURED:
        dimension, scale = _MEASURED[name]
        return (((((dimension, 1),), Fraction(scale)), 1),)
    if name in _UNITLESS:
        return ()
    if tables:
        given = _stated(tables[0].gives)
        return given if name == "lookup" else _times((given, 1), (_factors(parts[0]), 1))
    if name in ("*", "/"):
        signs = (1, 1 if name == "*" else -1)
        return _times(*((_factors(part), sign) for part, sign in zip(parts, signs, strict=True)))
    return _factors(parts[1] if name == "if" else parts[0])


def _stated(type_: Type) -> Factors:
    if not isinstance(type_, NumberType):
        return ()
    return _times(*(((((part.dimension, part.scale), 1),), power) for part, power in parts_of(type_.unit)))


def _times(*parts: tuple[Factors, int]) -> Factors:
    total: dict[Measure, int] = {}
    for factors, power in parts:
        for measure, exponent in factors:
            total[measure] = total.get(measure, 0) + exponent * power
    return tuple(sorted((item for item in total.items() if item[1]), key=repr))


def _between(one: Factors, other: Factors) -> Iterator[Need]:
    left = [measure for measure, _ in _times((one, 1), (other, -1))]
    for dimension in sorted({dimension for dimension, _ in left}):
        scales = sorted({scale for each, scale in left if each == dimension})
        yield from (((dimension, high), (dimension, low)) for low, high in pairwise(scales))
