"""Every planted fact is on its pages, and there is enough of every kind."""

import re
from collections import Counter

import pytest
import trafilatura

from benchmarks.reporting.report_web.series import EACH
from benchmarks.reporting.report_web.world import TRAP, local_questions, local_world, own_pages
from research_crawler.demo.content import World
from research_crawler.demo.demo_questions import comparable_quote
from research_crawler.demo.rendering import Renderer

QUESTIONS = local_questions()


@pytest.fixture(scope="module")
def world() -> World:
    return local_world(8080)


@pytest.fixture(scope="module")
def renderer(world: World) -> Renderer:
    return Renderer(world, {key: f"http://{host.ip}:8080" for key, host in world.hosts.items()})


@pytest.fixture(scope="module")
def sentences(world: World, renderer: Renderer) -> dict[str, list[str]]:
    """The sentences of every page that states a fact, as trafilatura reads it."""
    wanted = {url for question in QUESTIONS for fact in question.facts for url in fact.urls}
    texts = {
        url: trafilatura.extract(renderer.page(world.pages[url]), output_format="markdown") for url in wanted
    }
    return {url: re.split(r"(?<=[.!?])\s+|\n+", text or "") for url, text in texts.items()}


def test_each_page_of_a_fact_has_a_sentence_that_states_it(sentences):
    for fact in (fact for question in QUESTIONS for fact in question.facts):
        for url in fact.urls:
            assert any(fact.is_stated_in(sentence) for sentence in sentences[url]), (fact.id, url)


def test_stale_values_sides_and_orders_stand_on_pages(renderer):
    texts = [comparable_quote(renderer.text(page)) for page in own_pages(8080)]

    def stands(*patterns: str) -> bool:
        return any(all(re.search(pattern, text, re.I) for pattern in patterns) for text in texts)

    for question in QUESTIONS:
        assert question.stale is None or stands(*question.stale.accept), question.id
        assert all(any(stands(pattern) for pattern in side) for side in question.sides), question.id
        assert all(stands(re.escape(order)) for order in question.orders), question.id


def test_no_question_states_its_own_answer():
    for question in QUESTIONS:
        assert not any(fact.is_stated_in(question.goal) for fact in question.facts), question.id


def test_there_are_enough_questions_of_every_kind_in_both_halves():
    assert len(QUESTIONS) >= 40
    assert len({question.id for question in QUESTIONS}) == len(QUESTIONS)
    assert sum(question.hops > 1 for question in QUESTIONS) >= 10
    assert sum(bool(question.sides) for question in QUESTIONS) >= 8
    kinds = Counter("commerce" if question.shopping else question.type for question in QUESTIONS)
    assert min(kinds[kind] for kind in ("general", "news", "technical", "commerce")) >= 9
    halves = Counter(question.half for question in QUESTIONS)
    assert min(halves.values()) >= len(QUESTIONS) * 0.4


def test_there_are_enough_facts_of_questions_with_a_series_that_one_is_hardly_seen():
    with_series = [question for question in QUESTIONS if question.series]
    assert sum(len(question.facts) for question in with_series) >= 40
    assert {question.half for question in with_series} == {"open", "held"}


def test_no_page_leads_to_the_trap(world):
    assert not any(page.listed for page in world.pages.values() if page.host == TRAP)
    assert not any(f"]({TRAP}:" in page.body for page in world.pages.values())


def test_the_pages_of_a_series_are_many_and_filled_in(world):
    with_series = local_world(8080, has_series=True)
    series = with_series.pages.keys() - world.pages.keys()
    assert len(series) == 7 * EACH
    texts = {with_series.pages[reference].body for reference in series}
    assert len(texts) == len(series)
    assert not any("{" in text for text in texts)
