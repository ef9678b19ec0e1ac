"""How a task wants to be answered: its decisions, its candidates, and the form of the number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from unco.compiler.solving.rounding import Rounding, read_rounding
from unco.compiler.solving.unreadable import Unreadable

_NAME = re.compile(r"`([^`]+)`")
_LINE = "`ANSWER: DECISION | CANDIDATE | RESULT`"


@dataclass(frozen=True)
class AnswerForm:
    """The two decisions, the candidates, and how the result is rounded and written."""

    positive: str
    negative: str
    candidates: tuple[str, ...]
    unit: str
    rounding: Rounding

    def none(self) -> str:
        """The answer where no candidate is eligible."""
        return f"ANSWER: {self.negative} | none | none"

    def one(self, candidate: str, result: Fraction) -> str:
        """The answer for an eligible candidate, with a result that is rounded already."""
        places = max(self.rounding.places, 0)
        scaled = abs(result) * 10**places
        if scaled.denominator != 1:
            raise Unreadable(f"a result does not fit {places} decimal places", str(result))
        whole, rest = divmod(scaled.numerator, 10**places)
        digits = f"{whole:,}" + (f".{rest:0{places}}" if places else "")
        space = "" if self.unit in ("", "%") else " "
        return f"ANSWER: {self.positive} | {candidate} | {'-' if result < 0 else ''}{digits}{space}{self.unit}"


def answer_form(decision: str, rounding: str) -> AnswerForm:
    """The form that the section on the decision asks for; Unreadable where it asks for another kind of answer."""
    if _LINE not in decision:
        raise Unreadable(f"expected the form {_LINE}", decision)
    _, _, told = decision.partition(_LINE)
    labels, names, nulls, result = _parts(told)
    negative = _NAME.findall(nulls)[:1]
    if len(labels) != 2 or not negative or negative[0] not in labels:
        raise Unreadable("expected two decisions, one of them without a candidate", told)
    positive = labels[0] if labels[1] == negative[0] else labels[1]
    unit, wanted = read_rounding(result)
    if wanted != read_rounding(rounding)[1]:
        raise Unreadable("the result is to be rounded in two ways", f"{rounding} / {result}")
    return AnswerForm(positive, negative[0], tuple(names), unit, wanted)


def _parts(told: str) -> tuple[list[str], list[str], str, str]:
    found = re.search(
        r"DECISION is (.+?)\. CANDIDATE is (.+?)\. With (`[^`]+`), CANDIDATE and RESULT are both `none`\."
        r" Give the result (.+?), in the form ",
        told,
    )
    if found is None:
        raise Unreadable("expected what DECISION, CANDIDATE and RESULT may be", told)
    return _NAME.findall(found[1]), _NAME.findall(found[2]), found[3], found[4]
