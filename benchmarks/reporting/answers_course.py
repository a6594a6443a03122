"""What the research for the questions of `answers` took: its costs, and whether it ended when it could."""

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.figures import Figure, counted
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.models.jobs.job import Job

EARLY_PAGES, MANY_PAGES = 3, 6
MOST_TOO_LONG = 0.1
"""Most questions that may read more than MANY_PAGES although their answer is in the first EARLY_PAGES, as a share."""
OUT_OF_TIME = "timeout"
_BLANKS = re.compile(r"\s+")
_MARKS = re.compile(r"[`*\\]")


@dataclass(frozen=True)
class Course:
    """What the research for one question did."""

    first_pages: str
    """The text of the first pages that were read."""
    pages: int
    ended: str
    """Why it was ended, if it did not end by itself."""


async def course_of(job: Job, archive: SqlArchive) -> Course:
    """The course of a job that is over."""
    read = [visit for visit in job.visits if visit.outcome == "ok"]
    pages = [await archive.get_page(visit.sha) for visit in read[:EARLY_PAGES]]
    return Course(" ".join(one.page.markdown for one in pages if one), len(read), job.plan.forced)


def stopping(questions: Sequence[dict[str, Any]], courses: Mapping[str, Course]) -> Iterator[Figure]:
    """How many questions with an early answer were read on for, and how many without one ran out of time."""
    asked = [(question, courses[question["id"]]) for question in questions if question["id"] in courses]
    early = [
        course for question, course in asked if question["answerable"] and has_all_facts(question, course)
    ]
    too_long = sum(course.pages > MANY_PAGES for course in early)
    yield counted(
        f"answer in the first {EARLY_PAGES} pages, more than {MANY_PAGES} read",
        too_long,
        f"of {len(early)}",
        ok=too_long <= MOST_TOO_LONG * len(early),
        target=f"≤ {MOST_TOO_LONG:.0%}",
    )
    hopeless = [course for question, course in asked if not question["answerable"]]
    late = sum(course.ended == OUT_OF_TIME for course in hopeless)
    yield counted(
        "without an answer, until the time limit", late, f"of {len(hopeless)}", ok=not late, target="0"
    )


def has_all_facts(question: Mapping[str, Any], course: Course) -> bool:
    """Whether the first pages have everything that an answer needs, read as `score.py` reads an answer."""
    text = _BLANKS.sub(" ", _MARKS.sub("", course.first_pages)).replace("’", "'")
    return all(any(re.search(one, text, re.I) for one in patterns) for patterns in question["must"])


def costs(reports: Mapping[str, dict[str, Any]], cpu_s: float, factor: float) -> Iterator[Figure]:
    """Work, searches and pages of the middle job, and processor time."""
    metrics = [report["metrics"] for report in reports.values() if report.get("metrics")]
    for name, unit, key in (
        ("median work for a job", "s", "seconds"),
        ("median searches", "searches", "searches"),
        ("median pages read", "pages", "pages_visited"),
    ):
        yield Figure(name, statistics.median(one[key] for one in metrics), unit, factor=factor)
    yield Figure(
        "processor time per job",
        cpu_s / max(1, len(reports)),
        "s",
        note="all processes, their start included",
    )
