import tomllib
from pathlib import Path

import pytest

from planner.brains.extractive.extractive_brain import ExtractiveBrain
from planner.goal.intent import detect_intent, priorities
from planner.goal.report_language import report_language
from planner.types.searching import detect_type
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.text.languages.words import terms

ORDINARY = tomllib.loads(Path(__file__).with_name("ordinary_goals.toml").read_text("utf-8"))["goals"]


@pytest.mark.parametrize(
    "goal",
    [
        "find me a cheap gaming laptop",
        "Find me a cheap gaming laptop with an RTX card",
        "please find me a quiet dishwasher",
        "buy a standing desk",
        "I want to buy a phone",
        "where can I buy a chair",
        "Wo kann ich einen Kinderwagen kaufen?",
        "laptop under $800",
        "Monitor unter 300 Franken",
        "cheap gaming laptop with an RTX card",
        "the cheapest SSD with 2 TB",
        "günstiger Laptop für Studenten",
        "portátil barato para estudiantes",
        "trouve-moi un vélo électrique",
    ],
)
def test_a_wish_to_buy_at_the_beginning_a_cheap_thing_and_a_highest_price_ask_for_offers(goal):
    assert detect_intent(goal) == "commerce"


@pytest.mark.parametrize(
    "goal",
    [
        "what are the best budget gaming laptops",
        "can you tell me about jessika aro?",
        "What is the best laptop under $800?",
        "find papers on sleep",
        "find me scientific papers on sleep",
        "best noise cancelling headphones",
        "politicians under 30 years",
    ],
)
def test_questions_and_other_goals_ask_for_knowledge(goal):
    assert detect_intent(goal) == "informational"


@pytest.mark.parametrize("case", ORDINARY, ids=lambda case: case["goal"][:40])
def test_an_ordinary_goal_is_no_shopping_and_no_technical_research(case):
    intent = detect_intent(case["goal"])
    assert (intent, detect_type(case["goal"], intent)) == ("informational", "general")


@pytest.mark.parametrize("case", ORDINARY, ids=lambda case: case["goal"][:40])
async def test_the_search_for_an_ordinary_goal_keeps_its_subject(case, call):
    view = PlannerView(
        goal=case["goal"], language=report_language(case["goal"]), remaining_searches=2, remaining_visits=4
    )
    answered = await ExtractiveBrain(HashEmbedder()).decide(view, call)
    words = set(terms(" ".join(answered.decision.queries)))
    wanted = {stem for word in case["subject"] for stem in terms(word)}
    assert wanted <= words


def test_priorities_are_the_goals_own_words():
    found = priorities("Find the CHEAPEST and quietest laptop, best under 800")
    assert found == ["cheapest", "quietest", "best"]
    assert priorities("how do heat pumps work") == []
