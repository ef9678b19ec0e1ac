"""The 95% Wilson interval of a share, by whole numbers: the same on every machine."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

Z = Fraction(49, 25)
"""The 97.5% point of the normal distribution, to two places."""
PLACES = 3
FINE = 10**9


def wilson(right: int, groups: int) -> tuple[str, str]:
    """The ends of the interval as decimals, rounded outwards; of no groups at all, everything is possible."""
    if groups == 0:
        return decimal(Fraction(0)), decimal(Fraction(1))
    centre = 2 * right + Z**2
    radicand = Z**2 + Fraction(4 * right * (groups - right), groups)
    root = Fraction(isqrt(int(radicand * FINE**2)) + 1, FINE)
    width = 2 * (groups + Z**2)
    scale = 10**PLACES
    low = max(Fraction(0), (centre - Z * root) / width) * scale
    high = min(Fraction(1), (centre + Z * root) / width) * scale
    return decimal(Fraction(low.__floor__(), scale)), decimal(Fraction(high.__ceil__(), scale))


def decimal(share: Fraction) -> str:
    """A share between 0 and 1 with three places, half up."""
    thousandths = int(share * 10**PLACES + Fraction(1, 2))
    return f"{thousandths // 10**PLACES}.{thousandths % 10**PLACES:0{PLACES}}"
