"""Words that give an answer away, and text that stands in no slot."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unco.compiler.reading.discrepancy import Discrepancy, Kind
from unco.compiler.reading.paraphrase import changes

_DECIDED = (
    "approved|chosen|selected|picked|awarded|renewed|accepted|admitted|hired|appointed|granted|given|rejected|denied"
    "|refused|declined|excluded"
)
_VERDICT = re.compile(
    rf"\b(?:should|must|can|cannot|will|would) (?:not )?be (?:{_DECIDED})\b"
    r"|\bthe only (?:\w+ )?(?:suitable|eligible|qualified|possible|valid|acceptable|correct|right|good)(?: \w+)?\b"
    r"|\b(?:correct|right|true|gold|final|expected) (?:answer|choice|decision|result|candidate)\b|\bthe answer is\b"
    r"|\bthe winner\b|\bwins\b|\b(?:best|clear|obvious) (?:candidate|choice|one)\b"
    r"|\b(?:face value|misaligned|decoy|distractor)\b"
    r"|\b(?:meets|satisfies|fulfils|passes|fails) (?:all|every|each|none|no|both|one)\b"
    r"|\b(?:is|are|was|not) (?:not |in)?eligible\b|\bineligible\b|\b(?:is|are) (?:not |dis|un)?qualified\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d,./]*")


@dataclass(frozen=True, slots=True)
class Giveaways:
    """What must stand in no other place: verdicts, numbers, and the names of the candidates."""

    names: Sequence[str]

    def verdicts(self, text: str) -> tuple[str, ...]:
        """The words of a text that say or hint who is eligible."""
        return tuple(dict.fromkeys(found[0] for found in _VERDICT.finditer(text)))

    def named(self, text: str) -> tuple[str, ...]:
        """The candidates whom a text names."""
        return tuple(name for name in self.names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))

    def found(self, text: str) -> tuple[str, ...]:
        """Verdicts and names in a text."""
        return (*self.verdicts(text), *self.named(text))

    def stray(self, where: str, words: str, expected: str = "no such words") -> Discrepancy:
        """Text that stands in no slot: leaked where it holds a verdict, a name or a number, added otherwise."""
        found = (*self.found(words), *_NUMBER.findall(words))
        kind: Kind = "leaked" if found else "added"
        told = ", ".join(f'"{each}"' for each in found) or f'"{words.strip()}"'
        return Discrepancy(kind, where, "text outside every fact and rule", told, expected, words.strip())

    def free(self, where: str, subject: str, found: str, author: str) -> Iterator[Discrepancy]:
        """A text of the author's: it stands as written, and no sentence of it speaks of a candidate's case."""
        if found != author:
            yield from self._changed(where, subject, found, author)
            return
        for sentence in re.split(r"(?<=[.!?;])\s+|\n", found):
            names = self.named(sentence)
            given = [*(name for name in names if " " in name), *(self.verdicts(sentence) if names else ())]
            if given:
                told = ", ".join(f'"{each}"' for each in given)
                yield Discrepancy("leaked", where, subject, told, "no candidate's case", sentence.strip())

    def paraphrased(self, where: str, subject: str, found: str, author: str) -> Iterator[Discrepancy]:
        """A text of the author's in other words: it says the same, and what is wrong with the author's own stays so."""
        changed = [*changes(found, author), *(f'it has "{each}"' for each in self._given(found, author))]
        if found != author and changed:
            yield Discrepancy(
                "reworded", where, subject, f'"{found}": {"; ".join(changed)}', f'the sense of "{author}"'
            )
        yield from self.free(where, subject, author, author)

    def _given(self, found: str, author: str) -> list[str]:
        """Verdicts, names and numbers that the author's text does not have."""
        told = {*self.found(author), *_NUMBER.findall(author)}
        return [each for each in (*self.found(found), *_NUMBER.findall(found)) if each not in told]

    def _changed(self, where: str, subject: str, found: str, author: str) -> Iterator[Discrepancy]:
        given = self._given(found, author)
        if given:
            words = ", ".join(f'"{each}"' for each in given)
            yield Discrepancy("leaked", where, subject, words, "the author's words", found)
        else:
            yield Discrepancy("altered", where, subject, f'"{found}"', f'"{author}"', found)
