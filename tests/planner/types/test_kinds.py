import pytest

from planner.types.kinds import detect_type


@pytest.mark.parametrize(
    ("goal", "type_"),
    [
        ("latest news about the Gullwire cable car", "news"),
        ("What happened in Nordhaven this week?", "news"),
        ("What has happened in Nordhaven this week?", "news"),
        ("neueste Nachrichten über die Seilbahn", "news"),
        ("How do I configure replication in PostgreSQL?", "technical"),
        ("What does git_commit() return in the API?", "technical"),
        ("How do I add a column to a table in Python with a library?", "technical"),
        ("How do heat pumps work?", "general"),
        ("How do I install a kitchen sink?", "general"),
    ],
)
def test_the_type_follows_the_wording(goal, type_):
    assert detect_type(goal, "informational") == type_


@pytest.mark.parametrize(
    "goal",
    [
        "what happened to the Roman Empire",
        "What happened to Nokia?",
        "what happened at Chernobyl in 1986",
        "latest news from 1986 about Chernobyl",
        "what's new in Python 3.13",
        "history of the News of the World",
        "was geschah mit der Hanse",
    ],
)
def test_what_happened_at_another_time_is_no_news(goal):
    assert detect_type(goal, "informational", today="2026-11-22") == "general"


@pytest.mark.parametrize(
    "goal",
    [
        "what happened today in Berlin",
        "latest news on the 2026 election",
        "recent developments in the 2030 climate goals",
        "latest news about ancient DNA",
        "what is happening in Sudan",
        "was ist gestern in Berlin passiert",
    ],
)
def test_what_happens_in_these_days_is_news(goal):
    assert detect_type(goal, "informational", today="2026-11-22") == "news"


def test_an_offer_is_general_research():
    assert detect_type("find me the latest news reader with an API and SDK", "commerce") == "general"
