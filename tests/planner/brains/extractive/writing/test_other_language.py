from planner.brains.extractive.writing.report_digest import digest_report
from planner.reports.report import RenderContext, assemble
from research_crawler.core.models.drafts import ReportView
from research_crawler.core.models.outline import Leaf, Outline, Section
from tests.planner.brains.views import finding
from tests.planner.scripted import a_job

GERMAN = "Wie bringe ich Git dazu, eine Datei nicht zu verfolgen?"
ENGLISH_PAGES = [
    finding("To stop tracking a file that is in the index, use git rm with the option --cached.", title="Git"),
    finding("The file stays in the working tree, and it is not in the next commit.", "http://b.test/1", title="Git"),
]  # fmt: skip
GERMAN_PAGE = finding(
    "Mit git rm --cached wird eine Datei nicht mehr verfolgt, und sie bleibt liegen.", title="Git"
)


async def drafted(embedder, findings, goal=GERMAN, **more):
    return await digest_report(ReportView(goal=goal, language="de", findings=findings, **more), embedder)


async def test_a_question_in_another_language_than_all_pages_is_not_answered_and_the_report_says_what_to_do(
    embedder,
):
    draft = await drafted(embedder, ENGLISH_PAGES)
    report = assemble(
        a_job(GERMAN).changed(state="completed"), ENGLISH_PAGES, draft, RenderContext("2026-01-02", 1.0)
    )
    answer = report.report_markdown.split("## Antwort\n\n")[1].split("\n\n## ")[0]
    assert report.exit_code == 3 and not report.claims and not report.key_findings
    assert "Deutsch" in answer and "Englisch" in answer and "--model auto" in answer
    assert report.warnings == [draft.why_not]
    assert report.report_markdown.count("--model auto") == 1


async def test_a_page_in_the_language_of_the_question_is_compared_with_it(embedder):
    draft = await drafted(embedder, [*ENGLISH_PAGES, GERMAN_PAGE])
    assert not draft.why_not and not draft.not_found


async def test_what_states_a_part_of_the_question_by_its_words_is_shown_in_any_language(embedder):
    leaf = Leaf(id="1.1", question=GERMAN, query="Git", evidence=[ENGLISH_PAGES[0].id], state="filled")
    outline = Outline(by="extractive", sections=[Section(id="1", title=GERMAN, leaves=[leaf])])
    assert not (await drafted(embedder, ENGLISH_PAGES, outline=outline)).why_not


async def test_where_nothing_was_found_the_report_says_with_which_pages_the_question_was_compared(embedder):
    assert "Seiten auf Deutsch" in (await drafted(embedder, [])).why_not
    assert not (await drafted(embedder, [], goal="How do I make git ignore a file?")).why_not
