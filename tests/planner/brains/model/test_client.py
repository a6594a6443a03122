import asyncio
import contextlib
import json

import pytest

from planner.brains.fallback import FAILURES_IN_A_ROW, FallbackBrain
from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from planner.money.model_prices import ModelPrice
from prompts.loader import estimate_tokens
from research_crawler.core.brain_errors import BadAnswer, BrainUnavailable, BudgetExhausted, TooLate
from research_crawler.core.models.jobs.decisions import Answered, Decision
from research_crawler.core.ports.models import Call, ChatAnswer
from tests.planner.brains.scripted_chat import LedgerBudget, ScriptedChat
from tests.planner.brains.views import follow_up

SEARCH = {"action": "search", "query": "lamps", "reason": "to begin"}


def brain(chat, budget=None, **settings):
    return ModelBrain(chat, budget, ModelSettings(mind_model="big", reflex_model="quick", **settings))


async def test_a_call_is_reserved_and_paid_and_its_answer_is_kept(call):
    chat, budget = ScriptedChat(SEARCH), LedgerBudget()
    answered = await brain(chat, budget).decide(follow_up(), call)
    assert answered.decision.queries == ["lamps"]
    assert list(budget.spent.items()) == [("j:1:planner:0:t", 120)]
    assert budget.reserved["j:1:planner:0:t"] > 600
    assert '"lamps"' in budget.kept["1:planner:0"]
    assert (call.usage.model_calls, call.usage.prompt_tokens, call.usage.completion_tokens) == (1, 100, 20)


async def test_a_reservation_has_room_for_the_schema_that_is_sent_beside_the_prompt(call):
    chat, budget = ScriptedChat(SEARCH), LedgerBudget()
    await brain(chat, budget).decide(follow_up(), call)
    [asked] = chat.asked
    sent = (asked["system"], asked["user"], json.dumps(asked["schema"]))
    assert budget.reserved["j:1:planner:0:t"] == sum(map(estimate_tokens, sent)) + asked["max_tokens"]


async def test_tokens_are_counted_by_role_and_what_was_cached_is_cheaper(call):
    chat = ScriptedChat(ChatAnswer(json.dumps(SEARCH), 100, 20, "big", cached_tokens=80))
    prices = {"big": ModelPrice(sent=1.0, answered=2.0, cached=0.5)}
    await brain(chat, LedgerBudget(), prices=prices).decide(follow_up(), call)
    used = call.usage.by_role["planner"]
    assert (used.calls, used.prompt_tokens, used.cached_tokens, used.completion_tokens) == (1, 100, 80, 20)
    assert call.usage.usd == pytest.approx((20 + 80 * 0.5 + 20 * 2) / 1e6)


async def test_a_takeover_finds_the_answer_and_does_not_ask_again(call):
    budget = LedgerBudget()
    await brain(ScriptedChat(SEARCH), budget).decide(follow_up(), call)
    silent = ScriptedChat()
    again = Call(job="j", key="1", token="t2", deadline_s=60)
    answered = await brain(silent, budget).decide(follow_up(), again)
    assert answered.decision.queries == ["lamps"]
    assert silent.asked == []
    assert again.usage.model_calls == 0


async def test_an_endpoint_that_asks_for_a_pause_is_tried_once_more(call):
    chat = ScriptedChat(BrainUnavailable("busy", retry_after_ms=50), SEARCH)
    budget = LedgerBudget()
    answered = await brain(chat, budget, origin="http://m.test:80").decide(follow_up(), call)
    assert answered.decision.action == "search"
    assert budget.blocked == [("http://m.test:80", 50)]
    assert list(budget.spent.values()) == [0, 120]
    assert len(budget.reserved) == 2


async def test_a_pause_longer_than_the_time_left_is_not_waited_for(call):
    chat = ScriptedChat(BrainUnavailable("busy", retry_after_ms=120_000))
    with pytest.raises(BrainUnavailable):
        await brain(chat, LedgerBudget()).decide(follow_up(), call)
    assert len(chat.asked) == 1


