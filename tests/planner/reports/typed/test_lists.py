import re
from dataclasses import replace

import pytest

from planner.reports.report import assemble
from planner.reports.sources.ranked_evidence import evidence_of
from planner.reports.typed.lists import typed_pairs
from planner.reports.typed.part_readings import part_readings
from research_crawler.core.models.evidence.entailment import PairReading, Readings
from research_crawler.core.models.reports.drafts import ReportDraft, Sentence
from research_crawler.text.writing.messages import REPORT_LANGUAGES
from tests.cases import each_case
from tests.planner.reports.test_report import CONTEXT, A, B, researched
from tests.planner.scripted import a_finding

OLD = "The Gullwire cable car was opened on 3 March 2019 by the mayor of the town."
NEW = "A sensor stopped the Gullwire cable car above the harbour on 2 January."
RISE = "Ticket sales of the Gullwire increased by 12 percent in 2025 across the whole region."
GOOD = "The cabins of the Gullwire are excellent and very comfortable, said Ida Marlow."
BAD = "The doors of the Gullwire are terrible and nobody would recommend them to a friend."


def report_on(*quotes, answer=(), goal="Gullwire cable car", reads=None, **inputs):
    """The report of findings; `reads` tells a verdict of a statement and a quote, as a reader would."""
    drive = researched(goal, **inputs)
    findings = [
        a_finding(
            f"{drive.job.id}:{n}", quote, url=url, score=1 - n / 100, **{"title": "Gullwire cable car"} | more
        )
        for n, (quote, url, more) in enumerate(quotes)
    ]
    draft = ReportDraft(by="model-x", answer=list(answer) or [Sentence(text="It works.", evidence=[0])])
    pairs = typed_pairs(drive.job, evidence_of(findings), draft.answer) if reads else []
    found = [PairReading(verdict=reads(pair.statement, pair.quotes[0])) for pair in pairs]
    readings = part_readings(pairs, Readings(by="model-x", found=found))
    return assemble(drive.job, findings, draft, replace(CONTEXT, readings=readings))


def headings(report):
    return re.findall(r"^#+ .+", report.report_markdown, re.M)


def test_news_have_developments_of_the_last_week_and_a_timeline_in_order():
    report = report_on((OLD, A, {}), (NEW, B, {"published": "2026-01-02"}), type="news")
    assert [entry["date"] for entry in report.news["timeline"]] == ["2019-03-03", "2026-01-02"]
    assert [entry["text"] for entry in report.news["key_developments"]] == [NEW]
    assert (report.news["since"], report.news["until"]) == ("2025-12-27", "2026-01-03")
    found = headings(report)
    assert found.index("## News") < found.index("### Key Developments") < found.index("### Timeline")
    assert found.index("### Timeline") < found.index("## Research Journey")
    assert re.search(r"- \*\*2026-01-02\*\* – A sensor stopped .*\[\d\]", report.report_markdown)


def test_a_page_that_a_model_found_telling_has_its_day_in_the_timeline_though_it_does_not_name_the_subject():
    money = "The subsidy is 15 million crowns a year, it says there in section 8."
    day = {"published": "2026-01-01", "title": "Who pays for it?"}
    by_model, by_words = (
        report_on((NEW, B, {"published": "2026-01-02"}), (money, A, day | {"by": by}), type="news")
        for by in ("model", "extractive")
    )
    assert [entry["text"] for entry in by_model.news["timeline"]] == [money, NEW]
    assert [entry["text"] for entry in by_words.news["timeline"]] == [NEW]


def test_news_leave_out_other_subjects():
    day = {"published": "2026-01-02"}
    other = ("The parliament of Nordhaven passed the budget on 2 January.", A, day | {"title": "The budget"})
    report = report_on((NEW, B, day), other, type="news")
    assert [entry["text"] for entry in report.news["timeline"]] == [NEW]


def test_what_two_hosts_tell_of_one_day_is_one_event_with_both_and_other_numbers_are_not_said_also():
    day = {"published": "2026-01-02"}
    one = "The Gullwire cable car stopped on 2 January with 30 people inside."
    same = "With 30 people inside, the Gullwire cable car stopped above the harbour on 2 January."
    other = "The Gullwire cable car stopped on 2 January with 45 people inside."
    both = report_on((one, A, day), (same, B, day), type="news")
    assert len(both.news["timeline"]) == 1
    assert "also said by 1 other host" in both.report_markdown
    apart = report_on((one, A, day), (other, B, day), type="news")
    assert "also said by" not in apart.report_markdown


