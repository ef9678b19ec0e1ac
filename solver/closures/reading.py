"""An expression to a closure: the same values as the interpreter's, and undefined where its are.

What reads one place alone is worked out once for each value of it; then a row needs one look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import reduce
from typing import Any, assert_never

from unco.solver.closures import days, rows
from unco.solver.closures.junctions import both, chosen, junction, opposite
from unco.solver.closures.members import over_members
from unco.solver.closures.parts import Atom, Frame, Name, Number, Part, ReadNumber, Row, Sum, Truth, alone, certain
from unco.solver.closures.rounding import rounded
from unco.solver.closures.sums import (
    is_zero,
    made_of,
    not_negative,
    plus,
    positive,
    product,
    quotient,
    scaled,
    times,
    together,
    without_quotient,
)
from unco.solver.operators.operator import Undefined
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, NumberDomain
from unco.specs.expression import (
    THIS_MEMBER,
    Aggregate,
    Apply,
    Constant,
    Expression,
    ParameterReference,
    Reference,
    Table,
    scale_of,
)
from unco.specs.family import Slot
from unco.specs.values import DateType, Value

MOST_TABULATED = 32_768
"""A place with at most so many values is tabulated."""


class Reading:
    """Reads expressions in one frame; `compared` are the differences whose sign some comparison asks for."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.compared: list[Sum] = []

    def truth(self, expression: Expression) -> Truth:
        """A Boolean expression."""
        part = self.part(expression)
        if not isinstance(part, Truth):
            raise TypeError(f"not a Boolean: {expression}")
        return part

    def number(self, expression: Expression) -> Sum:
        """A number in base units, or a day by its number."""
        part = self.part(expression)
        if not isinstance(part, Sum):
            raise TypeError(f"not a number: {expression}")
        return part

    def part(self, expression: Expression, member: int = 0, *, inside: bool = False) -> Part:
        """Any expression; `inside` one that is tabulated as a whole, its parts are not."""
        match expression:
            case Constant(value):
                return _known(value)
            case Reference(attribute, at, context):
                number = member if at == THIS_MEMBER else at
                return self._place(self.frame.position[Slot(attribute, number, context)])
            case ParameterReference(name):
                return self._place(self.frame.position[name])
            case Apply() | Aggregate():
                alone_ = not inside and self._reads_one(expression, member)
                made = self._made(expression, member, inside=inside or alone_)
                return self._tabulated(made) if alone_ else made
            case _:
                assert_never(expression)

    def _place(self, place: int) -> Part:
        domain, reads = self.frame.domains[place], frozenset((place,))
        match domain:
            case NumberDomain():
                scale = domain.unit.scale
                return Sum(domain.low * scale, ((place, domain.step * scale),))
            case DateDomain():
                return Sum(Fraction(domain.low.toordinal()), ((place, Fraction(1)),))
            case BooleanDomain():
                return Truth(lambda row: row[place], reads)
            case CategoryDomain():
                names = domain.values
                return Name(lambda row: names[row[place]], reads)

    def _reads_one(self, expression: Expression, member: int) -> bool:
        places = {place for each in _leaves(expression, member) for place in [self.frame.position[each]]}
        return len(places) == 1 and self.frame.domains[min(places)].size <= MOST_TABULATED

    def _tabulated(self, part: Part) -> Part:
        """The part as a table over its one place; as it is where it is a plain sum, or somewhere undefined."""
        if len(part.reads) != 1 or (isinstance(part, Sum) and not part.atoms):
            return part
        (place,) = part.reads
        read, scale = scaled(part) if isinstance(part, Sum) else (part.read, 1)
        row, values = [0] * len(self.frame.domains), []
        try:
            for number in range(self.frame.domains[place].size):
                row[place] = number
                values.append(read(row))
        except Undefined:
            return part
        return _table(part, place, values, scale)

    def _made(self, expression: Apply | Aggregate, member: int, *, inside: bool) -> Part:
        if isinstance(expression, Aggregate):
            size = self.part(expression.size, member, inside=inside)
            members = range(1, expression.maximum + 1)
            bodies = [self.part(expression.body, number, inside=inside) for number in members]
            return over_members(expression.operator, _sum(size), bodies, self.frame)
        parts = [self.part(argument, member, inside=inside) for argument in expression.arguments]
        return self._applied(expression, parts)

    def _applied(self, node: Apply, parts: list[Part]) -> Part:
        operator, options = node.operator, node.options
        match operator:
            case "and" | "or":
                return junction(operator, [_truth(part) for part in parts])
            case "not":
                return opposite(_truth(parts[0]))
            case "if":
                return chosen(_truth(parts[0]), parts[1], parts[2])
            case "==" | "!=" | "<" | "<=" | ">" | ">=" | "between" | "in":
                return self._compared(operator, parts)
            case "lookup":
                return rows.looked_up(_table_of(node), parts[0])
        numbers = [_sum(part) for part in parts]
        match operator:
            case "+" | "-":
                sign = 1 if operator == "+" else -1
                if isinstance(node.type, DateType):
                    return days.moved(numbers[0], numbers[1], sign, self.frame)
                return plus(numbers[0], numbers[1], sign)
            case "sum":
                return reduce(plus, numbers)
            case "*":
                return product(numbers[0], numbers[1])
            case "negate":
                return times(numbers[0], -1)
            case "/":
                return quotient(numbers[0], numbers[1])
            case "percent_change":
                return quotient(plus(numbers[1], numbers[0], -1), numbers[0])
            case "weighted_mean":
                weighted = [product(value, weight) for value, weight in zip(numbers[::2], numbers[1::2], strict=True)]
                return quotient(reduce(plus, weighted), reduce(plus, numbers[1::2]))
            case "//" | "mod":
                return _divided(operator, numbers[0], numbers[1])
            case "abs" | "min" | "max":
                return _extreme(operator, numbers)
            case "round":
                scale, (places, mode) = scale_of(node.type), _rounding(options)
                read = rounded(times(numbers[0], 1 / scale), places, mode)
                return times(made_of(read, 1, (numbers[0],), whole=True), scale / Fraction(10) ** places)
            case "tiered":
                return rows.tiered(_table_of(node), numbers[0])
            case "days_between":
                return times(plus(numbers[1], numbers[0], -1), days.DAY)
            case "years_between" | "months_between":
                return days.counted(numbers[0], numbers[1], 12 if operator == "years_between" else 1, _mode(options))
            case "add_months":
                return days.add_months(numbers[0], numbers[1], _mode(options))
            case "month_start":
                return days.month_start(numbers[0])
            case "month_end":
                return days.month_end(numbers[0])
            case _:
                raise ValueError(f"no operator {operator!r}")

    # Comparisons

    def _compared(self, operator: str, parts: list[Part]) -> Truth:
        first = parts[0]
        match operator:
            case "between":
                return both(self._ordered("<=", parts[1], first), self._ordered("<=", first, parts[2]))
            case "in":
                return self._among(first, parts[1:])
            case "==":
                return self._equal(first, parts[1])
            case "!=":
                return opposite(self._equal(first, parts[1]))
            case _:
                return self._ordered(operator, first, parts[1])

    def _difference(self, left: Sum, right: Sum) -> Sum:
        difference = plus(left, right, -1)
        self.compared.append(without_quotient(difference) or difference)
        return difference

    def _ordered(self, sign: str, left: Part, right: Part) -> Truth:
        difference = self._difference(_sum(left), _sum(right))
        least = times(difference, -1) if sign in ("<", "<=") else difference
        return (not_negative if sign in ("<=", ">=") else positive)(least, self.frame)

    def _equal(self, left: Part, right: Part) -> Truth:
        if isinstance(left, Sum) and isinstance(right, Sum):
            return is_zero(self._difference(left, right), self.frame)
        one, other = _value_of(left), _value_of(right)
        return Truth(lambda row: one(row) == other(row), left.reads | right.reads, left.total and right.total)

    def _among(self, first: Part, others: list[Part]) -> Truth:
        """Whether the first equals one of the others, all of which must be defined."""
        equal = [self._equal(first, other) for other in others]
        if all(each.total for each in equal):
            return junction("or", equal)
        reads = [each.read for each in equal]
        every = frozenset[int]().union(*(each.reads for each in equal))
        return Truth(lambda row: True in [bool(read(row)) for read in reads], every, False)


