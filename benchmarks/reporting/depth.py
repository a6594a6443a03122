"""Whether a report gets worse when more is read: planted facts that are right after 8, 40 and 150 pages.

The web of `report_web` with hundreds of pages that are alike added: bulletins, threads, walks, each about the subject
of questions and answering none. A scripted model steers, so that every job reads as many pages as it is to, whatever
it has found; who writes is the brain without a model, or a model that knows the facts where it is shown them. So a
fact that is found with few pages and lost with many was lost by us. Of the questions that are held back, failures
are not printed.
"""

import os
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.reporting.report_web.running import Row, Scripted, asked, local_web, scripted_model
from benchmarks.reporting.report_web.scoring import Score, scored
from benchmarks.reporting.report_web.world import LocalQuestion, local_questions
from research_crawler.demo.process import RunningWeb

IS_QUICK: Final = os.environ.get("RESEARCH_REPORTS_BENCH") == "quick"
"""Every fourth question, with 8 and 40 pages."""
DEPTHS: Final = (8, 40, 150)
MOST_FALL: Final = 0.03
"""How much less of the facts may be right with more pages read."""
LEAST_READ: Final = 0.95
"""Least share of the pages that a job must have read for its depth to count as such."""
RESULTS: Final = 50
"""Results of a search."""
WRITERS: Final = (("steering", "without a model"), ("knowing", "with a model that knows them"))


@dataclass
class Reached:
    """What the jobs of one depth have made."""

    pages: int
    read: list[int] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of the facts that are right."""
        return sum(score.found for score in self.scores) / sum(score.facts for score in self.scores)

    @property
    def is_deep(self) -> bool:
        """Whether the jobs have read as many pages as they were to."""
        return statistics.mean(self.read) >= LEAST_READ * self.pages

    def line(self) -> str:
        """The facts that are right, with the pages read, and where the others were lost."""
        lost = Counter(cause for score in self.scores for cause in score.missed.values())
        told = ", ".join(f"{n} {cause}" for cause, n in sorted(lost.items()))
        right = sum(score.found for score in self.scores)
        return f"{statistics.mean(self.read):.0f} pages {right} right" + (f" ({told})" if told else "")


def measure(_: Calibration) -> Iterator[Figure]:
    """The loss of facts between depths, by who writes; the two writers beside each other, each with its own model."""
    with local_web("series") as web, ThreadPoolExecutor(len(WRITERS)) as beside:
        chosen = [question.at(web.hosts) for question in local_questions() if question.series]
        chosen = chosen[::4] if IS_QUICK else chosen
        of_writers = beside.map(lambda writer: _at_all_depths(web, chosen, writer[0]), WRITERS)
        for (_kind, who), reached in zip(WRITERS, of_writers, strict=True):
            shares = [one.share for one in reached]
            fall = max(0.0, *(max(shares[:i]) - shares[i] for i in range(1, len(shares))))
            facts = sum(len(question.facts) for question in chosen)
            yield counted(
                f"facts lost when more pages are read, {who}", fall * 100, "points",
                ok=fall <= MOST_FALL and all(one.is_deep for one in reached),
                target=f"≤ {MOST_FALL * 100:.0f} points",
                note=f"{'; '.join(one.line() for one in reached)}; {facts} facts of {len(chosen)} questions",
            )  # fmt: skip


def _at_all_depths(web: RunningWeb, chosen: Sequence[LocalQuestion], kind: str) -> list[Reached]:
    with scripted_model() as model:
        return [
            _reached(model, web, chosen, kind=kind, pages=pages)
            for pages in (DEPTHS[:2] if IS_QUICK else DEPTHS)
        ]


def _reached(
    model: Scripted, web: RunningWeb, chosen: Sequence[LocalQuestion], *, kind: str, pages: int
) -> Reached:
    character: Row = {
        "kind": kind,
        "pages": 2 * pages,  # some are refused; the job's allowance is the end
        "further": {q.goal: q.series for q in chosen},
        "known": {q.goal: [fact.accept for fact in q.facts] for q in chosen},
    }
    lines = [asked(q, depth="deep", searches=50, visits=pages) for q in chosen]
    free = {
        "phase1_max_iterations": 100, "search_results_per_host": RESULTS, "web_max_results": RESULTS,
        "max_attempts": 20, "enough_relevance": 1, "enough_coverage": 1,
    }  # fmt: skip
    with model.system(web, **free) as child:  # a new one, which remembers no earlier job
        run = model.run(child, lines, **character)
    reached = Reached(pages)
    for question in chosen:
        row = run.rows[question.id]
        reached.read.append(row["report"]["metrics"]["pages_visited"])
        reached.scores.append(scored(question, row["report"], row["claims"]))
        if question.half == "open":
            missed = ", ".join(f"{fact} ({cause})" for fact, cause in reached.scores[-1].missed.items())
            print(
                f"     {kind} {question.id:22} {reached.read[-1]:3} pages; {missed or 'all right'}",
                flush=True,
            )
    return reached
