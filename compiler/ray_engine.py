"""The Ray engine that work goes to: one that is started here and ended again, or one that is joined by its address.

A local engine is for this process alone: it wants a token that nobody else has, its files stand in a folder of their
own, and both end with it. Ray is an extra, and is imported here alone.
"""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from unco.specs.errors import InfrastructureError, UsageError

LOCAL = "local"
"""Stands for an engine of one's own in place of an address."""
MISSING = "Ray is not installed here; install it with: python -m pip install 'unco[ray]'"
STORE = 100 << 20
"""Bytes of memory that the processes of a local engine share. Chunks and results are small."""
FOLDER = "unco-ray-"
HELD = "held"
"""A file in the folder of a local engine, locked as long as its process lives."""
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}
"""No telemetry; no word of the engine on our output, where JSON may stand; no other environment for workers. Ray reads
some of this when it is imported.
"""
SETTINGS: Mapping[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}
JOIN = f"import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False, logging_level={logging.CRITICAL})"


def imported() -> Any:
    """The package ray. Raises UsageError where it is not installed."""
    try:
        with _environment(QUIET):
            import ray
    except ModuleNotFoundError as error:
        raise UsageError(MISSING) from error
    return ray


@contextmanager
def engine(address: str, workers: int, seconds: float) -> Iterator[Any]:
    """The package ray while it is connected: to an engine of `workers` that is started here and ended after, or to the
    one at the address, which has `seconds` to answer. Where this process is connected already, that is left as it is.

    Raises UsageError where Ray is not installed or the address is none, InfrastructureError where no engine answers.
    """
    place = None if address == LOCAL else _place(address)
    ray = imported()
    if ray.is_initialized():
        yield ray
    elif place is None:
        with _started(ray, workers):
            yield ray
    else:
        with _joined(ray, address, place, seconds):
            yield ray


@contextmanager
def _started(ray: Any, workers: int) -> Iterator[None]:
    """A local engine: no dashboard, no telemetry, no words."""
    with _folder() as folder, _environment({**QUIET, "RAY_AUTH_TOKEN": _token()}):
        settings = {"num_cpus": workers, "num_gpus": 0, "include_dashboard": False, "object_store_memory": STORE}
        with _connected(ray, "no Ray engine could be started", address=LOCAL, _temp_dir=str(folder), **settings):
            yield


@contextmanager
def _joined(ray: Any, address: str, place: tuple[str, int], seconds: float) -> Iterator[None]:
    """An engine that others have started. It is joined by a process that can be killed first: Ray waits for minutes."""
    refused = f"no Ray engine could be joined at {address}"
    with _environment(QUIET):
        try:
            socket.create_connection(place, seconds).close()
            _try_to_join(address, seconds, refused)
        except (subprocess.TimeoutExpired, TimeoutError) as error:
            raise InfrastructureError(f"{refused}: it gave no answer for {seconds:g} s") from error
        except OSError as error:
            raise InfrastructureError(f"{refused}: {error.strerror or error}") from error
        with _connected(ray, refused, address=address):
            yield


def _try_to_join(address: str, seconds: float, refused: str) -> None:
    """Join in another process, and leave again."""
    command = (sys.executable, "-c", JOIN, address)
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    if done.returncode:
        raise InfrastructureError(f"{refused}: {_reason(done.stderr)}")


@contextmanager
def _connected(ray: Any, refused: str, **settings: Any) -> Iterator[None]:
    """Connected to an engine until the end; a local engine ends then."""
    try:
        try:
            ray.init(**SETTINGS, **settings)
        except (Exception, SystemExit) as error:
            raise InfrastructureError(f"{refused}: {_reason(str(error))}") from error
        yield
    finally:
        ray.shutdown()


def _place(address: str) -> tuple[str, int]:
    """Host and port. Raises UsageError where the address is of another form."""
    with suppress(ValueError):
        parts = urlsplit(f"//{address}")
        if parts.hostname and parts.port and parts.netloc == address and not parts.username:
            return parts.hostname, parts.port
    raise UsageError(f"{address!r} is no address of a Ray engine; write {LOCAL}, or HOST:PORT as in 10.0.0.1:6379")


def _reason(told: str) -> str:
    """The last line that says anything."""
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    return lines[-1] if lines else "Ray gave no reason"


@cache
def _token() -> str:
    """What the processes of our engines know each other by. Ray reads it once a process, so it stays the same."""
    return os.environ.get("RAY_AUTH_TOKEN") or secrets.token_hex(32)


@contextmanager
def _environment(wanted: Mapping[str, str]) -> Iterator[None]:
    """These variables for Ray and its processes; after it, all that it set is as it was."""
    before = dict(os.environ)
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name in [name for name in os.environ if name.startswith("RAY_") and name not in before]:
            del os.environ[name]
        os.environ.update({name: before[name] for name in wanted if name in before})


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder for the files of an engine. It goes at the end; those of processes that were killed go now."""
    root = Path(tempfile.gettempdir())
    for left in sorted(root.glob(f"{FOLDER}*")):
        with suppress(OSError), (left / HELD).open("r+") as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=FOLDER, dir=root))
    try:
        with (folder / HELD).open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
