"""Datasets in the hands of an attacker who recomputes every hash, and what the project says of the result."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from unco.compiler.build import BuildOptions, build, write
from unco.compiler.canonical import canonical
from unco.compiler.check import CheckOptions, check
from unco.compiler.checker import verify as checker
from unco.compiler.instantiate import InstantiateOptions
from unco.solver import claims
from unco.solver.harmless import harmless
from unco.solver.judge import judge, violations
from unco.solver.witness import flip_between
from unco.specs.domains import exact
from unco.specs.errors import SpecificationError
from unco.specs.evidence import Evidence, agrees, full
from unco.specs.expression import Aggregate, Apply, Constant, Expression, Table, scale_of, walk
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import Instance, Outcome, SeveralEligible, Winner
from unco.specs.read import read_specification
from unco.specs.shipped import shipped_specifications
from unco.specs.stored import read_group, read_value, store_outcome, stored_value
from unco.specs.task import canonical_json
from unco.specs.values import NumberType, Value
from unco.specs.verdict import Proved
from unco.specs.wording import typed_text, value_text

Json = Any


@dataclass
class Dataset:
    """The files of a dataset as data that can be changed."""

    families: dict[str, Family]
    """By digest; a changed rule is changed here."""
    groups: list[Json]
    tasks: dict[str, list[Json]]
    certificates: dict[str, Json]
    rejections: str
    manifest: Json
    others: dict[str, bytes]

    @classmethod
    def read(cls, folder: Path, families: Mapping[str, Family]) -> Dataset:
        """A finished dataset."""
        groups = [json.loads(line) for line in (folder / "groups.jsonl").read_text("utf-8").splitlines()]
        tasks: dict[str, list[Json]] = {}
        for line in (folder / "tasks.jsonl").read_text("utf-8").splitlines():
            task = json.loads(line)
            tasks.setdefault(task["group"], []).append(task)
        names = [each["id"] for each in groups]
        found = {name: json.loads((folder / "certificates" / f"{name}.json").read_text("utf-8")) for name in names}
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        kept = ("verify.py", "guess-ceiling.svg", "transcripts.jsonl", "proofs/", "queries/")
        others = {name: (folder / name).read_bytes() for name in manifest["files"] if name.startswith(kept)}
        rejections = (folder / "rejections.jsonl").read_text("utf-8")
        return cls(dict(families), groups, tasks, found, rejections, manifest, others)

    def copy(self) -> Dataset:
        return copy.deepcopy(self)

    def instances(self, entry: Json) -> tuple[Json, Json]:
        """The instance of a group in both places where it stands."""
        return entry["group"], self.certificates[entry["id"]]["instance"]

    def write(self, folder: Path) -> None:
        """All files, with every id and every hash as the content asks for."""
        trees = {digest: canonical_json(canonical(family)) for digest, family in self.families.items()}
        files = {f"specifications/{digest}.json": f"{tree}\n".encode() for digest, tree in trees.items()}
        lines: dict[str, list[Json]] = {"groups.jsonl": [], "tasks.jsonl": []}
        for entry in self.groups:
            name, tasks = _sealed(entry, self.tasks[entry["id"]])
            digest = hashlib.sha256(trees[entry["digest"]].encode()).hexdigest()
            certificate = {**self.certificates[entry["id"]], "group": name, "canonical": digest}
            files[f"certificates/{name}.json"] = f"{json.dumps(certificate)}\n".encode()
            lines["groups.jsonl"].append({**entry, "id": name})
            lines["tasks.jsonl"] += tasks
        for name, data in lines.items():
            files[name] = "".join(f"{json.dumps(each)}\n" for each in data).encode()
        files |= {**self.others, **self._proofs(trees), "rejections.jsonl": self.rejections.encode()}
        write_files(folder, files, self._manifest(trees, files))

    def _proofs(self, trees: Mapping[str, str]) -> dict[str, bytes]:
        """The proofs of the families, as if they were of these rules."""
        names = {digest: f"proofs/{digest}.json" for digest in trees}
        found = {digest: json.loads(self.others[name]) for digest, name in names.items() if name in self.others}
        hashes = {digest: hashlib.sha256(tree.encode()).hexdigest() for digest, tree in trees.items()}
        proofs = {digest: {**proof, "canonical": hashes[digest]} for digest, proof in found.items()}
        return {names[digest]: f"{canonical_json(proof)}\n".encode() for digest, proof in proofs.items()}

    def _manifest(self, trees: Mapping[str, str], files: Mapping[str, bytes]) -> Json:
        manifest = copy.deepcopy(self.manifest)
        for name, about in manifest["specifications"].items():
            digest = about["digest"]
            about["canonical"] = hashlib.sha256(trees[digest].encode()).hexdigest()
            about["family_proof"]["sha256"] = hashlib.sha256(files[f"proofs/{digest}.json"]).hexdigest()
            about["retained"] = sum(entry["digest"] == digest for entry in self.groups)
            rejected = sum(json.loads(line)["specification"] == name for line in self.rejections.splitlines())
            about["phases"][0]["candidates"] = about["retained"] + rejected
        return manifest


def _sealed(entry: Json, tasks: list[Json]) -> tuple[str, list[Json]]:
    """The id of a group, and its tasks with theirs."""
    contents = [_hash({name: task[name] for name in ("setting", "public", "private", "gold")}) for task in tasks]
    whole = {"specification": entry["digest"], "index": entry["group"]["index"], "contents": contents}
    name = f"group-{_hash(whole)[:32]}"
    return name, [
        {**task, "group": name, "id": f"task-{_hash({'group': name, 'content': content})[:32]}"}
        for task, content in zip(tasks, contents, strict=True)
    ]


def _hash(data: Json) -> str:
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()


def write_files(folder: Path, files: Mapping[str, bytes], manifest: Json) -> None:
    """The files, listed in the manifest with their hashes, and the manifest's own hash."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    text = json.dumps({**manifest, "files": hashes}).encode()
    (folder / "manifest.json").write_bytes(text)
    (folder / "manifest.sha256").write_text(f"{hashlib.sha256(text).hexdigest()}  manifest.json\n")


