"""pack: files to one archive, the same bytes for the same files: no times, no owners, one order."""

from __future__ import annotations

import gzip
import hashlib
import os
import tarfile
from collections.abc import Mapping
from pathlib import Path

from unco.compiler.running.disk import disk

MODE = 0o644


def pack(files: Mapping[str, Path], archive: Path) -> str:
    """Write the files, by their names in it, as a tar file in gzip; gives its SHA-256. It is there whole, or not."""
    part = archive.with_name(f"{archive.name}.part")
    with disk(archive):
        with (
            part.open("wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=0) as zipped,
            tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as tar,
        ):
            for name, path in sorted(files.items()):
                _add(tar, name, path)
        os.replace(part, archive)
        with archive.open("rb") as packed:
            return hashlib.file_digest(packed, "sha256").hexdigest()


def _add(tar: tarfile.TarFile, name: str, path: Path) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = path.stat().st_size, MODE
    with path.open("rb") as file:
        tar.addfile(entry, file)
