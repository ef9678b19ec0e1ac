"""Whatever goes wrong ends in a diagnostic or in one line, and in the exit code of its kind."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import unco.specs.schema
from unco.cli import application
from unco.cli.exits import Exit
from unco.compiler.executor import ProcessExecutor, call
from unco.llm.protocol import LlmError
from unco.specs.errors import Diagnostic, InconsistencyError, InfrastructureError, SpecificationError, UsageError

UNCO = (sys.executable, "-m", "unco")
SPECIFICATION_ERROR = SpecificationError([Diagnostic("UNC204", "units do not fit")])
FAULTS = [
    (SPECIFICATION_ERROR, Exit.REJECTED, "error UNC204: units do not fit"),
    (UsageError("do this"), Exit.USAGE, "unco: error UNC703: do this"),
    (InfrastructureError("disk full"), Exit.MACHINE, "unco: error UNC901: disk full"),
    (LlmError("UNC805", "no answer"), Exit.MACHINE, "unco: error UNC805: no answer\n"),
    (MemoryError(), Exit.MACHINE, "unco: error UNC901: there is not enough memory"),
    (OSError(errno.ENOSPC, "no space", "file"), Exit.MACHINE, "unco: error UNC901: file: no space"),
    (InconsistencyError("twins disagree"), Exit.BUG, "unco: error UNC999: a bug in unco"),
    (ZeroDivisionError("oops\nTraceback \x1b[31m"), Exit.BUG, "unco: error UNC999: a bug in unco"),
    (RecursionError(), Exit.BUG, "unco: error UNC999: a bug in unco"),
    (KeyboardInterrupt(), Exit.INTERRUPTED, ""),
    (BrokenPipeError(), Exit.PIPE, ""),
]


@pytest.fixture(autouse=True)
def _reports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException, *options: str) -> Result:
    """What `unco schema` does where its work raises the error."""

    def fail() -> None:
        raise error

    monkeypatch.setattr(unco.specs.schema, "json_schema", fail)
    return CliRunner().invoke(application(), ["schema", *options])


@pytest.mark.parametrize(("error", "code", "words"), FAULTS, ids=lambda part: type(part).__name__)
def test_an_exception_ends_in_its_code_and_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: Exit, words: str
) -> None:
    done = failing(monkeypatch, error)
    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr.startswith(words)
    assert "\x1b" not in done.stderr
    if done.stderr.startswith("unco:"):
        assert done.stderr.count("\n") == 1
    assert (done.stderr == "") == (words == "")


@pytest.mark.parametrize(("error", "code", "words"), FAULTS, ids=lambda part: type(part).__name__)
def test_an_exception_is_one_document_where_json_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: Exit, words: str
) -> None:
    done = failing(monkeypatch, error, "--json")
    assert done.exit_code == code
    if not words:
        assert done.stdout == ""
    elif error is SPECIFICATION_ERROR:
        assert json.loads(done.stdout)["diagnostics"][0]["code"] == "UNC204"
    else:
        assert json.loads(done.stdout)["error"]["code"] in words


def test_the_full_report_of_a_bug_lies_where_the_line_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    done = failing(monkeypatch, ZeroDivisionError("told"))
    (report,) = tmp_path.glob("unco-report-*")
    assert str(report) in done.stderr
    text = report.read_text(encoding="utf-8")
    assert "Traceback" in text
    assert "ZeroDivisionError: told" in text
    assert f"unco {unco.__version__}" in text
    assert "command: " in text


def test_a_bug_is_told_where_no_report_can_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    done = failing(monkeypatch, ZeroDivisionError())
    assert done.exit_code == Exit.BUG
    assert "could not be written" in done.stderr


def test_a_reader_who_goes_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run((*UNCO, "schema"), stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (Exit.PIPE, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run((*UNCO, "schema"), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == Exit.MACHINE
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("unco: error UNC901: ")


def test_an_interrupted_build_ends_quietly_and_leaves_only_what_continues_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    started = subprocess.Popen(
        (*UNCO, "build", "underground-superintendent", "--groups", "100000", "--out", str(out)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(3)
    os.killpg(started.pid, signal.SIGINT)
    said, told = started.communicate(timeout=60)
    assert (started.returncode, said, told) == (Exit.INTERRUPTED, "", "interrupted; the same command continues\n")
    assert {path.name for path in out.iterdir()} == {"run.sqlite", "run.lock"}


def test_an_interrupt_reaches_the_parent_alone() -> None:
    mask = partial(signal.pthread_sigmask, signal.SIG_BLOCK)
    assert signal.SIGINT in call(mask, (), ProcessExecutor())
    assert signal.SIGINT not in mask(())


def test_output_that_the_terminal_cannot_encode_is_written_as_escapes() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run((*UNCO, "explain", "é"), env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == Exit.USAGE
    assert "\\xe9" in done.stderr
