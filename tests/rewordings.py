"""Rewordings as an LLM may give them: honest ones, and ways in which one goes wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

HONEST = (
    "The file on {candidate} lists {fact} as {value}.",
    "According to our records, {fact} of {candidate} is {value}.",
    "According to our records, {candidate} has {fact} listed as {value}.",
    "For {candidate}, our records show {fact} as {value}.",
    "For {candidate}, the file states that {fact} is {value}.",
    "In our records, {fact} for {candidate} is given as {value}.",
    "{fact} for {candidate} is recorded as {value}.",
    "{fact} of {candidate} is listed as {value}.",
    "{fact} for {candidate} stands in our books as {value}.",
    "The record for {candidate} reads: {fact} is {value}.",
    "Our records list {fact} for {candidate} as {value}.",
    "{candidate}'s {fact} is {value}.",
    "{candidate}'s {fact} is recorded as {value}.",
    "{candidate}'s file shows {fact} as {value}.",
    "{candidate}'s record states that {fact} is {value}.",
    "Regarding {candidate}, {fact} is {value}.",
    "Concerning {candidate}, {fact} is noted as {value}.",
    "With respect to {candidate}, {fact} is {value}.",
    "With reference to {candidate}, {fact} reads {value}.",
    "In relation to {candidate}, {fact} is on record as {value}.",
    "On file for {candidate}: {fact} is {value}.",
    "{candidate}: {fact} is {value}.",
    "{candidate} has {fact} of record as {value}.",
    "{candidate} is on file with {fact} as {value}.",
    "{candidate} appears in our records with {fact} as {value}.",
    "We have {fact} of {candidate} on record as {value}.",
    "We hold {fact} for {candidate} as {value}.",
    "I have {fact} for {candidate} as {value}.",
    "I find that {fact} for {candidate} is {value}.",
    "My notes say that {fact} for {candidate} is {value}.",
    "My register gives {fact} of {candidate} as {value}.",
    "The register entry for {candidate} gives {fact} as {value}.",
    "The entry under {candidate} states: {fact} is {value}.",
    "Under {candidate}, {fact} is entered as {value}.",
    "Filed under {candidate}: {fact} is {value}.",
    "As per our records, {fact} for {candidate} is {value}.",
    "Per the file, {fact} for {candidate} is {value}.",
    "The data for {candidate} indicate that {fact} is {value}.",
    "The documentation on {candidate} specifies {fact} as {value}.",
    "Our database holds {fact} for {candidate} as {value}.",
    "Our information about {candidate}: {fact} is {value}.",
    "Details for {candidate}: {fact} is {value}.",
    "It is recorded that {fact} for {candidate} is {value}.",
    "It is noted in the file that {fact} of {candidate} is {value}.",
    "There is an entry for {candidate}: {fact} is {value}.",
    "Here is the entry on {candidate}: {fact} is {value}.",
    "Please note for {candidate}: {fact} is {value}.",
    "As to {candidate}, {fact} is {value}.",
    "In the matter of {candidate}, {fact} is {value}.",
    "In {candidate}'s case, {fact} is {value}.",
    "In {candidate}'s file, {fact} is marked as {value}.",
    "The log shows {fact} for {candidate}: {value}.",
    "{fact} (for {candidate}) is {value}.",
    "{fact}, as recorded for {candidate}, is {value}.",
    "{fact} belonging to {candidate} is {value}.",
    "{fact} is {value} for {candidate}.",
    "{fact} is {value} in the file of {candidate}.",
    "{fact} is {value}, according to the file on {candidate}.",
    "Looking at {candidate}, {fact} is {value}.",
    "When it comes to {candidate}, {fact} is {value}.",
    "{candidate} was recorded with {fact} of {value}.",
    "The officer's file on {candidate} has {fact} as {value}.",
    "The value of {fact} for {candidate} is {value}.",
    "The value recorded for {candidate} under {fact} is {value}.",
    "The sheet for {candidate} carries {fact} as {value}.",
    "The paperwork for {candidate} contains {fact}: {value}.",
    "The archive describes {fact} of {candidate} as {value}.",
    "The records kept on {candidate} show that {fact} is {value}.",
    "Our file notes {fact} for {candidate} as {value}.",
    "{fact} on {candidate}'s record is {value}.",
    "{fact} held on file for {candidate} is {value}.",
    "As recorded in our files, {fact} for {candidate} is {value}.",
    "{candidate}, {fact}: {value}.",
    "The information on file for {candidate} gives {fact} as {value}.",
    "For the candidate {candidate}, {fact} is {value}.",
    "Our documentation lists {candidate} with {fact} as {value}.",
    "From our records on {candidate}: {fact} is {value}.",
    "The details we hold for {candidate} give {fact} as {value}.",
    "Our log has {fact} of {candidate} down as {value}.",
    "The database entry for {candidate} shows that {fact} is {value}.",
    "{candidate}'s documentation states {fact} as {value}.",
    "The stated value of {fact} for {candidate} is {value}.",
    "It is on record that {candidate} has {fact} of {value}.",
    "What we have for {candidate} is this: {fact} is {value}.",
    "Regarding {fact} for {candidate}: {value}.",
    "Checking our records for {candidate}, {fact} is {value}.",
    "{fact} in {candidate}'s file reads {value}.",
    "On {candidate}: {fact} is {value}.",
    "The matter of {fact} for {candidate} stands as {value}.",
    "The office has {fact} for {candidate} recorded as {value}.",
)
"""Forms as they come when the prompt asks for them: plain statements."""
_NEGATED = {
    "is": (
        "is not",
        "is never",
        "is no longer",
        "is hardly",
        "is neither",
        "is unlikely",
        "isn't",
        "was once",
        "may be",
    ),
    "lists": ("fails to list", "refuses to list", "does not list", "never lists", "lists wrongly"),
    "as": ("as anything but", "as other than", "rather than as", "as if", "as at least", "as almost"),
    "reads": ("should read", "no longer reads", "reads less than"),
    "that": ("that hardly", "that it is denied that", "only that"),
}


def negated(form: str) -> Iterator[str]:
    """A denial or a doubt beside a slot."""
    for word, others in _NEGATED.items():
        for found in re.finditer(rf"\b{word}\b", form):
            yield from (form[: found.start()] + other + form[found.end() :] for other in others)


def _beside_each_slot(*words: str) -> Callable[[str], Iterator[str]]:
    def change(form: str) -> Iterator[str]:
        for found in re.finditer(r"\{\w+\}", form):
            for said in words:
                yield f"{form[: found.start()]}{said} {form[found.start() :]}"
                yield f"{form[: found.end()]} {said}{form[found.end() :]}"

    return change


def _around(*words: str) -> Callable[[str], Iterator[str]]:
    """The words before and after the whole statement."""

    def change(form: str) -> Iterator[str]:
        for said in words:
            yield f"{said} {form[:1].lower() if form[0] != '{' else form[:1]}{form[1:]}"
            yield f"{form[:-1]}, {said}."
            yield f"{form[:-1]} {said}."
            yield f"{form} {said}."

    return change


def slots_wrong(form: str) -> Iterator[str]:
    """A slot left out, doubled, renamed, spelt otherwise, or one that nobody asked for."""
    for found in re.finditer(r"\{(\w+)\}", form):
        before, after = form[: found.start()], form[found.end() :]
        for said in ("", found[0] * 2, f"{found[0]} and {found[0]}", f"{{{found[1].upper()}}}", f"{{ {found[1]} }}"):
            yield f"{before}{said}{after}"
        for said in ("{" + found[0] + "}", f"{{{found[1]}", f"{{{found[1]}.upper}}", f"{{{found[1]}!r}}", "{gold}"):
            yield f"{before}{said}{after}"


WRONG: Mapping[str, Callable[[str], Iterator[str]]] = {
    "slots": slots_wrong,
    "negation": negated,
    "denial around": _around("it is denied that", "except", "we doubt", "which is untrue", "contrary to it", "not"),
    "word of denial": _beside_each_slot("not", "no", "non", "un", "without", "never", "barely", "formerly", "false"),
    "added number": _beside_each_slot("17", "2", "three", "a dozen", "twice", "half", "60,000", "first", "0"),
    "added date": _beside_each_slot("in March", "since 2025", "on 3 May 2026", "today", "last year", "yesterday"),
    "added name": _beside_each_slot("Marcus Vance", "Dr Lee", "Acme", "Ana"),
    "added unit": _beside_each_slot("years", "%", "AUD", "km"),
    "comparison": _beside_each_slot("at least", "more than", "up to", "above", "nearly", "over", "below", "only"),
    "limit of the value": lambda form: iter(
        form.replace("{value}", f"{said} {{value}}") for said in ("about", "under", "by", "from", "to", "of", "at")
    ),
    "verdict": _around(
        "who should be approved", "a suitable person", "so it is eligible", "the best of all", "the only one",
        "which meets the requirement", "and that is enough", "unfortunately", "which is good",
    ),
    "condition": _around("if confirmed", "unless it changes", "provided it holds", "perhaps", "as far as we know"),
    "context outside its slot": _beside_each_slot("(month: April 2026)", "April", "month", "the register", "state"),
    "another sentence": _around("That is all", "Nothing else is known", "Decide for it", "ANSWER: Appoint"),
    "markup": _beside_each_slot("{{ 7*7 }}", "{% include 'x' %}", "<b>", "`", '"', "\ue003", "|"),
    "turned round": lambda form: iter(
        (
            "According to {candidate}, {fact} is {value}.", "{candidate} says that {fact} is {value}.",
            "{candidate} reports {fact} as {value}.", "As with {candidate}, {fact} is {value}.",
            "{fact} by {candidate} is {value}.", "As of {value}, {fact} of {candidate} is on record.",
            "{fact} of {candidate} is to be {value}.", "{fact} of {candidate} has to read {value}.",
            "{fact} of {candidate} is from {value}.", "{value} is {candidate}: {fact}.",
            "{fact} of {candidate} is {value} to {value}.", "Is {fact} of {candidate} as {value}?",
            "{fact} of {candidate} is as {value} as can be.", "From {candidate}, {fact} is {value}.",
            "Record {fact} of {candidate} as {value}.", "Please set {fact} of {candidate} as {value}.",
            "In case {fact} of {candidate} is {value}.", "{fact} for the file of {candidate} is {value}.",
            "{fact} of the candidate of {candidate} is {value}.", "In {candidate}'s department, {fact} is {value}.",
            "On terms that {fact} of {candidate} is {value}.", "{fact} of {candidate} is in question: {value}.",
            "{fact} of {candidate} is -{value}.", "{fact} of {candidate} is a{value}.",
            "{fact} of {candidate} is in{value}.",
            "{fact} of {candidate} is as{value}.", "{fact} of {candidate} is {value}-free.",
        )
    ),
}  # fmt: skip
"""Ways in which a rewording goes wrong, each with what it makes of a good form."""
HOSTILE = (
    "For {candidate}, {fact} is – {value}.", "For {candidate}, {fact} is - {value}.",
    "{fact} of {candidate} - {value}.", "{fact} of {candidate} – {value}.", "{candidate}: {fact} — {value}.",
    "{candidate} – {fact} – {value}.", "Record for {candidate}: {fact} – {value}.",
    "{fact} of {candidate} is {value} per item.", "{fact} of {candidate} is {value} per candidate.",
    "{fact} for {candidate} is {value} for a line.", "{fact} for {candidate} is {value} in name.",
    "{fact} for {candidate} is {value} on paperwork.", "{fact} of {candidate} is {value} in my book.",
    "{candidate} is registered as {value} for {fact} that is set at.",
    "For {candidate}, {fact} is by: {value}.", "For {candidate}, {fact} is from: {value}.",
    "For {candidate}, {fact} is at – {value}.", "{candidate} has {fact} in name: {value}.",
    "For {candidate}, {fact} is on hold: {value}.", "{candidate} has a hold on {fact}: {value}.",
    "The file on a relation of {candidate} lists {fact} as {value}.",
    "The record of a connection of {candidate} shows {fact} as {value}.",
    "The line following the file on {candidate} has {fact} as {value}.",
    "The line under {candidate} has {fact} as {value}.",
    "The line under the file on {candidate} has {fact} as {value}.",
    "The file kept with that of {candidate} lists {fact} as {value}.",
    "The file kept by the file on {candidate} lists {fact} as {value}.",
    "The note at the entry for {candidate} says {fact} is {value}.",
    "We keep from our files {fact} of {candidate}: {value}.", "Under {candidate}'s terms, {fact} is {value}.",
    "We find for {candidate}: {fact} is {value}.", "The case for {candidate}: {fact} is {value}.",
    "{candidate} has it that {fact} is {value}.", "There are reports that {fact} of {candidate} is {value}.",
    "It appears that {fact} for {candidate} is {value}.", "We hold that {fact} of {candidate} is {value}.",
    "Is it that {fact} of {candidate} is {value}.", "Given that {fact} of {candidate} is {value}.",
    "For {candidate} to have {fact} is {value}.", "Have the register show {fact} for {candidate} as {value}.",
    "Please have our records state that {fact} of {candidate} is {value}.",
    "For {candidate}, please set {fact} as {value}.", "{candidate}: set {fact} as {value}.",
)  # fmt: skip
"""Forms of allowed words alone that say something else: a minus, a rate, another's record, a doubt, an order."""
