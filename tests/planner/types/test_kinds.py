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


def test_an_offer_is_general_research():
    assert detect_type("find me the latest news reader with an API and SDK", "commerce") == "general"
