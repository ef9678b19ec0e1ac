"""The folder of a draft: the same bytes whoever checks and whatever ends the process, and nobody else's files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from unco.compiler.check import CheckOptions, check
from unco.compiler.draft import draft
from unco.compiler.drafting.by_grammar import GrammarDrafter
from unco.compiler.drafting.folder import opened
from unco.compiler.drafting.options import DraftOptions
from unco.compiler.drafting.origin import drafters_of
from unco.compiler.executor import ProcessExecutor, SerialExecutor
from unco.specs.diagnostics import render_text
from unco.specs.errors import SpecificationError, UsageError
from unco.specs.read import parse_specification, read_specification
from unco.specs.write import to_yaml

QUICK = DraftOptions(check=CheckOptions(findings=False, values=False))


def drafted(folder: Path, count: int, executor=SerialExecutor(), beside=(), options=QUICK, size=2) -> None:  # noqa: B008
    """The command, in rounds of two."""
    drafter = type("Small", (GrammarDrafter,), {"size": size})(options, executor)
    with opened(folder) as opening:
        for made in draft(count, drafter, opening.ledger(beside)):
            opening.record(made)


def files(folder: Path) -> dict[str, bytes]:
    paths = sorted(each for each in folder.rglob("*") if each.is_file() and each.name != "draft.lock")
    return {str(each.relative_to(folder)): each.read_bytes() for each in paths}


def lines(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "drafts.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def four(tmp_path_factory) -> Path:
    """A draft of four, undisturbed."""
    folder = tmp_path_factory.mktemp("four") / "out"
    drafted(folder, 4)
    return folder


def test_each_kept_line_has_its_file_and_each_file_reads_back_as_the_same_family(four):
    found = lines(four)
    assert [line["number"] for line in found] == list(range(len(found)))
    kept = [line["name"] for line in found if line["kept"]]
    assert len(kept) == 4
    assert {f"specs/{name}.yaml" for name in kept} | {"draft.json", "drafts.jsonl"} == set(files(four))
    for name in kept:
        loaded = read_specification(four / "specs" / f"{name}.yaml")
        again = parse_specification(to_yaml(loaded.specification))
        digests = {check(each, QUICK.check).require().digest for each in (loaded, again, loaded.specification)}
        assert len(digests) == 1


def test_the_same_bytes_whoever_checks(four, tmp_path):
    drafted(tmp_path, 4, ProcessExecutor(2), size=4)
    assert files(tmp_path) == files(four)


def test_another_seed_drafts_others(four, tmp_path):
    drafted(tmp_path, 4, options=DraftOptions(seed=1, check=QUICK.check))
    assert not {line["name"] for line in lines(tmp_path)} & {line["name"] for line in lines(four)}


class Killed(BaseException):
    """What ends the process."""


@contextmanager
def killed_at(monkeypatch, moment: int) -> Iterator[list[str]]:
    """Each step that writes counts; at that moment the process ends, before the step or in the middle of it."""
    steps: list[str] = []
    write_text = Path.write_text

    def counted(name: str, original):
        def step(self, *arguments, **options):
            steps.append(name)
            if len(steps) == moment:
                if name == "write_text":
                    write_text(self, arguments[0][:20], **options)
                raise Killed
            return original(self, *arguments, **options)

        return step

    with monkeypatch.context() as patch:
        for name in ("write_text", "rename", "replace", "unlink"):
            patch.setattr(Path, name, counted(name, getattr(Path, name)))
        yield steps


def test_the_same_bytes_whenever_the_process_is_killed(four, tmp_path, monkeypatch):
    with killed_at(monkeypatch, 0) as steps:
        drafted(tmp_path / "whole", 4)
    moments = len(steps)
    assert moments >= 4 * 2 + 3
    for moment in range(1, moments + 1):
        folder = tmp_path / str(moment)
        with killed_at(monkeypatch, moment), pytest.raises(Killed):
            drafted(folder, 4)
        drafted(folder, 4)
        assert files(folder) == files(four), moment


def test_nothing_is_left_of_a_round_that_is_not_there(tmp_path, monkeypatch):
    with killed_at(monkeypatch, 5) as steps, pytest.raises(Killed):
        drafted(tmp_path, 4)
    assert steps == ["replace", "replace", "write_text", "write_text", "replace"]
    assert len(list(tmp_path.rglob("*.yaml.part"))) == 2
    with opened(tmp_path):
        assert not [each for each in files(tmp_path) if each.startswith("specs/")]


def test_a_draft_that_is_finished_is_left_as_it_is(four, monkeypatch):
    before = files(four)
    with killed_at(monkeypatch, 1):
        drafted(four, 4)
        drafted(four, 2)
    assert files(four) == before


def test_a_draft_can_be_made_larger_and_keeps_what_it_has(tmp_path):
    drafted(tmp_path, 2)
    before = files(tmp_path)
    drafted(tmp_path, 4)
    after = files(tmp_path)
    assert after.pop("drafts.jsonl").startswith(before.pop("drafts.jsonl"))
    assert before.items() < after.items()
    cells = [(line["domain"], line["operation"]) for line in lines(tmp_path)]
    assert len(set(cells)) == 4


def test_what_an_author_edits_or_removes_stays_so(tmp_path):
    drafted(tmp_path, 3)
    first, second, _ = sorted((tmp_path / "specs").iterdir())
    first.unlink()
    edited = second.read_text(encoding="utf-8") + "\nnotes: mine\n"
    second.write_text(edited, encoding="utf-8")
    drafted(tmp_path, 4)
    assert not first.exists()
    assert second.read_text(encoding="utf-8") == edited
    assert len(list((tmp_path / "specs").iterdir())) == 3


def test_specifications_of_others_are_earlier_ones_and_stay(four, tmp_path):
    source = sorted((four / "specs").iterdir())[0]
    own = tmp_path / "specs" / "mine.yaml"
    own.parent.mkdir()
    own.write_text(source.read_text(encoding="utf-8").replace(f"name: {source.stem}", "name: mine"), encoding="utf-8")
    drafted(tmp_path, 4)
    assert own.exists()
    told = {line["detail"].split()[-1] for line in lines(tmp_path) if line["code"] == "UNC316"}
    assert told <= {"mine"}
    assert source.stem not in {line["name"] for line in lines(tmp_path) if line["kept"]}


def test_nothing_is_drafted_that_lies_in_a_folder_beside(four, tmp_path):
    drafted(tmp_path, 4, beside=(four, four / "specs"))
    kept = {line["name"] for line in lines(tmp_path) if line["kept"]}
    assert len(kept) == 4
    assert not kept & {line["name"] for line in lines(four)}


def test_a_folder_beside_that_is_none_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no folder"):
        drafted(tmp_path / "out", 1, beside=(tmp_path / "missing",))


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"thesis|holds no draft"):
        drafted(tmp_path, 1)
    assert list(files(tmp_path)) == ["thesis.txt"]


def test_a_draft_goes_on_with_the_seed_that_it_was_begun_with(tmp_path):
    with opened(tmp_path, 7):
        pass
    with pytest.raises(UsageError, match="begun with --seed 7"), opened(tmp_path, 8):
        pass
    with opened(tmp_path, 7):
        pass


def test_two_do_not_draft_in_one_folder(tmp_path):
    with opened(tmp_path), pytest.raises(UsageError, match="another command drafts"):
        drafted(tmp_path, 1)


# Who drafted a file --------------------------------------------------------------------------------------------------


def test_a_file_tells_its_drafter_while_it_stands_in_its_folder_as_it_was(four, tmp_path):
    folder = Path(shutil.copytree(four, tmp_path / "drafts"))
    one, two, three, four_th = sorted((folder / "specs").iterdir())
    two.write_text(two.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    own = folder / "specs" / "mine.yaml"
    own.write_text("unco: 1\n", encoding="utf-8")
    moved = Path(shutil.move(three, tmp_path / "moved.yaml"))
    renamed = four_th.rename(folder / "specs" / "renamed.yaml")
    linked = tmp_path / "linked.yaml"
    linked.symlink_to(one)
    files = {path: path.stem for path in (one, two, own, moved, renamed, linked)}
    assert drafters_of(files) == {
        one.stem: "grammar", two.stem: "author", "mine": "author", "renamed": "grammar", "linked": "grammar",
    }  # fmt: skip
    (folder / "draft.json").unlink()
    assert drafters_of(files) == {}


def test_a_file_of_a_damaged_draft_is_refused(four, tmp_path):
    folder = Path(shutil.copytree(four, tmp_path / "drafts"))
    (folder / "drafts.jsonl").write_text("{}\n", encoding="utf-8")
    path = next((folder / "specs").iterdir())
    with pytest.raises(SpecificationError, match="UNC704: the draft in"):
        drafters_of({path: "any"})


# What was changed ----------------------------------------------------------------------------------------------------


def told(folder: Path) -> str:
    """What a user reads."""
    with pytest.raises(SpecificationError) as caught:
        drafted(folder, 4)
    return render_text(caught.value.diagnostics, caught.value.text).replace(str(folder), "OUT")


@pytest.mark.parametrize(
    ("spoil", "line", "found"),
    [
        (lambda text: text[:-20], 3, "Unterminated string"),
        (lambda text: text.replace('"number": 1', '"number": 2', 1), 2, "number 2, where 1 is next"),
        (lambda text: text.replace('"kept": true', '"kept": "yes"', 1), 1, "other fields"),
        (lambda text: "[]\n", 1, "other fields"),
        (lambda text: "{}\n", 1, "other fields"),
        (lambda text: text.replace('"domain"', '"realm"', 1), 1, "other fields"),
        (lambda text: text.partition("\n")[0] + "\n\n", 2, "Expecting value"),
    ],
)
def test_lines_that_were_changed_are_refused_with_file_line_and_what_to_do(tmp_path, spoil, line, found):
    drafted(tmp_path, 3)
    path = tmp_path / "drafts.jsonl"
    path.write_text(spoil(path.read_text(encoding="utf-8")), encoding="utf-8")
    before = files(tmp_path)
    text = told(tmp_path)
    assert text.startswith(f"OUT/drafts.jsonl:{line}:1: error UNC704: the draft in OUT cannot be read\n")
    assert found in text
    assert "put back a copy of drafts.jsonl, or draft into another folder with --out" in text
    assert "the run" not in text
    assert files(tmp_path) == before


@pytest.mark.parametrize("begun", ['{"seed": 0}', '{"format": 3, "seed": 0}', '{"format": 2}', "[]", "{", ""])
def test_a_draft_that_another_version_began_or_nobody_is_refused(tmp_path, begun):
    with opened(tmp_path):
        pass
    (tmp_path / "draft.json").write_text(begun, encoding="utf-8")
    text = told(tmp_path)
    assert text.startswith("OUT/draft.json:1:1: error UNC704: the draft in OUT cannot be read\n")
    assert ("of another version of unco" in text) == ("seed" in begun)
