"""The reader on tasks as they are rendered, before any rejection, and on the same with one fact changed.

Only texts go in. Gold is the interpreter's, for a changed instance anew; the answer is judged by the exact scorer.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.families import family_of
from unco.compiler.check import CheckOptions, check
from unco.compiler.drafting.compose import compose
from unco.compiler.drafting.skeleton import skeletons
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.render import render
from unco.compiler.solving.solve import solve
from unco.compiler.solving.unreadable import Unreadable
from unco.solver.judge import exists, judge, violations
from unco.specs.answer import Answer, Verdict, score
from unco.specs.errors import UsageError
from unco.specs.expression import references
from unco.specs.family import Family, Slot
from unco.specs.group import CandidateGroup, Harmless
from unco.specs.instance import SeveralEligible
from unco.specs.task import GoldAnswer, Rendered

TASKS = 10_000
SEED = 7
DRAWS = 40
"""So many changes of one cell are drawn for a task at most, until one is legal and has another answer."""
SHOWN = 8
SHIPPED, DRAFTED = "shipped", "drafted"


class Read(NamedTuple):
    """What became of one task: right, or what the reader said instead."""

    right: bool
    said: str
    seconds: float


@dataclass
class Row:
    """How many tasks of a kind were solved, and why the others were not."""

    specifications: str
    texts: str
    """As rendered, or with one fact changed."""
    tasks: int = 0
    right: int = 0
    other_answer: int = 0
    """Tasks whose changed fact gave them another answer than before."""
    seconds: float = 0.0
    missed: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def count(self, read: Read, name: str, *, other: bool) -> None:
        self.tasks += 1
        self.right += read.right
        self.other_answer += other
        self.seconds += read.seconds
        if not read.right:
            self.missed[read.said] += 1
            self.examples.setdefault(read.said, name)


def measure(paths: Sequence[Path], tasks: int = TASKS) -> tuple[Row, ...]:
    """Half of the tasks of these specifications, half of those that the grammar drafts; each with a change beside."""
    shipped = [(family.name, family) for family in map(family_of, paths)]
    return (
        *_rows(SHIPPED, shipped, -(-tasks // (2 * len(shipped)))),
        *_rows(DRAFTED, drafted(), -(-tasks // (2 * offered()))),
    )


def offered() -> int:
    """How many pairs of a skeleton and an operation the grammar has."""
    return sum(len(each.operations) for each in skeletons())


def drafted(seed: int = SEED) -> Iterator[tuple[str, Family]]:
    """A family of every skeleton and operation of the grammar, where one can be composed."""
    options = CheckOptions(findings=False, values=False)
    for skeleton in skeletons():
        for operation in skeleton.operations:
            name = f"{skeleton.name}/{operation}/{seed}"
            try:
                specification = compose(skeleton, operation, Random(name))
            except UsageError:
                continue
            yield name, check(specification, options).require()


def _rows(of: str, families: Sequence[tuple[str, Family]] | Iterator[tuple[str, Family]], each: int) -> tuple[Row, Row]:
    plain, changed = Row(of, "as rendered"), Row(of, "one fact changed")
    for name, family in families:
        for group in groups(family, each):
            label = f"{name}, group {group.index}"
            task = render(family, group)
            plain.count(read(task, group.index), label, other=False)
            other = mutated(family, group, Random(f"{SEED}/{label}"))
            if other is not None:
                read_again = read(render(family, other), group.index)
                changed.count(read_again, label, other=other.outcome != group.outcome)
    return plain, changed


def groups(family: Family, many: int) -> Iterator[CandidateGroup]:
    """The first groups of a family that instantiate gives."""
    for index in range(many):
        group = instantiate(family, index, InstantiateOptions(seed=SEED))
        if isinstance(group, CandidateGroup):
            yield group


def read(task: Rendered, seed: int) -> Read:
    """What the reader makes of the texts of a task, the records shuffled."""
    records = [f"[{entry.key}] {entry.text}" for part in task.records for entry in part.entries]
    Random(seed).shuffle(records)
    started = time.process_time()
    try:
        said, failed = solve(task.public.instructions, records), ""
    except Unreadable as error:
        said, failed = "", error.words
    seconds = time.process_time() - started
    right = not failed and score(said, _answer(task.gold.answer), task.public.answer).verdict is Verdict.RIGHT
    return Read(right, "" if right else failed or "another answer than gold", seconds)


def _answer(gold: GoldAnswer) -> Answer:
    return Answer.model_validate({"decision": gold.decision, "candidate": gold.candidate, "result": gold.result})


def mutated(family: Family, group: CandidateGroup, rng: Random) -> CandidateGroup | None:
    """The group with another legal value of one needed cell, every record exact; with another answer, if one is drawn.

    None where no change is legal and leaves at most one candidate eligible.
    """
    instance, found = group.instance, None
    needed = [cell for cell in instance.cells if cell.slot in _needed(family) and exists(family, instance, cell)]
    for _ in range(DRAWS):
        cell = rng.choice(needed)
        value = family.domains[cell.slot].value(rng.randrange(family.domains[cell.slot].size))
        changed = instance.changed({cell: value})
        if value == instance.cells[cell] or violations(family, changed):
            continue
        outcome = judge(family, changed)
        if isinstance(outcome, SeveralEligible):
            continue
        found = replace(group, instance=changed, outcome=outcome, harmless=Harmless())
        if outcome != group.outcome:
            return found
    return found


def _needed(family: Family) -> frozenset[Slot]:
    """The slots that the conditions and the calculation read."""
    expressions = [*(rule.expression for rule in family.conditions), family.calculation.expression]
    used = {(each.attribute, each.context) for expression in expressions for each in references(expression)}
    return frozenset(slot for slot in family.slots if (slot.attribute, slot.context) in used)


def told(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows as plain data."""
    return [{**dataclasses.asdict(row), "missed": dict(row.missed)} for row in rows]


def show(rows: Sequence[Row]) -> None:
    """A line for each row, then why tasks were missed, each reason with one of them."""
    print("The reader: tasks solved from their texts alone")
    print(f"{'specifications':<16}{'texts':<18}{'tasks':>8}{'right':>10}{'other answer':>14}{'ms a task':>11}")
    for row in rows:
        share = f"{row.right / row.tasks:.2%}" if row.tasks else "-"
        milliseconds = f"{1000 * row.seconds / row.tasks:.1f}" if row.tasks else "-"
        print(
            f"{row.specifications:<16}{row.texts:<18}{row.tasks:>8,}{share:>10}{row.other_answer:>14,}{milliseconds:>11}"
        )
    for row in rows:
        for reason, many in row.missed.most_common(SHOWN):
            print(f"  {row.specifications}, {row.texts}: {many} x {reason} (such as {row.examples[reason]})")
