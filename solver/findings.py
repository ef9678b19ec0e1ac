"""What the solver finds in a well-typed family: parts that can never matter, and places without a value.

All findings are judged without the plan, over all legal cells of one candidate, and for every value of the parameters
that the family leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import z3

from unco.solver.decide import Decision, Prover, Query, Sat, Undecided, Unsat
from unco.solver.encode import Encoder, equal
from unco.solver.finding import Finding, Nowhere, ids_of, least, unmet_plan, where
from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import failed_conditions, result, violations
from unco.solver.parts import Part, Path, parts_of
from unco.solver.space import Bool, Space
from unco.specs.expression import Apply, Expression, references, walk
from unco.specs.family import Family, Rule, Slot
from unco.specs.instance import Instance
from unco.specs.values import Value

__all__ = ["Finding", "findings", "missing_values"]

MOST_ROUNDS = 200
"""How many values of the parameters are tried before a finding is left undecided."""
Build = Callable[[Space], tuple[Bool, ...]]
Holds = Callable[[Instance], bool]


def findings(family: Family, rlimit: int) -> Iterator[Finding]:
    """Every finding, in the author's order. Where one makes later kinds meaningless, those are left out."""
    finder = _Finder(family, rlimit)
    yield from _staged(
        (finder.values_of_consistency, True),
        (finder.consistency, True),
        (finder.values, True),
        (finder.eligibility, True),
        (finder.conditions, False),
        (finder.parts, True),
        (finder.idle, False),
    )


def missing_values(family: Family, rlimit: int) -> Iterator[Finding]:
    """The findings without which no instance can be judged: rules that have no value somewhere."""
    finder = _Finder(family, rlimit)
    yield from _staged((finder.values_of_consistency, True), (finder.values, True))


def _staged(*stages: tuple[Callable[[], Iterator[Finding]], bool]) -> Iterator[Finding]:
    """The findings of each stage, to the first that ends with one by which the family falls."""
    for stage, ends in stages:
        found = list(stage())
        yield from found
        if ends and not all(finding.stands for finding in found):
            return


