"""Profiles of Hypothesis: new examples on a desk, the same ones on CI, many under `make laws`. Tests of extras wait."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
"""A shared machine can be slow; that alone is no failure."""

settings.register_profile("desk", deadline=None, suppress_health_check=SLOW, print_blob=True)
settings.register_profile("ci", settings.get_profile("desk"), derandomize=True)
settings.register_profile("laws", settings.get_profile("desk"), max_examples=2_000)
settings.load_profile("ci" if os.environ.get("CI") else "desk")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What needs an extra runs where it is asked for by its mark, and is told as skipped elsewhere."""
    if "extras" in config.getoption("markexpr"):
        return
    waiting = pytest.mark.skip(reason="needs an extra: make test-extras")
    for item in items:
        if item.get_closest_marker("extras"):
            item.add_marker(waiting)
