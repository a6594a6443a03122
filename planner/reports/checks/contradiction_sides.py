"""Keep both sides of a contradiction: find the quote of one that names a wrong one, and tell of those left out."""

from collections.abc import Callable, Collection, Iterable, Sequence

from planner.reports.checks.statement_evidence import FindingIndexes
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Contradiction, Sentence
from research_crawler.text.languages.words import terms

IsVetoed = Callable[[str, FindingIndexes], bool]
"""Whether code is sure that the findings with these indexes do not say a text."""


def with_found_quotes(
    pairs: Sequence[Contradiction], findings: Sequence[Finding], is_vetoed: IsVetoed
) -> list[Contradiction]:
    """The pairs, each with quotes that can say its sides where those that it names cannot.

    A model that sees many quotes names a neighbour of the one that it means, or one of two.
    """
    found = []
    for pair in pairs:
        one = _with_quote(pair.one, pair.other.evidence, findings, is_vetoed)
        found.append(pair.changed(one=one, other=_with_quote(pair.other, one.evidence, findings, is_vetoed)))
    return found


def shown_sides(
    pairs: Sequence[Contradiction], sides: Sequence[Sequence[Sentence]]
) -> tuple[list[Contradiction], list[str]]:
    """The pairs of which both sides are shown, and what the timeline says of the others.

    Args:
        pairs: as they were written.
        sides: what the checks have left of each side, in the order of the pairs; empty if it was cut.
    """
    kept, left_out = [], []
    for pair, first, second in zip(pairs, sides[::2], sides[1::2], strict=True):
        whole = pair.changed(one=first[0], other=second[0]) if first and second else None
        if whole and whole.is_founded:
            kept.append(whole)
        else:
            unsaid = pair.other if first and first[0].evidence else pair.one
            about = pair.about or pair.one.text
            left_out.append(f"a contradiction was left out ({about}): no known quote says “{unsaid.text}”")
    return kept, left_out


def _with_quote(
    side: Sentence, taken: Collection[int], findings: Sequence[Finding], is_vetoed: IsVetoed
) -> Sentence:
    """A side with its own quotes if nothing is sure against them; else with one more of their page, or with another."""
    own = tuple(index for index in side.evidence if 0 <= index < len(findings))
    if own and not is_vetoed(side.text, own):
        return side
    free = [index for index in range(len(findings)) if index not in own and index not in taken]
    pages = {findings[index].url for index in own}
    wider = [(*own, index) for index in free if findings[index].url in pages]
    alone = [(index,) for index in free]
    found = _best(side.text, wider, findings, is_vetoed) or _best(side.text, alone, findings, is_vetoed)
    return side.changed(text=side.text, evidence=list(found)) if found else side


def _best(
    text: str, candidates: Iterable[FindingIndexes], findings: Sequence[Finding], is_vetoed: IsVetoed
) -> FindingIndexes:
    """Those findings that nothing is sure against, and that have most words of a text: at least half of them."""
    words = set(terms(text))
    shares = [
        (len(words & {word for index in indexes for word in terms(findings[index].quote)}), indexes)
        for indexes in candidates
        if not is_vetoed(text, indexes)
    ]
    most, indexes = max(shares, key=lambda share: share[0], default=(0, ()))
    return indexes if 2 * most >= len(words) > 0 else ()