def faults_of(folder: Path) -> list[checker.Fault]:
    """What the checker finds."""
    found: list[checker.Fault] = []
    checker.verify(folder, found.append)
    return found


# Attacks -------------------------------------------------------------------------------------------------------------


class Nothing(Exception):  # noqa: N818 -- the attack has no place here
    """The dataset offers nothing to attack in this way."""


def choose(rng: Random, among: list[Any]) -> Any:
    if not among:
        raise Nothing
    return rng.choice(among)


def _claims(data: Dataset, rng: Random, *names: str) -> tuple[Json, Json]:
    """A group, and one of its proved claims with a witness."""
    entry = choose(rng, data.groups)
    found = [claim for claim in data.certificates[entry["id"]]["claims"] if claim["verdict"] == "Proved"]
    return entry, choose(rng, [claim for claim in found if claim["witness"] and (not names or claim["claim"] in names)])


def _other_value(family: Family, cell: Cell, stored: Json, rng: Random) -> Json:
    """Another value of the cell's domain, often a neighbour."""
    domain = family.domains[cell.slot]
    place = domain.index(read_value(domain, stored))
    assert place is not None
    near = [each for each in (place - 1, place + 1) if 0 <= each < domain.size]
    return stored_value(domain.value(rng.choice([*near, *(n for n in (0, domain.size - 1) if n != place)])))


def fact(data: Dataset, rng: Random) -> None:
    """A fact of a group is another one; in half of the attacks its sentence says so."""
    entry = choose(rng, data.groups)
    family, place = data.families[entry["digest"]], rng.randrange(len(entry["group"]["cells"]))
    *key, old = entry["group"]["cells"][place]
    cell = Cell(*key)
    new = _other_value(family, cell, old, rng)
    for instance in data.instances(entry):
        instance["cells"][place][4] = new
    if rng.random() < 0.5:
        domain = family.domains[cell.slot]
        old_words, new_words = (value_text(read_value(domain, each), domain) for each in (old, new))
        _reword(data, entry, lambda record: _is_about(record, cell, entry), old_words, new_words)


