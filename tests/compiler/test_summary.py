"""summary: every count is one that can be made by hand; grammar and LLM are never added up."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from decimal import Decimal
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.llm.asking import endpoint, question
from tests.llm.faulty_server import served
from tests.runs import QUICK, families, rejected_all
from unco.compiler import run as running
from unco.compiler.build import BuildOptions
from unco.compiler.drafting.near import Print, likeness, print_of
from unco.compiler.drafting.skeleton import DOMAINS, OPERATIONS
from unco.compiler.guesses.rows import percent
from unco.compiler.pipeline import PHASES
from unco.compiler.summarizing.datasheet import datasheet_sections, markdown
from unco.compiler.summarizing.funnel import STAGES
from unco.compiler.summarizing.likeness import likeness_of, print_of_tree
from unco.compiler.summarizing.pack import pack
from unco.compiler.summarizing.page import page
from unco.compiler.summarizing.sections import about, sections
from unco.compiler.summary import Summary, summary
from unco.llm.budget import Price
from unco.llm.desk import opened
from unco.specs.errors import SpecificationError, UsageError
from unco.specs.read import read_specification
from unco.specs.shipped import shipped_specifications

GROUPS = 6
"""Of each of the two families of `tests.runs`; three candidate groups of the second are rejected by the proof."""


def line(number: int, **values: Any) -> dict[str, Any]:
    kept = {"by": "grammar", "kept": True, "name": "", "scenario": "", "domain": "construction", "operation": "sum"}
    return {"number": number, **kept, "repaired": False, "phase": "", "code": "", "detail": "", **values}


def lost(number: int, by: str, phase: str, code: str) -> dict[str, Any]:
    return line(number, by=by, kept=False, phase=phase, code=code)


DRAFTS = [
    line(0, name="crane-hire", scenario="crane"),
    lost(1, "grammar", "draft", "UNC316"),
    lost(2, "grammar", "check", "UNC411"),
    lost(3, "grammar", "check", "UNC411"),
    line(4, by="llm", name="second-crane", repaired=True),
    lost(5, "llm", "draft", "UNC317"),
    line(6, by="llm", name="elsewhere"),
]


@pytest.fixture
def run_folder(undisturbed: dict[str, bytes], tmp_path: Path) -> Path:
    return tmp_path / "undisturbed"


@pytest.fixture
def drafts(tmp_path: Path) -> Path:
    folder = tmp_path / "drafts"
    folder.mkdir()
    (folder / "drafts.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in DRAFTS), encoding="utf-8")
    return folder


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


# The funnel ----------------------------------------------------------------------------------------------------------


def test_every_phase_stands_in_one_stage() -> None:
    phases = [phase for phases in STAGES.values() for phase in phases]
    assert len(phases) == len(set(phases))
    assert {"draft", *PHASES} <= set(phases)


def test_the_funnels_of_grammar_and_llm_are_counted_apart(run_folder: Path, drafts: Path) -> None:
    grammar, llm = summary(run_folder, drafts).funnels
    assert [(stage.candidates, stage.rejected) for stage in grammar.stages] == [(4, 3), (6, 0), (6, 0)]
    assert grammar.stages[0].codes == {("check", "UNC411"): 2, ("draft", "UNC316"): 1}
    assert (grammar.by, grammar.retained, grammar.candidates, grammar.repaired, grammar.unbuilt) == (
        "grammar", 6, 9, 0, 0,
    )  # fmt: skip
    assert [(stage.candidates, stage.rejected) for stage in llm.stages] == [(3, 1), (9, 3), (6, 0)]
    assert llm.stages[1].codes == {("prove", "UNC503"): 3}
    assert (llm.by, llm.retained, llm.candidates, llm.repaired, llm.unbuilt) == ("llm", 6, 10, 1, 1)


def test_without_drafts_the_specifications_are_an_authors_and_their_stage_is_not_told(run_folder: Path) -> None:
    found = summary(run_folder)
    (author,) = found.funnels
    assert (author.by, author.retained, author.candidates) == ("author", 12, 15)
    first = sections(found)[0].tables[0].rows[0]
    assert first[:2] == ("rejected: specification", "not told")


DRAFTED = {"crane-hire": "grammar", "second-crane": "llm"}


def told_apart(folder: Path, drafted: dict[str, str]) -> None:
    """The run as if it had been built of specifications of these drafters."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    (folder / "manifest.json").write_text(json.dumps({**manifest, "drafted": drafted}), encoding="utf-8")


