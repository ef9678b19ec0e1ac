"""Mutants of functions: one edit each, compiled in memory and put into the live function; no file changes."""

from __future__ import annotations

import ast
import gc
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property, partial
from inspect import Parameter, signature
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType

from tests.mutation.edits import edits

Place = tuple[ast.AST, str, int | None]
"""A node, the field in it, and the index in the field where that is a list."""
NOTE = "__note_the_call__"
ACCOUNTS = ("used", "self.used")
"""Sums of resources: they are told, and decide nothing."""


@dataclass(frozen=True)
class Name:
    """A mutant by what it is, wherever its line may move to."""

    function: str
    """Module and function, without the name of the project."""
    text: str
    """The line, without its indentation."""
    change: str
    """What stands there, and what stands there instead; numbered where the same change can be made twice."""

    def __str__(self) -> str:
        return f"{self.function} | {self.text} | {self.change}"


@dataclass(frozen=True)
class Mutant:
    """A function with one edit."""

    name: Name
    target: Target
    place: Place
    new: ast.AST

    def code(self) -> CodeType:
        """The code of the function with the edit."""
        assert self.target.compiled()  # the place of the function is found before the tree changes
        node, field, index = self.place
        old = getattr(node, field)
        new = self.new if index is None else [*old[:index], self.new, *old[index + 1 :]]
        setattr(node, field, new)
        try:
            return self.target.compiled()
        finally:
            setattr(node, field, old)


@dataclass(frozen=True, eq=False)
class Target:
    """A function that is mutated: where it stands in its module, and every live function made from it."""

    module: str
    name: str
    statement: ast.stmt
    node: ast.FunctionDef | ast.Lambda
    lines: tuple[str, ...]
    file: str

    def compiled(self) -> CodeType:
        """The code of the function as the tree stands."""
        return self._nested[self._place]

    @property
    def _nested(self) -> list[CodeType]:
        """The codes in the statement, from the outside inwards."""
        future = ast.parse("from __future__ import annotations").body
        tree = ast.fix_missing_locations(ast.Module([*future, self.statement], []))
        return list(_nested(compile(tree, self.file, "exec")))

    @cached_property
    def _place(self) -> int:
        """Where the function stands among them; what comes before it is never edited."""
        return [key_of(each) for each in self._nested].index(self.key)

    def noting(self, name: str) -> CodeType:
        """The code of the function with a call of `name` before all else, which is handed the key."""
        place = self._place
        note = ast.parse(f"{name}({self.key!r})", mode="eval").body
        body = self.node.body
        if isinstance(self.node, ast.Lambda):
            self.node.body = ast.Subscript(ast.Tuple([note, body], ast.Load()), ast.Constant(1), ast.Load())
        else:
            self.node.body = [ast.Expr(note), *self.node.body]
        try:
            return self._nested[place]
        finally:
            self.node.body = body  # type: ignore[assignment]

    @property
    def key(self) -> tuple[object, ...]:
        first = min((each.lineno for each in getattr(self.node, "decorator_list", ())), default=self.node.lineno)
        if isinstance(self.node, ast.FunctionDef):
            return self.file, first, None
        return self.file, first, (self.node.body.lineno, self.node.body.col_offset)

    @property
    def live(self) -> list[FunctionType]:
        """The functions to put a mutant into."""
        return _live().get(self.key, [])


def key_of(code: CodeType) -> tuple[object, ...]:
    """Which function a code is of: its file and first line; of a lambda, also where its body begins."""
    if code.co_name != "<lambda>":
        return code.co_filename, code.co_firstlineno, None
    places = [(each[0], each[2]) for each in code.co_positions() if each[2] is not None and each[3] != each[2]]
    return code.co_filename, code.co_firstlineno, min(places, default=None)


