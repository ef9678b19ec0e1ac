"""Numbering, calculation, facts to gather and decision of finished instructions, held against the family."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from unco.compiler.reading.answer_sentences import answer_sentences
from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.meaning import NUMBER, meaning
from unco.compiler.reading.outlines import told_words, understood
from unco.compiler.reading.productions import TIES
from unco.compiler.reading.sections import CALCULATION, FACTS, NUMBERING, Sections, items
from unco.compiler.reading.subject_matter import Matter
from unco.compiler.reading.telling import tell_rule
from unco.compiler.reading.vocabulary import plural_forms
from unco.specs.family import Group
from unco.specs.values import Dimension

WHERE = "instructions"
_GRAIN = re.compile(r"to (?:(?P<whole>a whole number)|(?P<places>[0-9]+) decimal places?) \((?P<mode>[a-z, ]+)\)\.")
_ROUND = "Do not round intermediate values. Round the final result "
_CONTEXT_RULE = (
    "(?:Your colleagues hold the facts|The facts are held by your colleagues|You can ask your colleagues for the facts)"
    "\\. Where words stand in brackets after a fact, they say what it refers to; different words in brackets mean a "
    "different fact\\. (?:The conditions and the calculation use these facts of every {noun}"
    "|These facts of every {noun} enter into the conditions and the calculation"
    "|Of every {noun}, the conditions and the calculation use these facts):"
)
_RANGE_RULE = (
    "Where a colleague gives a range, both of its ends are included\\. Where nobody can give a fact exactly, "
    "it matters only if the answer depends on it\\."
)


def members(found: Sections, matter: Matter) -> Iterator[Discrepancy]:
    """How many members each group has."""
    lines = list(found.of(NUMBERING))
    for group in matter.family.groups:
        told = [line for line in lines if any(form in line for form in plural_forms(group.label))]
        right = [line for line in told if _counts(line, group, matter)]
        subject, expected = f"the number of members of {group.label}", group.size_attribute or str(group.maximum)
        for line in right:
            lines.remove(line)
        for line in right[1:]:
            yield Discrepancy("added", WHERE, subject, "it twice", "it once", line)
        if not right and told:
            lines.remove(told[0])
            yield Discrepancy("altered", WHERE, subject, told[0], expected, told[0])
        if not told:
            yield Discrepancy("missing", WHERE, subject, expected=expected)
    yield from map(partial(matter.giveaways.stray, WHERE), lines)


def _counts(line: str, group: Group, matter: Matter) -> bool:
    """Whether a line says how many members the group has."""
    plural = "|".join(map(re.escape, sorted(plural_forms(group.label))))
    noun = re.escape(matter.family.noun)
    fixed = re.fullmatch(rf"- Every {noun} has ([0-9]+) (?:{plural}), numbered from 1\.", line)
    if fixed:
        return group.size_attribute is None and int(fixed[1]) == group.maximum
    counted = re.fullmatch(
        rf"- (?:The |)(?i:{plural}) of each {noun} are numbered from 1; (?:the )?(.+) says how many there are\.", line
    )
    if not counted or group.size_attribute is None:
        return False
    required = matter.family.attribute_by_id[group.size_attribute].required
    subjects = (*matter.words.subjects.get(counted[1], ()), *matter.words.subjects.get(f"the {counted[1]}", ()))
    return [(each.attribute.id, each.context) for each in subjects] == [(group.size_attribute, required)]


def calculation(found: Sections, matter: Matter, ids: tuple[str, ...]) -> Iterator[Discrepancy]:
    """For whom, what, by which formula, in which unit, and how it is rounded."""
    lines = list(found.of("Calculation"))
    rule = matter.family.calculation
    marks = [line for line in lines if line.startswith("\ue000")]
    if any(CALCULATION not in ids[int(mark[1:])].split(" ") for mark in marks) or len(marks) > 1:
        yield Discrepancy("altered", WHERE, "the author's words for the calculation", expected=rule.text or "none")
    lines = [line for line in lines if line not in marks]
    yield from _task_of(lines, matter)
    yield from _formula(lines, matter)
    yield from _rounding(lines, matter)
    yield from map(partial(matter.giveaways.stray, WHERE), lines)


def _task_of(lines: list[str], matter: Matter) -> Iterator[Discrepancy]:
    rule, noun = matter.family.calculation, re.escape(matter.family.noun)
    label = re.escape(rule.label)
    opening = rf"If an? {noun} is eligible, work out (?:the )?{label} for that {noun}"
    sentence = opening + "(?P<unit>, as a percentage|, in .+)?:"
    told = [(line, each) for line in lines if (each := re.fullmatch(sentence, line))]
    if not told:
        opened = next((line for line in lines if line.startswith("If ")), "")
        if opened:
            lines.remove(opened)
        kind = "altered" if opened else "missing"
        yield Discrepancy(
            "altered" if kind == "altered" else "missing",
            WHERE,
            "what is calculated",
            f'"{opened}"',
            rule.label,
            opened,
        )
    for line, each in told:
        lines.remove(line)
        if _unit_of(each["unit"], matter) != (rule.unit.dimension, rule.unit.scale):
            yield Discrepancy(
                "altered", WHERE, "the unit of the result", f"{each['unit']}", rule.unit.symbol or "none", line
            )


def _unit_of(text: str | None, matter: Matter) -> tuple[Dimension, Fraction] | None:
    if text is None:
        return (), Fraction(1)
    if text == ", as a percentage":
        return (), Fraction(1, 100)
    unit = matter.words.units.get(text.removeprefix(", in "))
    return None if unit is None else (unit.dimension, unit.scale)


def _formula(lines: list[str], matter: Matter) -> Iterator[Discrepancy]:
    rule = matter.family.calculation
    opening = f"{rule.label} = "
    told, _ = items(lines, re.escape(opening), ())
    expected = meaning(rule.expression, matter.family, matter.instance.parameters)
    words = tell_rule(rule, matter.family, matter.instance)
    if not told:
        yield Discrepancy("missing", WHERE, "the calculation", expected=words)
    for item in told:
        line = opening + told_words(item)
        if tuple(dict.fromkeys(understood(item, NUMBER, matter))) != (expected,):
            yield Discrepancy("altered", WHERE, "the calculation", f'"{line}"', words, line)
    for item in told[1:]:
        yield Discrepancy("added", WHERE, "the calculation", "it twice", "it once", opening + told_words(item))
    parts = [line for line in lines if line.startswith("  ") and line.lstrip(" ").startswith("- ")] if told else []
    lines[:] = [line for line in lines if not line.startswith(opening) and line not in parts]


def _rounding(lines: list[str], matter: Matter) -> Iterator[Discrepancy]:
    rule = matter.family.calculation
    expected = f"once, at the end, to {rule.places} places, {rule.mode}"
    told = [line for line in lines if "ound the final result" in line or line.startswith("Do not round")]
    if not told:
        yield Discrepancy("missing", WHERE, "the rounding", expected=expected)
    for line in told:
        lines.remove(line)
        grain = _GRAIN.fullmatch(line.removeprefix(_ROUND)) if line.startswith(_ROUND) else None
        read = (0 if grain["whole"] else int(grain["places"]), TIES.get(grain["mode"])) if grain else None
        if read != (rule.places, rule.mode):
            yield Discrepancy("altered", WHERE, "the rounding", f'"{line}"', expected, line)
    for line in told[1:]:
        yield Discrepancy("added", WHERE, "the rounding", "it twice", "it once", line)


def evidence(found: Sections, matter: Matter) -> Iterator[Discrepancy]:
    """Which facts are needed, and how contexts and ranges are to be understood."""
    lines = list(found.of(FACTS))
    for rule in (_CONTEXT_RULE.format(noun=re.escape(matter.family.noun)), _RANGE_RULE):
        told = [line for line in lines if re.fullmatch(rule, line)]
        if not told:
            yield Discrepancy("missing", WHERE, "how facts are to be understood", expected="the program's sentences")
        for line in told[1:]:
            yield Discrepancy("added", WHERE, "how facts are to be understood", "it twice", "it once", line)
        lines = [line for line in lines if line not in told]
    needed: Counter[tuple[str, str]] = Counter()
    for line in lines:
        read = _needed(line, matter)
        if len(read) == 1:
            needed[read[0]] += 1
        else:
            yield matter.giveaways.stray(WHERE, line)
    yield from _needs(needed, matter)


def _needed(line: str, matter: Matter) -> tuple[tuple[str, str], ...]:
    """The attribute and the context that a line of the list names."""
    text = line.removeprefix("- ") if line.startswith("- ") else ""
    labels = {group.id: f", for each {group.label}" for group in matter.family.groups}
    found = []
    for ending, group in [("", None), *((words, id_) for id_, words in labels.items())]:
        if text.endswith(ending):
            subjects = matter.words.subjects.get(text.removesuffix(ending), ())
            found += [(each.attribute.id, each.context) for each in subjects if each.attribute.group == group]
    return tuple(found)


def _needs(told: Counter[tuple[str, str]], matter: Matter) -> Iterator[Discrepancy]:
    for attribute, context in sorted(matter.words.needed | told.keys()):
        subject = (
            f"the need of {matter.family.attribute_by_id[attribute].label} {f'({context})' if context else ''}".strip()
        )
        times = told[attribute, context]
        if times == 0:
            yield Discrepancy("missing", WHERE, subject, expected="it among the facts that are needed")
        elif times > 1 or (attribute, context) not in matter.words.needed:
            yield Discrepancy("added", WHERE, subject, f"it {times} times", "it once, where a rule reads it")


def decision(found: Sections, matter: Matter) -> Iterator[Discrepancy]:
    """What is decided, and the form of the answer."""
    lines = list(found.of("Decision"))
    noun, labels = re.escape(matter.family.noun), matter.family.decision
    told = [line for line in lines if line.startswith("Decide ")]
    if not told:
        yield Discrepancy("missing", WHERE, "the decision", expected=f"{labels.positive} or {labels.negative}")
    for line in told:
        lines.remove(line)
        read = re.fullmatch(rf'Decide "(.+)" if an? {noun} is eligible, and "(.+)" if none is\.', line)
        if not read or read.groups() != (labels.positive, labels.negative):
            yield Discrepancy("altered", WHERE, "the decision", line, f"{labels.positive} or {labels.negative}", line)
    answers = [line for line in lines if line.startswith("End with ")]
    if not answers:
        yield Discrepancy("missing", WHERE, "the form of the answer")
    for line in answers:
        lines.remove(line)
        yield from answer_sentences(line, WHERE, matter)
    for line in (*told[1:], *answers[1:]):
        yield Discrepancy("added", WHERE, "the decision", "it twice", "it once", line)
    yield from map(partial(matter.giveaways.stray, WHERE), lines)
