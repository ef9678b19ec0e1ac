"""The UNSAT claims of every shipped family and of generated ones: UNSAT again, and they say what their claims say."""

from __future__ import annotations

import pytest
from generated_laws import BUDGET, deeply, law
from hypothesis import assume
from proof_files import ProofFiles, proof_files, shipped_files
from specification_strategies import family_of, specifications

from unco.solver.smtlib.engines import Outcome, by_z3
from unco.specs.document import Specification
from unco.specs.errors import InfrastructureError
from unco.specs.shipped import shipped_specifications


def require_true(files: ProofFiles) -> None:
    """Every question is UNSAT again, and no formula says something else than its claim."""
    for text in files.queries.values():
        assert by_z3(text, 10 * BUDGET).outcome is Outcome.REPROVED
    of_formulas = [fault for fault in files.faults() if "Proved, since it is required" not in fault]
    assert of_formulas == []


@pytest.mark.laws
@pytest.mark.parametrize("name", sorted(shipped_specifications()))
def test_the_unsat_claims_of_a_shipped_family_are_true(name: str) -> None:
    require_true(shipped_files(name))


@law(4, 150, specification=specifications("small", plannable=True))
def test_the_unsat_claims_of_a_generated_family_are_true(specification: Specification) -> None:
    try:
        files = proof_files(family_of(specification))
    except InfrastructureError:
        assume(False)
    require_true(files)


test_deeply = deeply(__name__)
