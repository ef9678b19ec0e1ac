"""Exact values and knowledge as the text that a careful person writes: `45,000 AUD`, `17 years`, `13 July 2026`.

Within one domain two values never have the same text, and knowledge of two kinds never does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import assert_never

from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain
from unco.specs.evidence import Between, Exact, Knowledge, Nothing, OneOf
from unco.specs.expression import scale_of
from unco.specs.family import Attribute
from unco.specs.units import unit_name
from unco.specs.values import BooleanType, CategoryType, DateType, NumberType, Type, Unit, Value

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
NOT_STATED = "not stated"
MOST_PLACES = 40
_AMBIGUOUS = re.compile(r'^(?:either|one of|between|on a day)\b|^not stated$|\bor\b|[,"]', re.IGNORECASE)
_TAIL = re.compile(
    r"[(,:]|\b(?:of|at|in|on|for|to|with|from|per|by|since|after|before|under|over|between|within|without|during"
    r"|still|left|that|who|which|not|yet|due|held|owed|paid|as)\b"
)
"""Where the noun of a label ends, and what is said about it begins."""
_SINGULAR = re.compile(r"(?:ss|us|is|ics|'s|’s)$|^(?:series|species|news|gas|lens|bias|atlas|canvas)$")
_DETERMINERS = frozenset({"the", "a", "an", "any", "all", "each", "every", "its", "his", "her", "their", "this", "no"})
_SOUNDS_LIKE_A_CONSONANT = re.compile(
    r"(?i)one(?![a-z])|once|uni(?:[tvqfcsd](?!en)|on|lat)|u(?:s[aeu]|til|bi[qk]|ran|rolog|kul)|e[uw]|ou(?:ij|ist)"
)
_SOUNDS_LIKE_A_VOWEL = re.compile(r"(?i)[aeiou8]|hour|honest|honou?r|heir|11(?!\d)|18(?!\d)")
_PEOPLE = frozenset(
    {
        "member", "person", "child", "man", "woman", "adult", "applicant", "candidate", "student", "pupil", "patient",
        "volunteer", "employee", "assistant", "dependant", "dependent", "tenant", "resident", "guest", "nurse",
        "guard", "guide", "cook", "clerk", "parent", "sibling", "relative", "spouse", "partner", "colleague",
    }
)  # fmt: skip
_PEOPLE_ENDINGS = (
    "worker",
    "driver",
    "teacher",
    "operator",
    "officer",
    "manager",
    "engineer",
    "player",
    "trainer",
    "lodger",
    "owner",
    "holder",
    "carer",
    "helper",
    "passenger",
    "customer",
    "borrower",
    "doctor",
    "tutor",
    "actor",
)
_UNIT_SIGNS = {"celsius": "°C", "m2": "m²", "m3": "m³", "km2": "km²", "cm2": "cm²", "mm2": "mm²", "cm3": "cm³"}
"""Units that print has a sign for: the language has a name that a keyboard can type."""
_IRREGULAR = {"child": "children", "person": "people", "man": "men", "woman": "women"}


def value_text(value: Value, domain: Domain) -> str:
    """A value of the domain: `45,000 AUD`, `1 year`, `75%`, `13 July 2026`, `passed`, `first class`, `3`."""
    match domain:
        case BooleanDomain(words):
            return name_text(words[0] if value else words[1])
        case NumberDomain():
            return amount_text(_number(value), domain.unit, domain_places(domain))
        case CategoryDomain() | DateDomain():
            return typed_text(value, domain.type)
        case _:
            assert_never(domain)


def typed_text(value: Value, type_: Type, places: int | None = None) -> str:
    """A value of a type, numbers in base units: as few decimal places as it needs, or as many as are asked for."""
    match type_:
        case BooleanType():
            return "true" if value else "false"
        case CategoryType():
            return name_text(str(value))
        case DateType():
            return date_text(_day(value))
        case NumberType(unit):
            magnitude = _number(value) / scale_of(type_)
            return amount_text(magnitude, unit, typed_places((value,), type_) if places is None else places)
        case _:
            assert_never(type_)


def knowledge_text(knowledge: Knowledge, domain: Domain) -> str:
    """What is known: `17 years`, `between 5 and 30 years`, `0 or 1`, `either first class or deputy`, `not stated`."""
    match knowledge:
        case Exact(value):
            return value_text(value, domain)
        case OneOf(values):
            return _choice_text([value_text(value, domain) for value in values])
        case Between(low, high):
            return _interval_text(low, high, domain)
        case Nothing():
            return NOT_STATED
        case _:
            assert_never(knowledge)


def amount_text(magnitude: Fraction, unit: Unit, places: int | None) -> str:
    """A number in its unit; `places` of None writes what is not whole as a fraction."""
    digits = digits_text(magnitude, places)
    if unit.symbol == "%":
        return f"{digits}%"
    name = unit_text(unit, one=digits in ("1", "-1"))
    return f"{digits} {name}" if name else digits


def unit_text(unit: Unit, *, one: bool = False) -> str:
    """The unit as it stands after a number: `years`, or `year` after a one; nothing where there is no unit."""
    if unit.symbol in ("", "ratio"):
        return ""
    head = unit.symbol.partition(" per ")[0]
    own = {name[5:]: head for name, power in unit.dimension if name.startswith("unit:") and power > 0}
    words = unit_name(unit.symbol, 1 if one else 2, own).split(" per ")
    return " per ".join(_UNIT_SIGNS.get(word, word) for word in words)


def digits_text(number: Fraction, places: int | None) -> str:
    """`45,000`, `-0.50` or `4/3`: exact; what the places do not hold is a fraction."""
    scaled = number * 10 ** (places or 0)
    if scaled.denominator != 1:
        return f"{number.numerator:,}/{number.denominator:,}"
    whole, decimals = divmod(abs(scaled.numerator), 10 ** (places or 0))
    tail = f".{decimals:0{places}}" if places else ""
    return f"{'-' if number < 0 else ''}{whole:,}{tail}"


def domain_places(domain: NumberDomain) -> int | None:
    """The decimal places that every value of the domain is written with; two at least where money has any."""
    return _places((domain.low, domain.step), domain.unit)


def typed_places(values: Sequence[Value], type_: Type) -> int | None:
    """The decimal places that hold all these numbers, given in base units; None where none do."""
    if not isinstance(type_, NumberType):
        return None
    return _places([_number(value) / scale_of(type_) for value in values], type_.unit)


def date_text(day: date) -> str:
    """`13 July 2026`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def period_text(low: date, high: date, joint: str = "and") -> str:
    """`1 and 12 July 2026`, `1 June and 12 July 2026`, `1 June 2025 and 12 July 2026`: what follows `between`."""
    start = date_text(low)
    if low.year == high.year:
        start = str(low.day) if low.month == high.month else f"{low.day} {MONTHS[low.month - 1]}"
    return f"{start} {joint} {date_text(high)}"


