"""The weights of failed conditions: what the author gives is another specification, even where it is the default."""

from __future__ import annotations

from typing import Any

from tests.small_families import family, small, specification
from unco.compiler.canonical import canonical
from unco.specs.family import FAILED_CONDITIONS, Family

DEFAULT: dict[str, Any] = {"plan": {"failed_conditions": {many: str(weight) for many, weight in FAILED_CONDITIONS}}}


def given() -> Family:
    return family(specification(**DEFAULT))


def test_weights_that_the_author_gives_hold_for_every_loser() -> None:
    assert (small().plan.failed_conditions, small().plan.every_loser) == (FAILED_CONDITIONS, False)
    assert (given().plan.failed_conditions, given().plan.every_loser) == (FAILED_CONDITIONS, True)


def test_the_default_weights_given_by_the_author_are_another_specification() -> None:
    assert given().digest != small().digest
    assert canonical(given())["plan"] != canonical(small())["plan"]
