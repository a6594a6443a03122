"""What a person sees of a running job: what becomes of each page, and the best findings."""

from planner.job.outcome import why_partly
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.columns import ColumnSpec, ColumnValue
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.why import Why
from research_crawler.frontier.command_locations import CommandLocation
from research_crawler.services.jobs.job_view import (
    BEST_FINDINGS,
    best_of,
    cards_of,
    own_findings,
    values_by_question,
)


def visit(n: int, outcome: str = "", **values) -> VisitRecord:
    return VisitRecord(
        n=n, command=f"j:{n}", url=f"https://host{n}.example/page", round=1, outcome=outcome, **values
    )


def location(
    n: int, *, leased: bool = False, queue: str = "page", slot: str = "", free_in_ms: int = 0
) -> CommandLocation:
    return CommandLocation(f"j:{n}", "visit", leased, queue, slot or f"host{n}.example", 4_000, free_in_ms, 2)


def test_each_page_says_what_becomes_of_it_and_those_under_way_come_first():
    visits = [
        visit(1, "ok", findings=7, title="A page"),
        visit(2, "ok"),
        visit(3, "refused", reason=Why.from_stored("robots")),
        visit(4, "failed", reason=Why.from_stored("http 503")),
        *map(visit, (5, 6, 7, 8, 9)),
    ]
    locations = [
        location(5, free_in_ms=3_000),
        location(6, leased=True),
        location(7, slot="_"),
        location(8, queue="person"),
    ]
    cards = cards_of(visits, locations)
    assert [(card.n, card.state) for card in cards] == [
        (9, "reading"), (8, "person"), (7, "node"), (6, "reading"), (5, "queued"),
        (4, "failed"), (3, "refused"), (2, "nothing"), (1, "found"),
    ]  # fmt: skip
    by_number = {card.n: card for card in cards}
    assert (by_number[5].wait_s, by_number[5].before, by_number[5].host) == (3.0, 2, "host5.example")
    assert (by_number[3].reason, by_number[4].reason) == ("robots", "http")
    assert (by_number[1].findings, by_number[1].title) == (7, "A page")


def test_the_best_findings_are_one_of_each_page():
    found = [
        Finding(id=f"{host}{n}", command="j:1", claim=f"{host} {n}", quote="q", start=0, end=1, score=n / 100,
                page_sha256="0" * 64, url=f"https://{host}.example/", title="", fetched_at="")
        for host in "abcdefghijkl" for n in range(20)
    ]  # fmt: skip
    best = best_of(found)
    assert len(best) == BEST_FINDINGS
    assert [one.claim.split()[1] for one in best] == ["19"] * BEST_FINDINGS


def test_a_follow_up_shows_the_findings_that_its_own_sub_questions_rest_on():
    old, new = (
        Finding(
            id=f"f{n}",
            command="j:1",
            claim=f"claim {n}",
            quote="q",
            start=0,
            end=1,
            score=1 - n / 10,
            page_sha256="0" * 64,
            url=f"https://a{n}.example/",
            title="",
            fetched_at="",
        )
        for n in range(2)
    )
    leaf = Leaf(id="l", question="What differs?", evidence=["f1"], state="filled")
    outline = Outline(sections=[Section(id="s", title="t", leaves=[leaf])])
    first = Job(id="j", inputs=JobInputs(goal="g"), outline=outline)
    assert list(own_findings(first, [old, new])) == [old, new]
    later = first.changed(inputs=JobInputs(goal="g", about_job="a" * 12))
    assert list(own_findings(later, [old, new])) == [new]
    assert list(own_findings(later.changed(outline=Outline()), [old, new])) == [old, new]


def test_what_is_answered_in_part_says_why():
    leaves = [Leaf(id=f"l{n}", question="q", state=state) for n, state in enumerate(("filled", "open"))]
    outline = Outline(sections=[Section(id="s", title="t", leaves=leaves)])
    job = Job(id="j", inputs=JobInputs(goal="g"), state="completed", outcome="partly", outline=outline)
    assert why_partly(job) == "no clear answer was found to a part of the question"
    assert "little speaks for it" in why_partly(job.changed(outline=Outline()))
    assert why_partly(job.changed(state="failed", report=True)) == "it ended before its report was checked"
    assert why_partly(job.changed(outcome="answered")) == ""


def test_a_question_for_a_value_that_was_found_shows_it_whatever_the_outline_says():
    columns = [ColumnSpec(name="price", type="money"), ColumnSpec(name="height", type="number")]
    leaves = [Leaf(id=f"1.{n}", question=one.name, state="unavailable") for n, one in enumerate(columns, 1)]
    outline = Outline(sections=[Section(id="1", title="Values", leaves=leaves)])
    values = [ColumnValue(name="price", type="money"), ColumnValue(name="height", type="number", value=43.0)]
    job = Job(id="j", inputs=JobInputs(goal="What is the tower?", columns=columns), outline=outline)
    assert values_by_question(job, values) == {"1.2": values[1]}
    own = job.changed(inputs=job.inputs.changed(outline="- Who built it?"))
    assert values_by_question(own, values) == {}