def range_text(low: Fraction, high: Fraction, unit: Unit, places: int | None, joint: str = "and") -> str:
    """`5 and 30 years`, `5% and 30%`: two numbers of one unit, told once where it is a word."""
    first, last = digits_text(low, places), amount_text(high, unit, places)
    return f"{first}% {joint} {last}" if unit.symbol == "%" else f"{first} {joint} {last}"


def name_text(name: str) -> str:
    """A category or a Boolean's word as it stands; in quotation marks where it could be read as something else."""
    return quoted(name) if _AMBIGUOUS.search(name) else name


def quoted(name: str) -> str:
    """The name in quotation marks; those in it are doubled."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def attribute_text(attribute: Attribute, context: str) -> str:
    """The attribute with its evidence context, the same way everywhere: `medical clearance (month: March 2026)`.

    Where every context of the attribute names its own kind, they stand alone: `household income (2025 annual
    statement)`. So the form of a context never tells it from another one.
    """
    if not context:
        return attribute.label
    kind = re.compile(rf"(?<!\w){re.escape(attribute.context_kind)}(?!\w)", re.IGNORECASE)
    name_themselves = not attribute.context_kind or all(kind.search(each) for each, _ in attribute.contexts)
    return (
        f"{attribute.label} ({context})"
        if name_themselves
        else f"{attribute.label} ({attribute.context_kind}: {context})"
    )


def definite(label: str) -> str:
    """The label with its article: `the debt limit`; one that has a word of that kind keeps it."""
    return label if label.split(" ", 1)[0].lower() in _DETERMINERS else f"the {label}"


def article(noun: str) -> str:
    """`a` or `an`, as the sound of the noun asks for: a university, an hour, an MRI scanner, a unit."""
    word = re.split(r"[ -]", noun, maxsplit=1)[0]
    if len(word) == 1 or (word.isupper() and len(word) <= 3):
        return "an" if word[0].upper() in "AEFHILMNORSX8" else "a"
    if _SOUNDS_LIKE_A_CONSONANT.match(word):
        return "a"
    return "an" if _SOUNDS_LIKE_A_VOWEL.match(word) else "a"


def is_person(noun: str) -> bool:
    """Whether a noun of one or more words names people, so that one asks for whom and not for which."""
    return noun.rpartition(" ")[2].lower() in _PEOPLE or noun.lower().endswith(_PEOPLE_ENDINGS)


def listing_text(names: Sequence[str], joint: str = "and") -> str:
    """`A`, `A and B`, `A, B and C`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {joint} {names[-1]}"


