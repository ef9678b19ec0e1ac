"""Every code has an input in `specs_bad/` and its exact text. `UNCO_ACCEPT=1 pytest ...` writes the texts anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from unco.cli.faults import report_fault
from unco.compiler import recover
from unco.compiler.check import CheckOptions, check
from unco.compiler.checking.report import Report
from unco.compiler.fidelity import fidelity
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.perturb import perturb
from unco.compiler.planning.pins import pin
from unco.compiler.prove import ProveOptions, prove
from unco.compiler.render import render
from unco.specs.codes import CODES
from unco.specs.diagnostics import render_text
from unco.specs.errors import InfrastructureError, SpecificationError, UsageError
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.policy import Delivery, Reply
from unco.specs.read import read_facts, read_specification
from unco.specs.rejection import Rejection
from unco.specs.source import Source
from unco.specs.stored import read_group, store_group
from unco.templates.loader import fill

FOLDER = Path(__file__).parent / "specs_bad"
FACTS = FOLDER / "facts"
SPECIFICATIONS = sorted(FOLDER.glob("*.yaml"))
FACT_FILES = sorted(FACTS.glob("*.facts.yaml"))
RLIMIT = {"UNC412": 20_000}


def assert_text(name: str, found: str) -> None:
    """The text is the one that is kept for the code."""
    expected = FOLDER / f"{name}.txt"
    found = found.replace(f"{FACTS}/", "").replace(f"{FOLDER}/", "").rstrip("\n") + "\n"
    if os.environ.get("UNCO_ACCEPT"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")
    assert name in found


def checked_text(path: Path) -> str:
    """What `unco check` prints about a file."""
    try:
        checked = check(read_specification(path), CheckOptions(rlimit=RLIMIT.get(path.stem, 20_000_000)))
    except SpecificationError as error:
        return render_text(error.diagnostics, Source(str(path), error.text or ""))
    return render_text(checked.diagnostics, checked.source)


@pytest.mark.parametrize("path", SPECIFICATIONS, ids=lambda path: path.stem)
def test_a_bad_specification_is_told_in_exactly_these_words(path: Path) -> None:
    assert_text(path.stem, checked_text(path))


@pytest.mark.parametrize("path", FACT_FILES, ids=lambda path: path.stem)
def test_facts_that_do_not_stand_are_told_in_exactly_these_words(path: Path) -> None:
    assert_text(path.name.removesuffix(".facts.yaml"), facts_text(path))


def facts_text(path: Path) -> str:
    """What becomes of a group with these facts."""
    family = check(read_specification(FACTS / "crane.yaml")).require()
    loaded = read_facts(path)
    report = Report(loaded.source)
    pins = pin(family, loaded.document, report)
    if pins is None:
        return render_text(report.diagnostics, loaded.source)
    group = instantiate(family, 0, InstantiateOptions(pins=pins))
    return rejection_text(group if isinstance(group, Rejection) else prove(family, group).rejection(family.name, 0))


def rejection_text(rejection: Rejection) -> str:
    return f"{rejection.specification}, group {rejection.index}: {rejection.phase} {rejection.code}: {rejection.detail}"


def crane_group() -> tuple[Family, CandidateGroup]:
    family = check(read_specification(FACTS / "crane.yaml")).require()
    group = instantiate(family, 0, InstantiateOptions(seed=3))
    assert isinstance(group, CandidateGroup)
    return family, group


def missing_file() -> str:
    return checked_text(FOLDER / "no_such_file.yaml")


def unrecoverable(monkeypatch: pytest.MonkeyPatch) -> str:
    """A response policy that never answers."""
    family, group = crane_group()
    monkeypatch.setattr(recover, "respond", lambda *_: (Reply({}, silent=True), Delivery()))
    return rejection_text(prove(family, group).rejection(family.name, 0))


def out_of_budget() -> str:
    """A role whose necessity no move shows, with no budget for the solver."""
    family = check(read_specification(FACTS / "crane.yaml")).require()
    loaded = read_facts(FACTS / "UNC504.facts.yaml")
    pins = pin(family, loaded.document, Report(loaded.source))
    group = instantiate(family, 0, InstantiateOptions(pins=pins))
    assert isinstance(group, CandidateGroup)
    return rejection_text(prove(family, group, ProveOptions(rlimit=1)).rejection(family.name, 0))


def bad_template() -> str:
    return raised(lambda: fill("render/fact.txt.j2"))


def unprintable_answer() -> str:
    """A candidate whose name would break the line of the answer; `check` refuses it, Python code may still give it."""
    family, group = crane_group()
    names = ("Eg | ret", *group.instance.names[1:])
    renamed = replace(group, instance=replace(group.instance, names=names))
    return raised(lambda: render(family, renamed))


def unfaithful(old: str, new: str) -> str:
    """A group in whose instructions one sentence was replaced, as the gate rejects it."""
    family, group = crane_group()
    told = perturb(family, group, render(family, group))
    first, *rest = told.tasks
    assert old in first.public.instructions
    public = first.public.model_copy(update={"instructions": first.public.instructions.replace(old, new, 1)})
    changed = told.model_copy(update={"tasks": (first.model_copy(update={"public": public}), *rest)})
    found = fidelity(family, group, changed)
    return "\n".join(
        rejection_text(Rejection("render", each.code, str(each), family.name, group.index)) for each in found
    )


def corrupted_group() -> str:
    family, group = crane_group()
    data = store_group(group)
    data["cells"][0][-1] = 9_999
    return raised(lambda: read_group(family, data))


def raised(call: Callable[[], object]) -> str:
    with pytest.raises(SpecificationError) as caught:
        call()
    return render_text(caught.value.diagnostics)


OTHERS: dict[str, Callable[[], str]] = {
    "UNC101": missing_file,
    "UNC510": out_of_budget,
    "UNC601": bad_template,
    "UNC602": unprintable_answer,
    "UNC603": lambda: unfaithful("2. Rent is at most 7,500 EUR per month.\n3. ", "2. "),
    "UNC604": lambda: unfaithful("at least 35 m", "more than 35 m"),
    "UNC605": lambda: unfaithful("3. Transport fee", "3. Mast is at least 20 m.\n4. Transport fee"),
    "UNC606": lambda: unfaithful("possibly none is.", "possibly none is.\nHeron is the only suitable one."),
    "UNC702": corrupted_group,
}
FAULTS = {
    "UNC703": UsageError("out exists and is not an empty folder; choose another with --out, or remove it"),
    "UNC901": InfrastructureError("a worker gave no answer for 300 s and was killed"),
    "UNC999": AssertionError("two parts disagree"),
}


@pytest.mark.parametrize("code", sorted(OTHERS))
def test_what_no_file_can_show_is_told_in_exactly_these_words(code: str) -> None:
    assert_text(code, OTHERS[code]())


def test_a_policy_that_never_answers_is_rejected_in_exactly_these_words(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_text("UNC509", unrecoverable(monkeypatch))


@pytest.mark.parametrize("code", sorted(FAULTS))
def test_a_fault_is_told_in_one_line(
    code: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    report_fault(FAULTS[code])
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    for report in tmp_path.glob("*"):
        printed = printed.replace(str(report), "unco-report.txt")
    assert_text(code, printed)


def test_every_code_has_an_input_and_a_text() -> None:
    shown = {path.stem for path in SPECIFICATIONS} | {path.name.split(".")[0] for path in FACT_FILES}
    assert shown | set(OTHERS) | set(FAULTS) | {"UNC509"} == set(CODES)
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(CODES)
