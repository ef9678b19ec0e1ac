"""draft: specifications that stand, spread over domains and operations, none nearly another's copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from unco.compiler.drafting.candidate import Candidate
from unco.compiler.drafting.ledger import Ledger
from unco.llm.protocol import LlmError


class Drafter(Protocol):
    """The grammar or an LLM: makes some candidates, holds each against the ledger, checks them, and settles them."""

    @property
    def size(self) -> int:
        """The most candidates of a round."""

    @property
    def tries(self) -> int:
        """At most so many candidates are made for each specification that is wanted, and `spare` more."""

    @property
    def spare(self) -> int: ...

    def round(self, ledger: Ledger, many: int) -> list[Candidate]: ...


class RoundError(LlmError):
    """No LLM can be asked any more, in the middle of a round; `made` are its first candidates, which are settled."""

    def __init__(self, error: LlmError, made: Sequence[Candidate]) -> None:
        super().__init__(error.code, error.words, by_settings=error.by_settings)
        self.made = tuple(made)


def draft(count: int, drafter: Drafter, ledger: Ledger) -> Iterator[tuple[Candidate, ...]]:
    """Candidates in rounds, in order, until so many stand in all or too many were tried.

    What comes depends on the drafter's options and on the ledger alone: a draft that is stopped between two rounds
    goes on with a ledger of what it made. Raises RoundError where an LLM cannot be asked any more.
    """
    while ledger.kept < count and ledger.tried < count * drafter.tries + drafter.spare:
        many = max(min(drafter.size, count - ledger.kept), ledger.unfinished)
        ledger.unfinished = 0
        made = drafter.round(ledger, many)
        if not made:
            return
        yield tuple(made)
