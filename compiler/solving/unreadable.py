"""What the reader raises where a text is beyond it."""

from __future__ import annotations


class Unreadable(Exception):  # noqa: N818 -- no fault of the program: of the text, or of what the reader knows
    """A text that the reader cannot take in one way only: why, and the words that it stopped at."""

    def __init__(self, words: str, where: str) -> None:
        super().__init__(f"{words}: {where[:200]!r}")
        self.words = words
        self.where = where