def _is_about(record: Json, cell: Cell, entry: Json) -> bool:
    name = entry["group"]["names"][cell.candidate]
    place = (record["candidate"], record["attribute"], record["member"], record["context"])
    return place == (name, cell.attribute, cell.member, cell.context)


def _reword(data: Dataset, entry: Json, about: Callable[[Json], bool], old: str, new: str) -> None:
    """Put other words into a record, wherever it stands."""
    tasks = data.tasks[entry["id"]]
    entries = [each for record in tasks[0]["private"]["records"] for each in record["entries"] if about(each)]
    text = json.dumps(tasks)
    for record in entries:
        sentence = record["text"]
        text = text.replace(json.dumps(sentence)[1:-1], json.dumps(sentence.replace(old, new))[1:-1])
    data.tasks[entry["id"]] = json.loads(text)


def parameter(data: Dataset, rng: Random) -> None:
    """A threshold that the group draws is another one."""
    entry = choose(rng, [each for each in data.groups if each["group"]["parameters"]])
    family, name = data.families[entry["digest"]], rng.choice(sorted(entry["group"]["parameters"]))
    domain = next(each.domain for each in family.parameters if each.id == name)
    new = stored_value(domain.value(rng.randrange(domain.size)))
    for instance in data.instances(entry):
        instance["parameters"][name] = new


def gold(data: Dataset, rng: Random) -> None:
    """Another answer is called gold, everywhere."""
    entry = choose(rng, data.groups)
    names, family = entry["group"]["names"], data.families[entry["digest"]]
    old = entry["group"]["outcome"]
    others: list[Json] = [None, *({"candidate": who, "result": rng.randint(1, 999)} for who in range(len(names)))]
    if old is not None:
        others.append({**old, "result": stored_value(exact(_number(old["result"]) + rng.choice([-1, 1])))})
    new = rng.choice([each for each in others if each != old])
    for instance in data.instances(entry):
        instance["outcome"] = new
    answer = {"decision": family.decision.negative, "candidate": None, "result": None}
    if new is not None:
        name = names[new["candidate"]]
        answer = {"decision": family.decision.positive, "candidate": name, "result": str(new["result"])}
    for task in data.tasks[entry["id"]]:
        task["gold"]["answer"] = answer


def _number(stored: Json) -> Any:
    return checker.number(stored)


def one_gold(data: Dataset, rng: Random) -> None:
    """The answer of one task is another one."""
    task = choose(rng, data.tasks[choose(rng, data.groups)["id"]])
    answer = task["gold"]["answer"]
    if answer["result"] is None:
        name = rng.choice(task["public"]["candidates"])
        task["gold"]["answer"] = {
            "decision": task["public"]["answer"]["positive"],
            "candidate": name,
            "result": "1",
        }
    else:
        answer["result"] = f"{answer['result']}0"[:9] if answer["result"] != "0" else "1"
        answer["candidate"] = rng.choice(task["public"]["candidates"])


def witness(data: Dataset, rng: Random) -> None:
    """A changed cell of a witness has another value."""
    entry, claim = _claims(data, rng)
    change = choose(rng, claim["witness"]["changes"])
    change[4] = _other_value(data.families[entry["digest"]], Cell(*change[:4]), change[4], rng)


def empty_witness(data: Dataset, rng: Random) -> None:
    """A witness changes nothing."""
    _, claim = _claims(data, rng)
    claim["witness"]["changes"] = []


def no_witness(data: Dataset, rng: Random) -> None:
    """A claim is said to be proved without a witness."""
    _, claim = _claims(data, rng)
    claim["witness"] = None


def flip(data: Dataset, rng: Random) -> None:
    """The way in which the answers differ has another name."""
    _, claim = _claims(data, rng)
    names = ("to none", "to a winner", "other winner", "other result", "several eligible")
    claim["witness"]["flip"] = rng.choice([name for name in names if name != claim["witness"]["flip"]])


