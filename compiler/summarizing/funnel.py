"""The funnel: how many candidates came to each stage and what was rejected there, as in Table 5 of the paper.

A candidate is a specification until it is checked, and a candidate group after that. Specifications that an LLM drafted
and those of the grammar are never counted together: the run tells which is which, else the drafts do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unco.compiler.drafting.origin import AUTHOR
from unco.compiler.guesses.interval import wilson
from unco.compiler.summarizing.rows import Draft, Manifest, Rejected
from unco.specs.errors import UsageError

STAGES = {
    "specification": ("draft", "check"),
    "logic": ("instantiate", "prove"),
    "rendering and validation": ("render", "validate", "perturb"),
}
"""The stages of the paper, each with its phases."""
SPECIFICATION = "specification"
ORIGINS = ("grammar", "llm", AUTHOR)
"""Who wrote the specifications: the grammar, an LLM, or somebody of whom nothing is told."""


@dataclass(frozen=True)
class Stage:
    """Of a stage: what came to it, and what it rejected, by phase and code."""

    name: str
    candidates: int
    codes: Mapping[tuple[str, str], int]

    @property
    def rejected(self) -> int:
        return sum(self.codes.values())

    @property
    def interval(self) -> tuple[str, str]:
        """The 95% Wilson interval of the share that is rejected."""
        return wilson(self.rejected, self.candidates)


@dataclass(frozen=True)
class Funnel:
    """Of the specifications of one origin."""

    by: str
    stages: tuple[Stage, ...]
    retained: int
    """Groups that passed all stages."""
    repaired: int = 0
    """Specifications that stand after one repair."""
    unbuilt: int = 0
    """Specifications that were kept, and are not in this run as they were drafted."""
    drafts_told: bool = False
    """Whether it is known how many specifications were drafted, and what was rejected of them."""

    @property
    def candidates(self) -> int:
        """Every candidate: specifications that were rejected, and candidate groups of the others."""
        return self.retained + sum(stage.rejected for stage in self.stages)

    @property
    def interval(self) -> tuple[str, str]:
        """The 95% Wilson interval of the share that is retained."""
        return wilson(self.retained, self.candidates)

    def as_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "by": self.by,
            "candidates": self.candidates,
            "stages": [_stage_as_json(stage) for stage in self.stages],
            "retained": self.retained,
            "interval": list(self.interval),
            "repaired": self.repaired,
            "unbuilt": self.unbuilt,
            "drafts_told": self.drafts_told,
        }


def _stage_as_json(stage: Stage) -> dict[str, Any]:
    codes = [{"phase": phase, "code": code, "rejected": many} for (phase, code), many in stage.codes.items()]
    counts = {"candidates": stage.candidates, "rejected": stage.rejected, "interval": list(stage.interval)}
    return {"stage": stage.name, **counts, "codes": codes}


def funnels(drafts: Sequence[Draft], manifest: Manifest, rejections: Iterable[Rejected]) -> tuple[Funnel, ...]:
    """One of each origin that occurs. UsageError where the drafts and the run tell of different drafters."""
    specifications, origin = manifest.specifications, _origins(drafts, manifest)
    lost: dict[str, Counter[tuple[str, str]]] = {by: Counter() for by in ORIGINS}
    for draft in drafts:
        if not draft.kept:
            lost[draft.by][draft.phase, draft.code] += 1
    for each in rejections:
        lost[origin.get(each.specification, "author")][each.phase, each.code] += 1
    found = []
    for by in ORIGINS:
        built = [about.retained for name, about in specifications.items() if origin[name] == by]
        own = [draft for draft in drafts if draft.by == by]
        if built or own:
            names = {name for name in specifications if origin[name] == by}
            found.append(_funnel(by, own, built, lost[by], names))
    return tuple(found)


def _origins(drafts: Sequence[Draft], manifest: Manifest) -> dict[str, str]:
    """Who wrote each specification of the run."""
    told = {each.name: each.by for each in drafts if each.kept and each.name in manifest.specifications}
    drafters = {each.by for each in drafts}
    for name, by in manifest.drafted.items():
        found = told.get(name, "nobody" if by in drafters else by)
        if by not in (AUTHOR, found):
            raise UsageError(
                f"expected the drafts of this run, with {name} drafted by {by}; found it drafted by {found}; "
                "give the folder that it was built from as --drafts, or none"
            )
    return dict.fromkeys(manifest.specifications, AUTHOR) | told | manifest.drafted


def _funnel(
    by: str, drafts: Sequence[Draft], built: Sequence[int], lost: Counter[tuple[str, str]], names: set[str]
) -> Funnel:
    kept = [draft for draft in drafts if draft.kept]
    repaired, unbuilt = sum(draft.repaired for draft in kept), sum(draft.name not in names for draft in kept)
    stages = tuple(_stages(len(drafts) or len(built), sum(built), lost))
    return Funnel(by, stages, sum(built), repaired, unbuilt, drafts_told=bool(drafts))


def _stages(specifications: int, retained: int, lost: Counter[tuple[str, str]]) -> Iterator[Stage]:
    """The first stage counts specifications, the others what is left of the candidate groups."""
    by_stage = {name: {key: lost[key] for key in sorted(lost) if key[0] in phases} for name, phases in STAGES.items()}
    strange = sorted({phase for phase, _ in lost} - {phase for phases in STAGES.values() for phase in phases})
    if strange:
        raise UsageError(f"a rejection by the phase {strange[0]!r}: expected a phase of this version")
    left = retained + sum(sum(codes.values()) for name, codes in by_stage.items() if name != SPECIFICATION)
    for name, codes in by_stage.items():
        stage = Stage(name, specifications if name == SPECIFICATION else left, codes)
        yield stage
        left -= 0 if name == SPECIFICATION else stage.rejected
