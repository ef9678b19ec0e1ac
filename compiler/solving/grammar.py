"""The grammar of rules: a line of tokens to one tree, tried from the first reading on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from unco.compiler.solving.sections import Line
from unco.compiler.solving.tokens import Lexicon
from unco.compiler.solving.tree import Node
from unco.compiler.solving.unreadable import Unreadable

Readings = Iterator[tuple[Node, int]]
"""What may begin at a token, each with the token after it."""
Rule = Callable[["Parser", int], Readings]
MOST_STEPS, MOST_READINGS = 20_000, 200


class Parser:
    """The tokens of one line, with what stands below it, and small questions about them."""

    def __init__(self, line: Line, lexicon: Lexicon, groups: Sequence[str], rules: Mapping[str, Rule]) -> None:
        self.line = line
        self.lexicon = lexicon
        self.groups = groups
        """What each group of members is called, in the plural and in the singular in turn."""
        self.rules = rules
        self.tokens = lexicon.tokens(line.text, bool(line.below))
        self.text = line.text
        self.seen: dict[tuple[str, int], Sequence[tuple[Node, int]]] = {}

    def read(self, rule: str, place: int) -> Sequence[tuple[Node, int]]:
        """What a rule makes of the tokens from a place on; nothing where it comes round to itself."""
        key = (rule, place)
        if key not in self.seen:
            if len(self.seen) > MOST_STEPS:
                raise Unreadable("a line has too many readings", self.text)
            self.seen[key] = ()
            self.seen[key] = tuple(islice(self.rules[rule](self, place), MOST_READINGS))
        return self.seen[key]

    def is_at(self, place: int, kind: str) -> bool:
        return place < len(self.tokens) and self.tokens[place].kind == kind

    def after(self, place: int, words: str) -> int:
        """The token after these words and signs, or 0 where they do not stand here; the first capital is forgiven."""
        for word in words.split(" "):
            if place >= len(self.tokens) or self.tokens[place].kind not in ("word", "sign"):
                return 0
            found = self.tokens[place].what
            if found != word and not (place == 0 and found.lower() == word):
                return 0
            place += 1
        return place

    def after_any(self, place: int, *phrases: str) -> int:
        return next((end for phrase in phrases if (end := self.after(place, phrase))), 0)

    def raw(self, start: int, end: int) -> str:
        """The text of some tokens as it stands."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]

    def whole(self, rule: str) -> Node:
        """The one reading that takes all tokens; Unreadable where there is none, or more than one."""
        found: list[Node] = []
        for node, end in self.read(rule, 0):
            if end == len(self.tokens) and node not in found:
                found.append(node)
        if len(found) != 1:
            many = "several readings" if found else "no reading"
            raise Unreadable(f"a line of a rule has {many}", self.text)
        return found[0]

    def below(self, rule: str) -> tuple[Node, ...]:
        """What stands below the line, each item read by the rule."""
        return tuple(Parser(each, self.lexicon, self.groups, self.rules).whole(rule) for each in self.line.below)
