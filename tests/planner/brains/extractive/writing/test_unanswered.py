import pytest

from planner.brains.extractive.writing.report_digest import digest_report
from research_crawler.core.models.drafts import ReportView
from research_crawler.core.models.outline import Leaf, Outline, Section
from tests.planner.brains.views import finding

GOAL = "On which port does OrloDB listen by default, and how do I change it?"
QUESTIONS = ["On which port does OrloDB listen by default?", "How do I change it?"]


def view(state):
    other = finding(
        "The TCP port the server listens on; 5432 by default. The same port number is used for all addresses.",
        "http://brask.test/connections",
        title="BraskDB: Connection settings",
    )
    beside = finding(
        "The mail server looks up aliases in OrloDB tables, for which it has to be built with their library.",
        "http://mail.test/lookups",
        title="Lookup tables",
    )
    leaves = [
        Leaf(id=f"{n}.1", question=one, query="OrloDB port", state=state, evidence=[other.id])
        for n, one in enumerate(QUESTIONS, 1)
    ]
    outline = Outline(by="extractive", sections=[Section(id="1", title=GOAL, leaves=leaves)])
    return ReportView(goal=GOAL, findings=[other, beside], outline=outline, intent="informational")


@pytest.mark.parametrize(("state", "is_told"), [("open", False), ("filled", True)])
async def test_what_a_site_says_that_never_names_the_subject_is_no_answer_unless_it_states_a_part(
    embedder, state, is_told
):
    draft = await digest_report(view(state), embedder)
    assert any("5432" in sentence.text for sentence in draft.answer) is is_told
    assert bool(draft.not_found) is not is_told
