"""The parser and the printer: each is the other's inverse, spans are exact, and any text at all ends well."""

from __future__ import annotations

import time
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from syntax_strategies import ARITIES, FUNCTIONS, LEAVES, OPERATORS, nodes, syntax_trees

from unco.specs.codes import CODES
from unco.specs.errors import Diagnostic, Span, SpecificationError
from unco.specs.mistakes import KEYWORDS
from unco.specs.parser import DEEPEST_BRACKETS, DEEPEST_TREE, LONGEST_TEXT, parse
from unco.specs.printer import print_expression
from unco.specs.syntax import BooleanLiteral, Call, DateLiteral, Name, NumberLiteral, Syntax, TextLiteral

a, b, c, x = Name("a"), Name("b"), Name("c"), Name("x")
DEEP = settings(max_examples=500, deadline=None)
NORMAL = settings(max_examples=100, deadline=None)


def number(value: int | str, unit: str = "") -> NumberLiteral:
    return NumberLiteral(Fraction(value), unit)


def offsets(start: int, end: int) -> Span:
    return Span("", 1, start, 1, end)


def complaint(text: str) -> Diagnostic:
    with pytest.raises(SpecificationError) as caught:
        parse(text)
    return caught.value.diagnostics[0]


PARSES = [
    ("12", number(12)),
    ("0.5", number("1/2")),
    ("25_000_000", number(25_000_000)),
    ("0.10000000000000000000001", number("0.10000000000000000000001")),
    ("12 years", number(12, "years")),
    ("6250 USD per term", number(6250, "USD per term")),
    ("75%", number(75, "%")),
    ("75 %", number(75, "%")),
    ("3% per year", number(3, "% per year")),
    ("12.5 kg per m3", number("12.5", "kg per m3")),
    ("2026-03-31", DateLiteral(date(2026, 3, 31))),
    ("2024-02-29", DateLiteral(date(2024, 2, 29))),
    ('"DNP"', TextLiteral("DNP")),
    ("'it''s'", TextLiteral("it's")),
    ('"a ""b"""', TextLiteral('a "b"')),
    ('"\\u{41}"', TextLiteral("\\u{41}")),
    ("'日本 😀'", TextLiteral("日本 😀")),
    ("true", BooleanLiteral(True)),
    ("false", BooleanLiteral(False)),
    ("true_age", Name("true_age")),
    ('a["April 2026"]', Name("a", "April 2026")),
    ("f()", Call("f", ())),
    ("round(a, 2)", Call("round", (a, number(2)))),
    ("weighted_mean(a: 3, b: 2)", Call("weighted_mean", (a, number(3), b, number(2)))),
    ("a + b - c", Call("-", (Call("+", (a, b)), c))),
    ("a // b / c", Call("/", (Call("//", (a, b)), c))),
    ("a + b * c", Call("+", (a, Call("*", (b, c))))),
    ("(a + b) * c", Call("*", (Call("+", (a, b)), c))),
    ("-a * b", Call("*", (Call("negate", (a,)), b))),
    ("-12 years", Call("negate", (number(12, "years"),))),
    ("a--b", Call("-", (a, Call("negate", (b,))))),
    ("not a == b", Call("not", (Call("==", (a, b)),))),
    ("not a and b", Call("and", (Call("not", (a,)), b))),
    ("a or b and c", Call("or", (a, Call("and", (b, c))))),
    ("a and b and c", Call("and", (a, b, c))),
    ("a or (b or c)", Call("or", (a, b, c))),
    ("x between a and b and c", Call("and", (Call("between", (x, a, b)), c))),
    ("x not between a and b + c", Call("not", (Call("between", (x, a, Call("+", (b, c)))),))),
    ("x in [a, b]", Call("in", (x, a, b))),
    ("x not in [a]", Call("not", (Call("in", (x, a)),))),
    ("if a then b else c or x", Call("if", (a, b, Call("or", (c, x))))),
    ("if a then b else if b then c else x", Call("if", (a, b, Call("if", (b, c, x))))),
    ("x-2026-03-31", Call("-", (x, DateLiteral(date(2026, 3, 31))))),
    ("a\n  >=\tb", Call(">=", (a, b))),
]

