"""Where a rule for days that a month does not have can change a value."""

from __future__ import annotations

from calendar import isleap, monthrange
from datetime import date

from unco.specs.expression import Apply, Constant, Expression

_IN_EVERY_MONTH = 28


def leap_matters(counted: Apply) -> bool:
    """Whether years_between, months_between or add_months asks what counts in a month without the starting day."""
    start, end = (_day(argument) for argument in counted.arguments)
    if start is not None and start.day <= _IN_EVERY_MONTH:
        return False
    match counted.operator:
        case "years_between":
            never = start is not None and start.month != 2
            return not never and (end is None or ((end.month, end.day) == (2, 28) and not isleap(end.year)))
        case "months_between":
            return end is None or end.day == monthrange(end.year, end.month)[1] < 31
        case _:
            return True


def _day(expression: Expression) -> date | None:
    value = expression.value if isinstance(expression, Constant) else None
    return value if isinstance(value, date) else None
