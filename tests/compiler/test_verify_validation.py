"""The checker on validations: groups were solved by the validator of the dataset, refusals have their transcripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tampering import Dataset, built, faults_of

LINE = {"specification": "nothing", "index": 0, "code": "UNC609", "runs": [{"verdict": "wrong"}] * 3}


@pytest.fixture
def data() -> Dataset:
    return built().copy()


def told(data: Dataset, folder: Path) -> set[tuple[str, str]]:
    """The files and claims of the faults, every hash made anew."""
    data.write(folder)
    return {(fault.file.partition(":")[0], fault.claim) for fault in faults_of(folder)}


@pytest.mark.parametrize("found", [{"by": "reader", "runs": 2}, {"by": "somebody", "runs": 3}, {"by": "reader"}, None])
def test_a_group_that_was_not_solved_three_times_by_the_validator_is_told(
    data: Dataset, tmp_path: Path, found: object
) -> None:
    data.groups[1]["validation"] = found
    assert told(data, tmp_path) == {("groups.jsonl", "validation")}


def test_a_manifest_that_names_another_validator_is_told(data: Dataset, tmp_path: Path) -> None:
    data.manifest["validator"] = {"model": "small"}
    assert told(data, tmp_path) == {("groups.jsonl", "validation")}
    for entry in data.groups:
        entry["validation"]["by"] = "small"
    assert told(data, tmp_path / "again") == set()


def test_a_transcript_of_no_rejection_is_told(data: Dataset, tmp_path: Path) -> None:
    data.others["transcripts.jsonl"] = f"{json.dumps(LINE)}\n".encode()
    assert told(data, tmp_path) == {("transcripts.jsonl", "validation")}


@pytest.mark.parametrize("verdicts", [["right"] * 3, ["wrong"] * 2, []])
def test_a_transcript_that_shows_no_disagreement_in_three_runs_is_told(
    data: Dataset, tmp_path: Path, verdicts: list[str]
) -> None:
    name, last = data.groups[-1]["specification"], data.groups[-1]["group"]["index"]
    index = last + 1
    rejection = {"phase": "validate", "code": "UNC609", "detail": "", "specification": name, "index": index,
                 "certificate": None, "planned": "winner"}  # fmt: skip
    data.rejections += f"{json.dumps(rejection)}\n"
    for place, runs in (("right", ["right", "wrong", "right"]), ("wrong", verdicts)):
        line = {**LINE, "specification": name, "index": index, "runs": [{"verdict": each} for each in runs]}
        data.others["transcripts.jsonl"] = f"{json.dumps(line)}\n".encode()
        found = told(data, tmp_path / place)
        assert (("transcripts.jsonl", "validation") in found) == (place == "wrong")
    data.others["transcripts.jsonl"] = b""
    assert ("transcripts.jsonl", "validation") in told(data, tmp_path / "none")
