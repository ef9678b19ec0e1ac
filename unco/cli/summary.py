"""unco summary: what a run came to, in the terminal and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unco.cli.app import Json, Seconds, command
from unco.cli.exits import Exit
from unco.cli.output import print_json, say, table, tell
from unco.cli.workplace import workplace

if TYPE_CHECKING:
    from unco.compiler.summarizing.sections import Section

PAGE = "summary.html"


@command(
    "summary",
    "unco summary out",
    "unco summary out --drafts drafts --verify --workers 4",
    "unco summary out --html report.html",
    "unco summary out --json",
)
def summary(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a build.")],
    drafts: Annotated[
        Path | None, typer.Option("--drafts", metavar="DIR", help="The folder of `unco draft`, for its part.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help=f"Where the page goes; {PAGE} in the folder if unset.")
    ] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Check every group again, and tell the outcome.")] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="How many processes check.")] = 1,
    timeout: Seconds = 300,
    as_json: Json = False,
) -> Exit:
    """Show what a build came to, and write it as one page."""
    from unco.compiler.running.disk import disk
    from unco.compiler.summarizing.page import page
    from unco.compiler.summarizing.sections import about, sections
    from unco.compiler.summary import summary as summarized

    checked = checked_again(folder, workers, timeout) if verify else None
    found = summarized(folder, drafts, checked)
    parts, lines = sections(found), about(found)
    place = html or folder / PAGE
    with disk(place):
        place.write_text(page("Summary of a build", lines, parts), encoding="utf-8", newline="\n")
    if as_json:
        print_json({"page": str(place), **found.as_json()})
    else:
        say("\n".join([*lines, "", *_told(parts), f"The same as a page, with pictures: {place}"]))
    return Exit.REJECTED if checked is not None and checked["faults"] else Exit.OK


def checked_again(folder: Path, workers: int, timeout: float) -> Mapping[str, Any]:
    """What the checker says of the folder; faults are told."""
    from unco.compiler.verify import verify as verified

    with workplace(None, workers, timeout) as executor:
        return verified(folder, [], lambda fault: tell(str(fault)), executor)


def _told(parts: Iterable[Section]) -> Iterable[str]:
    for part in parts:
        yield part.title
        yield "=" * len(part.title)
        for each in part.tables:
            yield f"{table(each.head, each.rows)}\n"
        yield from part.notes
        yield ""
