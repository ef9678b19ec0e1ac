"""Facts datasets: every line is true by the interpreter; the same bytes whatever runs them and whatever stops them."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest

from tests.families import shipped, shipped_with
from unco.compiler.build import BuildOptions
from unco.compiler.build_facts import FactsOptions, build_facts
from unco.compiler.executor import ProcessExecutor
from unco.compiler.facts.chunk import Asked, FactsChunk, Made, plant, run_facts_chunk
from unco.compiler.facts.decode import Fact, Legend, decode
from unco.compiler.facts.outlines import Outlines
from unco.compiler.read_facts import read_facts
from unco.compiler.run import run
from unco.solver.family import prove_claims
from unco.solver.ground import Known
from unco.solver.interpret import interpret
from unco.solver.judge import judge, violations
from unco.specs.errors import InconsistencyError, SpecificationError, UsageError
from unco.specs.family import Family
from unco.specs.family_proof import FamilyClaimName, FamilyProof, FamilyProved, Scope
from unco.specs.instance import SeveralEligible, Winner
from unco.specs.shipped import shipped_specifications

SMALL = "underground-superintendent"
HARD = ("flood-pump-unit", "reduced-fare", "river-discharge-permit", "urgent-moulding-order", "relief-cargo-flight")
"""With groups of members, plans of the winner, distances, open thresholds, and a plan that is rarely met."""


@cache
def proof_of(family: Family) -> FamilyProof:
    return prove_claims(family)


def asked(family: Family, proof: FamilyProof | None = None, name: str = "", audit: int = 0) -> Asked:
    return Asked(family, proof or proof_of(family), name, 0, audit, 20_000_000)


def made(family: Family, many: int, *, start: int = 0, audit: int = 0) -> Made:
    return run_facts_chunk(FactsChunk(asked(family, audit=audit), start, start + many, many))


def facts_of(family: Family, made: Made) -> Iterator[Fact]:
    legend = Legend.of(family)
    for line in made.text.decode("ascii").splitlines():
        data = json.loads(line)
        if "code" not in data:
            yield decode(legend, data)


def require_true(family: Family, fact: Fact) -> None:
    """Everything that a line says, by the interpreter alone."""
    instance = fact.instance
    assert not violations(family, instance)
    assert judge(family, instance) == fact.outcome
    assert len(set(instance.names)) == family.candidates
    for parameter in family.parameters:
        assert parameter.value is None or instance.parameters[parameter.id] == parameter.value
    if isinstance(fact.outcome, Winner):
        cells = instance.candidate(fact.outcome.candidate)
        assert all(interpret(rule.expression, cells, instance.parameters) is True for rule in family.plan.winner)
        for role in family.roles:
            claim = proof_of(family).of(FamilyClaimName.NECESSARY, role.id, Scope.WINNER)
            if claim is not None and isinstance(claim.verdict, FamilyProved):
                assert role.id in fact.necessary
    assert len(fact.necessary) >= min(2, len(family.roles))
    for role, changes in fact.necessary.items():
        other = instance.changed(changes)
        assert changes
        assert all(instance.cells[cell] != value for cell, value in changes.items())
        assert {family.attribute_by_id[cell.attribute].owner for cell in changes} == {role}
        assert len({cell.candidate for cell in changes}) == 1
        assert not violations(family, other)
        assert not isinstance(judge(family, other), SeveralEligible)
        assert judge(family, other) != fact.outcome


@pytest.mark.parametrize("name", HARD)
def test_every_line_is_true_by_the_interpreter(name: str) -> None:
    family = shipped(name)
    found = list(facts_of(family, made(family, 150)))
    assert len(found) == 150
    for fact in found:
        require_true(family, fact)


@pytest.mark.laws
@pytest.mark.parametrize("name", shipped_specifications())
def test_every_line_of_every_shipped_family_is_true_by_the_interpreter(name: str) -> None:
    family = shipped(name)
    for fact in facts_of(family, made(family, 4_000, start=10_000)):
        require_true(family, fact)


def test_an_id_is_the_hash_of_the_line_without_it() -> None:
    family = shipped(SMALL)
    for line in made(family, 20).text.decode("ascii").splitlines():
        text, id_ = line.split(',"id":')
        digest = hashlib.sha256(f"{family.digest}\n{text}}}".encode()).hexdigest()
        assert id_ == f'"instance-{digest[:32]}"}}'
        assert " " not in line


def test_a_chunk_depends_on_its_first_index_and_the_seed_alone() -> None:
    family = shipped(SMALL)
    later = made(family, 30, start=10_000).text
    made(family, 30)
    assert made(family, 30, start=10_000).text == later
    assert made(family, 60, start=10_000).text.startswith(later)
    other = replace(asked(family), seed=1)
    assert run_facts_chunk(FactsChunk(other, 10_000, 10_030, 30)).text != later


# What is drawn -------------------------------------------------------------------------------------------------------


def test_thresholds_are_met_exactly_and_missed_by_one_step() -> None:
    family = shipped(SMALL)
    hours = Counter(
        value
        for fact in facts_of(family, made(family, 1_500))
        for cell, value in fact.instance.cells.items()
        if cell.attribute == "hardrock_years"
    )
    middle = hours[5]
    assert min(hours[11], hours[12]) > 2 * middle, "12 years are asked for"


def test_position_of_the_winner_and_share_of_none_are_as_stated() -> None:
    family = shipped(SMALL)
    winners = Counter(
        fact.outcome.candidate if isinstance(fact.outcome, Winner) else None
        for fact in facts_of(family, made(family, 6_000))
    )
    assert abs(winners[None] - 2_000) < 250
    assert all(abs(winners[candidate] - 4_000 / 3) < 200 for candidate in range(3))


def test_cells_that_no_condition_reads_tell_nothing_of_the_winner() -> None:
    family = shipped(SMALL)
    sums: dict[bool, list[int]] = {True: [], False: []}
    for fact in facts_of(family, made(family, 6_000)):
        if isinstance(fact.outcome, Winner):
            for cell, value in fact.instance.cells.items():
                if cell.attribute == "field_allowance":
                    assert isinstance(value, int)
                    sums[cell.candidate == fact.outcome.candidate].append(value)
    winners, losers = (sum(values) // len(values) for values in (sums[True], sums[False]))
    assert abs(winners - losers) < 600, "of allowances up to 40,000"


def test_losers_fail_as_many_conditions_as_the_author_says() -> None:
    family = shipped(SMALL)
    twice = replace(family, plan=replace(family.plan, failed_conditions=((2, Fraction(1)),), every_loser=True))
    outlines, bits = Outlines(twice), Random(1).getrandbits
    for _ in range(200):
        assert [len(each) for each in outlines.failing(1, bits)] == [2, 0, 2]


def test_without_a_winner_no_role_owns_a_failed_condition_of_every_candidate() -> None:
    family = shipped("vacation-days")
    owners = [{family.attribute_by_id[name].owner for name in read} for read in family.condition_reads]
    outlines, bits = Outlines(family), Random(1).getrandbits
    for _ in range(500):
        failing = outlines.failing(None, bits)
        alone = [{role for number in each if len(owners[number]) == 1 for role in owners[number]} for each in failing]
        assert not set.intersection(*alone)


# What watches the proof ----------------------------------------------------------------------------------------------


def test_a_proved_claim_without_a_move_that_works_is_an_inconsistency() -> None:
    family = shipped(SMALL)
    claims = tuple(
        replace(claim, verdict=replace(claim.verdict, moves=()))
        if claim.key == ("role necessity", "training", "", "with a winner") and isinstance(claim.verdict, FamilyProved)
        else claim
        for claim in proof_of(family).claims
    )
    broken = asked(family, FamilyProof(family.digest, claims), "broken")
    with pytest.raises(InconsistencyError, match="shows training necessary, but none of its moves"):
        run_facts_chunk(FactsChunk(broken, 0, 50, 50))


def test_a_wrong_closure_is_seen_by_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    family = shipped(SMALL)
    right = plant(asked(family, audit=1)).witnesses
    true = right.result
    monkeypatch.setattr(right, "result", lambda row: true(row) + 1)
    with pytest.raises(InconsistencyError, match="the interpreter gives"):
        made(family, 50, audit=1)


def test_a_role_that_is_not_necessary_is_seen_by_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    family = shipped("graduate-scholarship")
    prepared = plant(asked(family, audit=1))
    monkeypatch.setattr(prepared, "claimed", [*prepared.claimed, "hardship"])
    monkeypatch.setattr(prepared.witnesses, "of_winner", lambda row, whole, role: ((0, 0),))
    with pytest.raises(InconsistencyError, match="does not replay"):
        made(family, 50, audit=1)


def test_an_outcome_that_the_encoding_does_not_have_is_seen_by_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Known, "has", lambda known, outcome: False)
    with pytest.raises(InconsistencyError, match="Z3 does not find that it is legal"):
        made(shipped(SMALL), 1, audit=1)


def test_a_witness_that_the_encoding_does_not_take_is_seen_by_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Known, "has_another", lambda known, changes, outcome: False)
    with pytest.raises(InconsistencyError, match="Z3 does not find that the witness for"):
        made(shipped(SMALL), 1, audit=1)


def test_the_audit_takes_every_instance_where_it_is_asked_to() -> None:
    assert made(shipped(SMALL), 12, audit=1).counts["audited"] == 12


# A family that is proved in part -------------------------------------------------------------------------------------


def test_a_required_role_that_is_not_proved_is_decided_one_by_one() -> None:
    adviser = "    name: Student Hardship Adviser\n"
    family = shipped_with("graduate-scholarship", (adviser, f"{adviser}    necessary: with_winner\n"))
    part = run_facts_chunk(FactsChunk(asked(family), 0, 40, 40))
    lines = [json.loads(line) for line in part.text.splitlines()]
    rejected = [line for line in lines if "code" in line]
    assert {line["code"] for line in rejected} == {"UNC503"}
    assert all("hardship" in line["necessary"] for line in lines if line.get("winner") is not None)
    assert (part.counts["rejected"], part.retained) == (len(rejected), 40 - len(rejected))
    for fact in facts_of(family, part):
        require_true(family, fact)


def test_a_family_in_which_nobody_can_win_is_refused(tmp_path: Path) -> None:
    nobody = ("hardrock_years >= 12 years", "hardrock_years >= 12 years and hardrock_years < 3 years")
    family = shipped_with(SMALL, nobody)
    with pytest.raises(SpecificationError, match="not proved"):
        build_facts([family], FactsOptions(5), tmp_path / "out")


# The folder ----------------------------------------------------------------------------------------------------------


def dataset(folder: Path) -> dict[str, bytes]:
    """The files of the dataset."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("run."))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of three chunks, made in one go."""
    folder = tmp_path_factory.mktemp("facts") / "whole"
    build_facts([shipped(SMALL)], FactsOptions(20_400), folder)
    return folder


