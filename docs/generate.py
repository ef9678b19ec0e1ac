"""Generates the reference pages from the code: `python docs/generate.py`, or `--check` to compare only."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from unco.compiler.checking.forms import FORMS
from unco.solver.operators.operator import Operator
from unco.solver.operators.table import OPERATORS
from unco.specs.codes import CODES
from unco.specs.document import Specification
from unco.specs.expression import Table
from unco.specs.printer import print_expression
from unco.specs.schema import json_schema
from unco.specs.syntax import Call, Name, NumberLiteral, Syntax
from unco.specs.units import parse_unit, unit_names
from unco.specs.values import Value

FOLDER = Path(__file__).parent
DATE_MODES = ("add_months", "years_between", "months_between")
AGGREGATES = {"count": "count", "any": "any", "all": "all", "total": "sum"}


def pages() -> dict[str, str]:
    """Every generated page by its file name."""
    return {"language.md": "\n".join(_language()) + "\n", "codes.md": "\n".join(_codes()) + "\n"}


def _language() -> Iterator[str]:
    yield "# Language reference\n"
    yield "Generated from the code by `make docs`; do not edit.\n"
    yield "A specification is a YAML or JSON file. `unco schema` prints its JSON Schema for editors.\n"
    yield from _sections()
    yield from _expressions()
    yield from _forms()
    yield from _units()


def _sections() -> Iterator[str]:
    schema = json_schema()
    yield "## Sections\n"
    yield "### The file\n"
    yield Specification.__doc__ or ""
    yield from _fields(schema)
    for name, section in sorted(schema.get("$defs", {}).items()):
        if "properties" in section:
            yield f"\n### {section.get('title', name)}\n"
            yield section.get("description", "")
            yield from _fields(section)


def _fields(section: dict[str, Any]) -> Iterator[str]:
    yield "\n| field | value | default | meaning |\n| --- | --- | --- | --- |"
    required = section.get("required", [])
    for name, field in section["properties"].items():
        default = "required" if name in required else _default(field)
        meaning = " ".join(field.get("description", "").split())
        yield f"| `{name}` | {_kind(field)} | {default} | {_cell(meaning)} |"


def _default(field: dict[str, Any]) -> str:
    default = field.get("default")
    if isinstance(default, dict):
        return "its own defaults" if default else ""
    return "" if default in (None, []) else f"`{_cell(json.dumps(default))}`"


def _kind(field: dict[str, Any]) -> str:
    """What a field holds, in a word or two."""
    if "$ref" in field:
        return field["$ref"].rsplit("/", 1)[-1]
    if "anyOf" in field:
        kinds = (_kind(option) for option in field["anyOf"] if option.get("type") != "null")
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    if field.get("type") == "object":
        inner = field.get("additionalProperties")
        return f"map of {_kind(inner)}" if isinstance(inner, dict) else "map"
    if field.get("type") == "array":
        inner = field.get("items")
        return f"list of {_kind(inner)}" if isinstance(inner, dict) else "list"
    kind = field.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _expressions() -> Iterator[str]:
    yield "\n## Expressions\n"
    yield "Literals: `12`, `0.5`, `25_000_000`, `12 years`, `6250 USD per term`, `75%`, `2026-03-31`,"
    yield '`"a category"`, `true`, `false`. A name is an attribute in its required context, or a parameter;'
    yield '`name["other context"]` is an attribute in another context. From loosest to tightest: `if`, `or`, `and`,'
    yield "`not`, comparisons, `+ -`, `* / //`.\n"
    yield "Numbers of one dimension are converted exactly. In the table, numbers are in base units (months, seconds).\n"
    yield "| written | reads | examples |\n| --- | --- | --- |"
    for name, operator in OPERATORS.items():
        yield f"| `{_cell(_written(name, operator))}` | {_cell(_read(operator))} | {_cell(_examples(operator))} |"


def _arity(operator: Operator) -> int:
    return max((len(example.arguments) for example in operator.examples), default=1) or 1


def _written(name: str, operator: Operator) -> str:
    """The operator on letters, as an author writes it."""
    letters: tuple[Syntax, ...] = tuple(Name(letter) for letter in "abcdefgh"[: min(_arity(operator), 4)])
    if name in AGGREGATES:
        return print_expression(Call(AGGREGATES[name], (Name("group"), Name("a"))))
    if name in ("lookup", "tiered"):
        return print_expression(Call(name, (Name("table"), Name("a"))))
    if name == "round":
        return print_expression(Call(name, (Name("a"), NumberLiteral(Fraction(0)), Name("half_up"))))
    if name in DATE_MODES:
        return print_expression(Call(name, (*letters[:2], Name("down"))))
    return print_expression(Call(name, letters))


def _read(operator: Operator) -> str:
    letters = list("abcdefgh"[: min(_arity(operator), 4)])
    options = operator.examples[0].options if operator.examples else ()
    return operator.phrase(letters, options)


def _examples(operator: Operator) -> str:
    shown = []
    for example in operator.examples[:4]:
        arguments = ", ".join(_value(value) for value in example.arguments)
        modes = "".join(f"; {option}" for option in example.options if not isinstance(option, Table))
        shown.append(f"({arguments}{modes}) → {'undefined' if example.result is None else _value(example.result)}")
    return "; ".join(shown)


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, date) else str(value)


def _forms() -> Iterator[str]:
    yield "\n## Operations\n"
    yield "The formula must have the form of its operation.\n"
    yield "| operation | form |\n| --- | --- |"
    for name, (_, words) in FORMS.items():
        yield f"| `{name}` | {_cell(words)} |"


def _units() -> Iterator[str]:
    yield "\n## Units\n"
    yield "A unit is one of these, `X per Y`, `%`, or a counting unit declared under `units`. Currencies are the"
    yield "ISO 4217 codes, each a dimension of its own.\n"
    yield "| dimension | units |\n| --- | --- |"
    groups: dict[str, list[str]] = {}
    for name in unit_names():
        dimension = parse_unit(name).dimension
        if len(dimension) == 1 and dimension[0][0].isupper():
            continue
        key = " · ".join(base if power == 1 else f"{base}^{power}" for base, power in dimension) or "(none)"
        groups.setdefault(key, []).append(f"`{name}`")
    for key, names in sorted(groups.items()):
        yield f"| {key} | {', '.join(names)} |"


def _codes() -> Iterator[str]:
    yield "# Codes\n"
    yield "Generated from the code by `make docs`; do not edit. `unco explain CODE` prints a row.\n"
    yield "| code | meaning |\n| --- | --- |"
    for code, meaning in CODES.items():
        yield f"| {code} | {_cell(meaning)} |"


def main() -> int:
    """Write the pages; with `--check`, only say which are out of date."""
    stale = [name for name, text in pages().items() if not _is_current(FOLDER / name, text)]
    for name in stale:
        if "--check" in sys.argv:
            print(f"docs/{name} is out of date; run `make docs`")
        else:
            (FOLDER / name).write_text(pages()[name], encoding="utf-8")
            print(f"wrote docs/{name}")
    return int(bool(stale) and "--check" in sys.argv)


def _is_current(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
