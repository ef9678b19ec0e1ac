"""The whole grammar, and a line of a task read by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unco.compiler.solving import conditions, constructs, formulas
from unco.compiler.solving.grammar import Parser, Rule
from unco.compiler.solving.sections import Line
from unco.compiler.solving.tokens import Lexicon
from unco.compiler.solving.tree import Node

_RULES: Mapping[str, Rule] = {
    "condition": conditions.condition,
    "clause": conditions.clause,
    "value": conditions.value,
    "amount": formulas.amount,
    "formula": formulas.formula,
    "term": formulas.term,
    "factor": formulas.factor,
    "single": formulas.single,
    "construct": constructs.construct,
    "case": constructs.case,
    "weighted item": constructs.weighted_item,
    "weighted part": constructs.weighted_part,
}


def condition(line: Line, lexicon: Lexicon, groups: Sequence[str]) -> Node:
    """A condition with what stands below it; Unreadable where the grammar does not have it."""
    return Parser(line, lexicon, groups, _RULES).whole("condition")


def amount(line: Line, lexicon: Lexicon, groups: Sequence[str] = ()) -> Node:
    """A formula with what stands below it; Unreadable where the grammar does not have it."""
    return Parser(line, lexicon, groups, _RULES).whole("amount")
