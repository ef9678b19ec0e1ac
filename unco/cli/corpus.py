"""unco corpus: a dataset to publish, by one command: drafted, built, checked again, with its datasheet, packed."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unco.cli.app import Json, Seconds, Seed, command
from unco.cli.exits import Exit
from unco.cli.output import print_json, say, tell
from unco.cli.summary import PAGE, checked_again
from unco.specs.errors import UsageError

if TYPE_CHECKING:
    from unco.compiler.summary import Summary

DRAFTS, DATA, SHEET, USE, NOTE = "drafts", "data", "datasheet.md", "README.md", "corpus.txt"
ARCHIVE = re.compile(r"unco-corpus-(\d+)-seed-(\d+)\.tar\.gz")


@command(
    "corpus",
    "unco corpus --out corpus",
    "unco corpus --groups 100 --seed 7 --workers 4 --out small",
)
def corpus(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder: new, empty, or of this corpus.")],
    groups: Annotated[
        int, typer.Option("--groups", min=1, max=100_000, help="Specifications, a group of each.")
    ] = 1_000,
    seed: Seed = 0,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="How many processes work.")] = 1,
    timeout: Seconds = 300,
    as_json: Json = False,
) -> Exit:
    """Draft specifications, build a group of each, check all, and pack it; the same command goes on."""
    from unco.compiler.summarizing.pack import pack
    from unco.compiler.summary import summary

    _begin(out, f"--groups {groups} --seed {seed}")
    drafts, data = out / DRAFTS, out / DATA
    works = ["--seed", str(seed), "--workers", str(workers), "--timeout", str(timeout)]
    for step in (
        ["draft", "-n", str(groups), "--out", str(drafts), *works],
        ["build", str(drafts / "specs"), "--no-findings", "--out", str(data), *works],
    ):
        code = _run(step)
        if code not in (Exit.OK, Exit.REJECTED, Exit.UNKNOWN):
            return Exit(code)
    found = summary(data, drafts, checked_again(data, workers, timeout))
    _write(out, found, f"unco corpus --groups {groups} --seed {seed} --out corpus")
    archive = out / f"unco-corpus-{groups}-seed-{seed}.tar.gz"
    digest = pack(dict(_files(out, archive.name.removesuffix(".tar.gz"))), archive)
    if as_json:
        print_json({"archive": str(archive), "sha256": digest, **found.as_json()})
    else:
        say(f"{found.retained:,} of {groups:,} groups: {out / SHEET}, {out / PAGE}\n{digest}  {archive}")
    holds = found.retained == groups and not (found.assurance.checked or {"faults": 1})["faults"]
    return Exit.OK if holds else Exit.REJECTED


def _begin(out: Path, asked: str) -> None:
    """Note down which corpus the folder is of. UsageError where it is of another: its data would be told as this one's.

    A folder in which that is not noted down tells it by its archive.
    """
    from unco.compiler.running.disk import disk

    note = out / NOTE
    with disk(out):
        out.mkdir(parents=True, exist_ok=True)
        names = map(ARCHIVE.fullmatch, sorted(each.name for each in out.iterdir()))
        found = [f"--groups {name[1]} --seed {name[2]}" for name in names if name]
        found += [note.read_text(encoding="utf-8", errors="replace").strip()] if note.is_file() else []
        for each in found:
            if each not in ("", asked):
                raise UsageError(
                    f"{out} holds a corpus that was begun with {each[:80]}, and this command says {asked}; "
                    "say the same as before to go on with it, or choose another folder with --out"
                )
        note.write_text(f"{asked}\n", encoding="utf-8", newline="\n")


def _run(step: list[str]) -> int:
    """Another command, told and run; its exit code. What it says is no result of this one."""
    from unco.cli import application

    tell(f"$ unco {shlex.join(step)}")
    with redirect_stdout(sys.stderr):
        code: int = application()(step, prog_name="unco", standalone_mode=False) or 0
    return code


def _write(out: Path, found: Summary, made_by: str) -> None:
    """The datasheet beside the data, the same with pictures as a page, and how to read the files."""
    from unco.compiler.running.disk import disk
    from unco.compiler.summarizing.datasheet import datasheet_sections, markdown
    from unco.compiler.summarizing.page import page
    from unco.compiler.summarizing.sections import about, sections
    from unco.specs.task import CANARY
    from unco.templates.loader import fill

    parts = (*datasheet_sections(found, made_by), *sections(found))
    title = f"Datasheet of a corpus of {found.retained:,} verified groups"
    with disk(out):
        (out / SHEET).write_text(markdown(title, about(found), parts), encoding="utf-8", newline="\n")
        use = fill("report/archive.md.j2", groups=f"{found.retained:,}", canary=CANARY)
        (out / USE).write_text(f"{use}\n", encoding="utf-8", newline="\n")
        (out / PAGE).write_text(page(title, about(found), parts), encoding="utf-8", newline="\n")


def _files(out: Path, top: str) -> Iterator[tuple[str, Path]]:
    """What is published: all but what only a build that is continued needs."""
    listed = json.loads((out / DATA / "manifest.json").read_text(encoding="utf-8"))["files"]
    data = [out / DATA / name for name in (*listed, "manifest.json", "manifest.sha256")]
    drafts = [out / DRAFTS / "drafts.jsonl", *(out / DRAFTS / "specs").glob("*.yaml")]
    for path in (out / USE, out / SHEET, out / PAGE, *drafts, *data):
        yield f"{top}/{path.relative_to(out).as_posix()}", path
