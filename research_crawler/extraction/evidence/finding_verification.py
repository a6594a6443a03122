"""Checks proposed findings against the stored page, and makes findings of those whose quotes it contains."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from pydantic import TypeAdapter

from research_crawler.core.models.evidence.findings import Extraction, Finding, ProposedFinding
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.extraction.evidence.identity import finding_id
from research_crawler.extraction.evidence.orders import asks_about_orders, stands_in_order
from research_crawler.extraction.evidence.quote_headings import heading_above
from research_crawler.extraction.evidence.quotes import QuoteFinder, is_slice
from research_crawler.text.markdown_blocks.markdown_blocks import introduction_above

Span = tuple[int, int]

MOST_FOLDED_HERE: Final = 50_000
"""Characters of a page that is folded here to find quotes in it: 20 ms, of the worst page 100 ms."""
_FINDINGS = TypeAdapter(tuple[list[Finding], int])
_MOST_LISTING_CHARS: Final = 800
"""Characters of a listing that is taken; a longer one is no command or setting."""
_LISTING: Final = re.compile(
    r"[*_`]{0,3}:?[*_`]{0,3}[^\S\n]*\n{1,3}[^\S\n]*(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n"
)
"""What may stand between the last word of a quote and the first line of a listing."""
_CHARS_BEFORE: Final = 2_000
"""So many characters before a quote are looked at: "it" is what was named last, and hardly further away."""
_NAME_LIKE: Final = re.compile(r"(?<![\w-])[^\W\d_][\w-]*+")
_MOST_SUBJECT_CHARS: Final = 200
"""Longest text of the names that say what a finding is about."""


def verify_here(
    extraction: Extraction, stored: StoredPage, command: str, *, goal: str = ""
) -> tuple[list[Finding], int] | None:
    """`verify` in a bounded time, for the process that has the page; None: it is work for a parse process.

    It is done if every quote was cut from the page, or a page of ordinary length has it in its words, as it nearly
    always has: brains quote from the text that they were shown.
    """
    markdown = stored.page.markdown
    is_short = len(markdown) <= MOST_FOLDED_HERE
    if not (is_short or all(is_slice(markdown, one.quote, one.start) for one in extraction.findings)):
        return None
    found, refused = verify(extraction, stored, command, goal=goal, in_their_words=True)
    return None if refused else (found, refused)


def verify(
    extraction: Extraction,
    stored: StoredPage,
    command: str,
    *,
    goal: str = "",
    in_their_words: bool = False,
) -> tuple[list[Finding], int]:
    """The findings whose quotes are in the page, and how many were refused because their quotes are not.

    If several proposals quote the same slice, the one with the highest score wins. Pages that forbid quotes
    (nosnippet) give no findings. Quotes and claims that are mainly a mail address or a telephone number are
    left out, unless `goal` asks for contact data; so are quotes from paragraphs that give orders to a machine, unless
    `goal` is about such machines.

    Args:
        extraction: the proposals.
        stored: the page.
        command: the command that read it.
        goal: what the job asks.
        in_their_words: quotes that differ from the page by a few letters are refused.
    """
    if stored.page.nosnippet or not extraction.findings:
        return [], 0
    finder = QuoteFinder(stored.page.markdown)
    with_contacts, with_orders = asks_for_contact(goal), asks_about_orders(goal)
    chosen: dict[Span, ProposedFinding] = {}
    refused = 0
    for proposed in extraction.findings:
        span = _span(finder, proposed, in_its_words=in_their_words) if proposed.claim.strip() else None
        if span is None or (not with_orders and stands_in_order(stored.page.markdown, *span)):
            refused += 1
        elif with_contacts or not _is_contact(proposed, stored.page.markdown[slice(*span)]):
            known = chosen.get(span)
            chosen[span] = proposed if known is None or proposed.score > known.score else known
    found = [
        _finding(stored, command, ordinal, span, proposed, extraction.by)
        for ordinal, (span, proposed) in enumerate(chosen.items())
    ]
    return found, refused


def verified_findings(extraction: Extraction, stored: StoredPage, command: str, goal: str) -> list[Finding]:
    """The findings of `verify` alone, for whoever shows excerpts of a stored page."""
    return verify(extraction, stored, command, goal=goal)[0]


def verified_json(extraction: str, stored: str, command: str, goal: str) -> str:
    """`verify` with JSON in and out, for the exchange between processes."""
    proposed, page = Extraction.model_validate_json(extraction), StoredPage.model_validate_json(stored)
    return _FINDINGS.dump_json(verify(proposed, page, command, goal=goal)).decode()


def _span(finder: QuoteFinder, proposed: ProposedFinding, *, in_its_words: bool) -> Span | None:
    """Where a quote stands. A slice of the page keeps its marks: without its first fence or bar it is no listing."""
    if proposed.start is not None and is_slice(finder.markdown, proposed.quote, proposed.start):
        return proposed.start, proposed.start + len(proposed.quote)
    found = finder.find(proposed.quote, in_its_words=in_its_words)
    if found is None:
        return None
    return with_announced_listing(finder.markdown, *meant_place(proposed.claim, finder.markdown, found))


def _is_contact(proposed: ProposedFinding, quote: str) -> bool:
    return is_mainly_contact(quote) or is_mainly_contact(proposed.claim)


def _finding(
    stored: StoredPage, command: str, ordinal: int, span: Span, proposed: ProposedFinding, by: str
) -> Finding:
    start, end = span
    return Finding(
        id=finding_id(command, ordinal),
        command=command,
        kind=proposed.kind,
        claim=" ".join(proposed.claim.split()),
        quote=stored.page.markdown[start:end],
        start=start,
        end=end,
        page_sha256=stored.sha,
        url=stored.final_url,
        title=stored.page.title,
        heading=proposed.heading or heading_above(stored.page.markdown, start),
        introduction=introduction_above(stored.page.markdown, start),
        subject=name_before(proposed.claim, stored.page.markdown, start, end),
        fetched_at=stored.fetched_at,
        published=stored.page.published,
        page_number=page_number(stored.page, start),
        score=proposed.score,
        by=by,
    )


def page_number(page: PageText, offset: int) -> int | None:
    """The number (from 1) of the PDF page that contains an offset of the text; None for other documents."""
    starts = page.metadata.get("page_starts")
    if not isinstance(starts, list) or not starts:
        return None
    return max(1, sum(1 for start in starts if isinstance(start, int) and start <= offset))


# Recognises contact data in quotes, so that a job does not collect mail addresses and telephone numbers.

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]++\s?(?:@|\(at\)|\[at\])\s?[\w-]++(?:\.[\w-]++)++", re.I)
_PHONE = re.compile(r"(?<![\w.,€$£])(?:\+|00)?\(?\d{1,4}\)?(?:[\s./-]{1,3}\(?\d{2,5}\)?){2,6}(?![\w%€$£])")
_PHONE_WORD = re.compile(
    r"(?<![\w+])\+\(?\d|\b(?:tel|telephone|phone|call|fax|mobile|mobil|telefon|t[ée]l[ée]phone|hotline|whatsapp)\b",
    re.I,
)
_WANTED = re.compile(
    r"\b(?:contact|e-?mail|phone|telephone|call|hotline|address|adresse|contacto|courriel)(?:e?s|n)?\b"
    r"|\b(?:kontakt|telefon)",
    re.I,
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_MOST_WORDS = 6
"""A quote with contact data and at most this many other words is mainly contact data."""


def is_mainly_contact(quote: str) -> bool:
    """Whether a quote is little more than a mail address or a telephone number.

    A number counts as a telephone number only if the quote has a + before a digit or a word such as "phone", because
    dates, prices and sizes look similar.
    """
    rest, mails = _MAIL.subn(" ", quote)
    phones = 0
    if _PHONE_WORD.search(rest):
        rest, phones = _PHONE.subn(" ", rest)
    return mails + phones > 0 and len(_WORDS.findall(rest)) <= _MOST_WORDS


def asks_for_contact(goal: str) -> bool:
    """Whether a goal asks for contact data."""
    return _WANTED.search(goal) is not None


# Tells where a quote is from that a page has several times, such as a row of every table of a manual.

_WORD: Final = re.compile(r"\w+")
_MOST_PLACES: Final = 100
"""The longest manual of those measured has one row 60 times."""


def meant_place(claim: str, markdown: str, span: Span) -> Span:
    """The place of a quote whose heading has most words of the claim; the given one where no other has more.

    Args:
        claim: what was found, in the words of who read the page.
        markdown: the page.
        span: where the quote begins and ends for the first time.
    """
    start, end = span
    places = list(islice(_places(markdown[start:end], markdown, start), _MOST_PLACES))
    if len(places) == 1:
        return span
    claimed = _words(claim)
    best = max(places, key=lambda place: len(claimed & _words(_heading_line(markdown, place))))
    return best, best + end - start


def _places(quote: str, markdown: str, start: int) -> Iterator[int]:
    """Where the quote begins, from the first place on."""
    while start >= 0:
        yield start
        start = markdown.find(quote, start + len(quote))


def _heading_line(markdown: str, place: int) -> str:
    """The line of the heading above a place, or nothing."""
    begun = markdown.rfind("\n#", 0, place)
    return markdown[begun + 1 : markdown.find("\n", begun + 1)] if begun >= 0 else ""


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def with_announced_listing(markdown: str, start: int, end: int) -> tuple[int, int]:
    """The span of a quote with the listing right below it, where the quote ends in a colon: what it says to type stands
    there, and a sentence that shows it has no other source.
    """
    opening = _LISTING.match(markdown, end)
    if opening is None or ":" not in markdown[max(start, end - 4) : opening.start("fence")]:
        return start, end
    closing = markdown.find(f"\n{opening['fence']}", opening.end() - 1)
    is_short = (
        0 <= closing - opening.start("fence") <= _MOST_LISTING_CHARS
    )  # also what stands behind its fence
    return (start, closing + 1 + len(opening["fence"])) if is_short else (start, end)


def name_before(claim: str, markdown: str, start: int, end: int) -> str:
    """The words with capitals of a claim that its quote does not have, and that stand on the page shortly before it.

    A quote such as "It weighs 387 g" is about something that a writer has to name. The claim names it, and the page
    bears it out: what the page does not have there is left out.

    Args:
        claim: what was found, in the words of who read the page.
        markdown: the page.
        start: where the quote begins.
        end: where it ends.
    """
    quote, before = (
        _names_in(markdown[start:end]),
        _names_in(markdown[max(0, start - _CHARS_BEFORE) : start]),
    )
    names = [word for word in _with_capital(claim) if word not in quote and word in before]
    return " ".join(dict.fromkeys(names))[:_MOST_SUBJECT_CHARS]


def _names_in(text: str) -> set[str]:
    return set(_with_capital(text))


def _with_capital(text: str) -> list[str]:
    """The words that are written as names are; which of them are names is up to who uses them."""
    return [word for word in _NAME_LIKE.findall(text) if word[0].isupper()]
