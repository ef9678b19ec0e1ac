"""unco demo: groups from every shipped specification, the paper's own case among them, in well under a minute."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unco.cli.app import Json, Seconds, command
from unco.cli.build import tables, watching
from unco.cli.exits import Exit
from unco.cli.inputs import CheckBudget, families_of, pins_of
from unco.cli.output import print_json, say
from unco.specs.errors import UsageError
from unco.specs.shipped import shipped_specifications

if TYPE_CHECKING:
    from unco.compiler.build import BuildOptions
    from unco.compiler.executor import Executor
    from unco.compiler.running.tally import Summary
    from unco.specs.family import Family

PAPER = "underground-superintendent"
DEFAULT = Path("demo")
MARK = "unco-demo.txt"
GROUPS = 2
RLIMIT = 20_000_000


@command("demo", "unco demo", "unco demo --out elsewhere")
def demo(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to write.")] = DEFAULT,
    timeout: Seconds = 120,
    as_json: Json = False,
) -> Exit:
    """Build from every shipped specification, and show one group."""
    from unco.compiler.build import BuildOptions
    from unco.compiler.executor import ProcessExecutor
    from unco.compiler.instantiate import InstantiateOptions
    from unco.compiler.read_build import read_build, read_rendered
    from unco.compiler.show import show

    started = time.monotonic()
    _make_room(out)
    executor = ProcessExecutor(os.cpu_count() or 1, timeout)
    families = families_of(list(shipped_specifications()), CheckBudget(findings=False, rlimit=RLIMIT), executor)
    ours = [family for family in families if family.name == PAPER]
    _build(ours, BuildOptions(1, InstantiateOptions(pins=pins_of(PAPER, ours))), executor, out / "paper")
    others = _build(families, BuildOptions(GROUPS), executor, out / "groups")
    (first,), made = (read_build(out / name)[1] for name in ("paper", "groups"))
    if as_json:
        ids = [entry.id for entry in (first, *made)]
        print_json({"paper": str(out / "paper"), "groups": str(out / "groups"), "ids": ids})
        return Exit.OK
    say(show(read_rendered(out / "paper", first)))
    say(tables(others))
    say(f"\nThe paper's own case, shown above:  {out / 'paper'}")
    say(f"{others.retained} groups of {len(shipped_specifications())} specifications:   {out / 'groups'}")
    say("Each folder holds groups.jsonl, tasks.jsonl, certificates/ (the proofs), rejections.jsonl and manifest.json.")
    say(f"Made in {time.monotonic() - started:.0f} s. Read another: unco show {out / 'groups'} 2")
    say(f"Check them all again, without a solver: unco verify {out / 'groups'}")
    return Exit.OK


def _make_room(out: Path) -> None:
    """Remove an earlier demo; anything else that stands there stays, and is an error."""
    if out.exists() and not (out / MARK).is_file() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} exists and is no earlier demo; choose another with --out, or remove it")
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    (out / MARK).write_text("unco demo made this folder, and may remove it.\n", encoding="utf-8")


def _build(families: Sequence[Family], options: BuildOptions, executor: Executor, out: Path) -> Summary:
    from unco.compiler.run import run

    with watching(out, len(families), "begins anew") as watcher:
        return run(families, options, out, executor, watcher)
