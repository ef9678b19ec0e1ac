"""unco build as a user meets it: stopped, continued, watched, refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.llm.faulty_server import Step, refuses, says, served
from tests.runs import CRANE, dataset, proved_and_rejected
from tests.scripted_llm import replies
from unco.cli import application
from unco.cli.exits import Exit
from unco.compiler import run as running
from unco.compiler.running.disk import claimed

pytestmark = pytest.mark.xdist_group("commands")
GROUPS = 24


def command(out: Path, *options: str) -> list[str]:
    return ["build", str(CRANE), "--groups", str(GROUPS), "--no-sufficient", "--out", str(out), *options]


def started(out: Path, hash_seed: int, workers: int) -> subprocess.Popen[str]:
    """A build in a process of its own, in a group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "unco", *command(out, "--workers", str(workers))],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_groups(out: Path, size: int) -> None:
    """Until the log of the store holds so many bytes more than nothing."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        log = out / "run.sqlite-wal"
        if log.exists() and log.stat().st_size > size:
            return
        time.sleep(0.01)
    raise AssertionError("no group was kept")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(application(), [str(each) for each in arguments])


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The dataset of a build that nothing stops."""
    out = tmp_path_factory.mktemp("right") / "out"
    assert run(*command(out)).exit_code == Exit.OK
    return dataset(out)


