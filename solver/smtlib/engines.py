"""Other solvers that read the stored questions: a second opinion of each, with a proof where the engine gives one.

cvc5 is an extra, and is imported here alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType
from typing import Any

import z3

from unco.solver.decide import ask, reason_told, why_unknown
from unco.specs.errors import InconsistencyError, UsageError

MISSING = "cvc5 is not installed here; install it with: python -m pip install 'unco[cvc5]'"
TRUSTED = frozenset(("TRUST", "TRUST_THEORY_REWRITE"))
"""The rules of cvc5's proofs that state a step without showing it."""
SETTINGS = {"produce-proofs": "true", "proof-granularity": "dsl-rewrite"}
"""Every step down to single rewrites: then hardly any has to be trusted."""


class Outcome(StrEnum):
    """What another solver says of a question that was answered UNSAT."""

    REPROVED = "re-proved"
    UNKNOWN = "unknown"
    """Its budget did not do: this says nothing of the claim."""
    SATISFIABLE = "satisfiable"
    """It has found a case to which the claim does not apply: one of the solvers is wrong, or the text was changed."""
    REFUSED = "refused"
    """It does not read the text."""


@dataclass(frozen=True)
class Opinion:
    """The outcome; why, where it is not re-proved; and the proof, where there is one: its text, how many steps it has,
    and how many of them are trusted.
    """

    outcome: Outcome
    why: str = ""
    proof: str = ""
    steps: int = 0
    trusted: int = 0


@dataclass(frozen=True)
class Engine:
    """A solver: what it decides of a text within a budget, its default budget, and what its proofs are called."""

    decide: Callable[[str, int], Opinion]
    rlimit: int
    ending: str
    """Of a file with a proof; empty where the engine gives none."""
    require: Callable[[], str]
    """Its version; raises UsageError where it is not installed."""


def by_cvc5(text: str, rlimit: int) -> Opinion:
    """What cvc5 says, within so many of its resource units: deterministic."""
    cvc5 = _cvc5()
    solver = cvc5.Solver(cvc5.TermManager())
    for name, value in {**SETTINGS, "rlimit-per": str(rlimit)}.items():
        solver.setOption(name, value)
    try:
        told = _run(cvc5, solver, text)
    except RuntimeError as error:
        return Opinion(Outcome.REFUSED, _told(error))
    if told == "unsat":
        return _with_proof(cvc5, solver)
    if told == "sat":
        return Opinion(Outcome.SATISFIABLE, "it finds values for which all assertions hold")
    if told == "unknown":
        return Opinion(Outcome.UNKNOWN, f"the budget of {rlimit:,} resource units did not do")
    return Opinion(Outcome.REFUSED, _told(told))


def _run(cvc5: ModuleType, solver: Any, text: str) -> str:
    """What the commands of a script print, the last of which is the outcome."""
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    told = []
    while not (command := parser.nextCommand()).isNull():
        told.append(command.invoke(solver, parser.getSymbolManager()).strip())
    return "\n".join(filter(None, told))


def _with_proof(cvc5: ModuleType, solver: Any) -> Opinion:
    (proof,) = solver.getProof()
    text = solver.proofToString(proof, cvc5.ProofFormat.CPC).decode()
    steps = {proof: None}
    waiting = [proof]
    while waiting:
        new = [each for each in waiting.pop().getChildren() if each not in steps]
        steps.update(dict.fromkeys(new))
        waiting += new
    trusted = sum(each.getRule().name in TRUSTED for each in steps)
    return Opinion(Outcome.REPROVED, "", text, len(steps), trusted)


def _cvc5() -> ModuleType:
    try:
        import cvc5
    except ModuleNotFoundError as error:
        raise UsageError(MISSING) from error
    found: ModuleType = cvc5
    return found


def by_z3(text: str, rlimit: int) -> Opinion:
    """What a fresh Z3 says of the text, which is not what it was asked first: the terms are read from their words."""
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", rlimit)
    try:
        solver.from_string(text)
        outcome, _ = ask(solver)
    except (z3.Z3Exception, InconsistencyError) as error:
        return Opinion(Outcome.REFUSED, _told(error))
    if outcome == z3.unsat:
        return Opinion(Outcome.REPROVED)
    if outcome == z3.sat:
        return Opinion(Outcome.SATISFIABLE, "it finds values for which all assertions hold")
    return Opinion(Outcome.UNKNOWN, reason_told(why_unknown(solver), rlimit))


def _told(error: object) -> str:
    """The first words of an error, on one line."""
    return re.sub(r"\s+", " ", str(error))[:200]


ENGINES: Mapping[str, Engine] = {
    "cvc5": Engine(by_cvc5, 100_000, ".cpc", lambda: str(_cvc5().__version__)),
    "z3": Engine(by_z3, 20_000_000, "", z3.get_version_string),
}


def engine_named(name: str) -> Engine:
    """The engine; raises UsageError where there is none of this name, or it is not installed."""
    if name not in ENGINES:
        raise UsageError(f"{name!r} is no solver that is known here; choose {' or '.join(ENGINES)}")
    ENGINES[name].require()
    return ENGINES[name]
