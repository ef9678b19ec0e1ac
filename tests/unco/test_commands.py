"""Each command on good and on bad input: what it prints, what it writes, how it ends."""

from __future__ import annotations

import ast
import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import unco.cli
import unco.cli.demo
from unco.cli import COMMANDS, application
from unco.cli.exits import MEANINGS, Exit
from unco.specs.codes import CODES
from unco.specs.shipped import shipped_facts, shipped_specifications

R1 = "underground-superintendent"
ROOT = Path(unco.cli.__file__).parent
pytestmark = pytest.mark.xdist_group("commands")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(application(), [str(each) for each in arguments])


def edited(folder: Path, old: str, new: str) -> Path:
    """A shipped specification with one part changed."""
    text = shipped_specifications()[R1].read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = folder / "edited.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of the paper's own case."""
    folder = tmp_path_factory.mktemp("build") / "out"
    done = run("build", R1, "--facts", R1, "--out", folder, "--groups", "2", "--no-sufficient")
    assert (done.exit_code, done.stderr) == (Exit.OK, "")
    assert re.search(r"prove +2 +0 +2\n", done.stdout)
    assert str(folder) in done.stdout
    return folder


# The help


def test_every_file_with_a_command_is_listed() -> None:
    files = [
        path.stem.replace("_", "-") for path in ROOT.glob("*.py") if "\n@command(" in path.read_text(encoding="utf-8")
    ]
    assert sorted(COMMANDS) == sorted(files)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples_that_it_would_take(name: str) -> None:
    done = run(name, "--help")
    assert done.exit_code == Exit.OK
    text, _, examples = done.stdout.partition("Examples:\n")
    lines = [shlex.split(line, comments=True) for line in examples.splitlines() if line.strip()]
    assert lines
    for line in lines:
        assert line[:2] == ["unco", name]
        assert {word for word in line if word.startswith("--")} <= set(re.findall(r"--[a-z-]+", text))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_prints_json_where_asked(name: str) -> None:
    assert "--json" in run(name, "--help").stdout


def test_the_help_documents_every_exit_code() -> None:
    shown = run("--help").stdout
    assert list(MEANINGS) == list(Exit)
    for code, meaning in MEANINGS.items():
        assert re.search(rf"^ *{code.value}  {re.escape(meaning)}$", shown, re.MULTILINE)


