"""The figures of the paper that a summary stands beside.

"Beyond Perfect Teammates: Multi-Agent Collaboration with Unreliable Colleagues" (UNCOBENCH): Table 4, Table 5,
Figure 7, sections 3.5, C.1 and C.2. Its specifications were drafted by an LLM.
"""

from __future__ import annotations

from fractions import Fraction

SOURCE = (
    "Beyond Perfect Teammates: Multi-Agent Collaboration with Unreliable Colleagues (UNCOBENCH), "
    "Table 4, Table 5, Figure 7, sections C.1 and C.2"
)
STAGES = {"specification": (7, 1_296), "logic": (7, 1_289), "rendering and validation": (282, 1_282)}
"""Rejected, of how many that came to the stage."""
RETAINED = (1_000, 1_296)
FILLED = (108, 112)
"""Pairs of domain and operation."""
LARGEST_DOMAIN = Fraction(155, 1_000)
OPERATIONS = (Fraction(110, 1_000), Fraction(138, 1_000))
"""The shares of the least and of the most used operation."""
COMPLETE_DOMAINS = (12, 14)
VALIDATIONS = "an LLM of its own, 3 runs: all 3,000 right"
