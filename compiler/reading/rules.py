"""The grammar of the sentences that state conditions, rules and calculations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from unco.compiler.reading.engine import Found, Grammar, Listing, Node, Part, Production, Symbol
from unco.compiler.reading.meaning import DATE, NUMBER, TRUTH, constant, kind_of, normal
from unco.compiler.reading.numerals import DAY, day_of, number_of
from unco.compiler.reading.numerals import NUMBER as NUMERAL
from unco.compiler.reading.vocabulary import Vocabulary, forms
from unco.specs.domains import BooleanDomain
from unco.specs.expression import NO_MEMBER, THIS_MEMBER
from unco.specs.values import BOOLEAN, PERCENT, PLAIN, CategoryType, NumberType
from unco.specs.values import DATE as DATES

WHOLE, ANY, CLAUSE, PART = Symbol("whole"), Symbol("any"), Symbol("clause"), Symbol("part")
VERB, TABLE, MEMBERS, LEAP, GRAIN = Symbol("verb"), Symbol("table"), Symbol("members"), Symbol("leap"), Symbol("grain")
MOST_KEPT = 4_096
"""Sentences whose meaning is kept: the groups of a family share most of theirs."""
TIES = {
    "to the nearest, ties away from zero": "half_up",
    "to the nearest, ties to the even neighbour": "half_even",
    "to the nearest, ties towards zero": "half_down",
    "away from zero": "up",
    "towards zero": "down",
    "down to the lower neighbour": "floor",
    "up to the higher neighbour": "ceiling",
}
_LEAPS = {"last day of that month": "down", "first day of the next month": "up"}
_ORDER = (
    (">=", NUMBER, "at least "), (">", NUMBER, "more than "), ("<=", NUMBER, "at most "), ("<", NUMBER, "less than "),
    (">=", DATE, "on or after "), (">", DATE, "after "), ("<=", DATE, "on or before "), ("<", DATE, "before "),
)  # fmt: skip
_EXTREMES = (
    ("min", NUMBER, "smaller", "smallest"), ("max", NUMBER, "larger", "largest"),
    ("min", DATE, "earlier", "earliest"), ("max", DATE, "later", "latest"),
)  # fmt: skip


class RuleReader:
    """Reads the sentences of one family's rules."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.words = vocabulary
        self.grammar = Grammar(self._terminals(), _rules())
        self.known: dict[str, tuple[Node, ...]] = {}

    def sentence(self, text: str, kind: str) -> tuple[Node, ...]:
        """Every meaning of a rule of some kind, in normal form: with or without a capital, with or without a stop."""
        return tuple(node for node in self._sentence(text) if node[1] == kind)

    def _sentence(self, text: str) -> tuple[Node, ...]:
        if text not in self.known:
            if len(self.known) >= MOST_KEPT:
                self.known.clear()
            bare = text.removesuffix(".")
            options = dict.fromkeys((bare, f"{bare[:1].lower()}{bare[1:]}", text, f"{text[:1].lower()}{text[1:]}"))
            found = chain.from_iterable(self.grammar.readings("whole", option) for option in options)
            self.known[text] = tuple(dict.fromkeys(map(normal, found)))
        return self.known[text]

    # Words of the family ---------------------------------------------------------------------------------------------

    def _terminals(self) -> dict[str, list[Callable[[str, int], Iterator[Found]]]]:
        return {
            "part": [self._number, self._date, self._category, self._truth, self._fact, self._threshold],
            "clause": [self._stated, self._stated_threshold],
            "table": [
                _words(
                    {
                        label: (label, *map(kind_of, (table.gives, table.key)))
                        for label, table in self.words.tables.items()
                    }
                )
            ],
            "members": [_words({word: (group,) for word, group in self.words.members.items()})],
        }

    def _number(self, text: str, start: int) -> Iterator[Found]:
        found = NUMERAL.match(text, start)
        number = number_of(found) if found else None
        if found is None or number is None:
            return
        end = found.end()
        yield constant(number, NumberType(PLAIN)), end
        if text.startswith("%", end):
            yield constant(number / 100, NumberType(PERCENT)), end + 1
        if text.startswith(" ", end):
            for word, unit in self.words.units.items():
                if text.startswith(word, end + 1) and _ends(text, end + 1 + len(word)):
                    yield constant(number * unit.scale, NumberType(unit)), end + 1 + len(word)

    def _date(self, text: str, start: int) -> Iterator[Found]:
        found = DAY.match(text, start)
        day = day_of(found["day"], found["month"], found["year"]) if found else None
        if found and day is not None:
            yield constant(day, DATES), found.end()

    def _category(self, text: str, start: int) -> Iterator[Found]:
        for name in self.words.categories:
            for form in forms(name):
                if text.startswith(form, start) and _ends(text, start + len(form)):
                    yield constant(name, CategoryType(())), start + len(form)

    def _truth(self, text: str, start: int) -> Iterator[Found]:
        for word, truth in (("true", True), ("false", False)):
            if text.startswith(word, start) and _ends(text, start + len(word)):
                yield constant(truth, BOOLEAN), start + len(word)

    def _fact(self, text: str, start: int) -> Iterator[Found]:
        """An attribute that is no truth."""
        yield from ((node, end) for node, end, words in self._named(text, start) if words is None)

    def _stated(self, text: str, start: int) -> Iterator[Found]:
        """`medical clearance (month: March 2026) is passed`."""
        for node, end, words in self._named(text, start):
            if words is not None:
                yield from _said(text, end, node, words)

    def _named(self, text: str, start: int) -> Iterator[tuple[Node, int, tuple[str, str] | None]]:
        """The attributes that a text names here, and the words of those that are truths."""
        for name, subjects in self.words.subjects.items():
            form = f"({name})" if text.startswith("(", start) else name
            if not text.startswith(form, start):
                continue
            for subject in subjects:
                words = subject.domain.words if isinstance(subject.domain, BooleanDomain) else None
                kind, attribute = kind_of(subject.domain.type), subject.attribute
                for member, end in self._members(text, start + len(form), attribute.group):
                    yield ("fact", kind, attribute.id, member, subject.context), end, words

    def _members(self, text: str, end: int, group: str | None) -> Iterator[tuple[int, int]]:
        """Which member is meant: the one at hand, or the one whose number follows."""
        if group is None:
            yield NO_MEMBER, end
            return
        yield THIS_MEMBER, end
        opening = f" of {self.words.family.group_by_id[group].label} "
        found = NUMERAL.match(text, end + len(opening)) if text.startswith(opening, end) else None
        if found and found[0].isdigit():
            yield int(found[0]), found.end()

    def _threshold(self, text: str, start: int) -> Iterator[Found]:
        """`the debt limit (20,000 USD)`."""
        for label, parameter in self.words.parameters.items():
            if isinstance(parameter.domain, BooleanDomain):
                continue
            opening = f"{label} (" if label.lower().startswith("the ") else f"the {label} ("
            if text.startswith(opening, start):
                yield from self._valued(text, start + len(opening), parameter.id)

    def _valued(self, text: str, start: int, name: str) -> Iterator[Found]:
        domain = next(each.domain for each in self.words.family.parameters if each.id == name)
        for end in _closings(text, start):
            for value in self.words.values(text[start:end], domain):
                yield ("threshold", kind_of(domain.type), name, value), end + 1

    def _stated_threshold(self, text: str, start: int) -> Iterator[Found]:
        """`strict mode is on (in this task it is off)`."""
        for label, parameter in self.words.parameters.items():
            if isinstance(parameter.domain, BooleanDomain) and text.startswith(label, start):
                words = parameter.domain.words
                for stated, end in _said(text, start + len(label), (), words):
                    opening = " (in this task it is "
                    if text.startswith(opening, end):
                        for node, after in self._valued(text, end + len(opening), parameter.id):
                            yield (node if stated == () else ("not", TRUTH, node)), after


