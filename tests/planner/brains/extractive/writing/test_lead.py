from planner.brains.extractive.brain import ExtractiveBrain
from research_crawler.core.models.drafts import ReportView
from tests.planner.brains.views import finding

QUESTION = "Which MPM does Apache use by default on Linux, and when would prefork be chosen?"
EMPTY = "At the user level, MPMs appear much like other Apache modules on Linux."
ANSWER = "On Linux the default will almost always be event, because such systems support threads."


async def test_a_sentence_with_the_names_of_a_question_and_nothing_that_it_asks_does_not_lead(embedder, call):
    view = ReportView(
        goal=QUESTION, findings=[finding(EMPTY, "http://a.test/1"), finding(ANSWER, "http://a.test/2")]
    )
    draft = await ExtractiveBrain(embedder).write(view, call)
    leading = [one.text for one in draft.answer if not one.is_excerpt]
    assert EMPTY not in leading
