"""Small builders for the views that brains are shown."""

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import Candidate, PageView, PlannerView
from research_crawler.core.models.jobs.records import ScoredResult, SearchRecord, VisitRecord
from research_crawler.core.models.messages.commands import JobContext

GOAL = "How tall is the Skelder lighthouse, and when was it built?"


def candidate(url, score=0.7, *, wait_s=0.0, priority="should_visit", **more):
    return Candidate(result=ScoredResult(url=url, score=score, priority=priority, **more), wait_s=wait_s)


def finding(claim, url="http://a.test/1", *, score=0.6, kind="key_fact", **more):
    return Finding(
        id=f"{url}{claim}", command="c", kind=kind, claim=claim, quote=claim, start=0, end=len(claim),
        page_sha256="x", url=url, score=score, **more,
    )  # fmt: skip


def search(query, n=1, results=5):
    return SearchRecord(n=n, command=f"j:{n}", query=query, round=n, results=results, outcome="ok")


def visit(url, n=1, *, round_no=2, findings=2, **more):
    return VisitRecord(
        n=n, command=f"j:{n}", url=url, round=round_no, outcome="ok", final_url=url, findings=findings, **more
    )


def view(**given):
    given = {"goal": GOAL, "remaining_searches": 2, "remaining_visits": 8, "max_time": 120.0} | given
    return PlannerView(**given)


def follow_up(**given):
    """The view of a question that rests on something told before, which a model has to word."""
    return view(topic="Lighthouses", **given)


def page(markdown, goal=GOAL, *, intent="informational", **more):
    return PageView(
        url="http://a.test/1", markdown=markdown, job_context=JobContext(goal=goal, intent=intent), **more
    )
