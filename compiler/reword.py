"""reword: what an LLM is asked for the wording of a group, and what becomes of its replies. Nothing is sent here.

The LLM is given the sentence form of each attribute, with slots, and the texts that frame the task; it is never given a
fact, a candidate, a rule or the answer. So it can change how things are said, and nothing that is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from unco.compiler.reading import around
from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.subject_matter import Matter
from unco.compiler.rendering.forms import SLOT, filled, opened, slots
from unco.compiler.rendering.records import shown_roles
from unco.compiler.rendering.rewording import repair, role_request, task_request
from unco.compiler.rendering.wording import Wording, drawn_wording
from unco.llm.protocol import Json, Request, Sampling
from unco.specs.family import Family, Role
from unco.specs.group import CandidateGroup

_MARKS = {
    "candidate": around.CANDIDATE,
    "member": around.MEMBER,
    "fact": around.FACT,
    "value": around.VALUE,
}

_FOREIGN = {"{", "}", around.NAMED, *_MARKS.values()}


def requests(family: Family, group: CandidateGroup, sampling: Sampling) -> tuple[Request, ...]:
    """What an LLM is asked for one group: first about the text that opens the task, then one request a shown role."""
    wording = drawn_wording(family, group.index)
    roles = (role_request(family, wording, role, sampling) for role in shown_roles(family))
    return (task_request(family, sampling), *roles)


def faults(family: Family, group: CandidateGroup, place: int, content: Json) -> tuple[Discrepancy, ...]:
    """What is wrong with the reply (its `content`) to the request at this place; nothing where it may be used.

    Each has a code (UNC607: a slot or a text is missing, double or unknown; UNC608: words that could change, add or
    give away something) and a text that names what was found and what was expected.
    """
    matter = Matter.of(family, group, reworded=True)
    if place == 0:
        return tuple(matter.framing("reworded task", "task", _tidy(content["task"]), family.task.strip()))
    role = shown_roles(family)[place - 1]
    where = f"reworded records of {role.name}"
    described = matter.framing(where, "description", _tidy(content["description"]), role.description)
    return (*described, *_form_faults(where, role, content["sentences"], matter, group.index))


def repair_request(request: Request, content: Json, found: Sequence[Discrepancy]) -> Request:
    """The request again, with the reply and what was wrong with it, text by text: asked once."""
    return repair(request, content, found)


def reworded(family: Family, group: CandidateGroup, contents: Sequence[Json | None]) -> Wording:
    """The wording of the group by the replies, in the order of the requests; None: the program's wording there.

    Hand it to `render(family, group, options, wording)` and `perturb(family, group, rendered, wording)`, and read the
    finished texts with `fidelity(family, group, rendered, reworded=True)`. Raises ValueError for a reply that `faults`
    objects to.
    """
    for place, content in enumerate(contents):
        if content is not None and faults(family, group, place, content):
            raise ValueError(f"the reply to request {place} does not stand")
    wording = drawn_wording(family, group.index)
    task, *roles = contents
    told = [(role, content) for role, content in zip(shown_roles(family), roles, strict=True) if content is not None]
    forms = {name: form_of(text) for _, content in told for name, text in content["sentences"].items()}
    return replace(
        wording,
        task=wording.task if task is None else _tidy(task["task"]),
        forms={**wording.forms, **forms},
        descriptions={**wording.descriptions, **{role.id: _tidy(each["description"]) for role, each in told}},
    )


def form_of(text: str) -> str:
    """A form as it came, with single blanks and a capital."""
    return opened(_tidy(text))


def _form_faults(
    where: str, role: Role, sentences: Mapping[str, str], matter: Matter, index: int
) -> Iterator[Discrepancy]:
    """What is wrong with the forms of a role's sentences."""
    wording = drawn_wording(matter.family, index)
    mine = [each for each in matter.family.shown_attributes if each.owner == role.id]
    for attribute in mine:
        form = sentences.get(attribute.id)
        wanted = sorted(slots(wording.forms[attribute.id]))
        told = sorted(slots(form)) if form is not None else []
        if form is None or told != wanted or _FOREIGN & set(SLOT.sub("", form)):
            found = "no form" if form is None else f'"{form}"'
            expected = f"each of {', '.join(f'{{{slot}}}' for slot in wanted)} exactly once, and no other braces"
            yield Discrepancy("slots", where, attribute.label, found, expected)
            continue
        phrases, barred = matter.words.around(attribute)
        wrong = list(around.faults(filled(form_of(form), _MARKS), phrases, barred))
        if wrong:
            expected = "one plain statement in the words that are allowed"
            yield Discrepancy("reworded", where, attribute.label, f'"{form}": {"; ".join(wrong)}', expected)
    known = {each.id for each in mine}
    for name in sentences:
        if name not in known:
            yield Discrepancy("slots", where, name, "a form of it", "forms of the attributes that were shown")


def _tidy(text: str) -> str:
    return re.sub(r" (?=[.,;:])", "", " ".join(text.split()))
