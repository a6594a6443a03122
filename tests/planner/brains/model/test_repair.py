"""Answers that are no JSON, repaired in real parse processes."""

import time

import pytest

from prompts import repair
from prompts.answers import PlannerAnswer, parse_answer_by
from prompts.repair import repair_by
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.extraction.process.pool import ParsePool


@pytest.fixture(scope="module")
def pool():
    made = ParsePool(1)
    made.start()
    yield made
    made.close()


async def test_a_broken_answer_is_repaired_in_another_process(pool):
    text = 'Sure: ```json\n{"action": "search", "query": "lamps", "reason": "why",'
    answer = await parse_answer_by(repair_by(pool), PlannerAnswer, text)
    assert (answer.action, answer.query) == ("search", "lamps")


@pytest.mark.parametrize("text", ["I would rather not.", "", "{" * 20_000])
async def test_a_text_of_which_no_answer_can_be_made_is_refused(pool, text):
    with pytest.raises(BadAnswer):
        await parse_answer_by(repair_by(pool), PlannerAnswer, text)


async def test_a_repair_that_takes_too_long_is_ended_and_costs_this_process_nothing(pool, monkeypatch):
    monkeypatch.setattr(repair, "REPAIR_SECONDS", 0.2)
    text = '{"action": "search", "query": "' + "a" * 199_000  # a second of work
    begun = time.process_time()
    with pytest.raises(BadAnswer, match="takes too long"):
        await parse_answer_by(repair_by(pool), PlannerAnswer, text)
    assert time.process_time() - begun < 0.5
