"""unco new: a new specification that begins as a copy of a shipped one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from unco.cli.app import Json, command
from unco.cli.exits import Exit
from unco.cli.output import print_json, say, table, write_new
from unco.specs.errors import InconsistencyError, UsageError
from unco.specs.shipped import shipped_specifications

DEFAULT = "underground-superintendent"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


@command("new", "unco new bed-allocation", "unco new bed-allocation --from graduate-scholarship", "unco new --list")
def new(
    name: Annotated[str | None, typer.Argument(help="The name: a-z, 0-9 and hyphens.")] = None,
    reference: Annotated[str, typer.Option("--from", help="The shipped specification to copy.")] = DEFAULT,
    out: Annotated[Path | None, typer.Option("--out", help="The file to write. Default: NAME.yaml")] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the shipped specifications.")] = False,
    as_json: Json = False,
) -> Exit:
    """Write a new specification, copied from a shipped one."""
    if listing:
        return _list(as_json)
    if name is None or not NAME.fullmatch(name):
        raise UsageError(
            "expected a name of a-z, 0-9 and hyphens, such as bed-allocation" + (f", found {name}" if name else "")
        )
    path = out or Path(f"{name}.yaml")
    write_new(path, _text(name, reference))
    if as_json:
        print_json({"file": str(path), "name": name, "from": reference})
    else:
        say(f"{path} is a copy of {reference}. Edit it, then:\n  unco check {path}\n  unco prove {path}")
    return Exit.OK


def _text(name: str, reference: str) -> str:
    """The shipped text under a new name and title."""
    from unco.specs.read import parse_specification

    shipped = shipped_specifications()
    if reference not in shipped:
        raise UsageError(f"there is no shipped specification {reference}; there are {', '.join(shipped)}")
    text = shipped[reference].read_text(encoding="utf-8")
    title = name.replace("-", " ").capitalize()
    for field, value in (("name", name), ("title", title)):
        text = re.sub(rf"^{field}:.*$", f"{field}: {json.dumps(value)}", text, count=1, flags=re.MULTILINE)
    found = parse_specification(text).specification
    if (found.name, found.title) != (name, title):
        raise InconsistencyError(f"the copy of {reference} has the name {found.name} and the title {found.title}")
    return text


def _list(as_json: bool) -> Exit:
    from unco.specs.read import read_specification

    read = [read_specification(path).specification for path in shipped_specifications().values()]
    rows = [(each.name, each.title, each.domain, each.calculation.operation) for each in read]
    head = ("name", "title", "domain", "operation")
    if as_json:
        print_json([dict(zip(head, row, strict=True)) for row in rows])
    else:
        say(table(head, rows))
    return Exit.OK
