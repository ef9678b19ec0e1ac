"""Work on a dataset, with one worker killed. Workers on Ray import this, and find no other module of the tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from unco.compiler.checker import verify as checker
from unco.compiler.executor import Executor


def die_once(folder: str, function: Callable[[Any], Any], share: Any) -> Any:
    """The work of a share; the process that is the first to get the second one is killed."""
    mark = Path(folder) / "killed"
    if second(share) and not mark.exists():
        mark.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGKILL)
    return function(share)


def second(share: Any) -> bool:
    place: str = share.parts[0].place if isinstance(share, checker.Share) else share.file
    return place.endswith((":2", "00000004.jsonl"))


@dataclass(frozen=True)
class Endangered:
    """An executor of which one worker is killed."""

    executor: Executor
    folder: str

    def feed(self, function: Callable[[Any], Any], take: Callable[[], Any]) -> Iterator[Any]:
        return self.executor.feed(partial(die_once, self.folder, function), take)

    def map(self, function: Callable[[Any], Any], chunks: Iterable[Any]) -> Iterator[Any]:
        return self.executor.map(partial(die_once, self.folder, function), chunks)