def _known(value: Value) -> Part:
    if isinstance(value, bool):
        return certain(value)
    if isinstance(value, str):
        return Name(lambda row: value, frozenset())
    return Sum(Fraction(value if isinstance(value, int | Fraction) else value.toordinal()))


def _leaves(expression: Expression, member: int) -> Iterator[Slot | str]:
    """Every cell and every parameter that an expression reads for a member at hand."""
    match expression:
        case Reference(attribute, at, context):
            yield Slot(attribute, member if at == THIS_MEMBER else at, context)
        case ParameterReference(name):
            yield name
        case Apply(arguments=arguments):
            for argument in arguments:
                yield from _leaves(argument, member)
        case Aggregate(size=size, body=body, maximum=maximum):
            yield from _leaves(size, member)
            for number in range(1, maximum + 1):
                yield from _leaves(body, number)


def _table(part: Part, place: int, values: list[Any], scale: int) -> Part:
    reads = frozenset((place,))
    match part:
        case Truth():
            truths = bytes(map(bool, values))
            if len(set(truths)) == 1:
                return certain(bool(truths[0]))
            return Truth(lambda row: truths[row[place]], reads, junction=part.junction, parts=part.parts)
        case Name():
            return Name(lambda row: values[row[place]], reads)
        case Sum():
            whole = all(isinstance(value, int) for value in values)
            return times(alone(Atom(lambda row: values[row[place]], reads, whole=whole)), Fraction(1, scale))


