"""What the laws over generated specifications share: how they run, and instances of any family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from unco.compiler.planning.draw import draw, settled
from unco.solver.judge import judge, violations
from unco.solver.landmarks import landmarks
from unco.specs.expression import Expression
from unco.specs.family import Cell, Family, Slot
from unco.specs.instance import Instance, SeveralEligible
from unco.specs.values import Value

BUDGET = 3_000_000
"""Z3 resource units a question: what takes longer is Unknown, and says nothing here."""
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""No shrinking: a specification comes from a seed, so that nothing is simpler than anything else but its size."""
DEEP: dict[str, dict[str, Callable[[], None]]] = {}
"""The deep tests of each module, by name."""
seeds = st.integers(0, 10**9)


def law(quick: int, deep: int, **strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Any]:
    """A law, run on `quick` examples, and under the marker `laws` on `deep` ones."""

    def decorate(check: Callable[..., None]) -> Callable[[], None]:
        quick_test, deep_test = (
            settings(max_examples=examples, phases=PHASES, deadline=None, suppress_health_check=list(HealthCheck))(
                given(**strategies)(check)
            )
            for examples in (quick, deep)
        )
        DEEP.setdefault(check.__module__, {})[check.__name__] = deep_test
        return quick_test

    return decorate


def deeply(module: str) -> Any:
    """The test that runs every law of a module on many examples."""

    @pytest.mark.laws
    @pytest.mark.parametrize("name", DEEP[module])
    def test_deeply(name: str) -> None:
        DEEP[module][name]()

    return test_deeply


# Instances -----------------------------------------------------------------------------------------------------------


def parameters_of(family: Family, rng: Random) -> dict[str, Value]:
    """Values of the parameters: the pinned ones as they are, the others drawn."""
    return {each.id: draw(each.domain, rng) if each.value is None else each.value for each in family.parameters}


def cells_of_one(family: Family, parameters: Mapping[str, Value], rng: Random) -> dict[Slot, Value]:
    """Cells of a candidate in their domains, half of them where an answer may change."""

    def one(slot: Slot) -> Value:
        if rng.randrange(2):
            return rng.choice(landmarks(family, slot, tuple(sorted(parameters.items()))))
        return draw(family.domains[slot], rng)

    return settled(family, {slot: one(slot) for slot in family.slots})


def any_instance(family: Family, rng: Random) -> Instance:
    """An instance with all cells in their domains, legal or not."""
    parameters = parameters_of(family, rng)
    cells = {
        Cell(number, *slot): value
        for number in range(family.candidates)
        for slot, value in cells_of_one(family, parameters, rng).items()
    }
    return Instance(cells, parameters, family.candidate_names[: family.candidates])


def legal_instance(family: Family, rng: Random, *, promise: bool = True) -> Instance:
    """A legal instance, that keeps the promise if asked; the example is given up where none is found."""
    instance = any_instance(family, rng)
    for _ in range(60):
        broken = {violation.candidate for violation in violations(family, instance)}
        outcome = judge(family, instance)
        if not broken and promise and isinstance(outcome, SeveralEligible):
            broken = set(outcome.candidates[1:])
        if not broken:
            return instance
        for number in broken:
            cells = cells_of_one(family, instance.parameters, rng)
            instance = instance.changed({Cell(number, *slot): value for slot, value in cells.items()})
    assume(False)
    raise AssertionError


def rules_of(family: Family) -> list[Expression]:
    rules = [rule.expression for rule in (*family.conditions, *family.consistency, *family.plan.winner)]
    return [*rules, family.calculation.expression]


def some_hidden(family: Family, rng: Random) -> frozenset[Cell]:
    """Some cells to hide: a role's, an attribute's, or any."""
    match rng.randrange(3):
        case 0:
            return family.cells_of(rng.choice(family.roles).id)
        case 1:
            chosen = rng.choice(family.attributes).id
            return frozenset(cell for cell in family.cells if cell.attribute == chosen)
        case _:
            return frozenset(rng.sample(family.cells, rng.randint(1, min(6, len(family.cells)))))
