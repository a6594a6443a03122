"""A model that does not keep to the planner's large schema is asked with flat ones."""

import pytest

from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from research_crawler.core.brain_errors import BadAnswer
from tests.planner.brains.scripted_chat import ScriptedChat
from tests.planner.brains.views import follow_up

SEARCH = {"action": "search", "query": "lamps", "reason": "to begin"}
BAD = '{"action": {"of": "course"'


def brain(*answers):
    chat = ScriptedChat(*answers)
    return ModelBrain(chat, None, ModelSettings(mind_model="seven")), chat


def is_flat(sent):
    kinds = [one.get("items", one).get("type") for one in sent["schema"]["properties"].values()]
    return "object" not in kinds


async def test_a_model_that_fails_twice_at_first_is_asked_with_flat_schemas_from_then_on(call):
    asked, chat = brain(BAD, BAD, SEARCH, SEARCH)
    with pytest.raises(BadAnswer):
        await asked.decide(follow_up(), call)
    for _ in range(2):
        assert (await asked.decide(follow_up(), call)).decision.queries == ["lamps"]
    assert [is_flat(sent) for sent in chat.asked] == [False, False, True, True]
    assert len(chat.asked[-1]["system"]) < len(chat.asked[0]["system"]) / 2


async def test_one_accident_changes_nothing(call):
    asked, chat = brain(BAD, SEARCH, SEARCH)
    with pytest.raises(BadAnswer):
        await asked.decide(follow_up(), call)
    await asked.decide(follow_up(), call)
    await asked.decide(follow_up(), call)
    assert not any(is_flat(sent) for sent in chat.asked)


async def test_a_model_that_kept_to_the_schema_once_is_never_asked_with_less(call):
    asked, chat = brain(SEARCH, BAD, BAD, BAD)
    await asked.decide(follow_up(), call)
    for _ in range(3):
        with pytest.raises(BadAnswer):
            await asked.decide(follow_up(), call)
    assert not any(is_flat(sent) for sent in chat.asked)
