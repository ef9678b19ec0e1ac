"""A run folder on disk: whose it is, who works in it, and what a failing disk is called."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from unco.specs.errors import Diagnostic, InfrastructureError, SpecificationError, UsageError

STORE = "run.sqlite"
LOCK = "run.lock"
MANIFEST = "manifest.json"
"""Written last: a folder without it holds no finished build."""
APPLICATION = 0x756E636F
"""`unco` in ASCII: marks the store as ours."""
SQLITE, MARK = b"SQLite format 3\0", slice(68, 72)
"""How a file of SQLite begins, and where the mark of its application stands."""
BESIDE_STORE = (f"{STORE}-wal", f"{STORE}-shm", f"{STORE}-journal")
MACHINE = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_NOMEM")
IN_USE = ("SQLITE_BUSY", "SQLITE_LOCKED")


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """The folder, made if need be, for this process alone.

    Raises UsageError where it holds something else than a run, or another process builds in it.
    """
    require_run_or_free(folder)
    reading = may_only_be_read(folder)
    if reading and not (folder / LOCK).exists():
        yield
        return
    with disk(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_RDONLY if reading else os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _lock(lock, folder)
        if not reading:
            _sign(lock, folder)
        yield
    finally:
        os.close(lock)


def _lock(lock: int, folder: Path) -> None:
    """Take the lock, which ends with the process however that ends; or say who has it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(lock, 20, 0).decode("ascii", "replace").strip() or "unknown"
        raise UsageError(
            f"another build works in {folder} (process {holder}); wait for it, or choose another folder with --out"
        ) from None


def _sign(lock: int, folder: Path) -> None:
    with disk(folder):
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)


def may_only_be_read(folder: Path) -> bool:
    """Whether this process can make no file in the folder, and its store can be read without one."""
    with disk(folder):
        if not folder.is_dir() or os.access(folder, os.W_OK):
            return False
        return not any((folder / name).is_file() and (folder / name).stat().st_size for name in BESIDE_STORE)


def require_run_or_free(folder: Path) -> None:
    """UsageError where the folder holds something that is no run. Nothing in it is opened for writing."""
    if not holds_run(folder):
        require_free(folder, ignored=(LOCK,))
    elif not (folder / LOCK).is_file() and not _is_ours(folder / STORE):
        raise UsageError(f"{folder / STORE} is of another program; choose another folder with --out")


def _is_ours(store: Path) -> bool:
    """Whether the file is marked as a store of unco. SQLite is not asked: it could make files beside."""
    with disk(store), store.open("rb") as file:
        head = file.read(MARK.stop)
    return head.startswith(SQLITE) and head[MARK] == APPLICATION.to_bytes(4, "big")


def require_free(folder: Path, ignored: tuple[str, ...] = ()) -> None:
    """UsageError where the folder holds something already, or is none."""
    with disk(folder):
        if folder.exists() and (not folder.is_dir() or any(each.name not in ignored for each in folder.iterdir())):
            raise UsageError(f"{folder} exists and is not an empty folder; choose another with --out, or remove it")


def holds_run(folder: Path) -> bool:
    """Whether a run was begun in the folder."""
    with disk(folder):
        return (folder / STORE).is_file()


def holds_only_store(folder: Path) -> bool:
    """Whether there is nothing beside the store: then a store without content has just been begun."""
    with disk(folder):
        return {each.name for each in folder.iterdir()} <= {STORE, LOCK, *BESIDE_STORE}


@contextmanager
def disk(path: Path) -> Iterator[None]:
    """Name what fails: the disk is an InfrastructureError, a store that cannot be read SpecificationError (UNC704)."""
    try:
        yield
    except OSError as error:
        raise InfrastructureError(f"{error.filename or path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        damaged(path, str(error))
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith(MACHINE):
            raise InfrastructureError(f"{path}: {error}") from error
        if name.startswith(IN_USE):
            raise InfrastructureError(f"{path} is in use by another program: {error}") from error
        damaged(path, str(error))


def damaged(path: Path, found: str) -> NoReturn:
    """Raise what a store that does not read back is called."""
    raise SpecificationError(
        [
            Diagnostic(
                "UNC704",
                f"the store of the run is damaged: {path}",
                found=found,
                expected="what unco wrote there",
                hint="nothing was changed; build into another folder with --out, or remove this one and build it anew",
            )
        ]
    )


def remove(path: Path) -> None:
    """Remove a file that may be gone already."""
    with suppress(FileNotFoundError):
        path.unlink()
