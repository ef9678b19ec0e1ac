"""unco verify: a dataset checked again, without a solver, or with another one too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unco.cli.app import Json, Seconds, command
from unco.cli.exits import Exit
from unco.cli.inputs import CheckBudget, families_of
from unco.cli.output import print_json, say, tell
from unco.cli.workplace import Ray, workplace
from unco.specs.errors import UsageError

if TYPE_CHECKING:
    from unco.compiler.verify import Fault

MOST_TOLD = 200
"""So many faults are told in full; the rest are counted."""


@command(
    "verify",
    "unco verify out",
    "unco verify out --spec reduced-fare",
    "unco verify out --workers 4",
    "unco verify out --ray local --workers 4 --json",
    "unco verify out --solver cvc5 --proofs proofs --workers 2",
)
def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a dataset.")],
    specifications: Annotated[
        list[str] | None,
        typer.Option("--spec", metavar="SPEC", help="Also compare the dataset's rules with this specification's."),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="How many processes work.")] = 1,
    ray: Ray = None,
    timeout: Seconds = 300,
    solver: Annotated[
        str | None,
        typer.Option("--solver", metavar="NAME", help="Also put each UNSAT claim to `cvc5` (an extra) or to `z3`."),
    ] = None,
    rlimit: Annotated[
        int | None,
        typer.Option("--rlimit", min=1, help="The budget of that solver for each claim, in its own resource units."),
    ] = None,
    proofs: Annotated[
        Path | None, typer.Option("--proofs", metavar="FOLDER", help="Keep the proofs of that solver here.")
    ] = None,
    as_json: Json = False,
) -> Exit:
    """Check every group of a dataset again, with the checker that ships beside it."""
    from unco.cli.opinions import ask_another, tell_opinions
    from unco.compiler.executor import SerialExecutor
    from unco.compiler.second_opinion import Options
    from unco.compiler.verify import told_in_words
    from unco.compiler.verify import verify as verified

    if solver is None and (rlimit is not None or proofs is not None):
        raise UsageError("--rlimit and --proofs are for another solver; name it with --solver")
    families = families_of(specifications or [], CheckBudget(findings=False, rlimit=20_000_000), SerialExecutor())
    faults: list[Fault] = []

    def note(fault: Fault) -> None:
        if len(faults) < MOST_TOLD:
            faults.append(fault)
            if not as_json:
                tell(str(fault))

    with workplace(ray, workers, timeout) as executor:
        found = verified(folder, families, note, executor)
        opinions = ask_another(folder, Options(solver, rlimit, proofs), executor) if solver is not None else None
    if as_json:
        more = {"second_opinion": opinions} if opinions is not None else {}
        print_json({**found, "told": [fault._asdict() for fault in faults], **more})
    else:
        say(told_in_words(found))
        if opinions is not None:
            tell_opinions(opinions)
    failed = found["faults"] or (opinions is not None and opinions["faults"])
    return Exit.REJECTED if failed else Exit.OK
