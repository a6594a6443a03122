"""Keep both sides of a contradiction: find the quote of one that names a wrong one, and tell of those left out."""

from collections.abc import Callable, Collection, Iterable, Sequence

from planner.verify.judgement import CERTAIN, Judgement
from research_crawler.core.models.drafts import Contradiction, Sentence
from research_crawler.core.models.findings import Finding

Places = tuple[int, ...]
Judge = Callable[[str, Places], Judgement]
"""Judges a text by the findings at these places."""


def with_found_quotes(
    pairs: Sequence[Contradiction], findings: Sequence[Finding], judge: Judge
) -> list[Contradiction]:
    """The pairs, each with the quotes that say its sides where those that it names do not.

    A model that sees many quotes names a neighbour of the one that it means, or one of two.
    """
    found = []
    for pair in pairs:
        one = _with_quote(pair.one, pair.other.evidence, findings, judge)
        found.append(pair.changed(one=one, other=_with_quote(pair.other, one.evidence, findings, judge)))
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
    for pair, one, other in zip(pairs, sides[::2], sides[1::2], strict=True):
        whole = pair.changed(one=one[0], other=other[0]) if one and other else None
        if whole and whole.is_founded:
            kept.append(whole)
        else:
            unsaid = pair.other if one and one[0].evidence else pair.one
            about = pair.about or pair.one.text
            left_out.append(f"a contradiction was left out ({about}): no known quote says “{unsaid.text}”")
    return kept, left_out


def _with_quote(
    side: Sentence, taken: Collection[int], findings: Sequence[Finding], judge: Judge
) -> Sentence:
    """A side with its own quotes if they say it; else with one more of their page, or with the one quote that does."""
    own = tuple(place for place in side.evidence if 0 <= place < len(findings))
    if own and not judge(side.text, own).is_cut:
        return side
    free = [place for place in range(len(findings)) if place not in own and place not in taken]
    pages = {findings[place].url for place in own}
    wider = ((*own, place) for place in free if findings[place].url in pages)
    alone = ((place,) for place in free)
    found = _best(side.text, wider, judge, 0.0) or _best(side.text, alone, judge, CERTAIN)
    return side.changed(text=side.text, evidence=list(found)) if found else side


def _best(text: str, candidates: Iterable[Places], judge: Judge, least: float) -> Places:
    """Those findings that say a text most surely; none where no candidate says all of it."""
    judged = [(judge(text, places), places) for places in candidates]
    saying = [(one.support, places) for one, places in judged if one.verdict == "supported"]
    support, places = max(saying, default=(0.0, ()))
    return places if support >= least else ()
