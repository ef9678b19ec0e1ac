"""Results show themselves in a notebook, and nothing that an author wrote is taken for markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import unco
from unco.specs.verdict import Engine, Promise

HOSTILE = "<script>alert('{{ 7*7 }}')</script>"


class Tags(HTMLParser):
    """Collects the tags of a page and its text; complains of what is left open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def checked() -> unco.Checked:
    text = unco.shipped_specifications()["underground-superintendent"].read_text(encoding="utf-8")
    hostile, changed = re.subn("^    label: (.*)$", rf'    label: "\1 {HOSTILE}"', text, flags=re.MULTILINE)
    assert changed >= 7
    return unco.check(unco.parse(hostile, f"{HOSTILE}.yaml"), unco.CheckOptions(findings=False))


@pytest.fixture(scope="module")
def retained(checked: unco.Checked) -> unco.Retained:
    family = checked.require()
    options = unco.BuildOptions(1, prove=unco.ProveOptions(sufficient=False))
    ((_, retained),) = unco.build([family], options).retained
    return retained


def page_of(result: object) -> Tags:
    page = Tags(result._repr_html_())  # type: ignore[attr-defined]
    assert "script" not in page.seen
    return page


def test_a_check_shows_its_diagnostics(checked: unco.Checked) -> None:
    assert f"{HOSTILE}.yaml: stands" in page_of(checked).text
    finding = unco.Diagnostic("UNC201", HOSTILE, path="a.b", found=HOSTILE, hint=None)
    page = page_of(unco.Checked(None, (finding,), checked.source))
    assert page.text.count(HOSTILE) == 3
    assert {"table", "code"} <= page.seen
    assert "hint" not in page.text


def test_a_proof_shows_its_claims(retained: unco.Retained) -> None:
    page = page_of(retained.proof)
    assert "Accepted" in page.text
    for claim in retained.proof.claims:
        assert claim.statement in page.text


def test_a_proof_shows_what_was_not_decided() -> None:
    claim = unco.Claim(unco.ClaimName.NECESSARY, HOSTILE, HOSTILE, Promise.KEPT, unco.Unknown(HOSTILE, 7))
    refuted = unco.Claim(unco.ClaimName.UNIQUE, "", "", Promise.KEPT, unco.Refuted(Engine.SOLVER, because=HOSTILE))
    page = page_of(unco.Proof((claim, refuted)))
    assert page.text.count(HOSTILE) == 4
    assert "Rejected" in page.text


def test_a_rendered_group_shows_every_setting(retained: unco.Retained) -> None:
    page = page_of(retained.rendered)
    for task in retained.rendered.tasks:
        assert task.setting in page.text
    assert HOSTILE in page.text
    assert retained.rendered.id in page_of(retained).text


def test_a_build_shows_what_was_rejected(retained: unco.Retained, checked: unco.Checked) -> None:
    rejection = unco.Rejection("prove", "UNC503", HOSTILE, "name", 4)
    page = page_of(unco.Built(((checked.require(), (retained, rejection)),)))
    assert "1 retained, 1 rejected" in page.text
    assert HOSTILE in page.text
