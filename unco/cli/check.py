"""unco check: does a specification stand, and what is wrong where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unco.cli.app import Budget, Json, Seconds, command
from unco.cli.exits import Exit
from unco.cli.inputs import CheckBudget, check_files
from unco.cli.output import print_json, say, tell
from unco.specs.errors import UsageError

if TYPE_CHECKING:
    from unco.compiler.check import Checked
    from unco.specs.family import Family


@command("check", "unco check my_spec.yaml", "unco check specs/*.yaml --sarif > findings.sarif")
def check(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC", help="Files, or names of shipped specifications.")],
    as_json: Json = False,
    as_sarif: Annotated[bool, typer.Option("--sarif", help="Print one SARIF 2.1.0 document.")] = False,
    findings: Annotated[
        bool, typer.Option("--findings/--no-findings", help="Let the solver look for impossible or idle parts.")
    ] = True,
    rlimit: Budget = 20_000_000,
    timeout: Seconds = 300,
) -> Exit:
    """Check specifications, and say what is wrong, where."""
    if as_json and as_sarif:
        raise UsageError("choose one of --json and --sarif")
    from unco.compiler.executor import ProcessExecutor
    from unco.specs.diagnostics import to_sarif

    checked = check_files(specs, CheckBudget(findings, rlimit), ProcessExecutor(seconds=timeout))
    if as_sarif:
        print_json(to_sarif(finding for each in checked for finding in each.diagnostics))
    elif as_json:
        print_json(_plain(checked))
    else:
        _tell(checked)
    return Exit.OK if all(each.family is not None for each in checked) else Exit.REJECTED


def _plain(checked: Iterable[Checked]) -> dict[str, Any]:
    from unco.specs.diagnostics import to_json

    rows = [
        {"file": each.source.file, "stands": each.family is not None, "diagnostics": to_json(each.diagnostics)}
        for each in checked
    ]
    return {"stands": all(row["stands"] for row in rows), "specifications": rows}


def _tell(checked: Iterable[Checked]) -> None:
    from unco.specs.diagnostics import render_text

    for each in checked:
        if each.diagnostics:
            tell(render_text(each.diagnostics, each.source).rstrip("\n"))
        if each.family is not None:
            say(f"{each.source.file}: {', '.join(_summary(each.family))}")


def _summary(family: Family) -> Iterator[str]:
    yield f"{family.name} stands"
    for number, noun in (
        (len(family.roles), "role"),
        (len(family.attributes), "attribute"),
        (len(family.conditions), "condition"),
    ):
        yield f"{number} {noun}{'' if number == 1 else 's'}"
    yield family.calculation.operation.replace("_", " ")
