import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.brains.extractive.asking.rare_marks import lacking_marks, rare_marks
from planner.brains.extractive.writing.write import write_answer
from research_crawler.core.models.drafts import ReportView
from tests.planner.brains.views import finding

R3 = finding("The Halden R3 garden shredder comes with a warranty of three years.", title="Halden R3 tested")
PRIZE = finding("Ilse Lund won the Brindle Prize in 2025.", published="2026-02-01", title="Brindle Prize")


@pytest.mark.parametrize(
    ("question", "found", "lacking"),
    [
        ("How long is the warranty of the Halden R5 garden shredder?", R3, ["R5"]),
        ("How long is the warranty of the Halden R3 garden shredder?", R3, []),
        ("Which novel won the Brindle Prize in 2029?", PRIZE, ["2029"]),
        ("Which novel won the Brindle Prize in 2025?", PRIZE, []),
        ("What is new about the Brindle Prize in 2026?", PRIZE, []),  # the page is of that year
        ("What does GPX-40 mean?", finding("The GPX 40 is a pump."), []),
        ("What is the largest body in Apache 2.4 on 16 GB?", finding("The limit is 1 GiB."), []),
    ],
)
def test_a_year_or_model_that_nothing_carries_is_lacking(question, found, lacking):
    assert lacking_marks(question, [found], intent="informational") == lacking


@given(st.text(max_size=200))
def test_a_finding_with_the_words_of_a_question_lacks_none_of_its_marks(question):
    assert not lacking_marks(question, [finding(question)], intent="informational")
    assert all(mark in question for mark in rare_marks(question))


@pytest.mark.parametrize("intent", ["informational", "commerce"])
async def test_a_question_about_a_model_that_no_page_names_is_answered_with_not_found(embedder, intent):
    def asked(model):
        goal = f"How long is the warranty of the Halden {model} garden shredder?"
        return ReportView(goal=goal, intent=intent, language="en", findings=[R3])

    none = await write_answer(asked("R5"), embedder)
    assert (none.answer, none.not_found) == ([], "Halden R3 tested")
    assert (await write_answer(asked("R3"), embedder)).answer


async def test_a_report_for_shopping_names_contradictions_and_leaves_replaced_values_out(embedder):
    def said(text, host, day):
        return finding(text, f"http://{host}.test/", published=day, title="Kestrel Duo trailer")

    view = ReportView(
        goal="How much weight may the Kestrel Duo trailer carry?",
        intent="commerce",
        language="en",
        findings=[
            said(
                "The manual says that the Kestrel Duo carries 40 kg.",
                "a",
                "2026-05-01",
            ),
            said("Shops say that the Kestrel Duo carries 45 kg.", "b", "2026-03-01"),
        ],
    )
    draft = await write_answer(view, embedder)
    [pair] = draft.contradictions
    assert not pair.is_replaced
    assert {pair.one.text, pair.other.text} == {finding.quote for finding in view.findings}
    old = view.findings[1].model_copy(update={"published": "2021-03-01"})
    draft = await write_answer(view.model_copy(update={"findings": [view.findings[0], old]}), embedder)
    assert [one.is_replaced for one in draft.contradictions] == [True]
    assert not any("45 kg" in sentence.text for sentence in draft.answer)


def test_a_purchase_needs_no_page_with_its_year():
    asked, found = "best pruning saw R5 2026", [finding("The Halden R4 saws well.")]
    assert lacking_marks(asked, found, intent="commerce") == ["R5"]
    assert lacking_marks(asked, found, intent="informational") == ["R5", "2026"]
