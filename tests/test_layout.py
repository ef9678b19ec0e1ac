"""The folders, their links and the lint that guards them agree."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BESIDE = {"unco", "tests", "docs", "benchmarks", "build", "dist", "demo", "out", "corpus"}
"""Folders at the top that are no package behind a link."""
LONGEST = 400
ONE_FILE = "compiler/checker/verify.py"
"""The checker may be longer: it is to be one file that needs no other."""


def folders() -> tuple[str, ...]:
    """The folders that setup.py maps to the import name."""
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    (found,) = (
        node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FOLDERS"
    )
    return tuple(ast.literal_eval(found.value))


FOLDERS = folders()


def modules() -> Iterator[Path]:
    """Every Python file that is shipped."""
    for folder in ("unco", *FOLDERS):
        for place, _, names in os.walk(ROOT / folder, followlinks=False):
            yield from (Path(place, name) for name in names if name.endswith(".py"))


def test_every_top_level_folder_with_code_is_mapped_to_the_import_name() -> None:
    tops = [top for top in ROOT.iterdir() if top.is_dir() and not top.name.startswith(".") and top.name not in BESIDE]
    assert {top.name for top in tops if any(top.rglob("*.py"))} == set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_mapped_folder_has_a_relative_link(folder: str) -> None:
    link = ROOT / "unco" / folder
    assert link.is_symlink()
    assert os.readlink(link) == f"../{folder}"


def test_there_is_no_other_link() -> None:
    assert {entry.name for entry in (ROOT / "unco").iterdir() if entry.is_symlink()} == set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_importing_a_folder_by_its_root_name_is_a_lint_error(folder: str) -> None:
    command = (sys.executable, "-m", "ruff", "check", "--no-cache", "--stdin-filename", "solver/probe.py", "-")
    for source in (f"import {folder}\n\nprint({folder})\n", f"from {folder}.probe import name\n\nprint(name)\n"):
        done = subprocess.run(command, cwd=ROOT, input=source, capture_output=True, text=True, check=False)
        assert "TID251" in done.stdout


def test_the_import_contract_covers_every_folder() -> None:
    settings = SETTINGS["tool"]["importlinter"]
    (layers,) = (contract for contract in settings["contracts"] if contract["type"] == "layers")
    assert set(settings["root_packages"]) == {"unco"} | {f"unco.{folder}" for folder in FOLDERS}
    assert set(FOLDERS) <= set(re.findall(r"\w+", " ".join(layers["layers"])))


def test_no_module_is_named_after_nothing() -> None:
    vague = re.compile(r"(^|_)(util|utils|helper|helpers|common|misc)(_|$)")
    assert not [
        path for path in modules() for part in path.relative_to(ROOT).with_suffix("").parts if vague.search(part)
    ]


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in modules()}
    assert lengths.pop(ONE_FILE)
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_the_guide_lists_every_target_of_the_makefile() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    listed = re.findall(r"^\| `make ([a-z-]+)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(set(targets) - {"help"})


def test_ci_runs_the_tests() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "\nmake test\n" in script.read_text(encoding="utf-8")