def _said(text: str, start: int, node: Node, words: tuple[str, str]) -> Iterator[Found]:
    """The truth `node`, or its denial, by the word that follows `is` or `are`."""
    for verb in (" is ", " are "):
        for word, truth in zip(words, (True, False), strict=True):
            for form in forms(word):
                if text.startswith(f"{verb}{form}", start) and _ends(text, start + len(verb) + len(form)):
                    yield (node if truth else ("not", TRUTH, node)), start + len(verb) + len(form)


def _ends(text: str, end: int) -> bool:
    """Whether a word ends here."""
    return not (end < len(text) and text[end - 1].isalnum() and text[end].isalnum())


def _closings(text: str, start: int) -> Iterator[int]:
    end = text.find(")", start)
    while end >= 0:
        yield end
        end = text.find(")", end + 1)


def _words(meanings: Mapping[str, Node]) -> Callable[[str, int], Iterator[Found]]:
    def terminal(text: str, start: int) -> Iterator[Found]:
        for word, node in meanings.items():
            if text.startswith(word, start) and _ends(text, start + len(word)):
                yield node, start + len(word)

    return terminal


# The grammar ---------------------------------------------------------------------------------------------------------


def _rules() -> dict[str, list[Production]]:
    return {
        "verb": [_row(" is ", build=lambda: ("is",)), _row(" are ", build=lambda: ("are",))],
        "leap": [
            _row(f"a day that a month lacks counts as the {words}", build=lambda mode=mode: (mode,))
            for words, mode in _LEAPS.items()
        ],
        "grain": list(_grains()),
        "weighted": [_row(PART, " (weight ", ANY, ")", build=lambda *pair: _fitted(pair, NUMBER, pair))],
        "part": [_row("(", ANY, ")", build=lambda node: node), _row("minus ", PART, build=_built("negate", NUMBER))],
        "clause": [
            _row(PART, build=lambda node: node),
            *_comparisons(),
            *_arithmetic(),
            *_dates(),
            *_tables(),
            *_many(),
        ],
        "any": [_row(CLAUSE, build=lambda node: node), *_joints(), *_choices(), *_quantified(CLAUSE)],
        "whole": [_row(ANY, build=lambda node: node), *_quantified(ANY), *_counted(ANY)],
    }


