"""What can be wrong with a local LLM is told before the engine is asked; what is told of it fits `--llm`."""

from __future__ import annotations

import socket
import sys
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import pytest

from unco.llm.local import Local, serve
from unco.llm.settings import parse_settings
from unco.specs.errors import UsageError


class Parameters(SimpleNamespace):
    """Takes whatever is set."""

    def __init__(self) -> None:
        super().__init__(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())


def failing(parameters: Parameters) -> None:
    raise RuntimeError("Failed to init server, please check the input params.")


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that begins as it should, and an engine that cannot serve it."""
    monkeypatch.setitem(sys.modules, "xllamacpp", SimpleNamespace(CommonParams=Parameters, Server=failing))  # type: ignore[arg-type]
    path = tmp_path / "small.gguf"
    path.write_bytes(b"GGUF and no more")
    return path


def refusal(local: Local) -> str:
    with pytest.raises(UsageError) as caught:
        serve(local, lambda base_url: pytest.fail("it is served"))
    return str(caught.value)


def test_without_the_extra_it_is_named(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    assert "pip install 'unco[local]'" in refusal(Local(weights))


def test_a_file_that_is_not_there_or_no_gguf_is_told(weights: Path) -> None:
    assert "No such file" in refusal(Local(weights.with_name("other.gguf")))
    assert "Is a directory" in refusal(Local(weights.parent))
    for content in (b"", b"GGU", b"<html>"):
        weights.write_bytes(content)
        assert f"begins with {content[:4]!r}, expected a GGUF file" in refusal(Local(weights, port=0))


def test_a_file_that_the_engine_cannot_load_is_told_with_its_size(weights: Path) -> None:
    assert "(16 bytes): expected a whole GGUF file" in refusal(Local(weights, port=0))


def test_a_port_that_is_taken_is_told(weights: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"127.0.0.1, port {port}: Address already in use" in refusal(Local(weights, port=port))
    assert "whole GGUF" in refusal(Local(weights, port=port))
    assert "port 0: " in refusal(Local(weights, host="no.such.host.invalid", port=0))


@pytest.mark.parametrize("alias", ["", "small", "yes", "1.5", "a: b # c", "é"])
def test_the_settings_that_are_told_are_settings(alias: str) -> None:
    local = Local(Path("folder/small.Q4.gguf"), alias=alias, context=4096)
    told = parse_settings(local.settings("http://127.0.0.1:8080/v1"))
    assert told.validator is None
    assert told.drafter == told.renderer
    assert told.drafter is not None
    place = told.drafter.endpoint
    assert (place.base_url, place.model) == ("http://127.0.0.1:8080/v1", alias or "small.Q4")
    assert (place.extra, place.temperature, told.drafter.at_once) == ('{"cache_prompt": false}', Decimal(0), 1)
