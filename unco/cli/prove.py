"""unco prove: every claim about sampled or pinned groups, or about all groups of a family, with its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unco.cli.app import Budget, Json, Seconds, Seed, command
from unco.cli.exits import Exit
from unco.cli.inputs import CheckBudget, families_of, pins_of
from unco.cli.output import flush, print_json, say, table, tell
from unco.cli.workplace import Ray, workplace
from unco.specs.errors import UsageError
from unco.specs.rejection import Rejection

if TYPE_CHECKING:
    from unco.compiler.attempt import Attempt
    from unco.compiler.executor import Executor
    from unco.specs.family import Family
    from unco.specs.verdict import Claim

HEAD = ("claim", "subject", "verdict", "engine", "flip", "resources")


@command(
    "prove",
    "unco prove my_spec.yaml",
    "unco prove my_spec.yaml --groups 5 --seed 7",
    "unco prove underground-superintendent --facts underground-superintendent",
    "unco prove my_spec.yaml --family",
    "unco prove my_spec.yaml --family --reseed 5",
)
def prove(
    spec: Annotated[str, typer.Argument(help="A file, or the name of a shipped specification.")],
    groups: Annotated[int, typer.Option("--groups", min=1, max=10_000, help="How many groups to draw.")] = 1,
    seed: Seed = 0,
    facts: Annotated[
        str | None, typer.Option("--facts", metavar="FILE", help="Facts to pin; the rest is drawn.")
    ] = None,
    sufficient: Annotated[
        bool, typer.Option("--sufficient/--no-sufficient", help="Look for the smallest sufficient cells.")
    ] = True,
    witnesses: Annotated[
        bool, typer.Option("--witnesses", help="Show the example behind every claim, not only behind those that fail.")
    ] = False,
    of_family: Annotated[
        bool, typer.Option("--family", help="Prove the claims for every group that the specification can generate.")
    ] = False,
    advice: Annotated[
        bool, typer.Option("--advice/--no-advice", help="With --family: look for changes that mend what is refuted.")
    ] = True,
    reseed: Annotated[
        int, typer.Option("--reseed", min=0, max=100, help="With --family: repeat with so many seeds and orders.")
    ] = 0,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="How many processes work.")] = 1,
    ray: Ray = None,
    rlimit: Budget = 20_000_000,
    timeout: Seconds = 300,
    as_json: Json = False,
) -> Exit:
    """Prove every claim about groups, or show by example what fails."""
    if of_family:
        if facts is not None:
            raise UsageError("--facts pins one group; --family is about all of them")
        with workplace(ray, workers, timeout) as executor:
            return _of_family(spec, _Asked(rlimit, advice, reseed, witnesses), executor, as_json)
    if reseed:
        raise UsageError("--reseed goes with --family")
    from unco.compiler.attempt import attempt
    from unco.compiler.instantiate import InstantiateOptions
    from unco.compiler.pipeline import Chunk
    from unco.compiler.prove import ProveOptions

    tried = []
    with workplace(ray, workers, timeout) as executor:
        (family,) = families_of([spec], CheckBudget(findings=False, rlimit=rlimit), executor)
        drawn = InstantiateOptions(seed, pins_of(facts, [family]))
        chunks = [Chunk(family, (index,), drawn, ProveOptions(rlimit, sufficient)) for index in range(groups)]
        for (each,) in executor.map(attempt, chunks):
            tried.append(each)
            if not as_json:
                say("\n".join(_lines(family, each, witnesses)))
    if as_json:
        print_json(_plain(family, tried))
    elif groups > 1:
        say(f"{sum(_accepted(each) for each in tried)} of {groups} groups accepted")
    return _exit(tried)


@dataclass(frozen=True)
class _Asked:
    """How a family proof is asked for."""

    rlimit: int
    advice: bool
    reseed: int
    everything: bool


def _of_family(spec: str, asked: _Asked, executor: Executor, as_json: bool) -> Exit:
    """Every claim for every group at once."""
    from unco.cli.family_report import family_exit, family_lines, plain_family
    from unco.compiler.executor import call
    from unco.compiler.prove_family import ProveFamilyOptions, prove_family

    (family,) = families_of([spec], CheckBudget(findings=False, rlimit=asked.rlimit), executor)
    options = ProveFamilyOptions(asked.rlimit, asked.advice, asked.reseed)
    report = call(partial(prove_family, options=options), family, executor)
    if as_json:
        print_json(plain_family(family, report))
    else:
        say("\n".join(family_lines(family, report, everything=asked.everything)))
    flush()
    tell(f"{len(report.seconds)} claims in {sum(report.seconds):.2f} s")
    return family_exit(report)


def _accepted(tried: Attempt | Rejection) -> bool:
    return not isinstance(tried, Rejection) and tried.proof.accepted


def _rejection(family: Family, tried: Attempt | Rejection) -> Rejection | None:
    if isinstance(tried, Rejection):
        return tried
    return None if tried.proof.accepted else tried.proof.rejection(family.name, tried.group.index)


def _exit(tried: Sequence[Attempt | Rejection]) -> Exit:
    """Rejected before Unknown, Unknown before well."""
    undecided = [not isinstance(each, Rejection) and any(map(_unknown, each.proof.claims)) for each in tried]
    if any(not _accepted(each) and not unknown for each, unknown in zip(tried, undecided, strict=True)):
        return Exit.REJECTED
    return Exit.UNKNOWN if any(undecided) else Exit.OK


def _unknown(claim: Claim) -> bool:
    from unco.specs.verdict import Unknown

    return isinstance(claim.verdict, Unknown)


def _lines(family: Family, tried: Attempt | Rejection, witnesses: bool) -> Iterator[str]:
    if isinstance(tried, Rejection):
        yield f"Group {tried.index}: REJECTED {tried.code} in {tried.phase}: {tried.detail}\n"
        return
    from unco.compiler.examples import outcome_text

    names = tried.group.instance.names
    yield f"Group {tried.group.index}: {outcome_text(family, tried.group.outcome, names)} (of {', '.join(names)})"
    yield ""
    yield table(HEAD, (_row(family, claim) for claim in tried.proof.claims))
    yield ""
    yield from _examples(family, tried, witnesses)
    yield from _sufficient(family, tried)
    rejection = _rejection(family, tried)
    verdict = "ACCEPTED" if rejection is None else f"REJECTED {rejection.code}: {rejection.detail}"
    yield f"Group {tried.group.index}: {verdict}\n"


def _row(family: Family, claim: Claim) -> tuple[str, ...]:
    from unco.specs.verdict import Unknown

    roles = {role.id: role.name for role in family.roles}
    verdict = claim.verdict
    name = type(verdict).__name__ + ("" if claim.required or not _open(claim) else " (not required)")
    engine = "" if isinstance(verdict, Unknown) else verdict.engine.value
    flip = "" if isinstance(verdict, Unknown) or verdict.witness is None else verdict.witness.flip.value
    return claim.name.value, roles.get(claim.subject, claim.subject), name, engine, flip, f"{verdict.rlimit:,}"


def _open(claim: Claim) -> bool:
    from unco.specs.verdict import Proved

    return not isinstance(claim.verdict, Proved)


def _examples(family: Family, tried: Attempt, witnesses: bool) -> Iterator[str]:
    """What shows the claims: those that are not Proved, or all."""
    from unco.compiler.examples import example

    claims = [claim for claim in tried.proof.claims if witnesses or _open(claim)]
    for claim in claims:
        first, *further = example(family, tried.group, claim).split("\n")
        yield f"- {claim.statement}: {type(claim.verdict).__name__}" + (f": {first}" if first else "")
        yield from (f"    {line}" for line in further)
    if claims:
        yield ""


def _sufficient(family: Family, tried: Attempt) -> Iterator[str]:
    from unco.specs.wording import attribute_text

    if not tried.proof.sufficient:
        return
    yield f"Smallest sufficient cells: {len(tried.proof.sufficient)}"
    for cell in tried.proof.sufficient:
        name = tried.group.instance.names[cell.candidate]
        member = f" {cell.member}" if cell.member else ""
        yield f"  {name}: {attribute_text(family.attribute_by_id[cell.attribute], cell.context)}{member}"
    yield ""


def _plain(family: Family, tried: Sequence[Attempt | Rejection]) -> dict[str, Any]:
    groups = [_plain_group(family, each) for each in tried]
    accepted = all(group["accepted"] for group in groups)
    return {"specification": family.name, "digest": family.digest, "accepted": accepted, "groups": groups}


def _plain_group(family: Family, tried: Attempt | Rejection) -> dict[str, Any]:
    rejection = _rejection(family, tried)
    plain = {"accepted": rejection is None, "rejection": None if rejection is None else _plain_rejection(rejection)}
    if isinstance(tried, Rejection):
        return {"index": tried.index, **plain}
    from unco.compiler.examples import example
    from unco.specs.stored import store_claim, store_group

    return {
        "index": tried.group.index,
        **plain,
        "group": store_group(tried.group),
        "claims": [
            {
                **store_claim(each),
                "resources": each.verdict.rlimit,
                "example": example(family, tried.group, each),
            }
            for each in tried.proof.claims
        ],
        "necessary_roles": list(tried.proof.necessary_roles),
        "smallest_sufficient_cells": [list(cell) for cell in tried.proof.sufficient],
    }


def _plain_rejection(rejection: Rejection) -> dict[str, Any]:
    return {"phase": rejection.phase, "code": rejection.code, "detail": rejection.detail}
