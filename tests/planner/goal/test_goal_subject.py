from planner.goal.goal_subject import goal_about
from planner.job.commands import job_context_of
from planner.outline.making import first_outline
from planner.reports.writer_view import report_view
from tests.cases import each_case
from tests.planner.scripted import a_job


@each_case(
    ("goal", "topic", "asked"),
    [
        ("find me the cheapest thing", "gaming laptop", "gaming laptop: find me the cheapest thing"),
        ("find me one under $900", "Shopping (gaming laptop)", "gaming laptop: find me one under $900"),
        ("find me a cheap laptop", "gaming laptop", "gaming laptop: find me a cheap laptop"),
        ("find me a mouse", "gaming laptop", "find me a mouse"),
        ("what does it cost?", "Skelder lighthouse", "Skelder lighthouse: what does it cost?"),
        ("how tall is the Skelder lighthouse?", "lighthouses", "how tall is the Skelder lighthouse?"),
        ("can you tell me about jessika aro?", "Person (Jessika Aro)", "can you tell me about jessika aro?"),
        ("find me the best one", "", "find me the best one"),
        (
            "When does it flower?",
            "How does the ember fern spread?",
            "ember fern spread: When does it flower?",
        ),
    ],
)
def test_a_goal_that_names_nothing_is_completed_by_the_topic(goal, topic, asked):
    assert goal_about(goal, topic) == asked


def test_pages_and_report_are_judged_by_the_completed_goal():
    job = a_job("find me the cheapest thing", topic="gaming laptop")
    assert (
        job_context_of(job).goal == report_view(job, []).goal == "gaming laptop: find me the cheapest thing"
    )


def test_a_follow_up_question_asks_for_nothing_but_itself():
    asked = goal_about("When does it flower?", "How does the ember fern spread its spores?")
    assert len(first_outline(asked, by="test").leaves) == 1
