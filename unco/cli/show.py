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
    """Show a group of a build, or an instance of a facts dataset, as a person would read it."""
    from unco.compiler.read_build import choose, read_build, read_rendered
    from unco.compiler.read_facts import holds_facts
    from unco.compiler.show import show as shown

    if holds_facts(path):
        return _show_fact(path, group or "1", setting, listing=listing, as_json=as_json)
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


def _show_fact(folder: Path, wanted: str, setting: str | None, *, listing: bool, as_json: bool) -> Exit:
    """One instance of a facts dataset, by its place in the order from 1, or by its id."""
    from unco.compiler.read_facts import facts_with_legends
    from unco.compiler.show_facts import plain_fact, show_fact

    if setting is not None or listing:
        raise UsageError(f"{folder} holds facts alone: no settings, and more instances than a list should have")
    number = 0
    for number, (legend, fact) in enumerate(facts_with_legends(folder), 1):
        if wanted in (str(number), fact.id):
            if as_json:
                print_json(plain_fact(fact))
            else:
                say(show_fact(legend, fact))
            return Exit.OK
    raise UsageError(f"there is no instance {wanted}: expected a number from 1 to {number:,}, or an id")


def _setting(name: str) -> Setting:
    from unco.specs.group import Setting

    for setting in Setting:
        if setting.value.lower() == name.lower():
            return setting
    raise UsageError(f"there is no setting {name}; there are {', '.join(setting.value for setting in Setting)}")
