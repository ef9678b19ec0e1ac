"""Builds typed rules as syntax trees, from a source of randomness and the facts that a rule can read.

Every rule type-checks, and has a value for all values of the facts: intervals are carried along, so that divisors are
never zero, tables cover their keys and amounts of tiers are never negative; or a guard stands before the risk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

from unco.solver.operators.fitting import MODES
from unco.specs.printer import print_expression
from unco.specs.scalars import number_text
from unco.specs.syntax import BooleanLiteral, Call, DateLiteral, Name, NumberLiteral, Syntax, TextLiteral

UNITS: Mapping[str, tuple[tuple[str, Fraction], ...]] = {
    "plain": (("", Fraction(1)),),
    "percent": (("%", Fraction(1, 100)),),
    "ratio": (("", Fraction(1)),),
    "money": (("AUD", Fraction(1)),),
    "dollars": (("USD", Fraction(1)),),
    "rate": (("USD per month", Fraction(1)), ("USD per year", Fraction(1, 12))),
    "calendar": (("months", Fraction(1)), ("years", Fraction(12))),
    "clock": (("hours", Fraction(3_600)), ("days", Fraction(86_400))),
    "length": (("m", Fraction(1)), ("km", Fraction(1_000))),
    "bed": (("beds", Fraction(1)),),
}
"""The dimensions of numbers, each with its units and how many base units one of them is."""
DATE_MODES = ("down", "up")
Bound: TypeAlias = Any
"""A Fraction in base units, or a date."""


@dataclass(frozen=True)
class Term:
    """A rule or a part of one: its tree, what sort of value it has, and within which bounds."""

    tree: Syntax
    sort: str
    """`boolean`, `category`, `date`, or a dimension of UNITS."""
    low: Bound = None
    high: Bound = None
    values: tuple[str, ...] = ()
    step: Fraction = Fraction(1)
    group: str = ""
    """The group whose members have this fact."""
    fact: bool = False
    whole: bool = False
    """A whole number of its unit, in every instance."""

    @property
    def text(self) -> str:
        return print_expression(self.tree)


@dataclass(frozen=True)
class Group:
    """A group that a rule can aggregate over."""

    id: str
    maximum: int


class Rules:
    """Draws rules over `facts`; tables that they need are added to `tables` as sections of a specification."""

    def __init__(self, rng: Random, facts: Sequence[Term], groups: Sequence[Group], *, risky: bool = False) -> None:
        self.rng = rng
        self.risky = risky
        """Whether rules may be without a value somewhere."""
        self.facts = tuple(facts)
        self.groups = tuple(groups)
        self.tables: dict[str, dict[str, Any]] = {}
        self.rounding = True
        self._within = ""

    # Truths ----------------------------------------------------------------------------------------------------------

    def truth(self, depth: int) -> Term:
        """A Boolean rule of at most this depth."""
        makers: list[Callable[[int], Term]] = [self._fact_or_comparison]
        if depth > 0:
            makers += [self._junction, self._negation, self._true_if, self._comparison, self._equality, self._choice]
            makers += [self._between, self._guarded, self._guarded, self._looked_up_truth]
            makers += [self._quantified] * 2 if self._offers_members() else []
        return self.rng.choice(makers)(depth - 1)

    def _fact_or_comparison(self, depth: int) -> Term:
        facts = self._known("boolean")
        if facts and self.rng.randrange(2):
            return self.rng.choice(facts)
        if self.rng.randrange(20) == 0:
            return Term(BooleanLiteral(bool(self.rng.randrange(2))), "boolean")
        return self._about(self._any_fact())

    def about(self, fact: Term) -> Term:
        """A short rule that reads one fact and can come out either way."""
        if not fact.group:
            return self._about(fact)
        within, self._within = self._within, fact.group
        body = self._about(fact)
        self._within = within
        operator = self.rng.choice(("any", "all", "count"))
        call = _call(operator, Name(fact.group), body.tree)
        return _truth(
            call if operator != "count" else _call(self.rng.choice((">=", "!=")), call, NumberLiteral(Fraction(1)))
        )

    def clear(self, fact: Term) -> Term:
        """A short rule that some values of the fact meet and others fail."""
        if fact.sort in ("boolean", "category"):
            return self._about(fact)
        threshold = self._threshold(replace(fact, low=fact.low + (fact.step if fact.sort != "date" else _DAY)))
        return _truth(_call(self.rng.choice((">=", "<")), fact.tree, threshold.tree))

    def _about(self, fact: Term) -> Term:
        if fact.sort == "boolean":
            return fact if self.rng.randrange(2) else _truth(_call("not", fact.tree))
        if fact.sort == "category":
            return self._membership(fact)
        if self.rng.randrange(4) == 0:
            return self._in_range(fact) if fact.sort != "date" else self._aged(fact)
        operator = self.rng.choice((">=", "<=", ">", "<", "==", "!="))
        read = self._transformed(fact) if self.rng.randrange(3) == 0 else fact.tree
        looked_up = fact.sort == "date" and self.rng.randrange(4) == 0
        threshold = self._lookup("date", 0) if looked_up else self._threshold(fact)
        return _truth(_call(operator, read, threshold.tree))

    def _aged(self, day: Term) -> Term:
        """A date so many completed months or years before or after another."""
        operator = self.rng.choice(("years_between", "months_between"))
        ends = [day.tree, self._threshold(day).tree]
        span = _call(operator, *self.rng.sample(ends, 2), Name(self.rng.choice(DATE_MODES)))
        return _truth(_call(">=", span, NumberLiteral(Fraction(self.rng.randint(0, 2)), "months")))

    def _transformed(self, fact: Term) -> Syntax:
        """A fact moved by what is rare elsewhere, so that short rules hold it too."""
        if fact.sort == "date":
            return self.rng.choice(
                (_call("month_start", fact.tree), _call("month_end", fact.tree), self._month_later(fact).tree)
            )
        if not self.rounding:
            return fact.tree
        places = NumberLiteral(Fraction(self.rng.randint(0, 1)))
        return _call("round", fact.tree, places, Name(self.rng.choice(MODES)))

    def _membership(self, fact: Term) -> Term:
        chosen = self.rng.sample(fact.values, self.rng.randint(1, len(fact.values) - 1))
        if len(chosen) == 1 and self.rng.randrange(2):
            return _truth(_call(self.rng.choice(("==", "!=")), fact.tree, TextLiteral(chosen[0])))
        inside = _call("in", fact.tree, *(TextLiteral(value) for value in chosen))
        return _truth(inside if self.rng.randrange(2) else _call("not", inside))

    def _in_range(self, fact: Term) -> Term:
        ends = sorted((self._threshold(fact), self._threshold(fact)), key=lambda term: term.low)
        inside = _call("between", fact.tree, *(end.tree for end in ends))
        return _truth(inside if self.rng.randrange(3) else _call("not", inside))

    def _junction(self, depth: int) -> Term:
        operator = self.rng.choice(("and", "or"))
        parts = [self.truth(depth) for _ in range(self.rng.randint(2, 3))]
        return _truth(_flat(operator, parts))

    def _negation(self, depth: int) -> Term:
        return _truth(_call("not", self.truth(depth).tree))

    def _true_if(self, depth: int) -> Term:
        return _truth(_call("if", *(self.truth(depth).tree for _ in range(3))))

    def _comparison(self, depth: int) -> Term:
        sort = self._sort()
        left, right = self.value(sort, depth), self.value(self._partner(sort), depth)
        return _truth(_call(self.rng.choice(("<", "<=", ">", ">=")), left.tree, right.tree))

    def _partner(self, sort: str) -> str:
        return self.rng.choice(("plain", "percent", "ratio")) if sort == "ratio" else sort

    def _equality(self, depth: int) -> Term:
        sort = self.rng.choice((self._sort(), "boolean", "category", "date"))
        operator = self.rng.choice(("==", "!=", "in"))
        left = self.value(sort, depth)
        others = [self._like(left, depth) for _ in range(2 if operator == "in" else 1)]
        return _truth(_call(operator, left.tree, *(other.tree for other in others)))

    def _choice(self, depth: int) -> Term:
        return self._membership(self.value("category", depth))

    def _between(self, depth: int) -> Term:
        value = self.value(self._sort(), depth)
        low, high = self._like(value, depth), self._like(value, depth)
        return _truth(_call("between", value.tree, low.tree, high.tree))

    def _like(self, term: Term, depth: int) -> Term:
        if term.sort == "category":
            chosen = self.rng.choice(term.values)
            return Term(TextLiteral(chosen), "category", values=(chosen,))
        return self.value(term.sort, depth)

    def _guarded(self, depth: int) -> Term:
        """A division that is reached only where its divisor is not zero."""
        sort = self._sort(dates=False)
        above, below = self.value(sort, depth), self.value(sort, depth)
        zero = NumberLiteral(Fraction(0), self.rng.choice(UNITS[sort])[0])
        quotient = _call("/", above.tree, below.tree)
        compared = _call(self.rng.choice((">", "<=")), quotient, NumberLiteral(Fraction(1, 2)))
        match self.rng.randrange(4 if self.risky else 3):
            case 3:
                return _truth(compared)
            case 0:
                return _truth(_call("and", _call("!=", below.tree, zero), compared))
            case 1:
                return _truth(_call("or", _call("==", below.tree, zero), compared))
            case _:
                safe = _call("if", _call("!=", below.tree, zero), quotient, NumberLiteral(Fraction(1)))
                return _truth(_call(">=", safe, NumberLiteral(Fraction(1, 2))))

    def _looked_up_truth(self, depth: int) -> Term:
        return self._lookup("boolean", depth)

    def _quantified(self, depth: int) -> Term:
        operator = self.rng.choice(("any", "all"))
        group, body = self._members(lambda: self.truth(depth))
        return _truth(_call(operator, Name(group.id), body.tree))

    # Values ----------------------------------------------------------------------------------------------------------

    def value(self, sort: str, depth: int) -> Term:
        """A rule of some sort, of at most this depth."""
        match sort:
            case "boolean":
                return self.truth(depth)
            case "category":
                return self._category(depth)
            case "date":
                return self._date(depth)
            case _:
                return self.number(sort, depth)

    def _category(self, depth: int) -> Term:
        facts = self._known("category")
        choice = self.rng.randrange(4) if depth > 0 else 0
        if choice == 1:
            first, second = self._category(depth - 1), self._category(depth - 1)
            values = first.values + tuple(value for value in second.values if value not in first.values)
            if len(values) > 1:
                return Term(_call("if", self.truth(depth - 1).tree, first.tree, second.tree), "category", values=values)
        return self.rng.choice(facts) if facts and choice != 2 else self._lookup("category", max(depth - 1, 0))

    def _date(self, depth: int) -> Term:
        facts = self._known("date")
        if depth <= 0 or self.rng.randrange(4) == 0:
            return self.rng.choice(facts) if facts and self.rng.randrange(4) else self._day()
        if self.rng.randrange(4) == 0:
            return self._lookup("date", depth - 1)
        first = self._date(depth - 1)
        match self.rng.choice(("add_months", "+", "-", "month_start", "month_end", "min", "max", "if")):
            case "add_months":
                return self._month_later(first)
            case "+" | "-" as operator:
                moved = self._whole("clock", 7)
                return _ranged(_call(operator, first.tree, moved.tree), first, first.low - _WIDE, first.high + _WIDE)
            case "month_start" | "month_end" as operator:
                return _ranged(_call(operator, first.tree), first, first.low - _MONTH, first.high + _MONTH)
            case operator:
                second = self._date(depth - 1)
                head = (self.truth(depth - 1).tree,) if operator == "if" else ()
                call = _call(operator, *head, first.tree, second.tree)
                return _ranged(call, first, min(first.low, second.low), max(first.high, second.high))

    def _month_later(self, day: Term) -> Term:
        months = self._whole("calendar", 3)
        mode = () if self.rng.randrange(3) == 0 else (Name(self.rng.choice(DATE_MODES)),)
        call = _call("add_months", day.tree, months.tree, *mode)
        return _ranged(call, day, day.low - _WIDE, day.high + _WIDE)

    def _whole(self, dimension: str, most: int) -> Term:
        """A whole number of months or days, at most 5 years either way."""
        facts = [fact for fact in self._known(dimension) if fact.whole and abs(fact.high) <= 60 * UNITS["clock"][1][1]]
        facts = [fact for fact in facts if dimension == "clock" or abs(fact.high) <= 60]
        facts = self._known(dimension) if self.risky else facts
        if facts and self.rng.randrange(2):
            return self.rng.choice(facts)
        number = NumberLiteral(Fraction(self.rng.randint(0, most)), "months" if dimension == "calendar" else "days")
        return Term(_call("negate", number) if self.rng.randrange(4) == 0 else number, dimension)

    def _day(self) -> Term:
        chosen = date(2024, 2, 26) + timedelta(days=self.rng.randint(0, 9))
        return Term(DateLiteral(chosen), "date", chosen, chosen)

    def number(self, dimension: str, depth: int) -> Term:
        """A numerical rule in some dimension."""
        if dimension == "ratio":
            return self._ratio(max(depth, 1))
        if depth <= 0 or self.rng.randrange(5) == 0:
            facts = self._known(dimension)
            return self.rng.choice(facts) if facts and self.rng.randrange(5) else self.literal(dimension)
        makers: list[Callable[[str, int], Term] | str] = [self._sum, self._difference, self._extreme, self._number_if]
        makers += [self._signed, self._mean, self._modulo, self._scaled, self._lookup, self._divided]
        makers += [self._rounded] * 2 if self.rounding else []
        makers += [self._total] if self._offers_members(dimension) else []
        makers += 2 * list(_OWN.get(dimension, ()))
        return self.rng.choice([_bound(self, maker) for maker in makers])(dimension, depth - 1)

    def literal(self, dimension: str, least: int = 0) -> Term:
        """A constant from `least` to 12, in a unit of the dimension."""
        unit, scale = self.rng.choice(UNITS[dimension])
        value = Fraction(self.rng.randint(2 * least, 24), 2)
        return Term(NumberLiteral(value, unit), dimension, value * scale, value * scale)

    def positive(self, dimension: str, depth: int) -> Term:
        """A number above zero."""
        found = self.number(dimension, depth)
        if found.low > 0:
            return found
        if self.risky and self.rng.randrange(4):
            return replace(found, low=Fraction(1), high=max(found.high, Fraction(1)))
        floor = self.literal(dimension, least=1)
        return _ranged(
            _call("max", found.tree, floor.tree), found, max(found.low, floor.low), max(found.high, floor.high)
        )

    def _sum(self, dimension: str, depth: int) -> Term:
        parts = [self.number(dimension, depth) for _ in range(self.rng.randint(2, 3))]
        call = _call("sum", *(part.tree for part in parts))
        if len(parts) == 2 and self.rng.randrange(3):
            call = _call("+", parts[0].tree, parts[1].tree)
        return Term(call, dimension, sum(part.low for part in parts), sum(part.high for part in parts))

    def _difference(self, dimension: str, depth: int) -> Term:
        left, right = self.number(dimension, depth), self.number(dimension, depth)
        return Term(_call("-", left.tree, right.tree), dimension, left.low - right.high, left.high - right.low)

    def _extreme(self, dimension: str, depth: int) -> Term:
        parts = [self.number(dimension, depth) for _ in range(self.rng.randint(2, 3))]
        operator = self.rng.choice(("min", "max"))
        call = _call(operator, *(part.tree for part in parts))
        return Term(call, dimension, min(part.low for part in parts), max(part.high for part in parts))

    def _number_if(self, dimension: str, depth: int) -> Term:
        first, second = self.number(dimension, depth), self.number(dimension, depth)
        call = _call("if", self.truth(depth).tree, first.tree, second.tree)
        return Term(call, dimension, min(first.low, second.low), max(first.high, second.high))

    def _signed(self, dimension: str, depth: int) -> Term:
        part = self.number(dimension, depth)
        if self.rng.randrange(2):
            return Term(_call("negate", part.tree), dimension, -part.high, -part.low)
        return Term(_call("abs", part.tree), dimension, Fraction(0), max(abs(part.low), abs(part.high)))

    def _mean(self, dimension: str, depth: int) -> Term:
        rows = [(self.number(dimension, depth), self.literal("plain", least=1)) for _ in range(self.rng.randint(1, 2))]
        rows.append((self.number(dimension, depth), self.positive("plain", 0)))
        call = _call("weighted_mean", *(part.tree for row in rows for part in row))
        return Term(call, dimension, min(row[0].low for row in rows), max(row[0].high for row in rows))

    def _modulo(self, dimension: str, depth: int) -> Term:
        left, right = self.number(dimension, depth), self.positive(dimension, depth)
        if self.rng.randrange(3):
            return Term(_call("mod", left.tree, right.tree), dimension, Fraction(0), right.high)
        return Term(_call("mod", left.tree, _call("negate", right.tree)), dimension, -right.high, Fraction(0))

    def _scaled(self, dimension: str, depth: int) -> Term:
        """A share of something, or some times something; plain times percent would be a ratio."""
        shares = ("plain",) if dimension in ("plain", "percent") else ("plain", "percent", "ratio")
        factor, part = self.number(self.rng.choice(shares), min(depth, 1)), self.number(dimension, depth)
        parts = (
            (factor.tree, part.tree) if dimension == "percent" or self.rng.randrange(2) else (part.tree, factor.tree)
        )
        if dimension == "percent":
            return self._sum(dimension, depth)
        ends = [a * b for a in (factor.low, factor.high) for b in (part.low, part.high)]
        return Term(_call("*", *parts), dimension, min(ends), max(ends))

    def _divided(self, dimension: str, depth: int) -> Term:
        if dimension in ("plain", "percent"):
            return self._extreme(dimension, depth)
        above, below = self.number(dimension, depth), self.literal("plain", least=1)
        return Term(_call("/", above.tree, below.tree), dimension, above.low / below.low, above.high / below.low)

    def _rounded(self, dimension: str, depth: int) -> Term:
        part, places = self.number(dimension, depth), self.rng.randint(0, 2)
        widest = max(scale for _, scale in UNITS[dimension])
        call = _call("round", part.tree, NumberLiteral(Fraction(places)), Name(self.rng.choice(MODES)))
        return Term(call, dimension, part.low - widest, part.high + widest)

    def _total(self, dimension: str, depth: int) -> Term:
        group, body = self._members(lambda: self.number(dimension, depth))
        call = _call("sum", Name(group.id), body.tree)
        return Term(call, dimension, min(0, body.low * group.maximum), max(0, body.high * group.maximum))

    def _count(self, dimension: str, depth: int) -> Term:
        if not self._offers_members():
            return self._floored(dimension, depth)
        group, body = self._members(lambda: self.truth(depth))
        return Term(_call("count", Name(group.id), body.tree), "plain", Fraction(0), Fraction(group.maximum))

    def _floored(self, dimension: str, depth: int) -> Term:
        sort = self._sort(dates=False, ratio=False)
        left, right = self.number(sort, depth), self.positive(sort, depth)
        most = max(abs(left.low), abs(left.high)) / right.low + 1
        right_tree = right.tree if self.rng.randrange(3) else _call("negate", right.tree)
        return Term(_call("//", left.tree, right_tree), "plain", -most, most)

    def _change(self, dimension: str, depth: int) -> Term:
        sort = self._sort(dates=False, ratio=False)
        old, new = self.positive(sort, depth), self.number(sort, depth)
        most = (max(abs(new.low), abs(new.high)) + old.high) / old.low
        return Term(_call("percent_change", old.tree, new.tree), "percent", -most, most)

    def _ratio(self, depth: int) -> Term:
        sort = self._sort(dates=False, ratio=False)
        above, below = self.number(sort, depth - 1), self.positive(sort, depth - 1)
        most = max(abs(above.low), abs(above.high)) / below.low
        return Term(_call("/", above.tree, below.tree), "ratio", -most, most)

    def _span(self, dimension: str, depth: int) -> Term:
        """A duration from one date to another."""
        first, last = self._date(depth), self._date(depth)
        mode: tuple[Syntax, ...] = ()
        if dimension == "clock":
            operator, unit = "days_between", 86_400
        else:
            operator, unit = self.rng.choice((("years_between", 1), ("months_between", 1)))
            mode = (Name(self.rng.choice(DATE_MODES)),) if self.rng.randrange(3) else ()
        most = (max(abs((last.high - first.low).days), abs((first.high - last.low).days)) + 62) * Fraction(unit)
        return Term(_call(operator, first.tree, last.tree, *mode), dimension, -most, most)

    def _earned(self, dimension: str, depth: int) -> Term:
        """A rate per time, times a time."""
        rate, time = self.number("rate", depth), self.number("calendar", depth)
        ends = [a * b for a in (rate.low, rate.high) for b in (time.low, time.high)]
        return Term(_call("*", rate.tree, time.tree), "dollars", min(ends), max(ends))

    def tiered(self, dimension: str, depth: int) -> Term:
        """An amount through a schedule of percentages."""
        amount = self.number(dimension, depth)
        if amount.low < 0 and not self.risky:
            amount = Term(_call("abs", amount.tree), dimension, Fraction(0), max(-amount.low, abs(amount.high)))
        unit, scale = self.rng.choice(UNITS[dimension])
        edges = sorted({Fraction(self.rng.randint(1, 12)) for _ in range(self.rng.randint(1, 2))})
        rows: list[dict[str, Any]] = []
        for low, high in zip([Fraction(0), *edges], [*edges, None], strict=True):
            row: dict[str, Any] = {"from" if not rows else "above": _scalar(low)}
            if high is not None:
                row["to"] = _scalar(high)
            elif self.rng.randrange(2):
                row["to"] = _scalar(_ceiling(max(amount.high / scale, low) + 1))
            rows.append({**row, "value": _scalar(Fraction(self.rng.randint(0, 40), 2))})
        name = self._table(_key(dimension, unit), {"type": "percentage"}, rows)
        return Term(_call("tiered", Name(name), amount.tree), dimension, Fraction(0), amount.high)

    # Tables ----------------------------------------------------------------------------------------------------------

    def _lookup(self, sort: str, depth: int) -> Term:
        """A value from a table that covers every key."""
        key = self.value(
            self.rng.choice(("category", "date", "boolean", self._sort(ratio=False))) if self.facts else "date", depth
        )
        gives, values = self._given(sort)
        rows = self._rows(key)
        if self.risky and len(rows) > 1 and self.rng.randrange(2):
            rows.pop(self.rng.randrange(len(rows)))
        for row in rows:
            row["value"] = self.rng.choice(values)
        name = self._table(self._key_section(key, rows), gives, rows)
        tree = _call("lookup", Name(name), key.tree)
        return self._looked_up(sort, tree, gives, [row["value"] for row in rows])

    def lookup(self, sort: str, depth: int) -> Term:
        """A value of some sort, from a table."""
        return self._lookup(sort, depth)

    def _looked_up(self, sort: str, tree: Syntax, gives: Mapping[str, Any], values: Sequence[str]) -> Term:
        match sort:
            case "boolean":
                return Term(tree, sort)
            case "category":
                return Term(tree, sort, values=tuple(gives["values"]))
            case "date":
                days = [date.fromisoformat(value) for value in values]
                return Term(tree, sort, min(days), max(days))
            case _:
                scale = dict(UNITS[sort])[gives.get("unit", "%" if sort == "percent" else "")]
                numbers = [Fraction(value) * scale for value in values]
                return Term(tree, sort, min(numbers), max(numbers))

    def _given(self, sort: str) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The type that a table gives, and values of it."""
        match sort:
            case "boolean":
                return {"type": "boolean"}, ("true", "false")
            case "category":
                return {"type": "category", "values": ["low", "middle", "high"]}, ("low", "middle", "high")
            case "date":
                return {"type": "date"}, ("2024-02-29", "2024-03-31", "2023-12-31")
            case _:
                return _key(sort, self.rng.choice(UNITS[sort])[0]), ("0", "1", "2.5", "8", "-1")

    def _key_section(self, key: Term, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        match key.sort:
            case "category":
                return {"type": "category", "values": list(key.values)}
            case "boolean" | "date":
                return {"type": key.sort}
            case _:
                return _key(key.sort, UNITS[key.sort][-1][0])

    def _rows(self, key: Term) -> list[dict[str, Any]]:
        match key.sort:
            case "category":
                return [{"is": value} for value in key.values]
            case "boolean":
                return [{"is": "true"}, {"is": "false"}]
            case "date":
                return self._bands([key.low + (key.high - key.low) / 2], str, key.low, key.high)
        scale = UNITS[key.sort][-1][1]
        low, high = key.low / scale, key.high / scale
        if key.whole and high - low <= 3 and low.denominator == high.denominator == key.step.denominator == 1 == scale:
            return [{"is": _scalar(low + place)} for place in range(int(high - low) + 1)]
        middle = low + (high - low) / 2
        edges = sorted({_floor(middle), _floor(middle) + self.rng.randint(0, 3)})
        return self._bands(edges, _scalar, min(_floor(low), edges[0]), max(_ceiling(high), edges[-1]))

    def _bands(self, edges: Sequence[Any], write: Callable[[Any], str], low: Any, high: Any) -> list[dict[str, Any]]:
        """Bands without gap or overlap, unbounded at the ends or closed at the ends of the key's interval."""
        closed = [self.rng.randrange(2) == 0 for _ in edges]
        rows: list[dict[str, Any]] = []
        for place in range(len(edges) + 1):
            row: dict[str, Any] = {}
            if place > 0:
                row["above" if closed[place - 1] else "from"] = write(edges[place - 1])
            elif self.rng.randrange(2) and (low < edges[0] or closed[0]):
                row["from"] = write(low)
            if place < len(edges):
                row["to" if closed[place] else "below"] = write(edges[place])
            elif self.rng.randrange(2) and (high > edges[-1] or not closed[-1]):
                row["to"] = write(high)
            rows.append(row)
        return rows

    def _table(self, key: dict[str, Any], gives: dict[str, Any], rows: list[dict[str, Any]]) -> str:
        name = f"table_{len(self.tables) + 1}"
        self.tables[name] = {"label": f"schedule {len(self.tables) + 1}", "key": key, "gives": gives, "rows": rows}
        return name

    # Facts -----------------------------------------------------------------------------------------------------------

    def _known(self, sort: str) -> list[Term]:
        return [fact for fact in self.facts if fact.sort == sort and fact.group in ("", self._within)]

    def _any_fact(self) -> Term:
        facts = [fact for fact in self.facts if fact.group in ("", self._within)]
        return self.rng.choice(facts) if facts else self._day()

    def _sort(self, *, dates: bool = True, ratio: bool = True) -> str:
        """A sort of number, or dates: mostly one that there are facts of."""
        sorts = [fact.sort for fact in self.facts if fact.group in ("", self._within) and fact.sort in UNITS]
        sorts += ["date"] if dates else []
        sorts += ["ratio"] if ratio else []
        return self.rng.choice([*sorts, "plain"])

    def _offers_members(self, dimension: str = "") -> bool:
        """Whether an aggregate can stand here, over a group with a fact of this dimension."""
        return not self._within and any(fact.group and (not dimension or fact.sort == dimension) for fact in self.facts)

    def _members(self, body: Callable[[], Term]) -> tuple[Group, Term]:
        used = {fact.group for fact in self.facts}
        group = self.rng.choice([group for group in self.groups if group.id in used])
        self._within = group.id
        found = body()
        self._within = ""
        return group, found

    def _threshold(self, term: Term) -> Term:
        """A constant at, or a step around, a value that the term can have."""
        if term.sort == "date":
            day = term.low + timedelta(days=self.rng.randint(0, (term.high - term.low).days))
            return Term(DateLiteral(day), "date", day, day)
        steps = max(int((term.high - term.low) / term.step), 0)
        value = term.low + term.step * self.rng.randint(0, steps)
        units = [each for each in UNITS[term.sort] if _is_decimal(value / each[1])]
        unit, scale = self.rng.choice(units or UNITS[term.sort])
        shown = value / scale if units else _floor(value / scale)
        number: Syntax = NumberLiteral(abs(shown), unit)
        return Term(_call("negate", number) if shown < 0 else number, term.sort, shown * scale, shown * scale)


_OWN: Mapping[str, tuple[str, ...]] = {
    "plain": ("_count", "_floored"),
    "percent": ("_change",),
    "money": ("tiered",),
    "dollars": ("_earned",),
    "calendar": ("_span",),
    "clock": ("_span",),
}
"""What makes numbers of one dimension alone."""
_WIDE = timedelta(days=1_900)
_MONTH = timedelta(days=31)
_DAY = timedelta(days=1)


def _bound(rules: Rules, maker: Callable[[str, int], Term] | str) -> Callable[[str, int], Term]:
    return getattr(rules, maker) if isinstance(maker, str) else maker


def _call(operator: str, *arguments: Syntax) -> Call:
    return Call(operator, arguments)


def _truth(tree: Syntax) -> Term:
    return Term(tree, "boolean")


def _ranged(tree: Syntax, like: Term, low: Bound, high: Bound) -> Term:
    return Term(tree, like.sort, low, high)


def _flat(operator: str, parts: Sequence[Term]) -> Call:
    """`and` and `or` as the parser has them: chains are flat."""
    arguments: list[Syntax] = []
    for part in parts:
        nested = isinstance(part.tree, Call) and part.tree.operator == operator
        arguments += part.tree.arguments if nested else (part.tree,)  # type: ignore[union-attr]
    return Call(operator, tuple(arguments))


def _key(dimension: str, unit: str) -> dict[str, Any]:
    """The section of a number's type in a table."""
    kind = {"plain": "decimal", "ratio": "decimal", "percent": "percentage", "money": "money", "dollars": "money"}
    kind |= {"rate": "money", "calendar": "duration", "clock": "duration"}
    section = {"type": kind.get(dimension, "quantity")}
    return section if unit in ("", "%") else {**section, "unit": unit}


def _floor(number: Fraction) -> Fraction:
    return Fraction(number.numerator // number.denominator)


def _ceiling(number: Fraction) -> Fraction:
    return -_floor(-number)


def _is_decimal(number: Fraction) -> bool:
    return 10**6 % number.denominator == 0


def _scalar(number: Fraction) -> str:
    return number_text(number)
