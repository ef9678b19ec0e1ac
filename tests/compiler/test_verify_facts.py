"""The checker on facts alone: it passes what is true, tells each fault by its place, and raises for nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from facts_datasets import FactsData, built, family_named, sealed
from facts_tampering import FALSE
from tampering import Nothing, faults_of, write_files

from tests.compiler.test_verify import broken
from tests.runs import family
from unco.compiler.build_facts import FactsOptions, build_facts
from unco.compiler.canonical import canonical
from unco.compiler.checker import verify as checker
from unco.specs.shipped import shipped_specifications
from unco.specs.task import canonical_json

Json = Any


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of facts."""
    found = tmp_path_factory.mktemp("facts")
    built().write(found)
    return found


@pytest.fixture
def data() -> FactsData:
    """The same in memory, to be changed."""
    return built().copy()


def test_the_shipped_checker_passes_facts_that_are_true(folder: Path) -> None:
    command = [sys.executable, "-I", "verify.py", ".", "--workers", "2"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{built().wanted * 2} instances, ")
    assert done.stdout.endswith("every required claim holds\n")


def test_facts_that_were_built_pass(tmp_path: Path) -> None:
    build_facts([family()], FactsOptions(groups=300), tmp_path)
    assert faults_of(tmp_path) == []
    assert checker.verify(tmp_path)["instances"] == 300


@pytest.mark.laws
@pytest.mark.parametrize("name", shipped_specifications())
def test_facts_of_every_shipped_specification_pass(name: str, tmp_path: Path) -> None:
    build_facts([family_named(name)], FactsOptions(groups=5_000), tmp_path)
    assert faults_of(tmp_path) == []


def test_every_line_and_every_witness_is_counted(folder: Path) -> None:
    lines = [line for each in built().lines.values() for line in each if "code" not in line]
    found = checker.verify(folder)
    assert (found["instances"], found["asked_for"]) == (len(lines), built().wanted * 2)
    assert found["completions"] == sum(len(line["necessary"]) for line in lines)
    assert found["rejections"] == sum(map(len, built().lines.values())) - len(lines)


@pytest.mark.parametrize("attack", FALSE, ids=lambda attack: attack.__name__)
def test_an_attack_on_facts_that_recomputes_every_hash_is_caught_by_meaning(
    attack: Callable[[FactsData, Random], None], data: FactsData, tmp_path: Path
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


def test_a_fault_names_the_file_the_line_the_claim_and_both_values(data: FactsData, tmp_path: Path) -> None:
    name, number, line = next(
        (name, number, line)
        for name, lines in data.lines.items()
        for number, line in enumerate(lines)
        if line.get("winner") is not None
    )
    right = line["winner"], line["result"]
    line["result"] = "7/3"
    data.write(tmp_path)
    (fault,) = faults_of(tmp_path)
    file = f"facts/{name}/{number // data.chunk * data.chunk:08}.jsonl:{number % data.chunk + 1}"
    assert fault == (file, "", "answer uniqueness", str((right[0], "7/3")), str(right))


def test_an_id_is_that_of_its_line_and_its_family(folder: Path, tmp_path: Path) -> None:
    files, manifest = parts(folder)
    name = next(each for each in files if each.endswith("/00000000.jsonl"))
    lines = [line for line in files[name].splitlines(keepends=True) if b'"id"' in line][:2]
    (first, one), (second, two) = (line.split(b',"id":') for line in lines)
    swapped = files[name].replace(lines[0], first + b',"id":' + two).replace(lines[1], second + b',"id":' + one)
    write_files(tmp_path, {**files, name: swapped}, manifest)
    assert [fault.claim for fault in faults_of(tmp_path)] == ["id", "id"]


@pytest.mark.parametrize("seed", range(6))
def test_any_changed_byte_of_facts_is_caught_by_hash(seed: int, folder: Path, tmp_path: Path) -> None:
    rng = Random(seed)
    files = sorted(path.relative_to(folder) for path in folder.rglob("*.json*"))
    data = {name: bytearray((folder / name).read_bytes()) for name in files}
    chosen = rng.choice([name for name in files if name.name != "manifest.json"])
    data[chosen][rng.randrange(len(data[chosen]))] ^= 1 << rng.randrange(7)
    for name, content in data.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    for name in ("manifest.sha256", "verify.py"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    assert (chosen.as_posix(), "hash") in [(fault.file, fault.claim) for fault in faults_of(tmp_path)]


def parts(folder: Path) -> tuple[dict[str, bytes], Json]:
    """The files of a dataset, and its manifest without their hashes."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    return {name: (folder / name).read_bytes() for name in manifest.pop("files")}, manifest


@pytest.mark.parametrize("seed", range(24))
def test_facts_of_any_other_form_are_told_and_never_raise(seed: int, folder: Path, tmp_path: Path) -> None:
    rng, (files, manifest) = Random(seed), parts(folder)
    name = rng.choice([*(each for each in files if each.endswith((".json", ".jsonl"))), "manifest.json"])
    if name == "manifest.json":
        manifest = broken(manifest, rng)
    else:
        lines = files[name].splitlines()
        place = rng.randrange(len(lines))
        lines[place] = json.dumps(broken(json.loads(lines[place]), rng), separators=(",", ":")).encode()
        files[name] = b"".join(line + b"\n" for line in lines)
    write_files(tmp_path, files, manifest)
    assert not [fault for fault in faults_of(tmp_path) if fault.claim == "hash"]


REWRITTEN: dict[str, Callable[[bytes], bytes]] = {
    "a blank": lambda line: line.replace(b'"index":', b'"index": ', 1),
    "a name twice": lambda line: line.replace(b'{"index":0', b'{"index":0,"index":0', 1),
    "a zero in front": lambda line: line.replace(b'"index":0', b'"index":00', 1),
    "a point": lambda line: line.replace(b'"index":0', b'"index":0.0', 1),
    "an exponent": lambda line: line.replace(b'"index":0', b'"index":0e0', 1),
    "no truth": lambda line: line.replace(b'"index":0', b'"index":false', 1),
    "no number": lambda line: line.replace(b'"index":0', b'"index":NaN', 1),
    "another order": lambda line: line.replace(b'{"index":0,', b"{", 1).replace(b',"id"', b',"index":0,"id"', 1),
    "a return": lambda line: line.replace(b"\n", b"\r\n"),
    "an empty line in front": lambda line: b"\n" + line,
    "another letter": lambda line: line.replace(b'"index"', b'"\\u0069ndex"', 1),
    "no text": lambda line: b"\xff" + line,
    "deep": lambda line: b"[" * 100_000 + b"\n",
}  # fmt: skip


@pytest.mark.parametrize("how", REWRITTEN)
def test_a_line_has_one_text_only(how: str, folder: Path, tmp_path: Path) -> None:
    files, manifest = parts(folder)
    name = next(each for each in files if each.endswith("/00000000.jsonl"))
    first, *others = files[name].splitlines(keepends=True)
    files[name] = b"".join([REWRITTEN[how](first), *others])
    write_files(tmp_path, files, manifest)
    found = faults_of(tmp_path)
    assert [fault for fault in found if fault.file == f"{name}:1" and fault.claim != "id"]


def test_the_last_line_ends(folder: Path, tmp_path: Path) -> None:
    files, manifest = parts(folder)
    name = max(each for each in files if each.endswith(".jsonl"))
    files[name] = files[name][:-1]
    write_files(tmp_path, files, manifest)
    assert (name, "form") in [(fault.file, fault.claim) for fault in faults_of(tmp_path)]


def test_no_file_may_be_missing_between_others_nor_stand_beside_them(folder: Path, tmp_path: Path) -> None:
    files, manifest = parts(folder)
    name = next(each for each in files if each.endswith("/00000000.jsonl"))
    gone = {each: data for each, data in files.items() if each != name}
    write_files(tmp_path, gone, manifest)
    assert {fault.claim for fault in faults_of(tmp_path)} == {"order", "counts"}
    write_files(tmp_path, {**files, f"{name[:-14]}more.jsonl": b""}, manifest)
    assert [fault.claim for fault in faults_of(tmp_path)] == ["order"]


def test_a_file_that_is_not_the_last_is_full(data: FactsData, folder: Path, tmp_path: Path) -> None:
    files, manifest = parts(folder)
    name = sorted(data.lines)[0]
    data.lines[name][data.chunk - 1 :] = []
    files[f"facts/{name}/00000000.jsonl"] = b"".join(sealed(data.families[name], line) for line in data.lines[name])
    write_files(tmp_path, files, manifest)
    found = faults_of(tmp_path)
    full = [fault for fault in found if fault.file == f"facts/{name}/00000000.jsonl"]
    assert [(fault.claim, fault.found) for fault in full] == [("counts", f"{data.chunk - 1} lines")]


@pytest.mark.parametrize("count", ["retained", "rejected", "winners", "nobody"])
def test_the_manifest_counts_what_is_there(count: str, folder: Path, tmp_path: Path) -> None:
    files, manifest = parts(folder)
    about = manifest["specifications"][sorted(manifest["specifications"])[0]]
    about[count] += 1
    write_files(tmp_path, files, manifest)
    assert [(fault.file, fault.claim) for fault in faults_of(tmp_path)] == [("manifest.json", "counts")]


def test_what_the_manifest_claims_is_what_the_proof_proves(folder: Path, tmp_path: Path) -> None:
    files, manifest = parts(folder)
    about = next(iter(manifest["specifications"].values()))
    about["claimed"] = about["claimed"][1:]
    write_files(tmp_path, files, manifest)
    assert [fault.claim for fault in faults_of(tmp_path)] == ["role necessity: claimed"]


def test_facts_without_an_instance_are_never_said_to_hold(data: FactsData, tmp_path: Path) -> None:
    for lines in data.lines.values():
        lines.clear()
    data.write(tmp_path)
    assert "no group" in [fault.found for fault in faults_of(tmp_path)]


def test_instances_that_are_lacking_are_told(
    data: FactsData, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data.wanted += 3
    data.write(tmp_path)
    assert checker.main([str(tmp_path)]) == 0
    said = capsys.readouterr().out.splitlines()
    wanted = data.wanted * len(data.families)
    assert said[-2:] == [f"6 of the {wanted} instances that were asked for are not there", "every required claim holds"]


def test_more_instances_than_were_asked_for_are_a_fault(data: FactsData, tmp_path: Path) -> None:
    data.wanted -= 1
    data.write(tmp_path)
    assert [fault.claim for fault in faults_of(tmp_path)] == ["counts"] * len(data.families)


def test_a_threshold_that_has_a_value_has_it_in_every_line(data: FactsData, tmp_path: Path) -> None:
    files, manifest = parts_of(data, tmp_path)
    name = sorted(data.families)[0]
    rules = data.families[name]
    places = [line["parameters"][0] for line in data.lines[name] if "code" not in line]
    assert len(set(places)) > 1
    tree = canonical(rules)
    tree["parameters"][0]["value"] = checker.Domain(checker.parse_json(json.dumps(tree["parameters"][0]["domain"]))).at(
        places[0]
    )
    files[f"specifications/{rules.digest}.json"] = f"{canonical_json(tree)}\n".encode()
    write_files(tmp_path, files, manifest)
    found = [fault for fault in faults_of(tmp_path) if fault.claim == "proved space"]
    assert [fault.expected for fault in found] == [str(places[0])] * sum(place != places[0] for place in places)


def parts_of(data: FactsData, folder: Path) -> tuple[dict[str, bytes], Json]:
    data.write(folder)
    return parts(folder)


def test_a_winner_who_does_not_meet_the_plan_lies_outside_the_proved_space(data: FactsData, tmp_path: Path) -> None:
    files, manifest = parts_of(data, tmp_path)
    name = sorted(data.families)[0]
    rules = data.families[name]
    tree = canonical(rules)
    never = {"constant": False, "kind": "boolean"}
    tree["plan"]["winner"].append({"id": "never", "expression": never, "source": "false", "text": None})
    files[f"specifications/{rules.digest}.json"] = f"{canonical_json(tree)}\n".encode()
    write_files(tmp_path, files, manifest)
    found = [fault for fault in faults_of(tmp_path) if fault.claim == "proved space"]
    assert [fault.found.split()[0] for fault in found] == ["never"] * len(winners(data, name))
    assert found


def winners(data: FactsData, name: str) -> list[Json]:
    return [line for line in data.lines[name] if line.get("winner") is not None]


def test_without_a_winner_two_roles_are_shown_at_least(data: FactsData, tmp_path: Path) -> None:
    lines = [line for each in data.lines.values() for line in each if "code" not in line and line["winner"] is None]
    assert lines
    for line in lines:
        line["necessary"] = dict([*line["necessary"].items()][:1])
    data.write(tmp_path)
    assert [fault.claim for fault in faults_of(tmp_path)] == ["no lone oracle"] * len(lines)


def test_rules_that_cannot_be_read_are_a_fault_of_each_file(data: FactsData, tmp_path: Path) -> None:
    files, manifest = parts_of(data, tmp_path)
    name = sorted(data.families)[0]
    rules = data.families[name]
    tree = canonical(rules)
    unknown = {"operator": "guess", "arguments": []}
    tree["plan"]["winner"].append({"id": "unknown", "expression": unknown, "source": "", "text": None})
    files[f"specifications/{rules.digest}.json"] = f"{canonical_json(tree)}\n".encode()
    write_files(tmp_path, files, manifest)
    found = [fault.file for fault in faults_of(tmp_path) if fault.claim == "form"]
    assert set(found) >= {file for file in files if file.startswith(f"facts/{name}/") and file.endswith(".jsonl")}
