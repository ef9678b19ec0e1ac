"""The encoder: the term of an expression, and where it is defined. The interpreter's twin.

Terms hold numbers in base units. What is known folds away, so that a ground expression never reaches the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, assert_never

from unco.solver.any_term import same
from unco.solver.number_terms import at_most, is_whole, product
from unco.solver.operators.operator import everywhere
from unco.solver.operators.rounding import round_term
from unco.solver.operators.table import OPERATORS
from unco.solver.operators.tables import constant_term
from unco.solver.terms import Choice, Day, Num, Term, Truth, conjunction, implication, truth
from unco.solver.variables import Variable, declare
from unco.specs.expression import (
    THIS_MEMBER,
    Aggregate,
    Apply,
    Constant,
    Expression,
    ParameterReference,
    Reference,
    scale_of,
)
from unco.specs.family import Slot
from unco.specs.values import Type, Value

__all__ = ["Encoder", "Term", "Variable", "declare", "equal", "literal", "round_term", "stored", "truth"]


def literal(z3: ModuleType, value: Value, type_: Type, ctx: Any = None) -> Term:
    """The term of a known value; numbers in base units."""
    term = constant_term(value, type_)
    return term if isinstance(term, Num | Day | Choice) else truth(z3, term, ctx)


def stored(z3: ModuleType, value: Value, type_: Type, ctx: Any = None) -> Term:
    """The term, in base units, of a value as stored: in the unit of its type."""
    term = literal(z3, value, type_, ctx)
    return _rescaled(term, type_, up=True) if isinstance(term, Num) else term


def equal(z3: ModuleType, left: Term, right: Term, ctx: Any = None) -> Any:
    """Whether two terms of one type are equal, as z3 has it."""
    return truth(z3, same(z3, left, right), ctx)


class Encoder:
    """Encodes expressions about one candidate, whose cells it reads as terms in base units."""

    def __init__(
        self,
        z3: ModuleType,
        read_cell: Callable[[Slot], Term],
        read_parameter: Callable[[str], Term],
        ctx: Any = None,
    ) -> None:
        self._z3 = z3
        self._read_cell = read_cell
        self._read_parameter = read_parameter
        self._ctx = ctx

    def encode(self, expression: Expression, member: int = 0) -> Any:
        """The Term of the expression; it means nothing where `defined` is false."""
        term = self.fold(expression, member)
        return term if isinstance(term, Num | Day | Choice) else truth(self._z3, term, self._ctx)

    def defined(self, expression: Expression, member: int = 0) -> Any:
        """SAT iff the expression can have a value: every part that is reached is inside its operator's domain."""
        return truth(self._z3, self.fold_defined(expression, member), self._ctx)

    def fold(self, expression: Expression, member: int = 0) -> Any:
        """As `encode`, but a Boolean that is known stays a bool."""
        match expression:
            case Apply(name, arguments, type_, options):
                terms = tuple(self.fold(argument, member) for argument in arguments)
                return self._applied(name, terms, type_, options)
            case Reference(attribute, at, context):
                return self._read(self._read_cell(Slot(attribute, member if at == THIS_MEMBER else at, context)))
            case Constant(value, type_):
                return constant_term(value, type_)
            case ParameterReference(name):
                return self._read(self._read_parameter(name))
            case Aggregate(name, _, size, maximum, body):
                bodies = (self.fold(body, number) for number in range(1, maximum + 1))
                return OPERATORS[name].encode(self._z3, (self.fold(size, member), *bodies), ())
            case _:
                assert_never(expression)

    def _read(self, term: Term) -> Term:
        """The term as read, a Boolean that is known as a bool."""
        if isinstance(term, Num | Day | Choice | bool):
            return term
        return True if self._z3.is_true(term) else False if self._z3.is_false(term) else term

    def _applied(self, name: str, terms: tuple[Any, ...], type_: Type, options: Any) -> Term:
        operator = OPERATORS[name]
        if not operator.shown:
            return operator.encode(self._z3, terms, options)
        shown = tuple(_rescaled(term, type_, up=False) for term in terms)
        return _rescaled(operator.encode(self._z3, shown, options), type_, up=True)

    def fold_defined(self, expression: Expression, member: int = 0) -> Truth:
        """As `defined`, but what is known stays a bool."""
        match expression:
            case Apply("and", arguments):
                return self._guarded(arguments, member, stops_at=False)
            case Apply("or", arguments):
                return self._guarded(arguments, member, stops_at=True)
            case Apply("if", (condition, then, otherwise)):
                return self._branches(condition, then, otherwise, member)
            case Apply(name, arguments, _, options):
                parts = self._all_defined(arguments, member)
                operator = OPERATORS[name]
                if operator.defined is everywhere or parts is False:
                    return parts
                terms = tuple(self.fold(argument, member) for argument in arguments)
                return conjunction(self._z3, (parts, operator.defined(self._z3, terms, options)))
            case Aggregate():
                return self._aggregate_defined(expression, member)
            case _:
                return True

    def _all_defined(self, parts: Iterable[Expression], member: int) -> Truth:
        return conjunction(self._z3, [self.fold_defined(part, member) for part in parts])

    def _guarded(self, parts: tuple[Expression, ...], member: int, stops_at: bool) -> Truth:
        """Each part is defined unless an earlier one stops the evaluation."""
        first, *rest = parts
        if not rest:
            return self.fold_defined(first, member)
        later = self._guarded(tuple(rest), member, stops_at)
        if later is True:
            return self.fold_defined(first, member)
        goes_on = self._holds(first, member) if not stops_at else self._fails(first, member)
        return conjunction(self._z3, (self.fold_defined(first, member), implication(self._z3, goes_on, later)))

    def _branches(self, condition: Expression, then: Expression, otherwise: Expression, member: int) -> Truth:
        """The condition is defined, and so is the branch that it takes."""
        first, second = self.fold_defined(then, member), self.fold_defined(otherwise, member)
        sides = [self.fold_defined(condition, member)]
        if first is not True:
            sides.append(implication(self._z3, self._holds(condition, member), first))
        if second is not True:
            sides.append(implication(self._z3, self._fails(condition, member), second))
        return conjunction(self._z3, sides)

    def _aggregate_defined(self, node: Aggregate, member: int) -> Truth:
        """The size is one that the group can have, and the body is defined for each member that exists."""
        bodies = [self.fold_defined(node.body, number) for number in range(1, node.maximum + 1)]
        size: Any = self.fold(node.size, member)
        sides = [
            self.fold_defined(node.size, member),
            is_whole(size),
            at_most(Num(0), size),
            at_most(size, Num(node.maximum)),
        ]
        for number, body in enumerate(bodies, 1):
            sides.append(implication(self._z3, at_most(Num(number), size), body))
        return conjunction(self._z3, sides)

    def _holds(self, condition: Expression, member: int) -> Truth:
        return self.fold(condition, member)

    def _fails(self, condition: Expression, member: int) -> Truth:
        holds = self._holds(condition, member)
        return not holds if isinstance(holds, bool) else self._z3.Not(holds)


def _rescaled(term: Any, type_: Type, up: bool) -> Num:
    """A number in base units from the shown unit (`up`), or the other way."""
    scale = scale_of(type_)
    factor = Num(scale.numerator, scale.denominator) if up else Num(scale.denominator, scale.numerator)
    return product(term, factor)
