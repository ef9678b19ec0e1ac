"""What becomes of a candidate group as lines of text: made in the worker, the same in the store and in files."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from unco.compiler.certificate import certificate
from unco.compiler.guessing import Observation, observe
from unco.compiler.pipeline import Chunk, Retained, run_chunk
from unco.compiler.running.footing import Footing, footing_of
from unco.specs.family import Family
from unco.specs.rejection import Rejection
from unco.specs.stored import store_group


@dataclass(frozen=True)
class Record:
    """The lines of a retained group (the group, its tasks, its certificate, its observation, its footing), or of a
    rejection and, where it is by a validator, its transcript.
    """

    retained: bool
    packed: bytes
    """The lines, compressed: about a twentieth of their length."""

    @classmethod
    def of(cls, retained: bool, lines: Iterable[str]) -> Record:
        """The record with these lines."""
        return cls(retained, zlib.compress("\n".join(lines).encode()))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(zlib.decompress(self.packed).decode().split("\n"))

    @property
    def group(self) -> str:
        return self.lines[0]

    @property
    def id(self) -> str:
        """The id of a retained group."""
        return str(json.loads(self.group)["id"])

    @property
    def kind(self) -> str:
        """The kind of a retained group: `nobody` where nobody wins, else `winner`."""
        return "nobody" if json.loads(self.group)["group"]["outcome"] is None else "winner"

    @property
    def tasks(self) -> tuple[str, ...]:
        return self.lines[1:-3]

    @property
    def certificate(self) -> str:
        return self.lines[-3]

    @property
    def observation(self) -> Observation:
        """What the group adds to the guess ceiling."""
        found: Observation = json.loads(self.lines[-2])
        return found

    @property
    def footing(self) -> Footing:
        """How a retained group rests on its family's proof."""
        return Footing(**json.loads(self.lines[-1]))

    @property
    def transcripts(self) -> tuple[str, ...]:
        """What was asked and answered, where a validator rejected the group."""
        return self.lines[1:]

    @property
    def rejection(self) -> Rejection:
        """Without its transcript."""
        return Rejection(**json.loads(self.lines[0]))


def run_to_records(chunk: Chunk) -> tuple[Record, ...]:
    """Every group of the chunk, in order, as it is stored."""
    return tuple(record(chunk.family, outcome) for outcome in run_chunk(chunk))


def is_retained(made: Record) -> bool:
    """Whether a record is of a retained group."""
    return made.retained


def was_drawn(made: Record) -> bool:
    """Whether a record is of a group that was drawn, retained or not."""
    return made.retained or made.rejection.phase != "instantiate"


def record(family: Family, outcome: Retained | Rejection) -> Record:
    """An outcome as it is stored."""
    if isinstance(outcome, Rejection):
        return Record.of(False, map(json_text, _rejection(outcome)))
    parts: Sequence[Any] = (
        _group(family, outcome),
        *(task.model_dump(mode="json") for task in outcome.rendered.tasks),
        {"group": outcome.rendered.id, **certificate(family, outcome.group, outcome.proof)},
        observe(family, outcome.group),
        vars(footing_of(outcome)),
    )
    return Record.of(True, map(json_text, parts))


def _rejection(rejection: Rejection) -> Iterator[dict[str, Any]]:
    """The reason, and what shows it where a validator rejected the group."""
    yield {name: value for name, value in vars(rejection).items() if name != "transcript"}
    if rejection.transcript is not None:
        yield rejection.transcript


def _group(family: Family, retained: Retained) -> dict[str, Any]:
    return {
        "id": retained.rendered.id,
        "specification": family.name,
        "digest": family.digest,
        "domain": family.domain,
        "operation": family.calculation.operation,
        "necessary_roles": list(retained.proof.necessary_roles),
        "validation": vars(retained.validation),
        "reworded": None if retained.reworded is None else vars(retained.reworded),
        "settings": [task.setting for task in retained.rendered.tasks],
        "group": store_group(retained.group),
    }


def json_text(data: Any) -> str:
    """Plain data on one line."""
    return json.dumps(data, ensure_ascii=False)
