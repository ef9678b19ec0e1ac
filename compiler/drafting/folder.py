"""The folder of a draft: specs/, drafts.jsonl, and one process at a time. A round is there as a whole or not at all.

The specifications of a round are written under a name that does not count, then the lines of the round in one step,
then the specifications get their names. Whatever ends the process between, the next one finishes or removes it.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from unco.compiler.drafting.candidate import Candidate
from unco.compiler.drafting.ledger import Ledger
from unco.compiler.running.disk import damaged, disk
from unco.specs.errors import UsageError
from unco.specs.read import read_specification
from unco.specs.write import to_yaml

LINES, SPECS, REJECTED, LOCK, BEGUN = "drafts.jsonl", "specs", "rejected", "draft.lock", "draft.json"
PART = ".part"
FIELDS = {name: type(value) for name, value in Candidate(0, "grammar", "", "").line.items()}
"""The fields of a line, with their types."""


class DraftFolder:
    """A folder that this process has for itself. Made by `opened`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[dict[str, Any]] = _read(path / LINES)
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
        for line in self.lines:
            ledger.count_line(line)
        for name in self.names:
            file = self._file(name)
            if file.exists():
                ledger.remember(read_specification(file).specification)
        return ledger

    def record(self, candidates: Sequence[Candidate]) -> None:
        """Keep a round."""
        with disk(self.path):
            for each in candidates:
                if each.kept and each.specification is not None:
                    _write(_part(self._file(each.specification.name)), to_yaml(each.specification))
                elif each.text:
                    _write(self.path / REJECTED / f"{each.number}.yaml", each.text)
            self.lines += [each.line for each in candidates]
            text = "".join(json.dumps(line) + "\n" for line in self.lines)
            _replace(self.path / LINES, text)
            self._finish()

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
def opened(path: Path, seed: int = 0) -> Iterator[DraftFolder]:
    """The folder, made if need be, for this process alone.

    Raises UsageError where it holds something else or a draft of another seed, or another process drafts in it;
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
        yield _begun(path, seed)
    finally:
        os.close(lock)


def _begun(path: Path, seed: int) -> DraftFolder:
    with disk(path):
        if not (path / LINES).exists():
            _replace(path / BEGUN, json.dumps({"seed": seed}) + "\n")
            _replace(path / LINES, "")
    begun = _seed(path / BEGUN)
    if begun != seed:
        raise UsageError(f"the draft in {path} was begun with --seed {begun}; say so again, or choose another folder")
    with disk(path):
        return DraftFolder(path)


def _seed(path: Path) -> int:
    """The seed with which a draft was begun."""
    try:
        return int(json.loads(path.read_text(encoding="utf-8"))["seed"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        damaged(path, str(error))


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


def _read(path: Path) -> list[dict[str, Any]]:
    """The lines; SpecificationError (UNC704) where they are not what was written."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for number, line in enumerate(lines):
            if {name: type(value) for name, value in line.items()} != FIELDS or line["number"] != number:
                raise ValueError(f"line {number + 1} is no line of a draft")
    except (ValueError, AttributeError) as error:
        damaged(path, str(error))
    return lines


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
