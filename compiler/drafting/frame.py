"""The frame of a specification that an LLM drafted: its texts hold no hint, order, mark, name or number.

Agents read titles, tasks, descriptions and labels as they were drafted, so they are held to what a frame is for. An
author's own texts are not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain

from unco.compiler.checking.report import Report
from unco.compiler.drafting.hints import Hints
from unco.compiler.drafting.names import words_of_people
from unco.specs.document import Specification
from unco.specs.errors import Diagnostic
from unco.specs.located import Data, FieldPath
from unco.specs.read import Loaded

CODE = "UNC317"
_SILENT = frozenset(("unco", "name", "notes", "perturbations", "plan", "difficulty", "limits"))
"""Sections of which no agent reads a word that was drafted."""
_REFERRING = frozenset(
    (
        "rule", "formula", "owner", "type", "unit", "range", "step", "places", "per", "size", "maximum", "count",
        "rows", "value", "operation", "rounding", "distractor", "dispensable", "necessary",
    )
)  # fmt: skip
"""Fields that hold expressions, values, settings and the names of other fields."""
_SINGLE = frozenset(("candidates", "decision", "calculation"))
"""Sections of which there is one; the parts of the others have a name each."""
_RULES = frozenset(("conditions", "consistency"))
_NAMED = ("units", "roles", "groups", "attributes")
"""Sections whose parts agents know by the names that rules have for them."""
_SLOTS = frozenset(("names", "values", "words", "required", "others"))
"""Fields whose texts stand in slots of facts and rules: they may hold any number."""
_SENTENCES = frozenset(("title", "task", "text", "description"))
"""Fields that may have signs; all others are short phrases."""
_NUMBER = re.compile(r"(?<![\d.,/])\d+(?:,\d{3})*(?:\.\d+)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MEASURE = re.compile(r"\b(?:in|at|to|per|for|after|within|above|below|under|over|than|until|before) (?:[^\W\d_]+ )?$")
"""Before a number that says what is measured: `strength at 28 days`."""
_STATING = re.compile(r"(?:^|[=:,;.]|\b(?:is|are|be|was|with|of|to|as|by|at|and|or|than|equals|exactly|about)) ?$")
"""Before a number that is stated, where no word after it says what it counts."""
_COUNTING = re.compile(r"[- ]?(?![A-Z]{3}\b)[^\W\d_]")
"""After a number that says how many of something, and is no money: `60 hives`."""
_LONGEST = 24
"""So many words a phrase may have."""

Fault = tuple[str, int, int]


def frame_findings(loaded: Loaded) -> tuple[Diagnostic, ...]:
    """What a drafted specification has in its texts and names that no agent may read (UNC317), each with its place."""
    report, source = Report(loaded.source), loaded.source
    frame = _Frame(loaded.specification, tuple(_texts(source.data)))
    for path, text in frame.texts:
        for fault, (first, *others) in _by_fault(frame.faults(path, text)).items():
            words = dict.fromkeys(text[start:end].strip() for start, end in (first, *others))
            report.add(
                CODE,
                path,
                f"a drafted text is no mere frame: {fault}",
                found=", ".join(f'"{each}"' for each in words),
                expected="plain words about what is decided, or about who keeps which facts",
                hint="leave it out; answers, rules, facts and orders have no place in this text",
                span=source.locate(path, *first),
            )
    for path in _keys(source.data):
        for fault, *_ in frame.hints.in_slots(str(path[-1]).replace("_", " ")):
            report.add(
                CODE, path, f"a drafted name is no mere name: {fault}", found=f"`{path[-1]}`", expected="another"
            )
    return tuple(report.diagnostics)


def _by_fault(faults: Iterable[Fault]) -> dict[str, list[tuple[int, int]]]:
    """Where each fault stands."""
    found: dict[str, list[tuple[int, int]]] = {}
    for fault, start, end in faults:
        found.setdefault(fault, []).append((start, end))
    return found


def _texts(data: Data, path: FieldPath = ()) -> Iterator[tuple[FieldPath, str]]:
    """Every text with its place, but for what no agent reads."""
    match data:
        case str():
            yield path, data
        case dict():
            parts = ((name, each) for name, each in data.items() if path or name not in _SILENT)
            yield from chain.from_iterable(_texts(each, (*path, name)) for name, each in parts)
        case list():
            yield from chain.from_iterable(_texts(each, (*path, number)) for number, each in enumerate(data))


def _keys(data: Data) -> Iterator[FieldPath]:
    """The names by which rules and records refer to parts."""
    parts = {section: data.get(section) for section in _NAMED} if isinstance(data, dict) else {}
    for section, part in parts.items():
        yield from ((section, name) for name in (part if isinstance(part, dict) else ()))


def _field(path: FieldPath) -> str:
    """The field in which a text stands: its own, or that of the list that it is in."""
    names = [part for part in path if isinstance(part, str)]
    return "others" if "others" in names[3:] else names[-1]


def _is_read(path: FieldPath) -> bool:
    """Whether agents read what stands there as it was drafted."""
    fields = path[1:] if path[0] in _SINGLE else path[2:]
    return _REFERRING.isdisjoint(fields) and not (path[0] in _RULES and len(path) == 2)


def _numbers(text: str) -> frozenset[Fraction]:
    return frozenset(Fraction(each) for each in re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d)[,_](?=\d)", "", text)))


@dataclass(frozen=True)
class _Frame:
    specification: Specification
    parts: tuple[tuple[FieldPath, str], ...]

    @property
    def texts(self) -> Iterator[tuple[FieldPath, str]]:
        """What agents read as it was drafted."""
        return ((path, text) for path, text in self.parts if _is_read(path))

    @cached_property
    def hints(self) -> Hints:
        """The words that give something away, with what the candidates are called."""
        candidates = self.specification.candidates
        return Hints((candidates.noun, candidates.plural or f"{candidates.noun}s"))

    @cached_property
    def names(self) -> re.Pattern[str]:
        """The candidates by name; people by given and family name too."""
        whole = self.specification.candidates.names
        words = {word for name in whole for word in name.split()} & words_of_people()
        told = sorted({*whole, *words}, key=lambda name: (-len(name), name))
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, told))})(?!\w)")

    @cached_property
    def stated(self) -> frozenset[Fraction]:
        """The numbers of rules, domains, tables, thresholds, contexts and values."""
        texts = (text for path, text in self.parts if not _is_read(path) or _field(path) in _SLOTS - {"names"})
        return frozenset(chain.from_iterable(map(_numbers, texts)))

    @cached_property
    def labelled(self) -> frozenset[Fraction]:
        """The numbers in labels of facts, which the descriptions of their owners may take up."""
        return frozenset(chain.from_iterable(_numbers(each.label) for each in self.specification.attributes.values()))

    def faults(self, path: FieldPath, text: str) -> Iterator[Fault]:
        """What is wrong with a text, and from where to where."""
        name = _field(path)
        yield from self._hints(name, text)
        if name != "names":
            yield from (("it names a candidate", *each.span()) for each in self.names.finditer(text))
        yield from (("it has several lines", *each.span()) for each in re.finditer("\n", text))
        yield from (("it has a letter that is not Latin", place, place + 1) for place in _foreign(text))
        for each in _NUMBER.finditer(text) if name not in _SLOTS else ():
            if not self._may_stand(each, path, text):
                yield "it has a number of its own", *each.span()
        if name == "description" and re.search(r"[;!?]|\. ", text):
            yield "it is no single statement", 0, len(text)
        if name not in _SENTENCES and (len(text.split()) > _LONGEST or re.search(r"[;:!?]|\. ", text)):
            yield "it is no short phrase", 0, len(text)

    def _hints(self, name: str, text: str) -> Iterator[Fault]:
        match name:
            case "description":
                return self.hints.in_description(text)
            case "task":
                return self.hints.in_task(text)
            case "required" | "others":
                return self.hints.in_contexts(text)
            case "values" | "words" | "text":
                return self.hints.in_slots(text)
            case _:
                return self.hints.in_labels(text)

    def _may_stand(self, number: re.Match[str], path: FieldPath, text: str) -> bool:
        """Whether a number is that of a rule, or says what is measured or how many there are of something."""
        value, before, after = Fraction(number[0].replace(",", "")), text[: number.start()], text[number.end() :]
        if value in self.stated:
            return True
        if _field(path) == "description":
            return value in self.labelled
        if path[0] in ("title", "task", "calculation") or _field(path) == "text":
            return bool(_YEAR.fullmatch(number[0]) or _COUNTING.match(after) or not _STATING.search(before))
        return bool(_MEASURE.search(before))


def _foreign(text: str) -> Iterator[int]:
    """Where letters stand that are not Latin: some look as if they were."""
    for place, sign in enumerate(text):
        if sign.isalpha() and sign not in "µμªº" and not unicodedata.name(sign, "").startswith("LATIN "):
            yield place
