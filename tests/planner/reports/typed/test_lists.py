import re

import pytest

from planner.reports.report import assemble
from planner.text.messages import REPORT_LANGUAGES
from research_crawler.core.models.drafts import ReportDraft, Sentence
from tests.planner.reports.test_report import WRITTEN, A, B, researched
from tests.planner.scripted import a_finding

OLD = "The tunnel was opened on 3 March 2019 by the mayor of the town."
NEW = "A sensor stopped the cable car above the harbour on Friday morning."
RISE = "Ticket sales increased by 12 percent in 2025 across the whole region."
GOOD = "Riders told us that the cabins are excellent and very comfortable."
BAD = "The doors are terrible and broke on the second day of our visit."


def report_on(*quotes, answer=(), goal="how do heat pumps work", **inputs):
    drive = researched(goal, **inputs)
    findings = [
        a_finding(f"{drive.job.id}:{n}", quote, url=url, score=1 - n / 100, **more)
        for n, (quote, url, more) in enumerate(quotes)
    ]
    draft = ReportDraft(by="model-x", answer=list(answer) or [Sentence(text="It works.", evidence=[0])])
    return assemble(drive.job, findings, draft, WRITTEN)


def headings(report):
    return re.findall(r"^#+ .+", report.report_markdown, re.M)


def test_news_have_developments_of_the_last_week_and_a_timeline_in_order():
    report = report_on((OLD, A, {}), (NEW, B, {"published": "2026-01-01"}), type="news")
    assert [entry["date"] for entry in report.news["timeline"]] == ["2019-03-03", "2026-01-01"]
    assert [entry["text"] for entry in report.news["key_developments"]] == [NEW]
    assert (report.news["since"], report.news["until"]) == ("2025-12-27", "2026-01-03")
    found = headings(report)
    assert found.index("## News") < found.index("### Key Developments") < found.index("### Timeline")
    assert found.index("### Timeline") < found.index("## Research Journey")
    assert re.search(r"- \*\*2026-01-01\*\* – A sensor stopped .*\[\d\]", report.report_markdown)


def test_a_week_without_news_is_said_with_the_newest_day():
    report = report_on((OLD, A, {}), type="news")
    assert (
        "Nothing that was read is from the last 7 days; the newest is from 2019-03-03."
        in report.report_markdown
    )


def test_technical_reports_have_authority_concepts_documentation_and_related_topics():
    one = "Use `pg_dump` with `--format` to write one database into a file."
    two = "The program `pg_dump` reads the database while others write into it."
    docs = "https://docs.postgres.example/manual/backup.html"
    report = report_on(
        (one, docs, {"title": "Backup", "heading": "Server > Backup and Heat Pumps"}),
        (two, A, {"title": "A blog"}),
        type="technical",
        type_given=True,
    )
    technical = report.technical
    assert technical["authority_score"] == 0.75
    assert [entry["term"] for entry in technical["concepts"]] == ["pg_dump"]
    assert {"title": "Backup", "url": docs, "read": True} in technical["documentation"]
    assert technical["related_topics"] == ["Backup and Heat Pumps"]
    assert "0.75 of 1" in report.report_markdown
    assert {"### Concepts", "### Documentation", "### Related Topics"} <= set(headings(report))


def test_a_question_whose_wording_sounds_technical_gets_an_answer_and_no_survey():
    report = report_on(("Use `pg_dump` to write a database into a file.", A, {}), type="technical")
    assert report.technical
    assert "### Concepts" not in report.report_markdown


def test_parts_on_request_are_there_and_no_others_are():
    quotes = ((RISE, A, {}), (GOOD, B, {}), (BAD, B, {}))
    report = report_on(*quotes, parts=["trends", "sentiment", "factcheck"])
    assert set(report.parts) == {"trends", "sentiment", "factcheck"}
    assert report.parts["trends"]["summary"] == "Statements of a rise: 1, of a fall: 0."
    assert [entry["text"] for entry in report.parts["sentiment"]["entries"]] == [GOOD, BAD]
    assert report.parts["factcheck"]["entries"][0]["text"] == "It works."
    assert "1 host" in report.parts["factcheck"]["entries"][0]["note"]
    assert report_on(*quotes).parts == {}
    assert "## On Request" not in headings(report_on(*quotes))


def test_a_part_about_which_nothing_was_read_says_so():
    report = report_on((OLD, A, {}), parts=["sentiment"])
    assert report.parts["sentiment"]["summary"] == "What was read says nothing about it."


def test_pages_that_sell_or_make_the_thing_do_not_count_as_opinions():
    report = report_on((GOOD, "https://shop.example/products/1", {}), parts=["sentiment"])
    assert report.parts["sentiment"]["entries"] == []


@pytest.mark.parametrize("language", REPORT_LANGUAGES)
def test_all_parts_are_rendered_in_every_language(language):
    for type_ in ("news", "technical"):
        report = report_on(
            (RISE, A, {}),
            (GOOD, B, {}),
            type=type_,
            language=language,
            parts=["trends", "sentiment", "factcheck"],
        )
        assert report.news or report.technical


def test_what_pages_write_stays_text_in_these_parts():
    hostile = (
        "The <script>alert(1)</script> tunnel [x](https://evil.example/) was opened on 3 March 2019 by all."
    )
    for type_ in ("news", "technical"):
        text = report_on(
            (hostile, A, {"title": "](https://evil.example/) `x_y`"}), type=type_
        ).report_markdown
        assert not re.search(r"(?<!\\)<script>", text)
        assert not re.search(r"(?<!\\)\]\(https://evil", text)
