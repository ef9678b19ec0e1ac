"""unco build: verified groups of specifications, written into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unco.cli.app import Budget, Json, Seconds, Seed, command
from unco.cli.exits import Exit
from unco.cli.inputs import CheckBudget, families_of, pins_of, require_one
from unco.cli.output import print_json, say, table, tell
from unco.cli.progress import Bar

if TYPE_CHECKING:
    from unco.compiler.build import Built
    from unco.specs.family import Family

PHASE_COLUMNS = ("phase", "candidates", "rejected", "retained")


@command(
    "build",
    "unco build my_spec.yaml --groups 20 --out out",
    "unco build underground-superintendent reduced-fare --groups 100 --seed 7 --out out --workers 4",
    "unco build underground-superintendent --facts underground-superintendent --out paper",
)
def build(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC", help="Files, or names of shipped specifications.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to write: new, or empty.")],
    groups: Annotated[int, typer.Option("--groups", min=1, max=1_000_000, help="Groups of each specification.")] = 1,
    seed: Seed = 0,
    facts: Annotated[
        str | None, typer.Option("--facts", metavar="FILE", help="Facts to pin; the rest is drawn.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="How many processes work.")] = 1,
    sufficient: Annotated[
        bool, typer.Option("--sufficient/--no-sufficient", help="Look for the smallest sufficient cells.")
    ] = True,
    rlimit: Budget = 20_000_000,
    timeout: Seconds = 300,
    as_json: Json = False,
) -> Exit:
    """Build verified groups with their tasks and proofs."""
    from unco.compiler.build import BuildOptions, require_free, write
    from unco.compiler.build import build as build_groups
    from unco.compiler.executor import ProcessExecutor
    from unco.compiler.instantiate import InstantiateOptions
    from unco.compiler.prove import ProveOptions

    require_free(out)
    require_one(facts, specs)
    executor = ProcessExecutor(workers, timeout)
    families = families_of(specs, CheckBudget(findings=True, rlimit=rlimit), executor)
    drawn = InstantiateOptions(seed, pins_of(facts, families))
    options = BuildOptions(groups, drawn, ProveOptions(rlimit, sufficient))
    with Bar(len(families)) as progress:
        built = build_groups(families, options, executor, progress)
    write(built, out, options)
    if as_json:
        print_json(_plain(built, families, groups, out))
    else:
        say(summary(built))
        say(f"\n{out}: groups.jsonl, tasks.jsonl, certificates/, rejections.jsonl, manifest.json")
        say(f"To read one: unco show {out}")
    return _exit(built, families, groups)


def summary(built: Built) -> str:
    """The table by phase: how many candidate groups came in, were rejected, went on."""
    return table(PHASE_COLUMNS, [tuple(_cell(cell) for cell in row) for row in phases(built)])


def _cell(value: str | int) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def phases(built: Built) -> list[tuple[str, int, int, int]]:
    """Each phase that candidate groups pass, with how many came in, were rejected, and went on."""
    from unco.compiler.pipeline import PHASES

    rejected = built.by_phase
    left, rows = len(built.retained) + len(built.rejections), []
    for phase in PHASES[1:]:
        lost = rejected.get(phase, 0)
        rows.append((phase, left, lost, left - lost))
        left -= lost
    return rows


def _missing(built: Built, families: Sequence[Family], groups: int) -> dict[str, int]:
    """How many groups each specification lacks of those that were wanted."""
    made = [family.name for family, _ in built.retained]
    lacks = {family.name: groups - made.count(family.name) for family in families}
    return {name: lack for name, lack in lacks.items() if lack}


def _exit(built: Built, families: Sequence[Family], groups: int) -> Exit:
    missing = _missing(built, families, groups)
    for name, lack in missing.items():
        reasons = {(each.code, each.detail) for each in built.rejections if each.specification == name}
        code, detail = min(reasons)
        tell(
            f"{name}: {lack} of {groups} groups are missing: too many candidates were rejected, as by {code}: {detail}"
        )
    if not missing:
        return Exit.OK
    undecided = all(each.code == "UNC510" for each in built.rejections if each.specification in missing)
    return Exit.UNKNOWN if undecided else Exit.REJECTED


def _plain(built: Built, families: Sequence[Family], groups: int, out: Path) -> dict[str, Any]:
    return {
        "out": str(out),
        "retained": [
            {"id": each.rendered.id, "specification": family.name, "index": each.group.index}
            for family, each in built.retained
        ],
        "rejected": [
            {
                "phase": each.phase,
                "code": each.code,
                "detail": each.detail,
                "specification": each.specification,
                "index": each.index,
            }
            for each in built.rejections
        ],
        "phases": [dict(zip(PHASE_COLUMNS, row, strict=True)) for row in phases(built)],
        "missing": _missing(built, families, groups),
    }