def plural(noun: str) -> str:
    """The plural of a noun of one or more words: `household members`, `deputies`."""
    head, space, last = noun.rpartition(" ")
    if last in _IRREGULAR:
        return f"{head}{space}{_IRREGULAR[last]}"
    if re.search(r"(?:s|x|z|ch|sh)$", last):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if re.search(r"[^aeiou]y$", last) else f"{noun}s"


def verb(label: str) -> str:
    """`is` or `are`, as the noun of a label asks for: experience is, completed semesters are, terms at a site are."""
    words = _TAIL.split(label, maxsplit=1)[0].split()
    noun = words[-1] if words else label
    if noun in _IRREGULAR.values():
        return "are"
    return "are" if noun.endswith("s") and not _SINGULAR.search(noun) else "is"


def is_plain(label: str) -> bool:
    """Whether nothing follows the noun of a label and no article stands before it: `debt limit`, not `day of birth`."""
    return _TAIL.search(label) is None and definite(label) != label


def sentence(text: str) -> str:
    """The text with a capital letter, where its first word is an ordinary one, and a full stop."""
    first = text.split(" ", 1)[0]
    opened = text[0].upper() + text[1:] if re.fullmatch(r"[a-z][a-z'’-]*[,:]?", first) else text
    return opened if opened.endswith((".", "!", "?", ":")) else f"{opened}."


def _choice_text(texts: Sequence[str]) -> str:
    match len(texts):
        case 0 | 1:
            return texts[0] if texts else NOT_STATED
        case 2:
            return f"either {texts[0]} or {texts[1]}"
        case _:
            return f"one of {listing_text(texts, 'or')}"


def _interval_text(low: Value, high: Value, domain: Domain) -> str:
    """Two values next to each other are told as such: `16 or 17 November 2026`."""
    first, last = domain.index(low), domain.index(high)
    opening, joint = ("", "or") if first is not None and first + 1 == last else ("between ", "and")
    if isinstance(domain, DateDomain):
        return f"{opening}{period_text(_day(low), _day(high), joint)}"
    if not isinstance(domain, NumberDomain):
        raise TypeError(f"no interval lies in {domain!r}")
    told = range_text(_number(low), _number(high), domain.unit, domain_places(domain), joint)
    return f"{opening}{told}"


def _places(numbers: Sequence[Fraction], unit: Unit) -> int | None:
    """The least number of places that holds them all; money has none, or two at least."""
    needed = [next((n for n in range(MOST_PLACES) if 10**n % number.denominator == 0), None) for number in numbers]
    found = [places for places in needed if places is not None]
    if len(found) < len(needed):
        return None
    most = max(found, default=0)
    return 2 if most == 1 and _is_money(unit) else most


def _is_money(unit: Unit) -> bool:
    return any(len(name) == 3 and name.isupper() for name, _ in unit.dimension)


def _number(value: Value) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise TypeError(f"expected a number, found {value!r}")
    return Fraction(value)


def _day(value: Value) -> date:
    if not isinstance(value, date):
        raise TypeError(f"expected a date, found {value!r}")
    return value
