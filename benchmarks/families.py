"""Specifications as families, checked without the solver's findings."""

from __future__ import annotations

from pathlib import Path

from unco.compiler.check import CheckOptions, check
from unco.specs.family import Family
from unco.specs.read import read_specification


def family_of(path: Path) -> Family:
    """The family of a file; raises SpecificationError where there is none."""
    return check(read_specification(path), CheckOptions(findings=False)).require()
