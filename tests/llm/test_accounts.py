"""Accounts of a folder: the same as those of its desk, whoever works there, and without leaving a trace."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from tests.llm.asking import asked, endpoint, question
from tests.llm.faulty_server import good, refuses, says, served
from unco.llm.accounts import accounts_of
from unco.llm.budget import Price
from unco.llm.desk import opened
from unco.llm.store_file import FILE
from unco.specs.errors import SpecificationError

QUESTIONS = [question(str(number)) for number in range(4)]
ROOT = Path(__file__).parents[2]
KILLED = """
import os, sys
from pathlib import Path
from tests.llm.asking import asked, endpoint, question

with asked(Path(sys.argv[2]), endpoint(sys.argv[1])) as line:
    line.ask(question())
    os.kill(os.getpid(), 9)
"""
DOLLARS = Price(Decimal("0.15"), Decimal("0.60"), "USD")


def files(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def test_accounts_of_a_folder_are_those_of_its_desk_during_a_run_and_after_it(tmp_path: Path) -> None:
    folder = tmp_path / "a run, 100% #1?"
    folder.mkdir()
    with served(refuses(500), good) as server, opened(folder) as desk:
        line = desk.line("draft", "drafter", endpoint(server.url, price=DOLLARS))
        line.ask(QUESTIONS[0])
        assert accounts_of(folder) == desk.accounts()
        line.ask(QUESTIONS[1])
        told = desk.accounts()
        assert accounts_of(folder) == told
    assert accounts_of(folder) == told
    (account,) = told
    assert (account.requests, account.calls, account.faults) == (2, 3, {"UNC804": 1})
    assert account.money == DOLLARS.of(account.usage)


def test_accounts_of_a_killed_run_hold_what_it_paid_and_what_was_under_way(tmp_path: Path) -> None:
    with served() as server:
        killed = subprocess.run([sys.executable, "-c", KILLED, server.url, str(tmp_path)], cwd=ROOT, check=False)
    assert killed.returncode == -9
    assert (tmp_path / f"{FILE}-wal").exists()
    (account,) = accounts_of(tmp_path)
    assert (account.calls, account.tokens, account.unknown) == (1, 15, 0)


def test_reading_accounts_changes_no_file_and_makes_none(tmp_path: Path) -> None:
    assert accounts_of(tmp_path) == accounts_of(tmp_path / "nowhere") == []
    with served() as server, asked(tmp_path, endpoint(server.url)) as line:
        line.ask(QUESTIONS[0])
    before = files(tmp_path)
    assert list(before) == [FILE]
    accounts_of(tmp_path)
    assert files(tmp_path) == before


def test_accounts_of_a_folder_that_may_only_be_read(tmp_path: Path) -> None:
    with served() as server, asked(tmp_path, endpoint(server.url)) as line:
        line.ask(QUESTIONS[0])
    tmp_path.chmod(0o555)
    try:
        assert len(accounts_of(tmp_path)) == 1
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_file_of_somebody_else_has_no_accounts(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(SpecificationError, match="UNC704"):
        accounts_of(tmp_path)
    assert files(tmp_path) == {FILE: content}


def test_replies_found_to_repeat_one_are_told_once_however_often_they_are_found(tmp_path: Path) -> None:
    with served(good, then=says('{"answer": "the same"}')) as server:
        for _ in range(2):
            with asked(tmp_path, endpoint(server.url)) as line:
                list(line.ask_all(QUESTIONS, 2, seen=set()))
    (account,) = accounts_of(tmp_path)
    assert (account.calls, account.faults) == (4, {"UNC814": 2})


def test_where_nobody_asks_for_it_a_repetition_is_no_fault(tmp_path: Path) -> None:
    with served(then=says('{"answer": "the same"}')) as server, asked(tmp_path, endpoint(server.url)) as line:
        list(line.ask_all(QUESTIONS, 2))
    (account,) = accounts_of(tmp_path)
    assert account.faults == {}
