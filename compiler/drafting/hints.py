"""Words that no text around the facts may hold: hints at the answer, words to the reader, marks of the program.

A drafted text is read by agents as it stands. What is refused here is nobody's fact: it says who is eligible or whom to
believe, speaks to who reads it, or looks like a part of the task that the program writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|latter|former|middle|1st|2nd|3rd|[4-8]th)"
_PEOPLE = r"(?:candidates?|applicants?|bidders?|contenders?|persons?)"
_THINGS = rf"(?:{_PEOPLE}|options?|choices?|alternatives?|entry|entries|proposals?|NOUNS)"
_MOST = (
    r"(?:cheapest|dearest|largest|smallest|biggest|longest|shortest|oldest|newest|youngest|strongest|weakest|nearest"
    r"|fastest|highest|lowest|(?:most|least) \w+)"
)
_COUNT = (
    r"(?:\d|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|hundred|thousand)"
)
_CHOSEN = (
    r"(?:approved|chosen|selected|picked|awarded|renewed|accepted|admitted|hired|appointed|granted|rejected|denied"
    r"|refused|declined|excluded|preferred|recommended|ignored|trusted|discarded|avoided|believed)"
)
_HINTS = (
    rf"{_ORDINAL} (?:\w+ )?{_PEOPLE}",
    rf"{_ORDINAL} (?:\w+ )?(?:{_THINGS}|one) (?:is|wins|must|should|will|has|meets|passes|can|cannot|always|with \d)",
    rf"(?:{_PEOPLE}|options?|choices?) (?:no\.? |number |#)?(?:[1-8]|one|two|three|four|(?-i:[A-H]))",
    rf"(?:{_ORDINAL}|top|bottom|middle|end|head) (?:name )?(?:on|in|of|from) the (?:list|directory|{_PEOPLE})",
    r"(?:right|correct|winning|intended|gold) "
    rf"(?:one|answer|decision|solution|pick|result|figure|number|verdict|label|{_THINGS})",
    rf"(?:true|expected|best|ideal|obvious|proper|wrong|false|losing) (?:one|answer|decision|pick|{_THINGS})",
    r"(?:is|are|be) (?:always |clearly )?(?:(?:the )?(?:right|correct|wrong|incorrect)|the (?:solution|answer))",
    rf"(?:un)?successful (?:{_THINGS}|one)|(?:chosen|preferred|favou?red|rejected) (?:{_PEOPLE}|one)",
    rf"(?:un)?suitable {_PEOPLE}|number (?:one|two|three|four) (?:is|has|wins)|(?:needed|able|going|bound) to win",
    r"(?:everyone|everybody|nobody|no one|none|all|anyone) (?:but|except)",
    r"(?<!lends its )winners?(?! of the [^.]*(?:prize|competition|contest|award|cup))|losers?",
    rf"(?:{_THINGS}|one|always|clearly) wins|wins (?:the|this) (?:decision|choice|task)",
    r"(?:answer|solution|verdict|ground truth) (?:is|are|will be|equals|must be|should be|has to be)",
    r"(?:decision|outcome|choice|result) (?:is|will be|must be|should be) (?:always|clearly|yes|no|to (?!be\b))",
    r"(?:figure|amount|result|number|total|value|sum) (?:\w+ ){0,4}(?:is|are|equals|comes to|(?:will|must|should) be) "
    rf"(?:always |about |exactly )?{_COUNT}",
    r"(?:meets?|met|satisf(?:y|ies|ied)|fulfils?|pass(?:es)?|fails?) (?:all|each|none|no|both|one|only|any"
    r"|the (?:conditions?|criteria|rules|requirements|thresholds?)|every)",
    rf"(?:met|passed|failed|satisfied|fulfilled) by (?:the |all |only )?(?:{_THINGS}|one|none|nobody|all)",
    rf"the only (?:suitable|eligible|qualified|possible|valid|acceptable|good|safe|{_PEOPLE})",
    rf"(?:(?:should|must|will|would|shall)(?: not| never)?|cannot|can (?:not|never|only)) be {_CHOSEN}",
    rf"(?:choose|pick|select|prefer|favou?r|go (?:with|for)|reject|discard|exclude|avoid|trust|take) (?:only )?the "
    rf"(?:{_ORDINAL}|{_MOST}|one (?:with|that|who))",
    rf"the one (?:with|whose|that has|who has)|the {_MOST} (?:one|{_PEOPLE})",
    r"(?:none|nobody|no one|neither|everyone|everybody) (?:of (?:them|these) )?"
    r"(?:qualif\w+|pass(?:es|ed)?|fits?|meets?|fail(?:s|ed)?|deserves?"
    r"|(?:is|are) (?:suitable|acceptable|good|fit|wrong|right|valid|eligible|qualified))",
    r"(?:perfect|clear|strongest|best) (?:fit|match)|misaligned|decoys?|distractors?|face value|trick question",
    r"liars?|(?:cannot|never|not) (?:be )?(?:trust|rely|relied|believe)\w*|untrustworthy|unreliable"
    r"|(?:no need|need not|not necessary|unnecessary) (?:to )?(?:be )?(?:ask|contact)(?:ed)?|without asking",
    r"(?:gives?|tells?|states?|keeps|holds) (?:\w+ )?(?:false|misleading|incorrect|invented)|refuses? to|misleading"
    r"|(?:no|nothing|little) (?:useful|relevant|helpful|important)|irrelevant"
    r"|(?:(?:do|does) not|none of which|never) matters?|decisive|decides? (?:the matter|everything)"
    r"|(?:most|least) important",
)
"""What says or hints who is eligible, what the number is, or whom to believe; NOUNS are those of the candidates."""
_IN_SENTENCES = (
    rf"(?<!of )the {_ORDINAL} (?:listed |named )?{_THINGS}|the (?:first|second|third|fourth|middle) one",
    rf"(?:listed|named|mentioned|placed|shown|comes?|stands?|ranked) {_ORDINAL}",
    rf"(?<!after )(?<!before )the {_ORDINAL}(?=[).,;!?]|$)",
    rf"(?:at (?:least|most)|(?:no )?(?:more|fewer|less) than|exceed\w*) (?!one\b){_COUNT}",
    r"always|invariably|undoubtedly|obviously|certainly|definitely|of course|(?:no|without(?: a)?) doubt|guaranteed to",
    r"any(?:one|body) (?:with|who|whose)|whoever",
    rf"(?:{_PEOPLE}|one) (?:must|should|has to|needs to) (?:have|be|hold|pass|show)",
    r"(?:conditions|rules|criteria) (?:above|below)",
    r"(?:in)?eligible|(?:dis|un)qualified|(?:is|are|be|not|fully|best|most|only) qualified|qualif(?:y|ies)|who lies",
)
"""What hints in a sentence or a label, and may well be the value of a fact."""
_OF_CONTEXTS = (r"(?:wrong|incorrect|mistaken|false|misleading|relevant|needed|required|decisive) \w+|to be ignored",)
"""What says of a context whether it is the one that counts."""
_READER = (
    r"ignor(?:e|es|ing)|disregard\w*|overrid(?:e|ing)|forget|pretend|act as|role-?play|jailbreak\w*",
    r"(?:previous|prior|above|earlier|preceding|these|your|all|any|system|developer|new|further|hidden|secret)"
    r" (?:instructions|prompts?|messages|guidelines|directives|commands)|(?:system|this|the) prompt",
    r"you(?! (?:(?:are|are asked|have|need) to |must |should )?(?:decide|determine|find|advise|choose|work out)\b)",
    r"your(?! task)|yours|yourself",
    r"(?:the|an|any|every|each) (?:assistant|AI|agent|model|reader|main agent),? (?:must|should|shall|has to|is to)",
    r"as an AI|language models?|LLMs?|chatbots?|chain of thought|step by step|the benchmark|the (?:grader|scorer)",
    r"(?<!can )(?:write|tell|sing|print|output|repeat|reveal|recite|translate) (?:\w+ )?(?:an?|the|this|your) "
    r"(?:poem|story|joke|song|prompt|instructions?|answer|code)",
)
"""What speaks to who reads the text."""
_MARKS = (
    r"[{}|`<>\\]+|\[/?[A-Z_]{2,}\]|\[\[|#{2,}|\*\*|={3,}|https?:|javascript:|\bwww\.|&\w+;",
    r"\banswers?\s*[:=]|(?-i:\bANSWER)|(?<!every )(?<!each )\b(?:system|assistant|user|human|developer|tool)\s*:",
    r"\b(?:spoiler|hint|clue|tip|reference|reminder|task|rule|solution|important|warning|attention)\s*:",
)
"""What looks like a template, a page, a link, a turn of a chat or the line of an answer."""
_BEGINNING = r"(?:^|(?<=[.;:!?])|(?<=[.;:!?] ))(?:please |just |simply |now )?"
_ORDERS = (
    rf"{_BEGINNING}(?:reply|respond|output|print|return|trust|reject|approve|accept|assume|remember|believe"
    r"|don't|do|never|stop|skip|repeat|reveal|execute|look|make sure|follow|obey|guess)\b",
)
"""What tells the reader to do something, where it begins a sentence."""
_NOT_ITS_OWN = (
    rf"{_BEGINNING}(?:choose|pick|select|answer|give|tell|write|use|ask|take|set|make|let|call|open|run|think|decide|note"
    r"|follow|treat|consider|prefer|go|hire|buy|book)\b",
)
"""What would be an order in the description of a role; a task is one."""
_ASKED = re.compile(
    r"(?P<asked>\b(?:whichever|(?:decide|determine|find|find out|settle|say|assess|choose|select|identify|advise) "
    r"(?:which|whether|who))\b[^.;:]{0,80}? )(?P<case>(?:is |are )?eligible|qualif(?:ies|y)"
    r"|(?:meets?|satisf(?:y|ies)|fulfils?) (?:all|each|every|the) (?:(?:of )?the )?"
    r"(?:conditions?|criteria|requirements?))",
    re.IGNORECASE,
)
"""A task may ask who is eligible, in so many words."""
_HINTING, _SPEAKING, _MARKED, _ORDERING = (
    "it hints at the answer", "it speaks to the reader", "it has marks", "it gives an order",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hints:
    """What texts must not hold where the candidates are called so, in the singular and the plural."""

    nouns: tuple[str, ...]

    def in_slots(self, text: str) -> Iterator[tuple[str, int, int]]:
        """What is wrong with a value, an id or a rule in other words, and from where to where."""
        for fault, patterns in ((_HINTING, _HINTS), (_SPEAKING, _READER)):
            yield from ((fault, *each.span()) for each in _words(patterns, self.nouns).finditer(text))
        yield from ((_MARKED, *each.span()) for each in _signs(_MARKS).finditer(text))

    def in_contexts(self, text: str) -> Iterator[tuple[str, int, int]]:
        """What is wrong with the name of a context."""
        yield from self.in_slots(text)
        yield from ((_HINTING, *each.span()) for each in _words(_OF_CONTEXTS, ()).finditer(text))

    def in_labels(self, text: str) -> Iterator[tuple[str, int, int]]:
        """What is wrong with a label, a name or a title."""
        yield from self.in_slots(text)
        yield from ((_HINTING, *each.span()) for each in _words(_IN_SENTENCES, self.nouns).finditer(text))

    def in_task(self, text: str) -> Iterator[tuple[str, int, int]]:
        """What is wrong with sentences that say what to decide."""
        text = _ASKED.sub(lambda found: found["asked"] + "_" * len(found["case"]), text)
        yield from self.in_labels(text)
        yield from ((_ORDERING, *each.span()) for each in _signs(_ORDERS).finditer(text))

    def in_description(self, text: str) -> Iterator[tuple[str, int, int]]:
        """What is wrong with sentences that say what a role keeps."""
        yield from self.in_task(text)
        yield from ((_ORDERING, *each.span()) for each in _signs(_NOT_ITS_OWN).finditer(text))


@cache
def _words(patterns: tuple[str, ...], nouns: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the patterns, from and to the end of a word."""
    joined = "|".join(patterns).replace("NOUNS", "|".join(map(re.escape, nouns)))
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE)


@cache
def _signs(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)
