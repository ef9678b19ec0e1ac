"""Rejections: data, never a log line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rejection:
    """Why a candidate group was not retained: the phase, a stable code, the detail in the author's terms."""

    phase: str
    code: str
    detail: str
    specification: str
    index: int
