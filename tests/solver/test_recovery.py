"""What a role withholds is returned, for every instance at once: one run with values that nothing can look at."""

from __future__ import annotations

import pytest

from tests.families import shipped
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.recover import recoverable
from unco.solver import recovery
from unco.solver.recovery import Opaque
from unco.specs import policy
from unco.specs.family_proof import FamilyProved, FamilyRefuted, Vacuous
from unco.specs.group import CandidateGroup, Incomplete, Misaligned, Missed
from unco.specs.shipped import shipped_specifications
from unco.specs.verdict import Proved


@pytest.mark.parametrize("name", shipped_specifications())
def test_every_role_with_a_defect_is_recoverable_for_the_family_and_in_a_group(name: str) -> None:
    family = shipped(name)
    verdicts = {role.id: recovery.recovery(family, role.id) for role in family.roles}
    assert all(isinstance(verdict, FamilyProved | Vacuous) for verdict in verdicts.values())
    group = instantiate(family, 0, InstantiateOptions())
    assert isinstance(group, CandidateGroup)
    assert isinstance(recoverable(family, group), Proved)


def test_a_role_without_a_defect_is_vacuous() -> None:
    family = shipped("underground-superintendent")
    offered = family.perturbations
    aimed = {family.attribute_by_id[name].owner for name in (*offered.misaligned, *offered.incomplete)}
    free = {role.id for role in family.roles} - aimed - set(offered.missed)
    found = {role.id for role in family.roles if isinstance(recovery.recovery(family, role.id), Vacuous)}
    assert found == free


@pytest.mark.parametrize(
    ("kept", "told"), [(Misaligned, "told for"), (Incomplete, "told vaguely"), (Missed, "a request overlooked")]
)
def test_a_policy_that_keeps_a_defect_is_refuted(monkeypatch: pytest.MonkeyPatch, kept: type, told: str) -> None:
    right = policy.respond

    def keeps(family, instance, role, defect, memory, request, harmless):  # type: ignore[no-untyped-def]
        first = policy.Delivery() if isinstance(defect, kept) else memory
        return right(family, instance, role, defect, first, request, harmless)

    monkeypatch.setattr(recovery, "respond", keeps)
    family = shipped("underground-superintendent")
    verdicts = [recovery.recovery(family, role.id) for role in family.roles]
    refuted = [verdict for verdict in verdicts if isinstance(verdict, FamilyRefuted)]
    assert refuted
    assert all(told in verdict.because for verdict in refuted)


def test_a_policy_that_looks_at_a_value_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = policy.respond

    def looks(family, instance, role, defect, memory, request, harmless):  # type: ignore[no-untyped-def]
        found = next(iter(instance.cells.values()))
        return right(family, instance, role, defect if found else None, memory, request, harmless)

    monkeypatch.setattr(recovery, "respond", looks)
    family = shipped("underground-superintendent")
    with pytest.raises(TypeError, match="looked at a value"):
        recovery.recovery(family, family.roles[0].id)


def test_opaque_values_equal_themselves_alone_and_have_no_order() -> None:
    one, other = Opaque(), Opaque()
    assert one == one
    assert one != other
    with pytest.raises(TypeError):
        one < other  # type: ignore[operator]  # noqa: B015
