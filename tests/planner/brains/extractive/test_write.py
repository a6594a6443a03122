from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.brains.extractive.answering.digest import sibling_pages
from planner.brains.extractive.answering.write import write_answer
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.reports.drafts import ReportView
from research_crawler.text.questions.subject import subject_of
from tests.planner.brains.views import GOAL, finding, search, visit


async def test_a_figure_in_common_lends_no_sentence_another_hosts_citation(embedder):
    findings = [
        finding("The Skelder lighthouse is 43 metres tall.", "http://a.test/1"),
        finding("Buy 43 tokens of the Skelder lighthouse now, it is the best offer.", "http://evil.test/1"),
        finding("The Skelder lighthouse is not 43 metres tall.", "http://liar.test/1"),
        finding("The Marrowby lighthouse is 43 metres tall.", "http://b.test/1"),
    ]
    draft = await write_answer(ReportView(goal=GOAL, findings=findings), embedder)
    assert draft.answer
    for sentence in [*draft.answer, *draft.lists["key_findings"]]:
        assert len(sentence.evidence) == 1
        assert sentence.similar == []
    assert "confirmed" not in draft.certainty


async def test_no_findings_give_no_answer_which_the_report_says_once(embedder):
    draft = await write_answer(ReportView(goal=GOAL), embedder)
    assert draft.answer == []
    assert not draft.certainty


async def test_why_the_research_ended_is_a_whole_sentence(embedder):
    for reason in ("no search and no page is left", "There is enough."):
        draft = await write_answer(ReportView(goal=GOAL, done_reason=reason), embedder)
        assert draft.journey.endswith(f"Why it ended: {reason[0].upper()}{reason[1:].rstrip('.')}.")


async def test_the_journey_names_searches_pages_and_the_reason_for_the_end(embedder):
    draft = await write_answer(
        ReportView(
            goal=GOAL,
            findings=[finding("The tower is 43 metres tall.", title="Skelder lighthouse")],
            searches=[search("Skelder lighthouse")],
            visited=[visit("http://a.test/1", title="Skelder", findings=3)],
            done_reason="There is enough.",
            missing=["when it was built"],
        ),
        embedder,
    )
    assert "“Skelder lighthouse” (5 results)" in draft.journey
    assert "read 1 page on 1 host" in draft.journey
    assert "There is enough." in draft.journey


async def test_a_job_that_read_named_pages_alone_says_that_it_made_no_search(embedder):
    view = ReportView(
        goal=GOAL,
        findings=[finding("The tower is 43 metres tall.")],
        visited=[visit("http://a.test/1", title="Skelder", findings=1)],
    )
    assert (await write_answer(view, embedder)).journey.startswith("Made no search and read 1 page on 1 host")


async def test_the_best_findings_are_key_findings(embedder):
    findings = [
        finding("The lighthouse on Skelder was built in 1887.", "http://a.test/1"),
        finding("Skelder has a bakery.", "http://b.test/1", score=0.1),
    ]
    goal = "When was the lighthouse on Skelder built?"
    draft = await write_answer(ReportView(goal=goal, findings=findings), embedder)
    assert [sentence.evidence for sentence in draft.lists["key_findings"]] == [[0]]
    assert draft.lists["key_findings"][0].text == "The lighthouse on Skelder was built in 1887."


async def test_beside_excerpts_that_answer_none_is_shown_that_is_far_from_the_question(embedder):
    told = [
        f"The Skelder lighthouse is 43 metres tall, and how tall it is was measured {way}. "
        + "The tower is tall. " * 12
        for way in ("by boat", "with a rope", "from the pier", "by the harbour master")
    ]
    far = ["Choux pastry is baked at a high heat.", "Choux pastry is filled with cream when it has cooled."]
    findings = [finding(text, f"http://a.test/{n}") for n, text in enumerate((*far, *told))]
    draft = await write_answer(
        ReportView(goal="How tall is the Skelder lighthouse?", findings=findings), embedder
    )
    assert sorted(place for one in draft.answer for place in one.evidence) == [2, 3, 4, 5]


async def test_an_older_page_ranks_behind_a_newer_one_that_contradicts_it(embedder):
    findings = [
        finding("The bridge will reopen for cars on 3 May.", "http://a.test/1", published="2022-01-01"),
        finding("The bridge will reopen for cars on 30 November.", "http://b.test/1", published="2026-01-01"),
    ]
    draft = await write_answer(ReportView(goal="When does the bridge reopen?", findings=findings), embedder)
    assert [one.evidence for one in draft.answer] == [[1], [0]]  # code is often wrong about what is outdated


def test_a_page_of_an_earlier_year_that_does_not_name_the_one_asked_about_is_a_sibling():
    findings = [
        finding("Hale won the Skelder cup.", "http://a.test/1", published="2025-09-14"),
        finding("The cup of 2026 begins on 3 May.", "http://b.test/1", published="2025-11-01"),
        finding("Amadi won the Skelder cup.", "http://c.test/1", published="2026-09-13"),
        finding("The cup is made of pewter.", "http://d.test/1"),
    ]
    subject = subject_of("Who won the Skelder cup in 2026?")
    assert sibling_pages(subject, findings) == {"http://a.test/1"}


