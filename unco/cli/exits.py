"""The exit codes, in one place."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """How a command ended."""

    OK = 0
    REJECTED = 1
    USAGE = 2
    UNKNOWN = 3
    BUG = 70
    MACHINE = 75
    INTERRUPTED = 130
    PIPE = 141


MEANINGS = {
    Exit.OK: "all is well; warnings are allowed",
    Exit.REJECTED: "the input does not stand, or a group is rejected: a coded finding says why",
    Exit.USAGE: "the command is wrong, or the settings of an LLM are",
    Exit.UNKNOWN: "something was not decided within its budget",
    Exit.BUG: "a bug in unco: one line says where the full report lies",
    Exit.MACHINE: "the machine failed (disk, memory, a killed or hanging worker), or no LLM answers now: run it again",
    Exit.INTERRUPTED: "interrupted",
    Exit.PIPE: "the reader of the output went away",
}


def exit_codes() -> str:
    """The codes as they stand in the help."""
    return "\n".join(["Exit codes:", *(f"{code.value:>5}  {meaning}" for code, meaning in MEANINGS.items())])
