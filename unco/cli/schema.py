"""unco schema: the JSON Schema of the language, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from unco.cli.app import command
from unco.cli.exits import Exit
from unco.cli.output import print_json, say, write_new


@command("schema", "unco schema --out unco.schema.json")
def schema(
    out: Annotated[Path | None, typer.Option("--out", help="The file to write, in place of standard output.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same: the schema is JSON.")] = False,
) -> Exit:
    """Print the JSON Schema of the specification language."""
    from unco.specs.schema import json_schema

    if out is None:
        print_json(json_schema())
        return Exit.OK
    write_new(out, json.dumps(json_schema(), indent=2) + "\n")
    if as_json:
        print_json({"file": str(out)})
    else:
        say(f"{out} holds the schema. In YAML editors: # yaml-language-server: $schema={out}")
    return Exit.OK
