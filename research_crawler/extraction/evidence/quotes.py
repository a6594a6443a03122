"""Finds quotes in the stored text, although a writer may have changed their typography."""

import re
from bisect import bisect_left
from functools import cached_property

from rapidfuzz import fuzz

from research_crawler.extraction.evidence.passages import quotable_spans
from research_crawler.extraction.evidence.quote_view import QuoteView
from research_crawler.text.markdown_blocks.markdown_blocks import listings

_MIN_CHARS = 12
"""A shorter quote is not looked for: too many places have it. A slice (`is_slice`)
may be shorter."""
MIN_WORDS = 2
"""Fewest words of a quote."""
MIN_SIMILARITY = 95.0
"""The least rapidfuzz ratio of the quote and the most similar part of one sentence."""
_LONGEST_LOOKED_FOR = 2_000
"""So much of a quote is looked for."""
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]|\w+")
_NUMBER = re.compile(r"\d+")
_ELLIPSIS = "..."
_EDGE = " '."
_WORDS_OF_PART = 4
"""Fewer words between ellipses stand anywhere."""
_MOST_ELIDED_CHARS = 600
"""Longest passage that is taken for parts of it: as much as a quote may have."""
_MAX_MATCHES = 50
"""Most places of a page that are compared with a quote."""
_WINDOW_SLACK = 10.0
"""So far below the least likeness, in percent, a place is looked at more closely."""
_NEAR_WORDS = 4
"""So many words near to a place may begin the quote."""


class QuoteFinder:
    """Finds quotes in one page."""

    def __init__(self, markdown: str) -> None:
        self.markdown = markdown
        self._pieces: list[QuoteView] | None = None
        self._offsets: list[int] = []
        self._listings: list[tuple[int, int]] | None = None

    @cached_property
    def _view(self) -> QuoteView:
        return QuoteView(self.markdown)

    def find(self, quote: str, *, in_its_words: bool = False) -> tuple[int, int] | None:
        """The (start, end) of a quote in the page's Markdown; None if it is not there, too short or joined.

        The slice starts and ends with the words of the quote, never with a mark but for a bracket that the quote has
        too: `relayhost = [mail.example]`. Typography is ignored. If the exact words are not found, a very similar part
        of a single sentence is accepted if its numbers are the same. Of parts joined by ellipses, the whole passage is
        taken, if one paragraph has them in their order, near each other, and each has four words.

        Args:
            quote: what is looked for.
            in_its_words: only its exact words count; no sentence is compared with it, which takes long on long pages.
        """
        wanted = QuoteView(quote[: _LONGEST_LOOKED_FOR + 1]).text.strip()
        if len(wanted) > _LONGEST_LOOKED_FOR or not _is_long_enough(wanted):
            return None
        bare = wanted.strip(_EDGE)
        for text in dict.fromkeys((wanted, bare)):
            if span := self._find_exact(text):
                return self._with_code_ends(self._with_brackets(span, quote.strip()), quote.strip())
        if _ELLIPSIS in bare:
            return self._find_around(bare)
        if in_its_words or not _is_long_enough(bare):
            return None
        return self._find_similar(bare)

    def _with_brackets(self, span: tuple[int, int], quote: str) -> tuple[int, int]:
        """The span with the brackets at its ends that the quote has too, if each has its partner: a link's has not."""
        start, end = span
        for char in reversed(quote[: len(quote) - len(quote.lstrip("["))]):
            start -= start > 0 and self.markdown[start - 1] == char
        for char in quote[len(quote.rstrip("]")) :]:
            end += self.markdown[end : end + 1] == char
        whole = self.markdown[start:end]
        return (start, end) if whole.count("[") == whole.count("]") else span

    def _with_code_ends(self, span: tuple[int, int], quote: str) -> tuple[int, int]:
        """The span with the characters at its ends that the quote has too, if the end stands in a listing: what is a
        mark in prose belongs to code there (`# a comment`, `[R=301,L]`, a backslash at the end of a line)."""
        start, end = span
        at_start, at_end = self._is_in_listing(start), self._is_in_listing(end)
        folded = (
            [at for at in range(len(quote)) if QuoteView(quote[at]).text.strip()]
            if at_start or at_end
            else []
        )
        if folded and at_start:
            before = quote[: folded[0]].rpartition("\n")[2]
            start -= len(before) if self.markdown[max(0, start - len(before)) : start] == before else 0
        if folded and at_end:
            after = quote[folded[-1] + 1 :].partition("\n")[0]
            end += len(after) if self.markdown.startswith(after, end) else 0
        return start, end

    def _is_in_listing(self, at: int) -> bool:
        """Whether a place of the page stands between fences."""
        if self._listings is None:
            self._listings = listings(self.markdown)
        before = bisect_left(self._listings, at, key=lambda listing: listing[0]) - 1
        return before >= 0 and at < self._listings[before][1]

    def _find_exact(self, wanted: str) -> tuple[int, int] | None:
        """The first match at word boundaries, else the first match."""
        if not _is_long_enough(wanted):
            return None
        view = self._view.text
        first = start = view.find(wanted)
        for _ in range(_MAX_MATCHES):
            if start < 0 or _is_at_words(view, start, start + len(wanted)):
                break
            start = view.find(wanted, start + 1)
        start = start if start >= 0 else first
        return self._view.source_span(start, start + len(wanted)) if start >= 0 else None

    def _find_around(self, wanted: str) -> tuple[int, int] | None:
        """The passage that has all parts of a quote, with what was left out between them."""
        parts = [part.strip(_EDGE) for part in wanted.split(_ELLIPSIS)]
        if not all(len(_WORD.findall(part)) >= _WORDS_OF_PART for part in parts):
            return None
        view = self._view.text
        starts = [view.find(parts[0])]
        for part in parts[1:]:
            starts.append(view.find(part, starts[-1] + 1) if starts[-1] >= 0 else -1)
        if min(starts) < 0 or not _is_at_words(view, starts[0], starts[-1] + len(parts[-1])):
            return None
        start, end = self._view.source_span(starts[0], starts[-1] + len(parts[-1]))
        is_passage = end - start <= _MOST_ELIDED_CHARS and "\n\n" not in self.markdown[start:end]
        return (start, end) if is_passage else None

    def _find_similar(self, wanted: str) -> tuple[int, int] | None:
        longest_words = sorted(_WORD.findall(wanted), key=len)[-3:]
        best, span = MIN_SIMILARITY, None
        for offset, piece in self._sentences():
            if len(piece.text) < 0.9 * len(wanted) or not any(word in piece.text for word in longest_words):
                continue
            start, end, ratio = _most_similar(wanted, piece.text)
            if ratio >= best and _NUMBER.findall(wanted) == _NUMBER.findall(piece.text[start:end]):
                left, right = piece.source_span(start, end)
                best, span = ratio, (offset + left, offset + right)
        return span

    def _sentences(self) -> list[tuple[int, QuoteView]]:
        if self._pieces is None:
            spans = quotable_spans(self.markdown)
            self._offsets = [start for start, _ in spans]
            self._pieces = [QuoteView(self.markdown[start:end]) for start, end in spans]
        return list(zip(self._offsets, self._pieces, strict=True))


