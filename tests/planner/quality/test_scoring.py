"""The scores of a job's evidence agree with what its report shows."""

from planner.analysis.scoring import Nearness, evaluated
from research_crawler.core.models.evidence.quality import QualityThresholds
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from tests.planner.brains.views import finding

NEAR = finding("The lamp of Skelder is lit at dusk.")


def relevance_of(evidence: list[str]) -> float:
    leaf = Leaf(id="1.1", question="Who lights the lamp of Skelder?", evidence=evidence)
    outline = Outline(by="extractive", sections=[Section(id="1", title="Lamp", leaves=[leaf])])
    found = evaluated(outline, {NEAR.id: NEAR}, [Nearness(0.42, 0.5)], thresholds=QualityThresholds())
    assert found.should_retry
    return found.relevance


def test_what_is_near_enough_to_be_shown_is_no_weak_research_and_is_still_searched_for():
    weak = QualityThresholds().weak_relevance
    assert relevance_of([]) < weak <= relevance_of([NEAR.id])
