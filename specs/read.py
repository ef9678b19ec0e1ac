"""From YAML or JSON to a specification with its source; every error of a run, in the order of the file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import ValidationError

from unco.specs.characters import shortened
from unco.specs.document import Section, Specification
from unco.specs.errors import Diagnostic, Severity, Span
from unco.specs.facts import FactsDocument
from unco.specs.located import Data, FieldPath
from unco.specs.scalars import MAXIMUM_NUMBER, NUMBER_PATTERN
from unco.specs.schema import alternatives, fields, words
from unco.specs.source import Source, parse_source, path_text, read_source
from unco.specs.write import to_yaml

__all__ = [
    "Loaded", "LoadedFacts", "located_specification", "parse_specification", "read_facts", "read_specification",
    "to_yaml",
]  # fmt: skip

MAXIMUM_FINDINGS = 100
MAXIMUM_DETAILS = 1_000
Document = TypeVar("Document", bound=Section)
Model = type[Section]


@dataclass(frozen=True)
class Loaded:
    """A specification and the text that it was read from."""

    specification: Specification
    source: Source


@dataclass(frozen=True)
class LoadedFacts:
    """A facts document and the text that it was read from."""

    document: FactsDocument
    source: Source


def read_specification(path: str | os.PathLike[str]) -> Loaded:
    """The specification in a YAML or JSON file. Raises SpecificationError with every finding (UNC1xx)."""
    return _loaded(read_source(path))


def parse_specification(text: str | bytes, file: str = "<text>") -> Loaded:
    """The specification in a text. Raises SpecificationError with every finding (UNC1xx)."""
    return _loaded(parse_source(text, file))


def located_specification(specification: Specification) -> Loaded:
    """A specification that Python code made, with a source: its own YAML text, under the name `<name>`."""
    return Loaded(specification, Source.from_specification(specification))


def read_facts(path: str | os.PathLike[str]) -> LoadedFacts:
    """The facts in a YAML or JSON file. Raises SpecificationError with every finding (UNC1xx)."""
    source = read_source(path)
    return LoadedFacts(_document(source, FactsDocument, "facts", "`unco_facts`, `candidates` and so on"), source)


def _loaded(source: Source) -> Loaded:
    return Loaded(_document(source, Specification, "a specification", "`unco`, `name`, `title` and so on"), source)


def _document(source: Source, model: type[Document], what: str, first_fields: str) -> Document:
    if not isinstance(source.data, dict):
        raise source.error(
            Diagnostic(
                "UNC109",
                f"the file does not hold {what}",
                source.key_span(()),
                found=_found(source.data),
                expected=f"a mapping with the fields {first_fields}",
            )
        )
    try:
        return model.model_validate(source.data)
    except ValidationError as error:
        raise source.error(*_diagnostics(error, source, model)) from None


@dataclass(frozen=True)
class _Finding:
    """A validation error, with its place in the data."""

    kind: str
    """The kind that the validation library names."""
    path: FieldPath
    """The value that is wrong, the mapping that misses a field, or the value under a wrong key."""
    of_key: bool
    missing: str | None
    """The field that is missing."""
    words: str
    """What a validator of ours found."""

    @property
    def code(self) -> str:
        match self.kind:
            case "missing" if self.missing is not None:
                return "UNC108"
            case "extra_forbidden":
                return "UNC107"
            case "string_too_long":
                return "UNC106"
            case "unshowable":
                return "UNC112"
            case "value_error":
                return "UNC113"
            case _:
                return "UNC109"


def _diagnostics(error: ValidationError, source: Source, model: Model) -> list[Diagnostic]:
    """One diagnostic a place, in file order; after a hundred, a note that there are more."""
    details = error.errors(include_url=False, include_context=True, include_input=False)[:MAXIMUM_DETAILS]
    findings = _without_echoes(_merged(_finding(detail, source.data) for detail in details), model)
    placed = sorted(((_span(finding, source), finding) for finding in findings), key=_order)
    diagnostics = [_diagnostic(finding, span, source, model) for span, finding in placed[:MAXIMUM_FINDINGS]]
    if len(placed) > MAXIMUM_FINDINGS:
        message = "further findings are not shown: mend these first"
        diagnostics.append(Diagnostic(placed[-1][1].code, message, placed[-1][0], severity=Severity.NOTE))
    return diagnostics


def _finding(detail: Any, data: Data) -> _Finding:
    """The error with the path to its place."""
    path, last = _path(detail["loc"], data)
    kind = detail["type"]
    missing = last if kind == "missing" and isinstance(last, str) else None
    found = str(detail.get("ctx", {}).get("found", ""))
    return _Finding(kind, path, last == "[key]", missing, found)


def _path(steps: Sequence[str | int], data: Data) -> tuple[FieldPath, str | int | None]:
    """The part of the steps that leads through the data, and the step that leads no further.

    Where a value may be of several kinds, the validation library names the kind in a step of its own: left out.
    """
    path: FieldPath = ()
    of_kind = False
    for step in steps:
        if not of_kind and len(alternatives(path)) > 1:
            of_kind = True
        elif isinstance(data, dict) and step in data:
            data, path, of_kind = data[str(step)], (*path, step), False
        elif isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data):
            data, path, of_kind = data[step], (*path, step), False
        else:
            return path, step
    return path, None


def _merged(findings: Iterable[_Finding]) -> list[_Finding]:
    """One finding a place: what alternatives say of the same value becomes one, the most telling first."""
    unique = list(dict.fromkeys(findings))
    enclosing = {finding.path[:depth] for finding in unique for depth in range(len(finding.path))}
    enclosing |= {finding.path for finding in unique if finding.missing is not None}
    chosen: dict[tuple[FieldPath, bool, str | None], _Finding] = {}
    for finding in unique:
        generic = finding.code == "UNC109" and not finding.of_key
        if generic and finding.path in enclosing:
            continue
        place = (finding.path, finding.of_key, finding.missing)
        if place not in chosen or (chosen[place].code == "UNC109" and finding.code != "UNC109"):
            chosen[place] = finding
    return list(chosen.values())


def _without_echoes(findings: list[_Finding], model: Model) -> list[_Finding]:
    """The findings without those of a missing field that stands there under a misspelt key."""
    unknown = [finding.path for finding in findings if finding.kind == "extra_forbidden"]
    misspelt = {(path[:-1], _nearest_field(path, model)) for path in unknown}
    return [finding for finding in findings if (finding.path, finding.missing) not in misspelt]


def _nearest_field(path: FieldPath, model: Model) -> str | None:
    """The field that an unknown key resembles, or that it begins with."""
    name, known = str(path[-1]), list(fields(path[:-1], model))
    near = get_close_matches(name.lower(), known, n=1) if len(name) <= 60 else []
    return near[0] if near else next((field for field in known if re.match(rf"{field}\W", name)), None)


def _span(finding: _Finding, source: Source) -> Span:
    by_key = finding.of_key or finding.missing is not None or finding.kind == "extra_forbidden"
    value = source.value(finding.path)
    if by_key or value is None or isinstance(value, dict):
        return source.key_span(finding.path)
    return source.span(finding.path)


def _order(placed: tuple[Span, _Finding]) -> tuple[int, int, str, str]:
    span, finding = placed
    return span.line, span.column, finding.code, finding.missing or ""


def _diagnostic(finding: _Finding, span: Span, source: Source, model: Model) -> Diagnostic:
    if finding.missing is not None:
        return _missing(finding.path, finding.missing, span, model)
    if finding.kind == "extra_forbidden":
        return _unknown(finding.path, span, source, model)
    if finding.of_key:
        return _bad_key(finding.path, span, source, model)
    return _wrong_value(finding, span, source, model)


def _missing(path: FieldPath, name: str, span: Span, model: Model) -> Diagnostic:
    schema = fields(path, model).get(name, {})
    return Diagnostic(
        "UNC108",
        f"the field `{name}` is missing" + (f" from `{_shown(path)}`" if path else ""),
        span,
        _shown((*path, name)),
        expected=f"`{name}`: {words(alternatives((*path, name), model))}",
        hint=None if "pattern" in schema else schema.get("description"),
    )


def _unknown(path: FieldPath, span: Span, source: Source, model: Model) -> Diagnostic:
    name, known = str(path[-1]), list(fields(path[:-1], model))
    where = f"`{_shown(path[:-1])}`" if path[:-1] else ("facts" if model is FactsDocument else "a specification")
    near = _nearest_field(path, model)
    hint = "remove it, or put it where it belongs"
    if (cut := _cut_by_comma(path, source)) is not None:
        hint = cut
    elif near is not None:
        hint = f"write `: ` after `{near}`" if re.match(rf"{near}\W", name) else f"did you mean `{near}`?"
    return Diagnostic(
        "UNC107",
        f"`{shortened(name)}` is not a field of {where}",
        span,
        _shown(path),
        found=f"`{shortened(name)}`",
        expected="one of " + ", ".join(f"`{field}`" for field in known),
        hint=hint,
    )


def _cut_by_comma(path: FieldPath, source: Source) -> str | None:
    """What to do where a comma inside braces has cut a value, so that its end looks like a key without a value."""
    parent = source.value(path[:-1])
    if not path or source.value(path) is not None or not isinstance(parent, dict):
        return None
    place = source.places.get(path)
    if place is None or source.text[place.key_end :].lstrip()[:1] not in (",", "}"):
        return None
    before = list(parent)[: list(parent).index(str(path[-1]))]
    cut = parent[before[-1]] if before else None
    if not isinstance(cut, str):
        return None
    if re.fullmatch(r"[0-9]+", str(path[-1])) and re.fullmatch(r"[0-9]+", cut):
        return f"a number holds no comma: write `{cut}{'_' if len(str(path[-1])) == 3 else '.'}{path[-1]}`"
    return f'quote an expression that holds a comma inside braces: `{{{before[-1]}: "{shortened(cut, 30)}, ..."}}`'


def _bad_key(path: FieldPath, span: Span, source: Source, model: Model) -> Diagnostic:
    name, cut = str(path[-1]), _cut_by_comma(path, source)
    patterns = [pattern for schema in alternatives(path[:-1], model) for pattern in schema.get("patternProperties", {})]
    if any(pattern.startswith("^[a-z]") for pattern in patterns):
        schema = ({"type": "string", "pattern": patterns[0]},)
        expected, suggestion = words(schema), _identifier(name)
    else:
        expected, suggestion = "a whole number from 1 to 40", None
    return Diagnostic(
        "UNC109",
        f"`{shortened(name)}` cannot be a key of `{_shown(path[:-1])}`",
        span,
        _shown(path),
        found=f"`{shortened(name)}`",
        expected=expected,
        hint=cut or (f"for example `{suggestion}`" if suggestion else None),
    )


def _wrong_value(finding: _Finding, span: Span, source: Source, model: Model) -> Diagnostic:
    value, schemas = source.value(finding.path), alternatives(finding.path, model)
    code = finding.code
    if code == "UNC113" and isinstance(value, str) and _too_long(value):
        code = "UNC106"
    field = _shown(finding.path)
    message = {
        "UNC106": f"`{field}` is too long",
        "UNC112": f"`{field}` holds what cannot be shown",
        "UNC113": f"`{field}` is not an exact number",
    }.get(code, f"`{field}` has a value of the wrong kind")
    expected = "at most 40 digits" if (code, finding.code) == ("UNC106", "UNC113") else words(schemas)
    if code == "UNC112":
        expected = "characters that a reader can see, in one line without blanks at its ends"
    return Diagnostic(
        code,
        message,
        span,
        field,
        found=finding.words or _found(value),
        expected=expected,
        hint=_cut_by_comma(finding.path, source) or _hint(value, schemas),
    )


def _too_long(text: str) -> bool:
    return len(text) > MAXIMUM_NUMBER and re.fullmatch(NUMBER_PATTERN.strip("^$"), text) is not None


def _found(value: Data) -> str:
    match value:
        case None:
            return "nothing"
        case str():
            size = f", {len(value):,} characters" if len(value) > 60 else ""
            return f"`{shortened(value)}`{size}" if value else "an empty text"
        case list():
            return f"a list of {len(value)}" if value else "an empty list"
        case dict():
            keys = ", ".join(f"`{shortened(key, 30)}`" for key in list(value)[:4])
            return f"a mapping with {keys}{' and so on' if len(value) > 4 else ''}" if value else "an empty mapping"


def _hint(value: Data, schemas: Sequence[dict[str, Any]]) -> str | None:
    """What to do about a value of the wrong kind, where something can be said."""
    if value is None:
        return "write a value, or remove the field"
    kinds = {str(schema.get("type")) for schema in schemas}
    if "array" in kinds and "string" not in kinds:
        return _list_hint(value, schemas)
    if isinstance(value, list) and kinds == {"object"} and not any("properties" in schema for schema in schemas):
        return "give each a name: lines such as `name: value`, without `-`"
    if isinstance(value, dict) and "string" in kinds and len(value) == 1:
        return "where it is a text that holds `: `, put it in quotes"
    if not isinstance(value, str):
        return None
    known = [str(name) for schema in schemas for name in schema.get("enum", [])]
    meant = _WORDS_FOR.get(value.lower())
    near = [meant] if meant in known else get_close_matches(value.lower()[:60], known, n=1)
    if near:
        return f"did you mean `{near[0]}`?"
    is_name = any(str(schema.get("pattern", "")).startswith("^[a-z][a-z0-9_]") for schema in schemas)
    suggestion = _identifier(value) if is_name else None
    return f"for example `{suggestion}`" if suggestion and suggestion != value else None


def _list_hint(value: Data, schemas: Sequence[dict[str, Any]]) -> str | None:
    """How to write a list, in place of something else or of a list of the wrong length."""
    pair = any(schema.get("minItems") == schema.get("maxItems") == 2 for schema in schemas)
    if isinstance(value, list) and any(isinstance(each, str) and re.fullmatch("0{3}|[0-9]{3}", each) for each in value):
        return "a number holds no comma: write `10_000`" if pair and len(value) > 2 else None
    if isinstance(value, dict):
        return "write a list: each part begins with `- `"
    if pair:
        return "write two values in brackets, as in `[first, second]`"
    return f"write it in brackets, as in `[{shortened(value, 40)}]`" if isinstance(value, str) and value else None


_WORDS_FOR = MappingProxyType(
    {
        "number": "decimal", "float": "decimal", "numeric": "decimal", "int": "count", "integer": "count",
        "string": "category", "str": "category", "text": "category", "enum": "category", "choice": "category",
        "currency": "money", "amount": "money", "percent": "percentage", "time": "duration", "period": "duration",
        "measure": "quantity", "yes/no": "boolean", "flag": "boolean", "datetime": "date",
        "add": "sum", "addition": "sum", "total": "sum", "plus": "sum", "subtract": "difference", "minus": "difference",
        "multiply": "product", "times": "product", "divide": "ratio", "quotient": "ratio", "division": "ratio",
        "min": "capped", "minimum": "capped", "max": "capped", "maximum": "capped", "cap": "capped",
        "average": "weighted_mean", "mean": "weighted_mean", "tiered": "tiered_rate", "change": "percentage_change",
        "nearest": "half_up", "round": "half_up", "bankers": "half_even", "ceil": "ceiling", "truncate": "down",
    }
)  # fmt: skip
"""Words that other languages use, and those of this one."""


def _identifier(text: str) -> str | None:
    """A name for expressions that resembles the text."""
    bare = re.sub(r"[^a-z0-9]+", "_", text[:100].lower()).strip("_")[:40].strip("_")
    return bare if re.match("[a-z]", bare) else None


def _shown(path: FieldPath) -> str:
    return shortened(path_text(path), 120)
