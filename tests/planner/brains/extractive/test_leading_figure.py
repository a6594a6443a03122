from planner.brains.extractive.answering.write import write_answer
from research_crawler.core.models.reports.drafts import ReportView
from tests.planner.brains.views import finding

TALE = "The tower of Skelder has seen many storms. How many steps lead up the tower? Nobody minds the climb."
FACT = (
    "It was painted twice. As many as 214 steps lead up the tower of Skelder. "
    "The door of its lamp room has been green since the last storm."
)


async def test_the_sentence_that_gives_an_asked_figure_stands_first_and_its_excerpt_stays_whole(embedder):
    findings = [finding(TALE, "http://a.test/1"), finding(FACT, "http://b.test/1")]
    question = "How many steps lead up the tower of Skelder?"
    answer = (await write_answer(ReportView(goal=question, findings=findings), embedder)).answer
    assert answer[0].text == "As many as 214 steps lead up the tower of Skelder."
    assert answer[0].evidence == [1]
    assert FACT in [sentence.text for sentence in answer[1:]]


async def test_nothing_is_put_before_the_excerpts_where_no_figure_is_asked_for_or_none_is_given(embedder):
    findings = [finding(TALE, "http://a.test/1"), finding(FACT, "http://b.test/1")]
    for question in ("Why do storms hit the tower of Skelder?", "How heavy is the tower of Skelder?"):
        answer = (await write_answer(ReportView(goal=question, findings=findings), embedder)).answer
        assert {sentence.text for sentence in answer} <= {TALE, FACT}