def witness_answer(data: Dataset, rng: Random) -> None:
    """The answer of a witness is another one."""
    _, claim = _claims(data, rng)
    old = claim["witness"]["outcome"]
    claim["witness"]["outcome"] = {"candidate": 0, "result": 1} if old is None else None


def face_value(data: Dataset, rng: Random) -> None:
    """The answer at face value is another one, or gold."""
    entry = choose(rng, data.groups)
    task = choose(rng, [each for each in data.tasks[entry["id"]] if each["gold"]["face_value"]])
    task["gold"]["face_value"] = copy.deepcopy(task["gold"]["answer"])


def off_context(data: Dataset, rng: Random) -> None:
    """The misaligned reply is about another context."""
    entry = choose(rng, [each for each in data.groups if each["group"]["misaligned"]])
    family = data.families[entry["digest"]]
    decoy = entry["group"]["misaligned"]
    others = [name for name, _ in family.attribute_by_id[decoy["attribute"]].contexts if name != decoy["context"]]
    chosen = choose(rng, others)
    for instance in data.instances(entry):
        instance["misaligned"]["context"] = chosen


def coarse_end(data: Dataset, rng: Random) -> None:
    """An interval of a coarse reply ends elsewhere, or a set has lost a value; in half of the attacks, in words too."""
    entry = choose(rng, data.groups)
    family, first = data.families[entry["digest"]], data.instances(entry)
    lists = [each["harmless"]["coarse"] + [each["incomplete"]] * bool(each["incomplete"]) for each in first]
    places = [
        (number, place)
        for number, vague in enumerate(lists[0])
        for place, each in enumerate(vague["coarse"])
        if each[4] is not None
    ]
    number, place = choose(rng, places)
    *key, known = lists[0][number]["coarse"][place]
    cell, changed = Cell(*key), copy.deepcopy(known)
    if "one_of" in changed:
        changed["one_of"].pop(rng.randrange(len(changed["one_of"])))
    else:
        end = rng.randrange(2)
        changed["between"][end] = _other_value(family, cell, changed["between"][end], rng)
    for each in lists:
        each[number]["coarse"][place][4] = changed


def rule(data: Dataset, rng: Random) -> None:
    """A threshold in a rule is one step off; in half of the attacks the task says so."""
    digest = rng.choice(sorted(data.families))
    family = data.families[digest]
    number = rng.randrange(len(family.conditions))
    condition = family.conditions[number]
    constants = [x for x in walk(condition.expression) if isinstance(x, Constant) and isinstance(x.type, NumberType)]
    old = choose(rng, constants)
    new = replace(old, value=exact(old.value + rng.choice([-1, 1]) * scale_of(old.type)))
    changed = replace(condition, expression=rewritten(condition.expression, old, new))
    conditions = (*family.conditions[:number], changed, *family.conditions[number + 1 :])
    data.families[digest] = replace(family, conditions=conditions)
    if rng.random() < 0.5:
        words = typed_text(old.value, old.type), typed_text(new.value, new.type)
        for entry in data.groups:
            if entry["digest"] == digest:
                for task in data.tasks[entry["id"]]:
                    task["public"]["instructions"] = task["public"]["instructions"].replace(*words)


def comparator(data: Dataset, rng: Random) -> None:
    """A comparison is strict that was not, or the other way round."""
    turned = {">=": ">", ">": ">=", "<=": "<", "<": "<=", "and": "or", "or": "and"}
    digest = rng.choice(sorted(data.families))
    family = data.families[digest]
    number = rng.randrange(len(family.conditions))
    condition = family.conditions[number]
    old = choose(rng, [x for x in walk(condition.expression) if isinstance(x, Apply) and x.operator in turned])
    changed = replace(
        condition, expression=rewritten(condition.expression, old, replace(old, operator=turned[old.operator]))
    )
    conditions = (*family.conditions[:number], changed, *family.conditions[number + 1 :])
    data.families[digest] = replace(family, conditions=conditions)


