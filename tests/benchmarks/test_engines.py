"""The engines of the benchmark answer what the prover answers, and the benchmark sees where one does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest
from families import shipped

from benchmarks.engines.answer import Answer, Engine, Gold, Unfit, gold_of
from benchmarks.engines.script import SCRIPTS, plain_facts
from benchmarks.engines.table import ENGINES, is_installed
from benchmarks.grown import Size, grown
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.solver.claims import necessity
from unco.solver.decide import Prover
from unco.solver.judge import judge, violations
from unco.solver.landmarks import landmarks
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Instance, SeveralEligible
from unco.specs.verdict import Proved

GROUPS = 6
"""Some of them without a winner."""
SUPERINTENDENT, SCHOLARSHIP, GROWN = "underground-superintendent", "graduate-scholarship", "grown"
ASKED = {
    "unco, moves": (SCHOLARSHIP, GROWN, "flood-pump-unit"),
    "Z3, prover": (SUPERINTENDENT, SCHOLARSHIP, GROWN, "flood-pump-unit"),
    "Z3, assumptions": (SUPERINTENDENT, SCHOLARSHIP, GROWN, "flood-pump-unit"),
    "Z3, script": (SUPERINTENDENT, SCHOLARSHIP),
    "cvc5": (SUPERINTENDENT, SCHOLARSHIP, GROWN, "flood-pump-unit"),
    "CP-SAT": (SUPERINTENDENT, SCHOLARSHIP, GROWN),
    "clingo": (SUPERINTENDENT, GROWN),
}
PAIRS = [
    pytest.param(
        engine, name, marks=[] if ENGINES[engine].module == "z3" else pytest.mark.extras, id=f"{engine}-{name}"
    )
    for engine, names in ASKED.items()
    for name in names
]


@cache
def family(name: str) -> Family:
    return grown(Size()) if name == GROWN else shipped(name)


@cache
def known(name: str) -> tuple[tuple[Instance, Answer], ...]:
    """Instances, with what the project's own claims say of them."""
    prover = Prover(family(name))
    drawn = (instantiate(family(name), index, InstantiateOptions(seed=3)) for index in range(GROUPS))
    return tuple((each.instance, said(prover, each)) for each in drawn if isinstance(each, CandidateGroup))


def said(prover: Prover, group: CandidateGroup) -> Answer:
    verdicts = [necessity(prover, group.instance, group.outcome, role.id) for role in prover.family.roles]
    return Answer(gold_of(group.outcome), tuple(isinstance(each, Proved) for each in verdicts))


def ready(name: str) -> Engine:
    engine = ENGINES[name]
    if not is_installed(engine):
        pytest.skip(f"{engine.module} is not installed: pip install -e '.[bench]'")
    return engine


@pytest.mark.parametrize(("engine", "name"), PAIRS)
def test_an_engine_answers_what_the_prover_answers(engine: str, name: str) -> None:
    ask = ready(engine).ready(family(name))
    assert not isinstance(ask, Unfit)
    assert [ask(instance) for instance, _ in known(name)] == [answer for _, answer in known(name)]


def test_the_instances_have_winners_and_none_and_roles_of_both_kinds() -> None:
    answers = [answer for name in (SUPERINTENDENT, SCHOLARSHIP, GROWN) for _, answer in known(name)]
    assert {answer.gold is None for answer in answers} == {True, False}
    assert {each for answer in answers for each in answer.open_without} == {True, False}


DECISIVE = {
    SUPERINTENDENT: {},
    SCHOLARSHIP: {
        "household_income": 118_001,
        "household_size": 2,
        "student_debt": 30_001,
        "income_program_used": False,
        "significant_hardship": False,
        "semesters_done": 0,
        "quarters_done": 2,
        "clinical_hours_required": 1_000,
        "clinical_hours_to_do": 750,
        "remote_terms": 3,
        "remaining_terms": 3,
    },
}
"""Facts of the winner with which each further one decides."""
MARCH = "record of March 2026"


def edges(name: str) -> Iterator[Instance]:
    """An instance that somebody wins, with one of his cells after the other at each value where the answer can change;
    and two in which several cells are at their edges.
    """
    rules = family(name)
    instance, winner = next((each, answer.gold[0]) for each, answer in known(name) if answer.gold is not None)
    facts = {
        Cell(winner, each, 0, rules.attribute_by_id[each].required): DECISIVE[name][each] for each in DECISIVE[name]
    }
    base = instance.changed(facts)
    if name == SCHOLARSHIP:
        march = Cell(winner, "clinical_hours_to_do", 0, MARCH)
        base = base.changed({march: 760})
        yield base.changed({march: 750})
        yield base.changed({march: 745})
    yield base
    for slot in rules.read_slots:
        yield from (base.changed({Cell(winner, *slot): value}) for value in landmarks(rules, slot, ()))


def expected(name: str, instance: Instance) -> Gold | str:
    """The answer by the interpreter; what keeps the instance from having one."""
    if violations(family(name), instance):
        return "not legal"
    outcome = judge(family(name), instance)
    return "several" if isinstance(outcome, SeveralEligible) else gold_of(outcome)


def at_the_edges(name: str, ask: Callable[[Instance], Gold]) -> None:
    """The engine gives each instance the answer of the interpreter, and none where it has none."""
    found = {"not legal": 0, "nobody": 0, "somebody": 0}
    for instance in edges(name):
        said = expected(name, instance)
        found[said if isinstance(said, str) else "nobody" if said is None else "somebody"] += 1
        if isinstance(said, str):
            with pytest.raises(AssertionError):
                ask(instance)
        else:
            assert ask(instance) == said, instance
    assert found["nobody"] > 5 < found["somebody"]


@pytest.mark.parametrize("name", DECISIVE)
def test_a_script_sees_every_edge(name: str) -> None:
    at_the_edges(name, lambda instance: SCRIPTS[name].answer(plain_facts(family(name), instance)))


@pytest.mark.extras
@pytest.mark.parametrize("name", DECISIVE)
def test_cp_sat_sees_every_edge(name: str) -> None:
    ask = ready("CP-SAT").ready(family(name))
    assert not isinstance(ask, Unfit)
    at_the_edges(name, lambda instance: ask(instance).gold)


@pytest.mark.extras
@pytest.mark.parametrize(
    ("engine", "name", "because"),
    [
        ("clingo", SCHOLARSHIP, "household_income has 320,001 values"),
        ("clingo", "cheese-milk-tanker", "no small model was written for it"),
        ("CP-SAT", "vacation-days", "18,628 values"),
    ],
)
def test_a_family_that_an_engine_is_not_asked_about_has_a_reason(engine: str, name: str, because: str) -> None:
    found = ready(engine).ready(family(name))
    assert isinstance(found, Unfit)
    assert because in found.reason


def test_no_script_is_asked_about_another_family() -> None:
    assert ENGINES["Z3, script"].ready(family("flood-pump-unit")) == Unfit("no script was written for it")


def test_answers_agree_unless_both_say_something_and_not_the_same() -> None:
    one = Answer((1, 500), (True, False, None))
    assert one.agrees(one)
    assert one.agrees(replace(one, open_without=(True, None, True)))
    assert not one.agrees(replace(one, open_without=(False, False, None)))
    assert not one.agrees(replace(one, gold=(1, 501)))
    assert not one.agrees(replace(one, gold=None))
