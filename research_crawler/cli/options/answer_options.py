"""Reads a person's answer: from the options of `research review`, or from a line that was typed."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from research_crawler.core.errors import OutlineError, UsageError
from research_crawler.core.models.people.reviews import AppendKind
from research_crawler.core.text.text_file import text_of_file

if TYPE_CHECKING:
    from research_crawler.services.reviews.review_requests import ReviewRequest

TYPED: Final = (
    "accept, reject TEXT, finding E3, source 2, fact TEXT, opinion TEXT, constraint TEXT, url URL, later"
)
"""What may be typed, as the prompt says it."""
_TYPED_KINDS: Final[dict[str, AppendKind | None]] = {
    "append": None,
    "fact": "fact",
    "opinion": "opinion",
    "constraint": "constraint",
    "url": "url",
}


def request_of_options(
    *,
    accept: bool,
    reject: str | None,
    findings: Sequence[str],
    source: str | None,
    append: str | None,
    append_as: AppendKind | None,
    outline: Path | None,
) -> "ReviewRequest | None":
    """The answer that the options give; None if they give none.

    Raises:
        UsageError: two answers at once, or --as without --append.
    """
    from research_crawler.services.reviews.review_requests import ReviewRequest

    given = [accept, findings, source is not None, append is not None, outline is not None]
    is_reason = reject is not None and (bool(findings) or source is not None)
    count = sum(map(bool, given)) + (reject is not None and not is_reason)
    if count > 1:
        raise UsageError("give one answer at a time; --reject TEXT may stand beside a finding or a source")
    if append_as is not None and append is None:
        raise UsageError("--as says what --append adds; give --append TEXT too")
    if accept:
        return ReviewRequest(kind="accept")
    if findings:
        return ReviewRequest(kind="reject_finding", findings=list(findings), text=reject or "")
    if source is not None:
        return ReviewRequest(kind="reject_source", source=source, text=reject or "")
    if append is not None:
        return ReviewRequest(kind="append", text=append, append_as=append_as)
    if outline is not None:
        return ReviewRequest(kind="outline", outline=_text_of(outline))
    return ReviewRequest(kind="reject", text=reject) if reject is not None else None


def request_of_line(line: str) -> "ReviewRequest | None":
    """The answer that a typed line gives; None: the person answers later.

    Raises:
        UsageError: the line is none of those that TYPED names.
    """
    from research_crawler.services.reviews.review_requests import ReviewRequest

    word, _, rest = line.strip().partition(" ")
    word, rest = word.casefold(), rest.strip()
    if word in ("later", ""):
        return None
    if word in ("accept", "yes", "y"):
        return ReviewRequest(kind="accept")
    if word == "reject":
        return ReviewRequest(kind="reject", text=rest)
    if word == "finding":
        return ReviewRequest(kind="reject_finding", findings=rest.replace(",", " ").split())
    if word == "source":
        return ReviewRequest(kind="reject_source", source=rest)
    if word in _TYPED_KINDS:
        return ReviewRequest(kind="append", text=rest, append_as=_TYPED_KINDS[word])
    raise UsageError(f"{word!r} is no answer; type one of: {TYPED}")


def _text_of(path: Path) -> str:
    from planner.outline.given_outline import MAX_OUTLINE_BYTES

    return text_of_file(path, most_bytes=MAX_OUTLINE_BYTES, complain=OutlineError)
