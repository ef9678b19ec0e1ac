"""What tests of runs start from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runs import made_before, proved_before, run_again
from unco.compiler import run as running


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Family proofs and candidate groups are handed out as they were made before."""
    monkeypatch.setattr(running, "run_to_records", made_before)
    monkeypatch.setattr(running, "prove_families", proved_before)


@pytest.fixture
def undisturbed(quick: None, tmp_path: Path) -> dict[str, bytes]:
    """The dataset of a run that nothing stops; its folder stands beside."""
    return run_again(tmp_path / "undisturbed")
