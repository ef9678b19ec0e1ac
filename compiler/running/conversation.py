"""What LLMs are asked about groups that are proved: to reword their texts, and to solve their tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from unco.compiler.pipeline import Accepted, Chunk, Retained, Reworded, retained, worded
from unco.compiler.reword import faults, repair_request, requests, reworded
from unco.compiler.validate import Validation, validate
from unco.compiler.validating.answered import Answered
from unco.compiler.validating.asking import TRIES, answered, is_to_be_asked_again, request
from unco.compiler.validating.judged import judged
from unco.compiler.validating.subject import RUNS, Subject
from unco.llm.budget import Budget
from unco.llm.desk import Desk, Line, opened
from unco.llm.protocol import Fault, Outcome, Request
from unco.llm.settings import Served, Settings
from unco.specs.instance import kind_of
from unco.specs.rejection import Rejection
from unco.specs.task import RenderedGroup

WAVE = 4
"""So many groups are asked about together for each request that may be under way, ..."""
LARGEST = 1_000
"""... and at most so many."""
Unfaithful: TypeAlias = Literal["template", "reject"]
"""What becomes of a text that an LLM does not reword faithfully: the template's own, or a rejection of its group."""


@dataclass(frozen=True)
class LlmOptions:
    """Which LLMs do what in a run, what they may use in all, and what becomes of unfaithful texts."""

    settings: Settings = field(default_factory=Settings)
    budget: Budget = field(default_factory=Budget)
    on_unfaithful: Unfaithful = "template"

    @property
    def asks(self) -> bool:
        """Whether a build asks an LLM at all."""
        return self.settings.renderer is not None or self.settings.validator is not None


@contextmanager
def talking(folder: Path, options: LlmOptions) -> Iterator[Conversation | None]:
    """The conversation of a run, with its store of replies; None where no LLM is asked."""
    if not options.asks:
        yield None
        return
    with opened(folder, options.budget) as desk:
        yield Conversation(desk, options)


@dataclass(frozen=True)
class _Asked:
    """A line to an LLM and how it is used."""

    line: Line
    served: Served

    @property
    def name(self) -> str:
        return self.served.endpoint.model

    def outcomes(self, asked: Iterable[Request]) -> Iterator[Outcome]:
        """The outcome of each request, in order. Raises LlmError where the server or the budget ends the run."""
        for _, outcome in self.line.ask_all(asked, self.served.at_once):
            if isinstance(outcome, Fault) and outcome.ends_run:
                raise outcome.error()
            yield outcome


@dataclass
class _Texts:
    """The replies about the wording of one group."""

    requests: tuple[Request, ...]
    contents: list[Any] = field(default_factory=list)
    wrong: dict[int, tuple[str, str]] = field(default_factory=dict)
    """By the place of a request: code and detail of what keeps its reply from being used."""
    repaired: int = 0