def test_a_command_returns_nothing_but_exit_codes() -> None:
    for name in (each.replace("-", "_") for each in COMMANDS):
        tree = ast.parse((ROOT / f"{name}.py").read_text(encoding="utf-8"))
        (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
        assert function.returns is not None
        assert ast.unparse(function.returns) == "Exit"


def test_the_version_is_printed() -> None:
    assert run("--version").stdout == f"unco {unco.__version__}\n"


def test_an_unknown_command_or_option_is_a_usage_error() -> None:
    assert [run("chekc").exit_code, run("check", "--nope").exit_code, run("check").exit_code] == [Exit.USAGE] * 3


# unco new


def test_a_new_specification_stands_and_has_the_name(tmp_path: Path) -> None:
    path = tmp_path / "bed.yaml"
    done = run("new", "bed-allocation", "--out", path)
    assert done.exit_code == Exit.OK
    assert f"unco check {path}" in done.stdout
    shown = run("check", "--no-findings", "--json", path)
    assert shown.exit_code == Exit.OK
    assert unco.load(path).specification.title == "Bed allocation"


@pytest.mark.parametrize("reference", sorted(shipped_specifications()))
def test_every_shipped_specification_can_be_copied(reference: str, tmp_path: Path) -> None:
    path = tmp_path / "new.yaml"
    done = run("new", "no", "--from", reference, "--out", path, "--json")
    assert json.loads(done.stdout) == {"file": str(path), "name": "no", "from": reference}
    assert unco.load(path).specification.name == "no"


def test_new_overwrites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("mine", encoding="utf-8")
    done = run("new", "mine", "--out", path)
    assert (done.exit_code, path.read_text(encoding="utf-8")) == (Exit.USAGE, "mine")
    assert "does not overwrite" in done.stderr


@pytest.mark.parametrize("arguments", [(), ("Bed Allocation",), ("ok", "--from", "nothing"), ("a" * 61,)])
def test_new_refuses_what_cannot_be_a_name_or_a_reference(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = run("new", *arguments, "--out", tmp_path / "x.yaml")
    assert done.exit_code == Exit.USAGE
    assert not list(tmp_path.iterdir())


def test_new_lists_what_is_shipped() -> None:
    listed = json.loads(run("new", "--list", "--json").stdout)
    assert [each["name"] for each in listed] == sorted(shipped_specifications())
    assert set(listed[0]) == {"name", "title", "domain", "operation"}


def test_what_is_shipped_is_known_by_the_name_that_it_has() -> None:
    for name, path in shipped_specifications().items():
        assert unco.load(path).specification.name == name
    assert set(shipped_facts()) <= set(shipped_specifications())


# unco check


def test_check_tells_of_every_file_and_fails_where_one_does_not_stand(tmp_path: Path) -> None:
    bad = edited(tmp_path, "experience: hardrock_years >=", "experience: hardrock_yeers >=")
    broken = tmp_path / "broken.yaml"
    broken.write_text("unco: [", encoding="utf-8")
    done = run("check", R1, bad, broken, "--no-findings", "--json")
    assert done.exit_code == Exit.REJECTED
    found = json.loads(done.stdout)
    assert [each["stands"] for each in found["specifications"]] == [True, False, False]
    codes = [[finding["code"] for finding in each["diagnostics"]] for each in found["specifications"]]
    assert codes[0] == []
    assert "UNC201" in codes[1]
    assert codes[2] == ["UNC103"]
    assert found["specifications"][2]["file"] == str(broken)


def test_check_shows_the_line_and_what_was_meant(tmp_path: Path) -> None:
    path = edited(tmp_path, "experience: hardrock_years >=", "experience: hardrock_yeers >=")
    done = run("check", path, "--no-findings")
    assert (done.exit_code, done.stdout) == (Exit.REJECTED, "")
    assert "error UNC201" in done.stderr
    assert "^" in done.stderr
    assert "hardrock_years" in done.stderr


def test_check_writes_sarif(tmp_path: Path) -> None:
    path = tmp_path / "missing.yaml"
    done = run("check", path, "--sarif")
    assert done.exit_code == Exit.REJECTED
    assert json.loads(done.stdout)["runs"][0]["results"][0]["ruleId"] == "UNC101"
    assert run("check", path, "--sarif", "--json").exit_code == Exit.USAGE


def test_a_word_that_is_no_file_names_what_is_shipped() -> None:
    done = run("check", "underground")
    assert done.exit_code == Exit.USAGE
    assert R1 in done.stderr


# unco prove


def test_prove_shows_the_claims_of_the_papers_own_case() -> None:
    done = run("prove", R1, "--facts", R1, "--no-sufficient")
    assert done.exit_code == Exit.OK
    assert "Group 0: Appoint, Marcus Vance, 60,000 AUD" in done.stdout
    assert "Group 0: ACCEPTED" in done.stdout
    assert re.search(r"role necessity +Occupational Health Adviser +Proved +\w+ +to none +[0-9,]+\n", done.stdout)


def test_prove_prints_one_document_with_every_claim() -> None:
    done = run("prove", R1, "--facts", R1, "--no-sufficient", "--json", "--groups", "2")
    found = json.loads(done.stdout)
    assert found["accepted"]
    first, second = found["groups"]
    assert (first["index"], second["index"]) == (0, 1)
    assert first["group"]["outcome"] == {"candidate": 0, "result": 60000}
    names = {claim["claim"] for claim in first["claims"]}
    assert {"answer uniqueness", "role necessity", "Misaligned is valid", "recoverable"} <= names
    assert all(isinstance(claim["resources"], int) and isinstance(claim["example"], str) for claim in first["claims"])


def test_what_was_not_decided_is_no_success() -> None:
    done = run("prove", R1, "--facts", R1, "--rlimit", "1")
    assert done.exit_code == Exit.UNKNOWN
    assert "smallest sufficient cells" in done.stdout
    assert "Unknown" in done.stdout


@pytest.fixture
def harmless(tmp_path: Path) -> Path:
    """The paper's facts, but for a reply of another month that says the same."""
    text = shipped_facts()[R1].read_text(encoding="utf-8")
    path = tmp_path / "harmless.yaml"
    path.write_text(text.replace("March 2026: passed, April 2026: failed", "March 2026: passed, April 2026: passed"))
    return path


def test_a_rejected_group_has_its_code(harmless: Path) -> None:
    done = run("prove", R1, "--facts", harmless, "--no-sufficient")
    assert done.exit_code == Exit.REJECTED
    assert "Group 0: REJECTED UNC505" in done.stdout
    found = json.loads(run("prove", R1, "--facts", harmless, "--no-sufficient", "--json").stdout)
    assert found["groups"][0]["rejection"]["code"] == "UNC505"
    assert not found["accepted"]


def test_a_build_without_its_groups_says_why(harmless: Path, tmp_path: Path) -> None:
    done = run("build", R1, "--facts", harmless, "--no-sufficient", "--out", tmp_path / "out", "--json")
    assert done.exit_code == Exit.REJECTED
    assert f"{R1}: 1 of 1 groups are missing" in done.stderr
    found = json.loads(done.stdout)
    assert (found["missing"], found["retained"]) == ({R1: 1}, [])
    assert {each["code"] for each in found["rejected"]} == {"UNC505"}
    assert found["phases"][1] == {
        "phase": "prove",
        "candidates": len(found["rejected"]),
        "rejected": len(found["rejected"]),
        "retained": 0,
    }


def test_prove_shows_by_example_why_a_role_is_not_necessary() -> None:
    done = run("prove", "graduate-scholarship", "--no-sufficient", "--groups", "3")
    assert (
        "the evidence of Student Hardship Adviser is not necessary here: whatever it says, the answer is "
        in done.stdout
    )
    assert re.search(r"^ +income: .+: household income .* USD per year", done.stdout, re.MULTILINE)


def test_a_worker_that_hangs_is_killed_and_is_no_verdict() -> None:
    done = run("prove", R1, "--timeout", "0.1")
    assert done.exit_code == Exit.MACHINE
    assert done.stderr.startswith("unco: error UNC901: ")


def test_facts_that_do_not_fit_are_told_with_their_place(tmp_path: Path) -> None:
    facts = tmp_path / "facts.yaml"
    facts.write_text("unco_facts: 1\ncandidates:\n  Ann:\n    hardrock_yeers: 3\n", encoding="utf-8")
    done = run("prove", R1, "--facts", facts)
    assert done.exit_code == Exit.REJECTED
    assert f"{facts}:4:" in done.stderr
    assert "UNC701" in done.stderr


# unco build and unco show


def test_build_refuses_a_folder_that_holds_something(out: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    for folder in (out, tmp_path):
        before = sorted(folder.rglob("*"))
        done = run("build", R1, "--out", folder)
        assert (done.exit_code, sorted(folder.rglob("*"))) == (Exit.USAGE, before)


def test_build_needs_one_specification_for_facts_and_each_once(tmp_path: Path) -> None:
    for arguments in ((R1, "vacation-days", "--facts", R1), (R1, R1)):
        done = run("build", *arguments, "--out", tmp_path / "out")
        assert done.exit_code == Exit.USAGE
    assert not list(tmp_path.iterdir())


def test_show_reads_a_group_back_by_number_id_and_beginning(out: Path) -> None:
    listed = json.loads(run("show", out, "--list", "--json").stdout)
    assert [each["number"] for each in listed] == ["1", "2"]
    identity = listed[1]["id"]
    shown = {run("show", out, wanted).stdout for wanted in ("2", identity, identity[:14])}
    assert len(shown) == 1
    assert "ANSWER: Appoint | Marcus Vance | 60,000 AUD" in shown.pop()


def test_show_takes_one_setting_in_any_case(out: Path) -> None:
    done = run("show", out, "1", "--setting", "incomplete", "--json")
    assert json.loads(done.stdout)["setting"] == "Incomplete"
    assert run("show", out, "--setting", "nothing").exit_code == Exit.USAGE


def test_show_says_that_there_are_more(out: Path) -> None:
    assert f"unco show {out} 2" in run("show", out).stdout


@pytest.mark.parametrize("wanted", ["3", "0", "group-", "zzzz", ""])
def test_show_refuses_a_group_that_is_not_there(out: Path, wanted: str) -> None:
    assert run("show", out, wanted).exit_code == (Exit.USAGE if wanted else Exit.OK)


def test_show_refuses_what_is_no_build(tmp_path: Path) -> None:
    assert run("show", tmp_path).exit_code == Exit.USAGE
    assert run("show", tmp_path / "missing").exit_code == Exit.USAGE


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("tasks.jsonl", '"result": "60000"', '"result": "70000"'),
        ("tasks.jsonl", "17 years", "18 years"),
        ("groups.jsonl", '"digest"', '"digits"'),
        ("groups.jsonl", '"index": ', '"index": 7'),
        ("groups.jsonl", "{", "["),
    ],
)
def test_show_tells_of_a_build_that_was_changed(out: Path, tmp_path: Path, name: str, old: str, new: str) -> None:
    for each in ("groups.jsonl", "tasks.jsonl"):
        text = (out / each).read_text(encoding="utf-8")
        changed = text.replace(old, new) if each == name else text
        assert (changed != text) == (each == name)
        (tmp_path / each).write_text(changed, encoding="utf-8")
    done = run("show", tmp_path)
    assert done.exit_code == Exit.REJECTED
    assert re.search(r"(groups|tasks)\.jsonl:1:1: error UNC702", done.stderr)


# unco demo


def test_the_demo_builds_the_papers_case_and_may_be_run_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few = {name: shipped_specifications()[name] for name in (R1, "vacation-days")}
    monkeypatch.setattr(unco.cli.demo, "shipped_specifications", lambda: few)
    monkeypatch.setattr(unco.cli.demo, "GROUPS", 1)
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / unco.cli.demo.MARK).touch()
    (folder / "groups").mkdir()
    (folder / "groups" / "groups.jsonl").write_text("of an earlier demo", encoding="utf-8")
    done = run("demo", "--out", folder)
    assert (done.exit_code, done.stderr) == (Exit.OK, "")
    assert "ANSWER: Appoint | Marcus Vance | 60,000 AUD" in done.stdout
    assert str(folder / "groups") in done.stdout
    for name, groups in (("paper", 1), ("groups", 2)):
        assert len(list((folder / name / "certificates").iterdir())) == groups


def test_the_demo_removes_only_an_earlier_demo(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    assert run("demo", "--out", tmp_path).exit_code == Exit.USAGE
    assert (tmp_path / "mine").exists()


# unco explain and unco schema


def test_explain_says_what_every_code_means() -> None:
    assert json.loads(run("explain", "--json").stdout) == dict(CODES)
    assert run("explain", "unc204").stdout == f"UNC204: {CODES['UNC204']}\n"
    assert run("explain", "UNC000").exit_code == Exit.USAGE


def test_schema_is_the_one_of_the_language(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    assert json.loads(run("schema").stdout) == unco.json_schema()
    assert run("schema", "--out", path).exit_code == Exit.OK
    assert json.loads(path.read_text(encoding="utf-8")) == unco.json_schema()
    assert run("schema", "--out", path).exit_code == Exit.USAGE