MISTAKES = [
    ("x % 2", "UNC110", 3, 4, "mod(x, 2)"),
    ("12 % 5", "UNC110", 6, 7, "mod(x, 2)"),
    ("x = 2", "UNC110", 3, 4, "`==`"),
    ("a && b", "UNC110", 3, 5, "`and`"),
    ("a || b", "UNC110", 3, 5, "`or`"),
    ("!a", "UNC110", 1, 2, "`not`"),
    ("x ≥ 2", "UNC110", 3, 4, "`>=`"),
    ("x ≤ 2", "UNC110", 3, 4, "`<=`"),
    ("x => 2", "UNC110", 3, 5, "`>=`"),
    ("x <> 2", "UNC110", 4, 5, "`!=`"),
    ("x − 2", "UNC110", 3, 4, "`-`"),
    ("1 < x < 2", "UNC110", 7, 8, "between"),
    ("x in [1] == true", "UNC110", 10, 12, "chain"),
    ("x is y", "UNC110", 3, 5, "`==`"),
    ("a AND b", "UNC110", 3, 6, "small letters"),
    ("a b", "UNC110", 3, 4, "operator"),
    ("x ** 2", "UNC110", 4, 5, "x * x"),
    ("a == not b", "UNC110", 6, 9, "parentheses"),
    ("1 + if a then b else c", "UNC110", 5, 7, "parentheses"),
    ("x in []", "UNC110", 7, 8, "at least one"),
    ("x in y", "UNC110", 6, 7, "[a, b]"),
    ("x not 2", "UNC110", 7, 8, "`!=`"),
    ("a[1]", "UNC110", 3, 4, "quotes"),
    ("f(x)[1]", "UNC110", 5, 6, "context"),
    ("5 per x", "UNC110", 3, 6, "two parts"),
    ("a.b", "UNC110", 2, 3, "point"),
    ("größe", "UNC110", 3, 4, "names"),
    ("a\u00a0b", "UNC110", 2, 3, "space"),
    ("“DNP”", "UNC110", 1, 2, "straight"),
    ("$5", "UNC110", 1, 2, "500 USD"),
    ("12 m²", "UNC110", 5, 6, "m2"),
    ("a; b", "UNC110", 2, 3, "and"),
    ('x == "abc', "UNC110", 6, 7, "close"),
    ("(a", "UNC110", 3, 3, "close"),
    ("if a then b  ", "UNC110", 12, 12, "else"),
    ("x between 1", "UNC110", 12, 12, "between a and b"),
    ("1 +", "UNC110", 4, 4, "missing"),
    ("", "UNC110", 1, 1, "missing"),
    ("weighted_mean(a, b)", "UNC110", 15, 16, "weighted_mean(written: 3, oral: 2)"),
    ("weighted_mean(a: 1, b)", "UNC110", 21, 22, "weighted_mean(written: 3, oral: 2)"),
    ("f(a: 1)", "UNC110", 3, 4, "weighted_mean"),
    ("1 + negate(x)", "UNC110", 5, 14, "-x"),
    ("x > 2026-02-30", "UNC110", 5, 15, "no such day"),
    ("x > 2025-02-29", "UNC110", 5, 15, "no such day"),
    ("x > 0000-01-01", "UNC110", 5, 15, "no such day"),
    ("x > 2026-3-31", "UNC110", 5, 14, "2026-03-31"),
    ("x > 31/12/2026", "UNC110", 5, 15, "2026-03-31"),
    ("x > 31.12.2026", "UNC113", 5, 15, "2026-03-31"),
    ("x > 2026-03", "UNC113", 10, 12, "2026-03-31"),
    ("25,000", "UNC113", 1, 7, "25_000"),
    ("x in [100,200]", "UNC113", 7, 14, "space after the comma"),
    ("1e6", "UNC113", 1, 4, "1_000_000"),
    ("1e-6", "UNC113", 1, 3, "0.001"),
    ("12years", "UNC113", 1, 8, "12 years"),
    ("0x10", "UNC113", 1, 5, "decimal"),
    (".5", "UNC113", 1, 3, "0.5"),
    ("5. + 1", "UNC113", 1, 3, "point"),
    ("1__0", "UNC113", 1, 5, "25_000_000"),
    ("007", "UNC113", 1, 4, "leading zero"),
    ("9" * 41, "UNC113", 1, 42, "40 digits"),
]


@pytest.mark.parametrize(("text", "tree"), PARSES)
def test_a_text_means_this_tree(text: str, tree: Syntax) -> None:
    assert parse(text) == tree
    assert parse(print_expression(tree)) == tree


@pytest.mark.parametrize(("text", "code", "start", "end", "hint"), MISTAKES)
def test_a_mistake_is_told_where_it_is_and_what_to_write(text: str, code: str, start: int, end: int, hint: str) -> None:
    diagnostic = complaint(text)
    assert (diagnostic.code, diagnostic.span) == (code, Span("", 1, start, 1, end))
    assert hint in (diagnostic.hint or "")
    assert diagnostic.found
    assert diagnostic.expected