async def test_a_dead_endpoint_costs_nothing_and_a_slow_one_its_bound(call):
    budget = LedgerBudget()
    with pytest.raises(BrainUnavailable):
        await brain(ScriptedChat(BrainUnavailable("dead")), budget).decide(follow_up(), call)
    assert list(budget.spent.values()) == [0]
    with pytest.raises(BrainUnavailable):
        await brain(ScriptedChat(BrainUnavailable("slow", maybe_paid=True)), budget).decide(follow_up(), call)
    assert budget.spent["j:1:planner:1:t"] == budget.reserved["j:1:planner:1:t"]


async def test_the_model_is_not_asked_if_the_budget_is_exhausted(call):
    chat = ScriptedChat(SEARCH)
    with pytest.raises(BudgetExhausted):
        await brain(chat, LedgerBudget(ceiling=10)).decide(follow_up(), call)
    assert chat.asked == []


async def test_an_answer_that_does_not_fit_the_schema_is_paid_and_counted_as_failed(call):
    budget = LedgerBudget()
    with pytest.raises(BadAnswer):
        await brain(ScriptedChat("I cannot do that."), budget).decide(follow_up(), call)
    assert list(budget.spent.values()) == [120]
    assert (call.usage.failed_answers, call.usage.model_calls) == (1, 1)


async def test_no_call_is_started_without_time():
    chat = ScriptedChat(SEARCH)
    with pytest.raises(BrainUnavailable, match="no time"):
        await brain(chat).decide(follow_up(), Call(job="j", key="1", token="t", deadline_s=0.1))
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
            follow_up(), Call(job="j", key="1", token="t", deadline_s=1.2)
        )
    assert list(budget.spent.values()) == [0]


async def test_roles_have_their_model_and_temperature(call):
    chat = ScriptedChat(SEARCH)
    await brain(chat).decide(follow_up(), call)
    assert (chat.asked[0]["model"], chat.asked[0]["temperature"]) == ("big", 0.5)
    settings = ModelSettings(mind_model="big", reflex_model="quick", role_models={"report": "pen"})
    assert [settings.model_of(role) for role in ("extractor", "scorer", "report")] == ["big", "quick", "pen"]
    assert settings.temperature_of("scorer") == 0.3


async def test_a_call_has_a_timeout(call):
    chat = ScriptedChat(SEARCH)
    await brain(chat, LedgerBudget(), timeout_s=7.0).decide(follow_up(), call)
    assert 6 < chat.asked[0]["timeout_s"] <= 7


async def test_waiting_for_a_slot_takes_nothing_from_the_time_of_the_call():
    class Slow(LedgerBudget):
        @contextlib.asynccontextmanager
        async def model_permit(self, origin, reservation, *, batch=False):
            await asyncio.sleep(1.5)
            yield

    chat = ScriptedChat(SEARCH)
    call = Call(job="j", key="1", token="t", deadline_s=1.2, longest_wait_s=30)
    answered = await brain(chat, Slow()).decide(follow_up(), call)
    assert answered.decision.queries == ["lamps"]
    assert chat.asked[0]["timeout_s"] > 1.0
    assert call.watch.waited_s >= 1.5
    assert call.watch.worked_s < 1.0


def cut(text="", *, has_reasoned=False):
    return ChatAnswer(text, 100, 20, "big", is_cut=True, has_reasoned=has_reasoned)


async def test_an_answer_that_was_cut_off_is_asked_for_once_more_with_more_tokens(call):
    chat, budget = ScriptedChat(cut(), SEARCH), LedgerBudget()
    answered = await brain(chat, budget).decide(follow_up(), call)
    assert answered.decision.queries == ["lamps"]
    first, second = (asked["max_tokens"] for asked in chat.asked)
    assert second >= 8_000 > first
    assert next(iter(budget.kept.values())) == ""
    assert (call.usage.model_calls, call.usage.failed_answers) == (2, 0)


async def test_a_model_that_never_gets_to_its_answer_is_told_apart_from_broken_json(call):
    chat = ScriptedChat(cut(), cut())
    with pytest.raises(BadAnswer, match="RESEARCH_REASONING_ANSWER_TOKENS"):
        await brain(chat, LedgerBudget()).decide(follow_up(), call)
    assert len(chat.asked) == 2
    assert call.usage.failed_answers == 1