def is_slice(markdown: str, quote: str, start: int | None) -> bool:
    """Whether a quote was cut from the page at the place that is told with it.

    It has no least length: its place is known, so that it cannot be taken for another one with the same words.
    """
    return start is not None and bool(quote.strip()) and markdown[start : start + len(quote)] == quote


def _is_long_enough(text: str) -> bool:
    return len(text) >= _MIN_CHARS and len(_WORD.findall(text)) >= MIN_WORDS


def _is_at_words(text: str, start: int, end: int) -> bool:
    cut_left = start > 0 and text[start].isalnum() and text[start - 1].isalnum()
    cut_right = end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
    return not cut_left and not cut_right


def _most_similar(wanted: str, sentence: str) -> tuple[int, int, float]:
    """The run of words of a sentence that is most similar to a quote, and its ratio (Indel, 0 to 100).

    First the best window of the quote's length is found. Then its ends are moved to nearby words to find the
    best run.
    """
    around = fuzz.partial_ratio_alignment(wanted, sentence, score_cutoff=MIN_SIMILARITY - _WINDOW_SLACK)
    if around is None:
        return 0, 0, 0.0
    words = [match.span() for match in re.finditer(r"\S+", sentence)]
    starts = sorted((abs(start - around.dest_start), start) for start, _ in words)[:_NEAR_WORDS]
    ends = sorted((abs(end - around.dest_end), end) for _, end in words)[:_NEAR_WORDS]
    spans = [(start, end) for _, start in starts for _, end in ends if start < end]
    rated = [(fuzz.ratio(wanted, sentence[start:end]), start, end) for start, end in spans]
    ratio, start, end = max(rated, default=(0.0, 0, 0))
    return start, end, ratio