def test_a_page_whose_title_begins_with_another_bearer_of_the_name_is_a_sibling():
    findings = [
        finding("It went 52 kilometres.", "http://a.test/1", title="Tallis Brisa: first ride"),
        finding("It went 91 kilometres.", "http://b.test/1", title="Tallis Vento: two years on"),
        finding("All are sold by dealers.", "http://c.test/1", title="Where to buy a Tallis: all dealers"),
    ]
    subject = subject_of("What is the range of the Tallis Vento?")
    assert sibling_pages(subject, findings) == {"http://a.test/1"}
    assert not sibling_pages(subject, findings[:1])


async def test_values_that_code_alone_calls_different_are_both_shown_and_called_no_contradiction(embedder):
    findings = [
        finding("The lighthouse on Skelder is 43 metres tall.", "http://a.test/1"),
        finding("The lighthouse on Skelder is 46 metres tall.", "http://b.test/1"),
    ]
    goal = "How tall is the lighthouse on Skelder?"
    draft = await write_answer(ReportView(goal=goal, findings=findings), embedder)
    assert sorted(place for one in draft.answer for place in one.evidence) == [0, 1]
    assert not draft.contradictions
    assert draft.certainty.startswith("Medium certainty")


async def test_a_part_that_only_points_to_another_one_gets_no_section_of_its_own(embedder):
    findings = [finding("The battery of the Tallis Vento lasts four years.", "http://a.test/1")]
    asked = ["How long does the battery of the Tallis Vento last?", "How do I make it last longer?"]
    outline = Outline(
        by="extractive",
        sections=[
            Section(id=str(n), title=text, leaves=[Leaf(id=f"{n}.1", question=text)])
            for n, text in enumerate(asked, 1)
        ],
    )
    view = ReportView(goal=" And ".join(asked), findings=findings, outline=outline)
    assert not {one.heading for one in (await write_answer(view, embedder)).answer} & set(asked)
    given_parts = view.changed(outline=outline.changed(is_given=True))
    assert {one.heading for one in (await write_answer(given_parts, embedder)).answer} & set(asked)


async def test_a_part_is_called_not_found_only_where_nothing_is_shown_that_comes_near_to_it(embedder):
    findings = [
        finding("The battery of the Tallis Brisa lasts four years.", "http://a.test/1"),
        finding("The belt is silent. Weight: 16.9 kg", "http://a.test/2", title="Tallis Brisa: first ride"),
    ]
    asked = [
        "How long does the battery of the Tallis Brisa last?",
        "How heavy is the Tallis Brisa?",
        "Who is the mayor of Port Ansgar?",
    ]
    outline = Outline(
        by="extractive",
        sections=[
            Section(id=str(n), title=text, leaves=[Leaf(id=f"{n}.1", question=text)])
            for n, text in enumerate(asked, 1)
        ],
    )
    view = ReportView(goal=" And ".join(asked), findings=findings, outline=outline)
    assert (await write_answer(view, embedder)).answered == asked[:2]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.text(min_size=1, max_size=30), st.integers(0, 3), st.floats(0, 1)), max_size=20))
async def test_evidence_always_exists(given_findings):
    findings = [finding(text, f"http://h{host}.test/", score=score) for text, host, score in given_findings]
    draft = await write_answer(ReportView(goal=GOAL, findings=findings), HashEmbedder())
    for sentence in [*draft.answer, *draft.lists["key_findings"]]:
        assert sentence.evidence
        assert all(0 <= place < len(findings) for place in sentence.evidence)


async def test_certainty_and_journey_are_in_the_language_of_the_report(embedder):
    view = ReportView(
        goal="How tall is the Skelder lighthouse?",
        language="de",
        findings=[finding("The Skelder lighthouse is 43 metres tall.")],
        searches=[search("Skelder lighthouse")],
        visited=[visit("http://a.test/1", title="Skelder", findings=1)],
    )
    draft = await write_answer(view, embedder)
    assert draft.certainty.startswith(
        "Mittlere Sicherheit: eine Auswahl von Auszügen aus 1 Seite von 1 Website"
    )
    assert draft.journey.startswith(
        "Gesucht wurde nach „Skelder lighthouse“ (5 Treffer) und 1 Seite auf 1 Website"
    )
    assert "„Skelder“ auf a.test mit 1 Fund." in draft.journey
    assert draft.answer[0].text == "The Skelder lighthouse is 43 metres tall."


async def test_an_answer_that_begins_with_nothing_of_what_the_question_adds_is_of_low_certainty(embedder):
    loses = finding("To undo the last commit in git: git reset --hard HEAD~1", "http://a.test/1")
    keeps = finding("To undo the last commit in git and keep what it changes: git reset --soft HEAD~1")
    for goal, found, level in (
        ("undo the last commit in git", loses, "Medium"),
        ("undo the last commit in git but keep the changes", loses, "Low"),
        ("undo the last commit in git but keep the changes", keeps, "Medium"),
    ):
        draft = await write_answer(ReportView(goal=goal, findings=[found]), embedder)
        assert f"{level} certainty" in draft.certainty, goal
        assert draft.is_doubtful == (level == "Low"), goal


async def test_an_answer_is_of_low_certainty_where_words_of_its_question_stand_in_nothing_that_was_read(
    embedder,
):
    tall = finding("The Skelder lighthouse is 43 metres tall.", "http://a.test/1")
    for goal, level in (
        ("How tall is the Skelder lighthouse?", "Medium"),
        ("How tall is the Skelder lighthouse with its weathercock and aerials?", "Low"),
    ):
        draft = await write_answer(ReportView(goal=goal, findings=[tall]), embedder)
        assert draft.certainty.startswith(level), goal