def test_lines_and_columns_count_from_one() -> None:
    tree = parse("a\n  + b")
    assert isinstance(tree, Call)
    assert [node.span for node in (tree, *tree.arguments)] == [
        Span("", 1, 1, 2, 6),
        Span("", 1, 1, 1, 2),
        Span("", 2, 5, 2, 6),
    ]


def test_every_malformed_number_and_date_is_told_at_once() -> None:
    with pytest.raises(SpecificationError) as caught:
        parse("x > 25,000 and y < 1e6 and z == 2026-02-30")
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["UNC113", "UNC113", "UNC110"]


@pytest.mark.parametrize(
    "text", ["x % 2", "(a", "x in y", "1 < x < 2", "12 [", "f(a", "x between 1", "x not y", "a b", ""]
)
def test_what_is_expected_is_told_without_the_grammars_names(text: str) -> None:
    expected = complaint(text).expected or ""
    assert not [word for word in expected.replace("`", " ").split() if word.isupper() or word.startswith(("$", "_"))]


def test_a_chained_comparison_is_not_told_to_compare_again() -> None:
    assert ">=" not in (complaint("1 < x < 2").expected or "")


@given(syntax_trees())
@NORMAL
@example(Call("-", (a, Call("-", (b, c)))))
@example(Call("negate", (Call("negate", (number(1, "%"),)),)))
@example(Call("not", (Call("not", (Call("in", (x, a)),)),)))
@example(Call("==", (Call("not", (Call("between", (x, a, b)),)), Call("if", (a, b, c)))))
def test_parsing_what_is_printed_gives_the_tree_back(tree: Syntax) -> None:
    assert parse(print_expression(tree)) == tree


@pytest.mark.laws
@given(syntax_trees())
@DEEP
def test_parsing_what_is_printed_gives_the_tree_back_deeply(tree: Syntax) -> None:
    assert parse(print_expression(tree)) == tree


@given(syntax_trees())
@NORMAL
def test_printing_is_idempotent(tree: Syntax) -> None:
    text = print_expression(tree)
    assert print_expression(parse(text)) == text


@given(syntax_trees())
@NORMAL
def test_no_printed_parentheses_can_be_left_out(tree: Syntax) -> None:
    text = print_expression(tree)
    for start, end in parentheses(text):
        shorter = f"{text[:start]} {text[start + 1 : end]} {text[end + 1 :]}"
        assert parsed(shorter) != tree, (text, shorter)


@pytest.mark.parametrize("outer", OPERATORS)
def test_every_operator_inside_every_other_prints_with_the_parentheses_it_needs(outer: str) -> None:
    for tree in nested(outer):
        text = print_expression(tree)
        assert parse(text) == tree
        for start, end in parentheses(text):
            assert parsed(f"{text[:start]} {text[start + 1 : end]} {text[end + 1 :]}") != tree, text


@given(syntax_trees())
@NORMAL
def test_the_text_under_a_span_is_the_node(tree: Syntax) -> None:
    text = print_expression(tree)
    parts = nodes(parse(text, offsets))
    words = {id(node.arguments[0]) for node in parts if isinstance(node, Call) and node.operator == "not"}
    for node in parts:
        shared = id(node) in words and isinstance(node, Call) and node.operator in ("in", "between")
        if not shared:  # `x not in [a]` is one text for two nodes
            assert node.span is not None
            assert parse(text[node.span.column : node.span.end_column]) == node


def test_the_strategy_makes_every_kind_of_node_and_every_operator() -> None:
    seen: set[object] = set()

    @given(syntax_trees())
    @settings(max_examples=300, deadline=None, database=None, derandomize=True)
    def collect(tree: Syntax) -> None:
        seen.update(node.operator if isinstance(node, Call) else type(node) for node in nodes(tree))

    collect()
    assert not {*OPERATORS, *LEAVES} - seen
    assert seen & set(FUNCTIONS)


def test_the_keywords_are_those_of_the_grammar() -> None:
    for word in KEYWORDS - {"true", "false"}:
        assert complaint(word).code == "UNC110"
    assert {type(parse(word)) for word in ("true", "false")} == {BooleanLiteral}


def test_a_number_without_a_finite_decimal_form_is_not_printed() -> None:
    with pytest.raises(ValueError, match="no finite decimal form"):
        print_expression(number("1/3"))


