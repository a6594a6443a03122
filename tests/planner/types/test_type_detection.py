from planner.types.searching import detect_type
from tests.cases import each_case


@each_case(
    ("goal", "type_"),
    [
        ("latest news about the Gullwire cable car", "news"),
        ("Research the latest developments in AI safety", "news"),
        ("neueste Nachrichten über die Seilbahn", "news"),
        ("Find technical documentation for Swift async/await", "technical"),
        ("What are experts saying about renewable energy costs?", "general"),
        ("How do I configure replication in PostgreSQL?", "general"),
        ("what happened to the Roman Empire", "general"),
    ],
)
def test_the_type_is_what_the_goal_says_it_wants(goal, type_):
    assert detect_type(goal, "informational", today="2026-11-22") == type_


def test_a_technology_that_the_caller_names_makes_research_technical():
    assert detect_type("How do I add a menu?", "informational", stack="Python GUI") == "technical"


def test_news_of_an_earlier_year_are_no_news():
    assert (
        detect_type("latest news from 1986 about Chernobyl", "informational", today="2026-11-22") == "general"
    )
    assert detect_type("latest news on the 2026 election", "informational", today="2026-11-22") == "news"


def test_an_offer_is_general_research():
    assert detect_type("find me the latest news reader with an API", "commerce", stack="Python") == "general"
