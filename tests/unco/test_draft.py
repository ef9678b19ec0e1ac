"""unco draft: what it prints and writes, how it ends, and that a killed command goes on to the same bytes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.compiler.llm_drafts import drafts, drafts_what_fails, server
from tests.llm.faulty_server import refuses
from tests.unco.test_commands import run
from unco.cli.exits import Exit
from unco.compiler.drafting.skeleton import skeletons

pytestmark = pytest.mark.xdist_group("commands")
ONE_CELL = ("--domain", "energy", "--operation", "sum")


def settings(folder: Path, url: str) -> Path:
    path = folder / "llm.yaml"
    text = f"drafter: {{base_url: '{url}', model: small, max_tokens: 8000, patience: {{attempts: 1, seconds: 300}}}}"
    path.write_text(text, encoding="utf-8")
    return path


def tree(folder: Path) -> dict[str, bytes]:
    paths = [each for each in folder.rglob("*") if each.is_file() and each.name != "draft.lock"]
    return {str(each.relative_to(folder)): each.read_bytes() for each in paths if "sqlite" not in each.name}


def test_a_draft_tells_what_it_kept_and_what_can_be_done_with_it(tmp_path):
    out = tmp_path / "out"
    done = run("draft", "-n", 2, "--out", out, *ONE_CELL, "--operation", "ratio")
    assert (done.exit_code, done.stderr) == (Exit.OK, "")
    assert "2 specifications of 2 kept, 2 of 2 cells filled" in done.stdout
    assert f"unco build {out / 'specs'}" in done.stdout
    (first, second) = sorted((out / "specs").iterdir())
    assert run("check", "--no-findings", first, second).exit_code == Exit.OK
    again = run("draft", "-n", 2, "--out", out, *ONE_CELL, "--operation", "ratio")
    assert again.exit_code == Exit.OK
    assert "nothing is left to do" in again.stderr
    more = run("draft", "-n", 3, "--out", out, *ONE_CELL, "--json")
    assert "continuing: 2 of 3" in more.stderr
    told = json.loads(more.stdout)
    assert (told["wanted"], len(told["kept"]), told["cells"]) == (3, 3, {"filled": 1, "of": 1})


def test_where_nothing_new_can_be_drafted_the_command_ends_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr("unco.compiler.drafting.by_grammar.GrammarDrafter.tries", 1)
    monkeypatch.setattr("unco.compiler.drafting.by_grammar.GrammarDrafter.spare", 0)
    first = run("draft", "-n", 1, "--out", tmp_path / "first", *ONE_CELL)
    done = run("draft", "-n", 1, "--out", tmp_path / "out", "--beside", tmp_path / "first", *ONE_CELL, "--json")
    assert first.exit_code == Exit.OK
    assert done.exit_code in (Exit.OK, Exit.REJECTED)
    monkeypatch.setattr("unco.compiler.drafting.by_grammar.skeletons", lambda: ())
    done = run("draft", "-n", 1, "--out", tmp_path / "none", *ONE_CELL)
    assert done.exit_code == Exit.REJECTED
    assert "1 specification of 1 missing: none can be composed" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--domain", "alchemy"), "a domain of the grammar"),
        (("--operation", "modulo"), "an operation"),
        (("--budget", "5 USD"), "--budget goes with --llm"),
        (("--from", "policy.md"), "--from needs an LLM"),
        (("--beside", "nowhere"), "nowhere is no folder"),
        (("-n", "0"), "-n"),
    ],
)
def test_a_wrong_command_is_told_so(tmp_path, arguments, words):
    done = run("draft", "--out", tmp_path / "out", *arguments)
    assert done.exit_code == Exit.USAGE
    assert words in done.stderr


def test_settings_that_name_no_drafter_leave_the_grammar_at_work_but_cannot_read_a_text(tmp_path):
    path = tmp_path / "llm.yaml"
    path.write_text("renderer: {base_url: 'http://localhost:1/v1', model: m}", encoding="utf-8")
    done = run("draft", "--out", tmp_path / "out", "--llm", path, *ONE_CELL, "--json")
    assert done.exit_code == Exit.OK
    line = json.loads((tmp_path / "out" / "drafts.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert line["by"] == "grammar"
    (tmp_path / "policy.md").write_text("Rules.", encoding="utf-8")
    done = run("draft", "--out", tmp_path / "other", "--llm", path, "--from", tmp_path / "policy.md")
    assert done.exit_code == Exit.USAGE


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "UNC103"), (b"\xff\xfe", "UNC102"), (b"a\x00b", "UNC112"), (b"x" * 60_001, "UNC106"), (None, "UNC101")],
)
def test_a_text_that_cannot_be_used_is_refused(tmp_path, content, code):
    path = tmp_path / "policy.md"
    if content is not None:
        path.write_bytes(content)
    done = run("draft", "--out", tmp_path / "out", "--llm", settings(tmp_path, "http://localhost:1/v1"), "--from", path)
    assert done.exit_code == Exit.REJECTED
    assert f"error {code}" in done.stderr


def test_an_author_sees_each_diagnostic_and_where_the_draft_lies(tmp_path):
    skeletons()
    policy = tmp_path / "policy.md"
    policy.write_text("# Policy\n\nFive years at sea.", encoding="utf-8")
    with server(drafts_what_fails, drafts_what_fails, then=drafts) as llm:
        done = run("draft", "--from", policy, "--llm", settings(tmp_path, llm.url), "--out", tmp_path / "out")
    assert done.exit_code == Exit.OK
    assert "Five years at sea." in llm.questions[0]
    assert done.stderr.count("error UNC201") == 2
    assert "draft 0, attempt 2" in done.stderr
    assert "rejected/0.yaml" in done.stderr
    assert (tmp_path / "out" / "rejected" / "0.yaml").is_file()
    assert "1 specification of 1 kept" in done.stdout
    assert "small: 3 calls, 45 tokens" in done.stdout


def test_a_server_that_refuses_ends_the_command_and_keeps_what_is_there(tmp_path):
    skeletons()
    with server(drafts, then=refuses(500)) as llm:
        llm_settings = settings(tmp_path, llm.url)
        done = run("draft", "-n", 1, "--llm", llm_settings, "--out", tmp_path / "out")
        assert done.exit_code == Exit.OK
        done = run("draft", "-n", 2, "--llm", llm_settings, "--out", tmp_path / "out")
    assert done.exit_code == Exit.MACHINE
    assert "1 of 2 specifications are kept; the same command goes on" in done.stderr
    assert "UNC804" in done.stderr


def test_a_killed_command_goes_on_to_the_same_bytes(tmp_path):
    whole, out, asked = tmp_path / "whole", tmp_path / "out", ("draft", "-n", "2", "--seed", "3", "--out")
    assert run(*asked, whole).exit_code == Exit.OK
    working = subprocess.Popen([sys.executable, "-m", "unco", *asked, str(out)])
    while working.poll() is None and not out.exists():
        time.sleep(0.01)
    working.kill()
    assert working.wait() == -signal.SIGKILL
    assert run(*asked, out).exit_code == Exit.OK
    assert tree(out) == tree(whole)
