"""What stands between a report's answer and its research journey."""

import re

import pytest

from planner.reports.checks.sentence_checks import SentenceChecker
from planner.reports.sections import ReportBody
from research_crawler.core.models.evidence.entailment import PairReading, Readings, unread
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.reports.drafts import (
    Contradiction,
    DraftCell,
    DraftRow,
    DraftSection,
    DraftTable,
    ReportDraft,
    Sentence,
)
from research_crawler.text.writing.messages import ENGLISH_MESSAGES
from tests.planner.reports.headings import expected_headings, headings_of
from tests.planner.reports.test_report import A, B, report_of, researched
from tests.planner.scripted import a_finding

HEAT = Sentence(text="Heat moves from cold to warm.", evidence=[0])
POWER = Sentence(text="The compressor needs power.", evidence=[2])
TABLE = DraftTable(
    columns=["Part", "Task"],
    rows=[
        DraftRow(label="Fan", cells=[DraftCell(text="blows | air", evidence=[1])]),
        DraftRow(label="Compressor", cells=[DraftCell(text="needs power", evidence=[2])]),
        DraftRow(label="Valve", cells=[DraftCell()]),
    ],
)
PARTS = DraftSection(id="S1", title="The Parts", sentences=[POWER], table=TABLE)
PAIR = Contradiction(
    about="direction", one=HEAT, other=Sentence(text="Heat does not move from cold to warm.", evidence=[2])
)
TWO = Outline(
    sections=[
        Section(
            id="1",
            title="All",
            leaves=[Leaf(id="1.1", question="How?"), Leaf(id="1.2", question="How loud?")],
        )
    ]
)


def test_sections_stand_between_the_answer_and_the_journey_under_fixed_titles():
    report = report_of(
        researched(),
        HEAT,
        lists={"key_findings": [POWER]},
        sections=[PARTS],
        contradictions=[PAIR],
        unknown=["How loud is it?"],
        follow_ups=["What does it cost?"],
    )
    assert headings_of(report.report_markdown) == expected_headings(
        report.report_markdown, "key_findings", "in_detail", "contradictions", "not_known", "follow_ups"
    )
    assert "## In Detail\n\n### The Parts\n" in report.report_markdown
    assert (
        "- direction\n  - Heat moves from cold to warm. [1]\n  - Heat does not move" in report.report_markdown
    )
    assert "- How loud is it?" in report.report_markdown


def test_every_cell_of_a_table_has_its_own_mark_and_its_bars_are_escaped():
    markdown = report_of(researched(), HEAT, sections=[PARTS]).report_markdown
    assert (
        "| Part | Task |\n| --- | --- |\n| Fan | blows \\| air [1] |\n| Compressor | needs power [2] |"
        in markdown
    )
    assert "| Valve | not found |" in markdown


def test_json_has_the_sections_with_ids_of_their_evidence():
    report = report_of(researched(), HEAT, sections=[PARTS], contradictions=[PAIR], unknown=["Its price"])
    [section] = report.model_dump(mode="json")["sections"]
    assert (section["title"], section["claims"][0]["evidence"]) == ("The Parts", ["E3"])
    assert section["table"]["rows"][0] == {
        "label": "Fan",
        "cells": [{"text": "blows | air", "evidence": ["E2"]}],
    }
    assert report.contradictions[0]["other"]["evidence"] == ["E3"]
    assert (report.not_known, report.words > 0) == (["Its price"], True)


def test_a_page_that_only_a_section_cites_is_a_source():
    report = report_of(researched(), HEAT, sections=[PARTS])
    assert [source.url for source in report.sources] == [A, B]


def test_a_title_of_a_section_is_no_title_of_the_report():
    section = PARTS.model_copy(update={"title": "Key Sources\n\n## Answer [1] https://evil.example"})
    titles = re.findall(r"^#+ .+", report_of(researched(), HEAT, sections=[section]).report_markdown, re.M)
    assert titles.count("## Answer") == titles.count("## Key Sources") == 1
    assert not [title for title in titles if "evil" in title or "[1]" in title]