def test_a_run_that_tells_its_drafters_is_told_apart_without_drafts(tmp_path: Path) -> None:
    running.run(families(), BuildOptions(1, prove=QUICK, drafted=DRAFTED), tmp_path / "out")
    found = summary(tmp_path / "out")
    assert [(each.by, each.retained, each.drafts_told) for each in found.funnels] == [
        ("grammar", 1, False), ("llm", 1, False),
    ]  # fmt: skip
    table = sections(found)[0].tables[0]
    assert table.head[1:3] == ("drafted by the grammar", "drafted by an LLM")
    assert table.rows[0][:3] == ("rejected: specification", "not told", "not told")
    with pytest.raises(UsageError, match="drafted"):
        running.run(families(), BuildOptions(2, prove=QUICK, drafted={}), tmp_path / "out")


def test_what_the_run_tells_counts_more_than_the_names_of_drafts(run_folder: Path, drafts: Path) -> None:
    """The file of a draft that was edited is its author's; the draft was kept, and is not built."""
    told_apart(run_folder, {**DRAFTED, "second-crane": "author"})
    grammar, llm, author = summary(run_folder, drafts).funnels
    assert (grammar.retained, llm.retained, author.retained) == (6, 0, 6)
    assert (llm.unbuilt, llm.drafts_told, author.drafts_told) == (2, True, False)


@pytest.mark.parametrize(("name", "found"), [("crane-hire", "grammar"), ("nowhere", "nobody")])
def test_the_drafts_of_another_run_are_refused(run_folder: Path, drafts: Path, name: str, found: str) -> None:
    told_apart(run_folder, {name: "llm"})
    with pytest.raises(UsageError, match=f"{name} drafted by llm; found it drafted by {found}"):
        summary(run_folder, drafts)


def test_drafts_of_one_drafter_say_nothing_of_another(run_folder: Path, drafts: Path) -> None:
    lines = (drafts / "drafts.jsonl").read_text("utf-8").splitlines(keepends=True)
    (drafts / "drafts.jsonl").write_text("".join(each for each in lines if '"by": "grammar"' in each), "utf-8")
    told_apart(run_folder, DRAFTED)
    grammar, llm = summary(run_folder, drafts).funnels
    assert (grammar.drafts_told, llm.drafts_told, llm.retained) == (True, False, 6)


def test_a_share_stands_with_its_wilson_interval(run_folder: Path, drafts: Path) -> None:
    """3 of 9: by hand, (3 + 1.92) / (9 + 3.84) plus or minus 0.266."""
    rows = {row[0]: row for row in sections(summary(run_folder, drafts))[0].tables[0].rows}
    assert rows["rejected: logic"][1:] == (
        "0 of 6: 0.0% (0.0% to 39.1%)",
        "3 of 9: 33.3% (12.0% to 64.6%)",
        "7 of 1,289: 0.5%",
    )
    assert rows["- prove UNC503"][1:] == ("0", "3", "")


def test_a_phase_that_nobody_knows_is_refused(run_folder: Path) -> None:
    edited(run_folder / "rejections.jsonl", '"prove"', '"dream"')
    with pytest.raises(UsageError, match="'dream'"):
        summary(run_folder)


