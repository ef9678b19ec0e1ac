"""Facts in the hands of an attacker who recomputes every hash, and what the project says of the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

from facts_datasets import FactsData, claimed_by, rejected_line
from tampering import Nothing, choose, comparator, necessary, rewritten, rule, table_row

from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import judge, violations
from unco.specs.domains import NumberDomain, exact
from unco.specs.expression import Apply, Expression, walk
from unco.specs.family import Cell, Family, Rule
from unco.specs.instance import Instance, SeveralEligible, Winner

Json = Any
Attack = Callable[[FactsData, Random], None]


def _line(data: FactsData, rng: Random, wanted: Callable[[Json], bool] = lambda line: True) -> tuple[Family, Json]:
    """One of the lines that hold an instance, and its family."""
    name = rng.choice(sorted(data.families))
    lines = [line for line in data.lines[name] if "code" not in line and wanted(line)]
    return data.families[name], choose(rng, lines)


def _other(size: int, place: int, rng: Random) -> int:
    """Another place, often a neighbour."""
    near = [each for each in (place - 1, place + 1, 0, size - 1) if 0 <= each < size and each != place]
    return int(choose(rng, near))


# Attacks on lines ----------------------------------------------------------------------------------------------------


def fact(data: FactsData, rng: Random) -> None:
    """A fact is another one."""
    family, line = _line(data, rng)
    own, slot = rng.choice(line["cells"]), rng.randrange(len(family.slots))
    own[slot] = _other(family.domains[family.slots[slot]].size, own[slot], rng)


def parameter(data: FactsData, rng: Random) -> None:
    """A threshold is another one."""
    family, line = _line(data, rng, lambda line: bool(line["parameters"]))
    number = rng.randrange(len(family.parameters))
    line["parameters"][number] = _other(family.parameters[number].domain.size, line["parameters"][number], rng)


def _witness(data: FactsData, rng: Random) -> tuple[Family, Json, str]:
    family, line = _line(data, rng, lambda line: bool(line["necessary"]))
    return family, line, rng.choice(sorted(line["necessary"]))


def witness(data: FactsData, rng: Random) -> None:
    """A changed cell of a witness has another value."""
    family, line, role = _witness(data, rng)
    change = rng.choice(line["necessary"][role][1])
    change[1] = _other(family.domains[family.slots[change[0]]].size, change[1], rng)


def witness_slot(data: FactsData, rng: Random) -> None:
    """A witness changes another cell."""
    family, line, role = _witness(data, rng)
    change = rng.choice(line["necessary"][role][1])
    change[0] = _other(len(family.slots), change[0], rng)
    change[1] = rng.randrange(family.domains[family.slots[change[0]]].size)


def witness_candidate(data: FactsData, rng: Random) -> None:
    """A witness changes another candidate."""
    family, line, role = _witness(data, rng)
    line["necessary"][role][0] = _other(family.candidates, line["necessary"][role][0], rng)


def more_in_witness(data: FactsData, rng: Random) -> None:
    """A witness changes one more cell."""
    family, line, role = _witness(data, rng)
    changes = line["necessary"][role][1]
    slot = choose(rng, [each for each in range(len(family.slots)) if each not in dict(changes)])
    changes.append([slot, rng.randrange(family.domains[family.slots[slot]].size)])
    changes.sort()


def less_in_witness(data: FactsData, rng: Random) -> None:
    """A witness changes one cell less."""
    _, line, role = _witness(data, rng)
    changes = line["necessary"][role][1]
    changes.pop(rng.randrange(len(changes)))


def moved_witness(data: FactsData, rng: Random) -> None:
    """Two roles have each other's witness."""
    _, line = _line(data, rng, lambda line: len(line["necessary"]) > 1)
    one, two = rng.sample(sorted(line["necessary"]), 2)
    shown = line["necessary"]
    shown[one], shown[two] = shown[two], shown[one]


def dropped_witness(data: FactsData, rng: Random) -> None:
    """A role is not shown any more."""
    _, line, role = _witness(data, rng)
    del line["necessary"][role]


def order_of_roles(data: FactsData, rng: Random) -> None:
    """The roles of a line stand in another order."""
    _, line = _line(data, rng, lambda line: len(line["necessary"]) > 1)
    line["necessary"] = dict(reversed(line["necessary"].items()))


def gold(data: FactsData, rng: Random) -> None:
    """Another candidate, or nobody, is called the winner."""
    family, line = _line(data, rng)
    others = [each for each in (None, *range(family.candidates)) if each != line["winner"]]
    line["winner"] = rng.choice(others)
    line["result"] = None if line["winner"] is None else line["result"] or "1"


