"""A section of the report that code fills from the job's record, in one function. It needs neither Redis nor a network.

Its entry goes to `CODE_FILLED_LISTS` in `planner/reports/code_filled_lists.py`, its heading to `messages.toml` by its
key.

python examples/own_section.py
"""

from collections.abc import Iterable

from planner.reports.code_filled_lists import CodeFilledList
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.reports.drafts import ReportDraft


def refused_pages(job: Job, _draft: ReportDraft) -> Iterable[str]:
    """The addresses of the pages that a host refused, in the order of the visits."""
    return [visit.url for visit in job.visits if visit.outcome == "refused"]


REFUSED_PAGES = CodeFilledList(key="refused_pages", lines=refused_pages)


def main() -> None:
    """Print the lines of the section for a small job."""
    visits = [
        VisitRecord(n=1, command="a", url="https://gear.example/grinders", round=1, outcome="ok"),
        VisitRecord(n=2, command="b", url="https://walled.example/grinders", round=1, outcome="refused"),
    ]
    job = Job(id="1", inputs=JobInputs(goal="Which hand grinder is light?"), visits=visits)
    for line in REFUSED_PAGES.lines(job, ReportDraft(by="extractive")):
        print(f"{REFUSED_PAGES.key}: {line}")


if __name__ == "__main__":
    main()
