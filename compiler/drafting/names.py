"""names: candidates' names. People's are made of a given and a family name of many cultures, drawn apart."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random

from unco.specs.source import read_source

PEOPLE = "people"


def names(pool: str | list[str], count: int, rng: Random) -> list[str]:
    """So many distinct names: of people, who share neither given nor family name; or of the list, or all that it has.

    Raises KeyError for a pool that is neither a list nor `people`.
    """
    if isinstance(pool, list):
        return rng.sample(pool, min(count, len(pool)))
    cultures = _pools()[pool]
    given = rng.sample([name for each in cultures.values() for name in each["given"]], count)
    family = rng.sample([name for each in cultures.values() for name in each["family"]], count)
    return [f"{first} {last}" for first, last in zip(given, family, strict=True)]


@cache
def words_of_people() -> frozenset[str]:
    """Every given and family name of the pool of people."""
    lists = (each[part] for each in _pools()[PEOPLE].values() for part in ("given", "family"))
    return frozenset(name for each in lists for name in each)


@cache
def _pools() -> dict[str, dict[str, dict[str, list[str]]]]:
    path = Path(str(files("unco.compiler.drafting").joinpath("pools.yaml")))
    pools: dict[str, dict[str, dict[str, list[str]]]] = read_source(path).data  # type: ignore[assignment]
    return pools
