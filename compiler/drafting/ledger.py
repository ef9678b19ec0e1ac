"""The ledger of a draft: what was drafted before, so that the next is due and no copy."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from unco.compiler.drafting.candidate import Candidate
from unco.compiler.drafting.coverage import Coverage
from unco.compiler.drafting.near import Print, near_duplicate, print_of
from unco.specs.document import Specification
from unco.specs.rejection import Rejection

COPY = "UNC316"
USELESS = "UNC8"
"""So the codes begin of what an LLM or its server did in place of a draft."""
RECENT = 12
"""So many recent tasks are told of."""


class Recent(NamedTuple):
    """What is told of a recent task."""

    title: str
    domain: str
    operation: str


@dataclass
class Ledger:
    """Counts and prints of what was drafted; a candidate counts as kept until it is settled."""

    coverage: Coverage = field(default_factory=Coverage)
    prints: list[Print] = field(default_factory=list)
    recent: deque[Recent] = field(default_factory=lambda: deque(maxlen=RECENT))
    titles: Counter[str] = field(default_factory=Counter)
    """How many bear each title."""
    number: int = 0
    """Of the next candidate."""
    kept: int = 0
    unfinished: int = 0
    """So many candidates of the next round were settled before, and are settled again."""
    excused: int = 0
    """Candidates that got no draft from an earlier drafter: they do not count as tried."""
    heard: bool = False
    """Whether this drafter ever gave a draft, good or not."""
    unheard: int = 0
    """So many candidates got none before that."""

    @property
    def tried(self) -> int:
        return self.number - self.excused

    def count_earlier(self, specification: Specification) -> None:
        """Take in a specification that this draft did not make."""
        self.coverage.count(specification.domain, specification.calculation.operation)
        self.remember(specification)

    def remember(self, specification: Specification) -> None:
        """No later one may be nearly its copy."""
        self._keep(specification)
        self.recent.append(Recent(specification.title, specification.domain, specification.calculation.operation))

    def _keep(self, specification: Specification) -> None:
        self.prints.append(print_of(specification))
        self.titles[specification.title] += 1

    def count_line(self, line: Mapping[str, Any], *, earlier: bool = False) -> None:
        """Take in the line of a candidate that was settled before, by an `earlier` drafter or by this one. A copy
        counts as used: something else is due.
        """
        self.number = line["number"] + 1
        self.kept += line["kept"]
        if earlier:
            self.excused += line["code"].startswith(USELESS)
        else:
            self._hear(line["code"])
        if line["kept"] or line["code"] == COPY:
            self.coverage.count(line["domain"], line["operation"], line["scenario"])

    def enter(self, specification: Specification, number: int) -> Rejection | None:
        """Hold it against all before it, and remember it where it is no copy."""
        copied = copy_among(specification, number, self.prints)
        if copied is None:
            self._keep(specification)
        return copied

    def settle(self, candidate: Candidate) -> Candidate:
        """Count what became of a candidate; one that does not stand leaves nothing but its number."""
        found, rejection = candidate.specification, candidate.rejection
        self._hear("" if rejection is None else rejection.code)
        if rejection is None and found is not None:
            self.kept += 1
            self.recent.append(Recent(found.title, candidate.domain, candidate.operation))
        elif rejection is not None and rejection.code != COPY:
            self.coverage.count(candidate.domain, candidate.operation, candidate.scenario, -1)
            self.forget(found)
        return candidate

    def forget(self, specification: Specification | None) -> None:
        """Leave out a specification that does not stand."""
        left = [each for each in self.prints if specification is None or each.name != specification.name]
        if specification is not None and len(left) < len(self.prints):
            self.prints = left
            self.titles[specification.title] -= 1

    def _hear(self, code: str) -> None:
        """Note whether a candidate got a draft."""
        self.heard = self.heard or not code.startswith(USELESS)
        self.unheard += not self.heard


def copy_among(specification: Specification, number: int, earlier: Sequence[Print]) -> Rejection | None:
    """The rejection of a specification that is nearly a copy of an earlier one; None where it is not."""
    copied = near_duplicate(print_of(specification), earlier)
    if copied is not None:
        detail = f"it shares most of its words, or its structure and half of its words, with {copied.name}"
    elif specification.name in {each.name for each in earlier}:
        detail = "it has the name of an earlier one"
    else:
        return None
    return Rejection("draft", COPY, detail, specification.name, number)
