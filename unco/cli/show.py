"""unco show: a group of a build as a person would read it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unco.cli.app import Json, command
from unco.cli.exits import Exit
from unco.cli.output import print_json, say, table
from unco.specs.errors import UsageError

if TYPE_CHECKING:
    from unco.specs.group import Setting


@command("show", "unco show out", "unco show out 3 --setting Misaligned", "unco show out --list")
def show(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a build, or a file in it.")],
    group: Annotated[
        str | None,
        typer.Argument(metavar="[ID|NUMBER]", help="The id of a group, its beginning, or its number from 1."),
    ] = None,
    setting: Annotated[str | None, typer.Option("--setting", metavar="NAME", help="Only this setting.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the groups.")] = False,
    as_json: Json = False,
) -> Exit:
    """Show a group of a build as a person would read it."""
    from unco.compiler.read_build import choose, read_build, read_rendered
    from unco.compiler.show import show as shown

    folder, entries = read_build(path)
    if listing:
        rows = [(str(number), each.id, each.specification) for number, each in enumerate(entries, 1)]
        head = ("number", "id", "specification")
        if as_json:
            print_json([dict(zip(head, row, strict=True)) for row in rows])
        else:
            say(table(head, rows))
        return Exit.OK
    if not entries:
        raise UsageError(f"{folder} holds no group")
    chosen = choose(entries, group or "1")
    rendered = read_rendered(folder, chosen)
    only = None if setting is None else _setting(setting)
    if as_json:
        kept = rendered if only is None else rendered.task(only)
        if kept is None:
            raise UsageError(f"the group has no setting {only}")
        print_json(kept.model_dump(mode="json"))
        return Exit.OK
    say(shown(rendered, only).rstrip("\n"))
    if group is None and len(entries) > 1:
        say(f"\nThis is the first of {len(entries)} groups; `unco show {folder} 2` shows the next.")
    return Exit.OK


def _setting(name: str) -> Setting:
    from unco.specs.group import Setting

    for setting in Setting:
        if setting.value.lower() == name.lower():
            return setting
    raise UsageError(f"there is no setting {name}; there are {', '.join(setting.value for setting in Setting)}")
