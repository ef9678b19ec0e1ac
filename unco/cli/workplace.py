"""Where a command works: in local processes, or on a Ray engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from unco.compiler.executor import Executor

Ray = Annotated[
    str | None,
    typer.Option(
        "--ray", metavar="ADDRESS", help="Work on Ray (an extra): `local` starts an engine, HOST:PORT joins one."
    ),
]


@contextmanager
def workplace(ray: str | None, workers: int, seconds: float) -> Iterator[Executor]:
    """An executor; an engine of Ray stands as long as it is needed."""
    from unco.compiler.executor import ProcessExecutor

    if ray is None:
        yield ProcessExecutor(workers, seconds)
        return
    from unco.compiler.ray_executor import RayExecutor

    with RayExecutor(ray, workers, seconds).connected() as executor:
        yield executor
