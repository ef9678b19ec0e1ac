"""Finished texts with one fact or one rule changed, for the tests of the fidelity gate: made on the text alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import NamedTuple

from unco.specs.domains import BooleanDomain, CategoryDomain, Domain, NumberDomain
from unco.specs.family import Cell, Family
from unco.specs.task import PrivatePart, RenderedGroup, Task

NUMBER = re.compile(r"(?<![\d.,/])-?\d[\d,]*(?:\.\d+)?(?![\d/])")
DAY = re.compile(
    r"\b(\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4})\b"
)
UNITS = {
    "years": "months", "year": "month", "months": "years", "month": "year", "hours": "days", "hour": "day",
    "days": "hours", "day": "hour", "AUD": "USD", "USD": "EUR", "EUR": "AUD", "m": "km", "km": "m",
    "m3": "kg", "kg": "m3",
}  # fmt: skip
ORDER = {
    "at least": ("more than", "at most", "less than"), "at most": ("less than", "at least", "more than"),
    "more than": ("at least", "at most"), "less than": ("at most", "at least"),
    "on or after": ("after", "on or before"), "on or before": ("before", "on or after"),
    " is after ": (" is on or after ", " is before "), " is before ": (" is on or before ", " is after "),
}  # fmt: skip
MODES = (
    "halves rounded away from zero", "halves rounded to the even neighbour", "halves rounded towards zero",
    "rounded away from zero", "rounded towards zero", "rounded down", "rounded up",
)  # fmt: skip


class Said(NamedTuple):
    """A sentence about a cell, and what the mutation may take from the family."""

    text: str
    cell: Cell
    family: Family
    names: tuple[str, ...]

    @property
    def domain(self) -> Domain:
        return self.family.domains[self.cell.slot]

    @property
    def divide(self) -> int:
        """Where the value begins."""
        label = self.family.attribute_by_id[self.cell.attribute].label
        start = self.text.index(label) + len(label)
        if self.cell.context:
            start = self.text.index(f"{self.cell.context})", start)
        link = re.compile(" (?:is|are) |: ").search(self.text, start)
        assert link, self.text
        return link.end()

    def with_value(self, words: str) -> str:
        return self.text[: self.divide] + words

    @property
    def value(self) -> str:
        return self.text[self.divide :]


Mutation = Callable[[Said], Iterator[str]]


def restated(text: str, by: Fraction) -> str | None:
    """The number of a text, moved, with as many decimal places."""
    whole, _, decimals = text.partition(".")
    scaled = (Fraction(whole.replace(",", "") + (f".{decimals}" if decimals else "")) + by) * 10 ** len(decimals)
    if scaled.denominator != 1:
        return None
    units, rest = divmod(abs(scaled.numerator), 10 ** len(decimals))
    return ("-" if scaled < 0 else "") + f"{units:,}" + (f".{rest:0{len(decimals)}}" if decimals else "")


def replacements(text: str, pattern: re.Pattern[str], change: Callable[[str], Iterator[str]]) -> Iterator[str]:
    """The text with one match of a pattern changed, each in turn."""
    for found in pattern.finditer(text):
        for new in change(found[0]):
            if new != found[0]:
                yield text[: found.start()] + new + text[found.end() :]


def moved_days(day: str) -> Iterator[str]:
    for by in (1, -1):
        moved = datetime.strptime(day, "%d %B %Y") + timedelta(days=by)
        yield f"{moved.day} {moved:%B} {moved.year}"


# One fact ------------------------------------------------------------------------------------------------------------


def value_one_step_off(said: Said) -> Iterator[str]:
    """Also each end of an interval and each member of a set."""
    if isinstance(said.domain, NumberDomain):
        step = said.domain.step

        def moves(text: str) -> Iterator[str]:
            return (new for by in (step, -step) if (new := restated(text, by)) is not None)

        yield from map(said.with_value, replacements(said.value, NUMBER, moves))


def date_one_day_off(said: Said) -> Iterator[str]:
    yield from map(said.with_value, replacements(said.value, DAY, moved_days))


def date_in_another_month_or_year(said: Said) -> Iterator[str]:
    def change(day: str) -> Iterator[str]:
        number, month, year = day.split(" ")
        yield f"{number} {month} {int(year) + 1}"
        yield f"{number} {'May' if month != 'May' else 'June'} {year}"

    yield from map(said.with_value, replacements(said.value, DAY, change))


def another_unit(said: Said) -> Iterator[str]:
    """Month for year, another currency, none where there was one, `%` left out."""
    words = re.compile(rf"\b({'|'.join(UNITS)})\b(?! \d)|%")
    if isinstance(said.domain, NumberDomain):
        yield from map(said.with_value, replacements(said.value, words, lambda word: iter((UNITS.get(word, ""), ""))))


def separator_moved(said: Said) -> Iterator[str]:
    def change(number: str) -> Iterator[str]:
        place = number.find(",")
        if place >= 0:
            digits = number.replace(",", "", 1)
            yield f"{digits[: place + 1]},{digits[place + 1 :]}"
            yield number.replace(",", ".")
            yield number.replace(",", ", ")

    yield from map(said.with_value, replacements(said.value, NUMBER, change))


def another_candidate(said: Said) -> Iterator[str]:
    own = said.names[said.cell.candidate]
    for name in said.names:
        if name != own:
            yield re.sub(rf"(?<!\w){re.escape(own)}(?!\w)", lambda _: name, said.text, count=1)  # noqa: B023


def another_context(said: Said) -> Iterator[str]:
    for context, _ in said.family.attribute_by_id[said.cell.attribute].contexts:
        if context != said.cell.context:
            yield said.text.replace(f"{said.cell.context})", f"{context})", 1)


def another_member(said: Said) -> Iterator[str]:
    group = said.family.attribute_by_id[said.cell.attribute].group
    if group is not None:
        label = said.family.group_by_id[group].label
        own = rf"{re.escape(label)} {said.cell.member}(?!\d)"
        yield re.sub(own, f"{label} {said.cell.member + 1}", said.text, count=1)


def word_flipped(said: Said) -> Iterator[str]:
    if isinstance(said.domain, BooleanDomain):
        yes, no = said.domain.words
        other = {f"{yes}.": f"{no}.", f"{no}.": f"{yes}."}.get(said.value)
        if other:
            yield said.with_value(other)


def category_swapped(said: Said) -> Iterator[str]:
    if isinstance(said.domain, CategoryDomain):
        for value in said.domain.values:
            if said.value == f"{value}.":
                yield from (said.with_value(f"{other}.") for other in said.domain.values if other != value)


def left_open(said: Said) -> Iterator[str]:
    if said.value != "not stated.":
        yield said.with_value("not stated.")


def nothing_after_the_verb(said: Said) -> Iterator[str]:
    yield said.with_value(".")


FACT_MUTATIONS: Mapping[str, Mutation] = {
    "value one step off": value_one_step_off,
    "date one day off": date_one_day_off,
    "another month or year": date_in_another_month_or_year,
    "another unit": another_unit,
    "separator moved": separator_moved,
    "another candidate": another_candidate,
    "another context": another_context,
    "another member": another_member,
    "word flipped": word_flipped,
    "category swapped": category_swapped,
    "left open": left_open,
    "nothing said": nothing_after_the_verb,
}


# One rule ------------------------------------------------------------------------------------------------------------


def _section(text: str, heading: str) -> tuple[int, int]:
    """Where the lines below a heading begin and end."""
    start = text.find(f"\n\n{heading}\n")
    if start < 0:
        return 0, 0
    start += len(heading) + 3
    end = text.find("\n\n", start)
    return start, len(text) if end < 0 else end


def _within(text: str, heading: str, change: Callable[[str], Iterator[str]]) -> Iterator[str]:
    start, end = _section(text, heading)
    for new in change(text[start:end]):
        yield text[:start] + new + text[end:]


def _lines(change: Callable[[list[str], int], Iterator[list[str]]]) -> Callable[[str], Iterator[str]]:
    def over(part: str) -> Iterator[str]:
        lines = part.split("\n")
        for place in range(len(lines)):
            yield from ("\n".join(new) for new in change(lines, place))

    return over


def _program(change: Callable[[str], Iterator[str]]) -> Callable[[str], Iterator[str]]:
    """A change of the program's own lines, with the author's words left alone."""

    def over(lines: list[str], place: int) -> Iterator[list[str]]:
        if "(In other words" not in lines[place]:
            yield from ([*lines[:place], new, *lines[place + 1 :]] for new in change(lines[place]))

    return _lines(over)


def another_order(line: str) -> Iterator[str]:
    """Nothing where a fact is compared with itself: `x is at most x` says the same as `x is at least x`."""
    if re.search(rf"(?i)(\w[^:]*) (?:is|are) (?:{'|'.join(map(str.strip, ORDER))}) \1(?!\w)", line):
        return
    words = re.compile("|".join(map(re.escape, ORDER)))
    yield from replacements(line, words, lambda word: iter(ORDER[word]))


def threshold_off(line: str) -> Iterator[str]:
    """Every number of the rule, outside its opening, one step of its last digit off; every date one day."""

    def change(number: str) -> Iterator[str]:
        decimals = len(number.partition(".")[2])
        for by in (1, -1):
            new = restated(number, Fraction(by, 10**decimals))
            if new is not None:
                yield new

    head = re.match(r"[0-9]+\. |", line)
    opening = head[0] if head else ""
    body = line[len(opening) :]
    days = [found.span() for found in DAY.finditer(body)]
    for new in (*replacements(body, NUMBER, change), *(replacements(body, DAY, moved_days) if days else ())):
        yield opening + new


def joint_swapped(line: str) -> Iterator[str]:
    heads = {
        "ll of these hold:": "t least one of these holds:", "t least one of these holds:": "ll of these hold:",
        "or at least one of the ": "or each of the ", "or each of the ": "or at least one of the ",
        " of at least one ": " of each ", " of each ": " of at least one ",
    }  # fmt: skip
    yield from replacements(line, re.compile("|".join(map(re.escape, heads))), lambda head: iter((heads[head],)))
    found = re.search(r"^(.+ is .+) and (.+ is .+?)(\.?)$", line)
    if found:
        yield f"{found[1]} or {found[2]} (or both){found[3]}"
    if re.search(r" \(or both\)\.?$", line) and " or " in line:
        yield re.sub(r"^(.+) or (.+) \(or both\)", r"\1 and \2", line)
    if re.search("all of these hold: ", line, re.IGNORECASE):
        yield re.sub("ll of these hold: (.*) and (.*)", r"t least one of these holds: \1 or \2", line)
    if re.search("at least one of these holds: ", line, re.IGNORECASE):
        yield re.sub("t least one of these holds: (.*) or (.*)", r"ll of these hold: \1 and \2", line)


def denied(line: str) -> Iterator[str]:
    yield from replacements(line, re.compile(r" (is|are) (?!not )"), lambda verb: iter((f"{verb}not ",)))
    yield from replacements(line, re.compile(r" (is|are) not "), lambda verb: iter((verb.replace("not ", ""),)))


def unit_swapped(line: str) -> Iterator[str]:
    words = re.compile(rf"(?<=\d )({'|'.join(UNITS)})\b(?! \d)")
    yield from replacements(line, words, lambda word: iter((UNITS[word],)))


def sign_swapped(line: str) -> Iterator[str]:
    signs = {"+": "−", "−": "+", "×": "÷", "÷": "×"}
    yield from replacements(line, re.compile(r"(?<= )[+−×÷](?= )"), lambda sign: iter((signs[sign],)))


def extreme_swapped(line: str) -> Iterator[str]:
    words = {"smaller": "larger", "larger": "smaller", "smallest": "largest", "largest": "smallest", "earlier": "later"}
    yield from replacements(
        line,
        re.compile(r"(?<=the )(smaller|larger|smallest|largest|earlier)(?= of )"),
        lambda word: iter((words[word],)),
    )


def another_choice(line: str) -> Iterator[str]:
    """Comparators, joints and heads of lists inside a calculation."""
    heads = ("sum of these", "smaller of these", "larger of these", "first of these")
    yield from another_order(line)
    yield from joint_swapped(line)
    for head in heads:
        yield from (line.replace(head, other) for other in heads if head in line)


def dropped(lines: list[str], place: int) -> Iterator[list[str]]:
    if "(In other words" not in lines[place]:
        yield [*lines[:place], *lines[place + 1 :]]


def doubled(lines: list[str], place: int) -> Iterator[list[str]]:
    yield [*lines[: place + 1], *lines[place:]]


def _renumbered(text: str) -> str:
    start, end = _section(text, "Conditions")
    number = iter(range(1, 100))
    return text[:start] + re.sub(r"(?m)^[0-9]+\. ", lambda _: f"{next(number)}. ", text[start:end]) + text[end:]


def _rules(text: str) -> tuple[str, ...]:
    found = re.search(r"^What holds for every .*$", text, re.MULTILINE)
    return ("Conditions", found[0]) if found else ("Conditions",)


def _tables(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r'^Table ".*$', text, re.MULTILINE))


def _over(
    headings: Callable[[str], tuple[str, ...]], change: Callable[[str], Iterator[str]]
) -> Callable[[str], Iterator[str]]:
    def mutate(text: str) -> Iterator[str]:
        for heading in headings(text):
            yield from _within(text, heading, change)

    return mutate


def conditions_dropped(text: str) -> Iterator[str]:
    yield from map(_renumbered, _over(_rules, _lines(dropped))(text))


def conditions_doubled(text: str) -> Iterator[str]:
    yield from map(_renumbered, _over(_rules, _lines(doubled))(text))


def rounding_mode(text: str) -> Iterator[str]:
    start = text.index("Round the final result")
    for mode in MODES:
        new = re.sub(r"\(.*?\)", f"({mode})", text[start:], count=1)
        if text[:start] + new != text:
            yield text[:start] + new


def rounding_places(text: str) -> Iterator[str]:
    start = text.index("Round the final result")
    for places in ("a whole number", "1 decimal place", "2 decimal places", "3 decimal places"):
        new = re.sub(r"to (a whole number|\d+ decimal places?)", f"to {places}", text[start:], count=1)
        if text[:start] + new != text:
            yield text[:start] + new


def promise_removed(text: str) -> Iterator[str]:
    yield re.sub(r"At most one .* is eligible; possibly none is\.\n", "", text)


def possibly_none_removed(text: str) -> Iterator[str]:
    yield text.replace("; possibly none is.", ".")
    yield text.replace("At most one", "Exactly one").replace("; possibly none is.", ".")


def answer_format_changed(text: str) -> Iterator[str]:
    yield re.sub(r"with (\d+) decimal place", lambda found: f"with {int(found[1]) + 1} decimal place", text)
    yield re.sub(r"as a whole number(?: of (.+?))?(?= \()", r"in \1 with 1 decimal place", text)
    yield text.replace("CANDIDATE and RESULT are both `none`", "CANDIDATE is `none`")
    yield text.replace(" if none is.", " if one is.")
    yield re.sub(r", or -\S+( .*?)? if it is negative", "", text)
    yield re.sub(r"(CANDIDATE is .*?), (`.*?`) or", r"\1 or", text)


def evidence_rules_removed(text: str) -> Iterator[str]:
    yield text.replace("Where a colleague gives a range, both of its ends are included. ", "")
    yield text.replace(" Where nobody can give a fact exactly, it matters only if the answer depends on it.", "")
    yield text.replace("; different words in brackets mean a different fact.", ".")


RULE_MUTATIONS: Mapping[str, Callable[[str], Iterator[str]]] = {
    "another comparator": _over(_rules, _program(another_order)),
    "threshold one step off": _over(_rules, _program(threshold_off)),
    "and for or": _over(_rules, _program(joint_swapped)),
    "denied": _over(_rules, _program(denied)),
    "another unit": _over(_rules, _program(unit_swapped)),
    "condition dropped": conditions_dropped,
    "condition doubled": conditions_doubled,
    "band moved": _over(_tables, _program(threshold_off)),
    "band end": _over(_tables, _program(another_order)),
    "band dropped": _over(_tables, _lines(dropped)),
    "band doubled": _over(_tables, _lines(doubled)),
    "rounding mode": rounding_mode,
    "rounding places": rounding_places,
    "plus for minus": _over(lambda text: ("Calculation",), _program(sign_swapped)),
    "smaller for larger": _over(lambda text: ("Calculation",), _program(extreme_swapped)),
    "another choice in the calculation": _over(lambda text: ("Calculation",), _program(another_choice)),
    "number in the calculation": _over(lambda text: ("Calculation",), _program(threshold_off)),
    "calculation dropped": _over(lambda text: ("Calculation",), _lines(dropped)),
    "promise removed": promise_removed,
    "possibly none removed": possibly_none_removed,
    "form of the answer": answer_format_changed,
    "how facts are understood": evidence_rules_removed,
    "needed fact dropped": _over(lambda text: ("Facts to gather",), _lines(dropped)),
    "members": _over(lambda text: ("Numbering",), _program(threshold_off)),
    "conversion": _over(lambda text: ("Conversions",), _program(threshold_off)),
}


# Groups with one text changed ----------------------------------------------------------------------------------------


def with_instructions(group: RenderedGroup, text: str) -> RenderedGroup:
    """The group with other instructions in its first task."""
    first, *rest = group.tasks
    public = first.public.model_copy(update={"instructions": text})
    return group.model_copy(update={"tasks": (first.model_copy(update={"public": public}), *rest)})


def with_records(group: RenderedGroup, place: int, text: str) -> RenderedGroup:
    """The group with another text for the records of a role, in its first task."""
    first, *rest = group.tasks
    records = list(first.private.records)
    records[place] = records[place].model_copy(update={"text": text})
    return _with_private(group, first, rest, first.private.model_copy(update={"records": tuple(records)}))


def with_reply(group: RenderedGroup, task: int, place: int, field: str, text: str) -> RenderedGroup:
    """The group with another text for one reply."""
    tasks = list(group.tasks)
    defects = list(tasks[task].private.defects)
    defects[place] = defects[place].model_copy(update={field: text})
    private = tasks[task].private.model_copy(update={"defects": tuple(defects)})
    tasks[task] = tasks[task].model_copy(update={"private": private})
    return group.model_copy(update={"tasks": tuple(tasks)})


def _with_private(group: RenderedGroup, first: Task, rest: list[Task], private: PrivatePart) -> RenderedGroup:
    return group.model_copy(update={"tasks": (first.model_copy(update={"private": private}), *rest)})
