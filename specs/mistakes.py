"""What authors write by mistake in an expression, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from datetime import date
from types import MappingProxyType

MOST_DIGITS = 40
"""Digits in a number."""

_NUMBER = re.compile(r"(?:0|[1-9][0-9]*(?:_[0-9]+)*)(?:\.[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

_NUMBER_SLIPS = tuple(
    (re.compile(pattern), hint)
    for pattern, hint in (
        (r"[0-9.]+[eE][0-9]*", "write the number out, as in `1_000_000` or `0.001`"),
        (r"0[xXbBoO].*", "write the number in decimal digits"),
        (r"\.[0-9]+", "write a digit before the point, as in `0.5`"),
        (r"[0-9_]+\.", "write a digit after the point, or leave the point out"),
        (r"0[0-9]{2}", "write `_` between thousands, as in `25_000`; leave out other leading zeros"),
        (r"0[0-9_]+(\.[0-9]+)?", "leave out the leading zero; a date is written in full, as in `2026-03-31`"),
        (r"[0-9]+\.[0-9]+\.[0-9]+", "a date is written `2026-03-31`"),
        (r"[0-9_]+(\.[0-9]+)?[kKmM]", "write the number out, as in `25_000`"),
        (r"[0-9_]+(\.[0-9]+)?[A-Za-z][A-Za-z0-9]*", "put a space before the unit, as in `12 years`"),
        (r"[0-9_.]+", "write one `_` between digits, as in `25_000_000`, and at most one point"),
    )
)

_SYMBOL_SLIPS = tuple(
    (re.compile(pattern), hint)
    for pattern, hint in (
        (r"=>|≥|⩾", "write `>=`"),
        (r"=<|≤|⩽", "write `<=`"),
        (r"≠|=/=|<>", "write `!=`"),
        (r"=", "write `==` to compare"),
        (r"&&?|∧", "write `and`"),
        (r"\|\|?|∨", "write `or`"),
        (r"!|¬|~", "write `not`"),
        (r"[−–—‐‑]", "write the minus sign `-`"),
        (r"[×·∙⋅]", "write `*`"),
        (r"[÷∕⁄]", "write `/`"),
        (r"\^", "powers are not part of the language; write `x * x`"),
        (r"[“”„«»‘’`´]", 'write straight quotes, as in `"DNP"`'),
        (r"[\"']", "close the text with the same quote; write a quote inside a text twice"),
        (r"[$€£¥₹]", "write the currency code after the number, as in `500 USD`"),
        (r"[²³]", "write `m2` or `m3`"),
        (r"\?", "write `if C then A else B`"),
        (r"[{}]", "write a list in `[` and `]`, anything else in `(` and `)`"),
        (r"[;\n]", "a rule is one expression: join parts with `and`; arguments are separated by `,`"),
        (r"#", "a comment stands in a line of its own, outside the rule"),
        (r"\.", 'names hold no point; write `clearance["April 2026"]` for another context'),
        (r"[\s\u200b-\u200f\ufeff]", "an unusual space; write a plain one"),
        (r"\W", None),
    )
)

_WORD_SLIPS = MappingProxyType(
    {
        "is": "write `==` to compare, `!=` for `is not`",
        "equals": "write `==`",
        "mod": "write `mod(x, 2)`",
        "div": "write `//`",
        "xor": "write `!=` between two Booleans",
        "percent": "write `%` after the number, as in `75%`",
        "times": "write `*`",
        "plus": "write `+`",
        "minus": "write `-`",
        "x": "write `*` to multiply",
        "to": "write `x between a and b`",
        "elif": "write `else if`",
        "from": "write `x between a and b`",
    }
)
_ACCEPTED_SLIPS = MappingProxyType(
    {
        frozenset({"LSQB"}): "write a list after `in`, as in `x in [a, b]`",
        frozenset({"BETWEEN", "IN"}): "write `!=`, `x not in [a, b]` or `x not between a and b`",
        frozenset({"TEXT"}): 'a context is a text in quotes, as in `clearance["April 2026"]`',
        frozenset({"NAME"}): "a unit with `per` has two parts, as in `6250 USD per month`",
    }
)
_MONTHS = frozenset(
    month[:length]
    for month in (
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    )
    for length in (3, 9)
)
KEYWORDS = frozenset({"if", "then", "else", "or", "and", "not", "between", "in", "per", "true", "false"})

_FUNCTIONS = frozenset({"min", "max", "sum", "abs", "round", "lookup", "tiered", "count", "any", "all"})

_VALUE = "a value (a number, a name, a date, a text in quotes, or parentheses)"
_EXPECTED = (
    ("NAME", "a unit"),
    ("TEXT", "a text in quotes"),
    ("LSQB", "`[`"),
    ("THEN", "`then`"),
    ("ELSE", "`else`"),
    ("AND", "`and`"),
    ("BETWEEN", "`between`"),
    ("IN", "`in`"),
    ("COMMA", "`,`"),
    ("COLON", "`:`"),
    ("RPAR", "`)`"),
    ("RSQB", "`]`"),
    ("$END", "the end"),
)


def number_hint(token: str) -> str | None:
    """What to write instead of a malformed number; None where it is well formed."""
    if sum(character.isdigit() for character in token) > MOST_DIGITS:
        return f"a number has at most {MOST_DIGITS} digits"
    if _NUMBER.fullmatch(token):
        return None
    if "," in token:
        return f"write `{token.replace(',', '_')}` for one number; put a space after the comma between two numbers"
    return next((hint for pattern, hint in _NUMBER_SLIPS if pattern.fullmatch(token)), "write digits, as in `12.5`")


def date_hint(token: str) -> str | None:
    """What to write instead of a malformed or impossible date; None where it is one."""
    if not _DATE.fullmatch(token):
        return "write a date as year-month-day, as in `2026-03-31`; write spaces around the sign of a calculation"
    try:
        date.fromisoformat(token)
    except ValueError:
        return "there is no such day in the calendar"
    return None


def symbol_hint(rest: str) -> tuple[str, str | None]:
    """The sign that the rest of the text begins with, and what to write instead of it."""
    for pattern, hint in _SYMBOL_SLIPS:
        if match := pattern.match(rest):
            return match.group(), hint
    return rest[:1], "names are written with a-z, digits and `_`; put other text in quotes"


def token_hint(kind: str, token: str, before: str, accepted: AbstractSet[str]) -> str | None:
    """What to write instead of a token in the wrong place; `before` is the token before it."""
    after_value = not accepted & {"NUMBER", "TEXT"}
    if kind == "PERCENT" or before == "%":
        return "write `75% * x` for a share, `mod(x, 2)` for a remainder; `%` stands only after a number"
    if kind == "COMPARISON" and after_value:
        return "comparisons do not chain: write `x between 1 and 2`, or join two comparisons with `and`"
    if before == "<" and token == ">":
        return "write `!=`"
    if before == token == "*":
        return "powers are not part of the language; write `x * x`"
    if (hint := _ACCEPTED_SLIPS.get(frozenset(accepted))) is not None:
        return hint
    if kind in ("BETWEEN", "IN", "NOT") and after_value:
        return "comparisons do not chain: join two of them with `and`"
    if kind == "IF":
        return "write a choice in parentheses: `(if C then A else B)`"
    if kind == "NOT":
        return f"put `{token} ...` in parentheses"
    if kind == "PER":
        return "a unit with `per` has two parts, as in `6250 USD per month`"
    if kind == "RSQB" and before == "[":
        return "a list has at least one value"
    if accepted & {"THEN", "ELSE"} and kind in ("COLON", "COMMA", "RPAR", "ELSE"):
        return "a choice has three parts: `(if C then A else B)`"
    if kind == "COMMA":
        return _comma_hint(before, accepted)
    if kind == "LSQB" and before in ("==", "!="):
        return f"compare with a list by `{'in' if before == '==' else 'not in'}`, as in `x in [a, b]`"
    return _value_hint(kind, token, before) if after_value else None


def _comma_hint(before: str, accepted: AbstractSet[str]) -> str | None:
    if "AND" in accepted and "OR" not in accepted:
        return "write `x between a and b`"
    if before.isdigit():
        return "a number has a point, as in `2.5`, and no comma; only arguments stand with commas, in parentheses"
    return "join conditions with `and` or `or`; arguments stand in parentheses, as in `min(a, b)`"


def _value_hint(kind: str, token: str, before: str) -> str | None:
    if kind == "LSQB":
        return 'only a name has a context: `clearance["April 2026"]`; only `in` has a list'
    if kind not in ("NAME", "NUMBER", "DATE", "TEXT", "TRUE", "FALSE", "LPAR"):
        return None
    if token.lower() in KEYWORDS:
        return f"write `{token.lower()}` in small letters"
    if token.lower() in _WORD_SLIPS:
        return _WORD_SLIPS[token.lower()]
    if kind == "NUMBER" and before.lower() in _MONTHS:
        return "a date is written year-month-day, as in `2026-03-31`"
    if kind == "NUMBER" and before in _FUNCTIONS:
        return f"put the arguments in parentheses, as in `{before}(a, b)`"
    if kind == "NUMBER" and re.fullmatch(r"[A-Z]{3}", before):
        return f"write the unit after the number, as in `500 {before}`"
    side_by_side = "two values stand side by side: put an operator or a comma between them"
    if kind == "NAME" and before.isalpha() and token.isalpha() and not before.isupper() | token.isupper():
        return f'{side_by_side}; a text stands in quotes, as in `"{before} {token}"`'[:200]
    return side_by_side


def end_hint(accepted: AbstractSet[str]) -> str | None:
    """What is missing at the end of the text."""
    if accepted & {"THEN", "ELSE"}:
        return "a choice has three parts: `if C then A else B`"
    if "PLUS" in accepted and "AND" in accepted and "OR" not in accepted:
        return "write `x between a and b`"
    if "NUMBER" in accepted and "RPAR" not in accepted:
        return "a value is missing; a rule reads like `age >= 18 years`"
    if accepted & {"RPAR", "RSQB"}:
        return "close every bracket that is opened"
    return _ACCEPTED_SLIPS.get(frozenset(accepted))


def expected_words(accepted: AbstractSet[str]) -> str:
    """What could stand here, in an author's words, from the terminals that the grammar accepts."""
    if "NUMBER" in accepted:
        return _VALUE + (" or `)`" if "RPAR" in accepted else "")
    after_value = "PLUS" in accepted
    listed = [(kind, phrase) for kind, phrase in _EXPECTED if kind in accepted]
    if after_value:
        hidden = {"BETWEEN", "IN", "LSQB"} | ({"AND"} if "OR" in accepted else set())
        listed = [(kind, phrase) for kind, phrase in listed if kind not in hidden]
    phrases = [_operators(accepted)] * after_value + [phrase for _, phrase in listed]
    return _joined(phrases)


def _operators(accepted: AbstractSet[str]) -> str:
    comparison = ["`>=`"] if "COMPARISON" in accepted else []
    joining = ["`and`"] if "OR" in accepted else []
    return f"an operator ({', '.join(['`+`', *comparison, *joining])})"


def _joined(phrases: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(phrases[:-1]), phrases[-1]]))
