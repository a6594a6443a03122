from planner.brains.extractive.writing.report_digest import digest_report
from research_crawler.core.models.drafts import ReportView
from tests.planner.brains.views import finding

ONE = "The state pays a subsidy of 12 million crowns a year, according to the ministry."
OTHER = "The subsidy of the state is 15 million crowns a year, it says there in section 8."


async def test_a_digest_begins_with_both_values_where_no_sentence_is_near_the_question(embedder):
    """And with the newer one alone where it has replaced the other."""

    def view(old):
        return ReportView(
            goal="How much subsidy a year does the Polaris night train get from the state?",
            intent="informational",
            language="en",
            findings=[
                finding(
                    f"{ONE} Without that, says Polaris, the beds would be twice as dear.",
                    "http://a.test/",
                    title="The night train comes back",
                    published=old,
                ),
                finding(
                    f"We have read the contract. {OTHER}",
                    "http://b.test/",
                    title="Who pays for the beds?",
                    published="2026-10-05",
                ),
            ],
        )

    draft = await digest_report(view("2026-09-11"), embedder)
    assert {sentence.text for sentence in draft.answer[:2]} == {ONE, OTHER}
    draft = await digest_report(view("2021-09-11"), embedder)
    assert draft.answer[0].text == OTHER
    assert "disputed" not in draft.certainty
    assert not any("12 million" in sentence.text for sentence in draft.answer)
