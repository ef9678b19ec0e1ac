"""What the tests of family proofs share: families to prove, every case of a small one, answers by looking at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from unco.compiler.check import CheckOptions, check
from unco.solver.families.moving import flips
from unco.solver.families.question import Case, Question
from unco.solver.families.sampling import as_case
from unco.specs.domains import values
from unco.specs.family import Family, Slot
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
        for chosen in product(*spaces):
            cells = {**lowest, **dict(zip(question.slots, chosen, strict=True))}
            case = as_case(question, Case(cells, parameters, None))
            if case is not None:
                yield case


def is_open(question: Question, case: Case) -> bool:
    """Whether some completion of the case has another answer, by looking at all."""
    if question.face is not None:
        raise ValueError("a face value has one completion alone")
    spaces = [list(values(question.family.domains[slot])) for slot in question.hidden]
    return any(flips(question, case, changes(question.hidden, chosen)) for chosen in product(*spaces))


def changes(slots: tuple[Slot, ...], chosen: tuple[Value, ...]) -> Mapping[Slot, Value]:
    return dict(zip(slots, chosen, strict=True))
