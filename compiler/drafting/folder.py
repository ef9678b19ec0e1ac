"""The folder of a draft: specs/, drafts.jsonl, and one process at a time. A round is there as a whole or not at all.

The specifications of a round are written under a name that does not count, then the lines of the round in one step,
then the specifications get their names. Whatever ends the process between, the next one finishes or removes it.
Of a round that an LLM could not finish, what is sure is there too; the next process makes that round again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from unco.compiler.drafting.begun import GRAMMAR, Begun, How, begun_of, digest_of
from unco.compiler.drafting.candidate import Candidate
from unco.compiler.drafting.ledger import Ledger
from unco.compiler.drafting.lines import BEGUN, LINES, line_of, read_lines
from unco.compiler.running.disk import disk
from unco.specs.errors import UsageError
from unco.specs.read import read_specification
from unco.specs.write import to_yaml

SPECS, REJECTED, LOCK = "specs", "rejected", "draft.lock"
PART = ".part"


class DraftFolder:
    """A folder that this process has for itself. Made by `opened`."""

    def __init__(self, path: Path, begun: Begun, lines: list[dict[str, Any]]) -> None:
        self.path = path
        self.begun = begun
        self.lines = lines
        self._whole = len(lines) if begun.whole is None else begun.whole
        self._finish()

    @property
    def names(self) -> list[str]:
        """The specifications that were kept, in order."""
        return [line["name"] for line in self.lines if line["kept"]]

    def ledger(self, beside: Sequence[Path] = ()) -> Ledger:
        """What was drafted here before; the specifications of others, here and in other folders, come first."""
        ledger, own = Ledger(), set(self.names)
        others = [path for folder in beside for path in specification_files(folder)]
        others += [path for path in specification_files(self.path / SPECS) if path.stem not in own]
        for path in others:
            ledger.count_earlier(read_specification(path).specification)
        for line in self.lines[: self._whole]:
            ledger.count_line(line, earlier=line["number"] < self.begun.since)
            if line["kept"] and (file := self._file(line["name"])).exists():
                ledger.remember(read_specification(file).specification)
        ledger.unfinished = len(self.lines) - self._whole
        return ledger

    def record(self, candidates: Sequence[Candidate], *, whole: bool = True) -> None:
        """Keep a round; or, where it is not whole, its first candidates, which come out the same once it is."""
        there = set(self.names)
        with disk(self.path):
            if not whole:
                self._tell(self._whole)
            for each in candidates:
                if each.kept and each.specification is not None and each.specification.name not in there:
                    _write(_part(self._file(each.specification.name)), to_yaml(each.specification))
                elif each.text:
                    _write(self.path / REJECTED / f"{each.number}.yaml", each.text)
            self.lines = [*self.lines[: self._whole], *map(line_of, candidates)]
            text = "".join(json.dumps(line) + "\n" for line in self.lines)
            _replace(self.path / LINES, text)
            self._finish()
            if whole:
                self._whole = len(self.lines)
                self._tell(None)

    def _tell(self, whole: int | None) -> None:
        """Say how many candidates are of whole rounds."""
        if self.begun.whole != whole:
            self.begun = replace(self.begun, whole=whole)
            _replace(self.path / BEGUN, self.begun.text)

    def _file(self, name: str) -> Path:
        return self.path / SPECS / f"{name}.yaml"

    def _finish(self) -> None:
        """Give the specifications of the last round their names, and remove those of a round that is not there."""
        kept = set(self.names)
        for part in sorted((self.path / SPECS).glob(f"*{PART}")):
            file = part.with_suffix("")
            if file.stem in kept:
                part.rename(file)
            else:
                part.unlink()


@contextmanager
def opened(path: Path, seed: int = 0, text: str = "", how: How = GRAMMAR) -> Iterator[DraftFolder]:
    """The folder, made if need be, for this process alone; `text` is the author's, `how` tells of the drafter.

    Raises UsageError where it holds something else or a draft of another seed or text, or another process drafts in it;
    InfrastructureError where the disk fails; SpecificationError (UNC704) where its lines are not what was written.
    """
    with disk(path):
        known = (SPECS, LOCK, BEGUN, BEGUN + PART, LINES + PART)
        if path.exists() and not (path / LINES).exists() and any(each.name not in known for each in path.iterdir()):
            raise UsageError(f"{path} exists and holds no draft; choose another folder with --out")
        (path / SPECS).mkdir(parents=True, exist_ok=True)
        lock = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _lock(lock, path)
        yield _begun(path, Begun(seed, digest_of(text)), how)
    finally:
        os.close(lock)


def _begun(path: Path, new: Begun, how: How) -> DraftFolder:
    with disk(path):
        if not (path / LINES).exists():
            _replace(path / BEGUN, replace(new, drafters=({"from": 0, **how},)).text)
            _replace(path / LINES, "")
        before = begun_of(path)
        lines = read_lines(path / LINES)
        begun = before.going_on(path, new, how, len(lines))
        if begun != before:
            _replace(path / BEGUN, begun.text)
        return DraftFolder(path, begun, lines)


def specification_files(folder: Path) -> list[Path]:
    """The specifications in a folder, or in the folder of a draft, by name. Raises UsageError where there is none."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder of specifications")
    place = folder / SPECS if (folder / LINES).exists() else folder
    return sorted(place.glob("*.yaml"))


def _lock(lock: int, path: Path) -> None:
    """Take the lock, which ends with the process."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"another command drafts in {path}; wait for it, or choose another folder") from None


def _part(file: Path) -> Path:
    return file.with_name(file.name + PART)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _replace(path: Path, text: str) -> None:
    """Write a file in one step."""
    part = _part(path)
    with part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
