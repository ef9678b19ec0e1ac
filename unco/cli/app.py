"""The command line without its commands, and how a command joins it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, ParamSpec

import typer
from typer.core import TyperGroup

from unco.cli.exits import Exit, exit_codes
from unco.cli.faults import report_fault
from unco.cli.output import flush
from unco.specs.version import VERSION

Parameters = ParamSpec("Parameters")
KEPT = "\b\n"
"""What follows keeps its line ends in the help."""


class Commands(TyperGroup):
    """The commands together. Their own `--help` is read only before the name of a command: reading it is slow."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        self.add_help_option = not args or args[0].startswith("-")
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="unco",
    cls=Commands,
    help="Compile decision-task specifications to verified multi-agent tasks.",
    epilog=KEPT + exit_codes(),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Seconds = Annotated[float, typer.Option("--timeout", min=0.1, help="Kill a worker that gives no answer for so long.")]
Budget = Annotated[int, typer.Option("--rlimit", min=1, help="Z3 resource units that one question may take.")]
Seed = Annotated[int, typer.Option("--seed", help="The seed of all that is drawn.")]


def command(name: str, *examples: str) -> Callable[[Callable[Parameters, Exit]], Callable[Parameters, None]]:
    """Add a function to the command line, with examples in its help; it returns how the command ended.

    A parameter `as_json` tells how faults are reported.
    """
    shown = "\n".join(["Examples:", *(f"  {example}" for example in examples)])

    def add(function: Callable[Parameters, Exit]) -> Callable[Parameters, None]:
        @wraps(function)
        def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
            raise typer.Exit(_ended(lambda: function(*args, **kwargs), as_json=bool(kwargs.get("as_json"))))

        app.command(name, epilog=KEPT + shown, no_args_is_help=False)(run)
        return run

    return add


def _ended(call: Callable[[], Exit], *, as_json: bool) -> int:
    """The exit code of a command, whatever it raises."""
    try:
        code = call()
        flush()
        return code
    except (Exception, KeyboardInterrupt) as error:
        return report_fault(error, as_json=as_json)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"unco {VERSION}")
        raise typer.Exit


@app.callback()
def unco(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Compile decision-task specifications to verified multi-agent tasks."""
