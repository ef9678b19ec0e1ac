"""A summary in words: sections with tables and pictures, the same for the terminal, the page and the datasheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from unco.compiler.drafting.skeleton import OPERATIONS
from unco.compiler.guesses.interval import decimal, wilson
from unco.compiler.guesses.picture import picture as ceiling_picture
from unco.compiler.guesses.rows import COLUMNS, ceiling_rows, percent
from unco.compiler.summarizing import paper
from unco.compiler.summarizing.assurance import Assurance
from unco.compiler.summarizing.diversity import Diversity
from unco.compiler.summarizing.funnel import SPECIFICATION, STAGES, Funnel
from unco.compiler.summarizing.likeness import Nearest, median_and_most
from unco.compiler.summarizing.pictures import diversity_picture
from unco.compiler.summarizing.wording import NOBODY, Wording
from unco.llm.budget import Account
from unco.specs.group import Setting

if TYPE_CHECKING:
    from unco.compiler.summary import Summary

NOT_TOLD = "not told"
ORIGINS = {"grammar": "drafted by the grammar", "llm": "drafted by an LLM", "author": "given, drafter not told"}
INTERVALS = "In brackets: 95% Wilson intervals."
ACCOUNT = ("phase", "task", "LLM", "requests", "calls", "failed", "tokens in", "tokens out", "money", "seconds")
CEILING_NOTES = (
    "The guess ceiling is what guessers get right that see everything but the defective fact; lower is better. It is "
    "two-fold: each kind of group gets the guesser that did best on the other half of the groups.",
    "Without evidence: the better of naming nobody, or always the candidate at one place. The best single guesser is "
    "one for all groups of a setting, chosen with hindsight. Decision alone: the same ceiling, where the decision with "
    "its candidate counts, and no result. In the picture, the best choice in hindsight gives each kind of group the "
    "guesser that does best on these very groups: that is too good.",
)
ASSURANCE_NOTES = (
    "A role is necessary where the answer stays open without its records. A claim about a family that is proved of "
    "every group was decided by the solver once, for all groups that may be drawn; of a group outside that proof each "
    "claim was decided for itself. Some groups are decided again, to hold the proof against the solver; a claim "
    "without an end there is one that it did not decide within its budget.",
)
COUNTED_NOTES = (
    "Words shared: of the words of two texts together, the share that both have; a text is held against the one that "
    "it shares most with. Titles and names count as had before where an earlier group, in order, has them.",
)
LIKENESS_NOTE = (
    "Words shared: of the words of two specifications together, the share that both have. A near-duplicate shares more "
    "than three quarters of its words with an earlier one, or more than half with the same structure of rules."
)
ORDINALS = {"1": "the first", "2": "the second", "3": "the third"}


@dataclass(frozen=True)
class Table:
    """Rows of text below a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Section:
    """A part of a summary."""

    title: str
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    """Paragraphs behind the tables."""
    texts: tuple[str, ...] = ()
    """Paragraphs before them."""
    picture: str = ""
    """SVG text."""


def sections(found: Summary) -> tuple[Section, ...]:
    """All of a summary."""
    told = found.manifest.guess_ceiling["settings"]
    settings = {each.value: told[each] for each in Setting if each in told}
    ceilings = tuple((*row, _single(each)) for row, each in zip(ceiling_rows(settings), settings.items(), strict=True))
    return (
        _funnel(found.funnels, found.manifest.groups_per_specification),
        _accounts(found.accounts),
        Section(
            "Diversity",
            (Table(("measure", "here", "paper"), tuple(_diversity(found.diversity))), _cells(found.diversity)),
            (LIKENESS_NOTE, f"Paper: {paper.SOURCE}."),
            picture=diversity_picture(found.diversity),
        ),
        Section(
            "Guess ceilings",
            (Table((*COLUMNS, "best single guesser"), ceilings),),
            CEILING_NOTES,
            picture=ceiling_picture(found.manifest.guess_ceiling),
        ),
        Section(
            "What stands behind the groups",
            (Table(("measure", "here"), tuple(_assurance(found.assurance))),),
            ASSURANCE_NOTES,
        ),
        Section("What a reviewer would count", (Table(("measure", "here"), tuple(_counted(found))),), COUNTED_NOTES),
    )


