"""What an LLM is asked as a validator, and what its reply says."""

from __future__ import annotations

from hashlib import sha256

from unco.compiler.validating.answered import Answered, Used
from unco.compiler.validating.subject import RUNS, Subject
from unco.llm.protocol import Message, Outcome, Reply, Request, Sampling, Schema
from unco.specs.answer import Verdict, answer_from_fields
from unco.templates.loader import fill

TRIES = 3
"""So often a run is asked for at most, where the answer of its reply cannot be read."""
NONE = "none"


def request(subject: Subject, run: int, attempt: int, sampling: Sampling) -> Request:
    """The question of a run. What stands between the marks is data: a text cannot hold the hash of itself."""
    records = subject.evidence(run)
    texts = [subject.instructions, *(entry.text for entry in records)]
    mark = sha256("\n".join(texts).encode()).hexdigest()[:16]
    question = fill("validate/question.txt.j2", mark=mark, instructions=subject.instructions, records=records)
    messages = Message("system", fill("validate/system.txt.j2", mark=mark)), Message("user", question)
    return Request(messages, _schema(subject), sampling, run + RUNS * attempt)


def answered(subject: Subject, outcome: Outcome) -> Answered:
    """What a reply says, or why there is none."""
    if not isinstance(outcome, Reply):
        return Answered(outcome.text, None, code=outcome.code, detail=outcome.detail)
    said = outcome.content
    facts = tuple(Used(each["candidate"], each["record"], each["value"]) for each in said["facts"])
    answer = answer_from_fields(said["decision"], said["candidate"], said["result"], subject.form)
    return Answered(outcome.text, answer, facts)


def is_to_be_asked_again(subject: Subject, said: Answered) -> bool:
    """Whether a reply came whose answer cannot be read: that is no wrong answer. A fault was tried again already."""
    return not said.code and said.score(subject).verdict is Verdict.UNPARSABLE


def _schema(subject: Subject) -> Schema:
    """The facts come first, the answer last: a reply is written in this order."""
    text, form = {"type": "string"}, subject.form
    fact = _closed({"candidate": {"enum": list(form.candidates)}, "record": text, "value": text})
    return Schema.of(
        "validation",
        _closed(
            {
                "facts": {"type": "array", "items": fact, "maxItems": len(subject.records)},
                "working": text,
                "decision": {"enum": [form.positive, form.negative]},
                "candidate": {"enum": [*form.candidates, NONE]},
                "result": text,
            }
        ),
    )


def _closed(fields: dict[str, object]) -> dict[str, object]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
