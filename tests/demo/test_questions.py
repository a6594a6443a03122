"""Tests that every planted fact is on its pages and can be found."""

import re

import pytest
import trafilatura

from research_crawler.demo.content import World, load_world
from research_crawler.demo.demo_questions import (
    DemoQuestion,
    comparable_quote,
    load_questions,
    read_questions,
    score,
)
from research_crawler.demo.index import SearchIndex
from research_crawler.demo.rendering import Renderer
from tests.cases import each_case

FACTS = [fact for question in read_questions() for fact in question.facts]


def sentences(text: str) -> list[str]:
    return [piece for piece in re.split(r"(?<=[.!?])\s+|\n+", text) if piece.strip()]


@pytest.fixture(scope="module")
def world() -> World:
    return load_world()


@pytest.fixture(scope="module")
def renderer(world: World) -> Renderer:
    return Renderer(world, {key: f"http://{host.ip}:8080" for key, host in world.hosts.items()})


@pytest.fixture(scope="module")
def extracted(world: World, renderer: Renderer) -> dict[str, list[str]]:
    """The sentences of every page that states a fact, as trafilatura reads it."""
    wanted = {url for question in read_questions() for fact in question.facts for url in fact.urls}
    texts = {
        ref: trafilatura.extract(renderer.page(world.pages[ref]), output_format="markdown") for ref in wanted
    }
    return {ref: sentences(text or "") for ref, text in texts.items()}


def test_each_page_of_a_fact_has_a_sentence_that_states_it(extracted: dict[str, list[str]]) -> None:
    for fact in FACTS:
        assert fact.urls, fact
        for url in fact.urls:
            assert any(fact.is_stated_in(sentence) for sentence in extracted[url]), (fact, url)


def test_there_are_enough_questions_facts_and_hosts() -> None:
    questions = read_questions()
    assert len(questions) >= 14
    assert len({question.id for question in questions}) == len(questions)
    assert all(len(question.facts) >= 3 for question in questions)
    for question in questions:
        assert len({url.split(":")[0] for fact in question.facts for url in fact.urls}) >= 2
    hosts = {url.split(":")[0] for question in questions for fact in question.facts for url in fact.urls}
    assert len(hosts) >= 6


def test_no_question_or_summary_states_a_fact(world: World) -> None:
    shown = [question.goal for question in read_questions()]
    shown += [page.summary for page in world.pages.values()]
    for question in read_questions():
        for fact in question.facts:
            assert not any(fact.is_stated_in(text) for text in shown), (question.id, fact.id)


@pytest.fixture(scope="module")
def index(world: World, renderer: Renderer) -> SearchIndex:
    """All pages that the search of the small web lists."""
    return SearchIndex((ref, page, renderer.text(page)) for ref, page in world.pages.items() if page.listed)


@each_case("question", read_questions())
def test_a_plain_question_finds_half_of_its_pages_among_the_first_twenty(
    question: DemoQuestion, index: SearchIndex
) -> None:
    found = {hit.reference for number in (1, 2) for hit in index.search(question.goal, number=number)[0]}
    pages = {url for fact in question.facts for url in fact.urls}
    assert len(found & pages) >= len(pages) / 2
    assert found - pages, "there are no decoys"


@each_case("question", read_questions())
def test_a_decoy_shares_the_questions_words_but_not_its_facts(
    question: DemoQuestion, world: World, renderer: Renderer, index: SearchIndex
) -> None:
    right = {url for fact in question.facts for url in fact.urls}
    hits = {hit.reference for hit in index.search(question.goal)[0]} - right
    for reference in hits:
        spoken = sentences(renderer.text(world.pages[reference]))
        stated = [fact.id for fact in question.facts if any(fact.is_stated_in(piece) for piece in spoken)]
        assert len(stated) <= len(question.facts) / 2, (reference, stated)


def test_a_quote_counts_only_with_a_correct_citation() -> None:
    hosts = {key: f"http://{host.ip}:9" for key, host in load_world().hosts.items()}
    question = next(q for q in load_questions(hosts) if q.id == "line-7")
    quote = "A single ticket costs **2.80 crowns** from January."
    right = score(question, [{"quote": quote, "url": hosts["council"] + "/transport/line-7#fares"}])
    wrong = score(question, [{"quote": quote, "url": hosts["lore"] + "/marrowby"}])
    assert (right.found, right.wrongly_cited) == (1, ())
    assert (wrong.found, wrong.wrongly_cited) == (0, ("fare",))
    assert "fare" not in right.missed
    assert right.share == pytest.approx(1 / len(question.facts))


def test_a_fact_is_recognised_despite_marks_and_dashes() -> None:
    assert comparable_quote("`idle_session_limit` is **270\u00a0s**, [see](http://x/y) 3\u20135") == (
        "idle_session_limit is 270 s , see 3-5"
    )
