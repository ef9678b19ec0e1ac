"""The eight operations: what form the formula of each must have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from unco.specs.expression import Aggregate, Apply, Constant, Expression, ParameterReference, Reference, walk

Test = Callable[[Expression], bool]


def has_form(operation: str, expression: Expression) -> bool:
    """Whether the outermost operator of the formula is that of the operation."""
    return FORMS[operation][0](expression)


def form_words(operation: str) -> str:
    """The form that an operation asks for, with an example."""
    return FORMS[operation][1]


def outermost(expression: Expression) -> str:
    """The operator at the top of a formula, as an author would name it."""
    match expression:
        case Apply(operator):
            return f"`{operator}` at the top"
        case Aggregate(operator):
            return f"`{'sum' if operator == 'total' else operator}` at the top"
        case _:
            return "no operator at all"


def _varies(expression: Expression) -> bool:
    """Whether the expression depends on a fact or a threshold."""
    return any(isinstance(part, Reference | ParameterReference) for part in walk(expression))


def _applies(*operators: str) -> Test:
    """At the top stands one of the operators, with at least two varying parts or one over members."""

    def test(expression: Expression) -> bool:
        return isinstance(expression, Apply) and expression.operator in operators and _varies(expression)

    return test


def _is_sum(expression: Expression) -> bool:
    """A sum of at least two varying or constant terms, or a total over members."""
    if isinstance(expression, Aggregate):
        return expression.operator == "total"
    return _applies("+", "sum")(expression)


def _is_difference(expression: Expression) -> bool:
    return _applies("-", "days_between", "months_between", "years_between")(expression)


def _is_change(expression: Expression) -> bool:
    """A change, or a saving, as a part of one of the two numbers that are compared."""
    match expression:
        case Apply("percent_change") | Apply("-", (Apply("/"), Constant(1))) | Apply("-", (Constant(1), Apply("/"))):
            return _varies(expression)
        case Apply("/", (Apply("-", compared), base)):
            return base in compared and _varies(base)
        case _:
            return False


def _in_a_term(test: Test) -> Test:
    """The test holds at the top, or of a term of a sum or difference at the top."""

    def found(expression: Expression) -> bool:
        if test(expression):
            return True
        additive = isinstance(expression, Apply) and expression.operator in ("+", "-", "sum")
        return additive and any(found(term) for term in expression.arguments)  # type: ignore[union-attr]

    return found


def _is_tiered(expression: Expression) -> bool:
    """`tiered(...)`, or a product with a rate that is looked up."""
    if not isinstance(expression, Apply):
        return False
    if expression.operator == "tiered":
        return True
    return expression.operator == "*" and any(
        isinstance(part, Apply) and part.operator in ("lookup", "tiered") for part in expression.arguments
    )


FORMS: Mapping[str, tuple[Test, str]] = MappingProxyType(
    {
        "sum": (_is_sum, "a sum at the top: `a + b`, `sum(a, b, c)` or `sum(group, x)`"),
        "difference": (_is_difference, "a difference at the top: `a - b` or `days_between(a, b)`"),
        "product": (_applies("*"), "a product at the top: `a * b`"),
        "ratio": (_applies("/", "//"), "a quotient at the top: `a / b`"),
        "weighted_mean": (_applies("weighted_mean"), "`weighted_mean(a: 3, b: 2)` at the top"),
        "percentage_change": (
            _is_change,
            "`percent_change(old, new)`, `(new - old) / old`, `new / old - 1`, or a saving, `(old - new) / old` or "
            "`1 - new / old`, at the top",
        ),
        "capped": (
            _in_a_term(_applies("min", "max")),
            "`min(...)` or `max(...)` at the top or as a term of the sum at the top",
        ),
        "tiered_rate": (
            _in_a_term(_is_tiered),
            "`tiered(table, amount)` or `amount * lookup(table, x)` at the top or as a term of the sum at the top",
        ),
    }
)
