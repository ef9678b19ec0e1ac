"""Files to located data: what is read is what stands there, and whatever is hostile ends in a diagnostic."""

from __future__ import annotations

import builtins
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from reading_samples import SAMPLE

from unco.specs import yaml_events
from unco.specs.codes import CODES
from unco.specs.errors import Diagnostic, Span, SpecificationError
from unco.specs.located import MAXIMUM_PROBLEMS
from unco.specs.source import Source, parse_source, path_text, read_source


def refused(text: str | bytes, file: str = "a.yaml") -> tuple[Diagnostic, ...]:
    with pytest.raises(SpecificationError) as caught:
        parse_source(text, file)
    return caught.value.diagnostics


def codes(text: str | bytes, file: str = "a.yaml") -> list[str]:
    return [diagnostic.code for diagnostic in refused(text, file)]


def spot(span: Span | None) -> tuple[int, int, int, int]:
    assert span is not None
    return span.line, span.column, span.end_line, span.end_column


def slice_of(source: Source, span: Span) -> str:
    """The text between the two ends of a span, counted from the lines alone."""
    lines = source.text.splitlines(keepends=True)
    begin = sum(len(line) for line in lines[: span.line - 1]) + span.column - 1
    end = sum(len(line) for line in lines[: span.end_line - 1]) + span.end_column - 1
    return source.text[begin:end]


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def _each_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_events, "_LOADER", getattr(yaml, request.param))


class TestData:
    def test_every_scalar_is_its_text_and_null_is_none(self) -> None:
        text = "a: 0.10000000000000000000001\nb: 007\nc: yes\nd: '3'\ne: ~\nf:\ng: null\nh: 'null'\n"
        text += "i: 2026-01-01\nj: 1e3\n"
        assert parse_source(text, "a.yaml").data == {
            "a": "0.10000000000000000000001",
            "b": "007",
            "c": "yes",
            "d": "3",
            "e": None,
            "f": None,
            "g": None,
            "h": "null",
            "i": "2026-01-01",
            "j": "1e3",
        }

    def test_keys_are_texts(self) -> None:
        assert parse_source("1: a\ntrue: b\n2026-01-01: c\n", "a.yaml").data == {
            "1": "a",
            "true": "b",
            "2026-01-01": "c",
        }

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("a: |\n  x\n  y\n", "x\ny"),
            ("a: |-\n  x\n  y\n", "x\ny"),
            ("a: |+\n  x\n\n", "x\n\n"),
            ("a: >\n  x\n  y\n", "x y"),
            ("a: > # not + this\n  x\n", "x"),
            ('a: "x\\n"\n', "x\n"),
        ],
    )
    def test_a_block_has_no_last_line_end_unless_it_is_kept(self, text: str, value: str) -> None:
        assert parse_source(text, "a.yaml").data == {"a": value}

    def test_json_reads_as_the_same_data_as_yaml(self) -> None:
        text = '{"a": [1, -2.5, true, null, {"b": "x\\ty"}],\n\t"c": {}, "d": []}'
        data = parse_source(text, "a.json").data
        assert data == parse_source(text, "a.yaml").data == parse_source(text).data
        assert data == {"a": ["1", "-2.5", "true", None, {"b": "x\ty"}], "c": {}, "d": []}

    def test_json_reads_pairs_of_surrogates_and_solidus(self) -> None:
        assert parse_source('["\\ud83d\\ude00\\/"]', "a.json").data == ["😀/"]

    def test_line_ends_of_every_system_count_alike(self) -> None:
        for end in ("\n", "\r\n", "\r"):
            source = parse_source(end.join(["a: 1", "b:", "  c: 2", ""]), "a.yaml")
            assert source.data == {"a": "1", "b": {"c": "2"}}
            assert spot(source.span(("b", "c"))) == (3, 6, 3, 7)
            assert source.line(3) == "  c: 2"

    @pytest.mark.usefixtures("_each_parser")
    def test_both_parsers_of_the_library_read_alike(self) -> None:
        source = parse_source(SAMPLE, "a.yaml")
        assert source.value(("attributes", "hardrock", "step")) == "0.10000000000000000000001"
        assert slice_of(source, source.span(("attributes", "hardrock", "context", "others", 1, "name"))) == "2024"
        assert slice_of(source, source.span(("candidates", "names", 2))) == '"A, B"'
        assert slice_of(source, source.span(("conditions", "start", "rule"))).endswith("and true")
        assert slice_of(source, source.key_span(("tables", "fees", "rows", 1, "from"))) == "from"


