"""Sections of a page for a reader with room: passages joined on paragraph borders, and what of them is left out."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from research_crawler.core.models.web.pages import Passage
from research_crawler.core.text.markdown_syntax import open_fence

LEAST_TOKENS, MOST_TOKENS = 400, 800
"""A section is closed at the first new heading after LEAST_TOKENS, and at a paragraph's border before MOST_TOKENS."""
MOST_LEFT_OUT, MOST_HEADING_CHARS = 10, 90
"""Most sections of a page that a planner can ask for later, and the length of their names: a job's record has them."""
_FIRST_CHARS: Final = 60
"""So much of a passage without a heading names it."""
SECOND_SHARE: Final = 0.3
"""What the second-best passage of a section adds to the score of the best: two are better than one, but a section that
states the thing once is better than one that is near it everywhere."""
_PARAGRAPH: Final = re.compile(r"\n[^\S\n]*+\n")
_PATH: Final = " > "


def sections(
    markdown: str, passages: Sequence[Passage], *, least: int = LEAST_TOKENS, most: int = MOST_TOKENS
) -> list[list[int]]:
    """Join consecutive passages of a page to sections.

    A border lies between paragraphs where it can, else (a list or a table longer than `most`) between passages. There
    is a border wherever passages are missing.

    Args:
        markdown: the stored page.
        passages: passages of it, in order.
        least: a section of so many tokens ends at the next heading.
        most: most tokens of a section, but for a single passage that is longer.

    Returns:
        The indexes of each section's passages, in order; each passage is in one section.
    """
    found: list[list[int]] = []
    for paragraph in _paragraphs(markdown, passages):
        for part in _parts(passages, paragraph, most):
            last = found[-1] if found else []
            if last and _joins(markdown, passages, last, part, least, most):
                last += part
            else:
                found.append(part)
    return found


def joined_passages(markdown: str, passages: Sequence[Passage]) -> Passage:
    """Passages that follow each other, as one; its heading is that of the first."""
    first, last = passages[0], passages[-1]
    return Passage(
        start=first.start,
        end=last.end,
        text=markdown[first.start : last.end],
        tokens=sum(passage.tokens for passage in passages),
        heading=first.heading,
    )


def section_scores(found: Sequence[Sequence[int]], scores: Sequence[float]) -> list[float]:
    """The score of each section, by the scores of its passages."""
    ranked = [sorted((scores[i] for i in section), reverse=True) for section in found]
    return [best[0] + SECOND_SHARE * (best[1] if len(best) > 1 else 0.0) for best in ranked]


def headings_left_out(passages: Sequence[Passage], shown: Iterable[int], ranks: Sequence[float]) -> list[str]:
    """The headings under which nothing is shown, those with the best passage first, at most MOST_LEFT_OUT; of a page
    without headings, the first words of passages.

    Args:
        passages: all passages of the page.
        shown: the indexes of those that are shown.
        ranks: the relevance of each passage.
    """
    has_headings = any(passage.heading for passage in passages)
    names = [_short(one.heading) if has_headings else _first_words(one) for one in passages]
    chosen = {names[i] for i in shown} if not has_headings else {passages[i].heading for i in shown}
    best: dict[str, float] = {}
    for passage, name, rank in zip(passages, names, ranks, strict=True):
        if name and (passage.heading if has_headings else name) not in chosen:
            best[name] = max(rank, best.get(name, 0.0))
    return sorted(best, key=lambda heading: -best[heading])[:MOST_LEFT_OUT]


def cut_off(passages: Sequence[Passage], shown: Iterable[int], ranks: Sequence[float]) -> list[str]:
    """The headings under which a part is shown and a part is not, those with the best passage first.

    Steps may go on in a part that has hardly a word of the question. The arguments are those of `headings_left_out`.
    """
    places = set(shown)
    best: dict[str, float] = {}
    for i in places:
        heading = passages[i].heading
        best[heading] = max(ranks[i], best.get(heading, 0.0))
    cut = {one.heading for i, one in enumerate(passages) if i not in places and one.heading in best} - {""}
    return [_short(heading) for heading in sorted(cut, key=lambda heading: (-best[heading], heading))]


def under(heading: str, passages: Sequence[Passage]) -> list[Passage]:
    """The passages below a heading, whose path may be given by its end; those from the one with these first words on,
    if no heading has them."""
    wanted = f"{_PATH}{heading}{_PATH}"
    if found := [passage for passage in passages if wanted in f"{_PATH}{passage.heading}{_PATH}"]:
        return found
    start = next((i for i, one in enumerate(passages) if _begins(heading, one)), len(passages))
    found, tokens = [], 0
    for passage in passages[start:]:
        if found and tokens + passage.tokens > MOST_TOKENS:
            break
        found.append(passage)
        tokens += passage.tokens
    return found


def _begins(name: str, passage: Passage) -> bool:
    """Whether a name is of a part that begins with the passage, which may be shorter than the name."""
    first = _first_words(passage)
    return bool(first) and name.startswith(first)


def _first_words(passage: Passage) -> str:
    """What a passage without a heading is named by."""
    words = " ".join(passage.text[: 2 * MOST_HEADING_CHARS].split())
    return (
        words
        if len(words) <= _FIRST_CHARS
        else words[:_FIRST_CHARS].rpartition(" ")[0] or words[:_FIRST_CHARS]
    )


def _short(heading: str) -> str:
    """The end of a path of headings, as many of them as fit into MOST_HEADING_CHARS; at least the last one."""
    parts = heading.split(_PATH)
    while len(parts) > 1 and len(_PATH.join(parts)) > MOST_HEADING_CHARS:
        parts.pop(0)
    return _PATH.join(parts)


def _paragraphs(markdown: str, passages: Sequence[Passage]) -> list[list[int]]:
    """The passages between borders of paragraphs, headings or gaps; a blank line within code is no border."""
    found: list[list[int]] = []
    fence = ""
    for i, passage in enumerate(passages):
        before = markdown[passages[i - 1].end : passage.start] if i else ""
        is_gap = not i or bool(before.strip())
        is_border = _PARAGRAPH.search(before) or passage.text.startswith("#")
        if is_gap or (is_border and not fence):
            found.append([])
        found[-1].append(i)
        # What is missing may close a listing.
        for line in f"{before if is_gap else ''}\n{passage.text}".splitlines():
            fence = open_fence(line, fence)
    return found


def _parts(passages: Sequence[Passage], paragraph: Sequence[int], most: int) -> list[list[int]]:
    """A paragraph, divided between passages if it is longer than `most`."""
    parts: list[list[int]] = [[]]
    for i in paragraph:
        if parts[-1] and _tokens(passages, parts[-1]) + passages[i].tokens > most:
            parts.append([])
        parts[-1].append(i)
    return parts


def _joins(
    markdown: str, passages: Sequence[Passage], last: list[int], part: list[int], least: int, most: int
) -> bool:
    length, first = _tokens(passages, last), passages[part[0]]
    if markdown[passages[last[-1]].end : first.start].strip() or length + _tokens(passages, part) > most:
        return False
    return length < least or not first.text.startswith("#")


def _tokens(passages: Sequence[Passage], places: Sequence[int]) -> int:
    return sum(passages[i].tokens for i in places)
