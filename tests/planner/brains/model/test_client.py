import asyncio
import contextlib

import pytest

from planner.brains.model.brain import ModelBrain
from planner.brains.model.settings import ModelSettings
from research_crawler.core.errors import BadAnswer, BrainUnavailable, BudgetExhausted
from research_crawler.core.ports.models import Call
from tests.planner.brains.scripted_chat import LedgerBudget, ScriptedChat
from tests.planner.brains.views import view

SEARCH = {"action": "search", "query": "lamps", "reason": "to begin"}


def brain(chat, budget=None, **settings):
    return ModelBrain(chat, budget, ModelSettings(mind_model="big", reflex_model="quick", **settings))


async def test_a_call_is_reserved_and_paid_and_its_answer_is_kept(call):
    chat, budget = ScriptedChat(SEARCH), LedgerBudget()
    answered = await brain(chat, budget).decide(view(), call)
    assert answered.decision.queries == ["lamps"]
    assert list(budget.spent.items()) == [("j:1:planner:0:t", 120)]
    assert budget.reserved["j:1:planner:0:t"] > 600
    assert '"lamps"' in budget.kept["1:planner:0"]
    assert (call.usage.model_calls, call.usage.prompt_tokens, call.usage.completion_tokens) == (1, 100, 20)


async def test_a_takeover_finds_the_answer_and_does_not_ask_again(call):
    budget = LedgerBudget()
    await brain(ScriptedChat(SEARCH), budget).decide(view(), call)
    silent = ScriptedChat()
    again = Call(job="j", key="1", token="t2", deadline_s=60)
    answered = await brain(silent, budget).decide(view(), again)
    assert answered.decision.queries == ["lamps"]
    assert silent.asked == []
    assert again.usage.model_calls == 0


async def test_an_endpoint_that_asks_for_a_pause_is_tried_once_more(call):
    chat = ScriptedChat(BrainUnavailable("busy", retry_after_ms=50), SEARCH)
    budget = LedgerBudget()
    answered = await brain(chat, budget, origin="http://m.test:80").decide(view(), call)
    assert answered.decision.action == "search"
    assert budget.blocked == [("http://m.test:80", 50)]
    assert list(budget.spent.values()) == [0, 120]
    assert len(budget.reserved) == 2


async def test_a_pause_longer_than_the_time_left_is_not_waited_for(call):
    chat = ScriptedChat(BrainUnavailable("busy", retry_after_ms=120_000))
    with pytest.raises(BrainUnavailable):
        await brain(chat, LedgerBudget()).decide(view(), call)
    assert len(chat.asked) == 1


async def test_a_dead_endpoint_costs_nothing_and_a_slow_one_its_bound(call):
    budget = LedgerBudget()
    with pytest.raises(BrainUnavailable):
        await brain(ScriptedChat(BrainUnavailable("dead")), budget).decide(view(), call)
    assert list(budget.spent.values()) == [0]
    with pytest.raises(BrainUnavailable):
        await brain(ScriptedChat(BrainUnavailable("slow", maybe_paid=True)), budget).decide(view(), call)
    assert budget.spent["j:1:planner:1:t"] == budget.reserved["j:1:planner:1:t"]


async def test_the_model_is_not_asked_if_the_budget_is_exhausted(call):
    chat = ScriptedChat(SEARCH)
    with pytest.raises(BudgetExhausted):
        await brain(chat, LedgerBudget(ceiling=10)).decide(view(), call)
    assert chat.asked == []


async def test_an_answer_that_does_not_fit_the_schema_is_paid_and_counted_as_failed(call):
    budget = LedgerBudget()
    with pytest.raises(BadAnswer):
        await brain(ScriptedChat("I cannot do that."), budget).decide(view(), call)
    assert list(budget.spent.values()) == [120]
    assert (call.usage.failed_answers, call.usage.model_calls) == (1, 1)


async def test_no_call_is_started_without_time():
    chat = ScriptedChat(SEARCH)
    with pytest.raises(BrainUnavailable, match="no time"):
        await brain(chat).decide(view(), Call(job="j", key="1", token="t", deadline_s=0.1))
    assert chat.asked == []


async def test_waiting_for_a_permit_ends_with_the_deadline_and_costs_nothing():
    class Full(LedgerBudget):
        @contextlib.asynccontextmanager
        async def model_permit(self, origin, reservation, *, batch=False):
            await asyncio.sleep(60)
            yield

    budget = Full()
    with pytest.raises(BrainUnavailable, match="within"):
        await brain(ScriptedChat(), budget, timeout_s=1.0).decide(
            view(), Call(job="j", key="1", token="t", deadline_s=1.2)
        )
    assert list(budget.spent.values()) == [0]


async def test_roles_have_their_model_and_temperature(call):
    chat = ScriptedChat(SEARCH)
    await brain(chat).decide(view(), call)
    assert (chat.asked[0]["model"], chat.asked[0]["temperature"]) == ("big", 0.5)
    settings = ModelSettings(mind_model="big", reflex_model="quick", role_models={"report": "pen"})
    assert [settings.model_of(role) for role in ("extractor", "scorer", "report")] == ["big", "quick", "pen"]
    assert settings.temperature_of("scorer") == 0.3


async def test_a_call_has_a_timeout(call):
    chat = ScriptedChat(SEARCH)
    await brain(chat, LedgerBudget(), timeout_s=7.0).decide(view(), call)
    assert 6 < chat.asked[0]["timeout_s"] <= 7


async def test_waiting_for_a_slot_takes_nothing_from_the_time_of_the_call():
    class Slow(LedgerBudget):
        @contextlib.asynccontextmanager
        async def model_permit(self, origin, reservation, *, batch=False):
            await asyncio.sleep(1.5)
            yield

    chat = ScriptedChat(SEARCH)
    call = Call(job="j", key="1", token="t", deadline_s=1.2, longest_wait_s=30)
    answered = await brain(chat, Slow()).decide(view(), call)
    assert answered.decision.queries == ["lamps"]
    assert chat.asked[0]["timeout_s"] > 1.0
    assert call.watch.waited_s >= 1.5
    assert call.watch.worked_s < 1.0
