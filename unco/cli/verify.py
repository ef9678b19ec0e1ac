"""unco verify: a dataset checked again, without the solver."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unco.cli.app import Json, command
from unco.cli.exits import Exit
from unco.cli.inputs import CheckBudget, families_of
from unco.cli.output import print_json, say, tell

if TYPE_CHECKING:
    from unco.compiler.verify import Fault

MOST_TOLD = 200
"""So many faults are told in full; the rest are counted."""


@command("verify", "unco verify out", "unco verify out --spec reduced-fare", "unco verify out --json")
def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a dataset.")],
    specifications: Annotated[
        list[str] | None,
        typer.Option("--spec", metavar="SPEC", help="Also compare the dataset's rules with this specification's."),
    ] = None,
    as_json: Json = False,
) -> Exit:
    """Check every group of a dataset again, with the checker that ships beside it."""
    from unco.compiler.executor import SerialExecutor
    from unco.compiler.verify import told_in_words
    from unco.compiler.verify import verify as verified

    families = families_of(specifications or [], CheckBudget(findings=False, rlimit=20_000_000), SerialExecutor())
    faults: list[Fault] = []

    def note(fault: Fault) -> None:
        if len(faults) < MOST_TOLD:
            faults.append(fault)
            if not as_json:
                tell(str(fault))

    found = verified(folder, families, note)
    if as_json:
        print_json({**found, "told": [fault._asdict() for fault in faults]})
    else:
        say(told_in_words(found))
    return Exit.REJECTED if found["faults"] else Exit.OK
