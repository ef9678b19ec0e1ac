"""The specifications that unco ships, by name, and the facts that go with them."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "references"
FACTS = ".facts.yaml"


def shipped_specifications() -> dict[str, Path]:
    """The shipped specifications, by name."""
    return {_name(path, ".yaml"): path for path in sorted(FOLDER.glob("*.yaml")) if not path.name.endswith(FACTS)}


def shipped_facts() -> dict[str, Path]:
    """The facts that are shipped, by the name of their specification."""
    return {_name(path, FACTS): path for path in sorted(FOLDER.glob(f"*{FACTS}"))}


def _name(path: Path, ending: str) -> str:
    return path.name.removesuffix(ending).replace("_", "-")
