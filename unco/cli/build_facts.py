"""unco build --facts-only: certified instances without texts, in a folder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unco.cli.exits import Exit
from unco.cli.output import print_json, say, table, tell

if TYPE_CHECKING:
    from unco.compiler.build_facts import FactsCount, FactsOptions, FactsSummary
    from unco.compiler.executor import Executor
    from unco.compiler.run import Watcher
    from unco.specs.family import Family

COLUMNS = ("specification", "instances", "with a winner", "without one", "rejected", "audited")


def build_facts_only(
    families: list[Family], options: FactsOptions, out: Path, executor: Executor, watcher: Watcher, *, as_json: bool
) -> Exit:
    """Build, and tell what came of it."""
    from unco.compiler.build_facts import build_facts

    started = time.monotonic()
    summary = build_facts(families, options, out, executor, watcher)
    seconds = time.monotonic() - started
    tell(f"{table(COLUMNS, [_row(each) for each in summary.families])}\n\n{_rate(summary, seconds)}")
    if as_json:
        print_json(_plain(summary, out))
    else:
        say("\n".join(_settled(each) for each in summary.families))
        say(f"\n{out}: facts/, proofs/, queries/, specifications/, manifest.json")
        say(f"To check all again, without a solver: unco verify {out}")
    return _exit(summary)


def _row(each: FactsCount) -> tuple[str, ...]:
    counts = [each.retained, *(each.counts[name] for name in ("winners", "nobody", "rejected", "audited"))]
    return (each.family.name, *(f"{count:,}" for count in counts))


def _rate(summary: FactsSummary, seconds: float) -> str:
    """What this command took, whatever was there before it."""
    return f"{summary.retained:,} instances; {seconds:,.1f} s with the proofs of the families"


def _settled(each: FactsCount) -> str:
    """What of each instance the proof of the family settles, and what is decided one by one."""
    names = {role.id: role.name for role in each.family.roles}
    told = ", ".join(names[role] for role in each.claimed) or "none"
    text = f"{each.family.name}: necessary in every instance with a winner, by the family proof: {told}"
    if each.one_by_one:
        text += f"; decided instance by instance: {', '.join(names[role] for role in each.one_by_one)}"
    return text


def _exit(summary: FactsSummary) -> Exit:
    for each in summary.families:
        missing = summary.missing.get(each.family.name, 0)
        if missing:
            tell(
                f"{each.family.name}: {missing:,} of {summary.wanted:,} instances are missing: "
                f"too many were rejected, as by {each.example}"
            )
        elif each.counts["rejected"]:
            tell(f"{each.family.name}: {each.counts['rejected']:,} indices were rejected, as by {each.example}")
    return Exit.REJECTED if summary.missing else Exit.OK


def _plain(summary: FactsSummary, out: Path) -> dict[str, Any]:
    from unco.compiler.build_facts import stored_count

    return {
        "out": str(out),
        "retained": summary.retained,
        "missing": summary.missing,
        "specifications": {each.family.name: stored_count(each) for each in summary.families},
    }