class TestPlaces:
    SOURCE = parse_source("a: 1\nb:\n  - x\n  - {c: ~, d: 'it''s'}\ne:\n  f: y  # z\n", "a.yaml")

    @pytest.mark.parametrize(
        ("path", "value", "key"),
        [
            (("a",), (1, 4, 1, 5), (1, 1, 1, 2)),
            (("b",), (3, 3, 4, 23), (2, 1, 2, 2)),
            (("b", 0), (3, 5, 3, 6), (3, 5, 3, 6)),
            (("b", 1), (4, 5, 4, 23), (4, 5, 4, 23)),
            (("b", 1, "c"), (4, 9, 4, 10), (4, 6, 4, 7)),
            (("b", 1, "d"), (4, 15, 4, 22), (4, 12, 4, 13)),
            (("e",), (6, 3, 6, 7), (5, 1, 5, 2)),
            ((), (1, 1, 6, 7), (1, 1, 1, 5)),
            (("e", "missing"), (6, 3, 6, 7), (5, 1, 5, 2)),
        ],
    )
    def test_each_value_and_key_has_its_place(self, path: Any, value: Any, key: Any) -> None:
        assert spot(self.SOURCE.span(path)) == value
        assert spot(self.SOURCE.key_span(path)) == key

    def test_lines_outside_the_file_are_empty(self) -> None:
        assert [self.SOURCE.line(number) for number in (0, 1, 99)] == ["", "a: 1", ""]

    def test_a_path_is_shown_as_an_author_reads_it(self) -> None:
        assert path_text(("attributes", "x", "range", 0)) == "attributes.x.range[0]"

    WORDS = st.lists(st.sampled_from(["alpha", ">=", "'q'", "日本", "12", "<=", "b\\c", "😀"]), min_size=1, max_size=6)

    @pytest.mark.parametrize("style", ["plain", "single", "double", "folded", "literal", "json"])
    @given(words=WORDS, breaks=st.lists(st.booleans(), min_size=6, max_size=6))
    def test_a_part_of_a_text_is_located_where_it_stands(
        self, style: str, words: list[str], breaks: list[bool]
    ) -> None:
        """Through quotes, escapes, indentation and folding."""
        words = ["w", *words]
        text, file = written(words, breaks, style)
        source = parse_source(text, file)
        value = source.value(("k", 0))
        assert isinstance(value, str)
        assert value.split() == words
        place = 0
        for word in words:
            start = value.index(word, place)
            place = start + len(word)
            raw = slice_of(source, source.locate(("k", 0), start, place))
            assert raw == escaped_in(style, word)

    def test_a_span_over_several_lines_has_both_ends(self) -> None:
        source = parse_source("k: >-\n  one two\n  three four\n", "a.yaml")
        assert spot(source.locate(("k",), 4, 13)) == (2, 7, 3, 8)

    def test_a_place_behind_the_text_is_its_end(self) -> None:
        source = parse_source("k: one\n", "a.yaml")
        assert spot(source.locate(("k",), 3, 3)) == (1, 7, 1, 7)
        assert spot(source.locate(("k",), 90, 99)) == (1, 7, 1, 7)


def escaped_in(style: str, word: str) -> str:
    match style:
        case "single":
            return word.replace("'", "''")
        case "double":
            return word.replace("\\", "\\\\").replace("2", "\\u0032")
        case "json":
            return word.replace("\\", "\\\\").replace("😀", "\\ud83d\\ude00")
        case _:
            return word


