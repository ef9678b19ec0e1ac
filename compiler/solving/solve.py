"""solve: the answer to a finished task, from its instructions and records alone.

A second reading of the texts: it shares neither code nor data with what wrote them, and is given no specification.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from unco.compiler.solving.answer_form import AnswerForm, answer_form
from unco.compiler.solving.evaluate import World
from unco.compiler.solving.facts import RecordReader, Told
from unco.compiler.solving.parts import agreed
from unco.compiler.solving.rules import amount, condition
from unco.compiler.solving.sections import Line, Sections, sections
from unco.compiler.solving.spans import ANYTHING, NOT_BELOW_ZERO, Span
from unco.compiler.solving.tables import Row, table
from unco.compiler.solving.tokens import Lexicon
from unco.compiler.solving.tree import Fact, Node, walk
from unco.compiler.solving.units import Unit, Units
from unco.compiler.solving.unreadable import Unreadable
from unco.compiler.solving.values import Known

__all__ = ["FactRead", "Unreadable", "read_facts", "solve"]
_MEMBER = ", for each "
_NUMBERED = re.compile(r"The (.+?) of each .+? are numbered from 1; (.+) says how many there are\.?")
_FIXED = re.compile(r"Every .+? has (\d+) (.+?), numbered from 1\.?")


@dataclass(frozen=True)
class FactRead:
    """One needed fact as a record tells it."""

    candidate: str
    fact: str
    """As the task names it, with its context."""
    member: int
    """The number of the member, 0 where the fact is the candidate's own."""
    value: str
    """The value in one form: equal texts are equal values."""


@dataclass(frozen=True)
class Task:
    """What the instructions of a task say."""

    facts: tuple[Fact, ...]
    form: AnswerForm
    unit: Unit
    conditions: Node
    calculation: Node
    tables: Mapping[str, Sequence[Row]]
    named: Mapping[int, frozenset[str]]
    """The words by which tables list the values for a fact."""
    sizes: Mapping[int, Node]
    groups: Mapping[int, int]
    """The group of each fact that is told of members."""
    has_negatives: bool
    """Whether a rule names a number below zero; where nothing is, what nobody tells is taken not to be either."""
    reader: RecordReader


def solve(instructions: str, records: Sequence[str]) -> str:
    """A text that ends with the answer line; the records may stand in any order, with their keys or without.

    Raises Unreadable where a text can be read in no way or in two, or where what it tells leaves the answer open.
    """
    try:
        task = _task(instructions)
        worlds = _worlds(task, *task.reader.read(records))
        winner = _winner(task, worlds)
        result = None if winner is None else _result(task, worlds[winner])
    except RecursionError:
        raise Unreadable("a rule is nested too deeply", instructions[:80]) from None
    if winner is None or result is None:
        return task.form.none()
    return task.form.one(task.form.candidates[winner], result)


def read_facts(instructions: str, records: Sequence[str]) -> tuple[FactRead, ...]:
    """Each needed fact that the records tell, in the order of candidates and facts."""
    task = _task(instructions)
    told = sorted(task.reader.read(records)[0], key=lambda each: (each.candidate, each.fact, each.member))
    return tuple(
        FactRead(task.form.candidates[each.candidate], task.facts[each.fact].phrase, each.member, _shown(each.value))
        for each in told
    )


def _shown(value: Known) -> str:
    match value:
        case None:
            return "not stated"
        case Span(low, high, dimension):
            measure = " ".join(f"{name}^{power}" for name, power in dimension or ())
            return f"{low}..{high} {measure}".strip()
        case _:
            return " or ".join(sorted(value))


