"""The whole way with a real LLM. What it writes may not stand: then that ends in a code, and the accounts add up."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.local.serving import Serving, serving
from unco.llm.accounts import accounts_of
from unco.llm.budget import Account
from unco.specs.codes import CODES

pytestmark = pytest.mark.local
SPECIFICATION = "underground-superintendent"


@pytest.fixture(scope="module")
def small() -> Iterator[Serving]:
    with serving("--context", "16384") as server:
        yield server


def settings(server: Serving, folder: Path, task: str, max_tokens: int) -> Path:
    """The settings file that the server prints, for one task; nothing is tried twice."""
    told = yaml.safe_load(server.settings)
    told["defaults"] |= {"max_tokens": max_tokens, "total_seconds": 1800, "patience": {"attempts": 1, "seconds": 1800}}
    path = folder / f"{task}.yaml"
    path.write_text(yaml.safe_dump({"defaults": told["defaults"], task: {}}), encoding="utf-8")
    return path


def unco(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = ("nice", "-n", "10", sys.executable, "-m", "unco", *map(str, arguments))
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def the_account(folder: Path, phase: str, task: str) -> Account:
    """The one account of a folder."""
    (account,) = accounts_of(folder)
    assert (account.phase, account.task, account.model, account.unknown) == (phase, task, "small", 0)
    assert set(account.faults) <= set(CODES)
    assert account.usage.prompt > 0 < account.usage.completion
    return account


def test_a_group_is_reworded_or_keeps_the_wording_of_the_templates(small: Serving, tmp_path: Path) -> None:
    out, llm = tmp_path / "out", settings(small, tmp_path, "renderer", 120)
    command = ("build", SPECIFICATION, "--llm", llm, "--on-unfaithful", "template", "--no-sufficient", "--out", out)
    done = unco(*command)
    assert done.returncode in (0, 1), done.stderr
    retained, rejected = rows(out / "groups.jsonl"), rows(out / "rejections.jsonl")
    assert len(retained) + len(rejected) >= 1
    assert all(each["code"] in CODES for each in rejected)
    assert all(each["reworded"]["by"] == "small" for each in retained)
    account = the_account(out, "render", "renderer")
    assert account.calls >= account.requests > 1
    assert unco("verify", out).returncode == 0
    again = unco(*command)
    assert (again.returncode, again.stdout) == (done.returncode, done.stdout)
    assert accounts_of(out) == [account]


def test_a_validator_run_ends_in_a_retained_group_in_coded_rejections_or_with_its_budget(
    small: Serving, tmp_path: Path
) -> None:
    """Where groups are rejected others are tried, until the budget ends."""
    out, llm = tmp_path / "out", settings(small, tmp_path, "validator", 150)
    done = unco("build", SPECIFICATION, "--llm", llm, "--budget", "24000", "--no-sufficient", "--out", out)
    account = the_account(out, "validate", "validator")
    assert account.tokens <= 24_000
    if done.returncode == 75:
        assert "error UNC815: " in done.stderr
        return
    assert done.returncode in (0, 1), done.stderr
    rejected = rows(out / "rejections.jsonl")
    assert len(rows(out / "groups.jsonl")) + len(rejected) >= 1
    assert all(each["phase"] == "validate" and each["code"] in CODES for each in rejected)
    assert len(rows(out / "transcripts.jsonl")) >= len(rejected)
    assert account.calls >= 3


def test_a_draft_attempt_ends_in_a_specification_or_in_a_coded_rejection(small: Serving, tmp_path: Path) -> None:
    out, llm = tmp_path / "out", settings(small, tmp_path, "drafter", 400)
    done = unco("draft", "-n", "1", "--llm", llm, "--budget", "28000", "--out", out)
    assert done.returncode in (0, 1, 75), done.stderr
    drafts = rows(out / "drafts.jsonl") if (out / "drafts.jsonl").exists() else []
    for each in drafts:
        assert each["by"] == "llm"
        assert each["kept"] or each["code"] in CODES
    kept = [each["name"] for each in drafts if each["kept"]]
    assert sorted(path.stem for path in (out / "specs").glob("*.yaml")) == sorted(kept)
    if done.returncode == 75:
        assert "error UNC815: " in done.stderr
    account = the_account(out, "draft", "drafter")
    assert account.calls >= len(drafts)
    assert account.tokens <= 28_000
