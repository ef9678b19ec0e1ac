"""The checker of a dataset: it passes what was built, tells each fault by its place, and raises for nothing."""

from __future__ import annotations

import ast
import copy
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from proof_files import with_part
from tampering import FALSE, NAMES, Dataset, Json, Nothing, built, faults_of, write_files

from unco.compiler import pipeline
from unco.compiler.canonical import canonical, canonical_hash
from unco.compiler.checker import verify as checker
from unco.compiler.instantiate import InstantiateOptions
from unco.compiler.prove import ProveOptions
from unco.compiler.running.record import run_to_records
from unco.compiler.verify import verify
from unco.specs.errors import UsageError
from unco.specs.group import Misaligned
from unco.specs.instance import SeveralEligible
from unco.specs.stored import read_group

OPEN = ("role necessity", "no lone oracle", "Misaligned is valid", "Incomplete is valid", "Missed is valid")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset as it was built."""
    found = tmp_path_factory.mktemp("dataset")
    built().write(found)
    return found


@pytest.fixture
def data() -> Dataset:
    """The same in memory, to be changed."""
    return built().copy()


def test_the_shipped_copy_checks_its_dataset_alone(folder: Path) -> None:
    assert (folder / "verify.py").read_bytes() == Path(checker.__file__).read_bytes()
    done = subprocess.run(
        [sys.executable, "-I", "verify.py", "."], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{len(built().groups)} groups, ")
    assert done.stdout.endswith("every required claim holds\n")


def test_the_checker_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse(Path(checker.__file__).read_text("utf-8"))
    named = [each.module or "" for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
    named += [name.name for each in ast.walk(tree) if isinstance(each, ast.Import) for name in each.names]
    assert {name.split(".")[0] for name in named} <= sys.stdlib_module_names | {"__future__"}


def test_every_required_claim_of_an_accepted_group_is_ground(data: Dataset) -> None:
    for certificate in data.certificates.values():
        for claim in certificate["claims"]:
            if claim["required"]:
                assert claim["verdict"] == "Proved"
            if claim["verdict"] == "Proved" and claim["claim"] in OPEN:
                assert claim["witness"]["flip"]
            if claim["claim"] == "Mixed is valid":
                assert len(claim["states"]) == 8
                assert [len(each["matters"]) for each in claim["states"]] == [0, 0, 0, 0, 2, 2, 2, 3]


def test_what_the_checker_cannot_prove_is_named_and_never_required(folder: Path) -> None:
    found = verify(folder, list(built().families.values()), lambda fault: None)
    of_groups = {
        name: many for name, many in found["not_checked_without_a_solver"].items() if "about a family" not in name
    }
    assert set(of_groups) <= {
        "Proved: smallest sufficient cells",
        "Refuted: role necessity",
    }
    assert found["faults"] == 0
    assert found["groups"] == len(NAMES) * 2


def test_a_question_that_says_something_else_is_caught_whatever_its_hash(data: Dataset, tmp_path: Path) -> None:
    path = next(name for name in sorted(data.others) if name.startswith("proofs/"))
    proof = json.loads(data.others[path])
    claim = next(each for each in proof["claims"] if each["query"] and each["claim"] == "role necessity")
    text = with_part(data.others[f"queries/{claim['query']}.smt2"].decode(), "condition-1", "true").encode()
    claim["query"] = hashlib.sha256(text).hexdigest()
    data.others |= {path: json.dumps(proof).encode(), f"queries/{claim['query']}.smt2": text}
    data.write(tmp_path)
    assert {(fault.file, fault.found.split()[0]) for fault in faults_of(tmp_path)} == {(path, "condition-1")}


@pytest.mark.parametrize("attack", FALSE, ids=lambda attack: attack.__name__)
def test_an_attack_that_recomputes_every_hash_is_caught_by_meaning(
    attack: Callable[[Dataset, Random], None], data: Dataset, tmp_path: Path
) -> None:
    for seed in range(20):
        try:
            attack(data, Random(seed))
        except Nothing:
            continue
        break
    data.write(tmp_path)
    found = faults_of(tmp_path)
    assert found
    assert not [fault for fault in found if fault.claim == "hash"]
    assert all(fault.file and fault.claim and fault.found != fault.expected for fault in found)


def test_a_fault_names_the_file_the_group_the_claim_and_both_values(data: Dataset, tmp_path: Path) -> None:
    entry = data.groups[0]
    certificate = data.certificates[entry["id"]]
    (claim,) = (each for each in certificate["claims"] if each["claim"] == "Misaligned is valid")
    right = claim["witness"]["flip"]
    claim["witness"]["flip"] = "to nobody"
    data.write(tmp_path)
    (fault,) = faults_of(tmp_path)
    assert fault == (f"certificates/{entry['id']}.json", entry["id"], f"Misaligned is valid: {claim['subject']}",
                     "the flip to nobody", right)  # fmt: skip
    assert str(fault).endswith(f"found the flip to nobody; expected {right}")


@pytest.mark.parametrize("seed", range(12))
def test_any_changed_byte_is_caught_by_hash(seed: int, folder: Path, tmp_path: Path) -> None:
    rng = Random(seed)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in files:
        copied = tmp_path / path.relative_to(folder)
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_bytes(path.read_bytes())
    chosen = tmp_path / rng.choice(files).relative_to(folder)
    content = bytearray(chosen.read_bytes())
    content[rng.randrange(64 if chosen.name == "manifest.sha256" else len(content))] ^= 1 << rng.randrange(7)
    chosen.write_bytes(content)
    found = faults_of(tmp_path)
    assert [fault for fault in found if fault.claim in ("hash", "form") and fault.file]


def test_a_missing_and_an_unlisted_file_are_told(data: Dataset, tmp_path: Path) -> None:
    data.write(tmp_path)
    (tmp_path / "verify.py").unlink()
    (tmp_path / "certificates" / "more.json").write_text("{}")
    assert [(fault.file, fault.claim) for fault in faults_of(tmp_path)] == [
        ("verify.py", "hash"),
        ("certificates/more.json", "manifest"),
    ]


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in plain data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(place for name, part in inner for place in places(part, (*path, name)))][0 if path else 1 :]


def broken(data: Any, rng: Random) -> Any:
    """The data with one part gone or of another kind."""
    changed = copy.deepcopy(data)
    *way, last = rng.choice(places(changed))
    inner = changed
    for name in way:
        inner = inner[name]
    if rng.randrange(3):
        inner[last] = rng.choice([None, [], {}, "x", -7, True, "1/0", [[]], 10**40])
    else:
        del inner[last]
    return changed


@pytest.mark.parametrize("seed", range(30))
def test_data_of_any_other_form_is_told_and_never_raises(seed: int, folder: Path, tmp_path: Path) -> None:
    rng = Random(seed)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    files = {name: (folder / name).read_bytes() for name in manifest.pop("files")}
    name = rng.choice(
        [*(name for name in files if name.endswith((".json", ".jsonl")) and files[name]), "manifest.json"]
    )
    if name == "manifest.json":
        manifest = broken(manifest, rng)
    else:
        lines = files[name].splitlines()
        place = rng.randrange(len(lines))
        lines[place] = json.dumps(broken(json.loads(lines[place]), rng)).encode()
        files[name] = b"\n".join(lines)
    write_files(tmp_path, files, manifest)
    found = faults_of(tmp_path)
    assert not [fault for fault in found if fault.claim == "hash"]


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "1.0", "1e400", "NaN", "[" * 100_000])
def test_what_two_readers_may_read_differently_is_refused(text: str) -> None:
    with pytest.raises(checker.Unreadable):
        checker.parse_json(text)


def test_the_rules_of_a_dataset_are_those_of_the_authors_file(folder: Path) -> None:
    family = next(iter(built().families.values()))
    told: list[checker.Fault] = []
    assert verify(folder, [family], told.append)["faults"] == 0
    tree = json.loads((folder / "specifications" / f"{family.digest}.json").read_text("utf-8"))
    assert tree == canonical(family)
    assert checker.Specification(tree).hash == canonical_hash(family)


def test_a_folder_without_a_manifest_is_no_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match=r"no manifest\.json"):
        verify(tmp_path, [], lambda fault: None)
    assert checker.main([str(tmp_path)]) == 2
    assert "no finished dataset" in capsys.readouterr().err


def test_the_summary_is_one_json_document_where_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checker.main([str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["faults"], found["told"], found["groups"]) == (0, [], len(built().groups))


# Rejections ----------------------------------------------------------------------------------------------------------


def rejected(data: Dataset, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Json:
    """A rejection of a changed group of the first specification, as it is stored, added to the dataset."""
    family = data.families[data.groups[0]["digest"]]
    group = replace(read_group(family, data.groups[0]["group"]), index=2, **changes)
    monkeypatch.setattr(pipeline, "instantiate", lambda *_: group)
    chunk = pipeline.Chunk(family, (2,), InstantiateOptions(), ProveOptions(sufficient=False))
    (found,) = run_to_records(chunk)
    assert not found.retained
    return json.loads(found.lines[0])


def written(data: Dataset, line: Json, folder: Path) -> list[checker.Fault]:
    data.rejections = f"{json.dumps(line)}\n"
    data.write(folder)
    return faults_of(folder)


def test_a_rejection_that_evaluation_confirms_carries_what_is_needed_and_passes(
    data: Dataset, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line = rejected(data, monkeypatch, outcome=SeveralEligible((0, 1)))
    assert (line["code"], line["certificate"]["instance"]["index"]) == ("UNC502", 2)
    assert written(data, line, tmp_path) == []


def test_a_rejection_of_a_group_that_stands_is_told(
    data: Dataset, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line = rejected(data, monkeypatch, outcome=SeveralEligible((0, 1)))
    line["certificate"]["instance"]["outcome"] = data.groups[0]["group"]["outcome"]
    (fault,) = written(data, line, tmp_path)
    assert (fault.file, fault.claim, fault.found) == ("rejections.jsonl:1", "answer uniqueness", "Refuted")


def test_a_reply_that_gives_the_same_answer_at_face_value_is_rejected_by_both_readings(
    data: Dataset, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    family = data.families[data.groups[0]["digest"]]
    instance = read_group(family, data.groups[0]["group"]).instance
    cells = [cell for cell in family.cells if cell.attribute == "clearance"]
    same = {cell: instance.cells[cell._replace(context="March 2026")] for cell in cells}
    decoy = Misaligned("clearance", "April 2026")
    line = rejected(data, monkeypatch, instance=instance.changed(same), misaligned=decoy, mixed=None)
    assert line["code"] == "UNC505"
    assert written(data, line, tmp_path) == []
