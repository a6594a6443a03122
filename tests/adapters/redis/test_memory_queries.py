"""Questions of one process to the memory of another, over Redis."""

import asyncio
import time

import pytest

from research_crawler.adapters.redis.memory_queries import MemoryQueries
from research_crawler.core.models.archive.memory import MemoryAnswer, MemoryQuery
from research_crawler.core.tasks.end_tasks import end_tasks

QUERY = MemoryQuery(text="why is grass green")


@pytest.fixture
async def answering(redis_client):
    """Starts processes that answer, and ends them."""
    tasks = []

    def start(answer):
        tasks.append(asyncio.create_task(MemoryQueries(redis_client).answer_all(answer)))

    yield start
    await end_tasks(tasks)


async def test_the_process_with_the_index_answers_each_question_to_the_one_that_asked_it(
    redis_client, answering
):
    async def answer(query):
        return MemoryAnswer(query=query.text)

    answering(answer)
    asked = [MemoryQueries(redis_client).ask(MemoryQuery(text=f"question {n}")) for n in range(8)]
    assert [found.query for found in await asyncio.gather(*asked)] == [f"question {n}" for n in range(8)]


async def test_without_an_answer_a_process_waits_for_its_time_and_leaves_nothing_behind(
    redis_client, answering
):
    begun = time.monotonic()
    assert await MemoryQueries(redis_client).ask(QUERY, wait_s=0.3) is None
    assert time.monotonic() - begun < 20
    assert await redis_client.keys("*recall*") == []


async def test_an_index_that_is_not_ready_answers_nothing_and_the_next_question_is_answered(
    redis_client, answering
):
    answers = iter([None, MemoryAnswer(query="later")])

    async def answer(query):
        return next(answers)

    answering(answer)
    questions = MemoryQueries(redis_client)
    assert await questions.ask(QUERY, wait_s=0.5) is None
    assert (await questions.ask(QUERY)).query == "later"


async def test_a_question_of_a_newer_process_is_passed_over(redis_client, answering):
    async def answer(query):
        return MemoryAnswer(query=query.text)

    await redis_client.rpush("research:recall", '{"v": 99, "id": "x", "query": {}}', "no json")
    answering(answer)
    assert (await MemoryQueries(redis_client).ask(QUERY)).query == QUERY.text
