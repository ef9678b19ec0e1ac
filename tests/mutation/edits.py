"""Edits of one node of a syntax tree: each is a small fault that a person could make."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import copy

COMPARATORS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
}
_PAIRS = (
    ("all", "any"),
    ("min", "max"),
    ("floor", "ceil"),
    ("conjunction", "disjunction"),
    ("And", "Or"),
    ("at_most", "below"),
    ("before", "not_after"),
    ("floor_div", "floor_mod"),
    ("total", "difference"),
    ("_less", "_not_more"),
    ("numerator", "denominator"),
    ("low", "high"),
    ("low_included", "high_included"),
    ("year", "month"),
)
PARTNERS = {**dict(_PAIRS), **{right: left for left, right in _PAIRS}, "day": "month", "sum": "len"}
"""Names and attributes that are easily taken for each other."""
WRAPPERS = frozenset(("abs", "reversed", "canonical", "negative", "negation", "Not"))
"""Calls that a fault may leave out; the argument is the last one."""
SYMMETRIC = frozenset(
    ("total", "product", "plus", "times", "same", "same_number", "same_truth", "same_day", "same_choice", "equal")
)
"""Calls whose order does not matter."""
ORDERED = frozenset(("If", "divmod", "range", "date"))
"""Calls of others whose order matters."""
JUNCTIONS = frozenset(("And", "Or", "add", "conjunction", "disjunction"))
"""Calls of which a fault may leave out an argument."""


Alike = Callable[[str, int], bool]
"""Whether the argument of a called name at a place, and the one after it, are of one type."""


def edits(node: ast.AST, alike: Alike) -> Iterator[ast.AST]:
    """What may stand in place of the node; `ast.Pass` where a statement is left out."""
    if isinstance(node, ast.Call):
        yield from _swapped(node, alike)
    for kind, each in _EDITS.items():
        if isinstance(node, kind):
            yield from each(node)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    made = copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for place, sign in enumerate(node.ops):
        for other in COMPARATORS[type(sign)]:
            yield _with(node, ops=[*node.ops[:place], other(), *node.ops[place + 1 :]])


def _binary(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in SIGNS:
        yield _with(node, op=SIGNS[type(node.op)]())
    if isinstance(node.op, ast.FloorDiv):
        upwards = ast.UnaryOp(ast.USub(), ast.BinOp(ast.UnaryOp(ast.USub(), node.left), ast.FloorDiv(), node.right))
        negative = ast.Compare(node.left, [ast.Lt()], [ast.Constant(0)])
        yield upwards
        yield ast.IfExp(negative, upwards, node)


def _unary(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.USub | ast.Not):
        yield node.operand


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield from (ast.Constant(node.value + step) for step in (1, -1))


def _junction(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    for place in range(len(node.values)):
        rest = [*node.values[:place], *node.values[place + 1 :]]
        yield rest[0] if len(rest) == 1 else _with(node, values=rest)


def _choice(node: ast.IfExp) -> Iterator[ast.AST]:
    yield _with(node, body=node.orelse, orelse=node.body)


def _branch(node: ast.If | ast.While) -> Iterator[ast.AST]:
    """The other branch, unless an edit of the test itself says the same."""
    if not isinstance(node.test, ast.Compare | ast.UnaryOp):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _generated(node: ast.comprehension) -> Iterator[ast.AST]:
    for place, test in enumerate(node.ifs):
        others = [*node.ifs[:place], *node.ifs[place + 1 :]]
        yield _with(node, ifs=others)
        yield _with(node, ifs=[*others, ast.UnaryOp(ast.Not(), test)])


def name_of(call: ast.Call) -> str:
    """The last part of what is called."""
    match call.func:
        case ast.Name(name) | ast.Attribute(_, name):
            return name
        case _:
            return ""


def _call(node: ast.Call) -> Iterator[ast.AST]:
    name, given = name_of(node), node.args
    if name in WRAPPERS and len(given) in (1, 2) and not isinstance(given[-1], ast.Starred):
        yield given[-1]
    for place, _ in enumerate(given if name in JUNCTIONS and len(given) > 1 else ()):
        if ast.unparse(given[place]) != "z3":
            yield _with(node, args=[*given[:place], *given[place + 1 :]])


def _swapped(node: ast.Call, alike: Alike) -> Iterator[ast.AST]:
    """Two neighbouring arguments of one type, taken for each other."""
    name, given = name_of(node), node.args
    if name not in SYMMETRIC and not any(isinstance(each, ast.Starred) for each in given):
        for place in range(len(given) - 1):
            if name in ORDERED or alike(name, place):
                yield _with(node, args=[*given[:place], given[place + 1], given[place], *given[place + 2 :]])


def _several(node: ast.Tuple | ast.List) -> Iterator[ast.AST]:
    """Parts of a tuple with a star, of a list, or of a tuple that a call is handed: see `faults`."""
    if isinstance(node.ctx, ast.Load) and len(node.elts) > 1:
        for place in range(len(node.elts)):
            yield _with(node, elts=[*node.elts[:place], *node.elts[place + 1 :]])


def _mapping(node: ast.Dict) -> Iterator[ast.AST]:
    if node.keys and None in node.keys and len(node.keys) > 1:
        for place in range(len(node.keys)):
            keys, values = list(node.keys), list(node.values)
            del keys[place], values[place]
            yield _with(node, keys=keys, values=values)


def _name(node: ast.Name) -> Iterator[ast.AST]:
    if (
        isinstance(node.ctx, ast.Load)
        and node.id in PARTNERS
        and node.id not in ("low", "high", "day", "month", "year")
    ):
        yield _with(node, id=PARTNERS[node.id])


def _attribute(node: ast.Attribute) -> Iterator[ast.AST]:
    if isinstance(node.ctx, ast.Load) and node.attr in PARTNERS:
        yield _with(node, attr=PARTNERS[node.attr])


def _statement(node: ast.Expr) -> Iterator[ast.AST]:
    if not isinstance(node.value, ast.Constant):
        yield ast.Pass()


def _added(node: ast.AugAssign) -> Iterator[ast.AST]:
    yield ast.Pass()
    if type(node.op) in SIGNS:
        yield _with(node, op=SIGNS[type(node.op)]())


def _cases(node: ast.Match) -> Iterator[ast.AST]:
    """A case without its guard; two neighbouring values taken for each other; a case left out."""
    for place, case in enumerate(node.cases):
        before, after = node.cases[:place], node.cases[place + 1 :]
        if case.guard is not None:
            yield _with(node, cases=[*before, _with(case, guard=None), *after])
        if after and isinstance(case.pattern, ast.MatchValue) and isinstance(after[0].pattern, ast.MatchValue):
            swapped = [_with(case, body=after[0].body), _with(after[0], body=case.body)]
            yield _with(node, cases=[*before, *swapped, *after[1:]])
        if after:
            yield _with(node, cases=[*before, *after])


_EDITS: dict[type[ast.AST] | tuple[type[ast.AST], ...], Callable[..., Iterator[ast.AST]]] = {
    ast.Compare: _compare,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Constant: _constant,
    ast.BoolOp: _junction,
    ast.IfExp: _choice,
    (ast.If, ast.While): _branch,
    ast.comprehension: _generated,
    ast.Call: _call,
    (ast.Tuple, ast.List): _several,
    ast.Dict: _mapping,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Expr: _statement,
    ast.AugAssign: _added,
    ast.Match: _cases,
}
