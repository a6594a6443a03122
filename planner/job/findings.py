"""Read the findings of a job by their kind."""

from collections.abc import Collection, Sequence

from research_crawler.core.models.evidence.findings import Finding, FindingKind


def claims_of(findings: Sequence[Finding], kinds: Collection[FindingKind]) -> list[str]:
    """The distinct claims of the findings of these kinds, in order."""
    return list(dict.fromkeys(f.claim for f in findings if f.kind in kinds))
