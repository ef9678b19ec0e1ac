"""The form of the answer, read back from its sentences and held against the family."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.numerals import read_amount
from unco.compiler.reading.subject_matter import Matter
from unco.specs.values import Unit

_FORM = re.compile(
    r"End with one line of this form: `ANSWER: DECISION \| CANDIDATE \| RESULT`\. "
    r"DECISION is `(?P<positive>.+?)` or `(?P<negative>.+?)`\. CANDIDATE is (?P<names>.+?)\. "
    r"With `(?P<alone>.+?)`, CANDIDATE and RESULT are both `none`\. "
    r"Give the result (?:(?P<percentage>as a whole percentage|as a percentage)|as a whole number(?: of (?P<whole>.+?))?"
    r"|as a number without a unit|in (?P<unit>.+?))(?: with (?P<places>[1-9]) decimal places?)? \((?P<mode>[a-z ]+)\), "
    r"in the form (?P<example>.+?), or (?P<negative_example>.+?) if it is negative"
    r"(?P<commas>; the comma between thousands may be left out)?\. "
    r"If there are several such lines, the last one counts\."
)
_MODES = {
    "halves rounded away from zero": "half_up",
    "halves rounded to the even neighbour": "half_even",
    "halves rounded towards zero": "half_down",
    "rounded away from zero": "up",
    "rounded towards zero": "down",
    "rounded down": "floor",
    "rounded up": "ceiling",
}
_EXAMPLE, _PERCENTAGE = Fraction("1234.56789"), Fraction("12.3456789")
"""The numbers that show the form in every task, cut to its places."""


def answer_sentences(text: str, where: str, matter: Matter) -> Iterator[Discrepancy]:
    """Labels, names, nulls, unit, places and rounding of an answer."""
    found = _FORM.fullmatch(text)
    if found is None:
        yield Discrepancy("altered", where, "the form of the answer", f'"{text}"', "sentences that state it", text)
        if matter.giveaways.verdicts(text):
            yield matter.giveaways.stray(where, text)
        return
    for subject, told, expected in _parts(found, matter):
        if told != expected:
            yield Discrepancy("altered", where, f"the form of the answer: {subject}", f"{told}", f"{expected}", text)


def _parts(found: re.Match[str], matter: Matter) -> Iterator[tuple[str, object, object]]:
    family = matter.family
    decision, calculation = family.decision, family.calculation
    yield "positive decision", found["positive"], decision.positive
    yield "negative decision", found["negative"], decision.negative
    yield "decision with nulls", found["alone"], decision.negative
    yield "candidates", found["names"], _choice([f"`{name}`" for name in matter.instance.names])
    yield (
        "unit",
        _unit("%" if found["percentage"] else found["whole"] or found["unit"], matter),
        _bare(calculation.unit),
    )
    yield "decimal places", int(found["places"] or _whole(found)), calculation.places
    yield "rounding", _MODES.get(found["mode"], found["mode"]), calculation.mode
    shown = _cut(matter)
    yield "example", _example(found["example"], matter), shown
    yield "negative example", _example(found["negative_example"], matter), -shown
    yield "commas", found["commas"] is None, "," not in found["example"]


def _choice(names: Sequence[str]) -> str:
    """`A, B or C`."""
    return " or ".join((", ".join(names[:-1]), names[-1]))


def _cut(matter: Matter) -> Fraction:
    """The number of the example, in parts of one where it is a percentage."""
    calculation = matter.family.calculation
    percentage, scale = calculation.unit.symbol == "%", 10**calculation.places
    cut = Fraction((_PERCENTAGE if percentage else _EXAMPLE) * scale // 1, scale)
    return cut / 100 if percentage else cut


def _whole(found: re.Match[str]) -> int:
    """No places, where the words say that the number is whole; a number of places that no result has, where not."""
    return 0 if "as a whole " in found[0] else -1


def _unit(text: str | None, matter: Matter) -> object:
    if text is None:
        return ((), Fraction(1))
    if text == "%":
        return ((), Fraction(1, 100))
    unit = matter.words.units.get(text)
    return text if unit is None else _bare(unit)


def _bare(unit: Unit) -> tuple[object, Fraction]:
    return unit.dimension, unit.scale


def _example(text: str, matter: Matter) -> object:
    amount = read_amount(text, matter.words.units)
    if amount is None:
        return text
    number, unit = amount
    wanted = matter.family.calculation.unit
    if unit is None:
        return number if not wanted.dimension else text
    return number if _bare(unit) == _bare(wanted) else text