def result(data: FactsData, rng: Random) -> None:
    """The result is another one, or written in another way."""
    _, line = _line(data, rng, lambda line: line["winner"] is not None)
    wrong = [f"{line['result']}0", f"{line['result']}/1", f"{line['result']}.0", None, f"0{line['result']}"]
    line["result"] = rng.choice([each for each in wrong if each not in ("00", line["result"])])


def typed(data: FactsData, rng: Random) -> None:
    """A whole number is written as another kind of number."""
    _, line = _line(data, rng)
    own = rng.choice([line["cells"][0], line["names"], line["necessary"] and next(iter(line["necessary"].values()))])
    place = choose(rng, [n for n, each in enumerate(own) if isinstance(each, int)])
    own[place] = rng.choice([float(own[place]), str(own[place]), *([bool(own[place])] if own[place] < 2 else [])])


def outside(data: FactsData, rng: Random) -> None:
    """A place lies outside its domain."""
    family, line = _line(data, rng)
    slot = rng.randrange(len(family.slots))
    rng.choice(line["cells"])[slot] = rng.choice([-1, family.domains[family.slots[slot]].size, 10**30])


def names(data: FactsData, rng: Random) -> None:
    """Two candidates have one name, or one has none."""
    family, line = _line(data, rng)
    line["names"][0] = rng.choice([line["names"][1], -1, len(family.candidate_names)])


def _places(data: FactsData, rng: Random) -> tuple[list[Json], int]:
    """The lines of a family, and the number of one that another one follows."""
    lines = data.lines[rng.choice(sorted(data.lines))]
    return lines, choose(rng, list(range(len(lines) - 1)))


def dropped_line(data: FactsData, rng: Random) -> None:
    """A line is gone that others follow."""
    lines, place = _places(data, rng)
    lines.pop(place)


def doubled_line(data: FactsData, rng: Random) -> None:
    """A line stands twice."""
    lines, place = _places(data, rng)
    lines.insert(place, lines[place])


def exchanged_lines(data: FactsData, rng: Random) -> None:
    """Two lines stand in each other's place."""
    lines, place = _places(data, rng)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]


def moved_index(data: FactsData, rng: Random) -> None:
    """A line is said to have another index."""
    lines, place = _places(data, rng)
    lines[place]["index"] += 1


def other_family(data: FactsData, rng: Random) -> None:
    """The lines of a family are those of another one."""
    one, two = sorted(data.lines)
    data.lines[one], data.lines[two] = data.lines[two], data.lines[one]


def rejected(data: FactsData, rng: Random) -> None:
    """A rejection has no code of its phase."""
    lines, place = _places(data, rng)
    lines[place] = rejected_line(place, "UNC413", "prove")


def dropped_claim(data: FactsData, rng: Random) -> None:
    """The proof does not claim a role any more; the lines still show it."""
    claims = [each for proof in data.proofs.values() for each in proof["claims"]
              if each["claim"] == "role necessity" and each["scope"] == "with a winner"]  # fmt: skip
    claim = choose(rng, [each for each in claims if each["verdict"] == "Proved"])
    claim["verdict"] = "Unknown"


# Attacks on rules ----------------------------------------------------------------------------------------------------


def on_rules(attack: Callable[[Any, Random], None]) -> Attack:
    """An attack on the rules of a dataset of groups, as one on those of facts."""

    def attacked(data: FactsData, rng: Random) -> None:
        rules: Any = SimpleNamespace(
            families={each.digest: each for each in data.families.values()}, groups=[], tasks={}
        )
        attack(rules, rng)
        data.families = {each.name: each for each in rules.families.values()}

    attacked.__name__ = attack.__name__
    return attacked


def plan(data: FactsData, rng: Random) -> None:
    """The plan asks something else of the winner."""
    name = rng.choice(sorted(data.families))
    family = data.families[name]
    rules = [*family.plan.winner, *family.conditions]
    chosen = rng.choice(rules)
    turned = {">=": "<", ">": "<=", "<=": ">", "<": ">=", "==": "!="}
    parts = [each for each in walk(chosen.expression) if isinstance(each, Apply) and each.operator in turned]
    old = choose(rng, parts)
    changed: Expression = rewritten(chosen.expression, old, replace(old, operator=turned[old.operator]))
    winner = (*family.plan.winner, Rule("another", changed))
    data.families[name] = replace(family, plan=replace(family.plan, winner=winner))


