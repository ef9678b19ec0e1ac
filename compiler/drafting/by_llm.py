"""The drafter that asks an LLM. What it returns is data: read by program, checked, mended once, else rejected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from random import Random
from typing import ClassVar

from unco.compiler.draft import RoundError
from unco.compiler.drafting.candidate import Candidate
from unco.compiler.drafting.ledger import Ledger
from unco.compiler.drafting.options import DraftOptions
from unco.compiler.drafting.prompts import Wish, repair, request
from unco.compiler.drafting.reply import specification_of
from unco.compiler.drafting.standing import Standing, standing
from unco.compiler.executor import Executor, SerialExecutor
from unco.llm.desk import Line
from unco.llm.protocol import Fault, LlmError, Outcome, Reply, Request, Sampling
from unco.specs.document import Specification
from unco.specs.errors import SpecificationError
from unco.specs.rejection import Rejection

HOPELESS = 3
"""After so many candidates without any draft, good or not, no more are asked for."""


@dataclass(frozen=True)
class Attempt:
    """One request with what came of it."""

    wish: Wish
    request: Request
    outcome: Outcome
    specification: Specification | None = None
    verdict: Standing | None = None
    copied: Rejection | None = None

    @property
    def rejection(self) -> Rejection | None:
        """Why nothing is kept of it; None where it stands."""
        number = self.wish.number
        if isinstance(self.outcome, Fault):
            return Rejection("draft", self.outcome.code, self.outcome.detail, "", number)
        if self.copied is not None or self.verdict is None:
            return self.copied
        return self.verdict.rejection("" if self.specification is None else self.specification.name, number)

    @property
    def can_be_mended(self) -> bool:
        """Whether the LLM gave a draft that does not stand."""
        return self.copied is None and self.verdict is not None and not self.verdict.stands


@dataclass(frozen=True)
class LlmDrafter:
    """Asks for what is due next, several at once; with `source`, for specifications of an author's text."""

    line: Line
    at_once: int
    sampling: Sampling
    options: DraftOptions = field(default_factory=DraftOptions)
    executor: Executor = field(default_factory=SerialExecutor)
    source: str = ""

    tries: ClassVar[int] = 4
    spare: ClassVar[int] = 4

    @property
    def size(self) -> int:
        """As many as may be asked at once."""
        return self.at_once

    def round(self, ledger: Ledger, many: int) -> list[Candidate]:
        """So many candidates, settled; fewer, and then none, where no draft ever came. Raises RoundError where the LLM
        cannot be asked any more.
        """
        wishes = [self._wish(ledger) for _ in range(many if ledger.heard else min(many, HOPELESS - ledger.unheard))]
        recent = tuple(ledger.recent)
        seen: set[str] = set()
        first, ended = self._judged(ledger, wishes, [request(each, recent, self.sampling) for each in wishes], seen)
        failing = [each for each in first if each.can_be_mended and ended is None]
        for each in failing:
            ledger.forget(each.specification)
        again, late = self._judged(ledger, [each.wish for each in failing], map(_repair, failing), seen)
        mended = {each.wish.number: each for each in again}
        sure = takewhile(lambda each: not each.can_be_mended or each.wish.number in mended, first)
        made = [self._settled(ledger, each, mended.get(each.wish.number)) for each in sure]
        if (error := ended or late) is not None:
            raise RoundError(error, made)
        return made

    def _wish(self, ledger: Ledger) -> Wish:
        """What is due next, counted as if it were kept."""
        number = ledger.number
        ledger.number += 1
        if self.source:
            return Wish(number, source=self.source)
        rng = Random(f"draft/{self.options.seed}/{number}")
        domain, operation = ledger.coverage.least(self.options.pairs, rng)
        ledger.coverage.count(domain, operation)
        return Wish(number, domain, operation)

    def _judged(
        self, ledger: Ledger, wishes: Iterable[Wish], requests: Iterable[Request], seen: set[str]
    ) -> tuple[list[Attempt], LlmError | None]:
        """What comes of these requests, in order: asked, read, held against all others, checked. Where one ends the
        run, what comes of those before it, and the error.
        """
        asked, ended = self._asked(wishes, requests, seen)
        read = [self._read(ledger, each) for each in asked]
        fresh = [each.specification for each in read if each.specification is not None and each.copied is None]
        check = partial(standing, options=self.options.check, by_llm=True)
        verdicts = iter(list(self.executor.map(check, fresh)) if fresh else [])
        return [_with_verdict(each, verdicts) for each in read], ended

    def _asked(
        self, wishes: Iterable[Wish], requests: Iterable[Request], seen: set[str]
    ) -> tuple[list[Attempt], LlmError | None]:
        asked: list[Attempt] = []
        ended: LlmError | None = None
        answered = self.line.ask_all(requests, self.at_once, seen)
        try:
            for wish, pair in zip(wishes, answered, strict=True):
                asked.append(Attempt(wish, *pair))
        except LlmError as error:
            ended = error
        for place, each in enumerate(asked):
            if isinstance(each.outcome, Fault) and each.outcome.ends_run:
                return asked[:place], each.outcome.error()
        return asked, ended

    def _read(self, ledger: Ledger, attempt: Attempt) -> Attempt:
        """The specification in a reply, if it is one, and whether it is a copy."""
        wish = attempt.wish
        if isinstance(attempt.outcome, Fault):
            return attempt
        rng = Random(f"draft/{self.options.seed}/{wish.number}/names")
        try:
            found = specification_of(attempt.outcome.content, rng, wish.domain, wish.operation)
        except SpecificationError as error:
            return replace(attempt, verdict=Standing(False, error.diagnostics, error.text or ""))
        return replace(attempt, specification=found, copied=ledger.enter(found, wish.number))

    def _settled(self, ledger: Ledger, first: Attempt, second: Attempt | None) -> Candidate:
        """The candidate that the attempts come to."""
        last = first if second is None or isinstance(second.outcome, Fault) else second
        found, verdicts = last.specification, [each.verdict for each in (first, second) if each and each.verdict]
        domain, operation = last.wish.domain, last.wish.operation
        if not domain:
            domain, operation = (found.domain, found.calculation.operation) if found else ("", "")
            ledger.coverage.count(domain, operation)
        candidate = Candidate(
            last.wish.number,
            "llm",
            domain,
            operation,
            repaired=second is not None,
            specification=found,
            rejection=_rejection(last, second),
            told=tuple(each.told for each in verdicts if each.told),
            text=verdicts[-1].text if verdicts and last.rejection else "",
        )
        return ledger.settle(candidate)


def _rejection(last: Attempt, second: Attempt | None) -> Rejection | None:
    """Why nothing is kept: by the last draft, and that its repair brought none, where it did not."""
    rejection = last.rejection
    if rejection is None or second is None or not isinstance(second.outcome, Fault):
        return rejection
    nothing = f"the repair brought nothing ({second.outcome.code}: {second.outcome.detail})"
    return replace(rejection, detail=f"{rejection.detail}; {nothing}")


def _with_verdict(attempt: Attempt, verdicts: Iterator[Standing]) -> Attempt:
    is_checked = attempt.specification is not None and attempt.copied is None
    return replace(attempt, verdict=next(verdicts)) if is_checked else attempt


def _repair(failed: Attempt) -> Request:
    assert failed.verdict is not None
    assert isinstance(failed.outcome, Reply)
    form = "YAML" if failed.specification is not None else "JSON"
    return repair(failed.request, failed.outcome.text, failed.verdict.told, form, failed.wish)
