"""fidelity: whether the finished texts of a group say what its instance and its family say, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.fact_texts import record_discrepancies
from unco.compiler.reading.facts import FactReader
from unco.compiler.reading.instructions import instruction_discrepancies
from unco.compiler.reading.public_texts import public_discrepancies
from unco.compiler.reading.replies import reply_discrepancies
from unco.compiler.reading.subject_matter import Matter
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.task import RenderedGroup, Task

__all__ = ["Discrepancy", "fidelity"]


def fidelity(
    family: Family, group: CandidateGroup, rendered: RenderedGroup, *, reworded: bool = False
) -> tuple[Discrepancy, ...]:
    """What the texts lack, alter, add or give away; nothing where they are faithful (DESIGN.md, section 4).

    Facts and rules are read from the words alone: the code that wrote them is neither called nor inverted. `reworded`
    allows the task and the descriptions of the roles to be in other words than the author's.
    """
    matter = Matter.of(family, group, reworded=reworded)
    reader = FactReader(matter.words, group.instance.names)
    found: list[Discrepancy] = []
    seen: set[object] = set()
    for task in rendered.tasks:
        found += _of_task(task, group, matter, reader, seen)
    found += _forms(matter, reader)
    return tuple(dict.fromkeys(found))


def _of_task(
    task: Task, group: CandidateGroup, matter: Matter, reader: FactReader, seen: set[object]
) -> Iterator[Discrepancy]:
    """What is wrong with one task; texts that another task has as well are read once."""
    if task.public not in seen:
        seen.add(task.public)
        yield from public_discrepancies(task.public, matter)
        yield from instruction_discrepancies(task.public.instructions, matter)
    roles = {role.id: role for role in matter.family.roles}
    for records in task.private.records:
        if records in seen:
            continue
        seen.add(records)
        if records.role in roles:
            yield from record_discrepancies(records, roles[records.role], matter, reader)
        else:
            yield Discrepancy("added", f"records of {records.role}", "a role", records.role, "a role of the family")
    yield from reply_discrepancies(task, group, matter, reader)


def _forms(matter: Matter, reader: FactReader) -> Iterator[Discrepancy]:
    """All sentences of an attribute have one form, so that none of them can be told from another by it."""
    for attribute, forms in reader.forms().items():
        if len(forms) > 1:
            label, told = matter.family.attribute_by_id[attribute].label, " / ".join(sorted(forms))
            yield Discrepancy("leaked", "records and replies", f"the form of {label}", told, "one form in all of them")
