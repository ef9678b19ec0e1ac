"""The embedded drafter: specifications composed of scenario skeletons, without any LLM."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import ClassVar

from unco.compiler.drafting.candidate import Candidate
from unco.compiler.drafting.compose import compose
from unco.compiler.drafting.ledger import Ledger
from unco.compiler.drafting.options import DraftOptions, require_known
from unco.compiler.drafting.skeleton import DOMAINS, Skeleton, skeletons
from unco.compiler.drafting.standing import Standing, standing
from unco.compiler.executor import Executor, SerialExecutor
from unco.specs.document import Specification

TITLES = 12
"""So often a specification is composed anew for a title that no other has."""


@dataclass(frozen=True)
class GrammarDrafter:
    """Composes what is due next; the check runs wherever the executor does.

    Raises UsageError for a domain that the grammar does not have.
    """

    options: DraftOptions = field(default_factory=DraftOptions)
    executor: Executor = field(default_factory=SerialExecutor)

    size: ClassVar[int] = 56
    tries: ClassVar[int] = 4
    spare: ClassVar[int] = 40

    def __post_init__(self) -> None:
        require_known(self.options.domains, DOMAINS, "a domain of the grammar")

    def round(self, ledger: Ledger, many: int) -> list[Candidate]:
        """So many candidates, settled; none where nothing can be composed."""
        composed = [each for each in (self._composed(ledger) for _ in range(many)) if each is not None]
        fresh = [each.specification for each in composed if each.kept and each.specification is not None]
        found = list(self.executor.map(partial(standing, options=self.options.check), fresh)) if fresh else []
        verdicts = iter(found)
        return [ledger.settle(_judged(each, next(verdicts)) if each.kept else each) for each in composed]

    def _composed(self, ledger: Ledger) -> Candidate | None:
        """The next specification, counted as if it were kept, or rejected as a copy; None where nothing is due."""
        number = ledger.number
        rng = Random(f"draft/{self.options.seed}/{number}")
        due = ledger.coverage.due(skeletons(), self.options.pairs, rng)
        if due is None:
            return None
        skeleton, operation = due
        ledger.number += 1
        ledger.coverage.count(skeleton.domain, operation, skeleton.name)
        made = _with_a_rare_title(skeleton, operation, rng, ledger)
        copied = ledger.enter(made, number)
        return Candidate(number, "grammar", skeleton.domain, operation, skeleton.name, False, made, copied)


def _with_a_rare_title(skeleton: Skeleton, operation: str, rng: Random, ledger: Ledger) -> Specification:
    """The first of some compositions with the title that was used least."""
    made = compose(skeleton, operation, rng)
    for _ in range(TITLES):
        if not ledger.titles[made.title]:
            break
        other = compose(skeleton, operation, rng)
        made = min(made, other, key=lambda each: ledger.titles[each.title])
    return made


def _judged(candidate: Candidate, verdict: Standing) -> Candidate:
    assert candidate.specification is not None
    rejection = verdict.rejection(candidate.specification.name, candidate.number)
    return candidate if rejection is None else replace(candidate, rejection=rejection, told=(verdict.told,))
