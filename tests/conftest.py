"""Profiles of Hypothesis: new examples on a desk, the same on CI, many under `make laws`. What needs more waits."""

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


WAITING = {"extras": "needs an extra: make test-extras", "local": "needs a small LLM: make test-local"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What needs more than `make test` has runs where it is asked for by its mark, and is told as skipped elsewhere."""
    for mark, reason in WAITING.items():
        if mark not in config.getoption("markexpr"):
            for item in items:
                if item.get_closest_marker(mark):
                    item.add_marker(pytest.mark.skip(reason=reason))
