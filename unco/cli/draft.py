"""unco draft: new specifications that stand, by the scenario grammar or by an LLM, in a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unco.cli.app import Budget, Json, Seconds, Seed, command
from unco.cli.exits import Exit
from unco.cli.output import counted, print_json, say, table, tell
from unco.cli.progress import Bar
from unco.specs.errors import InfrastructureError, UsageError

if TYPE_CHECKING:
    from unco.compiler.drafting.candidate import Candidate
    from unco.compiler.drafting.folder import DraftFolder
    from unco.compiler.drafting.options import DraftOptions
    from unco.llm.budget import Budget as LlmBudget
    from unco.llm.settings import Served

NAME = "drafting"
SET_UP = (
    "--from needs an LLM to read the text: write a file such as "
    "`drafter: {base_url: http://localhost:8080/v1, model: NAME, max_tokens: 12000}` and give it as --llm FILE "
    "(see docs/llm.md); or begin from a shipped specification with `unco new`"
)


@command(
    "draft",
    "unco draft -n 100 --out drafts",
    "unco draft -n 20 --domain healthcare --operation ratio --operation capped --out drafts",
    "unco draft -n 100 --llm llm.yaml --budget 2000000 --out drafts",
    "unco draft --from policy.md --llm llm.yaml --out policy",
)
def draft(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder: new, empty, or of a draft.")],
    count: Annotated[int, typer.Option("-n", min=1, max=10_000, help="How many it is to hold in all.")] = 1,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A policy text or a brief to draft from, by an LLM.")
    ] = None,
    seed: Seed = 0,
    domain: Annotated[list[str] | None, typer.Option("--domain", help="Only in this domain; may be repeated.")] = None,
    operation: Annotated[
        list[str] | None, typer.Option("--operation", help="Only with this operation; may be repeated.")
    ] = None,
    llm: Annotated[
        Path | None, typer.Option("--llm", metavar="FILE", help="Settings of LLMs; one as `drafter` drafts.")
    ] = None,
    budget: Annotated[
        str | None, typer.Option("--budget", help="The most for LLMs: tokens, or money as in '5 USD'.")
    ] = None,
    beside: Annotated[
        list[Path] | None, typer.Option("--beside", metavar="DIR", help="No copies of these either; may be repeated.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="How many processes check.")] = 1,
    rlimit: Budget = 20_000_000,
    timeout: Seconds = 300,
    as_json: Json = False,
) -> Exit:
    """Draft specifications; the same command goes on where it was stopped."""
    from unco.compiler.check import CheckOptions
    from unco.compiler.draft import RoundError
    from unco.compiler.draft import draft as drafted
    from unco.compiler.drafting.begun import how_of
    from unco.compiler.drafting.brief import read_brief
    from unco.compiler.drafting.folder import opened
    from unco.compiler.drafting.makers import drafter_of
    from unco.compiler.drafting.options import DraftOptions
    from unco.compiler.drafting.skeleton import DOMAINS, OPERATIONS
    from unco.compiler.executor import ProcessExecutor

    options = DraftOptions(seed, tuple(domain or DOMAINS), tuple(operation or OPERATIONS), CheckOptions(rlimit=rlimit))
    text = "" if source is None else read_brief(source)
    served, limit = _served(llm, budget)
    if source is not None and served is None:
        raise UsageError(SET_UP)
    executor, how = ProcessExecutor(workers, timeout), how_of(options, served)
    with opened(out, seed, text, how) as folder, drafter_of(out, options, executor, served, limit, text) as drafter:
        ledger = folder.ledger(beside or [])
        with _watched(folder, count) as seen:
            try:
                for made in drafted(count if len(folder.names) < count else 0, drafter, ledger):
                    folder.record(made)
                    seen(made if text else ())
            except RoundError as ended:
                folder.record(ended.made, whole=False)
                seen(ended.made if text else ())
                raise
    if as_json:
        print_json(_plain(folder, count, options))
    else:
        say(_told(folder, count, options))
    return _exit(folder, count, 0 if ledger.heard else ledger.unheard)


def _served(llm: Path | None, budget: str | None) -> tuple[Served | None, LlmBudget | None]:
    """The LLM that drafts, and what it may use."""
    if llm is None:
        if budget is not None:
            raise UsageError("--budget goes with --llm: without an LLM nothing is paid for")
        return None, None
    from unco.llm.settings import budget_of, read_settings, require_prices, words_of

    settings = read_settings(llm)
    if settings.drafter is None:
        raise UsageError(
            f"{llm}: expected a `drafter`, which is what `unco draft` asks; found {words_of(settings.named)}; "
            "name an LLM as `drafter` there, or leave --llm out to draft by the grammar"
        )
    limit = None if budget is None else budget_of(budget)
    if limit is not None:
        require_prices(llm, settings, ("drafter",), limit)
    return settings.drafter, limit


@contextmanager
def _watched(folder: DraftFolder, count: int) -> Iterator[Callable[[Sequence[Candidate]], None]]:
    """A progress bar, and a word on what is there already and on what the same command would do."""
    there = len(folder.names)
    if there >= count:
        tell(f"{folder.path} is finished: nothing is left to do")
    elif folder.lines:
        tell(f"continuing: {there:,} of {count:,} specifications are there")
        if folder.begun.since and folder.begun.since == len(folder.lines):
            tell("from here on they are drafted in another way; draft.json tells of both")

    def seen(shown: Sequence[Candidate]) -> None:
        bar(NAME, len(folder.names), count)
        for each in shown:
            bar.clear()
            _tell_findings(each)

    with Bar(1, "specifications") as bar:
        bar.begin({NAME: there})
        try:
            yield seen
        except (KeyboardInterrupt, InfrastructureError):
            bar.clear()
            tell(f"{len(folder.names):,} of {count:,} specifications are kept; the same command goes on")
            raise


def _tell_findings(candidate: Candidate) -> None:
    """What the check found in each attempt at an author's text, and where a draft lies that does not stand."""
    for number, text in enumerate(candidate.told, 1):
        tell(f"draft {candidate.number}, attempt {number}:\n{text}")
    if candidate.rejection is not None:
        tell(f"draft {candidate.number} is rejected: {candidate.rejection.code}: {candidate.rejection.detail}")
    if candidate.text:
        tell(f"to mend it by hand: rejected/{candidate.number}.yaml")


