"""What the tests of family proofs share: families to prove, every case of a small one, answers by looking at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from unco.compiler.check import CheckOptions, check
from unco.solver.claims import face_values
from unco.solver.families.moving import as_planned, flips, holds
from unco.solver.families.question import Case, Question
from unco.solver.families.replies import at_face_value
from unco.solver.families.sampling import as_case
from unco.solver.judge import failed_conditions, judge, violations
from unco.specs.domains import values
from unco.specs.expression import references
from unco.specs.family import Family, Rule, Slot
from unco.specs.family_proof import FamilyClaim, Scope
from unco.specs.group import Misaligned
from unco.specs.instance import Instance, Outcome, SeveralEligible, Winner
from unco.specs.read import parse_specification, read_specification
from unco.specs.shipped import shipped_specifications
from unco.specs.values import Value


@cache
def shipped(name: str) -> Family:
    return check(read_specification(shipped_specifications()[name]), CheckOptions(findings=False)).require()


def shipped_with(name: str, *changes: tuple[str, str]) -> Family:
    """The family of a shipped specification with some places of its text changed."""
    text = shipped_specifications()[name].read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return check(parse_specification(text), CheckOptions(findings=False)).require()


def parameter_values(family: Family) -> Iterator[dict[str, Value]]:
    """Every value of the parameters; the fixed ones as they are."""
    choices = [values(each.domain) if each.value is None else [each.value] for each in family.parameters]
    for chosen in product(*choices):
        yield dict(zip((each.id for each in family.parameters), chosen, strict=True))


def all_cases(question: Question) -> Iterator[Case]:
    """Every case of a question, by looking at all cells and parameters; what does not matter is at its lowest."""
    family = question.family
    lowest = {slot: domain.value(0) for slot, domain in family.domains.items()}
    spaces = [list(values(family.domains[slot])) for slot in question.slots]
    for parameters in parameter_values(family):
        other = some_loser(family, parameters) if question.beside else None
        for chosen in product(*spaces):
            cells = {**lowest, **dict(zip(question.slots, chosen, strict=True))}
            case = as_case(question, Case(cells, parameters, None, other))
            if case is not None:
                yield case


def some_loser(family: Family, parameters: Mapping[str, Value]) -> Mapping[Slot, Value] | None:
    """A legal candidate who is not eligible, by looking at all."""
    question, slots = Question(family, False, ()), tuple(family.domains)
    spaces = [list(values(family.domains[slot])) for slot in slots]
    cases = (Case(changes(slots, chosen), parameters, None) for chosen in product(*spaces))
    return next((case.cells for case in cases if as_case(question, case) is not None), None)


def is_open(question: Question, case: Case) -> bool:
    """Whether some completion of the case has another answer, by looking at all."""
    if question.face is not None:
        raise ValueError("a face value has one completion alone")
    spaces = [list(values(question.family.domains[slot])) for slot in question.hidden]
    return any(flips(question, case, changes(question.hidden, chosen)) for chosen in product(*spaces))


def changes(slots: tuple[Slot, ...], chosen: tuple[Value, ...]) -> Mapping[Slot, Value]:
    return dict(zip(slots, chosen, strict=True))


def in_space_of_mixed(
    family: Family, instance: Instance, outcome: Outcome, claim: FamilyClaim, pair: tuple[str, str]
) -> bool:
    """Whether a group is one of those that a claim about Mixed speaks of, by the interpreter."""
    attribute, winner = family.attribute_by_id[claim.subject], isinstance(outcome, Winner)
    if winner is not (claim.scope is Scope.WINNER):
        return False
    question = at_face_value(family, attribute, claim.form)
    assert question is not None
    base = instance.changed(face_values(family, instance, Misaligned(attribute.id, claim.form)))
    after = judge(family, base) if not violations(family, base) else SeveralEligible(())
    if isinstance(after, SeveralEligible) or after == outcome:
        return False
    if isinstance(outcome, Winner):
        case = Case(instance.candidate(outcome.candidate), instance.parameters, outcome.result)
        planned = all(holds(rule, case.cells, case.parameters) for rule in question.assumed)
        if not planned or not as_planned(question, case):
            return False
        return isinstance(after, Winner) or somebody_to_lift(family, base, pair)
    return somebody_to_lift(family, instance, pair)


def somebody_to_lift(family: Family, instance: Instance, pair: tuple[str, str]) -> bool:
    """Whether somebody fails only what the omitted value enters, and somebody only what the silent role enters."""
    required = family.attribute_by_id[pair[0]].required
    owned = {each.id for each in family.owned(pair[1])}

    def entered(rule: Rule, silent: bool) -> bool:
        read = references(rule.expression)
        if silent:
            return any(each.attribute in owned for each in read)
        return any((each.attribute, each.context) == (pair[0], required) for each in read)

    failed = [
        failed_conditions(family, instance.candidate(number), instance.parameters)
        for number in range(family.candidates)
    ]
    enters = [{rule.id for rule in family.conditions if entered(rule, silent)} for silent in (False, True)]
    return all(any(each and set(each) <= ids for each in failed) for ids in enters)
