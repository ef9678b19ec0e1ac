"""unco build: verified groups of specifications, in a folder; the same command continues one that was stopped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unco.cli.app import Budget, Json, Seconds, Seed, command
from unco.cli.build_facts import build_facts_only
from unco.cli.ceiling import ceiling_table
from unco.cli.exits import Exit
from unco.cli.inputs import CheckBudget, families_of, pins_of, require_one, specification_paths
from unco.cli.output import print_json, say, table, tell
from unco.cli.progress import Bar
from unco.cli.settled import settled_lines, warnings
from unco.cli.workplace import Ray, workplace
from unco.specs.errors import UsageError

if TYPE_CHECKING:
    from unco.compiler.run import Watcher
    from unco.compiler.running.conversation import LlmOptions
    from unco.compiler.running.tally import Summary, Tally
    from unco.compiler.summarizing.asked import Asked


class OnUnfaithful(StrEnum):
    """What becomes of a text that is not reworded faithfully."""

    TEMPLATE = "template"
    REJECT = "reject"


KINDS = {"winner": "somebody wins", "nobody": "nobody wins"}
TOLD = 20
"""Of so many specifications at most it is told one by one what their proofs settle; the manifest has it of all."""
ASKED_COLUMNS = ("phase", "LLM", "calls", "failed", "tokens")
PHASE_COLUMNS = ("phase", "candidates", "rejected", "retained")


@command(
    "build",
    "unco build my_spec.yaml --groups 20 --out out",
    "unco build underground-superintendent reduced-fare --groups 100 --seed 7 --out out --workers 4",
    "unco build reduced-fare --groups 100 --out out --ray local --workers 4",
    "unco build drafts/specs --no-findings --workers 2 --out corpus",
    "unco build reduced-fare --groups 20 --llm llm.yaml --budget '5 USD' --out out",
    "unco build underground-superintendent --facts underground-superintendent --out paper",
    "unco build graduate-scholarship --facts-only --groups 1000000 --out facts --workers 2",
)
def build(
    specs: Annotated[
        list[str],
        typer.Argument(metavar="SPEC", help="Files, folders (all .yaml files in them), or names of shipped ones."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder: new, empty, or of this build.")],
    groups: Annotated[int, typer.Option("--groups", min=1, max=9_000_000, help="Groups of each specification.")] = 1,
    seed: Seed = 0,
    facts: Annotated[
        str | None, typer.Option("--facts", metavar="FILE", help="Facts to pin; the rest is drawn.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="How many processes work.")] = 1,
    ray: Ray = None,
    sufficient: Annotated[
        bool, typer.Option("--sufficient/--no-sufficient", help="Look for the smallest sufficient cells.")
    ] = True,
    audit: Annotated[
        int, typer.Option("--audit", min=0, help="Let the solver decide one group in so many again; 0 for none.")
    ] = 1_000,
    facts_only: Annotated[
        bool, typer.Option("--facts-only", help="Certified instances alone, by the family proof: no texts.")
    ] = False,
    findings: Annotated[
        bool,
        typer.Option("--findings/--no-findings", help="Look for rules without effect; `unco draft` has done that."),
    ] = True,
    llm: Annotated[
        Path | None, typer.Option("--llm", metavar="FILE", help="Settings of LLMs: a `renderer`, a `validator`.")
    ] = None,
    budget: Annotated[
        str | None, typer.Option("--budget", help="The most for LLMs: tokens, or money as in '5 USD'.")
    ] = None,
    on_unfaithful: Annotated[
        OnUnfaithful, typer.Option("--on-unfaithful", help="What becomes of a text that an LLM rewords wrongly.")
    ] = OnUnfaithful.TEMPLATE,
    rlimit: Budget = 20_000_000,
    timeout: Seconds = 300,
    as_json: Json = False,
) -> Exit:
    """Build verified groups with their tasks and proofs."""
    from unco.compiler.build import BuildOptions
    from unco.compiler.build_facts import FactsOptions
    from unco.compiler.drafting.origin import drafters_of
    from unco.compiler.instantiate import InstantiateOptions
    from unco.compiler.prove import ProveOptions
    from unco.compiler.run import run
    from unco.compiler.running.disk import require_run_or_free

    require_run_or_free(out)
    require_one(facts, specs)
    if facts_only and llm is not None:
        raise UsageError("--facts-only makes no texts, so it goes without --llm")
    if facts_only and (facts is not None or not sufficient):
        raise UsageError("--facts-only goes with neither --facts nor --no-sufficient: every fact is drawn")
    llms = _llms(llm, budget, on_unfaithful)
    with workplace(ray, workers, timeout) as executor:
        with Bar(1, "specifications") as bar:
            families = families_of(specs, CheckBudget(findings, rlimit), executor, bar)
        if facts_only:
            with watching(out, len(families)) as watcher:
                chosen = FactsOptions(groups, seed, audit, rlimit)
                return build_facts_only(families, chosen, out, executor, watcher, as_json=as_json)
        drawn = InstantiateOptions(seed, pins_of(facts, families))
        files = zip(specification_paths(specs), families, strict=True)
        drafted = drafters_of({path: family.name for path, family in files})
        options = BuildOptions(groups, drawn, ProveOptions(rlimit, sufficient, audit), llms, drafted)
        with watching(out, len(families)) as watcher:
            summary = run(families, options, out, executor, watcher)
    asked = _asked(out) if llms.asks else None
    if as_json:
        print_json(_plain(summary, out) | ({} if asked is None else asked.as_json()))
    else:
        say(tables(summary))
        if asked is not None:
            say(f"\n{table(ASKED_COLUMNS, asked.rows)}" + (f"\n\n{asked.words}" if asked.words else ""))
        if len(summary.families) <= TOLD:
            say("\n" + "\n".join(settled_lines(summary.family_proofs)))
        say(f"\n{out}: groups.jsonl, tasks.jsonl, certificates/, proofs/, rejections.jsonl, manifest.json")
        if summary.retained:
            say(f"To read one: unco show {out}")
            say(f"To check all again, without a solver: unco verify {out}")
    if asked is not None and asked.warning:
        tell(f"warning: {asked.warning}")
    return _exit(summary)


def _asked(out: Path) -> Asked:
    from unco.compiler.summarizing.asked import asked

    return asked(out)


def _llms(path: Path | None, budget: str | None, on_unfaithful: OnUnfaithful) -> LlmOptions:
    """What a build asks of LLMs; nothing without a settings file."""
    from unco.compiler.running.conversation import LlmOptions
    from unco.llm.budget import Budget as LlmBudget
    from unco.llm.settings import budget_of, read_settings, require_prices, words_of

    if path is None:
        if budget is not None or on_unfaithful is not OnUnfaithful.TEMPLATE:
            raise UsageError("--budget and --on-unfaithful are about LLMs: give their settings as --llm FILE")
        return LlmOptions()
    settings = read_settings(path)
    if settings.renderer is None and settings.validator is None:
        raise UsageError(
            f"{path}: expected a `renderer` or a `validator`, which are what `unco build` asks; "
            f"found {words_of(settings.named)}; name an LLM as one of them there, or leave --llm out to build without"
        )
    if settings.renderer is None and on_unfaithful is not OnUnfaithful.TEMPLATE:
        raise UsageError(
            f"--on-unfaithful {on_unfaithful.value} is about a `renderer`: found {words_of(settings.named)} in {path}; "
            "name an LLM as `renderer` there, or leave --on-unfaithful out"
        )
    limit = LlmBudget() if budget is None else budget_of(budget)
    require_prices(path, settings, ("renderer", "validator"), limit)
    return LlmOptions(settings, limit, on_unfaithful.value)


@contextmanager
def watching(out: Path, specifications: int, onward: str = "continues") -> Iterator[Watcher]:
    """A progress bar, and a word on what was there already and on what the same command would do (`onward`)."""
    from unco.compiler.run import Watcher

    def began(there: Mapping[str, int], wanted: int) -> None:
        if any(there.values()):
            tell(f"continuing: {sum(there.values()):,} of {wanted * len(there):,} groups are there")
        bar.begin(there)

    def proved(name: str) -> None:
        bar.note(f"proved {name}")

    with Bar(specifications) as bar:
        try:
            yield Watcher(began, bar, lambda: tell(f"{out} is finished: nothing is left to do"), proved)
        except KeyboardInterrupt:
            bar.clear()
            tell(f"interrupted; the same command {onward}")
            raise


def tables(summary: Summary) -> str:
    """How many candidate groups came into each phase, were rejected and went on; how well groups can be guessed."""
    rows = [tuple(cell if isinstance(cell, str) else f"{cell:,}" for cell in row) for row in summary.phases]
    return f"{table(PHASE_COLUMNS, rows)}\n\n{ceiling_table(summary.guess_ceiling)}"


def _exit(summary: Summary) -> Exit:
    failed = []
    retained = {family.name: tally.retained for family, tally in zip(summary.families, summary.tallies, strict=True)}
    for warning in warnings(summary.family_proofs, retained):
        tell(warning)
    for family, tally in zip(summary.families, summary.tallies, strict=True):
        _tell_rejections(family.name, tally, summary.missing.get(family.name, 0), summary.wanted)
        if family.name in summary.missing or tally.unmet:
            failed.append(tally)
    if not failed:
        return Exit.OK
    return Exit.UNKNOWN if all(set(tally.codes) == {"UNC510"} for tally in failed) else Exit.REJECTED


def _tell_rejections(name: str, tally: Tally, missing: int, wanted: int) -> None:
    """What is missing, what was planned in vain, and else a plan that was not always met, each with an example."""
    code, detail = tally.example or ("", "")
    if missing:
        tell(
            f"{name}: {missing} of {wanted} groups are missing: "
            f"too many candidates were rejected, as by {code}: {detail}"
        )
    for kind in tally.unmet if tally.retained else ():
        tell(
            f"{name}: no group in which {KINDS[kind]} is retained: "
            f"{tally.lost[kind]} were planned and rejected, as by {tally.losses[kind]}"
        )
    if "UNC413" in tally.codes and not missing and not tally.unmet:
        many = tally.codes["UNC413"]
        be = "was" if many == 1 else "were"
        tell(f"{name}: {many} of the candidate groups {be} rejected, as by UNC413: {tally.first['UNC413']}")


def _plain(summary: Summary, out: Path) -> dict[str, Any]:
    from unco.compiler.read_build import read_build, read_rejections

    return {
        "out": str(out),
        "retained": [
            {"id": each.id, "specification": each.specification, "index": each.index} for each in read_build(out)[1]
        ],
        "rejected": read_rejections(out),
        "phases": [row._asdict() for row in summary.phases],
        "missing": summary.missing,
        "family_proofs": summary.family_proofs,
        "guess_ceiling": summary.guess_ceiling,
    }
