"""A specification as YAML text that a person would have written, and that reads back equal."""

from __future__ import annotations

import re
import sys
from typing import Any

import yaml
from yaml.resolver import Resolver

from unco.specs.document import Specification
from unco.specs.located import FieldPath
from unco.specs.schema import alternatives, fields

_LINE = 100
_FIRST = ("name", "label", "owner", "type")
_BARE = re.compile(r"-?[0-9]+(\.[0-9]+|/[0-9]+|-[0-9]{2}-[0-9]{2})?|true|false")
"""Numbers, dates and Booleans: plain where the language has them, quoted where they are names."""
_RESOLVER: Any = Resolver()
_TAG = "tag:yaml.org,2002:"


def to_yaml(specification: Specification) -> str:
    """The YAML text of a specification: fields in order, what equals its default left out."""
    data = specification.dump()
    return "".join(("\n" if isinstance(value, dict | list) else "") + _text(key, value) for key, value in data.items())


def _text(key: str, value: Any) -> str:
    """One field of the specification."""
    node = _mapping({key: value}, ())
    return str(yaml.serialize(node, Dumper=yaml.SafeDumper, width=sys.maxsize, allow_unicode=True))


def _node(value: Any, path: FieldPath) -> Any:
    match value:
        case dict():
            return _mapping(value, path)
        case list():
            items = [_node(item, (*path, index)) for index, item in enumerate(value)]
            return yaml.SequenceNode(f"{_TAG}seq", items, flow_style=_short(value))
        case bool():
            return yaml.ScalarNode(f"{_TAG}bool", "true" if value else "false")
        case int():
            return yaml.ScalarNode(f"{_TAG}int", str(value))
        case _:
            return _scalar(str(value), path)


def _mapping(value: dict[str, Any], path: FieldPath) -> Any:
    """A mapping; within a list, or empty, on one line where it is short."""
    known = fields(path)
    keys = (
        sorted(value, key=lambda key: _FIRST.index(key) if key in _FIRST else len(_FIRST)) if path and known else value
    )
    pairs = [(_key(key), _node(value[key], (*path, key))) for key in keys]
    in_list = bool(path) and isinstance(path[-1], int)
    flow = not value or (in_list and _short(list(value.values())))
    return yaml.MappingNode(f"{_TAG}map", pairs, flow_style=flow)


def _key(key: str) -> Any:
    return yaml.ScalarNode(f"{_TAG}{'int' if key.isdecimal() else 'str'}", key)


def _scalar(text: str, path: FieldPath) -> Any:
    """A text: plain where YAML allows it and no other reader would take it for something else."""
    if _BARE.fullmatch(text) and any(isinstance(schema.get("type"), list) for schema in alternatives(path)):
        return yaml.ScalarNode(_RESOLVER.resolve(yaml.ScalarNode, text, (True, False)), text)
    return yaml.ScalarNode(f"{_TAG}str", text, style=_style(text))


def _style(text: str) -> str | None:
    """A literal block for lines that one keeps as they are; one line is plain where YAML allows it."""
    if "\n" not in text:
        return None
    lines = text.split("\n")
    return "|" if lines[0] and lines[-1] and all(line == line.strip() for line in lines) else '"'


def _short(values: list[Any]) -> bool:
    """Whether values are scalars that fit on one line."""
    if any(isinstance(value, dict | list) or "\n" in str(value) for value in values):
        return False
    return sum(len(str(value)) + 2 for value in values) <= _LINE
