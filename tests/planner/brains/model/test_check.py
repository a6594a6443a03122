import pytest

from planner.brains.model.brain import ModelBrain
from planner.brains.model.settings import ModelSettings
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.models.checks import CheckRequest, StatementToCheck
from research_crawler.core.ports.models import Call
from tests.planner.brains.scripted_chat import ScriptedChat

REQUEST = CheckRequest(
    statements=[
        StatementToCheck(text="It is fast.", quotes=["Quick it is."], sources=["The pump > Speed | a.test"]),
        StatementToCheck(text="B.", quotes=["C."]),
    ]
)


@pytest.fixture
def call():
    return Call(job="j", key="1", token="t", deadline_s=5)


async def test_a_model_judges_all_statements_in_one_call(call):
    chat = ScriptedChat(
        {
            "statements": [
                {"id": "S1", "verdict": "supported", "reworded": "ignored"},
                {"id": "S2", "verdict": "partly", "reworded": "Only  this."},
                {"id": "S9", "verdict": "supported", "reworded": ""},
                {"id": "S1", "verdict": "great", "reworded": ""},
            ]
        }
    )
    checks = await ModelBrain(chat, None, ModelSettings()).check(REQUEST, call)
    assert [(one.place, one.verdict, one.reworded) for one in checks.checked] == [
        (0, "supported", ""),
        (1, "partly", "Only this."),
    ]
    assert len(chat.asked) == 1
    assert "S1. It is fast." in chat.asked[0]["user"]
    assert "“Quick it is.” | The pump > Speed | a.test\n" in chat.asked[0]["user"]
    assert "quote: “Quick it is.”" in chat.asked[0]["user"]


async def test_an_answer_about_no_statement_is_a_failed_one(call):
    chat = ScriptedChat({"statements": [{"id": "S7", "verdict": "supported", "reworded": ""}]})
    with pytest.raises(BadAnswer, match="none of the model's verdicts"):
        await ModelBrain(chat, None, ModelSettings()).check(REQUEST, call)
    assert call.usage.failed_answers == 1


async def test_nothing_is_asked_about_nothing(call):
    chat = ScriptedChat()
    assert (await ModelBrain(chat, None, ModelSettings()).check(CheckRequest(), call)).checked == []
    assert chat.asked == []