def test_a_sentence_of_the_answer_that_states_one_side_as_a_fact_says_that_it_is_disputed():
    years = [
        Sentence(text=f"It was built in {year}.", evidence=[place]) for place, year in ((0, 1871), (2, 1874))
    ]
    pair = Contradiction(about="year", one=years[0], other=years[1])
    report = report_of(
        researched(), Sentence(text="The tower dates from 1871.", evidence=[0]), contradictions=[pair]
    )
    assert "dates from 1871. [1] (disputed: see Where Pages Differ)" in report.report_markdown
    both = Sentence(text="It was built in 1871 or in 1874.", evidence=[0, 2])
    assert "disputed" not in report_of(researched(), both, contradictions=[pair]).report_markdown


def test_a_value_that_has_replaced_another_is_not_disputed_and_the_old_one_is():
    one, other = (Sentence(text=f"It costs {price} euros.", evidence=[n]) for n, price in ((0, 80), (2, 60)))
    pair = Contradiction(about="newer", one=one, other=other, is_replaced=True)
    markdown = report_of(researched(), one, other, contradictions=[pair]).report_markdown
    assert "80 euros. [1] It costs 60 euros. [2] (disputed: see Where Pages Differ)" in markdown


def test_what_the_planner_named_as_missing_is_not_known_unless_an_audit_says_what_is():
    drive = researched()
    named = "whether it works below -25 degrees"
    drive.job = drive.job.changed(plan=drive.job.plan.changed(named_missing=[named]))
    assert f"## Not Known\n\n- {named}\n" in report_of(drive, HEAT).report_markdown
    assert report_of(drive, HEAT, unknown=["How loud is it?"]).not_known == ["How loud is it?"]


def test_open_questions_of_the_outline_are_not_known():
    drive = researched()
    drive.job = drive.job.changed(
        outline=TWO.with_leaves({"1.1": Leaf(id="1.1", question="How?", state="filled")})
    )
    assert "## Not Known\n\n- How loud?" in report_of(drive, HEAT).report_markdown
    assert "Not Known" not in report_of(drive, not_found="other pages").report_markdown


def test_what_a_section_answers_is_neither_missing_nor_unknown():
    drive = researched()
    warning = ENGLISH_MESSAGES("not_found_items", items="How loud; How old")
    drive.job = drive.job.changed(
        outline=TWO, plan=drive.job.plan.changed(missing=["How loud", "How old"]), warnings=[warning]
    )
    loud = PARTS.model_copy(update={"sub_questions": ["How?", "How loud?"]})
    report = report_of(drive, HEAT, sections=[loud])
    assert (report.warnings, report.not_known) == (["No clear answer was found to: How old."], [])
    unsure = report_of(drive, HEAT, sections=[loud], unknown=["How loud?"])
    assert (unsure.warnings, unsure.not_known) == ([warning], ["How loud?"])


def test_what_the_answer_calls_missing_is_not_said_twice():
    drive = researched()
    plan = drive.job.plan.changed(missing=["How loud?"])
    drive.job = drive.job.changed(
        plan=plan, outline=TWO.with_leaves({"1.1": Leaf(id="1.1", question="", evidence=["x"])})
    )
    report = report_of(drive, HEAT)
    assert report.report_markdown.count("How loud?") == 1
    assert report.not_known == ["How loud?"]


def long_section(n):
    text = " ".join(["heat"] * 19)
    return DraftSection(
        id=f"S{n}",
        title=f"Part {n}",
        sentences=[Sentence(text=f"{n}.{i} {text}.", evidence=[0]) for i in range(10)],
    )


def test_a_report_never_has_more_words_than_asked():
    drive = researched(max_words=300)
    report = report_of(drive, HEAT, sections=[long_section(n) for n in range(1, 6)])
    assert 280 <= report.words <= 300
    assert [section.title for section in report.sections] == [f"Part {n}" for n in range(1, 6)]
    assert report.length_note == ("36 further sentences were left out: this report has at most 300 words.")
    assert report.length_note in report.report_markdown


def test_a_report_that_is_shorter_than_asked_says_why():
    report = report_of(researched(max_words=300), HEAT)
    assert report.length_note == (
        "This report has 6 words instead of 300: the 3 quotes that were found support no more."
    )
    assert report.length_note in report.report_markdown
    assert report_of(researched(), HEAT).length_note == ""