def table_row(data: Dataset, rng: Random) -> None:
    """A row of a table gives another number."""
    digest = rng.choice(sorted(data.families))
    family = data.families[digest]
    rules = [*family.conditions, *family.consistency, family.calculation]
    tables = {t.name: t for x in rules for t in _tables(x.expression) if isinstance(t.gives, NumberType)}
    table = choose(rng, [tables[name] for name in sorted(tables)])
    place = rng.randrange(len(table.bands))
    band = table.bands[place]
    changed = replace(band, value=exact(band.value + rng.choice([-1, 1]) * scale_of(table.gives)))
    bands = (*table.bands[:place], changed, *table.bands[place + 1 :])
    new = replace(table, bands=bands)
    data.families[digest] = replace(
        family,
        conditions=tuple(replace(x, expression=with_table(x.expression, new)) for x in family.conditions),
        consistency=tuple(replace(x, expression=with_table(x.expression, new)) for x in family.consistency),
        plan=replace(
            family.plan, winner=tuple(replace(x, expression=with_table(x.expression, new)) for x in family.plan.winner)
        ),
        calculation=replace(family.calculation, expression=with_table(family.calculation.expression, new)),
    )


def _tables(expression: Expression) -> Iterator[Table]:
    for part in walk(expression):
        if isinstance(part, Apply):
            yield from (option for option in part.options if isinstance(option, Table))


def rewritten(expression: Expression, old: Expression, new: Expression) -> Expression:
    """The expression with one part, known by identity, replaced."""
    if expression is old:
        return new
    match expression:
        case Apply():
            return replace(expression, arguments=tuple(rewritten(each, old, new) for each in expression.arguments))
        case Aggregate():
            return replace(expression, body=rewritten(expression.body, old, new))
        case _:
            return expression


def with_table(expression: Expression, table: Table) -> Expression:
    """The expression with another table of the same name."""
    match expression:
        case Apply():
            options = tuple(table if isinstance(x, Table) and x.name == table.name else x for x in expression.options)
            arguments = tuple(with_table(each, table) for each in expression.arguments)
            return replace(expression, arguments=arguments, options=options)
        case Aggregate():
            return replace(expression, body=with_table(expression.body, table))
        case _:
            return expression


def necessary(data: Dataset, rng: Random) -> None:
    """The specification asks for a role that it did not ask for."""
    digest = rng.choice(sorted(data.families))
    family = data.families[digest]
    chosen = choose(rng, [role for role in family.roles if role.necessary == "computed"])
    roles = tuple(replace(role, necessary="always") if role is chosen else role for role in family.roles)
    data.families[digest] = replace(family, roles=roles)


def dropped_claim(data: Dataset, rng: Random) -> None:
    """A claim is gone."""
    stored = data.certificates[choose(rng, data.groups)["id"]]["claims"]
    stored.pop(rng.randrange(len(stored)))


def doubted_claim(data: Dataset, rng: Random) -> None:
    """A claim that is proved is called Unknown, or Refuted."""
    _, claim = _claims(data, rng)
    claim["verdict"] = rng.choice(["Unknown", "Refuted"])


def dropped_state(data: Dataset, rng: Random) -> None:
    """A repair state of Mixed is gone, or a defect that matters in it."""
    found = [x for each in data.certificates.values() for x in each["claims"] if "states" in x]
    states = choose(rng, found)["states"]
    if rng.random() < 0.5:
        states.pop(rng.randrange(len(states)))
    else:
        matters = choose(rng, [each["matters"] for each in states if each["matters"]])
        matters.pop(rng.randrange(len(matters)))


def state_witness(data: Dataset, rng: Random) -> None:
    """A witness of a repair state has another value."""
    found = [(name, x) for name, each in data.certificates.items() for x in each["claims"] if "states" in x]
    name, claim = choose(rng, found)
    entry = next(each for each in data.groups if each["id"] == name)
    pairs = [each for state in claim["states"] if state["unrepaired"] for each in (state, *state["matters"])]
    change = choose(rng, [change for pair in pairs for change in pair["changes"]])
    change[4] = _other_value(data.families[entry["digest"]], Cell(*change[:4]), change[4], rng)


