"""The outline of a job as its report's JSON and its status have it."""

from collections.abc import Mapping, Sequence

from planner.reports.sources.ranked_evidence import evidence_id
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.outline import Outline
from research_crawler.core.models.reports.report import ReportLeaf, ReportOutlineSection


def reported_outline(outline: Outline, evidence: Sequence[Finding]) -> list[ReportOutlineSection]:
    """The sections of an outline, with the ids that the report's evidence has instead of those of findings."""
    return _sections(outline, {finding.id: evidence_id(index) for index, finding in enumerate(evidence)})


def outline_so_far(outline: Outline) -> list[ReportOutlineSection]:
    """The sections of an outline before there is a report: their evidence has the ids of findings."""
    return _sections(outline, {id_: id_ for leaf in outline.leaves for id_ in leaf.evidence})


def _sections(outline: Outline, names: Mapping[str, str]) -> list[ReportOutlineSection]:
    return [
        ReportOutlineSection(
            id=section.id,
            title=section.title,
            leaves=[
                ReportLeaf(
                    id=leaf.id,
                    question=leaf.question,
                    state=leaf.state,
                    evidence=[names[id_] for id_ in leaf.evidence if id_ in names],
                    query=leaf.query,
                    searches=leaf.searches,
                    reason=leaf.reason,
                )
                for leaf in section.leaves
            ],
        )
        for section in outline.sections
    ]