def test_a_run_of_which_nothing_is_retained_is_summed_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "run_to_records", rejected_all)
    running.run(families(), BuildOptions(1), tmp_path / "none")
    found = summary(tmp_path / "none")
    (author,) = found.funnels
    assert (author.retained, author.stages[1].candidates) == (0, author.stages[1].rejected)
    assert (found.diversity.groups, found.diversity.cells, found.wording.names) == (0, {}, 0)
    assert "0 of 112" in page("Nothing", about(found), sections(found))


# What LLMs were asked ------------------------------------------------------------------------------------------------


def test_calls_are_told_by_phase_task_and_llm_of_both_folders(run_folder: Path, drafts: Path) -> None:
    """Two calls of 10 tokens in and 5 out, at 2 and 10 USD a million, are 0.00014 USD; a third is of the run."""
    price = Price(Decimal(2), Decimal(10), "USD")
    with served() as server:
        for folder, phase, task, questions in (
            (drafts, "draft", "drafter", "ab"), (run_folder, "validate", "validator", "c"),
        ):  # fmt: skip
            with opened(folder) as desk:
                line = desk.line(phase, task, endpoint(server.url, price=price))
                for each in questions:
                    line.ask(question(each))
    found = summary(run_folder, drafts)
    assert [(each.phase, each.task, each.calls, each.tokens) for each in found.accounts] == [
        ("draft", "drafter", 2, 30),
        ("validate", "validator", 1, 15),
    ]
    rows = sections(found)[1].tables[0].rows
    assert rows[0][3:9] == ("2", "2", "0", "20", "10", "0.0001 USD")


def test_where_no_llm_was_asked_that_is_said(run_folder: Path) -> None:
    found = sections(summary(run_folder))[1]
    assert (found.tables, found.notes) == ((), ("No LLM was asked.",))


# Diversity -----------------------------------------------------------------------------------------------------------


def test_groups_are_counted_by_domain_and_operation(run_folder: Path, drafts: Path) -> None:
    found = summary(run_folder, drafts).diversity
    (cell,) = found.cells
    assert found.cells == {cell: 2 * GROUPS}
    assert (found.possible, found.specifications, found.complete) == (len(found.domains) * len(OPERATIONS), 2, 0)
    assert (found.of_domain(cell[0]), found.of_operation(cell[1]), found.largest) == (12, 12, cell[0])
    assert found.domains[: len(DOMAINS)] == DOMAINS
    assert found.scenarios == {"crane": GROUPS}


def test_a_largest_domain_that_several_share_says_how_many(run_folder: Path) -> None:
    found = summary(run_folder)
    (cell,) = found.diversity.cells
    other = next(each for each in DOMAINS if each != cell[0])
    two = replace(found.diversity, cells={cell: 3, (other, cell[1]): 3})
    for diversity, told in ((found.diversity, f"100.0% ({cell[0]})"), (two, f"50.0% ({two.largest} and 1 more")):
        rows = dict(row[:2] for row in sections(replace(found, diversity=diversity))[2].tables[0].rows)
        assert rows["largest domain"].startswith(told)


def test_the_guess_ceiling_is_told_beside_the_best_single_guesser_and_explained(run_folder: Path) -> None:
    found = summary(run_folder)
    ceilings, assured, counted = sections(found)[3:6]
    (table,) = ceilings.tables
    assert table.head[-1] == "best single guesser"
    told = found.manifest.guess_ceiling["settings"]
    for row in table.rows:
        share = told[row[0]]["answer"]["best_guesser"]["share"]
        assert row[-1] == ("-" if row[0] == "Reliable" else percent(share))
    for notes, words in (
        (ceilings.notes, ("two-fold", "ithout evidence", "best single guesser", "best choice in hindsight")),
        (assured.notes, ("proved of every group", "without an end there")),
        (counted.notes, ("Words shared",)),
        (sections(found)[2].notes, ("near-duplicate",)),
    ):
        assert all(each in " ".join(notes) for each in words)


def test_two_families_that_differ_in_their_name_alone_are_near_duplicates(run_folder: Path) -> None:
    assert summary(run_folder).diversity.likeness.near == (("second-crane", "crane-hire"),)