def _row(*parts: Part, build: Callable[..., Node | None]) -> Production:
    return Production(parts, build)


def _grains() -> Iterator[Production]:
    for words, mode in TIES.items():
        yield _row(f"to a whole number ({words})", build=lambda mode=mode: (0, mode))
        for places in range(1, 10):
            noun = "place" if places == 1 else "places"
            yield _row(f"to {places} decimal {noun} ({words})", build=lambda places=places, mode=mode: (places, mode))
            yield _row(
                f"to a multiple of {10**places:,} ({words})", build=lambda places=places, mode=mode: (-places, mode)
            )


def _comparisons() -> Iterator[Production]:
    for sign, kind, words in _ORDER:
        yield _row(PART, VERB, words, PART, build=lambda a, _, b, sign=sign, kind=kind: _ordered(sign, kind, a, b))
    yield _row(PART, VERB, PART, build=lambda a, _, b: _same("==", a, b))
    yield _row(PART, VERB, "not ", PART, build=lambda a, _, b: _same("!=", a, b))
    yield _row("not (", ANY, ")", build=_built("not", TRUTH, TRUTH))


def _arithmetic() -> Iterator[Production]:
    for words, sign in ((" + ", "+"), (" − ", "-"), (" × ", "*"), (" ÷ ", "/")):
        yield _row(PART, words, PART, build=lambda a, b, sign=sign: _calculated(sign, a, b))
    yield _row("the size of ", PART, " without its sign", build=_built("abs", NUMBER, NUMBER))
    yield _row("the percentage change from ", PART, " to ", PART, build=_built("percent_change", NUMBER, NUMBER))
    yield _row(
        "the whole number of times that ", PART, " goes into ", PART, " (rounded down)",
        build=lambda a, b: _applied("//", NUMBER, NUMBER, (b, a)),
    )  # fmt: skip
    yield _row(
        "what is left of ", PART, " after taking away whole multiples of ", PART, build=_built("mod", NUMBER, NUMBER)
    )
    yield _row(
        PART, " rounded ", GRAIN, build=lambda a, grain: ("round", NUMBER, *grain, a) if a[1] == NUMBER else None
    )


def _dates() -> Iterator[Production]:
    for name, words in (("years_between", "years"), ("months_between", "months")):
        yield _row(
            f"the completed {words} from ", PART, " to ", PART, " (", LEAP, ")",
            build=lambda a, b, leap, name=name: _fitted((name, NUMBER, *leap, a, b), DATE, (a, b)),
        )  # fmt: skip
    yield _row("the number of days from ", PART, " to ", PART, build=_built("days_between", NUMBER, DATE))
    yield _row(
        PART, " moved by ", PART, " (", LEAP, ")",
        build=lambda a, b, leap: ("add_months", DATE, *leap, a, b) if (a[1], b[1]) == (DATE, NUMBER) else None,
    )  # fmt: skip
    yield _row("the first day of the month of ", PART, build=_built("month_start", DATE, DATE))
    yield _row("the last day of the month of ", PART, build=_built("month_end", DATE, DATE))


def _tables() -> Iterator[Production]:
    yield _row(
        'the value in the table "', TABLE, '" for ', PART,
        build=lambda table, key: _fitted(("lookup", table[1], table[0], key), table[2], (key,))
    )  # fmt: skip
    yield _row(
        'the sum over the tiers of "', TABLE, '" of the rate of each tier times the part of ', PART,
        " inside that tier",
        build=lambda table, amount: _fitted(("tiered", NUMBER, table[0], amount), NUMBER, (amount,)),
    )  # fmt: skip


def _many() -> Iterator[Production]:
    yield from _counted(CLAUSE)


def _counted(body: Symbol) -> Iterator[Production]:
    """Counts and totals over members."""
    for members, whole in _groups():
        yield _row("the number of ", *members, " for whom ", body, build=_over("count of", NUMBER, TRUTH, whole))
        yield _row("the total over the ", *members, " of ", body, build=_over("total of", NUMBER, NUMBER, whole))


