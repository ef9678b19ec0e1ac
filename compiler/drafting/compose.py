"""compose: one specification from a skeleton, for an operation: slots filled, some rules chosen, the rest left out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from random import Random

from unco.compiler.drafting.asking import asked
from unco.compiler.drafting.names import names
from unco.compiler.drafting.skeleton import Data, Skeleton, words_of
from unco.specs.document import LimitsSection, Specification
from unco.specs.errors import UsageError
from unco.specs.wording import definite, listing_text, plural

TRIES = 400
DISTRACTORS = (0, 1, 1, 2)
NAMES = 14
"""So many names of candidates a specification has."""
KEEPS = (
    "Keeps {facts} of every {noun}.",
    "Holds what is recorded of every {noun}: {facts}.",
    "Can tell {facts} of each {noun}.",
    "Is in charge of the records on {facts} of each {noun}.",
    "Answers for {facts} of every {noun}.",
)
"""What a role is said to do, where its skeleton does not say it."""


def compose(skeleton: Skeleton, operation: str, rng: Random) -> Specification:
    """A specification of the skeleton with a calculation of this operation; the same for the same state of `rng`.

    Raises UsageError where the skeleton has no such calculation, or no choice of its conditions keeps to the limits.
    """
    data = skeleton.filled(rng)
    ask, calculations = data.pop("ask"), data.pop("calculations")
    offered = [each for each in calculations if each["operation"] == operation]
    if not offered:
        raise UsageError(f"{skeleton.name} has no calculation that is a {operation}")
    calculation = rng.choice(offered)
    chosen = _conditions(data, calculation["formula"], rng)
    if chosen is None:
        raise UsageError(f"{skeleton.name}: no choice of conditions keeps to the limits with {calculation['formula']}")
    made = _pruned({**data, "calculation": calculation, "conditions": chosen}, rng)
    made["task"] = f"{made['task']} {asked(ask, rng)}"
    made["candidates"] = {**made["candidates"], "names": names(made["candidates"]["names"], NAMES, rng)}
    return Specification.model_validate({"unco": 1, "name": _name(skeleton, made), **made})


def _name(skeleton: Skeleton, made: Mapping[str, Data]) -> str:
    return f"{skeleton.name}-{hashlib.sha256(repr(made).encode()).hexdigest()[:6]}"


def _conditions(data: Mapping[str, Data], formula: str, rng: Random) -> dict[str, str] | None:
    """Some of the conditions, in a drawn order, with which the specification keeps to the default limits."""
    limits, every = LimitsSection(), list(data["conditions"])
    least, most = limits.conditions
    for _ in range(TRIES):
        drawn = rng.sample(every, min(len(every), rng.randint(least, most)))
        rules = {name: data["conditions"][name] for name in drawn}
        owners = _owners(data, _needed(data, [_text(rule) for rule in rules.values()]))
        roles = owners | _owners(data, _needed(data, [formula]))
        fits = limits.roles[0] <= len(roles) <= limits.roles[1] and len(owners) >= limits.condition_owners
        if fits and len(_owners(data, _needed(data, [formula]))) >= limits.operand_roles:
            return rules
    return None


def _text(rule: Data) -> str:
    """The expression of a rule, which may have a wording beside it."""
    return str(rule["rule"] if isinstance(rule, dict) else rule)


def _needed(data: Mapping[str, Data], expressions: list[str]) -> frozenset[str]:
    """The names that the expressions need, the sizes of groups among them."""
    found = frozenset(word for expression in expressions for word in words_of(expression))
    sizes = {str(group["size"]) for name, group in data.get("groups", {}).items() if name in found}
    return found | sizes


def _owners(data: Mapping[str, Data], needed: frozenset[str]) -> frozenset[str]:
    return frozenset(each["owner"] for name, each in data["attributes"].items() if name in needed)


def _pruned(data: dict[str, Data], rng: Random) -> dict[str, Data]:
    """The specification without what no rule needs, but for a few facts that are shown all the same."""
    rules = [data["calculation"]["formula"], *map(_text, data["conditions"].values())]
    needed = _needed(data, rules)
    needed |= _needed(data, list(map(_text, _consistency(data, needed).values())))
    roles = _owners(data, needed)
    spare = [name for name, each in data["attributes"].items() if name not in needed and _can_distract(each, roles)]
    shown = rng.sample(spare, min(len(spare), rng.choice(DISTRACTORS)))
    consistency = _consistency(data, needed | set(shown))
    read = needed | _needed(data, list(map(_text, consistency.values())))
    attributes = {name: each for name, each in data["attributes"].items() if name in read}
    attributes |= {name: {**data["attributes"][name], "distractor": True} for name in shown if name not in read}
    units = " ".join(map(str, (attributes.values(), rules, data.get("tables", {}), data["calculation"])))
    kept = {
        "units": {name: each for name, each in data.get("units", {}).items() if name in words_of(units)},
        "roles": {name: data["roles"][name] for name in data["roles"] if name in roles},
        "groups": {name: each for name, each in data.get("groups", {}).items() if name in needed},
        "parameters": {name: each for name, each in data.get("parameters", {}).items() if name in needed},
        "tables": {name: each for name, each in data.get("tables", {}).items() if name in needed},
        "attributes": attributes,
        "consistency": consistency,
    }
    kept["roles"] = _described(kept["roles"], attributes, data["candidates"], rng)
    return {**data, **{name: _shuffled(part, rng) for name, part in kept.items()}}


def _consistency(data: Mapping[str, Data], shown: frozenset[str]) -> dict[str, Data]:
    """The consistency rules that are about nothing but these facts."""
    found = {name: words_of(_text(rule)) for name, rule in data.get("consistency", {}).items()}
    return {
        name: data["consistency"][name] for name, words in found.items() if words & set(data["attributes"]) <= shown
    }


def _can_distract(attribute: Data, roles: frozenset[str]) -> bool:
    return attribute["owner"] in roles and "per" not in attribute


def _described(roles: Data, attributes: Data, candidates: Data, rng: Random) -> Data:
    """Each role with a sentence on what it holds, in one form throughout."""
    form, noun = rng.choice(KEEPS), candidates.get("noun", "candidate")
    found = {}
    for name, role in roles.items():
        labels = [_told(each["label"], per="per" in each) for each in attributes.values() if each["owner"] == name]
        found[name] = {"description": form.format(facts=listing_text(labels), noun=noun), **role}
    return found


def _told(label: str, *, per: bool) -> str:
    return definite(plural(label) if per else label)


def _shuffled(part: dict[str, Data], rng: Random) -> dict[str, Data]:
    return {name: part[name] for name in rng.sample(list(part), len(part))}
