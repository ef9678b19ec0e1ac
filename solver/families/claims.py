"""The claims about a family, in order; each is decided by questions that are asked once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from unco.solver.families.asked import Asked
from unco.solver.families.mixed import Mixing, Pair, lifting
from unco.solver.families.operands import changes_result, operands
from unco.solver.families.posing import Open, Posed, Posing, Unposed
from unco.solver.families.question import Question
from unco.solver.families.replies import Form, Reply, at_face_value, is_read, omitted, replies
from unco.solver.families.search import Closed
from unco.solver.families.values_everywhere import one_outcome
from unco.solver.recovery import recovery
from unco.specs.family import Attribute, Role, Slot
from unco.specs.family_proof import (
    Counterexample,
    FamilyClaim,
    FamilyClaimName,
    FamilyProved,
    FamilyRefuted,
    FamilyUnknown,
    FamilyVerdict,
    Method,
    Move,
    Scope,
    Vacuous,
)
from unco.specs.instance import Instance
from unco.specs.wording import listing_text

NO_WINNER_AS_PLANNED = "no candidate can win as planned"
NOBODY_FAILS = "no candidate can fail"
NOBODY = "no candidate is legal"
ONE_BY_ONE = "each instance by itself (unco prove)"
SCOPES = (Scope.WINNER, Scope.NO_WINNER)


class Claims:
    """Every claim about a family; later ones rest on earlier ones."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.family = asked.family
        self.planned = bool(asked.plan)
        self.necessary: dict[tuple[str, Scope], FamilyVerdict] = {}
        self.mixing = Mixing(asked)
        self.face: dict[tuple[str, str], FamilyVerdict] = {}

    def all(self) -> Iterator[FamilyClaim]:
        """In order; lazily, so that each can be timed."""
        yield from self.basis()
        for role in self.family.roles:
            yield from (self._necessity(role, scope) for scope in SCOPES)
        for role in self.family.roles:
            yield from (self._no_oracle(role, scope) for scope in SCOPES)
        for name in self.family.perturbations.missed:
            yield from (self._missed(name, scope) for scope in SCOPES)
        for name in self.family.perturbations.incomplete:
            yield from self._incomplete(self.family.attribute_by_id[name])
        yield from self._lifts()
        yield from self._settings_at_face_value()
        for role in self.family.roles:
            yield self._recoverable(role)
        if self.planned:
            yield from self._operands()

    # The basis

    def basis(self) -> Iterator[FamilyClaim]:
        """There is something to prove, each instance has one outcome, and what the rules leave to the promise."""
        name = FamilyClaimName.WELL_POSED
        statement = "for every value of the thresholds, some candidate can win as planned"
        winning = self._posing(self.asked.winning, NO_WINNER_AS_PLANNED)
        yield FamilyClaim(name, "", Scope.WINNER, statement, winning, planned=self.planned, required=True)
        statement = "for every value of the thresholds, some candidate can fail"
        losing = self._posing(self.asked.losing, NOBODY_FAILS)
        yield FamilyClaim(name, "", Scope.NO_WINNER, statement, losing, required=True)
        statement = "full evidence has one outcome: every rule has a value wherever it is looked at"
        unique = Vacuous(NOBODY) if self._is_empty else one_outcome(self.asked)
        yield FamilyClaim(FamilyClaimName.UNIQUE, "", Scope.ALL, statement, unique, required=True)
        statement = "domains and rules alone leave at most one candidate eligible, without the promise"
        yield FamilyClaim(FamilyClaimName.AT_MOST_ONE, "", Scope.ALL, statement, self._several())

    @property
    def _is_empty(self) -> bool:
        """Whether no candidate is legal at all."""
        posings = (self.asked.winning, self.asked.losing)
        return not self.planned and all(isinstance(self._posing(each, NOBODY), Vacuous) for each in posings)

    def _posing(self, found: Posing, empty: str) -> FamilyVerdict:
        match found:
            case Posed(patterns, rlimit):
                return FamilyProved(Method.MOVES, patterns, rlimit)
            case Unposed(parameters, rlimit) if any(each.value is None for each in self.family.parameters):
                instance = Instance({}, parameters, ())
                return FamilyRefuted(Method.MOVES, Counterexample(instance, ()), rlimit, empty)
            case Unposed(_, rlimit):
                return Vacuous(empty, rlimit)
            case Open(reason, decides, rlimit):
                return FamilyUnknown(reason, decides, rlimit)

    def _several(self) -> FamilyVerdict:
        """Rules are about one candidate at a time: where one can be eligible, so can two."""
        case = self.asked.decide(Question(self.family, True, ()))
        if not isinstance(case, Closed):
            return Vacuous("no candidate can be eligible", case.rlimit)
        instance = self.asked.instance(case.case, winner=True)
        double = {cell: instance.cells[cell._replace(candidate=0)] for cell in instance.cells if cell.candidate == 1}
        instance = instance.changed(double)
        several = Counterexample(instance, ())
        because = "two candidates with the same facts are both eligible; the task text promises that it does not happen"
        return FamilyRefuted(Method.QUERY, several, case.rlimit, because)

    # Roles

    def _necessity(self, role: Role, scope: Scope) -> FamilyClaim:
        question = self.asked.question(self.asked.hidden_with(role.id), winner=scope is Scope.WINNER)
        verdict = self.necessary[role.id, scope] = self._verdict(question)
        statement = f"without {role.name} the answer is open"
        required = role.necessary == "always" or (role.necessary == "with_winner" and scope is Scope.WINNER)
        return self._about(FamilyClaimName.NECESSARY, role.id, scope, statement, verdict, question, required=required)

    def _no_oracle(self, role: Role, scope: Scope) -> FamilyClaim:
        name, statement = FamilyClaimName.NO_ORACLE, f"{role.name} alone leaves the answer open"
        others = (each for each in self.family.roles if each.id != role.id)
        other = next((each for each in others if isinstance(self.necessary[each.id, scope], FamilyProved)), None)
        if other is not None:
            verdict = FamilyProved(Method.IMPLIED, because=f"{other.name} is necessary")
            return FamilyClaim(name, role.id, scope, statement, verdict, planned=self._plans(scope))
        hidden = self.asked.hidden_with(role.id, alone=True)
        question = self.asked.question(hidden, winner=scope is Scope.WINNER)
        if scope is Scope.NO_WINNER:
            question = replace(question, first=self._all_as_a_winner(frozenset(hidden)))
        return self._about(name, role.id, scope, statement, self._verdict(question), question)

    def _all_as_a_winner(self, hidden: frozenset[Slot]) -> tuple[Move, ...]:
        """Moves that set all hidden cells as a winner has them."""
        found = self.asked.winning
        patterns = found.patterns if isinstance(found, Posed) else ()
        return tuple(Move(tuple(each for each in pattern.changes if each[0] in hidden)) for pattern in patterns)

    def _missed(self, role: str, scope: Scope) -> FamilyClaim:
        name = next(each.name for each in self.family.roles if each.id == role)
        verdict = self.necessary[role, scope]
        if isinstance(verdict, FamilyProved):
            verdict = FamilyProved(Method.IMPLIED, because=f"{name} is necessary")
        statement = f"while {name} is silent the answer is open"
        return FamilyClaim(FamilyClaimName.MISSED, role, scope, statement, verdict, planned=self._plans(scope))

    def _verdict(self, question: Question) -> FamilyVerdict:
        return self.asked.verdict(question, self._no_winner if question.winner else NOBODY_FAILS)

    @property
    def _no_winner(self) -> str:
        beside = self.asked.question((), winner=True).beside
        return "no candidate can win as planned beside one who fails" if beside else NO_WINNER_AS_PLANNED

    def _plans(self, scope: Scope) -> bool:
        return self.planned and scope is Scope.WINNER

    def _about(
        self,
        name: FamilyClaimName,
        subject: str,
        scope: Scope,
        statement: str,
        verdict: FamilyVerdict,
        question: Question,
        *,
        form: str = "",
        required: bool = False,
    ) -> FamilyClaim:
        logic = self.asked.logic(question)
        return FamilyClaim(name, subject, scope, statement, verdict, form, self._plans(scope), logic, required)

    # Settings

    def _incomplete(self, attribute: Attribute) -> Iterator[FamilyClaim]:
        for made in replies(self.family, attribute):
            reply = replace(made, question=self.asked.in_a_group(made.question))
            verdict = self._reply_verdict(reply)
            statement = _coarse_statement(attribute, reply.form, read=is_read(self.family, attribute.id))
            yield self._about(
                FamilyClaimName.INCOMPLETE, attribute.id, Scope.WINNER, statement, verdict, reply.question,
                form=reply.form.value,
            )  # fmt: skip

    def _lifts(self) -> Iterator[FamilyClaim]:
        """What a silent role or an omitted value needs without a winner, in the group or at face value."""
        for role in (each for each in self.family.roles if each.id in self.family.perturbations.missed):
            yield self._lift(role.id, role.name, self.asked.hidden_with(role.id))
        for attribute in map(self.family.attribute_by_id.__getitem__, self.family.perturbations.incomplete):
            yield self._lift(attribute.id, attribute.label, omitted(self.family, attribute), Form.OMITTED.value)

    def _lift(self, subject: str, label: str, hidden: tuple[Slot, ...], form: str = "") -> FamilyClaim:
        question = lifting(self.family, hidden)
        verdict = self.asked.verdict(question, f"nobody can fail only conditions that {label} enters")
        statement = f"whoever fails only conditions that {label} enters can become eligible by it alone"
        return self._about(FamilyClaimName.LIFTS, subject, Scope.ALL, statement, verdict, question, form=form)

    def _reply_verdict(self, reply: Reply) -> FamilyVerdict:
        found = self.asked.decide(reply.question)
        told = reply.told(found.case) if isinstance(found, Closed) else {}
        return self.asked.verdict(reply.question, "no winner as planned has a value that such a reply could tell", told)

    def _settings_at_face_value(self) -> Iterator[FamilyClaim]:
        decoys = [
            (self.family.attribute_by_id[name], context)
            for name in self.family.perturbations.misaligned
            for context, _ in self.family.attribute_by_id[name].contexts[1:]
        ]
        for attribute, context in decoys:
            question = at_face_value(self.family, attribute, context)
            if question is not None:
                yield self._misaligned(attribute, context, self.asked.in_a_group(question))
        for attribute, context in decoys:
            if (attribute.id, context) in self.face:
                yield self._mixed(attribute, context, Scope.WINNER)
                if is_read(self.family, attribute.id):
                    yield self._mixed(attribute, context, Scope.NO_WINNER)

    def _misaligned(self, attribute: Attribute, context: str, question: Question) -> FamilyClaim:
        empty = f"no value of {context} differs as planned from that of {attribute.required}"
        verdict = self.face[attribute.id, context] = self.asked.verdict(question, empty)
        wanted = _face_statement(attribute, context, Scope.WINNER, read=is_read(self.family, attribute.id))
        statement = f"{wanted}, it is legal and gives another answer"
        name = FamilyClaimName.MISALIGNED
        return self._about(name, attribute.id, Scope.WINNER, statement, verdict, question, form=context)

    def _mixed(self, attribute: Attribute, context: str, scope: Scope) -> FamilyClaim:
        wanted = _face_statement(attribute, context, scope, read=is_read(self.family, attribute.id))
        statement = f"{wanted}, a value omitted and a role silent beside it mask nothing"
        before = self.asked.spent
        found = () if self._open(attribute, context, scope) else self.mixing.pairs(attribute, scope)
        verdict = self._mixed_verdict(attribute, context, scope, found, self.asked.spent - before)
        name, planned = FamilyClaimName.MIXED, self._plans(scope)
        return FamilyClaim(name, attribute.id, scope, statement, verdict, context, planned, pairs=found)

    def _open(self, attribute: Attribute, context: str, scope: Scope) -> bool:
        """Whether the misaligned reply of a group with a winner is not proved valid alone."""
        return scope is Scope.WINNER and not isinstance(self.face[attribute.id, context], FamilyProved)

    def _mixed_verdict(
        self, attribute: Attribute, context: str, scope: Scope, found: Sequence[Pair], rlimit: int
    ) -> FamilyVerdict:
        alone = self.face[attribute.id, context]
        if self._open(attribute, context, scope):
            unknown = isinstance(alone, FamilyUnknown)
            return FamilyUnknown("Misaligned is not decided for it", ONE_BY_ONE) if unknown else alone
        if isinstance(self._posing(self.asked.losing, NOBODY_FAILS), Vacuous):
            return Vacuous(NOBODY_FAILS, rlimit)
        if not found:
            names, roles = self.mixing.each(attribute, scope)
            told = f"{listing_text(names or ('nothing',))} omitted and of {listing_text(roles or ('nobody',))} silent"
            return FamilyUnknown(f"proved only of {told}, which with it are not on three roles", ONE_BY_ONE, rlimit)
        together = groupby(found, key=lambda pair: pair[0])
        named = [
            f"{name} omitted with {listing_text([role for _, role in pairs], 'or')} silent" for name, pairs in together
        ]
        return FamilyProved(Method.IMPLIED, rlimit=rlimit, because="; ".join(named))

    # Parts

    def _recoverable(self, role: Role) -> FamilyClaim:
        statement = f"what {role.name} withholds, the response policy returns to a request that aims at it"
        verdict = Vacuous(NOBODY) if self._is_empty else recovery(self.family, role.id)
        return FamilyClaim(FamilyClaimName.RECOVERABLE, role.id, Scope.ALL, statement, verdict)

    def _operands(self) -> Iterator[FamilyClaim]:
        for attribute, context in operands(self.asked):
            statement = f"{self.family.attribute_by_id[attribute].label} can change the result of a winner as planned"
            verdict = changes_result(self.asked, attribute, context)
            name = FamilyClaimName.MATTERS
            yield FamilyClaim(name, attribute, Scope.WINNER, statement, verdict, context, planned=True)


def _face_statement(attribute: Attribute, context: str, scope: Scope, *, read: bool) -> str:
    """The instances that a claim about a face value is about."""
    if scope is Scope.NO_WINNER:
        return f"wherever {attribute.label} read from {context} makes somebody eligible"
    return f"wherever {attribute.label} read from {context} {'fails a condition' if read else 'differs'}"


def _coarse_statement(attribute: Attribute, form: Form, *, read: bool) -> str:
    where = "with a value at which a condition fails" if read else "of two values or more"
    match form:
        case Form.OMITTED:
            return f"without {attribute.label} the answer is open"
        case Form.INTERVAL:
            return f"every interval for {attribute.label} {where} leaves the answer open"
        case Form.SET:
            return f"every set of values for {attribute.label} {where} leaves the answer open"
