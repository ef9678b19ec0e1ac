"""Jobs: proofs are made when groups are due, kept as files, and held no longer than they are needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runs import OPTIONS, QUICK, StoppedError, dataset, families, family, made_before, proved_before, run_again
from unco.compiler import run as running
from unco.compiler.executor import Executor, SerialExecutor
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.pipeline import Chunk
from unco.compiler.prove import ProveOptions
from unco.compiler.prove_families import ProvedFamily
from unco.compiler.running.jobs import Jobs, Unproved, Work
from unco.compiler.running.record import Record
from unco.compiler.running.shares import Share, Shares
from unco.specs.family import Family


def jobs(groups: int = 2) -> Jobs:
    return Jobs(Shares(families(), groups, (InstantiateOptions(), QUICK)), range(2), QUICK)


def test_no_share_of_a_family_is_given_out_before_its_proof_is_there() -> None:
    found, seen = jobs(), []

    def work(job: Work) -> object:
        if isinstance(job, Unproved):
            return proved_before([job.family], job.prove, SerialExecutor())[0]
        assert job.proof is not None
        return made_before(job)

    for job, made in found.done_by(SerialExecutor(), work):
        if isinstance(job, Unproved):
            assert isinstance(made, ProvedFamily)
            found.proved(job, made)
        else:
            found.back(job, len(job.chunk.indices), drawn=True)
        seen.append((type(job), job.number if isinstance(job, Unproved) else job.family))
    assert seen == [(Unproved, 0), (Share, 0), (Share, 0), (Unproved, 1), (Share, 1), (Share, 1)]
    assert found.shares.proofs == [None, None], "a proof that nobody needs any more is held"


def test_the_proof_is_part_of_what_a_hanging_worker_is_told_to_have_done() -> None:
    assert Unproved(0, family(), QUICK).words == "the proof of crane-hire"


@pytest.fixture
def proofs_made(quick: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the families that are proved from now on."""
    made: list[str] = []

    def counted(families: list[Family], options: ProveOptions, executor: Executor) -> tuple[ProvedFamily, ...]:
        made.extend(each.name for each in families)
        return proved_before(families, options, executor)

    monkeypatch.setattr(running, "prove_families", counted)
    return made


def test_a_family_that_has_its_groups_is_not_proved_again(
    proofs_made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = run_again(tmp_path / "right")
    proofs_made.clear()

    def stopping(chunk: Chunk) -> tuple[Record, ...]:
        if chunk.family.name == "second-crane":
            raise StoppedError
        return made_before(chunk)

    with monkeypatch.context() as failing:
        failing.setattr(running, "run_to_records", stopping)
        with pytest.raises(StoppedError):
            run_again(tmp_path / "out")
    assert proofs_made == ["crane-hire", "second-crane"]
    proofs_made.clear()
    assert run_again(tmp_path / "out") == right
    assert proofs_made == ["second-crane"]
    proofs_made.clear()
    for name in ("manifest.json", "groups.jsonl"):
        (tmp_path / "out" / name).unlink()
        assert run_again(tmp_path / "out") == right == dataset(tmp_path / "right")
    assert proofs_made == []
    assert OPTIONS.groups == 6
