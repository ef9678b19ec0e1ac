"""cvc5 with the rules of the family read once, as SMT-LIB text, and one solver for all its instances.

The text is that of our encoder. What is known of an instance comes in as assumptions, made of cvc5's own terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any

from benchmarks.engines.answer import Answer, Gold, hidden_cells
from unco.solver.encode import Variable
from unco.solver.space import Space
from unco.specs.domains import Domain
from unco.specs.family import Family
from unco.specs.instance import Instance
from unco.specs.values import Value

UNITS = 200_000
"""cvc5's resource units a question may take; beyond, it has no verdict."""


def ready(family: Family) -> _Cvc5:
    """Reads the rules."""
    return _Cvc5(family)


class _Cvc5:
    def __init__(self, family: Family) -> None:
        import cvc5

        self.cvc5, self.family = cvc5, family
        self.hidden = tuple(hidden_cells(family))
        self.solver = _solver(cvc5)
        manager = cvc5.SymbolManager(self.solver.getTermManager())
        space = Space(family)
        parser = cvc5.InputParser(self.solver, manager)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "\n".join(_text(space)), family.name)
        while not (command := parser.nextCommand()).isNull():
            command.invoke(self.solver, manager)
        self.term = self._reader(parser)
        numbers = range(family.candidates)
        self.eligible = [self.term(f"eligible.{number}") for number in numbers]
        self.results = [(self.term(f"numerator.{number}"), self.term(f"denominator.{number}")) for number in numbers]
        self.promise = self.term("promise")
        self.symbols = {cell: self._symbols(space.variable(cell)) for cell in family.cells}
        self.parameters = {name: self._symbols(variable) for name, variable in space.parameters.items()}
        self.fixed = cache(self._fixed)

    def __call__(self, instance: Instance) -> Answer:
        """Full evidence first, then without each role."""
        family = self.family
        values = [
            self.fixed(self.parameters[each.id], each.domain, instance.parameters[each.id])
            for each in family.parameters
        ]
        cells = {
            cell: self.fixed(self.symbols[cell], family.domains[cell.slot], instance.cells[cell])
            for cell in family.cells
        }
        everything = [term for part in (*values, *cells.values()) for term in part]
        if not self.solver.checkSatAssuming(*everything).isSat():
            raise AssertionError(f"{family.name}: cvc5 says that the instance is not legal")
        gold = self._gold()
        other = [self.promise, self._is(gold).notTerm()]
        if not self.solver.checkSatAssuming(*everything, *other).isUnsat():
            raise AssertionError(f"{family.name}: cvc5 sees another answer than {gold}")
        known = [[term for cell, part in cells.items() if cell not in role for term in part] for role in self.hidden]
        shared = [term for part in values for term in part] + other
        return Answer(gold, tuple(self._is_open([*shared, *each]) for each in known))

    def _is_open(self, assumed: Sequence[Any]) -> bool | None:
        found = self.solver.checkSatAssuming(*assumed)
        return None if found.isUnknown() else bool(found.isSat())

    def _gold(self) -> Gold:
        value = self.solver.getValue
        eligible = [number for number, term in enumerate(self.eligible) if value(term).getBooleanValue()]
        if not eligible:
            return None
        (winner,) = eligible
        numerator, denominator = (value(part).getIntegerValue() for part in self.results[winner])
        result = Fraction(numerator, denominator)
        return winner, result.numerator if result.denominator == 1 else result

    def _is(self, gold: Gold) -> Any:
        """The answer is this one."""
        make, kinds = self.solver.mkTerm, self.cvc5.Kind
        chosen = gold[0] if gold is not None else None
        parts = [term if number == chosen else term.notTerm() for number, term in enumerate(self.eligible)]
        if gold is not None:
            numerator, denominator = self.results[gold[0]]
            result = Fraction(gold[1])
            sides = ((numerator, result.denominator), (denominator, result.numerator))
            parts.append(make(kinds.EQUAL, *(make(kinds.MULT, side, self._number(factor)) for side, factor in sides)))
        return make(kinds.AND, *parts)

    def _number(self, number: int) -> Any:
        return self.solver.mkInteger(number)

    def _symbols(self, variable: Variable) -> tuple[Any, ...]:
        return tuple(self.term(symbol.sexpr()) for symbol in variable.symbols)

    def _fixed(self, symbols: tuple[Any, ...], domain: Domain, value: Value) -> tuple[Any, ...]:
        """The variable has this value."""
        if isinstance(value, bool):
            return (symbols[0] if value else symbols[0].notTerm(),)
        parts = (value.year, value.month, value.day) if isinstance(value, date) else (domain.index(value) or 0,)
        equal = self.cvc5.Kind.EQUAL
        return tuple(self.solver.mkTerm(equal, *pair) for pair in zip(symbols, map(self._number, parts), strict=True))

    def _reader(self, parser: Any) -> Any:
        def term(text: str) -> Any:
            parser.setStringInput(self.cvc5.InputLanguage.SMT_LIB_2_6, text, "term")
            return parser.nextTerm()

        return term


def _solver(cvc5: Any) -> Any:
    solver = cvc5.Solver()
    solver.setLogic("QF_NIA")
    for name, value in {"incremental": "true", "produce-models": "true", "rlimit-per": str(UNITS)}.items():
        solver.setOption(name, value)
    return solver


def _text(space: Space) -> Iterator[str]:
    """The rules, in standard SMT-LIB: what is declared, what is asserted, and names for what is asked."""
    variables = [*space.parameters.values(), *(each for one in space.candidates for each in one.variables.values())]
    for symbol in (symbol for each in variables for symbol in each.symbols):
        yield f"(declare-const {symbol.sexpr()} {symbol.sort().sexpr()})"
    for part in space.legal():
        yield f"(assert {part.sexpr()})"
    for number, candidate in enumerate(space.candidates):
        yield f"(define-fun eligible.{number} () Bool {candidate.eligible.sexpr()})"
        for name, part in _named(candidate.result.numerator, candidate.result.denominator).items():
            yield f"(define-fun {name}.{number} () Int {part})"
    yield f"(define-fun promise () Bool (and true {' '.join(part.sexpr() for part in space.promise())}))"


def _named(numerator: Any, denominator: Any) -> Mapping[str, str]:
    """Both as SMT-LIB has it; what is known may be a whole number of Python."""
    parts = {"numerator": numerator, "denominator": denominator}
    return {name: _whole(part) if isinstance(part, int) else part.sexpr() for name, part in parts.items()}


def _whole(number: int) -> str:
    return str(number) if number >= 0 else f"(- {-number})"
