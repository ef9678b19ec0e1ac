"""folder: the files of a facts dataset: chunk files as they come, all others and the manifest at the end."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

from unco.compiler.canonical import canonical_hash
from unco.compiler.facts.chunk import CHUNK
from unco.compiler.facts.lines import header_line
from unco.compiler.running.disk import disk, remove
from unco.specs.errors import UsageError
from unco.specs.family import Family

FACTS = "facts"
HEADER = "header.json"
ENDING = ".jsonl"
CHUNK_FILE = re.compile(r"[0-9]{8}\.jsonl")
FORMAT = 1
"""The version of the form of the lines."""


def chunk_path(family: Family, start: int) -> str:
    """The file of the chunk that begins here, in the dataset."""
    return f"{FACTS}/{family.name}/{start:08}{ENDING}"


def header(family: Family) -> str:
    """What the places of a family's lines are of."""
    return header_line(
        {
            "canonical": canonical_hash(family),
            "chunk": CHUNK,
            "digest": family.digest,
            "format": FORMAT,
            "names": list(family.candidate_names),
            "parameters": [parameter.id for parameter in family.parameters],
            "roles": [role.id for role in family.roles],
            "slots": [list(slot) for slot in family.slots],
            "specification": family.name,
        }
    )


def put(folder: Path, name: str, data: bytes) -> None:
    """Write a file whole or not at all, and bring it to the disk."""
    path = folder / name
    with disk(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        staged = path.with_name(f".{path.name}")
        with staged.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(staged, path)
        settle(path.parent)


def settle(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def holds(folder: Path, name: str, sha256: str) -> bool:
    """Whether the folder holds a file with this hash."""
    path = folder / name
    with disk(path):
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha256


def others_in(folder: Path, families: Sequence[Family]) -> None:
    """UsageError where the folder of the facts holds a file that no build of these families wrote."""
    names = {family.name for family in families}
    with disk(folder):
        for path in sorted((folder / FACTS).rglob("*")) if (folder / FACTS).is_dir() else []:
            own = path.parent.name in names and (CHUNK_FILE.fullmatch(path.name.lstrip(".")) or path.name == HEADER)
            if not (path.is_dir() and path.name in names) and not own and path.name != f".{HEADER}":
                raise UsageError(f"{path} is no file of the dataset; move it out of {folder / FACTS}")


def drop(folder: Path, name: str) -> None:
    """Remove a file of an earlier export: a dataset without its manifest is none."""
    with disk(folder):
        remove(folder / name)
