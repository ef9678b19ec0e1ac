"""Grown specifications have the size that was asked for, and are ones of the language."""

from __future__ import annotations

from itertools import product

import pytest

from benchmarks.grown import Size, grown
from unco.compiler.checking.structure import owners
from unco.solver.family import prove_claims
from unco.specs.family_proof import FamilyClaimName, FamilyProved, Scope

ENDS = [Size(*ends) for ends in product((5, 12), (5, 20), (3, 8))]


@pytest.mark.parametrize("size", [*ENDS, Size()], ids=lambda size: size.name)
def test_a_grown_family_has_the_size_that_was_asked_for(size: Size) -> None:
    family = grown(size)
    assert (len(family.roles), len(family.conditions), family.candidates) == (
        size.roles,
        size.conditions,
        size.candidates,
    )
    rules = [each.expression for each in (*family.conditions, family.calculation)]
    assert set(owners(family, rules)) == {role.id for role in family.roles}


def test_every_role_of_a_grown_family_is_necessary_wherever_somebody_wins() -> None:
    claims = prove_claims(grown(Size())).claims
    found = [each.verdict for each in claims if (each.name, each.scope) == (FamilyClaimName.NECESSARY, Scope.WINNER)]
    assert len(found) == Size().roles
    assert all(isinstance(verdict, FamilyProved) for verdict in found)
