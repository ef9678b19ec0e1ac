"""What a rule comes to for one candidate: true, false or open; a span of numbers; some words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any

from unco.compiler.solving import spans
from unco.compiler.solving.spans import ANYTHING, Span, exactly
from unco.compiler.solving.tables import Row, looked_up, tiered
from unco.compiler.solving.tree import Node
from unco.compiler.solving.units import Dimension
from unco.compiler.solving.unreadable import Unreadable

Known = Span | frozenset[str] | None
"""What is known of a fact: a span, the words that it may be, or nothing."""
Truth = bool | None
"""None: it depends on what is not known."""
MOST_MEMBERS = 200
_NUMERAL = re.compile(r"\d{1,9}")


@dataclass
class World:
    """What is known of one candidate."""

    facts: Mapping[tuple[int, int], Known]
    """By the number of the fact in the task, and the number of the member (0 for the candidate's own)."""
    members: Mapping[int, int]
    """How many members each group has that the records tell of."""
    sizes: Mapping[int, Node]
    """What a text says of the number of members, by group."""
    groups: Mapping[int, int]
    """The group that a fact is told of, by fact; facts of candidates are not in it."""
    tables: Mapping[str, Sequence[Row]]
    heard: Mapping[int, frozenset[str]]
    """All words that records say of a fact, for whatever candidate and in whatever context, and tables list it by."""
    unknown: Span = ANYTHING
    """What a number may be that nobody tells."""
    member: int = 0
    """Of which member a rule is read at this moment."""

    def truth(self, node: Node) -> Truth:
        found = _HANDLERS[node.kind](self, node)
        if not isinstance(found, bool | None):
            raise Unreadable("expected a condition", node.kind)
        return found

    def span(self, node: Node) -> Span:
        """A number, or a day."""
        found = _HANDLERS[node.kind](self, node)
        if found is None:
            return self.unknown
        if not isinstance(found, Span):
            raise Unreadable("expected a number or a day", f"{node.kind}: {found}")
        return found

    def value(self, node: Node) -> Known:
        found: Known = _HANDLERS[node.kind](self, node)
        return found


Handler = Callable[[World, Node], Any]


def _fact(world: World, node: Node) -> Known:
    key = (node.what, world.member if node.what in world.groups else 0)
    if key not in world.facts:
        raise Unreadable("no record tells a fact", str(key))
    return world.facts[key]


def _of_member(world: World, node: Node) -> Known:
    return world.facts[node.parts[0].what, node.what[1]]


def _all(world: World, node: Node) -> Truth:
    found: Truth = True
    for each in node.parts:
        truth = world.truth(each)
        if truth is False:
            return False
        found = None if truth is None else found
    return found


def _any(world: World, node: Node) -> Truth:
    found: Truth = False
    for each in node.parts:
        truth = world.truth(each)
        if truth:
            return True
        found = None if truth is None else found
    return found


def _every(truths: Sequence[Truth]) -> Truth:
    if False in truths:
        return False
    return None if None in truths else True


def _denied(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _compared(of_ends: Callable[[Span, Span], Truth]) -> Handler:
    def compare(world: World, node: Node) -> Truth:
        left, right = (world.span(each) for each in node.parts)
        spans.alike(left, right)
        return of_ends(left, right)

    return compare


def _at_least(left: Span, right: Span) -> Truth:
    if left.low is not None and right.high is not None and left.low >= right.high:
        return True
    return False if left.high is not None and right.low is not None and left.high < right.low else None


def _more_than(left: Span, right: Span) -> Truth:
    return _denied(_at_least(right, left))


def _in(world: World, node: Node) -> Truth:
    found = world.value(node.parts[0])
    others = [world.value(each) for each in node.parts[1:]]
    truths = [_equal(found, other) for other in others]
    if True in truths:
        return True
    if isinstance(found, frozenset) and all(isinstance(other, frozenset) and len(other) == 1 for other in others):
        named = frozenset().union(*(other for other in others if isinstance(other, frozenset)))
        return True if found <= named else None if found & named else False
    return None if None in truths else False


def _is_not(world: World, node: Node) -> Truth:
    """`is not found` may deny `found`, or say `not found` where records have that word: they tell which it is."""
    subject, denied = node.parts
    heard = world.heard.get(subject.what, frozenset()) if subject.kind == "fact" else frozenset()
    if denied.kind == "text" and subject.kind == "fact":
        if f"not {denied.what}" in heard:
            return _equal(world.value(subject), frozenset((f"not {denied.what}",)))
        if denied.what not in heard and len(heard) == 1:
            raise Unreadable("`is not` may deny a word or be part of one", f"is not {denied.what}")
    return _denied(_in(world, node))


def _equal(one: Known, other: Known) -> Truth:
    if one is None or other is None:
        return None
    if isinstance(one, Span) and isinstance(other, Span):
        spans.alike(one, other)
        return _every([_at_least(one, other), _at_least(other, one)])
    if isinstance(one, Span):
        return _equal(other, one)
    if isinstance(other, Span):
        return _names(one, other)
    return one == other if len(one) == len(other) == 1 else None if one & other else False


def _names(words: frozenset[str], span: Span) -> Truth:
    """Whether words say a number: of grades such as `4`, `4-5` and `5`, some are words and some numbers."""
    told = [_equal(Span(Fraction(each), Fraction(each), ()), span) for each in words if _NUMERAL.fullmatch(each)]
    if not told or set(told) == {False}:
        return False
    return told[0] if len(words) == 1 else None


def _same(world: World, node: Node) -> Truth:
    one, other = (world.truth(each) for each in node.parts)
    return None if one is None or other is None else one == other


def _if(world: World, node: Node) -> Known:
    test = world.truth(node.parts[0])
    if test is not None:
        return world.value(node.parts[1 if test else 2])
    return spans.hull(world.span(each) for each in node.parts[1:])


def _either(world: World, node: Node) -> Truth:
    test = world.truth(node.parts[0])
    if test is not None:
        return world.truth(node.parts[1 if test else 2])
    then, otherwise = (world.truth(each) for each in node.parts[1:])
    return then if then == otherwise else None


def _true_or_false(world: World, node: Node) -> Known:
    truth = world.truth(node.parts[0])
    return frozenset(("true", "false")) if truth is None else frozenset(("true" if truth else "false",))


def _cases(world: World, node: Node) -> Known:
    possible = []
    for part in node.parts:
        test = True if part.kind == "otherwise" else world.truth(part.parts[0])
        if test is not False:
            possible.append(world.span(part.parts[-1]))
        if test:
            break
    return spans.hull(possible)


def _members(world: World, node: Node) -> Iterator[tuple[Truth, World]]:
    """The members that a candidate has, and may have, each with the world as it is read for it."""
    size = world.span(node.parts[0] if node.parts else world.sizes[node.what])
    recorded = world.members.get(node.what, 0)
    low = recorded if size.low is None else floor(size.low)
    high = recorded if size.high is None else floor(size.high)
    if high > MOST_MEMBERS:
        raise Unreadable("a group has too many members", str(high))
    for number in range(1, high + 1):
        yield True if number <= low else None, replace(world, member=number)


def _each(world: World, node: Node) -> Truth:
    return _every([_implied(exists, each, node) for exists, each in _members(world, node.parts[0])])


def _implied(exists: Truth, world: World, node: Node) -> Truth:
    truth = world.truth(node.parts[1])
    return truth if exists or truth else None


def _some(world: World, node: Node) -> Truth:
    members = _members(world, node.parts[0])
    return _denied(_every([_missing(exists, each.truth(node.parts[1])) for exists, each in members]))


def _missing(exists: Truth, truth: Truth) -> Truth:
    """Whether a member is none of those for which something holds."""
    return _denied(truth) if exists or truth is False else None


def _count(world: World, node: Node) -> Span:
    truths = [(exists, each.truth(node.parts[1])) for exists, each in _members(world, node.parts[0])]
    sure = sum(1 for exists, truth in truths if exists and truth)
    return Span(Fraction(sure), Fraction(sum(1 for _, truth in truths if truth is not False)), ())


def _total(world: World, node: Node) -> Span:
    found = []
    for exists, each in _members(world, node.parts[0]):
        span = each.span(node.parts[1])
        found.append(span if exists else spans.hull([span, Span(Fraction(0), Fraction(0), span.dimension)]))
    return spans.sum_of(found) if found else Span(Fraction(0), Fraction(0), None)


def _whole_times(world: World, node: Node) -> Span:
    large, small = _exact_pair(world, node)
    return ANYTHING if large is None or small is None else _whole(Fraction(floor(large / small)), ())


def _rest(world: World, node: Node) -> Span:
    dimension = spans.alike(*(world.span(each) for each in node.parts))
    large, small = _exact_pair(world, node)
    if large is None or small is None or dimension is None:
        return Span(None, None, dimension)
    return _whole(large - small * floor(large / small), dimension)


def _exact_pair(world: World, node: Node) -> tuple[Fraction | None, Fraction | None]:
    large, small = (world.span(each) for each in node.parts)
    spans.alike(large, small)
    if small.exact == 0:
        raise Unreadable("a number is divided by zero", node.kind)
    return large.exact, small.exact


def _whole(number: Fraction, dimension: Dimension) -> Span:
    return Span(number, number, dimension)


def _rounded(world: World, node: Node) -> Span:
    rounding, size = node.what
    return spans.rising(world.span(node.parts[0]), lambda number: rounding(number / size) * size)


def _completed(world: World, node: Node) -> Span:
    start, end = (world.span(each) for each in node.parts)
    return spans.completed(start, end, *node.what)


def _later(world: World, node: Node) -> Span:
    day, months = (world.span(each) for each in node.parts)
    day, (sign, late) = spans.as_day(day), node.what
    if spans.alike(months, Span(None, None, spans.CALENDAR)) is None or months.exact is None:
        return Span(None, None, day.dimension)
    more = months.exact * sign
    return spans.rising(day, lambda start: spans.later(start, more, late))


def _mean(world: World, node: Node) -> Span:
    return spans.mean([(world.span(each.parts[0]), world.span(each.parts[1])) for each in node.parts])


def _binary(of_spans: Callable[[Span, Span], Span]) -> Handler:
    return lambda world, node: of_spans(world.span(node.parts[0]), world.span(node.parts[1]))


def _unary(of_span: Callable[[Span], Span]) -> Handler:
    return lambda world, node: of_span(world.span(node.parts[0]))


def _several(of_spans: Callable[[Sequence[Span]], Span]) -> Handler:
    return lambda world, node: of_spans([world.span(each) for each in node.parts])


_HANDLERS: Mapping[str, Handler] = {
    "amount": lambda world, node: exactly(node.what),
    "text": lambda world, node: frozenset((node.what,)),
    "known": lambda world, node: node.what,
    "months": lambda world, node: _whole(Fraction(node.what), spans.CALENDAR),
    "fact": _fact,
    "of member": _of_member,
    "all": _all,
    "any": _any,
    "not": lambda world, node: _denied(world.truth(node.parts[0])),
    "same": _same,
    "odd": lambda world, node: _denied(_same(world, node)),
    "at least": _compared(_at_least),
    "at most": _compared(lambda left, right: _at_least(right, left)),
    "more than": _compared(_more_than),
    "less than": _compared(lambda left, right: _more_than(right, left)),
    "in": _in,
    "is not": _is_not,
    "if": _if,
    "either": _either,
    "true or false": _true_or_false,
    "cases": _cases,
    "each": _each,
    "some": _some,
    "count": _count,
    "total": _total,
    "plus": _binary(spans.plus),
    "minus": _binary(lambda one, other: spans.plus(one, spans.negated(other))),
    "times": _binary(spans.product),
    "over": _binary(spans.quotient),
    "change": _binary(spans.change),
    "days": _binary(spans.days_between),
    "negated": _unary(spans.negated),
    "absolute": _unary(spans.absolute),
    "least": _several(spans.least),
    "most": _several(spans.most),
    "sum": _several(spans.sum_of),
    "mean": lambda world, node: spans.mean(
        [(world.span(each.parts[0]), world.span(each.parts[1])) for each in node.parts]
    ),
    "whole times": _whole_times,
    "rest": _rest,
    "rounded": _rounded,
    "completed": _completed,
    "later": _later,
    "first of month": _unary(lambda day: spans.rising(spans.as_day(day), spans.month_start)),
    "last of month": _unary(lambda day: spans.rising(spans.as_day(day), spans.month_end)),
    "lookup": lambda world, node: looked_up(_rows(world, node), world.value(node.parts[0])),
    "tiered": lambda world, node: tiered(_rows(world, node), world.span(node.parts[0])),
}


def _rows(world: World, node: Node) -> Sequence[Row]:
    if node.what not in world.tables:
        raise Unreadable("no such table", node.what)
    return world.tables[node.what]
