"""verify: a dataset checked again by the checker that ships beside it, which shares no code with what made it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from unco.compiler.canonical import canonical, canonical_hash
from unco.compiler.checker.verify import Fault, NotDone, told_in_words
from unco.compiler.checker.verify import verify as check
from unco.compiler.executor import Executor, SerialExecutor
from unco.compiler.running.disk import MANIFEST, disk
from unco.specs.errors import InfrastructureError, UsageError
from unco.specs.family import Family

__all__ = ["Fault", "told_in_words", "verify"]


def verify(
    folder: Path, families: Sequence[Family], tell: Callable[[Fault], None], executor: Executor | None = None
) -> Mapping[str, Any]:
    """Check every group of a dataset, and that its rules are those of the families; each fault is told, in one order
    whatever does the work.

    Gives what was checked, as the checker's `--json`. Raises UsageError where the folder holds no finished dataset.
    """
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"{folder} holds no finished dataset: there is no {MANIFEST}")
    with disk(folder):
        try:
            found = check(folder, tell, (executor or SerialExecutor()).map)
        except NotDone as error:
            raise InfrastructureError(str(error)) from error
        others = [fault for family in families for fault in _other_rules(folder, family)]
    for fault in others:
        tell(fault)
    return {**found, "faults": found["faults"] + len(others)}


def _other_rules(folder: Path, family: Family) -> list[Fault]:
    """Why the dataset's rules are not the family's; nothing where they are."""
    path = folder / "specifications" / f"{family.digest}.json"
    expected = f"the rules of {family.name}, {canonical_hash(family)}"
    if not path.is_file():
        return [Fault(path.name, "", "specification", "no such file", expected)]
    try:
        same = json.loads(path.read_bytes()) == canonical(family)
    except (ValueError, RecursionError):
        same = False
    return [] if same else [Fault(path.name, "", "specification", "other rules", expected)]
