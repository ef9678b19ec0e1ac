"""build: checked families to verified groups with their tasks and proofs, in memory."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from unco.compiler.executor import Executor, SerialExecutor
from unco.compiler.export import Source, export
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.pipeline import Retained, run_chunk
from unco.compiler.prove import ProveOptions
from unco.compiler.prove_families import ProvedFamily, prove_families
from unco.compiler.running.conversation import LlmOptions
from unco.compiler.running.disk import disk, require_free
from unco.compiler.running.identity import stored_llms, stored_options
from unco.compiler.running.record import record
from unco.compiler.running.shares import Shares, counting
from unco.specs.errors import UsageError
from unco.specs.family import Family
from unco.specs.rejection import Rejection
from unco.templates.loader import fill

Progress = Callable[[str, int, int], None]
"""Told the specification, how many groups are retained, and how many are wanted."""


@dataclass(frozen=True)
class BuildOptions:
    """How many groups of each family; how they are drawn and proved."""

    groups: int = 1
    instantiate: InstantiateOptions = field(default_factory=InstantiateOptions)
    prove: ProveOptions = field(default_factory=ProveOptions)
    llms: LlmOptions = field(default_factory=LlmOptions)
    """Which LLMs a `run` asks; a build in memory asks none."""
    drafted: Mapping[str, str] = field(default_factory=dict)
    """Who drafted a specification, by its name, where its file tells: `grammar`, `llm` or `author`."""

    def require_groups(self) -> None:
        """UsageError where no group is asked for."""
        if self.groups < 1:
            raise UsageError(f"{self.groups} groups were asked for; ask for at least one")

    @property
    def origins(self) -> dict[str, Any]:
        """Who drafted what, as the manifest tells it; nothing where no file tells."""
        return {"drafted": dict(sorted(self.drafted.items()))} if self.drafted else {}

    @property
    def stored(self) -> dict[str, Any]:
        """How groups are drawn and proved, as the manifest tells it."""
        drawn = {**stored_options(self.instantiate), **stored_options(self.prove)}
        return {**drawn, **stored_llms(self.llms), **self.origins}


@dataclass(frozen=True)
class Built:
    """What a build made: each family that was asked for, with what became of its candidate groups, in order."""

    outcomes: tuple[tuple[Family, tuple[Retained | Rejection, ...]], ...]
    proved: tuple[ProvedFamily, ...] = ()
    """The proof of each family, in order."""

    @cached_property
    def retained(self) -> tuple[tuple[Family, Retained], ...]:
        """The groups that passed every phase."""
        return tuple((family, each) for family, made in self.outcomes for each in made if isinstance(each, Retained))

    @cached_property
    def rejections(self) -> tuple[Rejection, ...]:
        """Why the others did not."""
        return tuple(each for _, made in self.outcomes for each in made if isinstance(each, Rejection))

    @property
    def by_phase(self) -> dict[str, int]:
        """How many candidate groups each phase rejected."""
        return dict(Counter(rejection.phase for rejection in self.rejections))

    def _repr_html_(self) -> str:
        """What was retained and what was rejected, for a notebook."""
        return fill("show/built.html.j2", retained=len(self.retained), rejections=self.rejections)


def build(
    families: Sequence[Family],
    options: BuildOptions,
    executor: Executor | None = None,
    progress: Progress = lambda name, done, wanted: None,
) -> Built:
    """Groups of every family, the same whatever runs them; `run` makes the same in a folder, and can be continued."""
    options.require_groups()
    executor = executor or SerialExecutor()
    proved = prove_families(families, options.prove, executor)
    drawn, proofs = (options.instantiate, options.prove), [each.proof for each in proved]
    shares = Shares(families, options.groups, drawn, proofs=proofs)
    made: list[list[Retained | Rejection]] = [[] for _ in families]
    for share, outcomes in shares.done_by(executor, run_chunk, is_group, was_drawn):
        made[share.family] += outcomes
        done = min(shares.standings[share.family].retained, options.groups)
        progress(families[share.family].name, done, options.groups)
    counted = (tuple(counting(each, is_group, options.groups)) for each in made)
    return Built(tuple(zip(families, counted, strict=True)), proved)


def is_group(outcome: Retained | Rejection) -> bool:
    """Whether a candidate group was retained."""
    return isinstance(outcome, Retained)


def was_drawn(outcome: Retained | Rejection) -> bool:
    """Whether a candidate group was drawn, retained or not."""
    return isinstance(outcome, Retained) or outcome.phase != "instantiate"


def write(built: Built, folder: Path, options: BuildOptions) -> None:
    """Write a build into a folder that does not exist yet or is empty: all of it, or nothing."""
    require_free(folder)
    families = tuple(family for family, _ in built.outcomes)
    source = Source(
        families,
        lambda number: (record(families[number], outcome) for outcome in built.outcomes[number][1]),
        options.groups,
        options.stored,
        tuple(each.settled for each in built.proved),
        lambda number: built.proved[number].files,
    )
    with disk(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            os.chmod(staging, 0o755)
            export(source, staging)
            os.replace(staging, folder)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            raise