def _divided(operator: str, left: Sum, right: Sum) -> Sum:
    (top, bottom), scale = together(left, right)

    def below(row: Row) -> Number:
        number = bottom(row)
        if not number:
            raise Undefined("division by zero")
        return number

    if operator == "//":
        return made_of(lambda row: int(top(row) // below(row)), 1, (left, right), total=False, whole=True)
    return made_of(lambda row: top(row) % below(row), scale, (left, right), total=False)


def _extreme(operator: str, numbers: list[Sum]) -> Sum:
    reads, scale = together(*numbers)
    if operator == "abs":
        return made_of(_magnitude(reads[0]), scale, tuple(numbers))
    fold: Callable[..., Any] = min if operator == "min" else max
    if len(reads) == 2:
        first, second = reads
        return made_of(lambda row: fold(first(row), second(row)), scale, tuple(numbers))
    return made_of(lambda row: fold([read(row) for read in reads]), scale, tuple(numbers))


def _magnitude(read: ReadNumber) -> ReadNumber:
    def magnitude(row: Row) -> Number:
        number = read(row)
        return number if number >= 0 else -number

    return magnitude


def _value_of(part: Part) -> Callable[[Row], Any]:
    """The reader of a truth or a name, truths as `bool`."""
    read = part.read if isinstance(part, Truth | Name) else None
    if read is None:
        raise TypeError("a number is compared with something else")
    return (lambda row: bool(read(row))) if isinstance(part, Truth) else read


def _truth(part: Part) -> Truth:
    if not isinstance(part, Truth):
        raise TypeError("not a Boolean")
    return part


def _sum(part: Part) -> Sum:
    if not isinstance(part, Sum):
        raise TypeError("not a number")
    return part


def _table_of(node: Apply) -> Table:
    table = node.options[0]
    if not isinstance(table, Table):
        raise TypeError(f"not a table: {table!r}")
    return table


def _mode(options: tuple[Any, ...]) -> str:
    return str(options[0]) if options else "down"


def _rounding(options: tuple[Any, ...]) -> tuple[int, str]:
    return options[0] if options else 0, options[1] if len(options) > 1 else "half_up"
