"""Take the listing that a quote announces into the quote."""

import re
from typing import Final

_MOST_CHARS: Final = 800
"""Characters of a listing that is taken; a longer one is no command or setting."""
_LISTING: Final = re.compile(
    r"[*_`]{0,3}:?[*_`]{0,3}[^\S\n]*\n{1,3}[^\S\n]*(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n"
)
"""What may stand between the last word of a quote and the first line of a listing."""


def with_announced_listing(markdown: str, start: int, end: int) -> tuple[int, int]:
    """The span of a quote with the listing right below it, where the quote ends in a colon: what it says to type stands
    there, and a sentence that shows it has no other source.
    """
    opening = _LISTING.match(markdown, end)
    if opening is None or ":" not in markdown[max(start, end - 4) : opening.start("fence")]:
        return start, end
    closing = markdown.find(f"\n{opening['fence']}", opening.end() - 1)
    is_short = 0 <= closing - opening.start("fence") <= _MOST_CHARS  # also what stands behind its fence
    return (start, closing + 1 + len(opening["fence"])) if is_short else (start, end)
