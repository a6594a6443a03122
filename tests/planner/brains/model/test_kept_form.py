"""A model that does not keep to the planner's large schema is asked with flat ones."""

import pytest

from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from research_crawler.adapters.models.request_forms import KeptSchemas, RequestForm, RequestFormCache
from research_crawler.core.brain_errors import BadAnswer
from tests.planner.brains.scripted_chat import ScriptedChat
from tests.planner.brains.views import follow_up

SEARCH = {"action": "search", "query": "lamps", "reason": "to begin"}
BAD = '{"action": {"of": "course"'


def brain(*answers, memory=None):
    chat = ScriptedChat(*answers)
    return ModelBrain(chat, None, ModelSettings(mind_model="seven"), memory=memory), chat


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


async def test_the_next_process_begins_with_the_schemas_that_the_model_keeps_to(call, tmp_path):
    def memory(model="seven"):
        return KeptSchemas(RequestFormCache(tmp_path / "model_forms.json"), f"http://local/v1 {model}")

    asked, _ = brain(BAD, BAD, SEARCH, memory=memory())
    with pytest.raises(BadAnswer):
        await asked.decide(follow_up(), call)
    await asked.decide(follow_up(), call)
    later, chat = brain(SEARCH, memory=memory())
    await later.decide(follow_up(), call)
    other, other_chat = brain(SEARCH, memory=memory("other"))
    await other.decide(follow_up(), call)
    assert (is_flat(chat.asked[0]), is_flat(other_chat.asked[0])) == (True, False)


async def test_a_model_that_kept_to_the_large_schema_is_not_asked_with_less_in_a_later_process(
    call, tmp_path
):
    memory = KeptSchemas(RequestFormCache(tmp_path / "model_forms.json"), "http://local/v1 seven")
    asked, _ = brain(SEARCH, memory=memory)
    await asked.decide(follow_up(), call)
    later, chat = brain(BAD, BAD, memory=memory)
    for _ in range(2):
        with pytest.raises(BadAnswer):
            await later.decide(follow_up(), call)
    assert not any(is_flat(sent) for sent in chat.asked)


def test_what_is_known_of_a_models_schemas_outlives_another_form_of_request(tmp_path):
    cache = RequestFormCache(tmp_path / "model_forms.json")
    cache.keep("a b", RequestForm(form=1), "me")
    cache.keep_schemas("a b", "flat")
    cache.keep("a b", RequestForm(form=2), "me")
    assert (cache.schemas_of("a b"), cache.form_of("a b").form, cache.has_answered("a b", "me")) == (
        "flat",
        2,
        True,
    )
