"""Repair advice: the smallest changes of plan, thresholds or owners that make a refuted claim provable.

Each is verified: the claim is proved for the changed family, and somebody can still win for every value of the
thresholds. The search is bounded: clauses of the plan are added one at a time, up to MOST_CLAUSES, each breaking the
last counterexample; the first BEAM sets go on from one length to the next; at most MOST_TRIED are put to the solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from unco.solver.families.as_source import Unwritable, as_source
from unco.solver.families.asked import Asked
from unco.solver.families.atoms import clauses_against
from unco.solver.families.posing import Posed, Poser
from unco.solver.families.question import Case, Question, deciding_slots
from unco.solver.families.search import Closed, Covered, Found, Search, decide
from unco.solver.family import FamilyOptions
from unco.specs.advice import Advice, Remedy
from unco.specs.domains import NumberDomain
from unco.specs.expression import Expression, parameters, references
from unco.specs.family import Attribute, Family, Parameter, Rule
from unco.specs.family_proof import Counterexample, FamilyClaim, FamilyClaimName, FamilyRefuted, Scope
from unco.specs.printer import print_expression
from unco.specs.syntax import NumberLiteral
from unco.specs.values import Value
from unco.specs.wording import value_text

MOST_CLAUSES = 3
MOST_TRIED = 40
BEAM = 3
MOST_SHOWN = 3
"""So many changes of one kind are shown at most: the first of the smallest."""


def advise(family: Family, claim: FamilyClaim, options: FamilyOptions | None = None) -> tuple[Advice, ...]:
    """Changes that make the claim provable, the smallest first; none where the claim is not a refuted necessity of a
    role in groups with a winner, or none is found.
    """
    options = options or FamilyOptions()
    verdict = claim.verdict
    if not isinstance(verdict, FamilyRefuted) or verdict.counterexample is None:
        return ()
    if claim.name is not FamilyClaimName.NECESSARY or claim.scope is not Scope.WINNER:
        return ()
    search = Search(options.rlimit, options.seed, options.most_moves)
    adviser = _Adviser(family, claim, verdict.counterexample, search)
    return (*adviser.plans(), *adviser.thresholds(), *adviser.owners())


SPREAD = (2, 4)
"""Over so many roles operands and conditions are to be spread, unless the author sets other limits."""


@dataclass(frozen=True)
class _Tried:
    """Clauses that were added to the plan, and the case that is left all the same."""

    clauses: tuple[Expression, ...]
    case: Case


class _Adviser:
    def __init__(self, family: Family, claim: FamilyClaim, example: Counterexample, search: Search) -> None:
        self.family = family
        self.claim = claim
        self.asked = Asked(family, search)
        self.search = search
        self.role = claim.subject
        self.question = self.asked.question(self.asked.hidden_with(self.role), winner=True)
        instance = example.instance
        self.case = Case(instance.candidate(0), instance.parameters, None)

    # Clauses of the plan

    def plans(self) -> tuple[Advice, ...]:
        """Sets of clauses, the smallest that there are."""
        beam, tried = [_Tried((), self.case)], 0
        for _ in range(MOST_CLAUSES):
            found: list[Advice] = []
            left: list[_Tried] = []
            for before in beam:
                for clause in clauses_against(self.family, before.case, self.question.hidden):
                    if tried == MOST_TRIED or len(found) == MOST_SHOWN:
                        break
                    tried += 1
                    clauses = (*before.clauses, clause)
                    outcome = self._with_clauses(clauses)
                    if isinstance(outcome, Covered):
                        found += self._plan(clauses)
                    elif isinstance(outcome, Closed):
                        left.append(_Tried(clauses, outcome.case))
            if found:
                return tuple(found)
            beam = left[:BEAM]
        return ()

    def _with_clauses(self, clauses: tuple[Expression, ...]) -> Found:
        question = replace(self.question, assumed=(*self.question.assumed, *clauses))
        return decide(question, self.asked.compiled, self.search)

    def _plan(self, clauses: tuple[Expression, ...]) -> list[Advice]:
        """The clauses as a section, where somebody can still win, and they can be written."""
        try:
            texts = [as_source(self.family, clause) for clause in clauses]
        except Unwritable:
            return []
        rules = tuple(Rule(f"{self.role}_matters_{number}", clause) for number, clause in enumerate(clauses, 1))
        plan = replace(self.family.plan, winner=(*self.family.plan.winner, *rules))
        changed = replace(self.family, plan=plan)
        if not isinstance(Poser(changed, True, self.asked.compiled, self.search).posed(), Posed):
            return []
        names = [self._clause_name(number, len(texts)) for number in range(1, len(texts) + 1)]
        lines = [f"    {name}: {_quoted(text)}" for name, text in zip(names, texts, strict=True)]
        says = "add to the plan of the winner"
        yaml = "\n".join(["plan:", "  winner:", *lines])
        return [Advice(self.claim.key, Remedy.PLAN, says, yaml, len(texts))]

    def _clause_name(self, number: int, of: int) -> str:
        return f"{self.role}_matters" if of == 1 else f"{self.role}_matters_{number}"

    # Ranges of thresholds

    def thresholds(self) -> Iterator[Advice]:
        """Ranges without the threshold of the counterexample: above it, or below it."""
        read = {name for rule in self._rules() for name in parameters(rule)}
        for each in self.family.parameters:
            if each.value is None and each.id in read and isinstance(each.domain, NumberDomain):
                yield from self._ranges(each, each.domain, self.case.parameters[each.id])

    def _ranges(self, parameter: Parameter, domain: NumberDomain, value: Value) -> Iterator[Advice]:
        index = domain.index(value)
        assert index is not None
        for first, last in ((index + 1, domain.size - 1), (0, index - 1)):
            if first <= last:
                low, high = domain.value(first), domain.value(last)
                narrower = replace(domain, low=domain.low + first * domain.step, high=domain.low + last * domain.step)
                if self._proves(_with_domain(self.family, parameter, narrower)):
                    says = f"draw {parameter.label} from {value_text(low, domain)} to {value_text(high, domain)}"
                    ends = ", ".join(_digits(domain, each) for each in (first, last))
                    yaml = f"parameters:\n  {parameter.id}:\n    range: [{ends}]"
                    yield Advice(self.claim.key, Remedy.THRESHOLD, says, yaml, 1)

    def _proves(self, changed: Family) -> bool:
        asked = Asked(changed, self.search)
        question = asked.question(asked.hidden_with(self.role), winner=True)
        return isinstance(asked.decide(question), Covered) and isinstance(asked.winning, Posed)

    # Owners

    def owners(self) -> Iterator[Advice]:
        """Another attribute that the role could own too, so that both owners are necessary, or the other still as it
        was.
        """
        for attribute in self._others():
            name = next(each.name for each in self.family.roles if each.id == self.role)
            changed = _with_owner(self.family, attribute, self.role)
            if (
                self._stays_spread(changed)
                and self._necessary(changed, self.role)
                and self._is_as_before(changed, attribute.owner)
            ):
                yaml = f"attributes:\n  {attribute.id}:\n    owner: {self.role}"
                yield Advice(self.claim.key, Remedy.OWNER, f"let {name} own {attribute.label} too", yaml, 1)

    def _others(self) -> list[Attribute]:
        """Attributes of other roles that enter a rule which the role's attributes enter, and can go alone."""
        read = {each.attribute for rule in self._rules() for each in references(rule)}
        sizes = {group.size_attribute for group in self.family.groups}
        return [
            each
            for each in self.family.attributes
            if each.id in read
            and each.owner != self.role
            and each.group is None
            and each.id not in sizes
            and any(cell for cell in self._deciding(each.owner) if cell != each.id)
        ]

    def _deciding(self, role: str) -> list[str]:
        return [each.id for each in self.family.owned(role) if not each.distractor]

    def _stays_spread(self, changed: Family) -> bool:
        """Whether operands and conditions still have as many owners as `check` asks for, or had before."""
        before, after = spread(self.family), spread(changed)
        return all(now >= min(old, least) for now, old, least in zip(after, before, SPREAD, strict=True))

    def _is_as_before(self, changed: Family, role: str) -> bool:
        return self._necessary(changed, role) or not self._necessary(self.family, role)

    def _necessary(self, changed: Family, role: str) -> bool:
        owned = {attribute.id for attribute in changed.owned(role)}
        hidden = tuple(slot for slot in deciding_slots(self.family) if slot.attribute in owned)
        return isinstance(self.asked.decide(Question(self.family, True, hidden, self.asked.plan)), Covered)

    def _rules(self) -> list[Expression]:
        """The rules that the role's attributes enter."""
        owned = {attribute.id for attribute in self.family.owned(self.role)}
        rules = [rule.expression for rule in self.family.conditions] + [self.family.calculation.expression]
        return [rule for rule in rules if not owned.isdisjoint(each.attribute for each in references(rule))]


def spread(family: Family) -> tuple[int, int]:
    """How many roles own an operand, and how many own something that a condition reads."""
    owner = {each.id: each.owner for each in family.attributes}
    operands = {owner[each.attribute] for each in references(family.calculation.expression)}
    return len(operands), len({owner[name] for read in family.condition_reads for name in read})


def _with_domain(family: Family, parameter: Parameter, domain: NumberDomain) -> Family:
    changed = tuple(replace(each, domain=domain) if each is parameter else each for each in family.parameters)
    return replace(family, parameters=changed, digest=f"{family.digest} {parameter.id} {domain.low} {domain.high}")


def _with_owner(family: Family, attribute: Attribute, role: str) -> Family:
    changed = tuple(replace(each, owner=role) if each is attribute else each for each in family.attributes)
    return replace(family, attributes=changed, digest=f"{family.digest} {attribute.id} {role}")


def _digits(domain: NumberDomain, index: int) -> str:
    """A value as the file has it: exact decimal digits."""
    return print_expression(NumberLiteral(domain.low + index * domain.step)).replace("_", "")


def _quoted(text: str) -> str:
    """The text as a YAML scalar."""
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
