"""What a person has rejected in a review: findings and sources that no report and no later round may use. Pure."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.people.reviews import ReviewRecord
from research_crawler.core.web.urls import dedupe_key, host_of
from research_crawler.text.measures.normal_quote import normal_quote

_DIGEST_CHARS: Final = 16
"""Letters of the digest by which a rejected quote is known again."""


def quote_digest(quote: str) -> str:
    """A short name of a quote, equal for quotes that differ at most in spaces and typography."""
    return hashlib.sha256(normal_quote(quote).encode()).hexdigest()[:_DIGEST_CHARS]


def is_rejected_source(review: ReviewRecord, url: str) -> bool:
    """Whether a person has rejected this page, under any of its addresses, or its host."""
    if not review.rejected_sources:
        return False
    host, key = host_of(url).removeprefix("www."), dedupe_key(url)
    return any(
        key == dedupe_key(source) if "/" in source else host == source or host.endswith(f".{source}")
        for source in review.rejected_sources
    )


def is_rejected(review: ReviewRecord, finding: Finding) -> bool:
    """Whether a person has rejected a finding, its quote or its source."""
    known = review.rejected_findings
    return (
        finding.retracted
        or bool(known and (finding.id in known or quote_digest(finding.quote) in known))
        or is_rejected_source(review, finding.url)
    )


def not_rejected(review: ReviewRecord, findings: Iterable[Finding]) -> list[Finding]:
    """The findings that nobody has rejected, in order."""
    if not (review.rejected_findings or review.rejected_sources):
        return [finding for finding in findings if not finding.retracted]
    return [finding for finding in findings if not is_rejected(review, finding)]


def rejected_among(review: ReviewRecord, findings: Sequence[Finding]) -> list[Finding]:
    """The findings that a person has rejected, in order."""
    return [finding for finding in findings if is_rejected(review, finding)]
