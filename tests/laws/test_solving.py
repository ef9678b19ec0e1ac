"""The reader over the scenario grammar: it never has another answer than gold, and follows whatever is changed."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from specification_strategies import build_specification
from specification_strategies import family_of as built_family

from benchmarks import reader
from unco.compiler.drafting.skeleton import skeletons
from unco.compiler.render import render
from unco.specs.errors import SpecificationError
from unco.specs.family import Family

pytestmark = pytest.mark.laws
OPEN = ("what is told leaves open who is eligible", "what is told leaves the result open")
"""Where nobody tells a fact, and only its domain, which no text names, settles the answer."""
MOST_OPEN = 0.02
BUILT = 60


def outcomes(name: str, family: Family, many: int) -> Counter[str]:
    """What the reader says of groups as they are rendered, and each time with one fact changed."""
    found: Counter[str] = Counter()
    for group in reader.groups(family, many):
        found[reader.read(render(family, group), group.index).said] += 1
        changed = reader.mutated(family, group, Random(f"{name}/{group.index}"))
        if changed is not None:
            found[f"changed: {reader.read(render(family, changed), group.index).said}"] += 1
    return found


def test_every_skeleton_and_operation_is_solved_unless_only_a_domain_settles_it():
    found: Counter[str] = Counter()
    for name, family in reader.drafted(seed=1):
        found += outcomes(name, family, 1)
    assert found["changed: "] == sum(many for said, many in found.items() if said.startswith("changed"))
    assert set(found) <= {"", "changed: ", *OPEN}
    assert found[""] > len(skeletons()) * 4
    assert sum(found[said] for said in OPEN) <= MOST_OPEN * found[""]


def test_what_is_built_of_every_construct_of_the_language_is_never_answered_wrongly():
    found: Counter[str] = Counter()
    for seed in range(BUILT):
        family = built_family(build_specification(Random(seed), ("tiny", "small", "large")[seed % 3], plannable=True))
        try:
            found += outcomes(str(seed), family, 1)
        except SpecificationError:
            continue
    assert not [said for said in found if "another answer" in said]
    assert found[""] + found["changed: "] > sum(found.values()) / 2