def test_a_page_that_dates_no_event_is_reported_on_its_day():
    text = "The Gullwire cable car stands still above the harbour."
    report = report_on((text, B, {"published": "2026-01-02"}), type="news")
    assert report.news["timeline"][0]["date"] == "2026-01-02"
    assert "**2026-01-02 (reported)** – " in report.report_markdown


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
        (one, docs, {"title": "Backup", "heading": "Server > Backup of the Gullwire"}),
        (two, A, {"title": "A blog"}),
        type="technical",
        type_given=True,
    )
    technical = report.technical
    assert technical["authority_score"] == 0.75
    assert [entry["term"] for entry in technical["concepts"]] == ["pg_dump"]
    assert {"title": "Backup", "url": docs, "read": True} in technical["documentation"]
    assert technical["related_topics"] == ["Backup of the Gullwire"]
    assert "0.75 of 1" in report.report_markdown
    assert {"### Concepts", "### Documentation", "### Related Topics"} <= set(headings(report))


def test_a_question_whose_wording_sounds_technical_gets_an_answer_and_no_survey():
    report = report_on(("Use `pg_dump` to write a database into a file.", A, {}), type="technical")
    assert report.technical
    assert "### Concepts" not in report.report_markdown


def test_pages_that_read_like_documentation_count_as_it_and_concepts_are_explained_by_their_own_sentence():
    drive = researched("git rebase")
    drive.job = drive.job.changed(
        inputs=drive.job.inputs.changed(type="technical", type_given=True),
        visits=[visit.changed(kind="documentation") for visit in drive.job.visits],
    )
    said = (
        "The `--autosquash` option moves commits that are marked for it.",
        "Lines are not added for them if it is used with `--autosquash`.",
    )
    title = {"title": "12.3. Rebasing commits", "heading": "12.3. Rebasing commits"}
    findings = [a_finding(f"{drive.job.id}:{n}", text, url=A, **title) for n, text in enumerate(said)]
    draft = ReportDraft(by="model-x", answer=[Sentence(text="It works.", evidence=[0])])
    technical = assemble(drive.job, findings, draft, CONTEXT).technical
    assert technical["authority_score"] == 1.0
    assert technical["documentation"][0] == {"title": "12.3. Rebasing commits", "url": A, "read": True}
    assert [(one["term"], one["text"]) for one in technical["concepts"]] == [
        ("--autosquash", "The --autosquash option moves commits that are marked for it.")
    ]
    assert technical["related_topics"] == []


def reader(statement, quote):
    """A reader who knows the quotes of these tests."""
    known = {RISE: "supported", GOOD: "supported", BAD: "contradicted"}
    if "of a rise" in statement or "praise" in statement:
        return known.get(quote, "not_said")
    return "supported" if statement == quote else "contradicted" if "45" in statement + quote else "not_said"


def test_parts_on_request_are_there_and_no_others_are():
    quotes = ((RISE, A, {}), (GOOD, B, {}), (BAD, B, {}))
    parts = ["trends", "sentiment", "factcheck"]
    report = report_on(*quotes, parts=parts, answer=[Sentence(text=RISE, evidence=[0])], reads=reader)
    assert set(report.parts) == set(parts)
    trends, sentiment, facts = (report.parts[name] for name in parts)
    assert trends["summary"] == "Gullwire cable car, 2025: 1 statement of a rise, 0 of a fall."
    assert [(one["kind"], one["time"], one["text"]) for one in trends["entries"]] == [
        ("rising", "2025", RISE)
    ]
    kinds = {entry["text"]: entry["kind"] for entry in sentiment["entries"]}
    assert (kinds[GOOD], kinds[BAD]) == ("praise", "blame")
    assert sentiment["hosts"]["b.example"] == {"praise": 1, "criticism": 1}
    assert sentiment["about"] == "Gullwire cable car"
    assert (facts["claims"][0]["claim"], facts["claims"][0]["verdict"]) == (RISE, "one_source")
    assert report_on(*quotes).parts == {}
    assert "## On Request" not in headings(report_on(*quotes))