def domain(data: FactsData, rng: Random) -> None:
    """A domain begins one step higher, so that each place is another value."""
    name = rng.choice(sorted(data.families))
    family = data.families[name]
    number = rng.randrange(len(family.attributes))
    attribute = family.attributes[number]
    if not isinstance(attribute.domain, NumberDomain):
        raise Nothing
    low, high, step = attribute.domain.low, attribute.domain.high, attribute.domain.step
    moved = replace(attribute.domain, low=exact(low + step), high=exact(high + step))
    contexts = ((attribute.required, moved), *attribute.contexts[1:])
    attributes = list(family.attributes)
    attributes[number] = replace(attribute, contexts=contexts)
    data.families[name] = replace(family, attributes=tuple(attributes))


def owner(data: FactsData, rng: Random) -> None:
    """An attribute has another owner."""
    name = rng.choice(sorted(data.families))
    family = data.families[name]
    number = rng.randrange(len(family.attributes))
    attribute = family.attributes[number]
    other = choose(rng, [role.id for role in family.roles if role.id != attribute.owner])
    attributes = list(family.attributes)
    attributes[number] = replace(attribute, owner=other)
    data.families[name] = replace(family, attributes=tuple(attributes))


FALSE: tuple[Attack, ...] = (
    order_of_roles, gold, result, typed, outside, names, dropped_line, doubled_line, exchanged_lines,
    moved_index, other_family, rejected, dropped_claim,
)  # fmt: skip
"""Attacks after which something is false or missing, always."""
PERHAPS: tuple[Attack, ...] = (
    fact, parameter, witness, witness_slot, witness_candidate, more_in_witness, less_in_witness, moved_witness,
    dropped_witness, plan, domain, owner, *map(on_rules, (rule, comparator, table_row, necessary)),
)  # fmt: skip
"""Attacks that may leave every claim true."""


# The project's own word ----------------------------------------------------------------------------------------------


def all_true(data: FactsData) -> bool:
    """Whether every claim of every line holds, by the project's own judgement."""
    return all(
        "code" in line or _line_is_true(family, claimed_by(family, data.proofs[name]), line)
        for name, family in data.families.items()
        for line in data.lines[name]
    )


def _line_is_true(family: Family, claimed: list[str], line: Json) -> bool:
    try:
        instance = _instance(family, line)
        outcome = judge(family, instance)
        if instance is None or violations(family, instance) or isinstance(outcome, SeveralEligible):
            return False
        won = isinstance(outcome, Winner)
        stated = (outcome.candidate, str(outcome.result)) if isinstance(outcome, Winner) else (None, None)
        if (line["winner"], line["result"]) != stated or not _lies_in_space(family, instance, line):
            return False
        return _shows_all(family, claimed, list(line["necessary"]), won=won) and all(
            _pair_is_true(family, instance, role, *pair) for role, pair in line["necessary"].items()
        )
    except Undefined:
        return False


def _instance(family: Family, line: Json) -> Instance:
    cells = {
        Cell(who, *slot): domain.value(place)
        for who, own in enumerate(line["cells"])
        for (slot, domain), place in zip(family.domains.items(), own, strict=True)
    }
    pairs = zip(family.parameters, line["parameters"], strict=True)
    parameters = {each.id: each.domain.value(place) for each, place in pairs}
    return Instance(cells, parameters, tuple(family.candidate_names[place] for place in line["names"]))


def _lies_in_space(family: Family, instance: Instance, line: Json) -> bool:
    if any(each.value not in (None, instance.parameters[each.id]) for each in family.parameters):
        return False
    if line["winner"] is None:
        return True
    facts = instance.candidate(line["winner"])
    return all(interpret(rule.expression, facts, instance.parameters) is True for rule in family.plan.winner)


def _shows_all(family: Family, claimed: list[str], shown: list[str], *, won: bool) -> bool:
    asked = {role.id: role.necessary for role in family.roles}
    if won:
        return shown == [role for role in asked if role in claimed or asked[role] != "computed"]
    enough = len(shown) >= min(2, len(asked))
    return enough and all(role in shown for role, how in asked.items() if how == "always")


def _pair_is_true(family: Family, instance: Instance, role: str, who: int, changes: Json) -> bool:
    cells = {Cell(who, *family.slots[slot]): place for slot, place in changes}
    values = {cell: family.domains[cell.slot].value(place) for cell, place in cells.items()}
    if not set(cells) <= family.cells_of(role) or any(instance.cells[cell] == value for cell, value in values.items()):
        return False
    after = instance.changed(values)
    if violations(family, after):
        return False
    found = judge(family, after)
    return not isinstance(found, SeveralEligible) and found != judge(family, instance)
