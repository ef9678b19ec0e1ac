"""The documents say what is so: commands print what is shown, tests that are named exist, links lead somewhere."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from unco.cli import COMMANDS, application
from unco.cli.exits import MEANINGS
from unco.compiler import executor
from unco.compiler.pipeline import PHASES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
TUTORIALS = sorted(DOCS.glob("tutorial-*.md"))
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
FENCE = re.compile(r"^```(\w*) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
MACHINE = re.compile(r"(?<![\w.~-])/(work|home|root|tmp|Users|opt|var|usr|mnt|srv)/")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return FENCE.sub("", text_of(page))


# Commands ------------------------------------------------------------------------------------------------------------


def commands(block: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a `console` block, with the lines that it is shown to print."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = part.splitlines()
        yield command, shown


def pattern(shown: list[str]) -> re.Pattern[str]:
    """A line `...` stands for any lines, `...` in a line for any part of it; a gap between columns has any width."""
    return re.compile("".join(r"(?:.*\n)*?" if line == "..." else _line(line) + r"\n" for line in shown))


def _line(shown: str) -> str:
    literal = (" {2,}".join(map(re.escape, re.split(" {2,}", part))) for part in shown.split("..."))
    return ".*".join(literal)


def printed(command: str, folder: Path) -> str:
    """What a command prints on either stream, without blanks at the ends of lines."""
    done = _unco(command) if command.startswith("unco ") else _shell(command, folder)
    return "".join(f"{line.rstrip()}\n" for line in done.splitlines())


def _unco(command: str) -> str:
    return CliRunner().invoke(application(), shlex.split(command)[1:], prog_name="unco").output


def _shell(command: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, "PATH": path}, text=True, encoding="utf-8", check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.stdout


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, where commands run in this process: starting workers takes most of their time."""
    (tmp_path / "specs").symlink_to(ROOT / "specs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(executor, "ProcessExecutor", lambda *_, **__: executor.SerialExecutor())
    return tmp_path


@pytest.mark.parametrize("page", [README, *TUTORIALS], ids=name_of)
def test_a_page_shows_what_its_commands_print(page: Path, desk: Path) -> None:
    ran = 0
    for language, name, block in FENCE.findall(text_of(page)):
        if name:
            (desk / name).write_text(block, encoding="utf-8")
        for command, shown in commands(block) if language == "console" else ():
            found = printed(command, desk)
            assert pattern(shown).fullmatch(found), f"{name_of(page)}: $ {command}\n{found}"
            ran += 1
    assert ran


def test_an_output_that_differs_is_seen() -> None:
    shown = ["a ... z", "...", "one  two"]
    assert pattern(shown).fullmatch("a b z\nanything\n\none    two\n")
    for wrong in ("a b y\none  two\n", "a b z\none  two\nmore\n", "a b z\none two\n", "a b z\n", ""):
        assert not pattern(shown).fullmatch(wrong)


def test_every_command_is_shown_to_its_reader() -> None:
    read = "\n".join(map(text_of, [README, *TUTORIALS]))
    assert [name for name in COMMANDS if not re.search(rf"(unco|make) {name}\b", read)] == []


def test_the_readme_lists_every_exit_code() -> None:
    listed = re.findall(r"^\| (\d+) \| (.+) \|$", text_of(README), re.MULTILINE)
    assert listed == [(str(code.value), meaning) for code, meaning in MEANINGS.items()]


# What is named exists ------------------------------------------------------------------------------------------------


def test_the_readme_names_the_phases_in_order_with_their_files() -> None:
    rows = re.findall(r"^\| `(\w+)` \| \[(compiler/\w+\.py)\]", text_of(README), re.MULTILINE)
    assert tuple(phase for phase, _ in rows) == PHASES
    for phase, file in rows:
        assert file == f"compiler/{phase}.py"
        assert phase in functions(ROOT / file)


@cache
def functions(path: Path) -> frozenset[str]:
    """The names of the functions of a file, those in classes included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def homes(test: str) -> list[str]:
    """The files that hold a test of this name."""
    return [name_of(path) for path in sorted((ROOT / "tests").rglob("test_*.py")) if test in functions(path)]


def guarantees() -> list[tuple[str, str]]:
    """Each row of a table of guarantees, and what is said to hold it."""
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", text_of(DOCS / "guarantees.md"), re.MULTILINE)
    return [(said, held) for said, held in rows if said not in ("guarantee", "---")]


def test_every_guarantee_is_held_by_tests_that_exist() -> None:
    rows = guarantees()
    assert rows
    for said, held in rows:
        named = re.findall(r"\[`(\w+)`\]\(\.\./(tests/[\w/]+\.py)\)", held)
        assert named, said
        assert len(named) == held.count("]("), said
        for test, file in named:
            assert test.startswith("test_"), test
            assert test in functions(ROOT / file), f"{test} stands in {homes(test) or 'no file'}, not in {file}"


def test_generated_pages_are_up_to_date() -> None:
    generate = load(DOCS / "generate.py")
    for name, text in generate.pages().items():
        assert text_of(DOCS / name) == text, f"docs/{name} is out of date; run `make docs`"


def load(path: Path) -> ModuleType:
    """A Python file outside any package, as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# Links and paths -----------------------------------------------------------------------------------------------------


def slugs(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), target
        assert ROOT in (found, *found.parents), target
        assert not anchor or anchor in slugs(found), target


def test_the_index_lists_every_page() -> None:
    listed = {(DOCS / target).resolve() for target in LINK.findall(text_of(DOCS / "README.md"))}
    assert {page for page in DOCS.glob("*.md") if page.name != "README.md"} <= listed


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_page_names_a_folder_of_a_machine(page: Path) -> None:
    assert not MACHINE.search(text_of(page))
