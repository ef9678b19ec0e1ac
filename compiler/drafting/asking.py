"""The sentences of a task that say who decides, among what, and which figure is wanted: many forms, one is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

FORMS = (
    "{Who} must decide which of {among}, if any, to {to}, and work out {figure}.",
    "Which of {among}, if any, should {who} {to}? {Figure} has to be found as well.",
    "Help {who} to settle which of {among}, if any, to {to}, and supply {figure}.",
    "It is for {who} to say which of {among}, if any, to {to}, and to state {figure}.",
    "The choice is to be made among {among}, and it is possible that none of them will do. Name the one for {who} to "
    "{to}, if there is one, and work out {figure}.",
    "For {who} two things are to be found out: which of {among}, if any, to {to}, and {figure}.",
    "Settle whether any of {among} will do and, if so, which one {who} should {to}. Then calculate {figure}.",
    "Still open is which of {among}, if any, {who} should {to}. {Figure} is to be given with the decision.",
    "Find {figure} and, before that, which of {among}, if any, {who} should {to}.",
    "Two questions are before {who}. Which of {among}, if any, is the one to {to}? And what is {figure}?",
    "What remains is to pick one of {among}, or none, for {who} to {to}, and to compute {figure}.",
    "None of {among} need be chosen, and no more than one can be: say which to {to}, if any, on behalf of {who}, and "
    "give {figure}.",
    "The decision on which of {among}, if any, to {to} lies with {who}. Along with it goes {figure}.",
    "Your task is to find which of {among}, if any, {who} should {to}, and to work out {figure}.",
    "Advise {who} which of {among}, if any at all, to {to}, and determine {figure}.",
    "Whichever of {among} meets every condition is the one for {who} to {to}, and it may be that none does. "
    "{Figure} is needed too.",
    "{Figure} is still missing, and so is a decision: which of {among}, if any, should {who} {to}?",
    "A recommendation to {who} is due: one of {among} to {to}, or none of them. {Figure} belongs to it.",
    "On behalf of {who}, go through {among} and find the one to {to}, should there be one; then work out {figure}.",
    "Is one of {among} the one for {who} to {to}, and if so, which? Answer this, and give {figure}.",
)
"""How a task may ask; none says whether there is one to choose. `{Who}` and `{Figure}` begin a sentence."""


def asked(parts: Mapping[str, str], rng: Random) -> str:
    """One of the forms, filled: `who` decides, `among` what, what there is `to` do, which `figure` is wanted."""
    openings = {name.capitalize(): _opened(parts[name]) for name in ("who", "figure")}
    return rng.choice(FORMS).format(**parts, **openings)


def _opened(text: str) -> str:
    return text[:1].upper() + text[1:]
