"""Z3 terms as standard SMT-LIB 2.6, which any solver reads: the same bytes for the same terms.

Z3's own printer uses words of its own dialect, and leaves the names of shared terms to chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from unco.specs.errors import InconsistencyError

DEEPEST = 12
"""A term that nests deeper is given a name, so that no reader needs a deep stack."""
WORDS: Mapping[int, str] = {
    z3.Z3_OP_NOT: "not", z3.Z3_OP_AND: "and", z3.Z3_OP_OR: "or", z3.Z3_OP_IMPLIES: "=>", z3.Z3_OP_EQ: "=",
    z3.Z3_OP_DISTINCT: "distinct", z3.Z3_OP_ITE: "ite", z3.Z3_OP_LE: "<=", z3.Z3_OP_LT: "<", z3.Z3_OP_GE: ">=",
    z3.Z3_OP_GT: ">", z3.Z3_OP_ADD: "+", z3.Z3_OP_SUB: "-", z3.Z3_OP_UMINUS: "-", z3.Z3_OP_MUL: "*",
    z3.Z3_OP_IDIV: "div", z3.Z3_OP_MOD: "mod", z3.Z3_OP_TRUE: "true", z3.Z3_OP_FALSE: "false",
}  # fmt: skip
"""The operators of the logic; integers and truth values are all that our encoder makes."""
UNITED = frozenset(("and", "or", "+", "*"))
"""Operators that mean their argument where they have only one: SMT-LIB asks for two."""


@dataclass(frozen=True)
class Node:
    """A term: its word (an operator, a number, a symbol), its arguments by id, and its sort."""

    word: str
    arguments: tuple[int, ...]
    sort: str
    symbol: bool = False


class Terms:
    """Terms of one context, read once; what many questions share is read for all of them."""

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}
        self._kept: list[Any] = []
        """Z3 gives the id of a term away once nobody holds the term."""

    def __getitem__(self, identity: int) -> Node:
        return self._nodes[identity]

    def read(self, term: Any) -> int:
        """The id of a term, which is known from now on with all its parts."""
        self._kept.append(term)
        waiting = [term]
        while waiting:
            part = waiting.pop()
            if part.get_id() not in self._nodes:
                arguments = part.children()
                self._kept += arguments
                self._nodes[part.get_id()] = _node(part, tuple(each.get_id() for each in arguments))
                waiting += arguments
        return int(term.get_id())

    def below(self, roots: Iterable[int]) -> list[int]:
        """The terms and all their parts, each once, arguments before what holds them, in a stated order."""
        found: dict[int, None] = {}
        for root in roots:
            waiting = [(root, False)]
            while waiting:
                identity, done = waiting.pop()
                if identity in found:
                    continue
                if done:
                    found[identity] = None
                    continue
                waiting.append((identity, True))
                waiting += ((each, False) for each in reversed(self[identity].arguments))
        return list(found)


def _node(term: Any, arguments: tuple[int, ...]) -> Node:
    sort = "Bool" if z3.is_bool(term) else "Int"
    if z3.is_int_value(term):
        value = term.as_long()
        return Node(str(value) if value >= 0 else f"(- {-value})", (), sort)
    if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
        return Node(symbol(term.decl().name()), (), sort, symbol=True)
    word = WORDS.get(term.decl().kind())
    if word is None or not (z3.is_bool(term) or z3.is_int(term)):
        raise InconsistencyError(f"the encoder made a term that standard SMT-LIB has no word for: {term.decl()}")
    return Node("true" if word == "and" and not arguments else word, arguments, sort)


def symbol(name: str) -> str:
    """A name as a symbol: in bars, and what may not stand there by its number."""
    kept = (sign if 32 <= ord(sign) < 127 and sign not in "|\\%" else f"%{ord(sign):x};" for sign in name)
    return f"|{''.join(kept)}|"


def script(terms: Terms, told: Sequence[str], parts: Sequence[tuple[str, Any]]) -> str:
    """One question as a script: comments, symbols, shared terms, and each part under its kind and number."""
    numbers: Counter[str] = Counter()
    named: list[tuple[str, int]] = []
    for kind, part in parts:
        numbers[kind] += 1
        named.append((f"{kind}-{numbers[kind]}", terms.read(part)))
    order = terms.below(root for _, root in named)
    writer = _Writer(terms, order, Counter(root for _, root in named))
    lines = [f"; {line}" for line in told]
    lines += ["(set-info :smt-lib-version 2.6)", f"(set-logic {logic(terms, order)})"]
    lines += [f"(declare-const {terms[each].word} {terms[each].sort})" for each in order if terms[each].symbol]
    lines += writer.definitions()
    lines += [f"(assert (! {writer.words[root]} :named {name}))" for name, root in named]
    return "\n".join([*lines, "(check-sat)", ""])


def logic(terms: Terms, order: Iterable[int]) -> str:
    """QF_LIA where no unknown numbers are multiplied, and none is divided; else QF_NIA."""
    linear = all(terms[each].word not in ("div", "mod") and not _is_product(terms, terms[each]) for each in order)
    return "QF_LIA" if linear else "QF_NIA"


def _is_product(terms: Terms, node: Node) -> bool:
    open_factors = [each for each in node.arguments if terms[each].arguments or terms[each].symbol]
    return node.word == "*" and len(open_factors) > 1


class _Writer:
    """Writes terms out, and gives a name to those that are used twice, or nest deep."""

    def __init__(self, terms: Terms, order: Sequence[int], uses: Counter[int]) -> None:
        self.terms = terms
        self.order = order
        self.uses = uses + Counter(part for each in order for part in terms[each].arguments)
        self.words: dict[int, str] = {}
        """Each term as it is written where it is used."""

    def definitions(self) -> Iterator[str]:
        """The definitions of the terms that have a name."""
        depth: dict[int, int] = {}
        named = 0
        for each in self.order:
            node = self.terms[each]
            self.words[each] = self._written(node)
            depth[each] = 1 + max((depth[part] for part in node.arguments), default=-1)
            if node.arguments and len(self.words[each]) > 4 and (self.uses[each] > 1 or depth[each] > DEEPEST):
                named += 1
                yield f"(define-fun t{named} () {node.sort} {self.words[each]})"
                self.words[each], depth[each] = f"t{named}", 0

    def _written(self, node: Node) -> str:
        arguments = [self.words[each] for each in node.arguments]
        if len(arguments) == 1 and node.word in UNITED:
            return arguments[0]
        return f"({' '.join((node.word, *arguments))})" if arguments else node.word
