"""What a user sees of an exception: diagnostics, or one line; never a traceback."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import tempfile
import traceback
from contextlib import suppress

from unco.cli.exits import Exit
from unco.cli.output import print_json, silence, tell
from unco.specs.errors import InfrastructureError, SpecificationError, UsageError
from unco.specs.version import VERSION


def report_fault(error: BaseException, *, as_json: bool = False) -> Exit:
    """Tell of the exception, and give the code to exit with."""
    try:
        return _report(error, as_json)
    except BrokenPipeError:
        silence()
        return Exit.PIPE


def _report(error: BaseException, as_json: bool) -> Exit:
    match error:
        case BrokenPipeError():
            silence()
            return Exit.PIPE
        case KeyboardInterrupt():
            return Exit.INTERRUPTED
        case SpecificationError():
            return _does_not_stand(error, as_json)
        case UsageError():
            return _line("UNC703", str(error), Exit.USAGE, as_json)
        case InfrastructureError():
            return _line(*_told(error), as_json)
        case MemoryError():
            return _line("UNC901", "there is not enough memory", Exit.MACHINE, as_json)
        case OSError():
            silence()
            return _line("UNC901", _os_words(error), Exit.MACHINE, as_json)
        case _:
            return _line("UNC999", _bug_words(error), Exit.BUG, as_json)


def _does_not_stand(error: SpecificationError, as_json: bool) -> Exit:
    from unco.specs.diagnostics import render_text, to_json

    if as_json:
        print_json({"diagnostics": to_json(error.diagnostics)})
    else:
        tell(render_text(error.diagnostics, error.text).rstrip("\n"))
    return Exit.REJECTED


def _line(code: str, words: str, ended: Exit, as_json: bool) -> Exit:
    if as_json:
        print_json({"error": {"code": code, "message": words}})
    tell(f"unco: error {code}: {' '.join(words.split())}")
    return ended


def _told(error: InfrastructureError) -> tuple[str, str, Exit]:
    """Code, words, and how the command ends: a fault of an LLM has a code of its own, and may lie in its settings."""
    from unco.llm.protocol import LlmError

    if not isinstance(error, LlmError):
        return "UNC901", str(error), Exit.MACHINE
    return error.code, error.words, Exit.USAGE if error.by_settings else Exit.MACHINE


def _os_words(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename else reason


def _bug_words(error: BaseException) -> str:
    summary = f"{type(error).__name__}: {error}"
    if len(summary) > 200:
        summary = summary[:199] + "…"
    place = _write_report(error)
    return f"a bug in unco, please report it: {summary} (full report: {place or 'could not be written'})"


def _write_report(error: BaseException) -> str | None:
    """Write the full report into the folder for temporary files; its path, where that works."""
    lines = [
        f"unco {VERSION}, Python {platform.python_version()}, {platform.platform()}",
        f"command: {shlex.join(sys.argv)}",
        "",
        *traceback.format_exception(error),
    ]
    with suppress(OSError):
        number, path = tempfile.mkstemp(prefix="unco-report-", suffix=".txt")
        with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write("\n".join(lines))
        return path
    return None
