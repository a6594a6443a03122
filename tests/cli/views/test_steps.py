"""The steps of a job as lines for the user."""

from planner.job.factory import make_job
from research_crawler.cli.views.steps import Steps
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.jobs.records import SearchRecord, TimelineEntry, VisitRecord
from research_crawler.core.models.messages.events import ProviderReport
from research_crawler.core.models.offers.phase2 import Phase2, VendorTry

SEARCHED = TimelineEntry(at_ms=1, iteration=1, action="search", text="corva descaling – first words")
LABELLED = TimelineEntry(at_ms=2, iteration=1, action="brain", text="9 results labelled")
VISITED = TimelineEntry(
    at_ms=3,
    iteration=2,
    action="visit",
    text="https://a.example/1 https://a.example/2 https://b.example/ – the best",
)
FOUND = SearchRecord(
    n=1, command="j:1", query="corva descaling", round=1, results=9, outcome="ok",
    providers=[ProviderReport(provider="brave", ok=False)],
)  # fmt: skip
READ = VisitRecord(
    n=1, command="j:2", url="https://a.example/1", round=2, outcome="ok", findings=1, title="A\x1b[2J b"
)
REFUSED = VisitRecord(
    n=2, command="j:3", url="https://b.example/", round=2, outcome="refused", reason="robots"
)


def job(**fields):
    made = make_job(JobInputs(goal="how to descale"), Limits(), job_id="a" * 12)
    return made.model_copy(update=fields)


def texts(lines):
    return [line.text for line in lines]


def test_outcomes_follow_the_step_that_asked_for_them():
    state = job(
        timeline=[SEARCHED, LABELLED, VISITED],
        searches=[FOUND],
        visits=[READ, REFUSED],
        plan=PlanningState(round=2),
    )
    assert texts(Steps().new_lines(state)) == [
        "⌕ searching: corva descaling – first words",
        "  ✓ 9 results – without brave",
        "→ reading 3 pages – the best",
        "  ✓ a.example: 1 finding – A[2J b",
        "  ✗ b.example – refused: robots",
    ]


def test_a_page_that_failed_is_shown_once():
    warning = TimelineEntry(at_ms=4, iteration=2, action="warning", text="https://b.example/: refused robots")
    state = job(timeline=[VISITED, warning], visits=[REFUSED], plan=PlanningState(round=2))
    assert texts(Steps().new_lines(state))[1:] == ["  ✗ b.example – refused: robots"]


def test_a_line_is_shown_once():
    steps = Steps(
        job(
            timeline=[SEARCHED],
            searches=[FOUND.model_copy(update={"outcome": ""})],
            plan=PlanningState(round=1),
        )
    )
    later = job(timeline=[SEARCHED, VISITED], searches=[FOUND], visits=[READ], plan=PlanningState(round=2))
    assert texts(steps.new_lines(later)) == [
        "  ✓ 9 results – without brave",
        "→ reading 3 pages – the best",
        "  ✓ a.example: 1 finding – A[2J b",
    ]
    assert steps.new_lines(later) == []


def test_a_timeline_whose_oldest_lines_are_gone_is_shown_in_order():
    state = job(timeline=[VISITED], searches=[FOUND], visits=[READ], plan=PlanningState(round=2))
    assert texts(Steps().new_lines(state)) == [
        "  ✓ 9 results – without brave",
        "→ reading 3 pages – the best",
        "  ✓ a.example: 1 finding – A[2J b",
    ]


def test_vendors_are_shown_when_they_are_asked_and_when_they_have_answered():
    steps, job = Steps(), make_job(JobInputs(goal="buy a laptop"), Limits())
    timeline = [
        TimelineEntry(at_ms=1, iteration=1, action="lookup", text="gaming laptop buy"),
        TimelineEntry(at_ms=1, iteration=1, action="vendor", text="alpha.example – “gaming laptop”"),
    ]
    vendors = [VendorTry(host="alpha.example", origin="known", stage="search_page")]
    asked = job.model_copy(update={"timeline": timeline, "phase2": Phase2(vendors=vendors)})
    assert [line.text for line in steps.new_lines(asked)] == [
        "⌕ looking for vendors: gaming laptop buy",
        "→ asking alpha.example – “gaming laptop”",
    ]
    over = TimelineEntry(at_ms=1, iteration=1, action="vendors_done", text="2 offers of 1 vendors – enough")
    vendors = [
        VendorTry(host="alpha.example", origin="known", stage="answered", found=2),
        VendorTry(host="beta.example", origin="known", stage="failed", reason="robots"),
    ]
    done = asked.model_copy(update={"timeline": [*timeline, over], "phase2": Phase2(vendors=vendors)})
    assert [line.text for line in steps.new_lines(done)] == [
        "  ✓ alpha.example: 2 offers",
        "  ✗ beta.example – robots",
        "✔ 2 offers of 1 vendors – enough",
    ]
    assert steps.new_lines(done) == []
