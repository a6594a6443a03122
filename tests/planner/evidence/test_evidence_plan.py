"""The evidence put in order: sections of the outline, their order, and what each of them gets."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from planner.evidence.evidence_allocation import LEAST_OF_A_SECTION, QUOTES_OF_A_SECTION, EvidenceAllocation
from planner.evidence.evidence_plan import SectionPlan, disjoint, in_waves, open_questions, sections_of
from planner.evidence.without_model import assigned, plan_without_model
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.reports.drafts import ReportView
from tests.planner.brains.views import finding

HEIGHT = [
    finding(f"The tower number {n} has a height of {n} metres.", f"http://h{n}.test/") for n in range(30)
]
LAMP = [finding(f"The lamp number {n} burns {n} hours.", f"http://l{n}.test/") for n in range(30)]
FOUND = [*HEIGHT, *LAMP]


def leaf(id_, question, *evidence, **more):
    return Leaf(id=id_, question=question, evidence=[FOUND[place].id for place in evidence], **more)


TWO = Outline(
    sections=[
        Section(id="1", title="Height", leaves=[leaf("1.1", "What height has the tower?", 2, 0)]),
        Section(id="2", title="Lamp", leaves=[leaf("2.1", "How long burns the lamp?", 31)], needs=["1", "9"]),
    ]
)
VIEW = ReportView(goal="towers and lamps", findings=FOUND, outline=TWO)


def test_the_sections_of_the_outline_have_the_evidence_of_their_questions():
    height, lamp = sections_of(VIEW)
    assert (height.id, height.evidence, height.needs) == ("S1", (2, 0), ())
    assert (lamp.id, lamp.title, lamp.evidence, lamp.needs) == ("S2", "Lamp", (31,), ("S1",))


def test_an_outline_of_one_section_gives_a_section_for_each_question():
    one = Outline(sections=[Section(id="1", title="All", leaves=[leaf("1.1", "A?"), leaf("1.2", "B?")])])
    assert [plan.title for plan in sections_of(VIEW.model_copy(update={"outline": one}))] == ["A?", "B?"]
    single = Outline(sections=[Section(id="1", title="All", leaves=[leaf("1.1", "A?")])])
    assert sections_of(VIEW.model_copy(update={"outline": single})) == []


PLANS = st.lists(
    st.tuples(st.lists(st.integers(0, 9), max_size=6), st.lists(st.integers(0, 6), max_size=3)), max_size=6
).map(
    lambda drawn: [
        SectionPlan(f"S{n}", f"Part {n}", ("Q?",), tuple(evidence), tuple(f"S{one}" for one in needs))
        for n, (evidence, needs) in enumerate(drawn)
    ]
)


@given(PLANS)
def test_no_finding_is_assigned_twice_and_every_section_has_its_turn_after_those_it_needs(drawn):
    plans = disjoint(drawn)
    assigned_to = [place for plan in plans for place in plan.evidence]
    assert len(assigned_to) == len(set(assigned_to))
    waves = in_waves(plans)
    assert sorted(plan.id for wave in waves for plan in wave) == sorted(plan.id for plan in plans)
    assert all(waves)
    before: set[str] = set()
    for wave in waves:
        in_circle = any(not before.issuperset(plan.needs) for plan in wave)
        assert not in_circle or wave is waves[-1]
        before |= {plan.id for plan in wave}


async def test_a_second_retrieval_gives_each_section_what_is_near_and_nothing_twice():
    allocation = EvidenceAllocation(FOUND, HashEmbedder())
    plans = sections_of(VIEW)
    height = await allocation.take(plans[0], plans[1].evidence)
    lamp = await allocation.take(plans[1], plans[0].evidence)
    assert height[:2] == [2, 0]
    assert lamp[0] == 31
    assert set(height[2:]) <= set(range(30)) - {0, 2}
    assert set(lamp) <= set(range(30, 60))
    assert len(height) == len(lamp) == QUOTES_OF_A_SECTION
    again = await allocation.take(plans[0])
    assert not set(again) & {*height, *lamp}


async def test_what_an_auditor_has_left_out_is_shown_only_as_far_as_a_section_has_few_quotes():
    class HardlyNear(EvidenceAllocation):
        async def nearness(self, plan):
            return [0.4] * len(self.findings)

    height = sections_of(VIEW)[0]
    allocation = HardlyNear(FOUND, None)
    allocation.passed_over = set(range(60)) - set(height.evidence)
    assert await allocation.take(height, range(30, 60)) == [2, 0, 1, *range(3, LEAST_OF_A_SECTION)]
    assert len(await HardlyNear(FOUND, None).take(height)) == QUOTES_OF_A_SECTION


async def test_what_is_assigned_to_a_section_reaches_its_writer_though_it_is_more_than_half_of_all():
    height = replace(sections_of(VIEW)[0], evidence=tuple(range(22)))
    assert await EvidenceAllocation(FOUND, None).take(height, range(22, 40)) == [*range(22)]


STOP = "Why did it stop?"
CABLE = Outline(
    sections=[
        Section(
            id="1",
            title="How many?",
            leaves=[Leaf(id="1.1", question="How many people were on the Gullwire?")],
        ),
        Section(
            id="2", title=STOP, leaves=[Leaf(id="2.1", question=STOP, query="Gullwire cable car stop people")]
        ),
    ]
)


async def test_a_sentence_is_found_by_the_page_that_it_stands_on_and_a_question_by_what_it_points_to(
    embedder,
):
    iced = finding(
        "A wind sensor iced up on a still night.",
        "http://news.test/",
        title="Why the Gullwire cable car stood still",
    )
    others = [
        finding(f"The bus to line {n} stops at the market, and people ask why it did.", f"http://b{n}.test/",
                title=f"Bus line {n}") for n in range(30)
    ]  # fmt: skip
    view = ReportView(goal="How many people were on the Gullwire, and why did it stop?", findings=[*others, iced],
                      outline=CABLE)  # fmt: skip
    allocation = EvidenceAllocation(view.findings, embedder, view.goal)
    near = await allocation.nearness(sections_of(view)[1])
    assert near.index(max(near)) == 30
    named_by_a_model = await allocation.nearness(SectionPlan("S1", "The cause of its standstill"))
    assert named_by_a_model.index(max(named_by_a_model)) == 30


async def test_without_an_embedder_words_say_what_is_near():
    allocation = EvidenceAllocation(FOUND, None)
    assert set(await allocation.take(replace(sections_of(VIEW)[1], evidence=()))) <= set(range(30, 60))


async def test_without_a_model_each_finding_belongs_to_the_nearest_section():
    allocation = EvidenceAllocation(FOUND, HashEmbedder())
    height, lamp = await assigned(sections_of(VIEW), allocation)
    assert set(height.evidence) <= set(range(30))
    assert set(lamp.evidence) <= set(range(30, 60))


async def test_findings_of_two_hosts_that_say_the_same_are_one_claim():
    same = "The Skelder tower is 43 metres tall."
    found = [finding(same, "http://a.test/"), finding("The lamp is blue."), finding(same, "http://b.test/")]
    view = ReportView(goal="tower", findings=found, missing=["its age"])
    audit = await plan_without_model(view, EvidenceAllocation(found, HashEmbedder()))
    assert [claim.evidence for claim in audit.claims] == [(0, 2), (1,)]
    assert (audit.by, audit.missing) == ("code", ("its age",))


def test_open_questions_are_those_without_an_answer_and_say_why():
    outline = Outline(
        sections=[
            Section(
                id="1",
                title="All",
                leaves=[
                    leaf("1.1", "Answered?", 1, state="filled"),
                    leaf("1.2", "Not to be had?", state="unavailable", reason="searched twice"),
                    leaf("1.3", "Open?"),
                ],
            )
        ]
    )
    assert open_questions(outline.leaves) == ["Not to be had? (searched twice)", "Open?"]


def test_a_single_question_with_something_near_it_is_not_listed_as_open():
    only = leaf("1.1", "Open?")
    assert open_questions([only]) == ["Open?"]
    assert open_questions([only.changed(evidence=["f1"])]) == []
    assert open_questions([only.changed(evidence=["f1"]), leaf("1.2", "Other?")]) == ["Open?", "Other?"]
