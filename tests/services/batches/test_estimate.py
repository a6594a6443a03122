"""What a batch is likely to take is told before it starts, with what that is computed from."""

from types import SimpleNamespace

import pytest

from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.batches import Batch
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.messages.events import Usage
from research_crawler.services.batches.estimate import estimate, estimate_text

URL = "https://api.example.com/v1"


async def estimated(tmp_path, *, jobs: int = 0, brain: str = "model", **settings):
    archive, config = MemoryArchive(), Config(home=tmp_path, **settings)
    usage = Usage(model_calls=4, prompt_tokens=10_000, completion_tokens=1_000)
    for n in range(jobs):
        job = Job(
            id=f"j{n}",
            state="completed",
            inputs=JobInputs(goal="g"),
            brain=brain,
            usage=usage,
            plan=PlanningState(spent_ms=36_000),
        )
        await archive.save_job(job, [], {})
    batch = Batch(id="b", template="{x}", inputs=JobInputs(goal="{x}"), brain=brain, rows=100)
    found = await estimate(SimpleNamespace(config=config, container=SimpleNamespace(archive=archive)), batch)
    return found, estimate_text(found)


async def test_an_estimate_goes_by_the_jobs_that_were_finished_here(tmp_path):
    found, line = await estimated(
        tmp_path, jobs=5, mind_model="gpt-4o-mini", openai_base_url=URL, batch_places=10
    )
    assert found.tokens == 1_100_000
    assert found.usd == pytest.approx(100 * (10_000 * 0.15 + 1_000 * 0.6) / 1e6)
    assert found.costs_money
    assert found.hours == pytest.approx(0.1)
    assert "the last 5 jobs of the depth “standard” here" in line
    assert "prices of" in line


async def test_without_jobs_a_model_or_a_price_it_says_so(tmp_path):
    found, line = await estimated(tmp_path, mind_model="my-model", openai_base_url=URL)
    assert found.usd is None
    assert "not known" in line
    assert "a typical job of the depth “standard”" in line
    assert "about 3 min to 16 min, told more exactly while it runs" in line
    free, line = await estimated(tmp_path, brain="extractive")
    assert (free.tokens, free.usd, free.costs_money) == (0, 0.0, False)
    assert "tokens" not in line


async def test_an_estimate_says_how_long_it_takes_if_one_host_has_all_pages(tmp_path):
    found, line = await estimated(tmp_path, brain="extractive", batch_places=16)
    assert found.longest_hours == pytest.approx(100 * 7.5 * 5 / 3_600)
    assert "up to 1.0 h if all pages are on one host" in line