def _single(told: tuple[str, Mapping[str, Any]]) -> str:
    """The share of the best single guesser, where there is something to guess."""
    setting, row = told
    return "-" if setting == Setting.RELIABLE else percent(row["answer"]["best_guesser"]["share"])


def about(found: Summary) -> tuple[str, str]:
    """What made the groups, and the hash that names them."""
    made = found.manifest
    versions = f"unco {made.unco}, Python {made.python}, Z3 {made.z3}; seed {made.seed}"
    counts = f"{len(made.specifications):,} specifications, {found.retained:,} groups"
    return f"{counts}; made by {versions}.", f"SHA-256 of manifest.json: {found.sha256}"


def _funnel(funnels: Sequence[Funnel], groups: int) -> Section:
    head = ("stage", *(ORIGINS[funnel.by] for funnel in funnels), "paper")
    notes = ["A candidate is a specification until it is checked, and a candidate group after that.", INTERVALS]
    if groups > 1:
        notes.insert(1, f"{groups:,} groups were asked for of each specification; the paper has one of each.")
    return Section("Funnel", (Table(head, tuple(_stages(funnels))),), (*notes, f"Paper: {paper.SOURCE}."))


def _stages(funnels: Sequence[Funnel]) -> Iterator[tuple[str, ...]]:
    for place, name in enumerate(STAGES):
        stages = [funnel.stages[place] for funnel in funnels]
        told = name == SPECIFICATION
        cells = [
            NOT_TOLD if told and not funnel.drafts_told else _share(stage.rejected, stage.candidates)
            for funnel, stage in zip(funnels, stages, strict=True)
        ]
        yield (f"rejected: {name}", *cells, _of(*paper.STAGES[name]))
        for phase, code in sorted({key for stage in stages for key in stage.codes}):
            yield (f"- {phase} {code}", *(f"{stage.codes.get((phase, code), 0):,}" for stage in stages), "")
    retained = (_share(funnel.retained, funnel.candidates) for funnel in funnels)
    yield ("retained groups", *retained, _of(*paper.RETAINED))
    for name, counts in (
        ("specifications that one repair saved", [funnel.repaired for funnel in funnels]),
        ("specifications that were kept, and not built", [funnel.unbuilt for funnel in funnels]),
    ):
        if any(counts):
            yield (name, *(f"{many:,}" for many in counts), "")


def _accounts(accounts: Sequence[Account]) -> Section:
    title = "What LLMs were asked"
    if not accounts:
        return Section(title, notes=("No LLM was asked.",))
    unknown = sum(account.unknown for account in accounts)
    note = f"Calls of unknown usage count at the most that they can have used: {unknown:,}."
    return Section(title, (Table(ACCOUNT, tuple(map(_account, accounts))),), (note,))


def _account(account: Account) -> tuple[str, ...]:
    counts = (account.requests, account.calls, sum(account.faults.values()))
    tokens = (account.usage.prompt, account.usage.completion)
    money = f"{_places(account.money)} {account.currency}" if account.currency else "price not told"
    numbers = (f"{many:,}" for many in (*counts, *tokens))
    return (account.phase, account.task, account.model, *numbers, money, f"{account.milliseconds // 1_000:,}")


def _places(money: Fraction) -> str:
    """To four places, half up."""
    return str(Decimal(int(money * 10_000 + Fraction(1, 2))) / 10_000)


def _diversity(found: Diversity) -> Iterator[tuple[str, str, str]]:
    yield "groups", f"{found.groups:,}", f"{paper.RETAINED[0]:,}"
    yield "specifications", f"{found.specifications:,}", f"{paper.RETAINED[0]:,}"
    yield "scenarios", f"{len(found.scenarios):,}" if found.scenarios else NOT_TOLD, NOT_TOLD
    yield "pairs of domain and operation", _plain_of(len(found.cells), found.possible), _plain_of(*paper.FILLED)
    largest = _percent(found.of_domain(found.largest), found.groups)
    alike = sum(found.of_domain(each) == found.of_domain(found.largest) for each in found.domains)
    who = found.largest if alike == 1 else f"{found.largest} and {alike - 1:,} more have as many"
    yield "largest domain", f"{largest} ({who})", percent(decimal(paper.LARGEST_DOMAIN))
    shares = sorted(Fraction(found.of_operation(each), found.groups or 1) for each in OPERATIONS)
    yield "share of an operation", _range(shares[0], shares[-1]), _range(*paper.OPERATIONS)
    complete = _plain_of(found.complete, len(found.domains))
    yield "domains with all operations", complete, _plain_of(*paper.COMPLETE_DOMAINS)
    yield "near-duplicate specifications", _of(len(found.likeness.near), found.specifications), NOT_TOLD
    yield "words shared with the nearest specification", _alike(found.likeness.nearest), NOT_TOLD


