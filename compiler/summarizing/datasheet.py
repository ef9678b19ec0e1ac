"""The datasheet of a corpus: what it is, who made it and how, what is shown and what is not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from unco.compiler.drafting.skeleton import OPERATIONS
from unco.compiler.summarizing.sections import Section, Table
from unco.specs.task import CANARY
from unco.templates.loader import fill

if TYPE_CHECKING:
    from unco.compiler.summary import Summary

TITLE = "## "
AUTHORS = {"reader": "The program's own reader"}


def datasheet_sections(found: Summary, command: str) -> tuple[Section, ...]:
    """The sections in prose, of a corpus that this command makes."""
    made, checked = found.manifest, found.assurance.checked
    text = fill(
        "report/datasheet.md.j2",
        groups=f"{found.retained:,}",
        scenarios=f"{len(found.diversity.scenarios):,}" if found.diversity.scenarios else "",
        domains=sum(found.diversity.of_domain(each) > 0 for each in found.diversity.domains),
        operations=sum(found.diversity.of_operation(each) > 0 for each in OPERATIONS),
        versions=f"unco {made.unco} with Python {made.python} and Z3 {made.z3}, seed {made.seed}",
        command=command,
        sha256=found.sha256,
        validation=_validation(found),
        checked="It was not run for this datasheet."
        if checked is None
        else f"For this datasheet it checked {checked['groups']:,} groups and found {checked['faults']:,} faults.",
        canary=CANARY,
    )
    return tuple(_section(part) for part in text.split(f"\n{TITLE}"))


def _validation(found: Summary) -> str:
    ways = [
        f"{AUTHORS.get(by, by)} solved {many:,} of {found.retained:,} groups from the finished text: in each of {runs} "
        "runs, with the evidence in another order, with the answer that is gold."
        for (by, runs), many in found.assurance.validated.items()
    ]
    return " ".join(ways) or "Nothing solved them from the finished text."


def _section(text: str) -> Section:
    title, *paragraphs = text.removeprefix(TITLE).strip().split("\n\n")
    return Section(title, texts=tuple(paragraphs))


def markdown(title: str, about: Iterable[str], sections: Iterable[Section]) -> str:
    """Sections as Markdown, without their pictures."""
    parts = [f"# {_plain(title)}", *map(_plain, about)]
    for section in sections:
        parts += [f"{TITLE}{_plain(section.title)}", *section.texts]
        parts += [*map(_table, section.tables), *map(_plain, section.notes)]
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> str:
    rows = [table.head, ("---",) * len(table.head), *table.rows]
    return "\n".join(f"| {' | '.join(_plain(cell).replace('|', chr(92) + '|') for cell in row)} |" for row in rows)


def _plain(text: str) -> str:
    """Text that is no markup."""
    return " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
