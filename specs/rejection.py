"""Rejections: data, never a log line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rejection:
    """Why a candidate group was not retained: the phase, a stable code, the detail in the author's terms."""

    phase: str
    code: str
    detail: str
    specification: str
    index: int
    certificate: Any = None
    """Of the phase `prove`, as plain data: the instance and its claims, for who wants to check the rejection again."""
    planned: str = ""
    """The kind of group that it was to be, `winner` or `nobody`; empty where that is not known."""
    transcript: Any = None
    """Of the phase `validate`, as plain data: what was asked and answered, and who is to blame. It stands in a file of
    its own.
    """