def test_likeness_over_all_pairs_is_that_of_the_drafters_gate() -> None:
    prints = [print_of(read_specification(path).specification) for path in shipped_specifications().values()]
    found = likeness_of(prints)
    for one, (name, other, share) in zip(prints, found.nearest, strict=True):
        others = {each.name: likeness(one, each) for each in prints if each.name != one.name}
        assert (name, share) == (one.name, others[other])
        assert share == max(others.values())
    assert found.near == ()
    assert any(likeness(*pair) > 0 for pair in combinations(prints, 2))


def test_words_count_as_often_as_they_stand() -> None:
    one, two = (Print(str(many), Counter({"a": many, "b": 1}), ()) for many in (1, 3))
    assert str(likeness_of([one, two]).nearest[0].share) == str(likeness(one, two)) == "1/2"


def test_a_specification_is_compared_by_its_tree_as_by_its_source(run_folder: Path) -> None:
    for family in families():
        tree = json.loads((run_folder / "specifications" / f"{family.digest}.json").read_bytes())
        found = print_of_tree(tree)
        assert found.name == family.name
        assert found.structure
        assert family.roles[0].name.split()[0].casefold() in found.words


# What stands behind the groups, and what a reviewer counts -----------------------------------------------------------


def test_roles_settings_and_proofs_are_counted(run_folder: Path) -> None:
    found = summary(run_folder).assurance
    lines = [json.loads(text) for text in (run_folder / "groups.jsonl").read_text("utf-8").splitlines()]
    assert sum(found.necessary.values()) == found.groups == len(lines) == 12
    assert found.settings == {setting: sum(setting in each["settings"] for each in lines) for setting in found.settings}
    assert (found.families, found.outside, found.checked) == (2, 0, None)
    assert found.validated == {("reader", 3): 12}


def test_validation_is_told_by_who_did_it(run_folder: Path) -> None:
    edited(run_folder / "groups.jsonl", '"validation": {"by": "reader", "runs": 3}', '"validation": null')
    found = summary(run_folder)
    assert (found.assurance.validated, found.assurance.unvalidated) == ({}, 12)
    assert "Nothing solved them" in str(datasheet_sections(found, "unco corpus"))


def test_winners_names_and_results_are_those_of_the_tasks(run_folder: Path) -> None:
    found = summary(run_folder).wording
    tasks = [json.loads(text) for text in (run_folder / "tasks.jsonl").read_text("utf-8").splitlines()]
    reliable = [task for task in tasks if task["setting"] == "Reliable"]
    nobody = sum(task["gold"]["answer"]["candidate"] is None for task in reliable)
    assert sum(found.winners.values()) == len(reliable) == 12
    lines = [json.loads(text) for text in (run_folder / "groups.jsonl").read_text("utf-8").splitlines()]
    outcomes = [each["group"]["outcome"] for each in lines]
    places = ["nobody" if each is None else str(each["candidate"] + 1) for each in outcomes]
    assert found.winners == {place: places.count(place) for place in set(places)}
    assert found.winners["nobody"] == nobody > 0
    assert sum(found.digits.values()) == 12 - nobody
    assert found.titles_again == 11
    assert found.names == sum(len(task["public"]["candidates"]) for task in reliable)


# The page and the datasheet ------------------------------------------------------------------------------------------


@dataclass
class Seen(HTMLParser):
    """The tags of a page, and what they point to."""

    def __post_init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "onload")]


HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(1)>&"|{{ 7 * 7 }}'


@pytest.fixture
def hostile(run_folder: Path) -> Summary:
    domain = json.dumps(json.loads((run_folder / "groups.jsonl").read_text("utf-8").splitlines()[0])["domain"])
    edited(run_folder / "groups.jsonl", f'"domain": {domain}', f'"domain": {json.dumps(HOSTILE)}')
    return summary(run_folder)