def _quantified(body: Symbol) -> Iterator[Production]:
    for members, whole in _groups():
        yield _row("for at least one of the ", *members, ": ", body, build=_over("any of", TRUTH, TRUTH, whole))
        yield _row("for every one of the ", *members, ": ", body, build=_over("all of", TRUTH, TRUTH, whole))


def _groups() -> tuple[tuple[tuple[Part, ...], bool], ...]:
    """All members, or those up to a number."""
    return ((MEMBERS,), True), ((MEMBERS, " numbered from 1 to ", PART), False)


def _over(name: str, kind: str, wanted: str, whole: bool) -> Callable[..., Node | None]:
    def build(group: Node, *rest: Node) -> Node | None:
        size, body = ("all", *rest) if whole else rest
        return (name, kind, *group, size, body) if _is(body, wanted) else None

    return build


def _joints() -> Iterator[Production]:
    yield _row("both ", CLAUSE, " and ", CLAUSE, build=_built("and", TRUTH, TRUTH))
    yield _row("all of these: ", Listing("clause", "and"), build=lambda parts: _applied("and", TRUTH, TRUTH, parts))
    yield _row(CLAUSE, " or ", CLAUSE, " (at least one of the two)", build=_built("or", TRUTH, TRUTH))
    yield _row(
        "at least one of these: ", Listing("clause", "or"), build=lambda parts: _applied("or", TRUTH, TRUTH, parts)
    )
    yield _row("either both of these hold or neither does: ", CLAUSE, "; ", CLAUSE, build=_built("iff", TRUTH, TRUTH))
    yield _row("exactly one of these holds: ", CLAUSE, "; ", CLAUSE, build=_built("xor", TRUTH, TRUTH))


def _choices() -> Iterator[Production]:
    yield _row(PART, VERB, "from ", PART, " to ", PART, ", both included", build=_between)
    yield _row(PART, VERB, "either ", CLAUSE, " or ", CLAUSE, build=lambda a, _, *others: _one_of(a, others))
    yield _row(PART, VERB, "one of ", Listing("clause", "or"), build=lambda a, _, others: _one_of(a, others))
    yield _row(CLAUSE, " if ", CLAUSE, ", otherwise ", CLAUSE, build=_chosen)
    for name, kind, two, several in _EXTREMES:
        yield _row(f"the {two} of ", CLAUSE, " and ", CLAUSE, build=_built(name, kind, kind))
        yield _row(
            f"the {several} of ", Listing("clause", "and"),
            build=lambda parts, name=name, kind=kind: _applied(name, kind, kind, parts) if len(parts) > 2 else None,
        )  # fmt: skip
    yield _row("the sum of ", Listing("clause", "and"), build=lambda parts: _applied("sum", NUMBER, NUMBER, parts))
    yield _row("the weighted mean of ", Listing("weighted", "and"), build=_mean)
    yield _row("the weighted mean of ", Symbol("weighted"), build=lambda pair: _mean((pair,)))


def _built(name: str, kind: str, wanted: str | None = None) -> Callable[..., Node | None]:
    return lambda *parts: _applied(name, kind, wanted or kind, parts)


def _applied(name: str, kind: str, wanted: str, parts: tuple[Node, ...]) -> Node | None:
    return _fitted((name, kind, *parts), wanted, parts)


def _fitted(node: Node, wanted: str, parts: Sequence[Node]) -> Node | None:
    return node if all(_is(part, wanted) for part in parts) else None


def _is(node: Sequence[Any], kind: str) -> bool:
    return bool(node[1] == kind)


def _ordered(sign: str, kind: str, left: Node, right: Node) -> Node | None:
    return _applied(sign, TRUTH, kind, (left, right))


def _same(sign: str, left: Node, right: Node) -> Node | None:
    return _applied(sign, TRUTH, left[1], (left, right))


def _calculated(sign: str, left: Node, right: Node) -> Node | None:
    kind = DATE if sign in "+-" and left[1] == DATE else NUMBER
    return (sign, kind, left, right) if _is(left, kind) and _is(right, NUMBER) else None


def _between(value: Node, _: Node, low: Node, high: Node) -> Node | None:
    return _applied("between", TRUTH, value[1], (value, low, high)) if value[1] in (NUMBER, DATE) else None


def _one_of(value: Node, others: tuple[Node, ...]) -> Node | None:
    return _applied("in", TRUTH, value[1], (value, *others))


def _chosen(then: Node, condition: Node, otherwise: Node) -> Node | None:
    fits = _is(condition, TRUTH) and _is(otherwise, then[1])
    return ("if", then[1], condition, then, otherwise) if fits else None


def _mean(pairs: tuple[Node, ...]) -> Node | None:
    return ("weighted_mean", NUMBER, *chain.from_iterable(pairs))
