"""Complete quotes by the command that a sentence shows and that stands near them on their stored page. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from planner.verify.composed_listing import composed_in
from planner.verify.listings import MOST_LISTING, listing_in, listing_lines
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import ReportDraft, Sentence
from research_crawler.core.models.reports.report_parts import LISTED_PARTS

MOST_COMPLETED: Final = 1_500
"""Longest quote with what completes it: the same passage still, with a command's output between it and the command."""


def has_listing(draft: ReportDraft) -> bool:
    """Whether any sentence of a report shows a command."""
    return any(_with_listings(draft))


def unquoted_listings(draft: ReportDraft, findings: Sequence[Finding]) -> list[Sentence]:
    """The sentences whose listing is neither in the quotes that they cite nor put together from them."""
    return [one for one in _with_listings(draft) if not _is_quoted(one, findings)]


def _with_listings(draft: ReportDraft) -> Iterator[Sentence]:
    parts = [
        draft.answer,
        *(draft.lists.get(part.key, []) for part in LISTED_PARTS),
        *(section.sentences for section in draft.sections),
    ]
    return (one for sentences in parts for one in sentences if one.code)


def with_completed_quotes(
    findings: Sequence[Finding], sentences: Iterable[Sentence], pages: Mapping[str, str]
) -> list[Finding]:
    """The findings, of which each that a sentence cites reaches as far as the lines of its listing that stand near it.

    A quote stays a verbatim piece of its page. A listing that is not near its quotes with all of its lines completes
    none: one line less makes another procedure of it.

    Args:
        findings: those to which the indexes in the sentences refer.
        sentences: those whose listings no quote has.
        pages: the text of stored pages, by the hashes that the findings name.
    """
    found = list(findings)
    for sentence in sentences:
        completed = _completed(found, sentence, pages)
        for index, finding in completed.items():
            found[index] = finding
    return found


def _completed(
    findings: Sequence[Finding], sentence: Sentence, pages: Mapping[str, str]
) -> dict[int, Finding]:
    """The cited findings that are completed, by their indexes; none where a line of the listing is not near them."""
    own = {
        index: findings[index]
        for index in sentence.evidence
        if 0 <= index < len(findings) and findings[index].page_sha256 in pages
    }
    if len(sentence.code) > MOST_LISTING:
        return {}
    for line in listing_lines(sentence.code):
        quotes = [finding.quote for finding in own.values()]
        if listing_in(line, quotes):
            continue
        reached = [
            (len(longer.quote), index, longer)
            for index, finding in own.items()
            if (longer := _extended_to_line(finding, line, pages[finding.page_sha256])) is not None
        ]
        if not reached:
            return {}
        _, index, longer = min(reached, key=lambda one: one[:2])
        own[index] = longer
    return {index: finding for index, finding in own.items() if finding != findings[index]}


def _extended_to_line(finding: Finding, line: str, page: str) -> Finding | None:
    """The finding with its quote up to the nearest place of a line on its page; None: it is not near.

    A single word is no command that code could tell from one of a sentence.
    """
    tokens = line.split()
    if len(tokens) < 2 or page[finding.start : finding.end] != finding.quote:
        return None
    wanted = re.compile(r"(?<![^\s`])" + r"\s+".join(map(re.escape, tokens)) + r"(?![^\s`])")
    first = max(0, finding.end - MOST_COMPLETED)
    spans = [
        (min(finding.start, match.start()), max(finding.end, match.end()))
        for match in wanted.finditer(page, first, finding.start + MOST_COMPLETED)
    ]
    start, end = min(spans, key=lambda span: span[1] - span[0], default=(0, 0))
    if not 0 < end - start <= MOST_COMPLETED:
        return None
    start = page.rfind("\n", 0, start) + 1 if start < finding.start else start
    return finding.changed(start=start, end=end, quote=page[start:end])


def _is_quoted(sentence: Sentence, findings: Sequence[Finding]) -> bool:
    """Whether the quotes of a sentence, or one more of their pages with them, have its listing."""
    own = [findings[index] for index in sentence.evidence if 0 <= index < len(findings)]
    quotes, urls = [one.quote for one in own], {one.url for one in own}
    beside = [one.quote for one in findings if one.url in urls]
    each = [quotes, *([*quotes, other] for other in beside)]
    return any(listing_in(sentence.code, some) or composed_in(sentence.code, some) for some in each)
