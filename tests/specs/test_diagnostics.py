"""Diagnostics as text, JSON and SARIF: the caret stands where the fault is, and control characters stay in."""

from __future__ import annotations

import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unco.specs import diagnostics
from unco.specs.codes import CODES
from unco.specs.diagnostics import in_order, render_text, to_json, to_sarif
from unco.specs.errors import Diagnostic, Severity, Span
from unco.specs.source import Source


def at(line: int, column: int, end_column: int, file: str = "a.yaml") -> Span:
    return Span(file, line, column, line, end_column)


def excerpt(line: str, column: int, end_column: int) -> tuple[str, str]:
    """The source line and the caret line, without their margins."""
    text = render_text([Diagnostic("UNC203", "m", at(1, column, end_column))], Source("a.yaml", line))
    shown = text.split("\n")
    return shown[1][8:], shown[2][8:]


SOURCE = Source("a.yaml", "unco: 1\nrules:\n  a: clearance >= 3\n")
FULL = Diagnostic(
    "UNC203",
    "types do not fit",
    at(3, 6, 20),
    "rules.a",
    found="a Boolean and a number",
    expected="two numbers",
    hint="compare with true",
    example="clearance = true\n3 >= 3",
    related=(("the attribute is declared here", at(1, 1, 5)),),
)