async def test_the_longer_of_two_answers_that_were_cut_off_is_used(call):
    begun = json.dumps(SEARCH)[:-1]
    answered = await brain(ScriptedChat(cut(begun), cut('{"act')), LedgerBudget()).decide(follow_up(), call)
    assert answered.decision.queries == ["lamps"]


async def test_a_cut_answer_serves_if_the_second_try_fails(call):
    chat = ScriptedChat(cut(json.dumps(SEARCH)[:-1]), BrainUnavailable("context is too small"))
    answered = await brain(chat, LedgerBudget()).decide(follow_up(), call)
    assert answered.decision.queries == ["lamps"]


async def test_a_takeover_asks_again_for_an_answer_that_was_cut_off(call):
    budget = LedgerBudget()
    with pytest.raises(BrainUnavailable):
        await brain(ScriptedChat(cut(), BrainUnavailable("dead")), budget).decide(follow_up(), call)
    chat = ScriptedChat(SEARCH)
    again = Call(job="j", key="1", token="t2", deadline_s=60)
    assert (await brain(chat, budget).decide(follow_up(), again)).decision.queries == ["lamps"]


async def test_a_model_that_was_seen_to_think_gets_room_for_it_from_then_on(call):
    thought = ChatAnswer(json.dumps(SEARCH), 100, 900, "big", has_reasoned=True)
    chat = ScriptedChat(thought, SEARCH)
    asked = brain(chat, LedgerBudget())
    await asked.decide(follow_up(), call)
    await asked.decide(follow_up(), call)
    first, second = (asked["max_tokens"] for asked in chat.asked)
    assert first < 8_000 <= second


async def test_a_role_has_the_answer_tokens_of_the_settings(call):
    from research_crawler.core.config import Config

    config = Config(MIND_MODEL="big", role_answer_tokens={"planner": 9_000}, reasoning_answer_tokens=0)
    chat = ScriptedChat(cut(json.dumps(SEARCH)))
    await ModelBrain.from_config(config, chat).decide(follow_up(), call)
    assert [asked["max_tokens"] for asked in chat.asked] == [9_000]


class SlowChat(ScriptedChat):
    """Needs a while for each answer, and keeps to the time that it is given."""

    def __init__(self, *answers, seconds):
        super().__init__(*answers)
        self.seconds = seconds

    async def complete(self, **asked):
        if asked["timeout_s"] < self.seconds:
            await asyncio.sleep(asked["timeout_s"])
            raise BrainUnavailable("no answer", maybe_paid=True, is_timeout=True)
        await asyncio.sleep(self.seconds)
        return await super().complete(**asked)


@pytest.mark.parametrize("budget", [None, LedgerBudget()])
async def test_the_time_of_a_models_answer_is_no_work_of_the_job(budget):
    call = Call(job="j", key="1", token="t", deadline_s=30)
    await brain(SlowChat(SEARCH, seconds=1.2), budget).decide(follow_up(), call)
    assert call.watch.waited_s >= 1.2
    assert call.watch.worked_s < 1.0


async def test_an_answer_for_which_the_job_had_no_time_is_not_the_endpoints_fault():
    class Plain:
        name = "plain"

        async def decide(self, view, call):
            return Answered(by="plain", decision=Decision(action="done", reason="enough"))

    chat, budget = SlowChat(SEARCH, seconds=5), LedgerBudget()
    both = FallbackBrain(brain(chat, budget), Plain())
    for number in range(FAILURES_IN_A_ROW):
        late = await both.decide(follow_up(), Call(job="j", key=str(number), token="t", deadline_s=1.1))
        assert "time left" in late.note
    chat.seconds = 0
    assert (await both.decide(follow_up(), Call(job="j", key="9", token="t", deadline_s=30))).by == "model"


async def test_an_answer_later_than_the_endpoints_own_time_is_its_fault(call):
    with pytest.raises(BrainUnavailable) as failed:
        await brain(SlowChat(SEARCH, seconds=5), LedgerBudget(), timeout_s=1.1).decide(follow_up(), call)
    assert not isinstance(failed.value, TooLate)
