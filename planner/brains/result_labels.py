"""Give the new results of a planner's view their labels, for brains that label before they decide."""

from collections.abc import Iterable

from planner.job.results import apply_labels
from research_crawler.core.models.jobs.decisions import PlannerView, ResultLabel
from research_crawler.core.models.messages.events import Priority

FIRST_NEW = 8
"""Most new results, in the engines' order, that are labelled one by one before a decision: each costs words or time."""
MOST_CANDIDATES = 20
"""Most pages to choose from once all of them have labels."""
BANDS: tuple[tuple[float, Priority], ...] = ((0.62, "must_visit"), (0.42, "should_visit"), (0.25, "maybe"))
"""Least score of each priority."""


def labelled_view(view: PlannerView, labels: Iterable[ResultLabel]) -> PlannerView:
    """The view with labels on its new results, best first, without pages that are being read already."""
    if view.to_label is None:
        return view
    known = [one for one in view.candidates if one.result.scored]
    new = [one for one in view.candidates if not one.result.scored][:FIRST_NEW]
    candidates = {one.result.url: one for one in [*known, *new] if not one.is_asked_for}
    results = apply_labels([one.result for one in candidates.values()], labels)
    best = [candidates[result.url].changed(result=result) for result in results[:MOST_CANDIDATES]]
    return view.changed(candidates=best, to_label=None)


def priority_of(score: float) -> Priority:
    """The priority for a score."""
    return next((priority for least, priority in BANDS if score >= least), "skip")
