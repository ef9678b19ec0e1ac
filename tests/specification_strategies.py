"""Specifications by construction: every construct of the language, small domains, and no finding of `check`.

`build_specification(rng)` draws one from a source of randomness; `specifications()` is the Hypothesis strategy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any, get_args

from hypothesis import strategies as st
from rule_builder import UNITS, Group, Rules, Term

from unco.compiler.check import CheckOptions, check
from unco.specs.document import Specification
from unco.specs.family import Family
from unco.specs.read import parse_specification
from unco.specs.scalars import Kind, Operation, RoundingMode, number_text
from unco.specs.syntax import Call, Name, NumberLiteral

KINDS: tuple[str, ...] = get_args(Kind)
OPERATIONS: tuple[str, ...] = get_args(Operation)
MODES: tuple[str, ...] = get_args(RoundingMode)
SIZES = ("tiny", "small", "large")
NAMES = (
    "A",
    "AB",
    "日本",
    "😀",
    "Ann O'Neil",
    "{{ 7*7 }}",
    "<b>Bo</b>",
    "Zoë",
    "Li: na",
    "# Max",
    "null",
    "2024-02-29",
)
DIMENSIONS = {
    "count": ("plain", "bed"),
    "decimal": ("plain",),
    "percentage": ("percent",),
    "money": ("money", "rate", "dollars"),
    "quantity": ("length", "bed"),
    "duration": ("calendar", "clock"),
}
CATEGORIES = (("red", "green"), ("first class", "none", "DNP", "true"), ("1", "2", "3"))
DAYS = (date(2024, 2, 27), date(2023, 12, 30), date(2026, 6, 15), date(2024, 2, 29))
UNIT_TEXTS = {"plain": None, "percent": "%", "ratio": None}


def build_specification(
    rng: Random, size: str = "large", *, risky: bool = False, plannable: bool = False
) -> Specification:
    """A specification of a size; a tiny one has so few instances that all of them can be looked at.

    The rules of a risky one need not have a value everywhere. Each condition of a plannable one has a fact of its own
    that can meet and fail it, so that instances can be planned.
    """
    return Specification.model_validate(_Draft(rng, size, risky, plannable).document())


def family_of(specification: Specification) -> Family:
    """The family of a specification, without the findings of the solver."""
    return check(
        parse_specification(json.dumps(specification.dump())), CheckOptions(findings=False, values=False)
    ).require()


def specifications(*sizes: str, risky: bool = False, plannable: bool | None = None) -> st.SearchStrategy[Specification]:
    """Specifications of these sizes. They come from seeds: what fails shrinks to a smaller size, not word by word."""

    def build(size: str, seed: int) -> Specification:
        chosen = seed % 2 == 0 if plannable is None else plannable
        return build_specification(Random(seed), size, risky=risky, plannable=chosen)

    return st.builds(build, st.sampled_from(sizes or SIZES), st.integers(0, 10**9))


class _Draft:
    """Draws one specification, section by section."""

    def __init__(self, rng: Random, size: str, risky: bool, plannable: bool) -> None:
        self.rng = rng
        self.risky = risky
        self.plannable = plannable
        self.tiny = size == "tiny"
        self.most = 9 if size == "large" else 4
        roles = rng.randint(2, {"tiny": 2, "small": 3, "large": 7}[size])
        self.roles = [f"role_{number}" for number in range(1, roles + 1)]
        self.attributes: dict[str, dict[str, Any]] = {}
        self.groups: dict[str, dict[str, Any]] = {}
        self.parameters: dict[str, dict[str, Any]] = {}
        self.facts: list[Term] = []
        self.thresholds: list[Term] = []
        self.members: list[Group] = []

    def document(self) -> dict[str, Any]:
        """The specification as plain data."""
        self._draw_attributes()
        if not self.tiny:
            self._draw_groups()
        self._draw_parameters()
        rules = Rules(self.rng, [*self.facts, *self.thresholds], self.members, risky=self.risky)
        conditions = self._conditions(rules)
        consistency = self._consistency(rules)
        winner = {"winner_rule": rules.about(self.rng.choice(self.facts)).text} if self._perhaps(4) else {}
        calculation = self._calculation(rules)
        document = {
            **self._face(),
            "attributes": self.attributes,
            "parameters": self.parameters,
            "groups": self.groups,
            "tables": rules.tables,
            "conditions": {name: self._worded(term) for name, term in conditions.items()},
            "consistency": {name: self._worded(term) for name, term in consistency.items()},
            "calculation": calculation,
        }
        document["plan"] = self._plan(len(conditions), winner)
        self._hold_together(document)
        return {name: value for name, value in document.items() if value not in ({}, None)}

    def _perhaps(self, sides: int = 2) -> bool:
        return self.rng.randrange(sides) == 0

    def _face(self) -> dict[str, Any]:
        """All but facts and rules."""
        count = self.rng.choice((2, 2, 3, 3, 3, 4, 5, 6, 7, 8)) if self.most > 4 else 2
        candidates: dict[str, Any] = {"count": count, "names": self.rng.sample(NAMES, count + self.rng.randint(0, 3))}
        if self._perhaps():
            candidates |= {"noun": "applicant", "plural": "the applicants"}
        return {
            "unco": 1,
            "name": "generated",
            "title": "A generated task: everything",
            "domain": "testing",
            "task": self.rng.choice(("Decide.", "Decide who is chosen,\nand work out the sum.")),
            "decision": {"positive": "Choose", "negative": "Choose nobody"},
            "candidates": candidates,
            "units": {"bed": self.rng.choice(({}, {"plural": "beds"}))},
            "roles": {role: self._role(role) for role in self.roles},
            "notes": "For authors." if self._perhaps(4) else None,
        }

    def _role(self, role: str) -> dict[str, Any]:
        section: dict[str, Any] = {"name": f"Keeper {role[5:]}", "description": "Keeps records."}
        if self._perhaps(5):
            section["dispensable"] = True
        if self._perhaps(4):
            section["necessary"] = self.rng.choice(("computed", "with_winner", "always"))
        return section

    # Facts -----------------------------------------------------------------------------------------------------------

    def _draw_attributes(self) -> None:
        number = self.rng.randint(2, 3) if self.tiny else self.rng.randint(len(self.roles), self.most)
        for place in range(number):
            owner = self.roles[place] if place < len(self.roles) else self.rng.choice(self.roles)
            self._attribute(self.rng.choice(KINDS), owner)

    def _attribute(self, kind: str, owner: str, group: str | None = None) -> None:
        name = f"{kind}_{len(self.attributes) + 1}"
        section: dict[str, Any] = {"label": name.replace("_", " number "), "owner": owner, "type": kind}
        fields, fact = self._domain(kind)
        section |= fields
        if kind == "boolean" and self._perhaps():
            section["words"] = ["passed", "failed"]
        if group:
            section["per"] = group
        self.attributes[name] = section
        required = None
        if self._perhaps(5 if self.tiny else 2):
            required = self.rng.choice(("March 2026", "2025", 'the "late" one'))
            section["context"] = {
                "kind": "period",
                "required": required,
                "others": self._others(kind, name, fact, group),
            }
        tree = Name(name, required if self._perhaps(4) else None)
        self.facts.append(replace(fact, tree=tree, group=group or "", fact=True))

    def _others(self, kind: str, name: str, fact: Term, group: str | None) -> list[Any]:
        """Off-context domains; rules may read them too."""
        others: list[Any] = []
        for number in range(1 if self.tiny else self.rng.randint(1, 2)):
            context = f"Other {number}"
            if kind == "boolean" or self._perhaps():
                others.append(context)
                own = fact
            else:
                fields, own = self._off_domain(kind, name, fact)
                others.append({"name": context, **fields})
            if self._perhaps(4):
                self.facts.append(replace(own, tree=Name(name, context), group=group or "", fact=True))
        return others

    def _off_domain(self, kind: str, name: str, fact: Term) -> tuple[dict[str, Any], Term]:
        if kind == "category":
            return {"values": self.rng.sample(fact.values, 2)}, fact
        if kind == "date":
            return self._domain(kind)
        given = self.attributes[name]
        unit, scale = next(
            each for each in UNITS[fact.sort] if each[0] == (given.get("unit") or UNIT_TEXTS.get(fact.sort) or "")
        )
        if len(UNITS[fact.sort]) > 1 and self._perhaps():
            unit, scale = self.rng.choice(UNITS[fact.sort])
        low, steps = Fraction(self.rng.randint(0, 4)), self.rng.randint(1, 6)
        fields = {"range": [_scalar(low), _scalar(low + steps)], "step": 1}
        if "places" in given:
            fields = {"range": [_scalar(low), _scalar(low + 1)], "places": given["places"]}
        if unit != given.get("unit") and unit not in ("", "%"):
            fields["unit"] = unit
        step = Fraction(1, 10 ** given["places"]) if "places" in given else Fraction(1)
        high = low + (1 if "places" in given else steps)
        return fields, self._number_fact(fact.sort, low, high, step, scale)

    def _domain(self, kind: str) -> tuple[dict[str, Any], Term]:
        """The fields of a domain, and the fact that it is of, whose tree is still to be named."""
        nameless = Name("nameless")
        if kind == "boolean":
            return {}, Term(nameless, kind)
        if kind == "category":
            values = self.rng.choice(CATEGORIES[:1] if self.tiny else CATEGORIES)
            return {"values": list(values)}, Term(nameless, kind, values=values)
        if kind == "date":
            low = self.rng.choice(DAYS)
            high = low + timedelta(days=self.rng.randint(1, 3) if self.tiny else self.rng.choice((1, 3, 30, 400)))
            return {"range": [low.isoformat(), high.isoformat()]}, Term(nameless, kind, low, high)
        return self._numbers(kind)

    def _numbers(self, kind: str) -> tuple[dict[str, Any], Term]:
        dimension = self.rng.choice(DIMENSIONS[kind])
        unit, scale = self.rng.choice(UNITS[dimension])
        least = -3 if kind in ("decimal", "money", "quantity") and self._perhaps(4) else 0
        low = Fraction(self.rng.randint(least, 4))
        steps = self.rng.randint(1, 2) if self.tiny else self.rng.randint(1, 9)
        fields: dict[str, Any] = {}
        step = Fraction(1)
        if kind != "count" and self._perhaps(4):
            fields["places"], step = (1, Fraction(1, 10))
        elif self._perhaps():
            step = (
                Fraction(self.rng.choice((1, 5, 500)))
                if kind == "count"
                else Fraction(self.rng.choice(("0.5", "5", "1/3")))
            )
            fields["step"] = _scalar(step)
        if self._perhaps(12):
            low = Fraction(25_000_000)
        high = low + steps * step
        fields["range"] = [_scalar(low), _scalar(high)]
        if unit not in ("", "%") or (unit == "%" and self._perhaps()):
            fields["unit"] = unit
        return fields, self._number_fact(dimension, low, high, step, scale)

    def _number_fact(self, dimension: str, low: Fraction, high: Fraction, step: Fraction, scale: Fraction) -> Term:
        grain = 86_400 if dimension == "clock" else 1
        whole = (low * scale / grain).denominator == (step * scale / grain).denominator == 1
        return Term(Name("nameless"), dimension, low * scale, high * scale, step=step * scale, whole=whole)

    def _draw_groups(self) -> None:
        for number in range(1, self.rng.choice((0, 0, 1, 1, 2)) + 1):
            name, owner, maximum = f"group_{number}", self.rng.choice(self.roles), self.rng.randint(1, 3)
            section: dict[str, Any] = {"label": f"household {number}", "size": maximum}
            if self._perhaps():
                size, least = f"size_{number}", self.rng.randint(0, maximum)
                label = f"size of household {number}"
                self.attributes[size] = {
                    "label": label,
                    "owner": owner,
                    "type": "count",
                    "range": [str(least), str(maximum)],
                }
                self.facts.append(Term(Name(size), "plain", Fraction(least), Fraction(maximum), fact=True, whole=True))
                section |= {"size": size, "maximum": maximum}
            elif self._perhaps():
                section["maximum"] = maximum
            self.groups[name] = section
            self.members.append(Group(name, maximum))
            for _ in range(self.rng.randint(1, 2)):
                self._attribute(self.rng.choice(KINDS), owner, name)

    def _draw_parameters(self) -> None:
        for number in range(1, self.rng.randint(0, 1 if self.tiny else 3) + 1):
            kind, name = self.rng.choice(KINDS), f"limit_{number}"
            fields, fact = self._domain(kind)
            self.parameters[name] = {"label": f"threshold {number}", "type": kind, **fields}
            if self._perhaps():
                self.parameters[name]["value"] = self._default(kind, fields)
            self.thresholds.append(replace(fact, tree=Name(name)))

    def _default(self, kind: str, fields: Mapping[str, Any]) -> str:
        if kind == "boolean":
            return self.rng.choice(("true", "false"))
        return str(self.rng.choice(fields["values" if kind == "category" else "range"]))

    # Rules -----------------------------------------------------------------------------------------------------------

    def _conditions(self, rules: Rules) -> dict[str, Term]:
        if self.plannable:
            return self._clear_conditions(rules)
        number = self.rng.randint(1, 2) if self.tiny else self.rng.randint(1, 6 if self.most > 4 else 3)
        found = {}
        for place in range(1, number + 1):
            plain = self.rng.randrange(10) < 6
            rule = rules.about(self.rng.choice(self.facts)) if plain else rules.truth(self.rng.randint(1, 3))
            if plain and self.thresholds and self._perhaps(3):
                rule = self._against_threshold(rules) or rule
            found[f"condition_{place}"] = rule
        return found

    def _clear_conditions(self, rules: Rules) -> dict[str, Term]:
        """One fact a condition, mostly of one owner each, and at times a way round it."""
        facts = [
            fact for fact in self.facts if not fact.group and isinstance(fact.tree, Name) and fact.low != fact.high
        ]
        facts = [fact for fact in facts if not str(fact.tree.context).startswith("Other")]  # type: ignore[union-attr]
        facts += [fact for fact in self.facts if not fact.group and fact.sort in ("boolean", "category")]
        found: dict[str, Term] = {}
        for fact in self.rng.sample(facts, min(len(facts), self.rng.randint(2, 6))):
            rule = rules.clear(fact)
            if self._perhaps(4):
                rule = replace(rule, tree=Call("or", (rule.tree, Call("not", (rules.truth(2).tree,)))))
            found[f"condition_{len(found) + 1}"] = rule
        return found or {"condition_1": rules.truth(1)}

    def _against_threshold(self, rules: Rules) -> Term | None:
        """A fact compared with a parameter of its sort."""
        pairs = [
            (fact, limit)
            for fact in self.facts
            for limit in self.thresholds
            if fact.sort == limit.sort and fact.sort not in ("boolean", "category") and not fact.group
        ]
        if not pairs:
            return None
        fact, limit = self.rng.choice(pairs)
        return Term(Call(self.rng.choice((">=", "<")), (fact.tree, limit.tree)), "boolean")

    def _consistency(self, rules: Rules) -> dict[str, Term]:
        """Rules across facts, loose enough that most draws obey them."""
        found = {}
        for place in range(1, self.rng.choice((0, 0, 1, 2)) + 1):
            parts = [rules.about(self.rng.choice(self.facts)).tree for _ in range(2)]
            found[f"rule_{place}"] = Term(Call("or", (Call("not", (parts[0],)), parts[1])), "boolean")
        return found

    def _worded(self, rule: Term) -> str | dict[str, str]:
        if self._perhaps(4):
            return {"rule": rule.text, "text": "As the author words it."}
        return {"rule": rule.text} if self._perhaps(6) else rule.text

    def _calculation(self, rules: Rules) -> dict[str, Any]:
        rules.rounding = False
        operation = self.rng.choice(OPERATIONS)
        formula = self._formula(rules, operation)
        section: dict[str, Any] = {"operation": operation, "label": "the sum", "formula": formula.text}
        unit = self._answer_unit(formula.sort)
        if unit:
            section["unit"] = unit
        if self._perhaps():
            section["rounding"] = {"places": self.rng.choice((0, 1, 2, 9)), "mode": self.rng.choice(MODES)}
        if self._perhaps(4):
            section["text"] = "The author's words."
        return section

    def _answer_unit(self, sort: str) -> str | None:
        if sort in ("ratio", "percent"):
            return "%" if sort == "percent" or self._perhaps() else None
        return self.rng.choice(UNITS[sort])[0] or None

    def _formula(self, rules: Rules, operation: str) -> Term:
        """A formula of the form of its operation, that reads a fact."""
        sorts = [fact.sort for fact in self.facts if fact.sort in UNITS and not fact.group]
        sort = self.rng.choice(sorts or ["plain"])
        facts = [fact for fact in self.facts if fact.sort == sort and not fact.group]
        fact = self.rng.choice(facts) if facts else self._count(rules)
        depth = 0 if self.tiny else self.rng.randint(0, 2)
        other = rules.number(sort, depth)
        match operation:
            case "sum":
                return self._sum(rules, fact, other)
            case "difference":
                return self._difference(rules, fact, other)
            case "product":
                share = rules.number("plain" if sort in ("plain", "percent") else "percent", 0)
                return Term(Call("*", (fact.tree, share.tree)), sort if sort != "percent" else "ratio")
            case "ratio":
                operator = self.rng.choice(("/", "/", "//"))
                quotient = Call(operator, (fact.tree, rules.positive(sort, 1).tree))
                return Term(quotient, "ratio" if operator == "/" else "plain")
            case "weighted_mean":
                parts = (fact.tree, rules.literal("plain", 1).tree, other.tree, rules.positive("plain", 0).tree)
                return Term(Call("weighted_mean", parts), sort)
            case "percentage_change":
                return Term(Call("percent_change", (rules.positive(sort, 1).tree, fact.tree)), "percent")
            case "capped":
                capped = Call(self.rng.choice(("min", "max")), (fact.tree, other.tree))
                return Term(capped if self._perhaps() else Call("+", (capped, rules.literal(sort).tree)), sort)
            case _:
                return self._tiered(rules)

    def _sum(self, rules: Rules, fact: Term, other: Term) -> Term:
        members = [each for each in self.facts if each.group and each.sort == fact.sort]
        if members and self._perhaps():
            member = self.rng.choice(members)
            return Term(Call("sum", (Name(member.group), member.tree)), fact.sort)
        parts = (fact.tree, other.tree) if self._perhaps() else (fact.tree, other.tree, rules.literal(fact.sort).tree)
        return Term(Call("+" if len(parts) == 2 else "sum", parts), fact.sort)

    def _difference(self, rules: Rules, fact: Term, other: Term) -> Term:
        days = [each for each in self.facts if each.sort == "date" and not each.group]
        if not days or self._perhaps():
            return Term(Call("-", (fact.tree, other.tree)), fact.sort)
        operator = self.rng.choice(("days_between", "months_between", "years_between"))
        parts = (self.rng.choice(days).tree, rules.value("date", 0).tree)
        return Term(Call(operator, parts), "clock" if operator == "days_between" else "calendar")

    def _tiered(self, rules: Rules) -> Term:
        found = rules.tiered("money", 0)
        if not self._reads(found) or self._perhaps():
            facts = [fact for fact in self.facts if fact.sort in UNITS and not fact.group]
            fact = self.rng.choice(facts) if facts else self._count(rules)
            rate = rules.lookup("plain", 0) if fact.sort != "percent" else rules.lookup("percent", 0)
            found = Term(Call("*", (fact.tree, rate.tree)), fact.sort)
        return found if self._perhaps() else Term(Call("+", (found.tree, rules.literal(found.sort).tree)), found.sort)

    def _reads(self, formula: Term) -> bool:
        return any(f"{name}" in formula.text for name in (*self.attributes, *self.parameters))

    def _count(self, rules: Rules) -> Term:
        """A plain number that reads a fact, whatever the facts are."""
        fact = self.rng.choice([fact for fact in self.facts if not fact.group])
        chosen = Call("if", (rules.about(fact).tree, NumberLiteral(Fraction(2)), NumberLiteral(Fraction(7))))
        return Term(chosen, "plain", Fraction(2), Fraction(7))

    # What ties the sections together ---------------------------------------------------------------------------------

    def _plan(self, conditions: int, winner: dict[str, str]) -> dict[str, Any]:
        plan: dict[str, Any] = {"winner": winner} if winner else {}
        if self._perhaps(3):
            plan["none_eligible"] = self.rng.choice((0, "0.5", "1/3", 1))
        if self._perhaps(4):
            plan["margins"] = {"edge": 2, "near": "0.5", "far": 0}
        if conditions < 3 or self._perhaps(4):
            plan["failed_conditions"] = {self.rng.randint(1, conditions): 3, 1: "1.5"}
        return plan

    def _hold_together(self, document: dict[str, Any]) -> None:
        """Mark distractors, and set limits, difficulty and targets to what the rules allow."""
        rules = [rule if isinstance(rule, str) else rule["rule"] for rule in document["conditions"].values()]
        ties = [rule if isinstance(rule, str) else rule["rule"] for rule in document["consistency"].values()]
        formula = document["calculation"]["formula"]
        sizes = {group["size"] for group in self.groups.values()}
        used = [
            name
            for name in self.attributes
            if name in sizes or any(_names(name, text) for text in (*rules, *ties, formula))
        ]
        for name in self.attributes:
            if name not in used:
                self.attributes[name]["distractor"] = True
        document["limits"] = self._limits(len(rules), self._owners(rules), self._owners([formula]))
        if self._perhaps(4):
            shown = len(self.attributes) - len(used)
            document["difficulty"] = {"distance": [0, 3], "distractors": self.rng.randint(0, shown), "depth": 40}
        if self._perhaps(3):
            document["perturbations"] = self._targets(document, [name for name in used if name not in sizes], used)

    def _owners(self, texts: list[str]) -> int:
        """How many roles own what the texts read; the size of a group counts where the group is read."""
        read = {name for name in self.attributes if any(_names(name, text) for text in texts)}
        read |= {str(group["size"]) for id_, group in self.groups.items() if any(_names(id_, text) for text in texts)}
        return len({self.attributes[name]["owner"] for name in read if name in self.attributes})

    def _limits(self, conditions: int, owners: int, operands: int) -> dict[str, Any]:
        limits: dict[str, Any] = {}
        for name, number in (("roles", len(self.roles)), ("conditions", conditions)):
            if not 5 <= number <= 7 or self._perhaps(4):
                limits[name] = [max(1, number - 1), number + 1]
        if owners < 4 or self._perhaps(4):
            limits["condition_owners"] = self.rng.randint(0, owners)
        if operands < 2 or self._perhaps(4):
            limits["operand_roles"] = self.rng.randint(0, operands)
        return limits

    def _targets(self, document: Mapping[str, Any], usable: list[str], used: list[str]) -> dict[str, Any]:
        owners = dict.fromkeys(self.attributes[name]["owner"] for name in used)
        roles = [role for role in owners if not document["roles"][role].get("dispensable")]
        offered = {
            "misaligned": [name for name in usable if "context" in self.attributes[name]],
            "incomplete": usable,
            "missed": roles,
        }
        return {name: self._part(targets) for name, targets in offered.items() if self.rng.randrange(3)}

    def _part(self, items: list[str]) -> list[str]:
        return self.rng.sample(items, self.rng.randint(0, len(items)))


def _names(name: str, text: str) -> bool:
    """Whether a text names an attribute or a group."""
    words = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text)
    return name in words.split()


def _scalar(number: Fraction) -> str:
    return number_text(number)


def rule_texts(specification: Specification) -> tuple[str, ...]:
    """Every expression of a specification, as its author wrote it."""
    rules = (
        *specification.conditions.values(),
        *specification.consistency.values(),
        *specification.plan.winner.values(),
    )
    return (*(rule if isinstance(rule, str) else rule.rule for rule in rules), specification.calculation.formula)
