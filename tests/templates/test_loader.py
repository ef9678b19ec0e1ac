"""Templates: text is only ever a value, nothing is filled in silently, and a failure is a diagnostic."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from unco.specs.errors import SpecificationError
from unco.templates import loader
from unco.templates.loader import fill

HOSTILE = (
    "{{ 7*7 }}",
    "{% include 'render/record.txt.j2' %}",
    "<script>alert(1)</script>",
    "{# gone #}",
    "a & 'b' \"c\"",
)
ROOT = Path(str(resources.files("unco.templates").joinpath("loader.py"))).parent
SHIPPED = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.j2"))


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Templates of the test's own, by name."""
    sources: dict[str, str] = {}
    monkeypatch.setattr(loader, "_source", sources.get)
    loader._environment.cache_clear()
    yield sources
    loader._environment.cache_clear()


def code(name: str, **values: object) -> str:
    with pytest.raises(SpecificationError) as caught:
        fill(name, **values)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.path == name
    return diagnostic.code


@pytest.mark.parametrize("text", HOSTILE)
def test_a_value_comes_out_as_it_is(text: str) -> None:
    assert fill("render/silence.txt.j2", role=text) == f"No response from {text}."


def test_a_missing_value_is_a_diagnostic() -> None:
    assert code("render/silence.txt.j2") == "UNC601"


@pytest.mark.parametrize("name", ["render/none.txt.j2", "../pyproject.toml", "render/../loader.py", "/etc/passwd", ""])
def test_what_is_no_template_of_ours_is_a_diagnostic(name: str) -> None:
    assert code(name) == "UNC601"


@pytest.mark.parametrize("source", ["{{ ''.__class__.__mro__ }}", "{{ words.append(1) }}", "{{ 1 / 0 }}", "{% if %}"])
def test_a_template_that_leaves_its_bounds_is_a_diagnostic(written: dict[str, str], source: str) -> None:
    written["probe.txt.j2"] = source
    assert code("probe.txt.j2", words=[]) == "UNC601"


def test_html_is_escaped_and_text_is_not(written: dict[str, str]) -> None:
    written.update({"page.html.j2": "{{ name }}", "page.txt.j2": "{{ name }}"})
    assert fill("page.html.j2", name="<b>") == "&lt;b&gt;"
    assert fill("page.txt.j2", name="<b>") == "<b>"


def test_blocks_leave_no_blank_lines(written: dict[str, str]) -> None:
    written["list.txt.j2"] = "one\n  {% for each in items %}\n- {{ each }}\n  {% endfor %}\ntwo\n"
    assert fill("list.txt.j2", items=[1, 2]) == "one\n- 1\n- 2\ntwo"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_template_compiles(name: str) -> None:
    loader._environment().get_template(name)


def test_there_are_templates() -> None:
    assert {name.split("/")[0] for name in SHIPPED} >= {"render", "show"}