SNIPPETS = [
    *sorted(KEYWORDS), *OPERATORS, "(", ")", "[", "]", ",", ":", "%", '"', "'", " ", "\n", "12", "0.5", "1e6", "25,000",
    "2026-03-31", "2026-02-30", "years", "x", "f(", '"DNP"', "é", "\x00", "\u202e", "==", "=", "&&", "≥", ".", "\ud800",
]  # fmt: skip


@given(st.lists(st.sampled_from(SNIPPETS), max_size=12).map(lambda parts: " ".join(parts)))
@settings(max_examples=500, deadline=None)
def test_any_row_of_tokens_ends_in_a_tree_or_a_diagnostic(text: str) -> None:
    assert_ends_well(text)


@given(st.one_of(st.text(), st.binary().map(lambda data: data.decode("latin-1")), st.text("()[]-+.,:%\"'09aif \n")))
@NORMAL
def test_any_text_ends_in_a_tree_or_a_diagnostic(text: str) -> None:
    assert_ends_well(text)


@given(syntax_trees().map(print_expression), st.data())
@NORMAL
def test_a_text_with_one_slip_ends_in_a_tree_or_a_diagnostic(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    removed = data.draw(st.integers(0, 3))
    assert_ends_well(text[:place] + data.draw(st.sampled_from(["", *SNIPPETS])) + text[place + removed :])


HUGE = {
    "parentheses": "(" * 10_000 + "x" + ")" * 10_000,
    "open brackets": "[" * LONGEST_TEXT,
    "minus signs": "-" * (LONGEST_TEXT - 1) + "x",
    "additions": "x" + "+1" * 1_000,
    "negations": "not " * 900 + "x",
    "choices": "if a then b else " * 200 + "c",
    "choices in conditions": "if " * 150 + "a" + " then b else c" * 150,
    "digits": "9" * 1_000_000,
    "a long text": '"' + "x" * 1_000_000 + '"',
    "calls": "f(" * (DEEPEST_BRACKETS + 1) + ")" * (DEEPEST_BRACKETS + 1),
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE.keys())
def test_huge_or_deep_text_is_refused_at_once(text: str) -> None:
    parse("x")
    started = time.perf_counter()
    assert complaint(text).code == "UNC111"
    assert time.perf_counter() - started < 2


def test_the_deepest_text_allowed_parses_and_prints() -> None:
    deepest = parse("-" * (DEEPEST_TREE - 1) + "x")
    assert parse(print_expression(deepest)) == deepest
    assert complaint("-" * DEEPEST_TREE + "x").code == "UNC111"
    assert parse("(" * DEEPEST_BRACKETS + "x" + ")" * DEEPEST_BRACKETS) == x


def test_a_flat_chain_as_long_as_a_text_may_be_is_not_deep() -> None:
    tree = parse(" or ".join(["x"] * 700))
    assert isinstance(tree, Call)
    assert len(tree.arguments) == 700


def test_what_is_found_shows_no_control_characters() -> None:
    assert complaint("x \x1b").found == "`\\x1b`"


def assert_ends_well(text: str) -> None:
    tree = parsed(text)
    if tree is not None:
        assert parse(print_expression(tree)) == tree
        return
    with pytest.raises(SpecificationError) as caught:
        parse(text)
    for diagnostic in caught.value.diagnostics:
        assert diagnostic.code in CODES
        assert diagnostic.span is not None
        assert diagnostic.found
        assert diagnostic.expected


def nested(outer: str) -> list[Syntax]:
    """The operator with each operator, that itself apart in chains, at each of its places."""
    places = ARITIES.get(outer, (2, 2))[0]
    inner = [Call(other, (a, b, c)[: ARITIES.get(other, (2, 2))[0]]) for other in OPERATORS]
    parts: list[Call] = [part for part in inner if not (part.operator == outer and outer in ("and", "or"))]
    return [Call(outer, (*[x] * place, part, *[x] * (places - place - 1))) for part in parts for place in range(places)]


def parsed(text: str) -> Syntax | None:
    try:
        return parse(text)
    except SpecificationError:
        return None


def parentheses(text: str) -> list[tuple[int, int]]:
    """The pairs of parentheses in a printed text that are neither a call's nor around a choice."""
    pairs, opened, quoted = [], [], False
    for place, character in enumerate(text):
        quoted ^= character == '"'
        if character == "(" and not quoted:
            opened.append(place)
        elif character == ")" and not quoted:
            start = opened.pop()
            call = start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_")
            if not call and not text.startswith("(if ", start):
                pairs.append((start, place))
    return pairs
