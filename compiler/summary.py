"""summary: what a run came to: its funnel, what LLMs cost, its diversity, and what stands behind its groups."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unco.compiler.drafting.lines import LINES
from unco.compiler.family_files import SPECIFICATIONS
from unco.compiler.read_build import GROUPS, REJECTIONS, TASKS, read_build, unreadable
from unco.compiler.running.disk import MANIFEST, disk
from unco.compiler.summarizing.assurance import Assurance, assurance
from unco.compiler.summarizing.diversity import Diversity, diversity
from unco.compiler.summarizing.funnel import Funnel, funnels
from unco.compiler.summarizing.likeness import print_of_tree
from unco.compiler.summarizing.rows import Group, Manifest, Rejected, read_drafts, read_rows, read_whole
from unco.compiler.summarizing.wording import Wording, wording
from unco.llm.accounts import accounts_of
from unco.llm.budget import Account
from unco.specs.errors import Span, UsageError


@dataclass(frozen=True)
class Summary:
    """What a run came to. `as_json` is all of it as plain data, without times but those that LLMs took."""

    manifest: Manifest
    sha256: str
    """The hash of the manifest: it names every file of the dataset."""
    funnels: tuple[Funnel, ...]
    accounts: tuple[Account, ...]
    """What each LLM did; nothing where none was asked."""
    diversity: Diversity
    assurance: Assurance
    wording: Wording

    @property
    def retained(self) -> int:
        return sum(funnel.retained for funnel in self.funnels)

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "manifest_sha256": self.sha256,
            "versions": {"unco": self.manifest.unco, "python": self.manifest.python, "z3": self.manifest.z3},
            "seed": self.manifest.seed,
            "groups_per_specification": self.manifest.groups_per_specification,
            "retained": self.retained,
            "funnels": [funnel.as_json() for funnel in self.funnels],
            "llm": [_account_as_json(account) for account in self.accounts],
            "diversity": self.diversity.as_json(),
            "guess_ceiling": self.manifest.guess_ceiling["settings"],
            "tells": self.manifest.guess_ceiling["tells"],
            "wording": self.wording.as_json(),
            **self.assurance.as_json(),
        }


def summary(folder: Path, drafts: Path | None = None, checked: Mapping[str, Any] | None = None) -> Summary:
    """Of a finished run, and of the folder that its specifications were drafted in. `checked` is what `verify` gave.

    Raises UsageError where there is no such run or drafts, or the run was built of other drafts; SpecificationError
    (UNC702, UNC704) where a file does not read back.
    """
    folder, _ = read_build(folder)
    if drafts is not None and not (drafts / LINES).is_file():
        raise UsageError(f"{drafts} is not a folder that `unco draft` wrote: it has no {LINES}")
    with disk(folder):
        manifest = read_whole(folder / MANIFEST, Manifest)
        drafted = () if drafts is None else tuple(read_drafts(drafts / LINES))
        groups = tuple(read_rows(folder / GROUPS, Group))
        trees = [_tree(folder / SPECIFICATIONS / f"{each.digest}.json") for each in manifest.specifications.values()]
        roles = {tree["name"]: len(tree["roles"]) for tree in trees}
        return Summary(
            manifest,
            hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest(),
            funnels(drafted, manifest, read_rows(folder / REJECTIONS, Rejected)),
            tuple(each for place in (drafts, folder) if place is not None for each in accounts_of(place)),
            diversity(groups, [print_of_tree(tree) for tree in trees], drafted),
            assurance(groups, roles, manifest.specifications.values(), checked),
            wording(folder / TASKS),
        )


def _tree(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise unreadable(f"{type(error).__name__}: {error}", Span(str(path), 1, 1, 1, 1)) from None


def _account_as_json(account: Account) -> dict[str, Any]:
    return {
        "phase": account.phase,
        "task": account.task,
        "llm": account.model,
        "requests": account.requests,
        "calls": account.calls,
        "calls_of_unknown_usage": account.unknown,
        "prompt_tokens": account.usage.prompt,
        "completion_tokens": account.usage.completion,
        "money": f"{account.money} {account.currency}".strip(),
        "milliseconds": account.milliseconds,
        "faults": dict(sorted(account.faults.items())),
    }