def written(words: list[str], breaks: list[bool], style: str) -> tuple[str, str]:
    """The words as a scalar in the style, on several lines where `breaks` says so; and the name of the file."""
    parts = [escaped_in(style, word) for word in words]
    joined = parts[0]
    for part, cut in zip(parts[1:], breaks, strict=False):
        joined += ("\n     " if cut and style != "json" else " ") + part
    match style:
        case "single":
            return f"k:\n  - '{joined}'\n", "a.yaml"
        case "double":
            return f'k:\n  - "{joined}"\n', "a.yaml"
        case "json":
            return f'{{"k": ["{joined}"]}}', "a.json"
        case "folded":
            return f"k:\n  - >-\n     {joined}\n", "a.yaml"
        case "literal":
            return f"k:\n  - |\n     {joined}\n", "a.yaml"
        case _:
            return f"k:\n  - {joined}\n", "a.yaml"


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a: &x 1\nb: *x\nc: !!str d\n", ["UNC105"] * 3),
            ("a: !!python/object/apply:os.system [ls]\n", ["UNC105"]),
            ("a: 1\n---\nb: 2\n", ["UNC105"]),
            ("a: {}\n<<: {b: 1}\n", ["UNC105"]),
            ("a: 1\nb: 2\na: 3\nb: 4\n", ["UNC104", "UNC104"]),
            ("a: {b: 1, b: 2}\n", ["UNC104"]),
            ('a: 1\n"a": 2\n', ["UNC104"]),
            ("? [a]\n: 1\n? {b: c}\n: 2\n", ["UNC109", "UNC109"]),
            ("~: 1\nnull: 2\n? \n: 3\n", ["UNC109", "UNC109", "UNC109"]),
            ("", ["UNC103"]),
            ("# nothing\n", ["UNC103"]),
            ("a: b: c\n", ["UNC103"]),
            ("a: [1, 2\n", ["UNC103"]),
            ("a: 'x\n", ["UNC103"]),
            ("a: ]\n", ["UNC103"]),
            ("a: @x\n", ["UNC103"]),
            ("a:\n\t- b\n", ["UNC103"]),
            ("a:\n  b: 1\n c: 2\n", ["UNC103"]),
            ('a: "\\q"\n', ["UNC103"]),
            ('a: "\\x00"\nb: "\\u202e"\n', ["UNC112", "UNC112"]),
            ('a: "\\ud83d"\n', ["UNC112"]),
            ("\ufeffa: 1\n", ["UNC112"]),
            ("a: \x00\nb: \u202e\n", ["UNC112", "UNC112"]),
            ("a: 1 # \u2066 in a comment\n", ["UNC112"]),
            ("a: \u2028 b\n", ["UNC112"]),
            ("a: \ud800\n", ["UNC112"]),
            (b"a: \xff\n", ["UNC102"]),
            ("a: b\n".encode("utf-16"), ["UNC102"]),
            ("a: " + "x" * 4001, ["UNC106"]),
            ("x" * 1_000_001, ["UNC106"]),
            ("- x\n" * 60_000, ["UNC106"]),
        ],
    )
    def test_yaml_that_is_not_the_language_has_its_code(self, text: str | bytes, expected: list[str]) -> None:
        assert codes(text) == expected

    @pytest.mark.usefixtures("_each_parser")
    @pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "{? "])
    @pytest.mark.parametrize("count", [31, 10_000])
    def test_deep_nesting_is_refused_before_anything_is_built(self, opening: str, count: int) -> None:
        assert codes(opening * count)[-1] == "UNC106"

    @pytest.mark.parametrize("count", [31, 900])
    def test_deep_indentation_is_refused(self, count: int) -> None:
        assert codes("\n".join(" " * level + "a:" for level in range(count + 1))) == ["UNC106"]

    @pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
    def test_deep_nesting_in_json_is_refused(self, opening: str) -> None:
        assert codes(opening * 10_000, "a.json") == ["UNC106"]

    def test_thirty_levels_are_not_too_deep(self) -> None:
        assert parse_source("[" * 30 + "]" * 30, "a.yaml").data is not None

    def test_a_bomb_of_aliases_is_never_expanded(self) -> None:
        lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
        lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 20)]
        found = refused("\n".join(lines))
        assert {diagnostic.code for diagnostic in found} == {"UNC105"}
        assert len(found) <= MAXIMUM_PROBLEMS

    @pytest.mark.parametrize(
        "text",
        [
            '{"a": 1,}',
            "[1 2]",
            '{"a"',
            "{a: 1}",
            "[01]",
            "[1e]",
            '["a\nb"]',
            "[]]",
            "[NaN]",
            "[+1]",
            "[.5]",
            "[tru]",
            "['a']",
            '{"a" 1}',
            "[,]",
            "[1,,2]",
            '{"a": }',
            "[1] x",
            '["\\q"]',
            '["',
            "// c",
            "{]",
            "[}",
            "[1x]",
            "[truer]",
        ],
    )
    def test_text_that_is_not_json_is_refused_at_its_place(self, text: str) -> None:
        (diagnostic,) = refused(text, "a.json")
        assert diagnostic.code == "UNC103"
        assert diagnostic.expected is not None

    def test_json_that_is_not_the_language_has_its_code(self) -> None:
        assert codes('{"a": 1, "a": 2, "b": "\\ud800"}', "a.json") == ["UNC104", "UNC112"]
        assert codes("[" + "1," * 60_000 + "1]", "a.json") == ["UNC106"]
        assert codes('["' + "x" * 900_000 + '"]', "a.json") == ["UNC106"]

    def test_a_second_key_points_at_the_first(self) -> None:
        (diagnostic,) = refused("a: 1\nb: 2\na: 3\n")
        assert spot(diagnostic.span) == (3, 1, 3, 2)
        assert [spot(span) for _, span in diagnostic.related] == [(1, 1, 1, 2)]

    def test_an_invisible_character_is_named_with_its_place(self) -> None:
        (diagnostic,) = refused("a: 日\u202eb\n")
        assert spot(diagnostic.span) == (1, 5, 1, 6)
        assert diagnostic.found == "U+202E RIGHT-TO-LEFT OVERRIDE"

    def test_a_wrong_byte_is_named_with_its_place(self) -> None:
        (diagnostic,) = refused("é: ".encode() + b"\xff\n")
        assert spot(diagnostic.span) == (1, 4, 1, 5)
        assert diagnostic.found == "the byte 0xFF"

    def test_joiners_of_emoji_and_scripts_are_kept(self) -> None:
        text = "a: 👩‍👩‍👧 می‌خواهم ❤️\n"
        assert parse_source(text, "a.yaml").data == {"a": "👩‍👩‍👧 می‌خواهم ❤️"}

    def test_the_error_carries_the_text_that_shows_its_lines(self) -> None:
        with pytest.raises(SpecificationError) as caught:
            parse_source("a: 1\na: 2\n", "a.yaml")
        assert caught.value.text == "a: 1\na: 2\n"

    @given(
        st.text(max_size=60)
        | st.lists(st.sampled_from(list("{}[]:,-?&*!|>'\"#%@\\\n\t ab~<")), max_size=40).map("".join)
    )
    def test_any_text_ends_in_data_or_in_diagnostics(self, text: str) -> None:
        for file in ("a.yaml", "a.json"):
            try:
                source = parse_source(text, file)
            except SpecificationError as error:
                found = {diagnostic.code for diagnostic in error.diagnostics}
            else:
                found = {"UNC103"}
                for path, place in source.places.items():
                    assert slice_of(source, source.span(path)) == text[place.start : place.end]
            assert found
            assert found <= set(CODES)