def test_a_dataset_reads_back_as_what_the_interpreter_says(whole: Path) -> None:
    family = shipped(SMALL)
    found = list(read_facts(whole))
    assert [fact.index for fact in found] == list(range(20_400))
    for fact in found[::800]:
        assert (fact.outcome, fact.specification) == (judge(family, fact.instance), SMALL)
        require_true(family, fact)


def test_two_workers_make_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    summary = build_facts([shipped(SMALL)], FactsOptions(20_400), tmp_path / "out", ProcessExecutor(2))
    assert (summary.retained, summary.missing) == (20_400, {})
    assert dataset(tmp_path / "out") == dataset(whole)


def test_a_killed_build_goes_on_to_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "unco", "build", SMALL, "--facts-only", "--groups", "20400", "--out", str(out)]
    process = subprocess.Popen(command, env={**os.environ, "PYTHONHASHSEED": "7"}, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while not list(out.glob("facts/*/*.jsonl")) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (out / "manifest.json").exists()
    build_facts([shipped(SMALL)], FactsOptions(20_400), out)
    assert dataset(out) == dataset(whole)


def test_more_can_be_asked_for_later_and_fewer_cannot(whole: Path, tmp_path: Path) -> None:
    out, family = tmp_path / "out", shipped(SMALL)
    build_facts([family], FactsOptions(300), out)
    build_facts([family], FactsOptions(20_400), out)
    assert dataset(out) == dataset(whole)
    with pytest.raises(UsageError, match="--groups 20400"):
        build_facts([family], FactsOptions(20_399), out)


def test_a_changed_chunk_file_is_made_again(whole: Path, tmp_path: Path) -> None:
    out, family = tmp_path / "out", shipped(SMALL)
    build_facts([family], FactsOptions(40), out)
    before, path = dataset(out), out / "facts" / SMALL / "00000000.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"winner":1', b'"winner":0'))
    build_facts([family], FactsOptions(40), out)
    assert dataset(out) == before


def test_the_manifest_counts_what_the_lines_say(whole: Path) -> None:
    manifest = json.loads((whole / "manifest.json").read_text())
    counts = manifest["specifications"][SMALL]
    lines = [
        json.loads(line)
        for path in sorted((whole / "facts" / SMALL).glob("*.jsonl"))
        for line in path.read_text().splitlines()
    ]
    shown = Counter(role for line in lines for role in line["necessary"])
    assert (manifest["kind"], manifest["retained"]) == ("facts", 20_400)
    assert counts["winners"] == sum(line["winner"] is not None for line in lines)
    assert {role: many for role, many in counts["shown"].items() if many} == dict(shown)
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((whole / name).read_bytes()).hexdigest() == digest


def test_an_ordinary_build_and_a_facts_build_do_not_share_a_folder(tmp_path: Path) -> None:
    family = shipped(SMALL)
    build_facts([family], FactsOptions(3), tmp_path / "facts")
    with pytest.raises(UsageError, match="holds another run"):
        run([family], BuildOptions(1), tmp_path / "facts")
    (tmp_path / "ordinary").mkdir()
    run([family], BuildOptions(1), tmp_path / "ordinary")
    with pytest.raises(UsageError, match="holds another run"):
        build_facts([family], FactsOptions(3), tmp_path / "ordinary")


def test_an_unfinished_or_foreign_folder_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no finished dataset"):
        next(read_facts(tmp_path))


def test_a_line_that_does_not_read_back_is_told_with_its_place(tmp_path: Path) -> None:
    out = tmp_path / "out"
    build_facts([shipped(SMALL)], FactsOptions(3), out)
    path = out / "facts" / SMALL / "00000000.jsonl"
    path.write_text(path.read_text().replace('"names":[', '"names":[99,'))
    with pytest.raises(SpecificationError) as error:
        list(read_facts(out))
    assert error.value.diagnostics[0].code == "UNC702"
