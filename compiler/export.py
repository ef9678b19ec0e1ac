"""export: the counted outcomes of a build to the files of a dataset, one outcome at a time."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

from unco.compiler.canonical import canonical_hash
from unco.compiler.family_files import PROOFS, QUERIES, SPECIFICATIONS
from unco.compiler.guessing import Guessing, picture
from unco.compiler.prove_families import Settled
from unco.compiler.running.disk import MANIFEST, disk, remove
from unco.compiler.running.identity import versions
from unco.compiler.running.record import Record, is_retained
from unco.compiler.running.shares import counting
from unco.compiler.running.tally import Summary, Tally, together
from unco.specs.errors import UsageError
from unco.specs.family import Family

LISTS = ("groups.jsonl", "tasks.jsonl", "rejections.jsonl", "transcripts.jsonl")
CERTIFICATES = "certificates"
FOLDERS = {
    CERTIFICATES: r"group-[0-9a-f]{32}\.json",
    SPECIFICATIONS: r"[0-9a-f]{64}\.json",
    PROOFS: r"[0-9a-f]{64}\.json",
    QUERIES: r"[0-9a-f]{64}\.smt2",
}
"""The folders of a dataset, and how their files are named."""
PICTURE = "guess-ceiling.svg"
CHECKER = "verify.py"
"""The checker as it ships beside every dataset: one file that needs nothing else."""
DETACHED = "manifest.sha256"
"""The hash of the manifest, as `sha256sum -c` reads it."""
UNFINISHED = ".export"
"""Where files stand until all of them are written."""


@dataclass(frozen=True)
class Source:
    """What a dataset is made of: the families that were asked for, and the records of each, by its place."""

    families: tuple[Family, ...]
    records: Callable[[int], Iterable[Record]]
    wanted: int
    options: dict[str, Any]
    """What stands in the manifest beside the counts."""
    settled: tuple[Settled, ...]
    """What the proof of each family settles."""
    files: Callable[[int], Iterable[tuple[str, str]]]
    """The files that show it, path and text, by the place of the family."""


def export(source: Source, folder: Path, written: Callable[[str], None] = lambda manifest: None) -> Summary:
    """Write the dataset into the folder, in place of an earlier one; a dataset without its manifest is none.

    `written` is told the hash of the manifest when all is written, before the earlier dataset is touched. Raises
    UsageError where a file of somebody else stands in the way, InfrastructureError where the disk fails: then the next
    export begins anew.
    """
    staging = folder / UNFINISHED
    require_no_others(folder)
    with disk(folder):
        shutil.rmtree(staging, ignore_errors=True)
        for name in FOLDERS:
            (staging / name).mkdir(parents=True)
        try:
            summary = _write(source, staging)
            written(_hash_of(staging / MANIFEST))
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            raise
        _put_in_place(staging, folder)
    return summary


def summarize(source: Source) -> Summary:
    """What the dataset comes to, without writing it."""
    return _fold(source, lambda record: None)


def stands(folder: Path, manifest: str) -> bool:
    """Whether the folder holds the manifest with this hash, and every file that it lists as it lists it."""
    with disk(folder):
        path = folder / MANIFEST
        if not path.is_file() or _hash_of(path) != manifest or not _is_text(folder / DETACHED, _detached(manifest)):
            return False
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        return all((folder / name).is_file() and _hash_of(folder / name) == digest for name, digest in files.items())


def require_no_others(folder: Path) -> None:
    """UsageError where a folder of the dataset holds a file that no export wrote: it would be in the way."""
    with disk(folder):
        for name in FOLDERS:
            for path in sorted(_within(folder / name)):
                if not _is_own(path):
                    raise UsageError(f"{path} is no file of the dataset; move it out of {folder / name}")


def _within(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _is_own(path: Path) -> bool:
    return path.is_file() and re.fullmatch(FOLDERS[path.parent.name], path.name) is not None


def _write(source: Source, staging: Path) -> Summary:
    hashes: dict[str, str] = {}
    with ExitStack() as stack:
        groups, tasks, rejections, transcripts = (stack.enter_context(_Lines(staging, name, hashes)) for name in LISTS)

        def write(record: Record) -> None:
            if not record.retained:
                rejections.write(record.lines[:1])
                transcripts.write(record.transcripts)
                return
            groups.write([record.group])
            tasks.write(record.tasks)
            with _Lines(staging, f"{CERTIFICATES}/{record.id}.json", hashes) as certificate:
                certificate.write([record.certificate])

        summary = _fold(source, write)
    for number in range(len(source.families)):
        for name, text in source.files(number):
            if name not in hashes:
                with _Lines(staging, name, hashes) as file:
                    file.write(text.splitlines())
    with _Lines(staging, CHECKER, hashes) as checker:
        checker.write(files("unco.compiler.checker").joinpath(CHECKER).read_text("utf-8").splitlines())
    with _Lines(staging, PICTURE, hashes) as drawing:
        drawing.write([picture(summary.guess_ceiling).rstrip("\n")])
    whole: dict[str, str] = {}
    with _Lines(staging, MANIFEST, whole) as manifest:
        manifest.write([json.dumps(_manifest(source, summary, hashes), ensure_ascii=False, indent=2, sort_keys=True)])
    with _Lines(staging, DETACHED, {}) as detached:
        detached.write([_detached(whole[MANIFEST]).rstrip("\n")])
    return summary


def _detached(manifest: str) -> str:
    return f"{manifest}  {MANIFEST}\n"


def _is_text(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


def _fold(source: Source, each: Callable[[Record], None]) -> Summary:
    """Hand on every outcome that counts, family by family, and add them up: nothing else is kept of them."""
    guessing, tallies = Guessing(), tuple(Tally() for _ in source.families)
    for number, tally in enumerate(tallies):
        for record in counting(source.records(number), is_retained, source.wanted):
            each(record)
            if record.retained:
                tally.retain(record.kind)
                tally.footings.add(record.footing)
                guessing.add(record.observation)
            else:
                tally.reject(record.rejection)
    return Summary(source.families, tallies, source.wanted, guessing.report(), source.settled)


def _manifest(source: Source, summary: Summary, hashes: dict[str, str]) -> dict[str, Any]:
    return {
        **versions(),
        **source.options,
        "groups_per_specification": source.wanted,
        "specifications": {
            family.name: {
                "digest": family.digest,
                "canonical": canonical_hash(family),
                "retained": tally.retained,
                "phases": tally.as_json(),
                "family_proof": summary.family_proofs[family.name],
            }
            for family, tally in zip(source.families, summary.tallies, strict=True)
        },
        "retained": summary.retained,
        "phases": together(summary.tallies).as_json(),
        "guess_ceiling": summary.guess_ceiling,
        "files": hashes,
    }


class _Lines:
    """A file of lines that is on the disk when it is closed; its hash is then among the hashes."""

    def __init__(self, folder: Path, name: str, hashes: dict[str, str]) -> None:
        self.path = folder / name
        self.name = name
        self.hashes = hashes
        self.digest = hashlib.sha256()
        self.file: IO[bytes] = self.path.open("xb")

    def __enter__(self) -> _Lines:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self.file:
            if kind is None:
                self.file.flush()
                os.fsync(self.file.fileno())
        self.hashes[self.name] = self.digest.hexdigest()

    def write(self, lines: Sequence[str]) -> None:
        data = "".join(f"{line}\n" for line in lines).encode()
        self.digest.update(data)
        self.file.write(data)


def _put_in_place(staging: Path, folder: Path) -> None:
    """The manifest goes first and comes last: while it is missing, the files may be of two exports."""
    remove(folder / MANIFEST)
    for name in FOLDERS:
        _clear(folder / name)
    for name in (*LISTS, PICTURE, CHECKER, DETACHED, *FOLDERS):
        os.replace(staging / name, folder / name)
    for name in FOLDERS:
        _settle(folder / name)
    _settle(folder)
    os.replace(staging / MANIFEST, folder / MANIFEST)
    staging.rmdir()
    _settle(folder)


def _clear(folder: Path) -> None:
    """Remove a folder of the dataset with its own files; what else came into it meanwhile stops this."""
    own = list(filter(_is_own, _within(folder)))
    for path in own:
        remove(path)
    if folder.exists():
        folder.rmdir()


def _settle(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
