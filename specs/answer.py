"""The answer of a task and its exact scorer: the text form, how it is read, and when it is right.

An answer is one line, `ANSWER: <decision> | <candidate or none> | <result or none>`. The last `ANSWER:` counts that is
followed by a `|` or by a decision label alone, to the next `ANSWER:` or the end of the line; so an answer taken back in
a broken form is unparsable, and the one before it does not count. Labels and names match whole, after trimming and
Unicode NFC; where no exact match is found, upper and lower case are the same, unless that fits two names.
Null is `none`, `null`, `n/a` or `-`. A negative decision alone stands for itself with two nulls.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Self, TypeAlias, assert_never

from pydantic import BaseModel, ConfigDict, model_validator

from unco.specs.number_format import NumberFormat, Unparsable, WrongUnit, parse_number, write_number
from unco.specs.scalars import Number

__all__ = [
    "Answer", "AnswerFormat", "Misstated", "NumberFormat", "Reading", "Score", "Unparsable", "Verdict", "WrongUnit",
    "answer_from_fields", "parse_answer", "parse_number", "score", "why_unwritable", "write_answer", "write_number",
]  # fmt: skip

MAX_TEXT = 1_000_000
"""Only so many last characters of a text are read."""
MAX_ANSWER = 2_000
"""An answer is at most so long."""
MAX_BITS = 1_000
"""A number given as a Python object is at most so large."""
_MARKER = re.compile(r"(?<!\w)ANSWER[*_` ]{0,4}:", re.IGNORECASE)
_NULLS = frozenset({"none", "null", "n/a", "-", "—"})
_MARKUP = " \t*`"


class Frozen(BaseModel):
    """Frozen, closed data."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, use_attribute_docstrings=True)


class Answer(Frozen):
    """A decision, with the candidate and the exact result in the unit of the answer; both null if it is negative."""

    decision: str
    candidate: str | None = None
    result: Number | None = None

    @model_validator(mode="after")
    def _null_together(self) -> Self:
        if (self.candidate is None) != (self.result is None):
            raise ValueError("expected a candidate and a result, or neither")
        return self


class AnswerFormat(Frozen):
    """What an answer to one task may be: its two decision labels, its candidates, its number form."""

    positive: str
    negative: str
    candidates: tuple[str, ...]
    number: NumberFormat

    @model_validator(mode="after")
    def _writable(self) -> Self:
        for words in ((self.positive, self.negative), self.candidates):
            if len({_normal(word) for word in words}) != len(words):
                raise ValueError(f"expected distinct names, found {words!r}")
        for word in (self.positive, self.negative, *self.candidates):
            if reason := why_unwritable(word):
                raise ValueError(f"{word!r} {reason}")
        return self

    def describe(self) -> str:
        """How to answer, for the task text."""
        *others, last = (f"`{name}`" for name in self.candidates)
        return (
            "End with one line of this form: `ANSWER: DECISION | CANDIDATE | RESULT`. "
            f"DECISION is `{self.positive}` or `{self.negative}`. CANDIDATE is {', '.join(others)} or {last}. "
            f"With `{self.negative}`, CANDIDATE and RESULT are both `none`. {self.number.describe()} "
            "If there are several such lines, the last one counts."
        )


@dataclass(frozen=True, slots=True)
class Misstated:
    """An answer that can be read but never be right: another unit, no such candidate, a null in the wrong place."""

    reason: str
    decision: str
    candidate: str | None


Reading: TypeAlias = Answer | Misstated | Unparsable


class Verdict(StrEnum):
    """Right needs the decision, its candidate and the result."""

    RIGHT = "right"
    WRONG = "wrong"
    UNPARSABLE = "unparsable"


class Score(Frozen):
    """The verdict on one answer, and which half of it is right."""

    verdict: Verdict
    decision_right: bool = False
    """The decision and its candidate are gold's."""
    result_right: bool = False
    """The result is gold's, exactly; null equals null alone."""
    reason: str = ""
    """Why it is not right, where the answer has no proper form."""


def why_unwritable(text: str) -> str | None:
    """Why a label or a name cannot stand in an answer line; None if it can."""
    if not text.strip() or text != text.strip():
        return "is empty, or begins or ends with a space"
    if "|" in text or _MARKER.search(text):
        return "holds `|` or `ANSWER:`, which divide an answer"
    if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in text):
        return "holds a line break or a control character"
    return None


def write_answer(answer: Answer, form: AnswerFormat) -> str:
    """The answer as its line of text."""
    result = "none" if answer.result is None else write_number(answer.result, form.number)
    return f"ANSWER: {answer.decision} | {answer.candidate or 'none'} | {result}"


def parse_answer(text: str, form: AnswerFormat) -> Reading:
    """The answer that a text ends with; see the head of this file. Never raises; linear time."""
    last = None
    for segment in _segments(text[-MAX_TEXT:]):
        if "|" in segment or _match(segment, (form.positive, form.negative)):
            last = segment
    if last is None:
        return Unparsable("no line of the form `ANSWER: DECISION | CANDIDATE | RESULT`")
    match last.split("|") if len(last) <= MAX_ANSWER else []:
        case [decision]:
            return answer_from_fields(decision, None, None, form)
        case [decision, candidate, result]:
            return answer_from_fields(decision, candidate, result.strip(_MARKUP), form)
        case _:
            return Unparsable(f"expected three fields divided by `|` in at most {MAX_ANSWER} characters")


