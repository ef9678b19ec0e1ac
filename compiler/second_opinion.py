"""second_opinion: every UNSAT claim of a dataset, put to another solver; its proofs kept, and how much they trust."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from unco.compiler.executor import Executor, SerialExecutor
from unco.compiler.running.disk import MANIFEST, disk
from unco.solver.smtlib.engines import Engine, Opinion, Outcome, engine_named
from unco.specs.errors import UsageError

Told = Callable[[int, int], None]
"""How many questions are done, of how many."""
CHUNK = 4
"""So many questions go out together."""


@dataclass(frozen=True)
class Asked:
    """A stored question: where it stands, what it shows, and its text, None where there is none."""

    specification: str
    claim: str
    text: str | None

    @property
    def hash(self) -> str:
        """The SHA-256 of the text."""
        return hashlib.sha256((self.text or "").encode()).hexdigest()


@dataclass(frozen=True)
class Answered:
    """A question with the opinion on it."""

    asked: Asked
    opinion: Opinion

    @property
    def is_fault(self) -> bool:
        """Whether the dataset cannot stand: a claim fails by this solver, or its text cannot be read."""
        return self.opinion.outcome in (Outcome.SATISFIABLE, Outcome.REFUSED)


@dataclass(frozen=True)
class Options:
    """Which solver, its budget for each question in its own resource units, and where its proofs go."""

    solver: str
    rlimit: int | None = None
    proofs: Path | None = None


def second_opinion(
    folder: Path,
    options: Options,
    executor: Executor | None = None,
    told: Told = lambda done, wanted: None,
) -> tuple[Answered, ...]:
    """An opinion on every stored question, in the order of the dataset.

    Raises UsageError where there is no dataset, the solver is not there, or it gives no proofs that could be kept.
    """
    engine = engine_named(options.solver)
    if options.proofs is not None and not engine.ending:
        raise UsageError(f"{options.solver} gives no proofs here; leave out --proofs, or choose --solver cvc5")
    with disk(folder):
        questions = tuple(asked_in(folder))
    work = partial(_answer, name=options.solver, rlimit=options.rlimit or engine.rlimit)
    done: list[Answered] = []
    chunks = [questions[start : start + CHUNK] for start in range(0, len(questions), CHUNK)]
    for answers in (executor or SerialExecutor()).map(work, chunks):
        done += answers
        _keep(answers, engine, options.proofs)
        told(len(done), len(questions))
    return tuple(done)


def _answer(questions: Sequence[Asked], name: str, rlimit: int) -> tuple[Answered, ...]:
    engine = engine_named(name)
    missing = Opinion(Outcome.REFUSED, "the dataset has no such text")
    return tuple(
        Answered(each, missing if each.text is None else engine.decide(each.text, rlimit)) for each in questions
    )


def _keep(answers: Sequence[Answered], engine: Engine, proofs: Path | None) -> None:
    """Write the proofs into a folder, each named by the hash of its question."""
    if proofs is None:
        return
    with disk(proofs):
        proofs.mkdir(parents=True, exist_ok=True)
        for each in answers:
            if each.opinion.proof:
                (proofs / f"{each.asked.hash}{engine.ending}").write_text(each.opinion.proof, encoding="utf-8")


# What is asked -------------------------------------------------------------------------------------------------------


def asked_in(folder: Path) -> Iterator[Asked]:
    """The stored questions of a dataset: those of the proofs of its families, then those of its rejections."""
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"{folder} holds no finished dataset: there is no {MANIFEST}")
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        for name, about in manifest["specifications"].items():
            yield from _of_family(folder, name, about["digest"])
        if (folder / "rejections.jsonl").is_file():
            yield from _of_rejections(folder)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{folder} cannot be read: {error!r}; check it first with: unco verify {folder}") from error


def _of_family(folder: Path, name: str, digest: str) -> Iterator[Asked]:
    path = folder / "proofs" / f"{digest}.json"
    for claim in json.loads(path.read_bytes())["claims"] if path.is_file() else ():
        if claim["query"] is not None:
            about = (claim["claim"], claim["subject"], claim["form"], claim["scope"])
            yield Asked(name, ", ".join(filter(None, about)), _text(folder / "queries" / f"{claim['query']}.smt2"))


def _of_rejections(folder: Path) -> Iterator[Asked]:
    with (folder / "rejections.jsonl").open("rb") as lines:
        for line in map(json.loads, lines):
            query = (line["certificate"] or {}).get("query")
            if query is not None:
                yield Asked(line["specification"], f"candidate group {line['index']}, rejected", query)


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


# What it comes to ----------------------------------------------------------------------------------------------------


def summary(answered: Sequence[Answered], options: Options) -> Mapping[str, Any]:
    """Counts by outcome, the share of trusted steps, and each question that was not re-proved or trusts something."""
    outcomes = Counter(each.opinion.outcome.value for each in answered)
    steps, trusted = (sum(getattr(each.opinion, name) for each in answered) for name in ("steps", "trusted"))
    return {
        "solver": options.solver,
        "version": engine_named(options.solver).require(),
        "rlimit": options.rlimit or engine_named(options.solver).rlimit,
        "questions": len(answered),
        "outcomes": {each.value: outcomes[each.value] for each in Outcome},
        "faults": sum(each.is_fault for each in answered),
        "steps": steps,
        "trusted": trusted,
        "answers": [_stored(each) for each in answered],
    }


def _stored(each: Answered) -> Mapping[str, Any]:
    opinion = each.opinion
    return {
        "specification": each.asked.specification,
        "claim": each.asked.claim,
        "query": each.asked.hash,
        "outcome": opinion.outcome.value,
        "why": opinion.why,
        "steps": opinion.steps,
        "trusted": opinion.trusted,
    }