@lru_cache(maxsize=64)
def _task(instructions: str) -> Task:
    told = sections(instructions)
    facts = tuple(_fact(each) for each in told.facts)
    form = answer_form(told.decision, told.rounding)
    units = Units(each.text for each in told.conversions)
    lexicon = Lexicon(facts, units)
    names, sizes = _groups(told, facts, lexicon)
    rules = Node("all", tuple(condition(line, lexicon, names) for line in told.conditions))
    calculation = amount(told.calculation, lexicon, names)
    tables = {name: table(lines, lexicon) for name, lines in told.tables.items()}
    members = {place: names.index(each.member) // 2 for place, each in enumerate(facts) if each.member}
    named = _merged(_looked_up((rules, calculation), tables))
    reader = RecordReader(form.candidates, facts, units, _merged([*_compared((rules, calculation)), *named.items()]))
    nodes = [node for rule in (rules, calculation) for node in walk(rule)]
    below = any(node.kind == "amount" and _is_below_zero(node.what.number) for node in nodes)
    return Task(facts, form, units.unit(form.unit), rules, calculation, tables, named, sizes, members, below, reader)


def _fact(line: Line) -> Fact:
    phrase, _, member = line.text.partition(_MEMBER)
    return Fact(phrase, member)


def _groups(told: Sections, facts: Sequence[Fact], lexicon: Lexicon) -> tuple[tuple[str, ...], dict[int, Node]]:
    """What groups of members are called, plural and singular in turn, and their sizes."""
    singular = sorted({each.member for each in facts if each.member})
    names: list[str] = []
    sizes: dict[int, Node] = {}
    for line in told.numbering:
        if found := _NUMBERED.fullmatch(line.text):
            plural, size = found[1], amount(Line(found[2]), lexicon)
        elif found := _FIXED.fullmatch(line.text):
            plural = found[2]
            size = amount(Line(found[1]), lexicon)
        else:
            raise Unreadable("expected how members are numbered", line.text)
        sizes[len(names) // 2] = size
        names += [plural, _singular(plural, singular)]
    return tuple(names), sizes


def _singular(plural: str, known: Sequence[str]) -> str:
    """The one that shares the most of its beginning with the plural."""

    def shared(name: str) -> int:
        return next((place for place, (a, b) in enumerate(zip(name, plural, strict=False)) if a != b), len(name))

    if not known:
        return plural.removesuffix("s")
    return max(known, key=lambda name: (shared(name) - len(name), shared(name)))


def _compared(rules: Sequence[Node]) -> Iterator[tuple[int, frozenset[str]]]:
    """The words that the rules compare facts with."""
    for node in (each for rule in rules for each in walk(rule)):
        if node.kind in ("in", "is not") and node.parts[0].kind == "fact":
            yield node.parts[0].what, frozenset(each.what for each in node.parts[1:] if each.kind == "text")


def _looked_up(rules: Sequence[Node], tables: Mapping[str, Sequence[Row]]) -> Iterator[tuple[int, frozenset[str]]]:
    """The words by which tables list the values for facts."""
    for node in (each for rule in rules for each in walk(rule)):
        if node.kind == "lookup" and node.parts[0].kind == "fact" and node.what in tables:
            yield node.parts[0].what, frozenset(row.name for row in tables[node.what] if row.name)


def _merged(found: Iterable[tuple[int, frozenset[str]]]) -> dict[int, frozenset[str]]:
    merged: dict[int, frozenset[str]] = {}
    for fact, words in found:
        merged[fact] = merged.get(fact, frozenset()) | words
    return merged


def _worlds(task: Task, told: Sequence[Told], heard: Mapping[int, frozenset[str]]) -> tuple[World, ...]:
    facts: list[dict[tuple[int, int], Known]] = [{} for _ in task.form.candidates]
    members: list[dict[int, int]] = [{} for _ in task.form.candidates]
    for each in told:
        key, mine = (each.fact, each.member), facts[each.candidate]
        if key in mine and mine[key] != each.value:
            raise Unreadable("two records tell a fact in two ways", task.facts[each.fact].phrase)
        mine[key] = each.value
        if each.fact in task.groups:
            group = task.groups[each.fact]
            members[each.candidate][group] = max(members[each.candidate].get(group, 0), each.member)
    below = task.has_negatives or any(isinstance(each.value, Span) and _is_below_zero(each.value.low) for each in told)
    unknown = ANYTHING if below else NOT_BELOW_ZERO
    known_words = _merged([*heard.items(), *task.named.items()])
    return tuple(
        World(known, counted, task.sizes, task.groups, task.tables, known_words, unknown)
        for known, counted in zip(facts, members, strict=True)
    )


def _is_below_zero(number: Fraction | None) -> bool:
    return number is not None and number < 0


def _winner(task: Task, worlds: Sequence[World]) -> int | None:
    """The candidate that is eligible; None where none is."""
    truths = [_is_eligible(task, world) for world in worlds]
    if truths.count(True) > 1:
        raise Unreadable("several candidates are eligible", ", ".join(task.form.candidates))
    if True in truths:
        return truths.index(True)
    if None in truths:
        raise Unreadable("what is told leaves open who is eligible", task.form.candidates[truths.index(None)])
    return None


def _is_eligible(task: Task, world: World) -> bool | None:
    def still_open(part: World) -> list[Node]:
        return [each for each in task.conditions.parts if part.truth(each) is None]

    return agreed(world, still_open, lambda part: part.truth(task.conditions))


def _result(task: Task, world: World) -> Fraction:
    found = agreed(world, lambda _: [task.calculation], lambda part: _rounded(task, part))
    if found is None:
        raise Unreadable("what is told leaves the result open", str(world.span(task.calculation)[:2]))
    return found


def _rounded(task: Task, world: World) -> Fraction | None:
    """The result, where both ends of what it may be are rounded to one."""
    span = world.span(task.calculation)
    dimension, size = task.unit
    if span.dimension not in (None, dimension):
        raise Unreadable("the result is not in the unit of the answer", f"{span.dimension}, {dimension}")
    low, high = (None if end is None else task.form.rounding(end / size) for end in span[:2])
    return low if low == high else None