def answer_from_fields(decision: object, candidate: object, result: object, form: AnswerFormat) -> Reading:
    """The answer in three fields, as a tool call gives them: texts, exact numbers, None for null.

    A float is unparsable, since it may have lost digits: read JSON with `parse_float=Decimal`, or ask for a text.
    """
    label = _match(decision, (form.positive, form.negative))
    if label is None:
        return Unparsable(f"expected `{form.positive}` or `{form.negative}`, found {_shown(decision)}")
    if label == form.negative:
        if _is_null(candidate) and _is_null(result):
            return Answer(decision=label)
        return Misstated(
            "a negative decision has neither candidate nor result",
            label,
            None if _is_null(candidate) else _shown(candidate),
        )
    name = _match(candidate, form.candidates)
    if name is None:
        return Misstated(f"expected a candidate, found {_shown(candidate)}", label, None)
    if _is_null(result):
        return Misstated("a positive decision has a result", label, name)
    return _with_number(label, name, _number(result, form.number), form.number)


def score(submitted: str | Reading | None, gold: Answer, form: AnswerFormat) -> Score:
    """How a text, or an answer that was read already, compares with gold; None is an absent answer.

    Raises ValueError if gold itself is no answer in the format: that is a fault of the task, not of the answer.
    """
    _check_gold(gold, form)
    match _reading(submitted, form):
        case Unparsable(reason):
            return Score(verdict=Verdict.UNPARSABLE, reason=reason)
        case Misstated(reason, decision, candidate):
            decided = (decision, candidate) == (gold.decision, gold.candidate)
            return Score(verdict=Verdict.WRONG, decision_right=decided, reason=reason)
        case Answer() as answer:
            decided = (answer.decision, answer.candidate) == (gold.decision, gold.candidate)
            computed = answer.result == gold.result
            verdict = Verdict.RIGHT if decided and computed else Verdict.WRONG
            return Score(verdict=verdict, decision_right=decided, result_right=computed)
        case other:
            assert_never(other)


def _check_gold(gold: Answer, form: AnswerFormat) -> None:
    if answer_from_fields(gold.decision, gold.candidate, gold.result, form) != gold:
        raise ValueError(f"gold is not an answer in the format of its task: {gold!r}")
    if gold.result is not None:
        write_number(gold.result, form.number)


def _reading(submitted: str | Reading | None, form: AnswerFormat) -> Reading:
    match submitted:
        case None:
            return Unparsable("no answer")
        case str():
            return parse_answer(submitted, form)
        case Answer():
            return answer_from_fields(submitted.decision, submitted.candidate, submitted.result, form)
        case _:
            return submitted


def _segments(text: str) -> Iterator[str]:
    """What follows each `ANSWER:`, to the next one or the end of its line, in order."""
    for line in re.split(r"[\r\n]+", text):
        yield from _MARKER.split(line)[1:]


def _with_number(
    decision: str, candidate: str, number: Fraction | WrongUnit | Unparsable, form: NumberFormat
) -> Reading:
    match number:
        case Fraction():
            return Answer(decision=decision, candidate=candidate, result=number)
        case WrongUnit(_, unit):
            return Misstated(f"expected the unit {form.unit or 'none'!r}, found {unit!r}", decision, candidate)
        case Unparsable():
            return number
        case other:
            assert_never(other)


def _number(result: object, form: NumberFormat) -> Fraction | WrongUnit | Unparsable:
    match result:
        case str():
            return parse_number(result, form)
        case bool():
            return Unparsable(f"expected a number, found {result}")
        case int() | Fraction():
            exact = Fraction(result)
            small = max(exact.numerator.bit_length(), exact.denominator.bit_length()) <= MAX_BITS
            return exact if small else Unparsable("the number is too large")
        case Decimal():
            return parse_number(str(result), form) if result.is_finite() else Unparsable("expected a finite number")
        case _:
            return Unparsable(f"expected an exact number or its text, found {type(result).__name__}")


def _match(found: object, names: tuple[str, ...]) -> str | None:
    """The one name that the text is, exactly or but for case; prefixes never match."""
    if not isinstance(found, str) or len(found) > MAX_ANSWER:
        return None
    for text in (_normal(found), _normal(found.strip(_MARKUP)), _normal(found.strip(_MARKUP).rstrip("."))):
        for same in (str, str.casefold):
            matches = [name for name in names if same(_normal(name)) == same(text)]
            if len(matches) == 1:
                return matches[0]
    return None


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text.strip())


def _is_null(found: object) -> bool:
    return found is None or (isinstance(found, str) and found[:MAX_ANSWER].strip(f"{_MARKUP}.").casefold() in _NULLS)


def _shown(found: object) -> str:
    return repr(found[:80]) if isinstance(found, str) else type(found).__name__