class TestFiles:
    def test_a_file_reads_as_its_text(self, tmp_path: Path) -> None:
        path = tmp_path / "a.yaml"
        path.write_bytes(SAMPLE.encode())
        source = read_source(path)
        assert source.data == parse_source(SAMPLE, "a.yaml").data
        assert source.file == str(path)

    def test_a_huge_file_is_refused_before_it_is_opened(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "huge.yaml"
        path.touch()
        os.truncate(path, 200_000_000)
        monkeypatch.setattr(builtins, "open", None)
        with pytest.raises(SpecificationError) as caught:
            read_source(path)
        (diagnostic,) = caught.value.diagnostics
        assert (diagnostic.code, diagnostic.found) == ("UNC106", "200,000,000 bytes")

    def test_what_is_no_file_cannot_be_read(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "loop").symlink_to(tmp_path / "loop")
        for path in (
            tmp_path,
            tmp_path / "none",
            tmp_path / "pipe",
            tmp_path / "loop",
            "/dev/zero",
            "a\0b",
            "\ud800",
            "x" * 5000,
        ):
            with pytest.raises(SpecificationError) as caught:
                read_source(path)
            assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["UNC101"]

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
    def test_a_file_without_permission_cannot_be_read(self, tmp_path: Path) -> None:
        path = tmp_path / "a.yaml"
        path.touch(mode=0)
        with pytest.raises(SpecificationError) as caught:
            read_source(path)
        assert caught.value.diagnostics[0].code == "UNC101"
