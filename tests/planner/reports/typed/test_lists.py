import re

import pytest

from planner.reports.report import assemble
from research_crawler.core.models.drafts import ReportDraft, Sentence
from research_crawler.text.messages import REPORT_LANGUAGES
from tests.planner.reports.test_report import WRITTEN, A, B, researched
from tests.planner.scripted import a_finding

OLD = "The Gullwire cable car was opened on 3 March 2019 by the mayor of the town."
NEW = "A sensor stopped the Gullwire cable car above the harbour on Friday morning."
RISE = "Ticket sales of the Gullwire increased by 12 percent in 2025 across the whole region."
GOOD = "The cabins of the Gullwire are excellent and very comfortable, said Ida Marlow."
BAD = "The doors of the Gullwire are terrible and nobody would recommend them to a friend."


def report_on(*quotes, answer=(), goal="Gullwire cable car", **inputs):
    drive = researched(goal, **inputs)
    findings = [
        a_finding(
            f"{drive.job.id}:{n}", quote, url=url, score=1 - n / 100, **{"title": "Gullwire cable car"} | more
        )
        for n, (quote, url, more) in enumerate(quotes)
    ]
    draft = ReportDraft(by="model-x", answer=list(answer) or [Sentence(text="It works.", evidence=[0])])
    return assemble(drive.job, findings, draft, WRITTEN)


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


def test_news_leave_out_other_subjects_columns_furniture_and_words_without_their_speaker():
    day = {"published": "2026-01-02"}
    report = report_on(
        (NEW, B, day),
        ("The parliament of Nordhaven passed the budget on Friday.", A, day | {"title": "The budget"}),
        ("Ida Marlow may be reached at ida@gazette.example on Friday about the cable car.", B, day),
        ("“You never wait for the Gullwire cable car on Friday.”", B, day),
        ("The Gullwire cable car must go by Friday.", "https://g.example/opinion/1", day),
        ("We rode the Gullwire cable car on Friday.", B, day),
        ("The cable car of Gullwire carries thirty people in each cabin.", B, day),
        type="news",
    )
    assert [entry["text"] for entry in report.news["timeline"]] == [NEW]
    told = {entry["text"] for entry in report.news["key_developments"]}
    assert told == {NEW, "The cable car of Gullwire carries thirty people in each cabin."}


def test_what_two_hosts_tell_of_one_day_is_one_event_with_both_and_other_numbers_are_not_said_also():
    day = {"published": "2026-01-02"}
    one = "The Gullwire cable car stopped on Friday with 30 people inside."
    same = "With 30 people inside, the Gullwire cable car stopped above the harbour on Friday."
    other = "The Gullwire cable car stopped on Friday with 45 people inside."
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
        "If it is used with `--autosquash`, lines are not added for them.",
        "git rebase [-i | --autosquash] [<options>] [--exec <cmd>] begins an interactive one.",
    )
    title = {"title": "12.3. Rebasing commits", "heading": "12.3. Rebasing commits"}
    findings = [a_finding(f"{drive.job.id}:{n}", text, url=A, **title) for n, text in enumerate(said)]
    draft = ReportDraft(by="model-x", answer=[Sentence(text="It works.", evidence=[0])])
    technical = assemble(drive.job, findings, draft, WRITTEN).technical
    assert technical["authority_score"] == 1.0
    assert technical["documentation"][0] == {"title": "12.3. Rebasing commits", "url": A, "read": True}
    assert [(one["term"], one["text"]) for one in technical["concepts"]] == [
        ("--autosquash", "The --autosquash option moves commits that are marked for it.")
    ]
    assert technical["related_topics"] == []


def test_parts_on_request_are_there_and_no_others_are():
    quotes = ((RISE, A, {}), (GOOD, B, {}), (BAD, B, {}))
    report = report_on(
        *quotes, parts=["trends", "sentiment", "factcheck"], answer=[Sentence(text=RISE, evidence=[0])]
    )
    assert set(report.parts) == {"trends", "sentiment", "factcheck"}
    trends, sentiment, facts = (report.parts[name] for name in ("trends", "sentiment", "factcheck"))
    assert trends["summary"] == "Gullwire cable car, 2025: 1 statement of a rise, 0 of a fall."
    assert [(one["kind"], one["time"], one["text"]) for one in trends["entries"]] == [
        ("rising", "2025", RISE)
    ]
    assert [entry["text"] for entry in sentiment["entries"]] == [GOOD, BAD]
    assert [entry["by"] for entry in sentiment["entries"]] == ["Ida Marlow, b.example", "b.example"]
    assert sentiment["hosts"] == {"b.example": {"praise": 1, "criticism": 1}}
    assert sentiment["about"] == "Gullwire cable car"
    assert (facts["claims"][0]["claim"], facts["claims"][0]["verdict"]) == (RISE, "one_source")
    assert report_on(*quotes).parts == {}
    assert "## On Request" not in headings(report_on(*quotes))


