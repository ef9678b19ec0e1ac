"""unco explain: what a code means."""

from __future__ import annotations

from typing import Annotated

import typer

from unco.cli.app import Json, command
from unco.cli.exits import Exit
from unco.cli.output import print_json, say, table
from unco.specs.codes import CODES
from unco.specs.errors import UsageError


@command("explain", "unco explain UNC204", "unco explain")
def explain(
    code: Annotated[str | None, typer.Argument(help="A code; all of them where it is left out.")] = None,
    as_json: Json = False,
) -> Exit:
    """Say what a code means."""
    wanted = {code.upper(): CODES.get(code.upper())} if code else dict(CODES)
    found = {name: meaning for name, meaning in wanted.items() if meaning is not None}
    if not found:
        raise UsageError(f"there is no code {code}; `unco explain` lists them")
    if as_json:
        print_json(found)
    elif code:
        say("\n".join(f"{name}: {meaning}" for name, meaning in found.items()))
    else:
        say(table(("code", "meaning"), found.items()))
    return Exit.OK
