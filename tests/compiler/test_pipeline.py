"""The pipeline: what one phase makes is looked at before the next takes it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.runs import family
from unco.compiler import pipeline
from unco.compiler.check import check
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.pipeline import Chunk, Retained, run_chunk
from unco.compiler.prove import ProveOptions
from unco.compiler.render import render
from unco.specs.group import CandidateGroup
from unco.specs.read import read_specification
from unco.specs.rejection import Rejection
from unco.specs.shipped import shipped_specifications


def test_a_group_whose_texts_tell_of_another_instance_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    family = check(read_specification(shipped_specifications()["underground-superintendent"])).require()
    options = InstantiateOptions(seed=1)
    chunk = Chunk(family, (0,), options, ProveOptions(sufficient=False))
    other = instantiate(family, 1, options)
    assert isinstance(other, CandidateGroup)
    (retained,) = run_chunk(chunk)
    assert isinstance(retained, Retained)
    mixed_up = replace(other, instance=replace(other.instance, names=retained.group.instance.names))
    monkeypatch.setattr(pipeline, "render", lambda family, group: render(family, mixed_up))
    (rejected,) = run_chunk(chunk)
    assert isinstance(rejected, Rejection)
    assert rejected.phase == "render"
    assert rejected.code in ("UNC603", "UNC604", "UNC605", "UNC606")


def test_a_chunk_of_a_build_says_which_groups_it_is_about() -> None:
    chunk = Chunk(family(), (3, 4), InstantiateOptions(), ProveOptions())
    assert chunk.words == "crane-hire, candidate group 3 to 4"
    assert replace(chunk, indices=(3,)).words == "crane-hire, candidate group 3"
