"""Families and groups that several tests of rendering look at: R1, and one with all that wording has to cope with."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path

from unco.compiler.check import CheckOptions, check
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.perturb import perturb
from unco.compiler.planning.pins import load_pins
from unco.compiler.render import render
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Instance
from unco.specs.read import read_specification
from unco.specs.task import Rendered, RenderedGroup

REFERENCES = Path(str(resources.files("unco.specs").joinpath("read.py"))).parent / "references"
SUPERINTENDENT = REFERENCES / "underground_superintendent.yaml"
FACTS = REFERENCES / "underground_superintendent.facts.yaml"
GRANT = Path(__file__).parent / "compiler" / "hardship_grant.yaml"
PATHS = (SUPERINTENDENT, GRANT)
CASES = [(path, index) for path in PATHS for index in range(3)]


@cache
def family_of(path: Path) -> Family:
    return check(read_specification(path), CheckOptions(findings=False)).require()


@cache
def candidate_group(path: Path, index: int) -> CandidateGroup:
    group = instantiate(family_of(path), index, InstantiateOptions(seed=1))
    assert isinstance(group, CandidateGroup), group
    return group


@cache
def rendered(path: Path, index: int) -> Rendered:
    return render(family_of(path), candidate_group(path, index))


@cache
def tasks_of(path: Path, index: int) -> RenderedGroup:
    return perturb(family_of(path), candidate_group(path, index), rendered(path, index))


@cache
def papers_case() -> RenderedGroup:
    """The example of the paper's appendix B, with its own facts."""
    family = family_of(SUPERINTENDENT)
    group = instantiate(family, 0, InstantiateOptions(seed=1, pins=load_pins(family, FACTS)))
    assert isinstance(group, CandidateGroup), group
    return perturb(family, group, render(family, group))


def renamed(group: CandidateGroup, *names: str) -> CandidateGroup:
    """The group with other names for its candidates."""
    instance = group.instance
    return replace(group, instance=Instance(instance.cells, instance.parameters, names))