def test_a_hostile_domain_is_text_on_the_page_and_in_the_picture(hostile: Summary) -> None:
    text = page(HOSTILE, about(hostile), sections(hostile))
    seen = Seen()
    seen.feed(text)
    assert not {"script", "img", "a", "link", "iframe"} & set(seen.tags)
    assert seen.links == []
    assert "{{ 7 * 7 }}" in text
    assert text.count("<script") == 0
    assert "&lt;script&gt;" in text


def test_a_page_asks_nobody_for_anything(run_folder: Path, drafts: Path) -> None:
    text = page("Summary", about(found := summary(run_folder, drafts)), sections(found))
    assert set(re.findall(r"https?://[^\s\"<]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert "url(" not in text
    assert text.count('role="img"') == text.count("<desc") == 2


def test_a_hostile_domain_breaks_no_table_of_the_datasheet(hostile: Summary) -> None:
    text = markdown("Datasheet", about(hostile), sections(hostile))
    assert "<script" not in text
    (row,) = [each for each in text.splitlines() if each.startswith("| &lt;script")]
    assert len(re.findall(r"(?<!\\)\|", row)) == len(OPERATIONS) + 3


def test_the_datasheet_says_that_no_llm_has_solved_it(run_folder: Path) -> None:
    parts = {each.title: " ".join(each.texts) for each in datasheet_sections(summary(run_folder), "unco corpus")}
    said = parts["What has been validated, and what has not"]
    assert said.startswith("No LLM has solved these tasks. The program's own reader solved 12 of 12 groups")
    assert {"Canary", "Limits", "Licence", "Intended use", "Who made it, and how"} <= set(parts)
    assert all(parts.values())


def test_the_same_run_gives_the_same_page(run_folder: Path, drafts: Path) -> None:
    one, two = (page("Summary", about(each), sections(each)) for each in (summary(run_folder, drafts),) * 2)
    assert one == two
    assert json.dumps(summary(run_folder, drafts).as_json()) == json.dumps(summary(run_folder, drafts).as_json())


def test_the_same_files_are_packed_to_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    first = pack({"top/a": tmp_path / "a"}, tmp_path / "one.tar.gz")
    (tmp_path / "a").touch()
    (tmp_path / "a").chmod(0o600)
    assert first == pack({"top/a": tmp_path / "a"}, tmp_path / "two.tar.gz")
    (tmp_path / "a").write_text("two")
    assert first != pack({"top/a": tmp_path / "a"}, tmp_path / "two.tar.gz")
    assert not list(tmp_path.glob("*.part"))


# What does not read back ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["groups.jsonl", "rejections.jsonl", "manifest.json"])
def test_a_file_that_does_not_read_back_is_named(run_folder: Path, name: str) -> None:
    for broken in ("{\n", "[]\n", '{"id": 1}\n'):
        (run_folder / name).write_text(broken, encoding="utf-8")
        with pytest.raises(SpecificationError, match="UNC702") as raised:
            summary(run_folder)
        (fault,) = raised.value.diagnostics
        assert fault.span is not None
        assert fault.span.file.endswith(name)


def test_a_line_of_the_drafts_that_does_not_read_back_is_told_in_words_of_its_own(
    run_folder: Path, drafts: Path
) -> None:
    edited(drafts / "drafts.jsonl", '"code": "UNC317"', '"code": 317')
    with pytest.raises(SpecificationError, match="UNC704: the draft in") as raised:
        summary(run_folder, drafts)
    (fault,) = raised.value.diagnostics
    assert fault.span is not None
    assert (fault.span.file, fault.span.line) == (str(drafts / "drafts.jsonl"), 6)


def test_a_folder_without_drafts_is_refused(run_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"drafts\.jsonl"):
        summary(run_folder, tmp_path)


def test_a_summary_changes_nothing(run_folder: Path, drafts: Path) -> None:
    before = {path: path.read_bytes() for path in run_folder.rglob("*") if path.is_file()}
    summary(run_folder, drafts)
    assert before == {path: path.read_bytes() for path in run_folder.rglob("*") if path.is_file()}