class Conversation:
    """Groups go in, proved; they come out in the same order, retained or rejected."""

    def __init__(self, desk: Desk, options: LlmOptions) -> None:
        self.options = options
        self.renderer = _asked(desk, "render", "renderer", options.settings.renderer)
        self.validator = _asked(desk, "validate", "validator", options.settings.validator)

    @property
    def wave(self) -> int:
        """How many groups are best asked about together."""
        at_once = max(each.served.at_once for each in (self.renderer, self.validator) if each is not None)
        return min(LARGEST, WAVE * at_once)

    def finished(self, groups: Sequence[tuple[Chunk, Accepted]]) -> list[Retained | Rejection]:
        """Each group in words and solved, or the rejection that ended its way."""
        texts = self._texts(groups)
        rendered = [self._rendered(*group, each) for group, each in zip(groups, texts, strict=True)]
        made = [(chunk, each) for (chunk, _), (each, _) in zip(groups, rendered, strict=True)]
        validated = iter(self._validated(made))
        return [
            each if isinstance(each, Rejection) else retained(accepted, each, next(validated), about)
            for (_, accepted), (each, about) in zip(groups, rendered, strict=True)
        ]

    # Rewording ---------------------------------------------------------------------------------------------------

    def _texts(self, groups: Sequence[tuple[Chunk, Accepted]]) -> list[_Texts | None]:
        """What the renderer says about each group: asked, and once more where a reply is not faithful."""
        if self.renderer is None:
            return [None] * len(groups)
        sampling = self.renderer.served.endpoint.sampling()
        texts = [_Texts(requests(chunk.family, accepted.group, sampling)) for chunk, accepted in groups]
        places = [(number, place) for number, each in enumerate(texts) for place in range(len(each.requests))]
        again: dict[tuple[int, int], Request] = {}
        asked = (texts[number].requests[place] for number, place in places)
        for (number, place), outcome in zip(places, self.renderer.outcomes(asked), strict=True):
            again |= self._heard(groups[number], texts[number], number, place, outcome)
        for (number, place), outcome in zip(again, self.renderer.outcomes(again.values()), strict=True):
            texts[number].repaired += 1
            self._heard(groups[number], texts[number], number, place, outcome)
        return list(texts)

    def _heard(
        self, group: tuple[Chunk, Accepted], texts: _Texts, number: int, place: int, outcome: Outcome
    ) -> dict[tuple[int, int], Request]:
        """Take in a reply, or what is wrong with it; the request that asks for a better one."""
        if len(texts.contents) <= place:
            texts.contents.append(None)
        texts.wrong.pop(place, None)
        if isinstance(outcome, Fault):
            texts.wrong[place] = (outcome.code, outcome.detail)
            return {}
        chunk, accepted = group
        found = faults(chunk.family, accepted.group, place, outcome.content)
        if not found:
            texts.contents[place] = outcome.content
            return {}
        texts.wrong[place] = (found[0].code, str(found[0]))
        return {(number, place): repair_request(texts.requests[place], outcome.content, found)}

    def _rendered(
        self, chunk: Chunk, accepted: Accepted, texts: _Texts | None
    ) -> tuple[RenderedGroup | Rejection, Reworded | None]:
        """The group in words, and what an LLM did to them."""
        family, group = chunk.family, accepted.group
        if self.renderer is None or texts is None:
            return worded(family, group), None
        by_template = self.options.on_unfaithful == "template"
        if texts.wrong and not by_template:
            code, detail = next(iter(texts.wrong.values()))
            return Rejection("render", code, detail, family.name, group.index, planned=kind_of(group.outcome)), None
        total = len(texts.requests)
        made = worded(family, group, reworded(family, group, texts.contents))
        if isinstance(made, Rejection) and by_template:
            return worded(family, group), Reworded(self.renderer.name, total, texts.repaired, total)
        return made, Reworded(self.renderer.name, total, texts.repaired, len(texts.wrong))

    # Validating --------------------------------------------------------------------------------------------------

    def _validated(self, made: Sequence[tuple[Chunk, RenderedGroup | Rejection]]) -> list[Validation | Rejection]:
        """The verdict on each group that is in words, in order."""
        rendered = [(chunk, each) for chunk, each in made if not isinstance(each, Rejection)]
        if self.validator is None:
            return [validate(chunk.family, each, chunk.instantiate.seed) for chunk, each in rendered]
        subjects = [Subject.of(chunk.family, each, chunk.instantiate.seed) for chunk, each in rendered]
        said: dict[tuple[int, int], Answered] = {}
        due = [(number, run) for number in range(len(subjects)) for run in range(RUNS)]
        for attempt in range(TRIES):
            said |= dict(zip(due, self._answers(self.validator, subjects, due, attempt), strict=True))
            due = [key for key in due if is_to_be_asked_again(subjects[key[0]], said[key])]
        return [
            judged(subject, self.validator.name, [said[number, run] for run in range(RUNS)])
            for number, subject in enumerate(subjects)
        ]

    def _answers(
        self, validator: _Asked, subjects: Sequence[Subject], due: Sequence[tuple[int, int]], attempt: int
    ) -> Iterator[Answered]:
        sampling = validator.served.endpoint.sampling()
        asked = (request(subjects[number], run, attempt, sampling) for number, run in due)
        for (number, _), outcome in zip(due, validator.outcomes(asked), strict=True):
            yield answered(subjects[number], outcome)


def _asked(desk: Desk, phase: str, task: str, served: Served | None) -> _Asked | None:
    return None if served is None else _Asked(desk.line(phase, task, served.endpoint), served)
