from planner.brains.model.writing.writing_work import by_nearness, most_useful, quotes_for_inferences
from planner.evidence.evidence_allocation import ASSIGNED_TO_A_SECTION, EvidenceAllocation
from planner.evidence.evidence_plan import AuditedClaim, EvidencePlan
from prompts.report_answers import MOST_SECTION_IDS
from research_crawler.core.models.reports.drafts import ReportView
from tests.planner.brains.views import finding

GOAL = "How tall is the Skelder lighthouse?"
OTHERS = [
    finding(f"Bulletin {n}: the ferry carried {n}00 people.", f"http://a.test/{n}", score=0.9)
    for n in range(30)
]
LATE = finding("The Skelder lighthouse is 43 metres tall.", "http://b.test/", score=0.9)


async def test_of_many_quotes_with_one_score_a_writer_is_shown_those_near_the_question(embedder):
    view = ReportView(goal=GOAL, intent="informational", findings=[*OTHERS, LATE])
    for chosen in (embedder, None):
        nearest = await by_nearness(view, EvidenceAllocation(view.findings, chosen), 8)
        assert nearest[0] == 30
        assert len(nearest) == 31
        assert most_useful(nearest, [], 3)[-1] == 30
    assert await by_nearness(view, EvidenceAllocation(view.findings, None), 31) == list(range(31))


def test_a_writer_sees_a_least_number_of_quotes_though_an_auditor_named_few():
    nearest = list(range(30))
    assert most_useful(nearest, [], 20, without=range(2, 30)) == [0, 1]
    assert most_useful(nearest, [], 20, without=range(2, 30), least=6) == [0, 1, 2, 3, 4, 5]
    assert len(most_useful(nearest, [], 4, without=range(30), least=6)) == 4


async def test_a_quote_of_the_page_that_answers_goes_before_others_that_are_as_far_from_the_question(
    embedder,
):
    after = finding(
        "It was the third one on that rock, and the sea took the first two.", "http://b.test/", score=0.9
    )
    view = ReportView(goal=GOAL, findings=[*OTHERS, LATE, after])
    nearest = await by_nearness(view, EvidenceAllocation(view.findings, embedder, GOAL), 8)
    assert nearest[:2] == [30, 31]


def test_an_inference_brings_its_quotes_to_each_section_that_has_one_of_them():
    claims = (
        AuditedClaim("This mode is the default.", (0, 3)),
        AuditedClaim("So going back to the old head should undo it in each mode.", (1, 2), is_inference=True),
    )
    audit = EvidencePlan(by="model", claims=claims)
    assert quotes_for_inferences(audit, [2, 4]) == [1]
    assert quotes_for_inferences(audit, [0, 1]) == [2]
    assert quotes_for_inferences(audit, [3]) == quotes_for_inferences(audit, [1, 2]) == []


def test_an_auditor_may_name_as_many_quotes_of_a_section_as_its_writer_is_shown():
    assert MOST_SECTION_IDS == ASSIGNED_TO_A_SECTION
