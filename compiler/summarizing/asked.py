"""What a build asked of LLMs, and how many groups kept the program's wording all the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unco.compiler.read_build import GROUPS
from unco.compiler.summarizing.rows import Row, read_rows
from unco.llm.accounts import accounts_of
from unco.llm.budget import Account


class _Reworded(Row):
    requests: int
    by_template: int


class _Group(Row):
    reworded: _Reworded | None = None


@dataclass(frozen=True)
class Asked:
    """Calls by phase and LLM; and of the retained groups that an LLM was to reword, how many it did not."""

    accounts: tuple[Account, ...]
    groups: int
    own: int
    """Groups in which every text is the program's own: the LLM's were refused, or there were none."""
    partly: int
    """Groups in which some texts are."""

    @property
    def warning(self) -> str:
        """That all was asked in vain; empty where it was not."""
        if not self.groups or self.own < self.groups:
            return ""
        codes = {code for account in self.accounts if account.phase == "render" for code in account.faults}
        why = f"the replies failed ({', '.join(sorted(codes))})" if codes else "none was faithful"
        return f"no text was reworded: {why}; all {self.groups:,} groups keep the program's wording"

    @property
    def words(self) -> str:
        """How many groups were reworded; empty where none was to be."""
        if not self.groups:
            return ""
        return (
            f"{self.groups:,} groups were to be reworded: {self.own:,} keep the program's wording, {self.partly:,} "
            "some of it, where the LLM's was refused or absent"
        )

    def as_json(self) -> dict[str, Any]:
        calls = [
            {
                "phase": each.phase,
                "task": each.task,
                "llm": each.model,
                "calls": each.calls,
                "failed": sum(each.faults.values()),
                "tokens": each.tokens,
            }
            for each in self.accounts
        ]
        return {"llms": calls, "reworded": {"groups": self.groups, "own_wording": self.own, "partly": self.partly}}

    @property
    def rows(self) -> Iterator[tuple[str, ...]]:
        """Phase, LLM, calls, failed calls, tokens."""
        for each in self.accounts:
            counts = (each.calls, sum(each.faults.values()), each.tokens)
            yield (each.phase, each.model, *(f"{many:,}" for many in counts))


def asked(folder: Path) -> Asked:
    """Of a finished build. SpecificationError (UNC702, UNC704) where a file does not read back."""
    found = [each.reworded for each in read_rows(folder / GROUPS, _Group) if each.reworded is not None]
    own = sum(each.by_template == each.requests for each in found)
    return Asked(tuple(accounts_of(folder)), len(found), own, sum(each.by_template > 0 for each in found) - own)