def test_s23_a_killed_build_goes_on_with_other_workers_and_another_hash_seed(
    right: dict[str, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for round_, size in enumerate((40_000, 90_000)):
        build = started(out, round_, 1 + round_)
        wait_for_groups(out, size)
        build.kill()
        assert build.wait() == -signal.SIGKILL
        build.communicate()
        assert not (out / "manifest.json").exists()
    done = run(*command(out, "--workers", "2"))
    assert done.exit_code == Exit.OK
    assert f" of {GROUPS} groups are there\n" in done.stderr
    assert dataset(out) == right


@pytest.mark.laws
def test_s23_a_build_that_is_killed_at_many_moments_goes_on(right: dict[str, bytes], tmp_path: Path) -> None:
    out, number = tmp_path / "out", 0
    while True:
        build = started(out, number, 1 + number % 3)
        try:
            build.communicate(timeout=0.2 + 0.17 * number)
        except subprocess.TimeoutExpired:
            build.kill()
            build.communicate()
            number += 1
            continue
        assert build.returncode == Exit.OK
        assert number > 5
        assert dataset(out) == right
        return


def test_an_interrupted_build_says_that_it_can_go_on(right: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "out"
    build = started(out, 0, 2)
    wait_for_groups(out, 0)
    os.killpg(build.pid, signal.SIGINT)
    said, told = build.communicate(timeout=60)
    assert (build.returncode, said, told) == (Exit.INTERRUPTED, "", "interrupted; the same command continues\n")
    assert run("show", out).exit_code == Exit.USAGE
    assert "is not finished" in run("show", out).stderr
    assert run(*command(out)).exit_code == Exit.OK
    assert dataset(out) == right


def test_a_finished_build_says_so_and_sums_up_again(tmp_path: Path) -> None:
    arguments = ("build", CRANE, "--no-sufficient", "--out", tmp_path / "out")
    first, again, data = run(*arguments), run(*arguments), run(*arguments, "--json")
    assert (first.exit_code, again.exit_code, data.exit_code) == (Exit.OK, Exit.OK, Exit.OK)
    assert first.stdout == again.stdout
    warning = "crane-hire: not proved for every group: UNC503: it fails in some group without a winner: "
    assert first.stderr.startswith(warning)
    assert again.stderr == f"{tmp_path / 'out'} is finished: nothing is left to do\n{first.stderr}"
    assert json.loads(data.stdout)["family_proofs"]["crane-hire"]["rejection"]["code"] == "UNC503"
    assert len(json.loads(data.stdout)["retained"]) == 1


def test_a_second_build_in_a_folder_is_a_usage_error(tmp_path: Path) -> None:
    with claimed(tmp_path / "out"):
        done = run("build", CRANE, "--no-sufficient", "--out", tmp_path / "out")
    assert done.exit_code == Exit.USAGE
    assert done.stderr.startswith("unco: error UNC703: another build works in ")
    assert f"process {os.getpid()}" in done.stderr


def test_a_changed_specification_under_a_build_is_a_usage_error(tmp_path: Path) -> None:
    spec, out = tmp_path / "spec.yaml", tmp_path / "out"
    text = CRANE.read_text(encoding="utf-8")
    spec.write_text(text, encoding="utf-8")
    assert run("build", spec, "--no-sufficient", "--out", out).exit_code == Exit.OK
    before = dataset(out)
    spec.write_text(text.replace("title: Crane hire\n", "title: Hire of cranes\n"), encoding="utf-8")
    done = run("build", spec, "--no-sufficient", "--out", out)
    assert done.exit_code == Exit.USAGE
    assert "specifications crane-hire: found " in done.stderr
    assert dataset(out) == before
    assert run("build", CRANE, "--no-sufficient", "--out", out, "--seed", "5").exit_code == Exit.USAGE


def test_a_damaged_store_is_told_with_what_to_do(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("build", CRANE, "--no-sufficient", "--out", out).exit_code == Exit.OK
    (out / "run.sqlite").write_bytes(b"garbage" * 1_000)
    done = run("build", CRANE, "--no-sufficient", "--out", out)
    assert done.exit_code == Exit.REJECTED
    assert "error UNC704: the store of the run is damaged" in done.stderr
    assert "--out" in done.stderr


def test_a_build_without_a_group_invites_nobody_to_read_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments, out = ("build", CRANE, "--no-sufficient", "--out"), tmp_path / "out"
    assert f"unco show {tmp_path / 'one'}" in run(*arguments, tmp_path / "one").stdout
    monkeypatch.setattr(running, "_to_records", proved_and_rejected)
    done = run(*arguments, out)
    assert done.exit_code == Exit.REJECTED
    assert f"{out}: groups.jsonl" in done.stdout
    assert "unco show" not in done.stdout
    assert "unco verify" not in done.stdout


def test_a_database_of_another_program_in_the_folder_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "run.sqlite").write_bytes(b"kilometres")
    done = run("build", CRANE, "--no-sufficient", "--out", tmp_path)
    assert (done.exit_code, [path.name for path in tmp_path.iterdir()]) == (Exit.USAGE, ["run.sqlite"])
    assert "error UNC703" in done.stderr


# Many specifications, and LLMs --------------------------------------------------------------------------------------


def test_a_folder_stands_for_its_specifications_by_name(tmp_path: Path) -> None:
    text = CRANE.read_text("utf-8")
    (tmp_path / "specs").mkdir()
    for name in ("b-crane", "a-crane"):
        (tmp_path / "specs" / f"{name}.yaml").write_text(text.replace("name: crane-hire", f"name: {name}"), "utf-8")
    (tmp_path / "specs" / "notes.txt").write_text("no specification")
    found = run("build", tmp_path / "specs", "--no-findings", "--no-sufficient", "--out", tmp_path / "out")
    assert found.exit_code == Exit.OK, found.output
    groups = [json.loads(line) for line in (tmp_path / "out" / "groups.jsonl").read_text("utf-8").splitlines()]
    assert [each["specification"] for each in groups] == ["a-crane", "b-crane"]
    twice = run("build", tmp_path / "specs", tmp_path / "specs" / "a-crane.yaml", "--out", tmp_path / "twice")
    assert (twice.exit_code, "given twice" in twice.output) == (Exit.USAGE, True)


def test_a_folder_without_specifications_is_refused(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    found = run("build", tmp_path / "specs", "--out", tmp_path / "out")
    assert found.exit_code == Exit.USAGE
    assert "found none in it that ends with .yaml" in found.output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--budget", "5 USD"), "give their settings as --llm FILE"),
        (("--on-unfaithful", "reject"), "give their settings as --llm FILE"),
        (
            ("--llm", "drafter.yaml"),
            "expected a `renderer` or a `validator`, which are what `unco build` asks; found `d",
        ),
        (
            ("--llm", "validator.yaml", "--on-unfaithful", "reject"),
            "about a `renderer`: found `validator` in validator",
        ),
        (("--llm", "drafter.yaml", "--facts-only"), "it goes without --llm"),
    ],
)
def test_options_of_llms_that_would_do_nothing_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for task in ("drafter", "validator"):
        Path(f"{task}.yaml").write_text(f"{task}: {{base_url: http://localhost:1/v1, model: small}}\n")
    found = run(*command(tmp_path / "out", *options))
    assert (found.exit_code, words in found.output) == (Exit.USAGE, True), found.output
    assert not (tmp_path / "out").exists()


def unfaithful(said: dict[str, Any]) -> None:
    """A renderer that never gives a text that can be used."""
    for name in ("task", "description"):
        if name in said:
            said[name] = f"{said[name]} Surely 17."
    if "sentences" in said:
        said["sentences"] = {name: f"{form} Surely not." for name, form in said["sentences"].items()}


@pytest.mark.parametrize(
    ("step", "own", "partly", "warned"),
    [
        (replies(unfaithful), 2, 0, "no text was reworded: none was faithful"),
        (says("I cannot."), 2, 0, "no text was reworded: the replies failed (UNC811)"),
        (replies(), 0, 0, ""),
    ],
)
def test_a_build_tells_what_it_asked_and_what_kept_the_wording_of_the_program(
    tmp_path: Path, step: Step, own: int, partly: int, warned: str
) -> None:
    settings, out = tmp_path / "llm.yaml", tmp_path / "out"
    asked = ["build", CRANE, "--groups", "2", "--no-findings", "--no-sufficient", "--llm", settings, "--out", out]
    with served(then=step) as server:
        fields = f"base_url: '{server.url}', model: small, patience: {{attempts: 1, first_wait: 0.01}}"
        settings.write_text(f"renderer: {{{fields}}}\n")
        done = run(*asked)
        calls = len(server.bodies)
        told = json.loads(run(*asked, "--json").stdout)
    assert done.exit_code == Exit.OK
    assert f"2 groups were to be reworded: {own} keep the program's wording, {partly} some of it" in done.stdout
    assert ["phase", "LLM", "calls", "failed", "tokens"] in [line.split() for line in done.stdout.splitlines()]
    assert told["reworded"] == {"groups": 2, "own_wording": own, "partly": partly}
    assert [(each["phase"], each["llm"], each["calls"]) for each in told["llms"]] == [("render", "small", calls)]
    assert (f"warning: {warned}" in done.stderr) if warned else ("warning: no text" not in done.stderr)


def test_a_build_without_an_llm_says_nothing_of_one(tmp_path: Path) -> None:
    done = run("build", CRANE, "--no-findings", "--no-sufficient", "--out", tmp_path / "out", "--json")
    assert not {"llms", "reworded"} & set(json.loads(done.stdout))


def test_a_build_asks_the_llm_of_its_settings_and_tells_how_it_ends(tmp_path: Path) -> None:
    settings = tmp_path / "llm.yaml"
    asked = ["build", CRANE, "--no-findings", "--no-sufficient", "--llm", settings, "--out", tmp_path / "out"]
    with served(refuses(401, "no such key"), then=replies()) as server:
        settings.write_text(f"validator: {{base_url: {server.url}, model: small}}\n")
        stopped = run(*asked)
        assert (stopped.exit_code, "UNC801" in stopped.output) == (Exit.USAGE, True), stopped.output
        assert run(*asked).exit_code == Exit.OK
        assert len(server.bodies) in (1 + 3, 3 + 3)
    (group,) = (tmp_path / "out" / "groups.jsonl").read_text("utf-8").splitlines()
    assert json.loads(group)["validation"] == {"by": "small", "runs": 3}
    assert "drafted" not in json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
