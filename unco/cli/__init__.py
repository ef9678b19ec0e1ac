"""The command line: a file a command, each of which parses, calls and prints."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

COMMANDS = (
    "new",
    "draft",
    "check",
    "prove",
    "build",
    "show",
    "summary",
    "corpus",
    "verify",
    "explain",
    "schema",
    "serve-local",
    "demo",
)
"""The commands, in the order of `unco --help`; each stands in the file of its name, `-` being `_` there."""


def application() -> typer.Typer:
    """The command line with all its commands. What a command needs is imported when it runs."""
    from unco.cli.app import app

    for name in COMMANDS:
        import_module(f"unco.cli.{name.replace('-', '_')}")
    return app


def main() -> None:
    """Run the command line; the process ends with one of the codes of `exits.py`."""
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        application()(prog_name="unco")
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        from unco.cli.faults import report_fault

        sys.exit(report_fault(error))
