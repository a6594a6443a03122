import pytest

from planner.brains.extractive.writing.write import write_answer
from research_crawler.core.models.drafts import ReportView
from tests.planner.brains.views import finding

PICK = "For a small garden we would buy the Kestrel Duo 24."
FINDINGS = [
    finding(
        f"Nearly as good. It is a little louder. {PICK}",
        "http://a.test/shredders",
        title="Garden shredders tested",
        kind="recommended_product",
    ),
    finding(
        "Kestrel Duo 24 is our pick for quiet garden shredders.",
        "http://b.test/short-list",
        title="Quiet garden shredders",
        kind="recommended_product",
    ),
    finding("The Larch 3 garden shredder takes 40 mm.", "http://c.test/", title="Larch 3 garden shredder"),
]


@pytest.mark.parametrize(
    ("goal", "leads"),
    [
        ("What is the best quiet garden shredder?", True),
        ("How thick may a branch be for the Larch 3 garden shredder?", False),
    ],
)
async def test_what_hosts_recommend_leads_the_answer_to_a_question_for_the_best_one(embedder, goal, leads):
    draft = await write_answer(ReportView(goal=goal, intent="commerce", findings=FINDINGS), embedder)
    first = {sentence.text for sentence in draft.answer[:2]}
    assert (first == {PICK, FINDINGS[1].quote}) is leads
    assert len({sentence.text for sentence in draft.answer}) == len(draft.answer)
