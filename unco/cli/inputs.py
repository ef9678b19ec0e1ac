"""What commands are given: a specification by file or by the name of a shipped one, facts, a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from unco.cli.output import tell
from unco.specs.errors import SpecificationError, UsageError
from unco.specs.shipped import shipped_facts, shipped_specifications

if TYPE_CHECKING:
    from unco.compiler.check import Checked
    from unco.compiler.executor import Executor
    from unco.specs.facts import Pins
    from unco.specs.family import Family

SUFFIX = ".yaml"
"""How the specifications in a folder end."""
Seen = Callable[[str, int, int], None]


@dataclass(frozen=True)
class CheckBudget:
    """How specifications are checked before anything is built of them."""

    findings: bool
    rlimit: int


def specification_path(given: str) -> Path:
    """The file, or the shipped specification of this name."""
    shipped = shipped_specifications()
    if Path(given).exists() or given not in shipped:
        _require_file_name(given, shipped)
        return Path(given)
    return shipped[given]


def facts_path(given: str) -> Path:
    """The file, or the facts that are shipped with the specification of this name."""
    shipped = shipped_facts()
    if Path(given).exists() or given not in shipped:
        _require_file_name(given, shipped)
        return Path(given)
    return shipped[given]


def _require_file_name(given: str, shipped: Sequence[str] | dict[str, Path]) -> None:
    """A bare word that is no file was meant as a shipped name."""
    if not given:
        raise UsageError("expected a file or the name of a shipped specification, found an empty text")
    if not Path(given).exists() and not any(sign in given for sign in "./\\"):
        raise UsageError(f"there is no file and nothing shipped of the name {given}; shipped: {', '.join(shipped)}")


def specification_paths(given: Sequence[str]) -> list[Path]:
    """The files that are meant: a folder stands for all its `.yaml` files, by name."""
    return [path for each in given for path in _files(specification_path(each))]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(path.glob(f"*{SUFFIX}"))
    if not found:
        raise UsageError(f"{path}: expected a folder with specifications, found none in it that ends with {SUFFIX}")
    return found


def check_files(
    given: Sequence[str], budget: CheckBudget, executor: Executor, seen: Seen = lambda name, done, wanted: None
) -> list[Checked]:
    """Read and check specifications; one that cannot be read is checked, too: as one that does not stand.

    `seen` is told after each how many are checked, and of how many.
    """
    from unco.compiler.check import Checked, CheckOptions, check
    from unco.specs.read import Loaded, read_specification
    from unco.specs.source import Source

    read: list[Loaded | Checked] = []
    for path in specification_paths(given):
        try:
            read.append(read_specification(path))
        except SpecificationError as error:
            read.append(Checked(None, error.diagnostics, Source(str(path), error.text or "")))
    options = CheckOptions(budget.findings, budget.rlimit)
    loaded = [each for each in read if isinstance(each, Loaded)]
    results = executor.map(partial(check, options=options), loaded) if loaded else iter(())
    checked: list[Checked] = []
    for each in read:
        checked.append(each if isinstance(each, Checked) else next(results))
        seen("checking", len(checked), len(read))
    list(results)
    return checked


def families_of(
    given: Sequence[str], budget: CheckBudget, executor: Executor, seen: Seen = lambda name, done, wanted: None
) -> list[Family]:
    """The families of specifications that stand; their warnings are told; SpecificationError for one that does not."""
    from unco.specs.diagnostics import render_text

    paths = [path.resolve() for path in specification_paths(given)]
    if len(set(paths)) != len(paths):
        raise UsageError("a specification is given twice")
    checked = check_files(given, budget, executor, seen)
    for each in checked:
        if each.family is not None and each.diagnostics:
            tell(render_text(each.diagnostics, each.source).rstrip("\n"))
    families = [each.require() for each in checked]
    names = [family.name for family in families]
    if len(set(names)) != len(names):
        raise UsageError("two of the specifications have one name")
    return families


def require_one(facts: str | None, given: Sequence[str]) -> None:
    """Facts go with one specification; UsageError otherwise."""
    if facts is not None and len(specification_paths(given)) != 1:
        raise UsageError("--facts goes with one specification")


def pins_of(facts: str | None, families: Sequence[Family]) -> Pins | None:
    """The pinned facts of a file, which go with one specification."""
    if facts is None:
        return None
    from unco.compiler.planning.pins import load_pins

    return load_pins(families[0], facts_path(facts))