class TestText:
    def test_a_diagnostic_shows_all_that_it_knows(self) -> None:
        assert render_text([FULL], SOURCE) == (
            "a.yaml:3:6: error UNC203: types do not fit\n"
            "    3 |   a: clearance >= 3\n"
            "      |      ^~~~~~~~~~~~~~\n"
            "  found:    a Boolean and a number\n"
            "  expected: two numbers\n"
            "  example:  clearance = true\n"
            "            3 >= 3\n"
            "  hint:     compare with true\n"
            "a.yaml:1:1: note: the attribute is declared here\n"
            "    1 | unco: 1\n"
            "      | ^~~~\n"
            "\n"
            "1 error\n"
        )

    def test_a_diagnostic_without_a_place_names_its_field(self) -> None:
        diagnostic = Diagnostic("UNC301", "too few roles", path="roles", severity=Severity.WARNING)
        assert render_text([diagnostic]) == "roles: warning UNC301: too few roles\n\n1 warning\n"
        assert render_text([Diagnostic("UNC901", "no memory")]) == "error UNC901: no memory\n\n1 error\n"

    def test_the_count_names_each_severity(self) -> None:
        kinds = [Severity.ERROR, Severity.WARNING, Severity.NOTE, Severity.ERROR]
        text = render_text([Diagnostic("UNC301", "m", severity=kind) for kind in kinds])
        assert text.endswith("\n\n2 errors, 1 warning, 1 note\n")
        assert render_text([]) == "no findings\n"

    def test_a_place_in_another_file_shows_no_line(self) -> None:
        text = render_text([Diagnostic("UNC203", "m", at(1, 1, 2, "b.yaml"))], SOURCE)
        assert text == "b.yaml:1:1: error UNC203: m\n\n1 error\n"

    def test_the_text_that_an_error_carries_will_do_for_a_source(self) -> None:
        assert render_text([FULL], SOURCE.text) == render_text([FULL], SOURCE)

    @pytest.mark.parametrize(
        ("line", "word", "shown", "caret"),
        [
            ("a: bad", "bad", "a: bad", "   ^~~"),
            ("\ta: bad", "bad", "    a: bad", "       ^~~"),
            ("日本: bad", "bad", "日本: bad", "      ^~~"),
            ("a: 日本", "日本", "a: 日本", "   ^~~~"),
            ("😀: bad", "bad", "😀: bad", "    ^~~"),
            ("👩‍👩‍👧: bad", "bad", "👩‍👩‍👧: bad", "    ^~~"),
            ("👍🏽: bad", "bad", "👍🏽: bad", "    ^~~"),
            ("❤️: bad", "bad", "❤️: bad", "    ^~~"),
            ("e\u0301: bad", "bad", "e\u0301: bad", "   ^~~"),
            ("a\x1b: bad", "bad", "a<U+001B>: bad", "           ^~~"),
            ("\u202ea: bad", "bad", "<U+202E>a: bad", "           ^~~"),
            ("ｆ: bad", "bad", "ｆ: bad", "    ^~~"),
        ],
    )
    def test_the_caret_stands_under_the_fault(self, line: str, word: str, shown: str, caret: str) -> None:
        column = line.index(word) + 1
        assert excerpt(line, column, column + len(word)) == (shown, caret)

    def test_an_empty_span_has_one_caret(self) -> None:
        assert excerpt("a:", 3, 3) == ("a:", "  ^")

    def test_a_span_of_several_lines_is_marked_to_the_end_of_the_first(self) -> None:
        diagnostic = Diagnostic("UNC203", "m", Span("a.yaml", 2, 1, 3, 5))
        assert "    2 | rules:\n      | ^~~~~~\n" in render_text([diagnostic], SOURCE)

    def test_a_long_line_is_cut_around_the_fault(self) -> None:
        line, caret = excerpt("x" * 2000 + "bad" + "y" * 2000, 2001, 2004)
        assert (line[0], line[-1], len(line)) == ("…", "…", 122)
        assert line[caret.index("^") : caret.rindex("~") + 1] == "bad"

    def test_only_the_shown_part_of_a_huge_line_is_looked_at(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: list[str] = []

        def cell(character: str, before: str) -> tuple[str, int]:
            seen.append(before)
            return character, 1

        monkeypatch.setattr(diagnostics, "_cell", cell)
        excerpt("x" * 900_000, 500_000, 900_000)
        assert len(seen) == 120

    @given(st.text("ab日\t😀\u0301", max_size=200), st.integers(1, 210), st.integers(0, 210))
    def test_any_place_in_any_line_can_be_shown(self, line: str, column: int, length: int) -> None:
        shown, caret = excerpt(line, column, column + length)
        assert caret.strip()[0] == "^"
        assert "\t" not in shown

    def test_control_characters_never_reach_the_terminal(self) -> None:
        evil = "\x1b[31m\x07\u202e\n\rfake: error"
        diagnostic = Diagnostic("UNC203", evil, at(1, 1, 3, evil), evil, evil, evil, evil, evil, ((evil, at(1, 1, 2)),))
        text = render_text([diagnostic], Source(evil, evil))
        assert not {"\x1b", "\x07", "\u202e", "\r"} & set(text)
        assert not any(line.startswith("fake") for line in text.splitlines())


class TestOrder:
    def test_the_order_is_that_of_the_file_whatever_the_order_of_finding(self) -> None:
        ordered = [
            Diagnostic("UNC301", "m"),
            Diagnostic("UNC203", "m", at(1, 1, 2)),
            Diagnostic("UNC204", "m", at(1, 1, 2)),
            Diagnostic("UNC201", "m", at(1, 10, 12)),
            Diagnostic("UNC201", "m", at(10, 2, 12)),
        ]
        for shuffled in permutations(ordered):
            assert in_order(shuffled) == ordered
            assert to_json(shuffled) == to_json(ordered)


class TestPrograms:
    def test_json_holds_every_part(self) -> None:
        (found,) = to_json([FULL])
        assert found == {
            "code": "UNC203",
            "severity": "error",
            "message": "types do not fit",
            "file": "a.yaml",
            "line": 3,
            "column": 6,
            "end_line": 3,
            "end_column": 20,
            "path": "rules.a",
            "found": "a Boolean and a number",
            "expected": "two numbers",
            "example": "clearance = true\n3 >= 3",
            "hint": "compare with true",
            "related": [
                {
                    "message": "the attribute is declared here",
                    "file": "a.yaml",
                    "line": 1,
                    "column": 1,
                    "end_line": 1,
                    "end_column": 5,
                }
            ],
        }

    def test_json_keeps_its_keys_where_nothing_is_known(self) -> None:
        (found,) = to_json([Diagnostic("UNC901", "m")])
        assert set(found) == set(to_json([FULL])[0])
        assert found["line"] is None

    def test_sarif_has_a_rule_for_every_code_and_a_region_for_every_place(self) -> None:
        log = json.loads(json.dumps(to_sarif([FULL])))
        (run,) = log["runs"]
        assert log["version"] == "2.1.0"
        assert run["columnKind"] == "unicodeCodePoints"
        assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(CODES)
        (result,) = run["results"]
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "UNC203"
        assert result["level"] == "error"
        assert result["locations"] == [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "a.yaml"},
                    "region": {"startLine": 3, "startColumn": 6, "endLine": 3, "endColumn": 20},
                },
                "logicalLocations": [{"fullyQualifiedName": "rules.a"}],
            }
        ]
        assert result["relatedLocations"][0]["message"]["text"] == "the attribute is declared here"

    @pytest.mark.parametrize(
        ("file", "uri"), [("a b.yaml", "a%20b.yaml"), ("/x/é.yaml", "file:///x/%C3%A9.yaml"), ("<text>", "%3Ctext%3E")]
    )
    def test_sarif_names_files_by_valid_addresses(self, file: str, uri: str) -> None:
        log = to_sarif([Diagnostic("UNC203", "m", at(1, 1, 2, file))])
        location = log["runs"][0]["results"][0]["locations"][0]
        assert location["physicalLocation"]["artifactLocation"]["uri"] == uri

    def test_sarif_of_a_finding_without_a_place_has_no_location(self) -> None:
        assert "locations" not in to_sarif([Diagnostic("UNC901", "m")])["runs"][0]["results"][0]