def _told(folder: DraftFolder, count: int, options: DraftOptions) -> str:
    filled, cells = _cells(folder, options)
    rows = [(*each, f"{many:,}") for each, many in sorted(_rejected(folder).items())]
    parts = [f"{counted(len(folder.names), 'specification')} of {count:,} kept, {filled} of {cells} cells filled"]
    parts += [table(("phase", "code", "rejected"), rows)] if rows else []
    parts += [f"{llm}: {calls:,} calls, {tokens:,} tokens" for llm, calls, tokens in _used(folder)]
    if folder.names:
        parts.append(f"To build groups of them: unco build {folder.path / 'specs'} --out RUN")
    return "\n\n".join(parts)


def _plain(folder: DraftFolder, count: int, options: DraftOptions) -> dict[str, Any]:
    filled, cells = _cells(folder, options)
    return {
        "out": str(folder.path),
        "wanted": count,
        "kept": folder.names,
        "cells": {"filled": filled, "of": cells},
        "rejected": [line for line in folder.lines if not line["kept"]],
        "llms": [{"llm": llm, "calls": calls, "tokens": tokens} for llm, calls, tokens in _used(folder)],
    }


def _used(folder: DraftFolder) -> list[tuple[str, int, int]]:
    """Each LLM that was asked, with its calls and tokens."""
    from unco.llm.accounts import accounts_of

    return [(each.model, each.calls, each.tokens) for each in accounts_of(folder.path)]


def _rejected(folder: DraftFolder) -> Counter[tuple[str, str]]:
    return Counter((line["phase"], line["code"]) for line in folder.lines if not line["kept"])


def _cells(folder: DraftFolder, options: DraftOptions) -> tuple[int, int]:
    """How many pairs of domain and operation have a specification, and how many may have one."""
    filled = {(line["domain"], line["operation"]) for line in folder.lines if line["kept"]}
    return len(filled & options.pairs), len(options.pairs)


def _exit(folder: DraftFolder, count: int, unheard: int) -> Exit:
    missing = count - len(folder.names)
    if missing <= 0:
        return Exit.OK
    last = next((line for line in reversed(folder.lines) if not line["kept"]), None)
    why = f"no draft came for {unheard} in a row" if unheard else "too many were rejected"
    reason = f"{why}, as by {last['code']}: {last['detail']}" if last else "none can be composed"
    tell(f"{counted(missing, 'specification')} of {count:,} missing: {reason}")
    return Exit.REJECTED
