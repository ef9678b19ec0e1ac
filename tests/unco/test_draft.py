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
from tests.llm.faulty_server import refuses, says
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
        (("--from", __file__), "--from needs an LLM"),
        (("--beside", "nowhere"), "nowhere is no folder"),
        (("-n", "0"), "-n"),
    ],
)
def test_a_wrong_command_is_told_so(tmp_path, arguments, words):
    done = run("draft", "--out", tmp_path / "out", *arguments)
    assert done.exit_code == Exit.USAGE
    assert words in done.stderr


def test_an_unknown_domain_is_told_with_each_name_in_quotes(tmp_path):
    done = run("draft", "--out", tmp_path / "out", "--domain", "environment")
    assert "`environment and water`" in " ".join(done.stderr.split())


def test_a_price_that_is_missing_is_told_with_its_file_its_task_and_its_field(tmp_path):
    llm = settings(tmp_path, "http://localhost:1/v1")
    done = run("draft", "--out", tmp_path / "out", "--llm", llm, "--budget", "5 USD")
    assert done.exit_code == Exit.USAGE
    for words in (str(llm), "`price` of the drafter (small) is not set", "currency: USD", "under `drafter`"):
        assert words in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("status", "ended"), [(401, Exit.USAGE), (404, Exit.USAGE), (429, Exit.MACHINE)])
def test_a_setting_that_is_wrong_ends_like_a_wrong_command_and_what_may_pass_like_the_machine(tmp_path, status, ended):
    skeletons()
    with server(then=refuses(status)) as llm:
        done = run("draft", "--llm", settings(tmp_path, llm.url), "--out", tmp_path / "out")
    assert done.exit_code == ended


@pytest.mark.parametrize("budget", ["0", "10"])
def test_a_budget_that_allows_no_call_ends_like_a_wrong_command(tmp_path, budget):
    skeletons()
    with server() as llm:
        done = run("draft", "--llm", settings(tmp_path, llm.url), "--budget", budget, "--out", tmp_path / "out")
    assert (done.exit_code, "UNC815" in done.stderr, llm.bodies) == (Exit.USAGE, True, [])


def test_an_llm_that_never_drafts_is_given_up_with_the_reason(tmp_path):
    skeletons()
    with server(then=says("I am sorry.")) as llm:
        done = run("draft", "-n", 50, "--llm", settings(tmp_path, llm.url), "--out", tmp_path / "out")
    assert done.exit_code == Exit.REJECTED
    assert "50 specifications of 50 missing: no draft came for 3 in a row, as by UNC811" in done.stderr
    assert len(llm.bodies) <= 9


def test_a_draft_tells_that_it_goes_on_in_another_way(tmp_path):
    skeletons()
    with server() as llm:
        path = settings(tmp_path, llm.url)
        run("draft", "--llm", path, "--out", tmp_path / "out")
        path.write_text(path.read_text("utf-8").replace("8000", "9000"), encoding="utf-8")
        done = run("draft", "-n", 2, "--llm", path, "--out", tmp_path / "out")
        again = run("draft", "-n", 3, "--llm", path, "--out", tmp_path / "out")
    assert (done.exit_code, again.exit_code) == (Exit.OK, Exit.OK)
    assert "another way" in done.stderr
    assert "another way" not in again.stderr


@pytest.mark.parametrize("also", [(), ("--from", "policy.md")])
def test_settings_that_name_no_drafter_are_refused_and_nothing_is_drafted_by_another(tmp_path, monkeypatch, also):
    monkeypatch.chdir(tmp_path)
    text = "{base_url: 'http://localhost:1/v1', model: m}"
    Path("llm.yaml").write_text(f"renderer: {text}\nvalidator: {text}", encoding="utf-8")
    Path("policy.md").write_text("Rules.", encoding="utf-8")
    done = run("draft", "--out", "out", "--llm", "llm.yaml", *also, *ONE_CELL)
    assert done.exit_code == Exit.USAGE
    assert done.stderr == (
        "unco: error UNC703: llm.yaml: expected a `drafter`, which is what `unco draft` asks; found `renderer` and "
        "`validator`; name an LLM as `drafter` there, or leave --llm out to draft by the grammar\n"
    )
    assert not Path("out").exists()


def test_no_key_is_left_in_a_draft_whether_refused_or_used(tmp_path, monkeypatch):
    skeletons()
    secret, out = "sk-4f1d77c09be2", tmp_path / "out"
    monkeypatch.setenv("DRAFT_KEY", secret)
    path = tmp_path / "llm.yaml"
    with server() as llm:
        fields = f"base_url: '{llm.url}', model: small, max_tokens: 8000"
        path.write_text(f"""drafter: {{{fields}, extra: '{{"api_key": "{secret}"}}'}}""", encoding="utf-8")
        done = run("draft", "--llm", path, "--out", out, "--json")
        assert (done.exit_code, "UNC109" in done.stdout, out.exists()) == (Exit.REJECTED, True, False)
        assert secret not in done.output
        path.write_text(f"drafter: {{{fields}, key_variable: DRAFT_KEY, extra: '{{\"n\": 1}}'}}", encoding="utf-8")
        assert run("draft", "--llm", path, "--out", out).exit_code == Exit.OK
    assert not [each for each in out.rglob("*") if each.is_file() and secret.encode() in each.read_bytes()]


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "UNC103"), (b"\xff\xfe", "UNC102"), (b"a\x00b", "UNC112"), (b"x" * 60_001, "UNC106"), (None, "UNC101")],
)
def test_a_text_that_cannot_be_used_is_refused(tmp_path, content, code):
    path = tmp_path / "policy.md"
    if content is not None:
        path.write_bytes(content)
    llm = ("--llm", settings(tmp_path, "http://localhost:1/v1"))
    for also in (llm, ()):
        done = run("draft", "--out", tmp_path / "out", *also, "--from", path)
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
