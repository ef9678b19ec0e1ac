"""clingo with the rules of the family grounded once, and what is known of an instance as assumptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.engines.answer import Answer, Ask, Gold, Unfit
from benchmarks.engines.sums import Sums, sums
from unco.specs.family import Family
from unco.specs.instance import Instance

RULES = """
1 { is(C, S, V) : place(S, V) } 1 :- candidate(C), slot(S).
holds(C, J) :- is(C, S, V), passes(J, S, V).
eligible(C) :- candidate(C), holds(C, J) : condition(J).
chosen :- eligible(C).
nobody :- not chosen.
:- eligible(C), eligible(D), C < D.
sum(C, 0, 0) :- candidate(C).
sum(C, N + 1, R + A) :- sum(C, N, R), operand(N, S), is(C, S, V), adds(S, V, A).
answer(C, R) :- eligible(C), sum(C, operands, R).
#show answer/2.
"""


def ready(family: Family) -> Ask | Unfit:
    """Grounds the rules."""
    found = sums(family)
    return found if isinstance(found, Unfit) else _Clingo(found)


class _Clingo:
    def __init__(self, model: Sums) -> None:
        import clingo

        self.clingo, self.model = clingo, model
        self.numbers = {slot: number for number, slot in enumerate(model.domains)}
        self.control = clingo.Control(["--warn=none"])
        self.control.add("base", [], RULES + "\n".join(_facts(model)))
        self.control.ground([("base", [])])
        self.is_at = {
            (candidate, slot, place): self._is(candidate, number, place)
            for slot, number in self.numbers.items()
            for candidate in range(model.family.candidates)
            for place in range(model.domains[slot].size)
        }

    def _is(self, candidate: int, slot: int, place: int) -> Any:
        function, number = self.clingo.Function, self.clingo.Number
        return function("is", [number(candidate), number(slot), number(place)]), True

    def __call__(self, instance: Instance) -> Answer:
        """Full evidence first, then without each role."""
        known = {
            (candidate, slot): self.is_at[candidate, slot, place]
            for candidate, places in enumerate(self.model.places(instance))
            for slot, place in places.items()
        }
        gold = self._gold(list(known.values()))
        other = (self._atom(gold), False)
        if self._solve([*known.values(), other]):
            raise AssertionError(f"{self.model.family.name}: clingo sees another answer than {gold}")
        return Answer(
            gold,
            tuple(
                self._solve([*(each for (_, slot), each in known.items() if slot not in role), other])
                for role in self.model.hidden
            ),
        )

    def _solve(self, assumed: list[Any]) -> bool:
        return bool(self.control.solve(assumptions=assumed).satisfiable)

    def _gold(self, assumed: list[Any]) -> Gold:
        found: list[Gold] = []

        def read(model: Any) -> None:
            answers = model.symbols(shown=True)
            found.append((answers[0].arguments[0].number, answers[0].arguments[1].number) if answers else None)

        self.control.solve(assumptions=assumed, on_model=read)
        return found[0]

    def _atom(self, gold: Gold) -> Any:
        if gold is None:
            return self.clingo.Function("nobody")
        return self.clingo.Function("answer", [self.clingo.Number(int(each)) for each in gold])


def _facts(model: Sums) -> Iterator[str]:
    """The family as facts."""
    numbers = {slot: number for number, slot in enumerate(model.domains)}
    yield f"candidate(0..{model.family.candidates - 1})."
    for slot, domain in model.domains.items():
        yield f"slot({numbers[slot]}). place({numbers[slot]}, 0..{domain.size - 1})."
    for condition, (slot, places) in enumerate(model.passing):
        yield f"condition({condition})."
        yield from (f"passes({condition}, {numbers[slot]}, {place})." for place in sorted(places))
    yield f"#const operands = {len(model.operands)}."
    for number, slot in enumerate(model.operands):
        yield f"operand({number}, {numbers[slot]})."
        yield from (f"adds({numbers[slot]}, {place}, {amount})." for place, amount in enumerate(model.amounts(slot)))