@pytest.mark.parametrize(
    "text",
    [
        "Ticket sales of the Gullwire increased by 12 percent.",
        "Ticket sales of the Gullwire increased in 2025.",
        "The Gullwire cable car carries more people than the old ferry since 2025.",
        "Ticket sales of the ferry increased by 12 percent in 2025.",
    ],
)
def test_a_change_without_its_amount_its_time_or_the_subject_is_no_trend(text):
    report = report_on((text, A, {"title": "A page"}), parts=["trends"])
    assert report.parts["trends"]["entries"] == []
    assert "Not enough dated evidence" in report.report_markdown


@pytest.mark.parametrize(
    "text",
    [
        "In a perfect world the Gullwire cable car would run all night.",
        "It would be great if the Gullwire cable car had seats.",
        "The Gullwire cable car was designed to be comfortable.",
        "Is the Gullwire cable car reliable at all in winter?",
        "The ferry is excellent, and so are its cabins.",
        "Our Gullwire cable car is excellent and comfortable.",
        "The town is happy to run the Gullwire cable car all night.",
    ],
)
def test_what_is_no_opinion_about_the_subject_does_not_count(text):
    report = report_on((text, A, {}), parts=["sentiment"])
    assert report.parts["sentiment"]["entries"] == []


def test_who_doubts_a_praise_criticises_and_the_counts_say_what_they_cannot_tell():
    doubt = "I don't think that the Gullwire cable car is reliable."
    both = "The Gullwire cable car is not only reliable, its cabins are comfortable."
    report = report_on((doubt, A, {}), (both, B, {}), parts=["sentiment"])
    kinds = {entry["text"]: entry["kind"] for entry in report.parts["sentiment"]["entries"]}
    assert kinds == {doubt: "blame", both: "praise"}
    assert "irony is not recognised" in report.report_markdown


def test_a_fact_is_confirmed_by_what_another_site_states_and_not_by_what_is_like_it():
    claim = "The Gullwire cable car was opened on 3 March 2019."
    by_two = report_on(
        (OLD, A, {}), (claim, B, {}), answer=[Sentence(text=claim, evidence=[0])], parts=["factcheck"]
    )
    assert by_two.parts["factcheck"]["claims"][0] == {
        "claim": claim, "verdict": "confirmed", "for": ["E1", "E2"], "against": [],
    }  # fmt: skip
    alike = "The Gullwire cable car has been popular with the town since it was opened."
    similar = Sentence(text=claim, evidence=[0], similar=[1])
    by_one = report_on((OLD, A, {}), (alike, B, {}), answer=[similar], parts=["factcheck"])
    assert by_one.parts["factcheck"]["claims"][0]["verdict"] == "one_source"
    same_site = "https://www.a.example/2"
    twice = report_on(
        (OLD, A, {}), (claim, same_site, {}), answer=[Sentence(text=claim, evidence=[0])], parts=["factcheck"]
    )
    assert twice.parts["factcheck"]["claims"][0]["verdict"] == "one_source"


def test_a_disputed_fact_is_shown_with_what_speaks_against_it():
    claim = "The Gullwire cable car carries 30 people in each cabin."
    other = "The Gullwire cable car carries 45 people in each cabin."
    report = report_on(
        (claim, A, {}), (other, B, {}), answer=[Sentence(text=claim, evidence=[0])], parts=["factcheck"]
    )
    fact = report.parts["factcheck"]["claims"][0]
    assert (fact["verdict"], fact["for"], fact["against"]) == ("disputed", ["E1"], ["E2"])
    assert re.search(
        r"- \*\*disputed\*\* – .*\n  - \*\*against\*\* – .*45 people.*b\.example", report.report_markdown
    )


def test_the_claim_of_the_question_itself_is_checked_first():
    goal = "is it true that the Gullwire cable car carries 45 people in each cabin?"
    said = "The Gullwire cable car carries 30 people in each cabin."
    denied = report_on((said, A, {}), goal=goal, parts=["factcheck"]).parts["factcheck"]["claims"][0]
    assert (denied["verdict"], denied["against"]) == ("denied", ["E1"])
    unproven = report_on((OLD, A, {}), goal=goal, parts=["factcheck"])
    assert unproven.parts["factcheck"]["claims"][0]["verdict"] == "unproven"
    assert (
        "**not proven: nothing that was read states it** – the Gullwire cable car" in unproven.report_markdown
    )


def test_a_part_about_which_nothing_was_read_says_so():
    report = report_on((OLD, A, {}), parts=["sentiment"])
    assert report.parts["sentiment"]["summary"] == (
        "Nothing that was read praises or criticises Gullwire cable car; pages of makers and shops do not count."
    )


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


def test_of_an_excerpt_one_sentence_about_the_subject_is_checked():
    excerpt = f"CLICK HERE FOR THE APP. Trains are late again this week. {OLD} The mayor gave a speech."
    answer = [Sentence(text=excerpt, evidence=[0], is_excerpt=True)]
    report = report_on((excerpt, A, {}), answer=answer, parts=["factcheck"])
    assert [one["claim"] for one in report.parts["factcheck"]["claims"]] == [OLD]
