import tomllib
from pathlib import Path

from planner.brains.extractive.extractive_brain import ExtractiveBrain
from planner.goal.intent import detect_intent, priorities
from planner.goal.report_language import report_language
from planner.types.searching import detect_type
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.text.languages.words import terms

ORDINARY = tomllib.loads(Path(__file__).with_name("ordinary_goals.toml").read_text("utf-8"))["goals"]
BUYING = (
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
)
ASKING = (
    "what are the best budget gaming laptops",
    "can you tell me about jessika aro?",
    "What is the best laptop under $800?",
    "find papers on sleep",
    "find me scientific papers on sleep",
    "best noise cancelling headphones",
    "politicians under 30 years",
)


def test_goals_of_buyers_ask_for_offers_and_questions_for_knowledge():
    told = {goal: detect_intent(goal) for goal in (*BUYING, *ASKING)}
    right = sum((told[goal] == "commerce") == (goal in BUYING) for goal in told)
    assert right >= 0.95 * len(told), told


def test_no_ordinary_goal_is_shopping_or_technical_research():
    intents = {case["goal"]: detect_intent(case["goal"]) for case in ORDINARY}
    kinds = {goal: (intent, detect_type(goal, intent)) for goal, intent in intents.items()}
    assert {goal: kind for goal, kind in kinds.items() if kind != ("informational", "general")} == {}


async def test_the_search_for_an_ordinary_goal_keeps_its_subject(call):
    lost = {}
    for case in ORDINARY:
        goal = case["goal"]
        view = PlannerView(
            goal=goal, language=report_language(goal), remaining_searches=2, remaining_visits=4
        )
        answered = await ExtractiveBrain(HashEmbedder()).decide(view, call)
        wanted = {stem for word in case["subject"] for stem in terms(word)}
        lost[goal] = wanted - set(terms(" ".join(answered.decision.queries)))
    assert {goal: words for goal, words in lost.items() if words} == {}


def test_priorities_are_the_goals_own_words():
    found = priorities("Find the CHEAPEST and quietest laptop, best under 800")
    assert found == ["cheapest", "quietest", "best"]
    assert priorities("how do heat pumps work") == []
