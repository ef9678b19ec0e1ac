"""What a draft is asked for: the same for every drafter."""

from __future__ import annotations

from dataclasses import dataclass, field

from unco.compiler.check import CheckOptions
from unco.compiler.drafting.skeleton import DOMAINS, OPERATIONS
from unco.specs.errors import UsageError


@dataclass(frozen=True)
class DraftOptions:
    """The seed, the domains and operations that may be used, and how specifications are checked."""

    seed: int = 0
    domains: tuple[str, ...] = DOMAINS
    operations: tuple[str, ...] = OPERATIONS
    check: CheckOptions = field(default_factory=CheckOptions)

    def __post_init__(self) -> None:
        require_known(self.operations, OPERATIONS, "an operation")

    @property
    def pairs(self) -> set[tuple[str, str]]:
        """Each domain with each operation."""
        return {(domain, operation) for domain in self.domains for operation in self.operations}


def require_known(found: tuple[str, ...], known: tuple[str, ...], what: str) -> None:
    """UsageError for what is not known."""
    for each in found:
        if each not in known:
            names = ", ".join(f"`{name}`" for name in known)
            raise UsageError(f"expected {what}, one of {names}; found `{each}`")
