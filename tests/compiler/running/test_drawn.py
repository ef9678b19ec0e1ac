"""Whether some group of a family was drawn is known again when a run goes on."""

from __future__ import annotations

from pathlib import Path

from tests.runs import family, rejected
from unco.compiler.running.record import Record, json_text, was_drawn
from unco.compiler.store import opened
from unco.specs.rejection import Rejection

UNDRAWN = Record.of(False, [json_text(vars(Rejection("instantiate", "UNC413", "no", "crane-hire", 0)))])


def test_a_group_that_a_later_phase_rejects_was_drawn() -> None:
    assert was_drawn(rejected(family(), 0))
    assert not was_drawn(UNDRAWN)


def test_a_store_knows_of_each_family_whether_a_group_was_drawn(tmp_path: Path) -> None:
    with opened(tmp_path, {}) as store:
        for number, records in enumerate([[UNDRAWN], [UNDRAWN, rejected(family(), 1)]]):
            for start, record in enumerate(records):
                store.add(number, start, [record])
    with opened(tmp_path, {}) as store:
        assert [each.drawn for each in store.standings(2)] == [False, True]
