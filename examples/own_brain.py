"""A brain of one's own: it decides as the extractive brain does, but reads official documentation first.

Declared as an entry point of a package that is installed beside the crawler, `RESEARCH_BRAIN=docs_first` uses it:

    [project.entry-points."research_crawler.brains"]
    docs_first = "own_brain:BRAIN"

python examples/own_brain.py
"""

import asyncio
from collections.abc import Sequence

from planner.brains.brain_choice import BrainMaker
from planner.brains.extractive.extractive_brain import ExtractiveBrain
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.models.jobs.decisions import Answered, Candidate, PlannerView
from research_crawler.core.models.jobs.records import ScoredResult
from research_crawler.core.ports.models import Call


class DocsFirst(ExtractiveBrain):
    """Offers the extractive brain only pages of documentation, as long as there are any."""

    name = "docs_first"

    async def decide(self, view: PlannerView, call: Call) -> Answered:
        """The next action; the view is what the brain may choose from."""
        return await super().decide(view.changed(candidates=docs_of(view.candidates)), call)


def docs_of(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates on hosts of documentation; all candidates if there are none."""
    docs = [candidate for candidate in candidates if "//docs." in candidate.result.url]
    return docs or list(candidates)


BRAIN = BrainMaker(lambda parts: DocsFirst(parts.embedder, parts.pick))


def main() -> None:
    """Let the brain choose between a blog and the documentation."""
    urls = ["https://blog.example/retries", "https://docs.example/retries"]
    candidates = [
        Candidate(result=ScoredResult(url=url, title="Retries", score=0.8, priority="must_visit"), wait_s=0)
        for url in urls
    ]
    view = PlannerView(
        goal="How many retries does the client make?",
        candidates=candidates,
        allowed=["visit", "done"],
        remaining_searches=0,
        remaining_visits=1,
        max_time=60,
    )
    call = Call(job="1", key="decide", token="", deadline_s=60)
    answer = asyncio.run(DocsFirst(HashEmbedder()).decide(view, call))
    if answer.decision:
        print(f"{answer.by}: {answer.decision.action} {' '.join(answer.decision.urls)}")


if __name__ == "__main__":
    main()
