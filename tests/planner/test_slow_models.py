"""A call of a model that lasts longer than any claim is made once: who makes it keeps the job."""

import hashlib

import pytest
from pydantic import SecretStr

from benchmarks.models import scripted_model
from planner import worker
from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from research_crawler.adapters.models.openai_chat import OpenAIChat
from research_crawler.adapters.redis.budgets import RedisBudget
from research_crawler.frontier import scripts
from research_crawler.frontier.scripts import Script, load_script
from tests.planner.test_worker import World, job_named

SLOW_S = 2.4


@pytest.fixture
def short_claims(monkeypatch):
    """Claims of 1.8 s that are renewed for 0.9 s, where others last 15 s and 300 s."""

    def shortened(name):
        source = load_script(name).source.decode()
        source = source.replace("LEASE_MAX_MS = 300000", "LEASE_MAX_MS = 900").replace(
            "CLAIM_MS = 15000 ", "CLAIM_MS = 1800 "
        )
        return Script(source.encode(), hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())

    monkeypatch.setattr(scripts, "load_script", shortened)
    monkeypatch.setattr(worker, "RENEW_S", 0.4)


@pytest.fixture
async def slow_model():
    model = scripted_model.Model()
    model.latency_s = {"planner": SLOW_S, "report": SLOW_S}
    runner = await scripted_model.served(model)
    yield model, f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    await runner.cleanup()


async def test_an_answer_that_takes_longer_than_any_claim_is_asked_for_once(
    short_claims, slow_model, redis_client, tmp_path
):
    model, url = slow_model
    world, budget = World(redis_client), RedisBudget(redis_client)
    chat = OpenAIChat(url, SecretStr("key"), "scripted")
    world.brains["slow"] = ModelBrain(chat, budget, ModelSettings(origin=url))
    async with world.running(world.worker(), world.worker()):
        await world.jobs.submit(job_named("slow").changed(brain="model", folder=str(tmp_path)))
        record = await world.ended("slow", within_s=30)
    await chat.close()
    await budget.close()
    assert record.state == "completed", record.plan.fallback
    assert not record.plan.fallback
    prompts = [(call["role"], call["prompt"]) for call in model.calls]
    assert len(prompts) == len(set(prompts)) >= 2
    assert record.by_role["planner"].calls == sum(call["role"] == "planner" for call in model.calls)
