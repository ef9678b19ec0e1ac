"""draft: specifications by the scenario grammar, spread over domains and operations, none nearly another's copy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from unco.compiler.check import Checked, CheckOptions, check
from unco.compiler.drafting.compose import compose
from unco.compiler.drafting.coverage import Coverage
from unco.compiler.drafting.near import Print, near_duplicate, print_of
from unco.compiler.drafting.skeleton import DOMAINS, OPERATIONS, skeletons
from unco.compiler.executor import Executor, SerialExecutor
from unco.specs.document import Specification
from unco.specs.errors import Severity, UsageError
from unco.specs.rejection import Rejection

BATCH = 28
"""So many are composed before they are checked together: the same whatever runs the checks."""
TRIES, SPARE = 4, 40
"""At most TRIES are composed for each that is wanted, and SPARE more."""


@dataclass(frozen=True)
class DraftOptions:
    """How many specifications, the seed, the domains and operations that may be used, and how they are checked."""

    count: int
    seed: int = 0
    domains: tuple[str, ...] = DOMAINS
    operations: tuple[str, ...] = OPERATIONS
    check: CheckOptions = field(default_factory=CheckOptions)


@dataclass(frozen=True)
class Drafted:
    """A specification that stands, and where it comes from."""

    specification: Specification
    checked: Checked
    scenario: str
    """The skeleton that it was composed of."""


def draft(
    options: DraftOptions, earlier: Iterable[Specification] = (), executor: Executor | None = None
) -> Iterator[Drafted | Rejection]:
    """So many specifications that stand, and between them, in order, what was rejected on the way.

    The same for the same options and earlier specifications, whatever runs the checks. It ends early where nothing new
    can be composed. Raises UsageError for a domain or operation that the grammar does not have.
    """
    _require_known(options)
    drafter = _Drafter(options, earlier)
    executor = executor or SerialExecutor()
    while drafter.wants:
        batch = [each for each in (drafter.next() for _ in range(BATCH)) if each is not None]
        if not batch:
            return
        composed = [each for each in batch if isinstance(each, _Composed)]
        checked = executor.map(partial(check, options=options.check), [each.specification for each in composed])
        for each in batch:
            outcome = each if isinstance(each, Rejection) else drafter.judged(each, next(checked))
            if drafter.wants:
                drafter.kept += isinstance(outcome, Drafted)
                yield outcome


def _require_known(options: DraftOptions) -> None:
    for found, known, what in (
        (options.domains, DOMAINS, "a domain of the grammar"), (options.operations, OPERATIONS, "an operation"),
    ):  # fmt: skip
        for each in found:
            if each not in known:
                raise UsageError(f"expected {what}, one of {', '.join(known)}; found {each!r}")


def copy_among(specification: Specification, number: int, earlier: Sequence[Print]) -> Rejection | None:
    """The rejection of a specification that is nearly a copy of an earlier one; None where it is not."""
    copied = near_duplicate(print_of(specification), earlier)
    if copied is None:
        return None
    detail = f"it shares most of its words, or its structure and half of its words, with {copied.name}"
    return Rejection("draft", "UNC316", detail, specification.name, number)


@dataclass(frozen=True)
class _Composed:
    number: int
    specification: Specification
    scenario: str


class _Drafter:
    def __init__(self, options: DraftOptions, earlier: Iterable[Specification]) -> None:
        self.options = options
        self.number = 0
        self.kept = 0
        self.prints: list[Print] = []
        self.coverage = Coverage(tuple(each for each in skeletons() if each.domain in options.domains))
        for each in earlier:
            self.prints.append(print_of(each))
            self.coverage.count(each.domain, each.calculation.operation)

    @property
    def wants(self) -> bool:
        return self.kept < self.options.count

    def next(self) -> _Composed | Rejection | None:
        """The next specification, counted as if it were kept; None where no more is tried."""
        if self.number >= self.options.count * TRIES + SPARE:
            return None
        rng = Random(f"draft/{self.options.seed}/{self.number}")
        others = {(domain, each) for domain in DOMAINS for each in OPERATIONS if each not in self.options.operations}
        due = self.coverage.due(rng, others)
        if due is None:
            return None
        skeleton, operation = due
        number, self.number = self.number, self.number + 1
        specification = compose(skeleton, operation, rng)
        self.coverage.count(skeleton.domain, operation, skeleton.name)
        copied = copy_among(specification, number, self.prints)
        if copied is not None:
            return copied
        self.prints.append(print_of(specification))
        return _Composed(number, specification, skeleton.name)

    def judged(self, composed: _Composed, checked: Checked) -> Drafted | Rejection:
        """What the check made of it; where it does not stand, it no longer counts as used."""
        specification = composed.specification
        if checked.family is not None:
            return Drafted(specification, checked, composed.scenario)
        self.coverage.count(specification.domain, specification.calculation.operation, composed.scenario, -1)
        first = next(each for each in checked.diagnostics if each.severity is Severity.ERROR)
        detail = f"{first.message}: found {first.found}, expected {first.expected}"
        return Rejection("check", first.code, detail, specification.name, composed.number)