def dropped_group(data: Dataset, rng: Random) -> None:
    """A group is gone that others of its specification follow."""
    places = [n for n, each in enumerate(data.groups[1:]) if each["digest"] == data.groups[n]["digest"]]
    data.groups.pop(choose(rng, places))


def swapped_groups(data: Dataset, rng: Random) -> None:
    """Two groups of a specification stand in the other order."""
    places = [n for n, each in enumerate(data.groups[1:]) if each["digest"] == data.groups[n]["digest"]]
    place = choose(rng, places)
    data.groups[place : place + 2] = data.groups[place + 1], data.groups[place]


def doubled_group(data: Dataset, rng: Random) -> None:
    """A group stands twice."""
    data.groups.append(data.groups[-1])


def swapped_certificates(data: Dataset, rng: Random) -> None:
    """Two groups have each other's certificate."""
    one, two = rng.sample([each["id"] for each in data.groups], 2)
    data.certificates[one], data.certificates[two] = data.certificates[two], data.certificates[one]


def dropped_setting(data: Dataset, rng: Random) -> None:
    """A setting of a group is gone."""
    entry = choose(rng, data.groups)
    tasks = data.tasks[entry["id"]]
    place = rng.randrange(len(tasks))
    tasks.pop(place)
    entry["settings"].pop(place)


def dropped_defect(data: Dataset, rng: Random) -> None:
    """The reply of a setting has no defect any more."""
    entry = choose(rng, data.groups)
    task = choose(rng, [each for each in data.tasks[entry["id"]] if each["private"]["defects"]])
    task["private"]["defects"].pop()


def swapped_texts(data: Dataset, rng: Random) -> None:
    """Two records have each other's sentence."""
    entry = choose(rng, data.groups)
    for task in data.tasks[entry["id"]]:
        state = rng.getstate()
        records = rng.choice([x["entries"] for x in task["private"]["records"] if len(x["entries"]) > 1])
        one, two = rng.sample(records, 2)
        one["text"], two["text"] = two["text"], one["text"]
        rng.setstate(state)


def withheld_recovery(data: Dataset, rng: Random) -> None:
    """A repair brings less than was withheld."""
    entry = choose(rng, data.groups)
    task = choose(rng, [each for each in data.tasks[entry["id"]] if each["private"]["defects"]])
    defect = rng.choice(task["private"]["defects"])
    defect["recovery"].pop()
    defect["recovery_reply"] = "\n".join(each["text"] for each in defect["recovery"])


def fewer_cells(data: Dataset, rng: Random) -> None:
    """One of the smallest sufficient cells is gone."""
    stored = choose(rng, [x["smallest_sufficient_cells"] for x in data.certificates.values()])
    if not stored:
        raise Nothing
    stored.pop(rng.randrange(len(stored)))


FALSE: tuple[Callable[[Dataset, Random], None], ...] = (
    gold, one_gold, empty_witness, no_witness, flip, witness_answer, face_value, off_context, dropped_claim,
    dropped_state, dropped_group, swapped_groups, doubled_group, swapped_certificates, dropped_setting, dropped_defect,
    swapped_texts, withheld_recovery,
)  # fmt: skip
"""Attacks after which something is false or missing, always."""
PERHAPS: tuple[Callable[[Dataset, Random], None], ...] = (
    fact, parameter, witness, coarse_end, rule, comparator, table_row, necessary, state_witness, doubted_claim,
    fewer_cells,
)  # fmt: skip
"""Attacks that may leave every claim true."""


# The project's own word ----------------------------------------------------------------------------------------------


def all_true(data: Dataset) -> bool:
    """Whether every claim of every group holds that is shown without a solver, by the project's own judgement."""
    return all(
        _group_is_true(data.families[entry["digest"]], entry, data.certificates[entry["id"]]) for entry in data.groups
    )


