"""A wrong row, term or query is caught: every mutant that is tried is killed or listed with a reason."""

from __future__ import annotations

from random import Random
from types import CodeType

import pytest

from tests.mutation import fate
from tests.mutation.fate import Battery, Check, Fate
from tests.mutation.listed import groups, listed
from tests.mutation.mutants import Mutant, mutants, mutated
from tests.mutation.operator_checks import examples, interpreter_gives, operator_checks
from tests.mutation.report import PAGE, fates, modules, page, scope, seen, tried
from tests.mutation.scope import FIELDS, functions_of, operator_targets
from unco.solver.operators.table import OPERATORS

MODULES = [(part, module) for part in scope() for module in modules(part)]


# The framework -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPERATORS)
def test_every_function_of_a_row_has_mutants_and_so_has_all_that_it_calls(name: str) -> None:
    covered = {target.key: target for target in operator_targets()}
    for field in FIELDS:
        keys = functions_of(OPERATORS[name], field)
        assert keys <= covered.keys()
        assert any(mutants(covered[key]) for key in keys)


def test_every_function_in_scope_is_live_and_stands_as_in_its_file() -> None:
    for targets in scope().values():
        for target in targets:
            assert target.live, target.name
            assert all(_names(each.__code__) == _names(target.compiled()) for each in target.live), target.name


def _names(code: CodeType) -> object:
    return code.co_name, code.co_names, code.co_varnames, code.co_cellvars


def test_a_mutant_changes_a_function_and_leaves_no_trace() -> None:
    row = OPERATORS["<"]
    target = next(each for each in operator_targets() if row.apply in each.live)
    assert row.apply((1, 1), ()) is False
    with mutated(next(each for each in mutants(target) if "<=" in each.name.change)):
        assert row.apply((1, 1), ()) is True
    assert row.apply((1, 1), ()) is False


def test_a_mutant_is_seen_by_another_answer_an_error_or_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fate, "SECONDS", 0.2)
    row = OPERATORS["<"]
    target = next(each for each in operator_targets() if row.apply in each.live)
    mutant = next(each for each in mutants(target) if "<=" in each.name.change)

    def loops() -> None:
        while row.apply((1, 1), ()):
            pass

    def fails() -> None:
        if row.apply((1, 1), ()):
            raise ValueError

    cases = (lambda: row.apply((1, 1), ()), Fate.ANSWER), (fails, Fate.CRASH), (loops, Fate.LOOP)
    for answer, expected in (*cases, (lambda: row.apply((1, 2), ()), Fate.SURVIVES)):
        assert Battery([Check("it", answer)], [target]).fate(mutant)[0] is expected


def test_every_boundary_example_is_what_the_interpreter_gives() -> None:
    for name, _, example in examples():
        interpreter_gives(name, example)


@pytest.mark.laws
def test_every_check_of_the_operators_holds_while_nothing_is_broken() -> None:
    for check in operator_checks():
        check.answer()


# The list and the page -----------------------------------------------------------------------------------------------


def test_every_mutant_that_is_listed_exists_once_and_has_a_reason() -> None:
    names = [name for names in groups().values() for name in names]
    made = {str(mutant.name) for part, module in MODULES for mutant in tried(part, module)}
    assert len(names) == len(set(names))
    assert sorted(set(names) - made) == []
    assert all(len(because) > 20 for because in groups())


def test_every_mutant_that_is_tried_is_recorded_as_seen_or_listed() -> None:
    for part, module in MODULES:
        found = tried(part, module)
        unseen = sum(str(mutant.name) in listed() for mutant in found)
        assert sum(seen()[module].values()) == len(found) - unseen, f"run: python -m tests.mutation {module}"


def test_the_page_is_of_this_code() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.mutation --page"


# The mutants ---------------------------------------------------------------------------------------------------------


def drawn() -> list[Mutant]:
    """One mutant of each function of a row that is not listed, from a fixed seed."""
    rng, found = Random(1), []
    for target in operator_targets():
        open_ones = [each for each in mutants(target) if str(each.name) not in listed()]
        if ".operators." in target.module and open_ones:
            found.append(rng.choice(open_ones))
    return found


def test_one_mutant_of_each_function_of_a_row_is_killed() -> None:
    battery = Battery(operator_checks(), operator_targets())
    assert [str(mutant.name) for mutant in drawn() if battery.fate(mutant)[0] is Fate.SURVIVES] == []


@pytest.mark.laws
@pytest.mark.parametrize(("part", "module"), MODULES, ids=[module for _, module in MODULES])
def test_every_mutant_that_is_tried_is_killed_or_listed(part: str, module: str) -> None:
    found = tried(part, module)
    unseen = [str(mutant.name) for mutant, fate, _ in fates(part, found) if fate is Fate.SURVIVES]
    expected = [str(mutant.name) for mutant in found if str(mutant.name) in listed()]
    assert sorted(set(unseen) - set(expected)) == []
    assert sorted(set(expected) - set(unseen)) == []
