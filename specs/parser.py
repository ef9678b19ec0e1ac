"""The parser of expressions: text in, a syntax tree with spans out, or a diagnostic that tells what to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, TypeAlias

from unco.specs.characters import code_point
from unco.specs.errors import Diagnostic, Span, SpecificationError
from unco.specs.mistakes import date_hint, end_hint, expected_words, number_hint, symbol_hint, token_hint
from unco.specs.syntax import Call, Syntax

if TYPE_CHECKING:
    from lark import Lark
    from lark.exceptions import UnexpectedInput

LONGEST_TEXT = 4_000
"""Characters in an expression."""
DEEPEST_BRACKETS = 40
"""Brackets open at one place."""
DEEPEST_TREE = 100
"""Levels of the tree: what reads a tree may recurse."""

Locate: TypeAlias = Callable[[int, int], Span]
"""The span in the source file of the characters from `start` to `end` of the text."""


def parse(text: str, locate: Locate | None = None) -> Syntax:
    """The tree of an expression's text. Spans come from `locate`, or count lines and columns of the text itself.

    Raises SpecificationError: UNC110 (does not parse), UNC111 (too long or too deep), UNC113 (a malformed number).
    """
    place = locate or _in_text(text)
    if len(text) > LONGEST_TEXT:
        raise SpecificationError([_too_long(text, place)])
    if slips := list(_slips(text, place)):
        raise SpecificationError(slips)
    tree = _parse_tokens(text, place)
    if (node := _below(tree, DEEPEST_TREE)) is not None:
        raise SpecificationError([_too_deep(node.span)])
    return tree


def _parse_tokens(text: str, place: Locate) -> Syntax:
    from lark.exceptions import UnexpectedInput

    from unco.specs.syntax_builder import SyntaxBuilder

    try:
        parsed = _lark().parse(text)
    except UnexpectedInput as error:
        raise SpecificationError([_unexpected(text, error, place)]) from None
    builder = SyntaxBuilder(place)
    tree = builder.transform(parsed)
    if builder.diagnostics:
        raise SpecificationError(builder.diagnostics)
    return tree


@cache
def _lark() -> Lark:
    from lark import Lark

    grammar = (resources.files("unco.specs") / "grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", propagate_positions=True, maybe_placeholders=False)


@cache
def _token_pattern() -> re.Pattern[str]:
    """The grammar's own tokens, those that can hold a slip, and brackets; any other character alone."""
    terminals = {terminal.name: terminal.pattern.to_regexp() for terminal in _lark().terminals}
    named = [f"(?P<{name}>{terminals[name]})" for name in ("TEXT", "NAME", "DATE", "NUMBER")]
    return re.compile("|".join([*named, r"(?P<OPEN>[(\[])", r"(?P<CLOSE>[)\]])", r"(?P<QUOTE>[\"'])", r"(?s:.)"]))


def _slips(text: str, place: Locate) -> Iterator[Diagnostic]:
    """What is wrong in single tokens, found before parsing: numbers, dates, open quotes, too many brackets."""
    depth = 0
    for match in _token_pattern().finditer(text):
        token = match.group()
        match match.lastgroup:
            case "NUMBER" if hint := number_hint(token):
                yield _diagnostic("UNC113", "this number is malformed", place(*match.span()), token, "a number", hint)
            case "DATE" if hint := date_hint(token):
                yield _diagnostic("UNC110", "this date is malformed", place(*match.span()), token, "a date", hint)
            case "OPEN":
                depth += 1
                if depth > DEEPEST_BRACKETS:
                    yield _too_many_brackets(place(*match.span()))
                    return
            case "CLOSE":
                depth -= 1
            case "QUOTE":
                _, hint = symbol_hint(token)
                yield _diagnostic(
                    "UNC110", "this text has no end", place(*match.span()), token, "a closing quote", hint
                )
                return


def _unexpected(text: str, error: UnexpectedInput, place: Locate) -> Diagnostic:
    """The diagnostic for the place where the grammar cannot go on."""
    from lark.exceptions import UnexpectedToken

    accepted = _accepted(error)
    expected = expected_words(accepted)
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        end = len(text.rstrip())
        message = "the expression ends too early" if end else "the expression is empty"
        return _diagnostic("UNC110", message, place(end, end), "the end", expected, end_hint(accepted))
    start = error.pos_in_stream or 0
    if not isinstance(error, UnexpectedToken):
        found, hint = symbol_hint(text[start:])
    else:
        found = str(error.token)
        hint = token_hint(error.token.type, found, _token_before(text, start), accepted)
    message = "the expression cannot go on like this"
    return _diagnostic("UNC110", message, place(start, start + len(found)), found, expected, hint)


def _accepted(error: UnexpectedInput) -> frozenset[str]:
    """The terminals that could stand at the place of the error."""
    parser: Any = error.interactive_parser
    return frozenset(parser.accepts())


def _token_before(text: str, position: int) -> str:
    matches = [match.group() for match in _token_pattern().finditer(text, 0, position) if not match.group().isspace()]
    return matches[-1] if matches else ""


def _below(tree: Syntax, depth: int) -> Syntax | None:
    """A part of the tree that lies deeper than `depth` levels, found without recursion."""
    level = [tree]
    for _ in range(depth):
        level = [part for node in level if isinstance(node, Call) for part in node.arguments]
    return level[0] if level else None


def _in_text(text: str) -> Locate:
    def locate(start: int, end: int) -> Span:
        return Span("", *_line_and_column(text, start), *_line_and_column(text, end))

    return locate


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _diagnostic(code: str, message: str, span: Span, found: str, expected: str, hint: str | None) -> Diagnostic:
    shown = found if len(found) <= 60 else f"{found[:57]}..."
    printable = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
    quoted = printable if found == "the end" else f"`{printable}`"
    if len(found) == 1 and not found.isascii() and (found.isalpha() or found.isspace()):
        quoted = f"`{printable}` ({code_point(found)})" if found.isalpha() else code_point(found)
    return Diagnostic(code, message, span, found=quoted, expected=expected, hint=hint)


def _too_long(text: str, place: Locate) -> Diagnostic:
    return Diagnostic(
        "UNC111",
        "the expression is too long",
        place(0, LONGEST_TEXT),
        found=f"{len(text)} characters",
        expected=f"at most {LONGEST_TEXT} characters",
        hint="split the rule into several conditions, or move cases into a table",
    )


def _too_many_brackets(span: Span) -> Diagnostic:
    return Diagnostic(
        "UNC111",
        "the brackets are nested too deeply",
        span,
        found=f"more than {DEEPEST_BRACKETS} open brackets",
        expected=f"at most {DEEPEST_BRACKETS}",
        hint="leave out brackets that are not needed, or move cases into a table",
    )


def _too_deep(span: Span | None) -> Diagnostic:
    return Diagnostic(
        "UNC111",
        "the expression is nested too deeply",
        span,
        found=f"more than {DEEPEST_TREE} operators inside one another",
        expected=f"at most {DEEPEST_TREE}",
        hint="write a long sum as `sum(a, b, ...)`, and long choices as a table",
    )