@pytest.fixture
def checker():
    async def judge(pairs):
        return unread(len(pairs), "model")

    found = [
        a_finding("jobaaaaaaaaa:2", "The fan turns at 900 rpm.", title="Fan"),
        a_finding("jobaaaaaaaaa:2", "The pump does not run at night.", title="Pump"),
        a_finding("jobaaaaaaaaa:2", "The valve opens at 5 bar.", title="Valve"),
    ]
    return SentenceChecker(found, goal="parts of a heat pump", language="en", read_pairs=judge)


def row(label, text, place):
    return DraftRow(label=label, cells=[DraftCell(text=text, evidence=[place])])


async def test_cells_with_numbers_that_their_quotes_lack_are_emptied(checker):
    rows = [
        row("Fan", "900 rpm", 0),
        row("Valve", "7 bar", 2),
        row("Pump", "not at night", 1),
        row("Mill", "Grinds", 2),
    ]
    table = DraftTable(columns=["Part", "Speed"], rows=rows)
    draft = ReportDraft(by="m", sections=[DraftSection(id="S1", title="Parts", table=table)])
    [section] = (await checker.check_report(draft)).sections
    assert [one.label for one in section.table.rows] == ["Fan", "Pump"]
    assert [one.part for one in checker.checked if not one.text] == ["table"] * 2


def of_rows(*rows):
    table = DraftTable(columns=["Part", "Speed"], rows=list(rows))
    return ReportDraft(by="m", sections=[DraftSection(id="S1", title="Parts", table=table)])


async def approved(pairs):
    return Readings(by="model", found=[PairReading(verdict="supported")] * len(pairs))


FAST = [
    a_finding("jobaaaaaaaaa:2", "The fan turns at 900 rpm.", title="Parts"),
    a_finding("jobaaaaaaaaa:2", "The mixer turns at 300 rpm.", title="Parts"),
]


async def test_values_swapped_between_rows_are_not_called_checked_even_if_a_model_approves():
    checker = SentenceChecker(FAST, goal="", language="en", read_pairs=approved)
    [section] = (
        await checker.check_report(of_rows(row("Fan", "300 rpm", 1), row("Mixer", "300 rpm", 1)))
    ).sections
    assert [one.cells[0].verdict for one in section.table.rows] == ["could_not_check", "supported"]


async def test_a_row_that_tells_of_one_of_two_things_is_left_out():
    fan, mixer = (DraftCell(text=text, evidence=[place]) for place, text in enumerate(("900 rpm", "300 rpm")))
    rows = {"Speed": [fan, mixer], "Noise": [DraftCell(), mixer], "Turns": [fan, mixer]}
    table = DraftTable(
        columns=["", "Fan", "Mixer"],
        rows=[DraftRow(label=label, cells=cells) for label, cells in rows.items()],
    )
    draft = ReportDraft(by="m", sections=[DraftSection(id="S1", title="Parts", table=table)])
    [section] = (
        await SentenceChecker(FAST, goal="", language="en", read_pairs=approved).check_report(draft)
    ).sections
    assert [one.label for one in section.table.rows] == ["Speed", "Turns"]


async def test_a_reader_reads_each_cell_as_a_statement_of_its_row_and_what_he_refuses_is_emptied():
    read = []

    async def judge(pairs):
        read.extend(pairs)
        verdicts = ["supported", "contradicted", "could_not_check"]
        return Readings(by="model", found=[PairReading(verdict=one) for one in verdicts])

    checker = SentenceChecker(FAST, goal="", language="en", read_pairs=judge)
    draft = of_rows(row("Fan", "900 rpm", 0), row("Mixer", "turns at 300 rpm", 1), row("Mixer", "300 rpm", 1))
    [section] = (await checker.check_report(draft)).sections
    assert [one.statement for one in read][:2] == ["Fan – Speed: 900 rpm", "Mixer – Speed: turns at 300 rpm"]
    assert [one.cells[0].verdict for one in section.table.rows] == ["supported", "could_not_check"]


