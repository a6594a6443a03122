import pytest

from planner.brains.extractive.asking.queries import (
    aspects,
    english_query,
    feedback_words,
    first_query,
    next_query,
)
from research_crawler.text.words import terms
from tests.planner.brains.views import finding, search, view


def test_a_follow_up_question_is_searched_with_the_subject_of_the_conversation():
    query = first_query(
        view(
            goal="can you tell me about jessika aro?",
            task="Research Jessika Aro",
            prior_turn_context="Discussion about Russian information warfare and troll farms",
            topic="Person (Jessika Aro)",
            year=2026,
        )
    )
    assert query == "jessika aro Russian information warfare troll farms"


def test_a_commerce_goal_is_searched_as_reviews_of_this_year():
    query = first_query(
        view(goal="Find me a cheap gaming laptop with an RTX card", intent="commerce", year=2026)
    )
    assert query == "cheap gaming laptop RTX card reviews 2026"


def test_a_year_in_the_goal_is_kept_and_none_is_added():
    assert first_query(view(goal="best laptops of 2024", year=2026)) == "best laptops 2024"
    assert "2026" in first_query(view(goal="best laptop", year=2026))
    assert "2026" not in first_query(view(goal="Who built the Skelder lighthouse?", year=2026))


def test_a_long_goal_becomes_a_short_query():
    assert len(first_query(view(goal=" ".join(f"word{i}" for i in range(60)))).split()) <= 17


def test_a_question_is_split_into_its_parts():
    assert aspects("What does a ticket cost and when does line 7 open?") == [
        "What does a ticket cost?",
        "When does line 7 open? (ticket cost)",
    ]
    assert aspects("How tall is the lighthouse?") == []


def test_the_next_query_is_never_one_that_was_used():
    asked = []
    for _ in range(8):
        query = next_query(view(searches=[search(q, i) for i, q in enumerate(asked, 1)]), ["ticket price"])
        if not query:
            break
        assert frozenset(terms(query)) not in {frozenset(terms(q)) for q in asked}
        asked.append(query)
    assert len(asked) >= 4


def test_a_different_query_has_a_word_of_its_own():
    old = first_query(view())
    query = next_query(view(searches=[search(old)]), different=True)
    assert set(terms(query)) - set(terms(old))


def test_a_gap_is_searched_for_together_with_the_subject():
    query = next_query(view(searches=[search("x")]), ["when was it built"])
    assert "Skelder" in query
    assert "built" in query


async def test_names_that_findings_share_are_learned(embedder):
    findings = [
        finding("The Velmar Pocket is the best hand grinder", "http://a.test/1"),
        finding("We took the Velmar Pocket on three trips", "http://b.test/1"),
    ]
    words = await feedback_words("best grinder for travel", findings, embedder)
    assert {"Velmar", "Pocket"} <= set(words)
    assert await feedback_words("best grinder", [], embedder) == []


@pytest.mark.parametrize(
    ("goal", "query"),
    [
        ("What is R good for?", "R good"),
        ("C++", "C++"),
        ("is C# faster than C++", "C# faster C++"),
        ("Is Go faster than Rust?", "Go faster Rust"),
        ("Go vs Rust", "Go Rust"),
        ("What is .NET, and who uses ASP.NET?", ".NET ASP.NET"),
        ("R&D at AT&T", "R&D AT&T"),
        ("what is I/O", "I/O"),
        ("What does the WHO say about vitamin A", "WHO vitamin A"),
        ("How To Fix A Leaking Tap", "Fix Leaking Tap"),
        ("WHAT IS A GOOD LAPTOP", "GOOD LAPTOP"),
        ("What is it?", "What is it?"),
    ],
)
def test_a_word_that_is_a_name_stays_in_the_query_as_it_is_written(goal, query):
    assert first_query(view(goal=goal)) == query


def test_a_url_in_the_goal_is_searched_as_the_name_of_its_site():
    goal = "what does https://www.example.com/a/b-c?x=1#y say about tariffs"
    assert first_query(view(goal=goal)) == "example.com tariffs"


def test_a_goal_that_is_only_a_url_is_searched_by_site_and_path():
    assert first_query(view(goal="https://github.com/scrapy/parsel")) == "github.com scrapy parsel"


def test_a_goal_in_another_language_is_searched_by_its_names_too():
    goal = "Wie lade ich mit pg_restore eine PostgreSQL-Datenbank auf einen Server?"
    assert english_query(view(goal=goal)) == "pg_restore PostgreSQL"
    assert first_query(view(goal=goal)).startswith("lade pg_restore")
    assert english_query(view(goal="How do I load a PostgreSQL database with pg_restore?")) == ""
    assert english_query(view(goal="Wie sichere ich eine einzelne PostgreSQL-Datenbank?")) == ""


async def test_a_word_that_only_one_page_has_is_not_learned(embedder):
    findings = [
        finding("The mail program Borlo keeps its lists in a database", "http://a.test/1"),
        finding("A database is saved by a dump", "http://b.test/1"),
        finding("A dump of a database is a file", "http://c.test/1"),
    ]
    assert set(await feedback_words("How is a store saved?", findings, embedder)) == {"database", "dump"}