def _nested(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _nested(each)


@cache
def _live() -> dict[tuple[object, ...], list[FunctionType]]:
    found: dict[tuple[object, ...], list[FunctionType]] = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and str(each.__module__).startswith("unco.solver"):
            found.setdefault(key_of(each.__code__), []).append(each)
    return found


@contextmanager
def mutated(mutant: Mutant) -> Iterator[None]:
    """The live function has the code of the mutant."""
    code, functions = mutant.code(), mutant.target.live
    before = [each.__code__ for each in functions]
    try:
        for each in functions:
            each.__code__ = code
        yield
    finally:
        for each, old in zip(functions, before, strict=True):
            each.__code__ = old


@contextmanager
def watched(targets: Iterable[Target]) -> Iterator[set[object]]:
    """The keys of those functions that are called: each notes it before all else."""
    called: set[object] = set()
    before = [(each, each.__code__) for target in targets for each in target.live]
    try:
        for target in targets:
            code = target.noting(NOTE)
            for each in target.live:
                each.__globals__[NOTE] = called.add
                each.__code__ = code
        yield called
    finally:
        for each, code in before:
            each.__code__ = code
            each.__globals__.pop(NOTE, None)


# Finding them --------------------------------------------------------------------------------------------------------


@cache
def targets(module: str) -> tuple[Target, ...]:
    """Every function, method and lambda of a module that is no part of another."""
    file = sys.modules[f"unco.{module}"].__file__ or ""
    source = Path(file).read_text(encoding="utf-8")
    lines = tuple(source.splitlines())
    return tuple(
        Target(module, name, statement, node, lines, file)
        for statement in ast.parse(source).body
        for name, node in _functions(statement, "")
    )


def _functions(node: ast.AST, inside: str) -> Iterator[tuple[str, ast.FunctionDef | ast.Lambda]]:
    match node:
        case ast.FunctionDef(name=name):
            yield inside + name, node
        case ast.Lambda():
            yield inside + "<lambda>", node
        case ast.ClassDef(name=name, body=body):
            for each in body:
                yield from _functions(each, f"{name}.")
        case _:
            for each in ast.iter_child_nodes(node):
                yield from _functions(each, inside)


@cache
def mutants(target: Target) -> tuple[Mutant, ...]:
    """Every mutant of a function, in the order of its text."""
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for place, old, line in _places(target):
        indexed = isinstance(place[0], ast.Subscript) and ast.unparse(old) == "0"
        for new in islice(edits(old, partial(_alike, target.module)), 1 if indexed else None):
            text = target.lines[line - 1].strip()
            change = f"{_told(old)} -> {_told(new)}"
            seen[text, change] += 1
            number = seen[text, change]
            name = Name(f"{target.module}.{target.name}", text, change if number == 1 else f"{change} #{number}")
            found.append(Mutant(name, target, place, new))
    return tuple(found)


@cache
def _alike(module: str, name: str, place: int) -> bool:
    """Whether a function or class that the module knows takes two things of one type, one after the other."""
    known = vars(sys.modules[f"unco.{module}"])
    methods = [vars(each)[name] for each in known.values() if isinstance(each, type) and name in vars(each)]
    called = known.get(name, methods[0] if methods else None)
    if not isinstance(called, FunctionType) and not str(getattr(called, "__module__", "")).startswith("unco."):
        return False
    kinds = [each.annotation for each in signature(called).parameters.values() if each.name != "self"]
    return place + 1 < len(kinds) and kinds[place] == kinds[place + 1] != Parameter.empty


def _told(node: ast.AST) -> str:
    match node:
        case ast.comprehension(ifs=ifs):
            return " ".join(f"if {ast.unparse(each)}" for each in ifs) or "no if"
        case ast.Match(cases=cases):
            return "match " + ", ".join(f"{_told(each.pattern)}{' if' * bool(each.guard)}" for each in cases)
        case ast.If(test=test) | ast.While(test=test):
            return f"if {ast.unparse(test)}"
        case _:
            return " ".join(ast.unparse(node).split())


def _places(target: Target) -> Iterator[tuple[Place, ast.AST, int]]:
    if isinstance(target.node, ast.Lambda):
        yield from _below(target.node, ("body",), target.node.lineno)
    else:
        yield from _below(target.node, ("body",), target.node.lineno)


def _below(node: ast.AST, fields: tuple[str, ...], line: int) -> Iterator[tuple[Place, ast.AST, int]]:
    """Every node that may be edited, with its place and line."""
    for field in fields:
        value = getattr(node, field)
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not _is_told(child):
                at = getattr(child, "lineno", line)
                if _may_change(node, child):
                    yield (node, field, index), child, at
                yield from _below(child, _fields(child), at)


def _fields(node: ast.AST) -> tuple[str, ...]:
    """The fields of a node in which faults are looked for: no annotations, no defaults of arguments, no patterns."""
    match node:
        case ast.FunctionDef() | ast.Lambda():
            return ("body",)
        case ast.AnnAssign():
            return ("value",) if node.value else ()
        case ast.match_case():
            return ("guard", "body")
        case _:
            return node._fields


def _is_told(node: ast.AST) -> bool:
    """Whether a node holds words alone: errors, texts, docstrings, sums of resources; or says `strict=True`."""
    match node:
        case ast.Raise() | ast.JoinedStr() | ast.Expr(value=ast.Constant()):
            return True
        case ast.AugAssign(target=target) | ast.Assign(targets=[target]):
            return ast.unparse(target) in ACCOUNTS
        case ast.keyword(arg=arg):
            return arg in ("strict", "because")
        case _:
            return False


def _may_change(parent: ast.AST, node: ast.AST) -> bool:
    """Not the tuple of a display, an unpacking or a subscript, of which a part left out only crashes."""
    if isinstance(node, ast.Tuple):
        return isinstance(parent, ast.Call | ast.keyword) or any(isinstance(each, ast.Starred) for each in node.elts)
    return True