async def test_sentences_of_sections_are_checked_and_a_section_without_any_is_left_out(checker):
    draft = ReportDraft(
        by="m",
        answer=[Sentence(text="The fan turns at 900 rpm.", evidence=[0])],
        sections=[
            DraftSection(
                id="S1", title="Wrong", sentences=[Sentence(text="The fan turns at 800 rpm.", evidence=[0])]
            ),
            DraftSection(
                id="S2", title="Right", sentences=[Sentence(text="The valve opens at 5 bar.", evidence=[2])]
            ),
        ],
    )
    checked = await checker.check_report(draft)
    assert [(one.title, one.sentences[0].verdict) for one in checked.sections] == [("Right", "supported")]
    assert [one.part for one in checker.checked] == ["answer", "section S1", "section S2"]


async def test_a_contradiction_with_a_side_that_no_page_states_is_none(checker):
    fan = Sentence(text="The fan turns at 900 rpm.", evidence=[0])
    made_up = Sentence(text="The valve opens at 50 bar.", evidence=[2])
    draft = ReportDraft(
        by="m", answer=[fan], contradictions=[Contradiction(about="x", one=fan, other=made_up)]
    )
    assert (await checker.check_report(draft)).contradictions == []


def test_titles_are_in_the_language_of_the_report():
    report = report_of(researched("Wie funktionieren Wärmepumpen?", language="de"), HEAT, sections=[PARTS])
    assert "## Im Einzelnen" in report.report_markdown
    assert ENGLISH_MESSAGES("in_detail") == "In Detail"


def test_a_contradiction_about_nothing_named_is_still_told_as_a_pair():
    pair = Contradiction(about="", one=HEAT, other=PAIR.other)
    text = report_of(researched(), HEAT, contradictions=[pair]).report_markdown
    told = text.partition("## Where Pages Differ")[2].strip().splitlines()
    assert told[0].startswith("- ")
    assert told[1].startswith("  - ")


def test_what_a_warning_calls_unanswered_is_not_listed_as_unknown_again():
    middle = ReportBody(
        lists={
            "not_known": ["How loud is it?", "Who made it? (searched 3 times, 8 pages read: none answers it)"]
        }
    )
    text = middle.markdown(ENGLISH_MESSAGES, already_said=["how loud is it"])
    assert "loud" not in text and "Who made it?" in text


def test_code_stands_below_its_sentence_as_the_page_has_it_and_once():
    drive = researched()
    page = "Start it:\n\n```\npump --start \\\n    --warm\n```"
    findings = [*drive.findings, a_finding(drive.findings[0].command, page)]
    start = Sentence(text="It is started by hand.", evidence=[3], code="pump --start \\ --warm")
    invented = Sentence(text="It stops by itself.", evidence=[3], code="pump --stop")
    section = DraftSection(id="S1", title="Use", sentences=[start, HEAT, start, invented])
    drive.findings = findings
    report = report_of(drive, HEAT, sections=[section])
    detail = report.report_markdown.split("### Use")[1].split("\n## ")[0]
    assert detail.count("```\npump --start \\\n    --warm\n```") == 1
    first, rest = detail.split("```\npump", 1)
    assert first.strip().startswith("It is started by hand. [") and "Heat" not in first
    assert "Heat moves from cold to warm." in rest
    assert "pump --stop" not in report.report_markdown
    assert [one.code for one in report.sections[0].claims] == ["pump --start \\\n    --warm", "", "", ""]


async def test_a_listing_that_no_quote_has_is_cut_and_counted():
    async def nobody(pairs):
        return unread(len(pairs))

    page = a_finding("jobaaaaaaaaa:2", "The pump is started with `pump --start`.")
    text = "The pump is started with `pump --start`."
    told = [Sentence(text=text, evidence=[0], code=code) for code in ("pump --start", "pump --start --now")]
    checker = SentenceChecker([page], goal="pumps", language="en", read_pairs=nobody)
    kept = (await checker.check_report(ReportDraft(by="x", answer=told))).answer
    assert [one.code for one in kept] == ["pump --start", ""]
    assert [one.written for one in checker.checked if not one.text] == ["pump --start --now"]