def _group_is_true(family: Family, entry: Json, certificate: Json) -> bool:
    try:
        group = read_group(family, entry["group"])
    except SpecificationError:
        return False
    basis = [claims.legality(family, group.instance), claims.uniqueness(family, group.instance, group.outcome)]
    if group.misaligned:
        basis.append(claims.misaligned(family, group.instance, group.outcome, group.misaligned))
    basis.append(harmless(family, group))
    if not all(isinstance(each, Proved) for each in basis):
        return False
    if group.incomplete and claims.untrue(family, group.instance, group.incomplete):
        return False
    return all(_claim_is_true(family, group, claim) for claim in certificate["claims"])


def _claim_is_true(family: Family, group: CandidateGroup, claim: Json) -> bool:
    if claim["claim"] == "role necessity":
        role = next(each for each in family.roles if each.id == claim["subject"])
        asked = role.necessary == "always" or (role.necessary == "with_winner" and isinstance(group.outcome, Winner))
        if claim["verdict"] != "Proved":
            return not asked
    elif claim["required"] and claim["verdict"] != "Proved":
        return False
    if claim["claim"] == "Mixed is valid":
        return all(_state_is_true(family, group, state) for state in claim["states"] if state["unrepaired"])
    if claim["witness"] is None:
        return True
    return _pair_is_true(family, group, claim["witness"], _evidence(family, group, claim), group.outcome)


def _changed(family: Family, group: CandidateGroup, stored: Json) -> Instance:
    changes: dict[Cell, Value] = {}
    for *key, value in stored["changes"]:
        cell = Cell(*key)
        changes[cell] = read_value(family.domains[cell.slot], value)
    return group.instance.changed(changes)


def _pair_is_true(family: Family, group: CandidateGroup, pair: Json, known: Evidence, other: Outcome) -> bool:
    completion = _changed(family, group, pair)
    if violations(family, completion) or not all(
        agrees(known.of(cell), completion.cells[cell]) for cell in family.cells
    ):
        return False
    found = judge(family, completion)
    if isinstance(found, SeveralEligible) or found == other or store_outcome(found) != pair["outcome"]:
        return False
    return flip_between(other, found).value == pair["flip"]


def _state_is_true(family: Family, group: CandidateGroup, state: Json) -> bool:
    assert group.mixed is not None
    known = claims.mixed_evidence(family, group.instance, group.mixed, frozenset(state["unrepaired"]))
    if not _pair_is_true(family, group, state, known, group.outcome):
        return False
    for each in state["matters"]:
        before = _changed(family, group, each)
        repaired = {x: group.instance.cells[x] for x in claims.defect_cells(family, group.mixed, each["defect"])}
        after = before.changed(repaired)
        answer = judge(family, after)
        if violations(family, after) or isinstance(answer, SeveralEligible):
            return False
        if not _pair_is_true(family, group, each, known, answer):
            return False
    return True


def _evidence(family: Family, group: CandidateGroup, claim: Json) -> Evidence:
    everything = full(group.instance)
    match claim["claim"]:
        case "role necessity" | "Missed is valid":
            return everything.hiding(family.cells_of(claim["subject"]))
        case "no lone oracle":
            return everything.only(family.cells_of(claim["subject"]))
        case "Incomplete is valid":
            assert group.incomplete is not None
            return everything.with_knowledge(group.incomplete.coarse)
        case _:
            required = family.attribute_by_id[claim["subject"]].required
            about = [x for x in family.cells if (x.attribute, x.context) == (claim["subject"], required)]
            return everything.hiding(about)


NAMES = ("underground_superintendent", "reduced_fare")


@cache
def built() -> Dataset:
    """A dataset of two shipped specifications, made once."""
    shipped = shipped_specifications()
    paths = [shipped[name.replace("_", "-")] for name in NAMES]
    families = [check(read_specification(path), CheckOptions(findings=False)).require() for path in paths]
    options = BuildOptions(2, InstantiateOptions(seed=3))
    with TemporaryDirectory() as folder:
        write(build(families, options), Path(folder, "out"), options)
        return Dataset.read(Path(folder, "out"), {family.digest: family for family in families})