def _cells(found: Diversity) -> Table:
    head = ("domain", *(operation.replace("_", " ") for operation in OPERATIONS), "all")
    rows = [
        (domain, *(f"{found.cells.get((domain, each), 0):,}" for each in OPERATIONS), f"{found.of_domain(domain):,}")
        for domain in found.domains
    ]
    total = ("all", *(f"{found.of_operation(each):,}" for each in OPERATIONS), f"{found.groups:,}")
    return Table(head, (*rows, total))


def _assurance(found: Assurance) -> Iterator[tuple[str, str]]:
    yield "groups by setting", _listed(found.settings)
    every = sum(many for (some, roles), many in found.necessary.items() if some == roles)
    yield "groups in which every role is necessary", _share(every, found.groups)
    roles = sorted(some for (some, _), many in found.necessary.items() for _ in range(many)) or [0]
    yield "necessary roles of a group", f"{roles[0]} to {roles[-1]}, median {roles[len(roles) // 2]}"
    for (by, runs), many in found.validated.items():
        yield f"solved from the text by {by}, {runs} runs", _of(many, found.groups)
    if found.unvalidated:
        yield "solved from the text by nobody", _of(found.unvalidated, found.groups)
    yield "claims about families that are proved of every group", _of(found.proved, found.claims)
    yield "groups outside the proof of their family", _of(found.outside, found.groups)
    yield "groups decided again by the solver", f"{found.audited:,}, {found.audited_claims:,} claims"
    yield "claims without an end there", f"{found.undecided:,}"
    checked = found.checked
    if checked is None:
        yield "checked again without a solver", "not for this summary; --verify does it"
    else:
        yield "checked again without a solver", f"{checked['groups']:,} groups, {checked['faults']:,} faults"


def _counted(found: Summary) -> Iterator[tuple[str, str]]:
    yield from _wording(found.wording)
    tells = found.manifest.guess_ceiling["tells"]
    failed = Counter[str]()
    for row in tells.get("failed conditions of losers", {}).values():
        failed.update(row)
    yield "losers that fail one condition alone", _of(failed["1"], failed.total())
    places = tells.get("coarse replies", {}).get("place in the set", {})
    first = sum(many for place, many in places.items() if place.startswith("1 of "))
    yield "coarse replies of a set whose first value is the true one", _of(first, sum(places.values()))


def _wording(found: Wording) -> Iterator[tuple[str, str]]:
    groups = sum(found.winners.values())
    for place, many in found.winners.items():
        who = "nobody wins" if place == NOBODY else f"{ORDINALS.get(place, f'number {place}')} candidate wins"
        yield who, _share(many, groups)
    yield "titles that an earlier group has", _of(found.titles_again, groups)
    yield "names of candidates that an earlier group has", _of(found.names_again, found.names)
    yield "words shared with the nearest task text", _alike(found.nearest)
    yield "results by digits before the point", _listed({str(digits): many for digits, many in found.digits.items()})
    yield "negative results", f"{found.negative:,}"


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {many:,}" for name, many in counts.items()) or "none"


def _alike(found: Sequence[Nearest]) -> str:
    median, most = median_and_most(found)
    return f"median {percent(decimal(median))}, most {percent(decimal(most))}"


def _range(low: Fraction, high: Fraction) -> str:
    return f"{percent(decimal(low))} to {percent(decimal(high))}"


def _percent(many: int, every: int) -> str:
    return percent(decimal(Fraction(many, every or 1)))


def _plain_of(many: int, every: int) -> str:
    return f"{many:,} of {every:,}"


def _of(many: int, every: int) -> str:
    return f"{_plain_of(many, every)}: {_percent(many, every)}"


def _share(many: int, every: int) -> str:
    low, high = wilson(many, every)
    return f"{_of(many, every)} ({percent(low)} to {percent(high)})"