def test_without_a_model_the_parts_say_what_they_cannot_tell():
    claim = Sentence(text="The Gullwire sold more tickets in 2025.", evidence=[0])
    report = report_on(
        (RISE, A, {}), (GOOD, B, {}), parts=["trends", "sentiment", "factcheck"], answer=[claim]
    )
    trends, sentiment, facts = (report.parts[name] for name in ("trends", "sentiment", "factcheck"))
    assert [(one["kind"], one["text"]) for one in trends["entries"]] == [("dated", RISE)]
    assert "only a model can tell which way they point" in trends["summary"]
    assert (sentiment["entries"], sentiment["hosts"]) == ([], {})
    assert sentiment["summary"].startswith("Only a model can tell praise from criticism")
    assert facts["claims"][0]["verdict"] == "could_not_check"


@pytest.mark.parametrize(
    "text",
    [
        "Ticket sales of the Gullwire increased by 12 percent.",
        "Ticket sales of the Gullwire increased in 2025.",
        "Ticket sales of the ferry increased by 12 percent in 2025.",
    ],
)
def test_a_change_without_its_amount_its_time_or_the_subject_is_no_trend(text):
    report = report_on((text, A, {"title": "A page"}), parts=["trends"])
    assert report.parts["trends"]["entries"] == []
    assert "Not enough dated evidence" in report.report_markdown


def test_a_fact_is_confirmed_by_what_another_site_states():
    claim = "The Gullwire cable car was opened on 3 March 2019."
    told = [Sentence(text=claim, evidence=[0])]

    def verdict(*quotes):
        report = report_on(*quotes, answer=told, parts=["factcheck"])
        return report.parts["factcheck"]["claims"][0]["verdict"]

    assert verdict((claim, A, {}), (f"{claim} It rained.", B, {})) == "confirmed"
    assert verdict((claim, A, {}), (f"{claim} It rained.", "https://www.a.example/2", {})) == "one_source"


def test_a_disputed_fact_is_shown_with_what_speaks_against_it():
    claim = "The Gullwire cable car carries 30 people in each cabin."
    other = "The Gullwire cable car carries 45 people in each cabin."
    answer = [Sentence(text=claim, evidence=[0])]
    report = report_on((claim, A, {}), (other, B, {}), answer=answer, parts=["factcheck"], reads=reader)
    fact = report.parts["factcheck"]["claims"][0]
    assert (fact["verdict"], fact["for"], fact["against"]) == ("disputed", ["E1"], ["E2"])
    assert re.search(
        r"- \*\*disputed\*\* – .*\n  - \*\*against\*\* – .*45 people.*b\.example", report.report_markdown
    )


def test_the_claim_of_the_question_itself_is_checked_first():
    goal = "is it true that the Gullwire cable car carries 45 people in each cabin?"
    said = "The Gullwire cable car carries 30 people in each cabin."
    denied = report_on((said, A, {}), goal=goal, parts=["factcheck"], reads=reader)
    fact = denied.parts["factcheck"]["claims"][0]
    assert (fact["verdict"], fact["against"]) == ("denied", ["E1"])
    unproven = report_on((said, A, {}), goal=goal, parts=["factcheck"], reads=lambda *_: "not_said")
    assert "**not proven: nothing that was read states it** – the Gullwire" in unproven.report_markdown


def test_pages_that_sell_or_make_the_thing_do_not_count_as_opinions():
    report = report_on((GOOD, "https://shop.example/products/1", {}), parts=["sentiment"], reads=reader)
    assert report.parts["sentiment"]["entries"] == []


@each_case("language", REPORT_LANGUAGES)
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


def test_of_an_excerpt_one_sentence_about_the_subject_is_checked():
    excerpt = f"Trains are late again this week. {OLD} The mayor gave a speech."
    answer = [Sentence(text=excerpt, evidence=[0], is_excerpt=True)]
    report = report_on((excerpt, A, {}), answer=answer, parts=["factcheck"])
    assert [one["claim"] for one in report.parts["factcheck"]["claims"]] == [OLD]