class _Finder:
    def __init__(self, family: Family, rlimit: int) -> None:
        self.family = family
        self.one = Prover(family, rlimit, candidates=1)
        self.two = Prover(family, rlimit, candidates=2)
        self.pinned: dict[str, Value] = {each.id: each.value for each in family.parameters if each.value is not None}
        self.open = tuple(each.id for each in family.parameters if each.value is None)
        self.always_true: set[str] = set()

    @cached_property
    def _encoder(self) -> Encoder:
        """Tells, without a solver, which expressions have a value everywhere."""
        return Space(self.family, 1).candidates[0].encoder

    # The stages

    def values_of_consistency(self) -> Iterator[Finding]:
        """Consistency rules that have no value somewhere, where the rules before them hold."""
        for position, rule in enumerate(self.family.consistency):
            before = self.family.consistency[:position]
            yield from self._undefined("consistency", rule.id, rule.expression, before, legal=False)

    def consistency(self) -> Iterator[Finding]:
        """Consistency rules that no cells satisfy."""
        decision = self._everywhere("legal", lambda space: space.consistent(), lambda instance: True)
        if isinstance(decision, Unsat):
            yield self._contradiction()
        yield from self._undecided(decision, "consistency", "")

    def _contradiction(self) -> Finding:
        """The first consistency rule that cannot hold together with those before it."""
        message = "no instance can satisfy the consistency rules"
        for position, rule in enumerate(self.family.consistency):
            rules = self.family.consistency[: position + 1]
            if isinstance(self._rules_alone_hold(rules), Unsat):
                others = tuple(other.id for other in rules[:-1])
                return Finding("UNC401", "consistency", rule.id, message, rule.span, others=others)
        return Finding("UNC401", "consistency", "", message)

    def values(self) -> Iterator[Finding]:
        """Conditions, clauses of the plan and calculations that have no value somewhere."""
        for rule in self.family.conditions:
            yield from self._undefined("conditions", rule.id, rule.expression, ())
        for rule in self.family.plan.winner:
            yield from self._undefined("plan.winner", rule.id, rule.expression, ())
        formula = self.family.calculation.expression
        yield from self._undefined("calculation", "formula", formula, self.family.conditions)

    def eligibility(self) -> Iterator[Finding]:
        """Conditions that no cells satisfy, alone or together, and a plan that no winner can meet."""
        impossible = False
        for rule in self.family.conditions:
            decision = self._rules_hold((rule,))
            yield from self._undecided(decision, "conditions", rule.id)
            if isinstance(decision, Unsat):
                impossible = True
                yield Finding(
                    "UNC402", "conditions", rule.id, "the condition is impossible", rule.span, where(decision)
                )
        if impossible:
            return
        decision = self._rules_hold(self.family.conditions)
        yield from self._undecided(decision, "conditions", "")
        if isinstance(decision, Unsat):
            message = "no candidate can be eligible"
            yield Finding("UNC410", "conditions", "", message, example=where(decision), others=ids_of(self._core()))
            return
        decision = self._rules_hold((*self.family.conditions, *self.family.plan.winner))
        yield from self._undecided(decision, "plan.winner", "")
        if isinstance(decision, Unsat):
            yield unmet_plan(self.family, self._core(self.family.plan.winner), where(decision))

    def conditions(self) -> Iterator[Finding]:
        """Conditions that are always true, or that the others imply."""
        for rule in self.family.conditions:
            always = self._fails(rule, ())
            yield from self._undecided(always, "conditions", rule.id)
            if isinstance(always, Unsat):
                self.always_true.add(rule.id)
                yield Finding("UNC403", "conditions", rule.id, "the condition is always true", rule.span, where(always))
                continue
            others = tuple(other for other in self.family.conditions if other is not rule)
            implied = self._fails(rule, others)
            yield from self._undecided(implied, "conditions", rule.id)
            if isinstance(implied, Unsat):
                names = self._implying(rule, others)
                message = "the other conditions imply it"
                yield Finding("UNC404", "conditions", rule.id, message, rule.span, where(implied), others=names)

    def parts(self) -> Iterator[Finding]:
        """Parts of conditions and of the calculation that never decide; in a rule that is always true, all would."""
        for rule in self.family.conditions:
            if rule.id in self.always_true:
                continue
            others = tuple(other for other in self.family.conditions if other is not rule)
            yield from self._idle_parts("conditions", rule.id, rule.expression, others)
        yield from self._idle_parts(
            "calculation", "formula", self.family.calculation.expression, self.family.conditions
        )

    def idle(self) -> Iterator[Finding]:
        """Operands that never change the result of an eligible candidate."""
        formula = self.family.calculation.expression
        seen = dict.fromkeys((each.attribute, each.context) for each in references(formula))
        for attribute, context in seen:
            decision = self._changes_result(attribute, context)
            yield from self._undecided(decision, "calculation", "formula")
            if isinstance(decision, Unsat):
                span = next(
                    each.span for each in references(formula) if (each.attribute, each.context) == (attribute, context)
                )
                yield Finding(
                    "UNC406",
                    "calculation",
                    "formula",
                    f"`{attribute}` never changes the result",
                    span,
                    where(decision),
                    attributes=(attribute,),
                )

    # The questions

    def _undefined(
        self, section: str, id_: str, expression: Expression, given: Sequence[Rule], *, legal: bool = True
    ) -> Iterator[Finding]:
        """SAT iff some cells, legal if asked, at which the given rules hold, leave the expression without a value.

        For every value of the parameters, the fixed ones too: facts can pin another. An open question lets nothing
        stand, since no instance could be judged where the expression has no value.
        """
        if self._encoder.fold_defined(expression) is True:
            return

        def build(space: Space) -> tuple[Bool, ...]:
            encoder = space.candidates[0].encoder
            rules = tuple(encoder.encode(rule.expression) for rule in given)
            consistent = space.consistent() if legal else ()
            return (*consistent, *rules, z3.Not(encoder.defined(expression)))

        def replay(instance: Instance) -> bool:
            return self._hold(instance, given) and self._fault(expression, instance) is not None

        decision = self.one.decide(Query(f"{section} without a value", build, replay, legal))
        if isinstance(decision, Undecided):
            message = "it was not decided whether this has a value everywhere"
            yield Finding("UNC412", section, id_, message, expression.span, reason=decision.reason)
        if isinstance(decision, Sat):
            fault = self._fault(expression, decision.completion)
            if fault is not None:
                yield self._without_value(section, id_, expression, fault, decision.completion)

    def _without_value(
        self, section: str, id_: str, expression: Expression, fault: Undefined, example: Instance
    ) -> Finding:
        culprit = next(
            (part for part in walk(expression) if isinstance(part, Apply) and part.span == fault.span), expression
        )
        looked_up = isinstance(culprit, Apply) and culprit.operator in ("lookup", "tiered")
        overlap = looked_up and "several" in fault.reason
        code = ("UNC409" if overlap else "UNC408") if looked_up else "UNC407"
        about = tuple(dict.fromkeys(each.attribute for each in references(culprit)))
        return Finding(code, section, id_, fault.reason, fault.span, example, about, fault.reason)

    def _rules_hold(self, rules: Sequence[Rule]) -> Decision:
        """SAT iff for every value of the parameters some legal cells satisfy the rules."""

        def build(space: Space) -> tuple[Bool, ...]:
            encoder = space.candidates[0].encoder
            return (*space.consistent(), *(encoder.encode(rule.expression) for rule in rules))

        return self._everywhere("rules hold", build, lambda instance: self._hold(instance, rules))

    def _rules_alone_hold(self, rules: Sequence[Rule]) -> Decision:
        """SAT iff for every value of the parameters some cells of the domains, legal or not, satisfy the rules."""

        def build(space: Space) -> tuple[Bool, ...]:
            encoder = space.candidates[0].encoder
            return tuple(encoder.encode(rule.expression) for rule in rules)

        return self._everywhere("rules alone hold", build, lambda instance: self._hold(instance, rules), legal=False)

    def _fails(self, rule: Rule, others: Sequence[Rule]) -> Decision:
        """UNSAT iff for some value of the parameters the others imply the rule."""

        def build(space: Space) -> tuple[Bool, ...]:
            encoder = space.candidates[0].encoder
            kept = tuple(encoder.encode(other.expression) for other in others)
            return (*space.consistent(), *kept, z3.Not(encoder.encode(rule.expression)))

        return self._everywhere(
            "the condition fails", build, lambda each: self._hold(each, others) and not self._hold(each, (rule,))
        )

    def _idle_parts(self, section: str, id_: str, whole: Expression, others: Sequence[Rule]) -> Iterator[Finding]:
        """Parts that never decide; what stands inside such a part is not looked at."""
        idle: list[Path] = []
        for part in parts_of(whole):
            if any(part.path[: len(path)] == path for path in idle):
                continue
            found = list(self._part(section, id_, whole, part, others))
            idle += [part.path for finding in found if finding.code != "UNC412"]
            yield from found

    def _part(self, section: str, id_: str, whole: Expression, part: Part, others: Sequence[Rule]) -> Iterator[Finding]:
        """A finding where the whole stays the same, for some value of the parameters, with the part replaced."""
        for replacement in part.replacements:
            decision = self._differs(whole, replacement.whole, others)
            yield from self._undecided(decision, section, id_)
            if isinstance(decision, Unsat):
                yield Finding(part.code, section, id_, replacement.message, part.expression.span, where(decision))
                return

    def _differs(self, whole: Expression, other: Expression, given: Sequence[Rule]) -> Decision:
        """UNSAT iff for some value of the parameters both are the same wherever the given rules hold."""

        def build(space: Space) -> tuple[Bool, ...]:
            encoder = space.candidates[0].encoder
            kept = tuple(encoder.encode(rule.expression) for rule in given)
            same = equal(z3, encoder.encode(whole), encoder.encode(other), space.context)
            return (*space.consistent(), *kept, z3.Or(z3.Not(encoder.defined(other)), z3.Not(same)))

        def replay(instance: Instance) -> bool:
            values = instance.candidate(0)
            if not self._hold(instance, given):
                return False
            if self._fault(other, instance) is not None:
                return True
            return interpret(whole, values, instance.parameters) != interpret(other, values, instance.parameters)

        return self._everywhere("the part decides", build, replay)

    def _changes_result(self, attribute: str, context: str) -> Decision:
        """UNSAT iff for some value of the parameters no two eligible candidates that agree in all other operands have
        different results.
        """
        kept = self._other_operands(attribute, context)

        def build(space: Space) -> tuple[Bool, ...]:
            first, second = space.candidates
            alike = [equal(z3, first.variables[slot].term, second.variables[slot].term, space.context) for slot in kept]
            differ = z3.Not(equal(z3, first.result, second.result, space.context))
            return (*space.consistent(), *alike, first.eligible, second.eligible, differ)

        def replay(instance: Instance) -> bool:
            both = [instance.candidate(0), instance.candidate(1)]
            if any(failed_conditions(self.family, each, instance.parameters) for each in both):
                return False
            results = {result(self.family, each, instance.parameters) for each in both}
            return all(both[0][slot] == both[1][slot] for slot in kept) and len(results) == 2

        return self._everywhere("the operand matters", build, replay, self.two)

    def _other_operands(self, attribute: str, context: str) -> tuple[Slot, ...]:
        """The slots that the calculation reads beside an operand; the members of a group go with its size."""
        read = {(each.attribute, each.context) for each in references(self.family.calculation.expression)}
        groups = {group.id for group in self.family.groups if group.size_attribute == attribute}
        return tuple(
            slot
            for slot in self.family.slots
            if (slot.attribute, slot.context) in read - {(attribute, context)}
            and self.family.attribute_by_id[slot.attribute].group not in groups
        )

    def _everywhere(
        self, name: str, build: Build, holds: Holds, prover: Prover | None = None, *, legal: bool = True
    ) -> Decision:
        """SAT iff for every value of the open parameters some cells answer the question; UNSAT: for one, none do.

        By counterexamples: cells found for one value of the parameters are tried for all, until no value is left.
        """
        prover = prover or self.one
        found: list[Instance] = []
        unanswered: list[Bool] = []
        fixed: Mapping[str, Value] = self.pinned
        for _ in range(MOST_ROUNDS):
            decision = prover.decide_warm(Query(name, _with_parameters(build, fixed), holds, legal))
            if isinstance(decision, Unsat) and found:
                return Nowhere(decision.rlimit, fixed)
            if not isinstance(decision, Sat) or not self.open:
                return decision
            found.append(decision.completion)
            left = self._parameters_left(prover, build, holds, found, unanswered)
            if not isinstance(left, Sat):
                return Sat(found[0], left.rlimit) if isinstance(left, Unsat) else left
            fixed = left.completion.parameters
        return Undecided(f"no end after {MOST_ROUNDS} values of the parameters", 0)

    def _parameters_left(
        self, prover: Prover, build: Build, holds: Holds, found: Sequence[Instance], unanswered: list[Bool]
    ) -> Decision:
        """UNSAT iff for every value of the parameters one of the cells found so far answers the question.

        `unanswered` says where each of those before the last does not answer it; what the last says joins them.
        """

        def asked(space: Space) -> tuple[Bool, ...]:
            answer = space.at(found[-1].cells, space.conjunction(*build(space)))
            unanswered.append(z3.simplify(z3.Not(answer)))
            return (*space.fixes(self.pinned), *unanswered)

        def replay(left: Instance) -> bool:
            tried = (Instance(each.cells, left.parameters, each.names) for each in found)
            return not any(not violations(self.family, each) and holds(each) for each in tried)

        return prover.decide_warm(Query("parameters left", asked, replay, legal=False))

    # Replay and blame

    def _hold(self, instance: Instance, rules: Sequence[Rule]) -> bool:
        values = instance.candidate(0)
        return all(interpret(rule.expression, values, instance.parameters) is True for rule in rules)

    def _fault(self, expression: Expression, instance: Instance) -> Undefined | None:
        try:
            interpret(expression, instance.candidate(0), instance.parameters)
        except Undefined as undefined:
            return undefined
        return None

    def _undecided(self, decision: Decision, section: str, id_: str) -> Iterator[Finding]:
        if isinstance(decision, Undecided):
            yield Finding("UNC412", section, id_, "a check was not decided", reason=decision.reason, stands=True)

    def _core(self, clauses: Sequence[Rule] = ()) -> tuple[Rule, ...]:
        """Conditions, and clauses of the plan, that cannot hold together, none of which can be left out."""
        return least((*self.family.conditions, *clauses), lambda rest: isinstance(self._rules_hold(rest), Unsat))

    def _implying(self, rule: Rule, others: Sequence[Rule]) -> tuple[str, ...]:
        """Conditions that imply the rule, none of which can be left out."""
        return ids_of(least(others, lambda rest: isinstance(self._fails(rule, rest), Unsat)))


def _with_parameters(build: Build, values: Mapping[str, Value]) -> Build:
    """The question with some parameters fixed."""
    return lambda space: (*build(space), *space.fixes(values))
